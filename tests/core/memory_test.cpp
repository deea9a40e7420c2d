// State against ZeRO's table 1 (Rajbhandari et al. 2020), activations against
// Korthikanti et al. 2022 and the drill's own figures.
#include "meshwise/memory.h"

#include <gtest/gtest.h>

#include "core/drill.h"

namespace meshwise {
namespace {

using testing::plan_of;

Model sized(double parameters) {
  Model m;
  m.layers = 1;
  m.hidden = 128;
  m.heads = 1;
  m.kv_heads = 1;
  m.head_dim = 128;
  m.ffn = 512;
  m.stated_parameters = parameters;
  return m;
}

struct ZeroRow {
  double parameters;
  int dp;
  double stage1_gb, stage2_gb, stage3_gb;
};

// Table 1: GB is 1e9 bytes; printed to three figures.
constexpr ZeroRow kTable1[] = {
    {7.5e9, 1, 120, 120, 120},      {7.5e9, 4, 52.5, 41.3, 30},
    {7.5e9, 16, 35.6, 21.6, 7.5},   {7.5e9, 64, 31.4, 16.6, 1.88},
    {7.5e9, 256, 30.4, 15.4, 0.47}, {7.5e9, 1024, 30.1, 15.1, 0.12},
    {128e9, 4, 896, 704, 512},      {128e9, 64, 536, 284, 32},
    {1e12, 16, 4750, 2875, 1000},   {1e12, 1024, 4011, 2013, 15.6},
};

TEST(Memory, StateIsZerosTable1) {
  for (const ZeroRow& row : kTable1) {
    const double printed[] = {0, row.stage1_gb, row.stage2_gb, row.stage3_gb};
    for (int zero = 1; zero <= 3; ++zero) {
      Plan plan = plan_of(row.dp, 1);
      plan.zero = zero;
      const StageMemory m =
          stage_memory(sized(row.parameters), Training{}, plan, 0);
      const double gb = to_gb(m.state() - m.gathered);
      EXPECT_NEAR(gb, printed[zero], 0.025 * printed[zero])
          << row.parameters << " over " << row.dp << ", stage " << zero;
    }
  }
}

TEST(Memory, TheDrillsFirstCheckComesOutAsPrinted) {
  Training training;
  training.global_batch = 1;
  const Plan plan = plan_of(1, 1);
  const StageMemory m = stage_memory(testing::llama3_8b(), training, plan, 0);
  EXPECT_NEAR(to_gib(m.state()), 119.66, 0.005);
  EXPECT_NEAR(to_gib(m.activations), 17.0, 1e-9);
  EXPECT_NEAR(to_gib(m.logits), 1.957, 0.0005);
  const LayerActivations layer = layer_activations(
      testing::llama3_8b(), training, plan, Recompute::kSelective);
  EXPECT_NEAR(to_gib(layer.total), 0.531, 0.0005);
}

TEST(Memory, AtALongSequenceTheScoreMatrixIsNearlyAll) {
  Training training;
  training.seq = 131072;
  const Model m = testing::llama3_8b();
  const Plan plan = plan_of(1, 1);
  const auto gib = [&](Recompute r) {
    return to_gib(layer_activations(m, training, plan, r).total);
  };
  EXPECT_NEAR(gib(Recompute::kNone), 2577, 0.5);
  EXPECT_NEAR(
      to_gib(layer_activations(m, training, plan, Recompute::kNone).scores),
      2560, 1e-9);
  EXPECT_NEAR(gib(Recompute::kSelective), 17.0, 1e-9);
  EXPECT_NEAR(gib(Recompute::kFull), 1.0, 1e-9);
  Plan full = plan;
  full.recompute = Recompute::kFull;
  EXPECT_NEAR(to_gib(stage_memory(m, training, full, 0).working_set), 17.0,
              1e-9);
}

TEST(Memory, SequenceParallelismSplitsWhatTpAloneReplicates) {
  // Korthikanti et al., table 2: sbh(10 + 24/t) against 34 sbh/t.
  Training training;
  const Model m = testing::model_65b();
  Plan plan = plan_of(1, 8);
  const double sbh = 4096.0 * 8192;
  EXPECT_NEAR(
      layer_activations(m, training, plan, Recompute::kSelective).total.base(),
      34 * sbh / 8, 1.0);
  plan.sequence_parallel = false;
  EXPECT_NEAR(
      layer_activations(m, training, plan, Recompute::kSelective).total.base(),
      sbh * (10 + 24.0 / 8), 1.0);
}

TEST(Memory, ContextParallelismSplitsTokensAndKeepsAllKeys) {
  Training training;
  training.seq = 8192;
  const Model m = testing::llama3_8b();
  const Plan plan = plan_of(1, 1, 1, 4);
  EXPECT_NEAR(
      layer_activations(m, training, plan, Recompute::kNone).scores.base(),
      5.0 * 32 * 2048 * 8192, 1.0);
}

TEST(Memory, InFlightMicroBatchesFollowTheSchedule) {
  const Plan plan = plan_of(1, 1, 8);
  EXPECT_EQ(in_flight(plan, 64, 0), 8.0);
  EXPECT_EQ(in_flight(plan, 64, 7), 1.0);
  EXPECT_EQ(in_flight(plan, 3, 0), 3.0);  // fewer micro-batches than stages
  Plan interleaved = plan;
  interleaved.virtual_stages = 2;
  // 2(p-1) + (v-1)p + 1 = 23 chunks of half a stage.
  EXPECT_EQ(in_flight(interleaved, 64, 0), 11.5);
}

TEST(Memory, StagesShareTheLayersAndTheEndsHoldEmbeddingAndHead) {
  const Model m = testing::llama3_8b();
  const ParameterCount c = count_parameters(m);
  const Plan plan = plan_of(1, 1, 4);
  double sum = 0.0;
  for (int i = 0; i < 4; ++i) sum += stage_parameters(m, plan, i).shared;
  EXPECT_EQ(sum, c.total);
  EXPECT_EQ(
      stage_parameters(m, plan, 0).shared - stage_parameters(m, plan, 1).shared,
      c.embedding);
}

TEST(Memory, KvHeadsReplicateOnceTpExceedsThem) {
  const Model m = testing::llama3_8b();
  const ParameterCount c = count_parameters(m);
  const double held = stage_parameters(m, plan_of(1, 16), 0).shared;
  const double even = c.total / 16;
  const double extra = 32 * c.kv_projection * (1.0 / 8 - 1.0 / 16);
  EXPECT_NEAR(held, even + extra, 1.0);
}

TEST(Memory, TheLargestSequenceThatFitsIsTheLast) {
  Training training;
  training.global_batch = 1;
  const Model m = testing::llama3_8b();
  const Plan plan = plan_of(1, 1);
  const Headroom room = headroom(m, training, plan, gibibytes(192));
  Training at = training;
  at.seq = room.seq;
  EXPECT_LE(peak_memory(m, at, plan).memory.total(), gibibytes(192));
  at.seq = room.seq + 128;
  EXPECT_GT(peak_memory(m, at, plan).memory.total(), gibibytes(192));
}

TEST(Memory, TheVerdictIsTightFromNineTenths) {
  EXPECT_EQ(verdict(gibibytes(90), gibibytes(100)), Verdict::kFits);
  EXPECT_EQ(verdict(gibibytes(91), gibibytes(100)), Verdict::kTight);
  EXPECT_EQ(verdict(gibibytes(100), gibibytes(100)), Verdict::kTight);
  EXPECT_EQ(verdict(gibibytes(101), gibibytes(100)), Verdict::kOver);
}

}  // namespace
}  // namespace meshwise
