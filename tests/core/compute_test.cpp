#include "meshwise/compute.h"

#include <gtest/gtest.h>

#include "core/drill.h"

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

TEST(Compute, MegatronsFormulaAgreesOnGpt3) {
  // Narayanan et al. 2021: 72 L h^2 (1 + s/6h + V/12Lh) without recompute.
  Model m = testing::gpt3_175b();
  const double s = 2048;
  const double h = 12288;
  const double megatron =
      72.0 * 96 * h * h * (1 + s / (6 * h) + 50257 / (12 * 96 * h));
  EXPECT_NEAR(model_flops(m, 2048, AttentionConvention::kFull).base(), megatron,
              0.002 * megatron);
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

}  // namespace
}  // namespace meshwise
