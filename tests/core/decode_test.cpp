#include "meshwise/decode.h"

#include <gtest/gtest.h>

#include "core/drill.h"

namespace meshwise {
namespace {

using testing::plan_of;
using testing::scenario_d;

struct Row {
  int tp, pp;
  Algorithm algorithm;
  double tpot_ms;
};

TEST(Decode, TokenTimesAreThoseOfTheDrill) {
  const Row rows[] = {
      {8, 1, Algorithm::kRing, 24.71},          {6, 1, Algorithm::kRing, 24.61},
      {4, 1, Algorithm::kRing, 28.26},          {4, 2, Algorithm::kRing, 28.27},
      {16, 1, Algorithm::kRing, 92.20},         {8, 1, Algorithm::kTree, 17.03},
      {16, 1, Algorithm::kHierarchical, 24.86},
  };
  for (const Row& r : rows) {
    const DecodeTime t =
        decode(scenario_d(), plan_of(1, r.tp, r.pp), r.algorithm);
    EXPECT_NEAR(to_ms(t.tpot), r.tpot_ms, 0.005) << r.tp << "x" << r.pp;
  }
}

TEST(Decode, PartsAtTpEight) {
  const DecodeTime t = decode(scenario_d(), plan_of(1, 8));
  EXPECT_NEAR(to_ms(t.weights), 10.94, 0.005);
  EXPECT_NEAR(to_ms(t.kv), 0.30, 0.005);
  EXPECT_NEAR(to_ms(t.collective), 13.47, 0.005);
  EXPECT_TRUE(t.slo_met);
  EXPECT_EQ(t.message.base(), 24576.0);
}

TEST(Decode, PipelineStagesShortenNothing) {
  const double flat = decode(scenario_d(), plan_of(1, 4)).tpot.base();
  EXPECT_GE(decode(scenario_d(), plan_of(1, 4, 2)).tpot.base(), flat);
}

TEST(Decode, AtBatchEightTheRingMissesTheTarget) {
  Scenario s = scenario_d();
  s.serving.batch = 8;
  const DecodeTime t = decode(s, plan_of(1, 8));
  EXPECT_NEAR(to_ms(t.tpot), 27.0, 0.05);
  EXPECT_TRUE(t.reasons.has(Reason::kSlo));
}

TEST(Decode, TheLatencyLimitPutsTheTokenTimeAtTheTarget) {
  Scenario s = scenario_d();
  const auto ring = latency_limit(s, plan_of(1, 8), Algorithm::kRing);
  ASSERT_TRUE(ring.has_value());
  EXPECT_NEAR(to_us(*ring), 5.11, 0.01);
  s.cluster.tiers[0].link.latency = *ring;
  EXPECT_NEAR(to_ms(decode(s, plan_of(1, 8)).tpot), 25.0, 1e-9);
  EXPECT_NEAR(
      to_us(*latency_limit(scenario_d(), plan_of(1, 8), Algorithm::kTree)),
      11.92, 0.01);
}

TEST(Decode, TheCacheHoldsWhatTheWeightsLeave) {
  const DecodeTime t = decode(scenario_d(), plan_of(1, 8));
  EXPECT_NEAR(t.kv_bytes_per_token.base(), 4718592, 0.5);
  EXPECT_NEAR(t.max_tokens, 275351, 1);
  const DecodeHeadroom room =
      decode_headroom(scenario_d(), plan_of(1, 8), Algorithm::kRing);
  Scenario s = scenario_d();
  s.serving.context = room.context + 1;
  EXPECT_FALSE(decode(s, plan_of(1, 8)).feasible());
}

TEST(Decode, AReplicaThatDoesNotHoldTheWeightsSaysSo) {
  EXPECT_TRUE(decode(scenario_d(), plan_of(64, 1)).reasons.has(Reason::kHbm));
}

TEST(Decode, PlansComeBestFirst) {
  const auto plans = decode_plans(scenario_d(), Algorithm::kRing);
  ASSERT_FALSE(plans.empty());
  EXPECT_EQ(plans.front().plan.tp, 6);
  for (std::size_t i = 1; i < plans.size(); ++i) {
    if (!plans[i].time.feasible()) continue;
    EXPECT_GE(plans[i].time.tpot.base(), plans[i - 1].time.tpot.base());
  }
}

}  // namespace
}  // namespace meshwise
