// Parameter counts against the published configurations (Llama, Mistral,
// Mixtral and Qwen config.json; Brown et al. 2020, table 2.1; Zhang et al.
// 2022 for OPT's shape is GPT-3's).
#include "meshwise/model.h"

#include <gtest/gtest.h>

#include "core/drill.h"

namespace meshwise {
namespace {

struct Published {
  const char* name;
  int layers, hidden, heads, kv_heads, ffn, vocab;
  double parameters;
};

constexpr Published kLlamaStyle[] = {
    {"Llama 3 8B", 32, 4096, 32, 8, 14336, 128256, 8030261248},
    {"Llama 3 70B", 80, 8192, 64, 8, 28672, 128256, 70553706496},
    {"Llama 3.1 405B", 126, 16384, 128, 8, 53248, 128256, 405853388800},
    {"LLaMA 65B", 80, 8192, 64, 64, 22016, 32000, 65285660672},
    {"Llama 2 7B", 32, 4096, 32, 32, 11008, 32000, 6738415616},
    {"Llama 2 13B", 40, 5120, 40, 40, 13824, 32000, 13015864320},
    {"Llama 2 70B", 80, 8192, 64, 8, 28672, 32000, 68976648192},
    {"Mistral 7B", 32, 4096, 32, 8, 14336, 32000, 7241732096},
};

Model shape(const Published& p) {
  Model m;
  m.layers = p.layers;
  m.hidden = p.hidden;
  m.heads = p.heads;
  m.kv_heads = p.kv_heads;
  m.head_dim = p.hidden / p.heads;
  m.ffn = p.ffn;
  m.vocab = p.vocab;
  return m;
}

TEST(Model, LlamaStyleCountsAreExact) {
  for (const Published& p : kLlamaStyle) {
    EXPECT_EQ(count_parameters(shape(p)).total, p.parameters) << p.name;
  }
}

TEST(Model, QwenHasBiasesOnQueryKeyAndValueAlone) {
  Model m = shape({"", 28, 3584, 28, 4, 18944, 152064, 0});
  m.qkv_biases = true;
  EXPECT_EQ(count_parameters(m).total, 7615616512);
}

TEST(Model, GptStyleCountsAreExact) {
  EXPECT_EQ(count_parameters(testing::gpt3_175b()).total, 174604259328);
}

TEST(Model, MixtureOfExpertsCountsTotalAndActiveApart) {
  Model m = shape({"", 32, 4096, 32, 8, 14336, 32000, 0});
  m.moe = {8, 2, 14336, 0, 0, 1.0};
  const ParameterCount c = count_parameters(m);
  EXPECT_EQ(c.total, 46702792704);
  // Six of eight experts of 3 x 4096 x 14336 rest in each of 32 layers.
  EXPECT_EQ(c.total - c.active, 32.0 * 6 * 3 * 4096 * 14336);
}

TEST(Model, AStatedTotalIsSharedEvenlyByTheLayers) {
  const ParameterCount c = count_parameters(testing::model_65b());
  EXPECT_EQ(c.total, 65e9);
  EXPECT_EQ(c.dense_layer, 65e9 / 80);
  EXPECT_EQ(c.embedding, 0.0);
}

TEST(Model, MatmulParametersLeaveOutTheLookUpAndKeepTheHead) {
  const Model m = testing::llama3_8b();
  const double embedding = 128256.0 * 4096;
  EXPECT_EQ(matmul_parameters(m), 8030261248 - embedding);
  Model tied = m;
  tied.tied_head = true;
  EXPECT_EQ(matmul_parameters(tied), matmul_parameters(m));
}

TEST(Model, KvCacheDoesNotDependOnQueryHeads) {
  Model m = testing::llama3_8b();
  EXPECT_EQ(kv_values_per_token(m), 2.0 * 32 * 8 * 128);
  m.heads = 64;
  EXPECT_EQ(kv_values_per_token(m), 2.0 * 32 * 8 * 128);
}

}  // namespace
}  // namespace meshwise
