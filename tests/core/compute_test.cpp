#include "meshwise/compute.h"

#include <gtest/gtest.h>

#include "core/drill.h"
#include "reference/papers.h"

namespace meshwise {
namespace {

TEST(Compute, ATokenCostsSixPerParameterAndSixPerCausalScore) {
  const Model m = testing::llama3_8b();
  const double matmul = 6.0 * (8030261248 - 128256.0 * 4096);
  const double causal = 6.0 * 32 * 4096 * 4096;
  EXPECT_DOUBLE_EQ(model_flops(m, 4096, AttentionConvention::kCausal).base(),
                   matmul + causal);
  EXPECT_DOUBLE_EQ(model_flops(m, 4096, AttentionConvention::kFull).base(),
                   matmul + 2 * causal);
}

Model megatron(int layers, int hidden, int heads) {
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

TEST(Compute, AnIterationWithFullRecomputeCostsWhatNarayananCounts) {
  // 96BsLh^2(1 + s/6h + V/16Lh): the layers twice forward and once backward,
  // the head once each, whole square. Ours also counts biases and norms,
  // 13/12h of the layers' matrices.
  Training training;
  training.seq = 2048;
  training.fused_attention = false;
  for (const reference::MegatronRun& run : reference::kNarayanan) {
    const Model m = megatron(run.layers, run.hidden, run.heads);
    const double tokens = 2048.0 * run.global_batch;
    EXPECT_NEAR(tokens * executed_flops(m, training, Recompute::kFull).base(),
                run.iteration_flops, 0.0003 * run.iteration_flops)
        << run.billions;
  }
}

TEST(Compute, ModelFlopsAreMegatronsFormula) {
  // Korthikanti et al. 2022, appendix A: 72BLsh^2(1 + s/6h + V/12hL).
  for (const reference::ActivationStudy& study : reference::kKorthikanti) {
    const Model m = megatron(study.layers, study.hidden, study.heads);
    const double s = 2048;
    const double h = study.hidden;
    const double layers = study.layers;
    const double each =
        72 * layers * h * h * (1 + s / (6 * h) + 51200 / (12 * h * layers));
    EXPECT_NEAR(model_flops(m, 2048, AttentionConvention::kFull).base(), each,
                0.0003 * each)
        << study.name;
  }
}

TEST(Compute, UnfusedWithoutRecomputeExecutesTheModelFlops) {
  const Model m = testing::llama3_8b();
  Training training;
  training.fused_attention = false;
  EXPECT_DOUBLE_EQ(executed_flops(m, training, Recompute::kNone).base(),
                   model_flops(m, 4096, AttentionConvention::kFull).base());
}

struct Kernel {
  Recompute recompute;
  bool fused;
  double attention;  // units of a dh s a layer
};

TEST(Compute, TheKernelDecidesWhatAttentionExecutes) {
  const Kernel kernels[] = {
      {Recompute::kSelective, true, 7}, {Recompute::kFull, true, 9},
      {Recompute::kNone, true, 12},     {Recompute::kSelective, false, 16},
      {Recompute::kFull, false, 16},    {Recompute::kNone, false, 12},
  };
  const Model m = testing::llama3_8b();
  for (const Kernel& k : kernels) {
    Training training;
    training.fused_attention = k.fused;
    EXPECT_DOUBLE_EQ(
        stage_flops(m, training, k.recompute, 1, false).attention.base(),
        k.attention * 4096 * 4096);
  }
}

TEST(Compute, FullRecomputeRepeatsTheLayersAndNotTheHead) {
  const Model m = testing::llama3_8b();
  const Training training;
  const double with =
      stage_flops(m, training, Recompute::kFull, 1, true).matmul.base();
  const double layer =
      stage_flops(m, training, Recompute::kFull, 1, false).matmul.base();
  EXPECT_NEAR(with - layer, 6.0 * 128256 * 4096, 1.0);
  EXPECT_DOUBLE_EQ(
      layer /
          stage_flops(m, training, Recompute::kNone, 1, false).matmul.base(),
      8.0 / 6.0);
}

TEST(Compute, StagesSumToTheWholeModel) {
  const Model m = testing::llama3_8b();
  const Training training;
  const double whole =
      executed_flops(m, training, Recompute::kSelective).base();
  const double parts =
      stage_flops(m, training, Recompute::kSelective, 20, false)
          .total()
          .base() +
      stage_flops(m, training, Recompute::kSelective, 12, true).total().base();
  EXPECT_NEAR(parts, whole, 1e-9 * whole);
}

TEST(Compute, ALongSequenceOnOneGpuTakesTheDrillsFiftyFourSeconds) {
  // 131072 tokens x (6 x 7504924672 + 7 x 32 x 4096 x 131072) FLOPs at 400
  // TFLOP/s; with the embedding counted too it would be 55.2.
  Training training;
  training.seq = 131072;
  const double each =
      executed_flops(testing::llama3_8b(), training, Recompute::kSelective)
          .base();
  EXPECT_NEAR(131072 * each / 400e12, 54.16, 0.01);
}

TEST(Compute, ATokenOfAMixtureCostsItsActiveParameters) {
  Model m = testing::llama3_8b();
  m.moe = {8, 2, 14336, 0, 0, 1.0};
  const double active = count_parameters(m).active - 128256.0 * 4096;
  EXPECT_DOUBLE_EQ(model_flops(m, 4096, AttentionConvention::kCausal).base(),
                   6 * active + 6.0 * 32 * 4096 * 4096);
}

TEST(Compute, AStatedTotalCostsSixOfEachAndHasNoHead) {
  const Model m = testing::model_65b();
  EXPECT_DOUBLE_EQ(
      stage_flops(m, Training{}, Recompute::kSelective, 80, true).matmul.base(),
      6 * 65e9);
  EXPECT_EQ(
      stage_flops(m, Training{}, Recompute::kSelective, 0, true).total().base(),
      0.0);
}

TEST(Compute, AHeadSizeOfItsOwnScalesTheAttentionCore) {
  Model m = testing::llama3_8b();
  const double before =
      stage_flops(m, Training{}, Recompute::kSelective, 1, false)
          .attention.base();
  m.head_dim = 256;
  EXPECT_DOUBLE_EQ(stage_flops(m, Training{}, Recompute::kSelective, 1, false)
                       .attention.base(),
                   2 * before);
}

TEST(Compute, APromptCostsTwoPerParameterAndTheCausalHalf) {
  const Model m = testing::llama3_8b();
  const double matmul = 2.0 * (8030261248 - 128256.0 * 4096);
  EXPECT_DOUBLE_EQ(prefill_flops(m, 2048).base(),
                   2048 * (matmul + 2.0 * 32 * 4096 * 2048));
}

TEST(Compute, ADecodedTokenReadsEveryKeyOfItsContext) {
  const Model m = testing::llama3_8b();
  const double matmul = 2.0 * (8030261248 - 128256.0 * 4096);
  EXPECT_DOUBLE_EQ(decode_flops(m, 2048).base(),
                   matmul + 4.0 * 32 * 4096 * 2048);
  EXPECT_DOUBLE_EQ(decode_flops(m, 0).base(), matmul);
}

TEST(Compute, AWindowLeavesThePairsThatItSees) {
  Model m = testing::llama3_8b();
  const auto pairs = [&](std::int64_t seq) {
    return (model_flops(m, seq, AttentionConvention::kCausal).base() -
            6.0 * matmul_parameters(m)) *
           static_cast<double>(seq) / (12.0 * 32 * 4096);
  };
  // s^2/2 pairs of a whole layer.
  EXPECT_NEAR(pairs(8192), 8192.0 * 8192 / 2, 1e-3);
  m.window = {2048, 0, 0};
  EXPECT_NEAR(pairs(8192), 2048.0 * 8192 - 2048.0 * 2048 / 2, 1e-3);
  EXPECT_NEAR(pairs(2048), 2048.0 * 2048 / 2, 1e-3);
  // Every second layer sees all: the mean of both.
  m.window.full_every = 2;
  EXPECT_NEAR(pairs(8192),
              (8192.0 * 8192 / 2 + 2048.0 * 8192 - 2048.0 * 2048 / 2) / 2,
              1e-3);
}

TEST(Compute, AnUnfusedKernelComputesTheWholeSquareWhateverTheWindow) {
  Training t;
  t.seq = 8192;
  t.fused_attention = false;
  Model m = testing::llama3_8b();
  const double whole = executed_flops(m, t, Recompute::kNone).base();
  m.window = {2048, 0, 0};
  EXPECT_EQ(executed_flops(m, t, Recompute::kNone).base(), whole);
  t.fused_attention = true;
  EXPECT_LT(executed_flops(m, t, Recompute::kSelective).base(), whole);
}

TEST(Compute, ADecodedTokenReadsNoMoreThanItsWindow) {
  Model m = testing::llama3_8b();
  m.window = {4096, 0, 0};
  EXPECT_EQ(decode_flops(m, 100000).base(), decode_flops(m, 4096).base());
  m.window.full_every = 2;
  EXPECT_EQ((decode_flops(m, 8192) - decode_flops(m, 4096)).base(),
            16 * 4.0 * 32 * 128 * 4096);
}

TEST(Compute, ALatentScoresAcrossItsRankInDecodeAndAcrossHeadsInPrefill) {
  Model m = testing::llama3_8b();
  const double matmul = 2.0 * matmul_parameters(m);
  m.latent = {0, 512, 128, 64, 128};
  const double matmul_latent = 2.0 * matmul_parameters(m);
  EXPECT_NE(matmul, matmul_latent);
  EXPECT_EQ(decode_flops(m, 1000).base() - matmul_latent,
            32 * 2.0 * 32 * (576 + 512) * 1000);
  EXPECT_EQ(prefill_flops(m, 1000).base() / 1000 - matmul_latent,
            32 * 32 * (192.0 + 128) * 1000);
}

}  // namespace
}  // namespace meshwise
