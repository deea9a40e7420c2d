// Parameter counts against the published configurations of
// reference/models.h, and what each count is made of.
#include "meshwise/model.h"

#include <gtest/gtest.h>

#include "core/drill.h"
#include "reference/models.h"
#include "reference/papers.h"

namespace meshwise {
namespace {

Model shape(const reference::PublishedModel& p) {
  Model m;
  m.layers = p.layers;
  m.hidden = p.hidden;
  m.heads = p.heads;
  m.kv_heads = p.kv_heads;
  m.head_dim = p.head_dim;
  m.ffn = p.ffn;
  m.vocab = p.vocab;
  m.max_positions = p.positions;
  m.gated_mlp = (p.flags & reference::kGated) != 0;
  m.biases = (p.flags & reference::kBiases) != 0;
  m.qkv_biases = (p.flags & reference::kQkvBiases) != 0;
  m.layer_norm = (p.flags & reference::kLayerNorm) != 0;
  m.tied_head = (p.flags & reference::kTied) != 0;
  m.moe.experts = p.experts.experts;
  m.moe.top_k = p.experts.top_k;
  m.moe.expert_ffn = p.experts.ffn;
  return m;
}

Model gpt(int layers, int hidden, int heads) {
  Model m = testing::gpt3_175b();
  m.layers = layers;
  m.hidden = hidden;
  m.heads = heads;
  m.kv_heads = heads;
  m.head_dim = hidden / heads;
  m.ffn = 4 * hidden;
  m.vocab = 51200;
  return m;
}

TEST(Model, CountsOfPublishedModelsAreExact) {
  for (const reference::PublishedModel& p : reference::kModels) {
    const ParameterCount c = count_parameters(shape(p));
    const auto beside = static_cast<double>(p.beside);
    EXPECT_EQ(c.total + beside, static_cast<double>(p.parameters)) << p.name;
    EXPECT_EQ(c.active + beside, static_cast<double>(p.active)) << p.name;
  }
}

TEST(Model, KvCachesOfPublishedModelsAreExact) {
  for (const reference::PublishedModel& p : reference::kModels) {
    EXPECT_EQ(2.0 * kv_values_per_token(shape(p)),
              static_cast<double>(p.kv_bytes_per_token))
        << p.name;
  }
}

TEST(Model, CountsAreMegatronsFormulaAndTheLastNorm) {
  for (const reference::MegatronRun& run : reference::kNarayanan) {
    const Model m = gpt(run.layers, run.hidden, run.heads);
    const double total = count_parameters(m).total;
    EXPECT_EQ(total, run.parameters + 2.0 * run.hidden) << run.billions;
    EXPECT_NEAR(total / 1e9, run.billions, 0.06);
  }
}

TEST(Model, PartsOfLlamaSumToItsTotal) {
  const Model m = testing::llama3_8b();
  const ParameterCount c = count_parameters(m);
  // 2 x 4096 x 4096 for Q and output, 2 x 4096 x 1024 for K and V, three
  // matrices of 4096 x 14336, two norms.
  EXPECT_EQ(c.dense_layer, 218112000.0);
  EXPECT_EQ(c.kv_projection, 8388608.0);
  EXPECT_EQ(c.embedding, 525336576.0);
  EXPECT_EQ(c.head, 525336576.0);
  EXPECT_EQ(c.final_norm, 4096.0);
  EXPECT_EQ(32 * c.dense_layer + c.embedding + c.head + c.final_norm, c.total);
  EXPECT_EQ(c.active, c.total);
}

TEST(Model, KeyAndValueBiasesBelongToTheirProjections) {
  Model m = testing::llama3_8b();
  m.qkv_biases = true;
  EXPECT_EQ(count_parameters(m).kv_projection, 8388608.0 + 2 * 8 * 128);
}

TEST(Model, AGptLayerHasTwelveHSquaredAndThirteenH) {
  const double h = 12288;
  const ParameterCount c = count_parameters(testing::gpt3_175b());
  EXPECT_EQ(c.dense_layer, 12 * h * h + 13 * h);
  EXPECT_EQ(c.embedding, (50257 + 2048) * h);
  EXPECT_EQ(c.head, 0.0);
  EXPECT_EQ(c.final_norm, 2 * h);
}

TEST(Model, TyingTheHeadSavesOneEmbedding) {
  Model m = testing::llama3_8b();
  m.tied_head = true;
  EXPECT_EQ(count_parameters(m).total, 8030261248.0 - 128256.0 * 4096);
}

TEST(Model, AHeadSizeOfItsOwnCountsInTheProjections) {
  Model m = testing::llama3_8b();
  const double before = count_parameters(m).total;
  m.head_dim = 256;
  // Q and output double from 2 h a dh, K and V from 2 h k dh.
  EXPECT_EQ(count_parameters(m).total - before,
            32.0 * (2.0 * 4096 * 4096 + 2.0 * 4096 * 1024));
}

TEST(Model, ExpertsCountInTheTotalAndTopKInTheActive) {
  Model m = testing::llama3_8b();
  m.moe.experts = 64;
  m.moe.top_k = 6;
  m.moe.expert_ffn = 1408;
  m.moe.shared_experts = 2;
  m.moe.dense_layers = 1;
  const double expert = 3.0 * 4096 * 1408;
  const double attention = 2.0 * 4096 * 4096 + 2.0 * 4096 * 1024 + 2.0 * 4096;
  const double dense = attention + 3.0 * 4096 * 14336;
  const double moe_shared = attention + 64.0 * 4096 + 2 * expert;
  const double ends = 2.0 * 128256 * 4096 + 4096;
  const ParameterCount c = count_parameters(m);
  EXPECT_EQ(c.expert, expert);
  EXPECT_EQ(c.dense_layer, dense);
  EXPECT_EQ(c.moe_layer_shared, moe_shared);
  EXPECT_EQ(c.total, dense + 31 * (moe_shared + 64 * expert) + ends);
  EXPECT_EQ(c.active, dense + 31 * (moe_shared + 6 * expert) + ends);
}

TEST(Model, AStatedTotalIsSharedEvenlyByTheLayers) {
  const ParameterCount c = count_parameters(testing::model_65b());
  EXPECT_EQ(c.total, 65e9);
  EXPECT_EQ(c.active, 65e9);
  EXPECT_EQ(c.dense_layer, 65e9 / 80);
  EXPECT_EQ(c.embedding, 0.0);
  EXPECT_EQ(c.head, 0.0);
}

TEST(Model, AStatedTotalKeepsTheShareOfTheExperts) {
  Model m = testing::llama3_8b();
  m.moe = {8, 2, 14336, 0, 0, 1.0};
  m.stated_parameters = 100e9;
  const ParameterCount c = count_parameters(m);
  EXPECT_NEAR(32 * (c.moe_layer_shared + 8 * c.expert), 100e9, 1.0);
  EXPECT_NEAR(32 * (c.moe_layer_shared + 2 * c.expert), c.active, 1.0);
  EXPECT_LT(c.active, 0.3 * c.total);
}

TEST(Model, MatmulParametersLeaveOutTheLookUpAndKeepTheHead) {
  const Model m = testing::llama3_8b();
  const double embedding = 128256.0 * 4096;
  EXPECT_EQ(matmul_parameters(m), 8030261248 - embedding);
  Model tied = m;
  tied.tied_head = true;
  EXPECT_EQ(matmul_parameters(tied), matmul_parameters(m));
}

TEST(Model, MatmulParametersAreAllOfAStatedTotal) {
  Model m = testing::model_65b();
  EXPECT_EQ(matmul_parameters(m), 65e9);
  m.tied_head = true;
  EXPECT_EQ(matmul_parameters(m), 65e9);
}

TEST(Model, KvCacheDoesNotDependOnQueryHeads) {
  Model m = testing::llama3_8b();
  EXPECT_EQ(kv_values_per_token(m), 2.0 * 32 * 8 * 128);
  m.heads = 64;
  EXPECT_EQ(kv_values_per_token(m), 2.0 * 32 * 8 * 128);
}

}  // namespace
}  // namespace meshwise
