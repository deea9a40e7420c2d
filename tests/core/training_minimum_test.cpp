// The least bandwidth of each axis, against the brackets that marked answers
// were held against.
#include <gtest/gtest.h>

#include "core/drill.h"
#include "meshwise/training.h"

namespace meshwise {
namespace {

using testing::plan_of;
using testing::scenario_a;
using testing::scenario_b;
using testing::scenario_c;

struct Bracket {
  const char* what;
  Scenario scenario;
  Plan plan;
  Axis axis;
  double volume_gb, least, most;
};

TEST(Training, LeastBandwidthsAreThoseOfTheMarkedAnswers) {
  Plan zero3 = plan_of(64, 1);
  zero3.zero = 3;
  Scenario small_c = scenario_c();
  small_c.training.global_batch = 8;
  const Bracket brackets[] = {
      {"A dp64", scenario_a(), plan_of(64, 1), Axis::kDp, 3.513, 4.58, 45.2},
      {"A dp32 tp2", scenario_a(), plan_of(32, 2), Axis::kTp, 8.590, 28.6,
       110.4},
      {"B dp8 tp8", scenario_b(), plan_of(8, 8), Axis::kTp, 4810.4, 167.6,
       646.4},
      {"B zero 3", scenario_b(), zero3, Axis::kDp, 682.5, 7.13, 91.7},
      {"C tp8 pp8", small_c, plan_of(1, 8, 8), Axis::kTp, 240.5, 73.1, 282.1},
  };
  for (const Bracket& b : brackets) {
    const Evaluation e = evaluate(b.scenario, b.plan);
    const AxisMinimum m = axis_minimum(b.scenario, e, b.axis);
    EXPECT_NEAR(to_gb(m.volume), b.volume_gb, 0.001 * b.volume_gb) << b.what;
    EXPECT_NEAR(to_gbps(m.least), b.least, 0.005 * b.least) << b.what;
    EXPECT_NEAR(to_gbps(m.most), b.most, 0.005 * b.most) << b.what;
  }
}

TEST(Training, AnAxisOfOneRankNeedsNothing) {
  const Scenario s = scenario_a();
  const Evaluation e = evaluate(s, plan_of(64, 1));
  for (const Axis axis : {Axis::kTp, Axis::kPp, Axis::kCp, Axis::kEp}) {
    const AxisMinimum m = axis_minimum(s, e, axis);
    EXPECT_EQ(m.volume.base(), 0.0) << axis_name(axis);
    EXPECT_EQ(m.least.base(), 0.0) << axis_name(axis);
    EXPECT_TRUE(m.viable) << axis_name(axis);
  }
}

TEST(Training, GradientsHideUnderTwoThirdsOfTheLastMicroBatch) {
  const Scenario s = scenario_a();
  const AxisMinimum m = axis_minimum(s, evaluate(s, plan_of(64, 1)), Axis::kDp);
  EXPECT_NEAR(to_ms(m.hidden_by), 466.67, 0.01);
  EXPECT_NEAR(m.compute.base(), 0.7, 1e-12);
  EXPECT_EQ(m.tier, 1);
  EXPECT_TRUE(m.viable);
  // A flat ring takes 2 x 63/64 of all 16.06 GB over the slow tier.
  EXPECT_NEAR(to_gb(m.flat_volume), 31.62, 0.01);
  EXPECT_NEAR(to_gbps(m.flat_least), 31.62 / (0.46667 + 0.3), 0.02);
}

TEST(Training, TensorParallelismNeedsTheNodesLink) {
  // Scenario C by hand: 240.5 GB a sequence against 54.16/8 s of compute; with
  // the input embedding counted as compute, 55.2/8 s, 81 and 314 GB/s.
  const Scenario s = scenario_c();
  const AxisMinimum m = axis_minimum(s, evaluate(s, plan_of(8, 8)), Axis::kTp);
  EXPECT_NEAR(to_gb(m.volume), 2 * 240.5, 0.1);
  EXPECT_NEAR(to_gbps(m.least), 81, 0.025 * 81);
  EXPECT_NEAR(to_gbps(m.most), 314, 0.025 * 314);
  EXPECT_EQ(m.tier, 0);
  EXPECT_TRUE(m.viable);
  Scenario slow = s;
  slow.cluster.tiers[0].link.bandwidth = gigabytes_per_second(50);
  EXPECT_FALSE(
      axis_minimum(slow, evaluate(slow, plan_of(8, 8)), Axis::kTp).viable);
}

TEST(Training, EachZeroStageHidesItsMinimumUnderItsOwnWindow) {
  const double hidden_ms[] = {466.667, 466.667, 933.333, 1400};
  Scenario s = scenario_a();
  s.training.global_batch = 128;  // two micro-batches of 700 ms
  for (int zero = 0; zero <= 3; ++zero) {
    Plan plan = plan_of(64, 1);
    plan.zero = zero;
    EXPECT_NEAR(to_ms(axis_minimum(s, evaluate(s, plan), Axis::kDp).hidden_by),
                hidden_ms[zero], 0.001)
        << zero;
  }
}

TEST(Training, TheRingHidesItsMinimumUnderTheAttentionCore) {
  // 131072 tokens x 7 x 32 x 4096 x 131072 FLOPs over 8 x 400 TFLOP/s.
  Scenario s = scenario_c();
  s.training.global_batch = 8;
  Plan plan = plan_of(8, 1, 1, 8);
  const double attention = 7.0 * 32 * 4096 * 131072 * 131072 / 3.2e15;
  const Evaluation e = evaluate(s, plan);
  const AxisMinimum ring = axis_minimum(s, e, Axis::kCp);
  EXPECT_NEAR(ring.hidden_by.base(), attention, 1e-9);
  EXPECT_NEAR(
      ring.least.base(),
      ring.volume.base() / (attention + 3.0 / 7 * e.time.compute.base()), 1e3);
  plan.cp_method = CpMethod::kUlysses;
  EXPECT_EQ(axis_minimum(s, evaluate(s, plan), Axis::kCp).hidden_by.base(),
            0.0);
}

TEST(Training, TheEfficiencyAskedForSetsTheLeast) {
  Scenario s = scenario_a();
  s.min_efficiency = 0.5;  // as much exposed as computed
  const AxisMinimum m = axis_minimum(s, evaluate(s, plan_of(64, 1)), Axis::kDp);
  EXPECT_NEAR(m.least.base(), m.volume.base() / (0.7 + 0.7 * 2 / 3), 1e3);
}

}  // namespace
}  // namespace meshwise
