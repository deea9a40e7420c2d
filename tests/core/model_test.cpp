// Parameter counts against the published configurations of
// reference/models.h, and what each count is made of.
#include "meshwise/model.h"

#include <gtest/gtest.h>

#include "core/drill.h"
#include "meshwise/catalog.h"
#include "reference/models.h"
#include "reference/papers.h"

namespace meshwise {
namespace {

const Model& preset(const char* id) {
  static const Result<Catalog> catalog = Catalog::load();
  static const Model none;
  const ModelPreset* found = catalog->model(id);
  EXPECT_NE(found, nullptr) << id;
  return found == nullptr ? none : found->model;
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

TEST(Model, PresetsHaveThePublishedShapes) {
  for (const reference::PublishedModel& p : reference::kModels) {
    const Model& m = preset(p.preset);
    EXPECT_EQ(m.layers, p.layers) << p.preset;
    EXPECT_EQ(m.hidden, p.hidden) << p.preset;
    EXPECT_EQ(m.heads, p.heads) << p.preset;
    EXPECT_EQ(m.kv_heads, p.kv_heads) << p.preset;
    EXPECT_EQ(m.vocab, p.vocab) << p.preset;
    EXPECT_EQ(m.moe.experts, p.experts.experts) << p.preset;
    EXPECT_EQ(m.moe.top_k, p.experts.top_k) << p.preset;
    EXPECT_EQ(m.moe.expert_ffn, p.experts.ffn) << p.preset;
    EXPECT_EQ(p.head_dim > 0 ? m.head_dim : 0, p.head_dim) << p.preset;
    EXPECT_EQ(p.ffn > 0 ? m.ffn : 0, p.ffn) << p.preset;
  }
}

TEST(Model, CountsOfPublishedModelsAreExact) {
  for (const reference::PublishedModel& p : reference::kModels) {
    const ParameterCount c = count_parameters(preset(p.preset));
    EXPECT_EQ(c.total, static_cast<double>(p.parameters + p.beside))
        << p.preset;
    if (p.active == 0) continue;
    EXPECT_EQ(c.active, static_cast<double>(p.active)) << p.preset;
  }
}

TEST(Model, KvCachesOfPublishedModelsAreExact) {
  for (const reference::PublishedModel& p : reference::kModels) {
    if (p.kv_bytes_per_token == 0) continue;
    EXPECT_EQ(2.0 * kv_values_per_token(preset(p.preset)),
              static_cast<double>(p.kv_bytes_per_token))
        << p.preset;
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

TEST(Model, EverySixthLayerOfAWindowedModelSeesAll) {
  Model m = testing::llama3_8b();
  m.layers = 26;
  m.window = {1024, 6, 0};
  int seen = 0;
  for (int i = 0; i < m.layers; ++i) seen += sees_all(m, i) ? 1 : 0;
  EXPECT_EQ(seen, 4);
  EXPECT_TRUE(sees_all(m, 5));
  EXPECT_FALSE(sees_all(m, 6));
}

TEST(Model, FullLayersAreThoseThatSeeAll) {
  for (const int every : {0, 1, 2, 3, 6, 40}) {
    for (const int first : {0, 1, 5, 26, 30}) {
      Model m = testing::llama3_8b();
      m.layers = 26;
      m.window = {1024, every, first};
      int seen = 0;
      for (int i = 0; i < m.layers; ++i) seen += sees_all(m, i) ? 1 : 0;
      EXPECT_EQ(full_layers(m), seen) << every << ", " << first;
    }
  }
}

TEST(Model, AWindowBoundsTheCacheOfItsLayers) {
  Model m = testing::llama3_8b();
  m.window = {4096, 2, 0};
  const double all = kv_values_per_token(m);
  EXPECT_EQ(kv_values_per_token(m, 4096), all);
  // Half of the layers keep 4096 of 32768 tokens.
  EXPECT_EQ(kv_values_per_token(m, 32768), all * (1.0 + 1.0 / 8) / 2);
  m.window.full_every = 0;
  EXPECT_EQ(kv_values_per_token(m, 32768), all / 8);
  EXPECT_EQ(32768 * kv_values_per_token(m, 32768),
            65536 * kv_values_per_token(m, 65536));
}

TEST(Model, ALatentIsWholeOnEveryRankAndSmallerThanItsHeads) {
  const Model& m = preset("deepseek-v3");
  EXPECT_EQ(kv_ways(m, 8), 1);
  EXPECT_EQ(kv_ways(testing::llama3_8b(), 4), 4);
  EXPECT_EQ(kv_ways(testing::llama3_8b(), 16), 8);
  EXPECT_EQ(kv_values_per_token(m), 61.0 * 576);
  EXPECT_EQ(kv_head_values(m), 128.0 + 64 + 128);
  EXPECT_EQ(kv_head_values(testing::llama3_8b()), 2.0 * 128);
}

TEST(Model, ALayerOfLatentAttentionIsItsProjections) {
  Model m = preset("deepseek-v3");
  m.moe = {};
  const double down = 7168.0 * 1536 + 1536 + 7168.0 * 576 + 512;
  const double up = 1536.0 * 128 * 192 + 512.0 * 128 * 256;
  const double output = 128.0 * 128 * 7168;
  const ParameterCount c = count_parameters(m);
  EXPECT_EQ(c.latent, down);
  EXPECT_EQ(c.kv_projection, 0.0);
  EXPECT_EQ(c.dense_layer,
            down + up + output + 3.0 * 7168 * 18432 + 2.0 * 7168);
}

TEST(Model, WithoutAQueryLatentQueriesComeFromTheHiddenState) {
  Model m = preset("deepseek-v2");
  const double before = count_parameters(m).total;
  m.latent.q_rank = 0;
  const double queries = 128.0 * 192;
  EXPECT_EQ(before - count_parameters(m).total,
            60 * (5120.0 * 1536 + 1536 + 1536 * queries - 5120 * queries));
}

TEST(Model, SmallPartsCountWhereTheyAre) {
  Model m = testing::llama3_8b();
  const ParameterCount plain = count_parameters(m);
  m.head_bias = true;
  EXPECT_EQ(count_parameters(m).head - plain.head, 128256.0);
  m.embedding_norm = true;
  EXPECT_EQ(count_parameters(m).embedding - plain.embedding, 4096.0);
  m.qk_norms = true;
  m.norms_per_layer = 4;
  EXPECT_EQ(count_parameters(m).dense_layer - plain.dense_layer,
            2.0 * 128 + 2 * 4096);
  m.norms_per_layer = 1;
  EXPECT_EQ(count_parameters(m).dense_layer - plain.dense_layer,
            2.0 * 128 - 4096);
}

}  // namespace
}  // namespace meshwise
