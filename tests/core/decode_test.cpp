// Token times by hand: 175e9 parameters in bf16 and 4.72 MB of cache a token,
// read at 4.0 TB/s, and 192 all-reduces of 24576 bytes on the drill's links.
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
      {8, 1, Algorithm::kRing, 24.71},
      {6, 1, Algorithm::kRing, 24.61},
      {4, 1, Algorithm::kRing, 28.26},
      {4, 2, Algorithm::kRing, 28.27},
      {16, 1, Algorithm::kRing, 92.20},
      {8, 1, Algorithm::kTree, 17.03},
      {16, 1, Algorithm::kHierarchical, 24.86},
      {8, 1, Algorithm::kOneShot, 12.31},
      {8, 1, Algorithm::kTwoShot, 13.19},
      {2, 1, Algorithm::kRing, 46.89},
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

TEST(Decode, PartsAtTpFour) {
  // Without the cache 27.66 ms, as worked by hand.
  const DecodeTime t = decode(scenario_d(), plan_of(1, 4));
  EXPECT_NEAR(to_us(t.one_all_reduce), 30 + 1.5 * 24576 / 300e3, 1e-6);
  EXPECT_NEAR(to_ms(t.weights + t.collective), 27.66, 0.005);
  EXPECT_NEAR(to_ms(t.kv), 0.604, 0.0005);
}

TEST(Decode, AHopBetweenStagesIsOneSend) {
  const DecodeTime t = decode(scenario_d(), plan_of(1, 4, 2));
  EXPECT_NEAR(to_us(t.hops), 5 + 24576 / 300e3, 1e-6);
  // Four stages of a node each send over the network three times.
  EXPECT_NEAR(to_us(decode(scenario_d(), plan_of(1, 8, 4)).hops),
              3 * (15 + 24576 / 50e3), 1e-6);
}

TEST(Decode, EachPartCanBeWhatBinds) {
  Scenario s = scenario_d();
  const Plan plan = plan_of(1, 8);
  EXPECT_EQ(decode(s, plan).bound, DecodeBound::kCollective);
  EXPECT_EQ(decode(s, plan, Algorithm::kOneShot).bound, DecodeBound::kWeights);
  s.serving.context = 131072;
  EXPECT_EQ(decode(s, plan).bound, DecodeBound::kKv);
  s.serving.context = 1;
  s.serving.batch = 1024;
  const DecodeTime t = decode(s, plan);
  EXPECT_EQ(t.bound, DecodeBound::kCompute);
  // 1024 x 2 x 175 GFLOP over 8 x 400 TFLOP/s.
  EXPECT_NEAR(to_ms(t.compute), 112.0, 0.01);
  EXPECT_DOUBLE_EQ(t.tpot.base(), (t.compute + t.collective + t.hops).base());
}

TEST(Decode, PrefillIsBoundByFlopsAndBandwidth) {
  // (2 x 175e9 + 2 x 96 x 12288 x 2048) x 2048 FLOPs over 3.2 PFLOP/s; 192
  // all-reduces of 50.3 MB.
  const DecodeTime t = decode(scenario_d(), plan_of(1, 8));
  EXPECT_NEAR(to_ms(t.ttft_compute), 227.09, 0.01);
  EXPECT_NEAR(to_ms(t.ttft_collective), 192 * (0.07 + 0.293601), 0.001);
  EXPECT_DOUBLE_EQ(t.ttft.base(), (t.ttft_compute + t.ttft_collective).base());
}

TEST(Decode, CacheHeadsReplicateOnceTpExceedsThem) {
  Scenario s = scenario_d();
  s.model = testing::llama3_8b();
  const DecodeTime eight = decode(s, plan_of(1, 8));
  const DecodeTime sixteen = decode(s, plan_of(1, 16));
  EXPECT_DOUBLE_EQ(sixteen.kv.base(), eight.kv.base());
  EXPECT_DOUBLE_EQ(sixteen.kv_per_gpu.base(), eight.kv_per_gpu.base());
  EXPECT_DOUBLE_EQ(sixteen.weights.base(), eight.weights.base() / 2);
  // 2048 tokens x 131072 bytes over eight heads.
  EXPECT_EQ(eight.kv_per_gpu.base(), 2048.0 * 131072 / 8);
}

TEST(Decode, AMixtureReadsItsActiveWeightsAndHoldsThemAll) {
  Scenario s = scenario_d();
  s.model = testing::llama3_8b();
  s.model.vocab = 32000;
  s.model.moe = {8, 2, 14336, 0, 0, 1.0};
  const DecodeTime t = decode(s, plan_of(1, 2));
  EXPECT_DOUBLE_EQ(t.weights.base(), 2 * 12879925248.0 / 2 / 4e12);
  EXPECT_DOUBLE_EQ(t.weights_per_gpu.base(), 46702792704.0);
}

TEST(Decode, EightBitWeightsAndCacheHalveWhatIsRead) {
  Scenario s = scenario_d();
  const DecodeTime full = decode(s, plan_of(1, 8));
  s.serving.weight_bytes = 1;
  s.serving.kv_bytes = 1;
  const DecodeTime half = decode(s, plan_of(1, 8));
  EXPECT_DOUBLE_EQ(half.weights.base(), full.weights.base() / 2);
  EXPECT_DOUBLE_EQ(half.kv.base(), full.kv.base() / 2);
  EXPECT_DOUBLE_EQ(half.collective.base(), full.collective.base());
  EXPECT_EQ(half.kv_bytes_per_token.base(), 2359296.0);
}

TEST(Decode, StagesHoldTheirShareOfWeightsAndCache) {
  const DecodeTime one = decode(scenario_d(), plan_of(1, 4));
  const DecodeTime two = decode(scenario_d(), plan_of(1, 4, 2));
  EXPECT_DOUBLE_EQ(two.weights_per_gpu.base(), one.weights_per_gpu.base() / 2);
  EXPECT_DOUBLE_EQ(two.kv_per_gpu.base(), one.kv_per_gpu.base() / 2);
  EXPECT_DOUBLE_EQ(two.kv.base(), one.kv.base());  // read one after the other
  EXPECT_NEAR(two.max_tokens, 275351, 1);
}

TEST(Decode, ReplicatedCacheHeadsHoldNoMoreTokens) {
  Scenario s = scenario_d();
  s.model = testing::llama3_8b();
  const double weights = 2 * 8030261248.0;
  const double hbm = 192 * 1073741824.0;
  EXPECT_NEAR(decode(s, plan_of(1, 8)).max_tokens,
              8 * (hbm - weights / 8) / 131072, 1);
  EXPECT_NEAR(decode(s, plan_of(1, 16)).max_tokens,
              8 * (hbm - weights / 16) / 131072, 1);
}

TEST(Decode, ACacheThatDoesNotFitIsAReason) {
  Scenario s = scenario_d();
  s.serving.slo_tpot = seconds(0);
  s.serving.context = 275350;
  EXPECT_TRUE(decode(s, plan_of(1, 8)).feasible());
  s.serving.context = 275351;
  EXPECT_TRUE(decode(s, plan_of(1, 8)).reasons.has(Reason::kHbm));
}

TEST(Decode, PrefillDoesNotDependOnDecodesAlgorithm) {
  const DecodeTime ring = decode(scenario_d(), plan_of(1, 8, 2));
  EXPECT_EQ(decode(scenario_d(), plan_of(1, 8, 2), Algorithm::kOneShot).ttft,
            ring.ttft);
  // One hop of 50.3 MB over the network on top of the all-reduces.
  EXPECT_NEAR((ring.ttft_collective -
               decode(scenario_d(), plan_of(1, 8)).ttft_collective)
                  .base(),
              50331648 / 50e9 + 15e-6, 1e-9);
}

TEST(Decode, ATokenTimeAtTheTargetMeetsIt) {
  Scenario s = scenario_d();
  s.serving.slo_tpot = decode(s, plan_of(1, 8)).tpot;
  EXPECT_TRUE(decode(s, plan_of(1, 8)).slo_met);
}

TEST(Decode, PlansThatCannotRunSayWhy) {
  struct Case {
    Plan plan;
    Reason reason;
  };
  Plan ep = plan_of(1, 8);
  ep.ep = 2;
  const Case cases[] = {
      {plan_of(1, 7), Reason::kHeads}, {plan_of(1, 8, 5), Reason::kLayers},
      {plan_of(16, 8), Reason::kGpus}, {plan_of(1, 1), Reason::kHbm},
      {plan_of(1, 16), Reason::kSlo},  {ep, Reason::kDenseModel}};
  for (const Case& c : cases) {
    EXPECT_TRUE(decode(scenario_d(), c.plan).reasons.has(c.reason))
        << reason_name(c.reason);
  }
  EXPECT_TRUE(decode(scenario_d(), plan_of(8, 8)).feasible());
  Scenario grouped = scenario_d();
  grouped.model.kv_heads = 8;
  EXPECT_TRUE(decode(grouped, plan_of(1, 12)).reasons.has(Reason::kKvHeads));
  EXPECT_FALSE(decode(grouped, plan_of(1, 16)).reasons.has(Reason::kKvHeads));
}

TEST(Decode, AnAlgorithmThatDoesNotApplyFallsBackToTheRing) {
  const DecodeTime t =
      decode(scenario_d(), plan_of(1, 8), Algorithm::kHierarchical);
  EXPECT_EQ(t.algorithm, Algorithm::kRing);
  EXPECT_EQ(t.tpot, decode(scenario_d(), plan_of(1, 8)).tpot);
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

TEST(Decode, TheLatencyLimitIsThatOfTheSlowestTierSpanned) {
  // (25 - 5.469 - 0.151 - 192 x 1.875 x 24576/50 GB/s) ms over 192 x 30 hops.
  const auto limit =
      latency_limit(scenario_d(), plan_of(1, 16), Algorithm::kRing);
  ASSERT_TRUE(limit.has_value());
  EXPECT_NEAR(to_us(*limit), 3.334, 0.001);
}

TEST(Decode, ThereIsNoLatencyLimitWhereNoneWouldHelp) {
  Scenario s = scenario_d();
  // 43.75 ms of weights alone.
  EXPECT_FALSE(latency_limit(s, plan_of(1, 2), Algorithm::kRing).has_value());
  EXPECT_FALSE(latency_limit(s, plan_of(8, 1), Algorithm::kRing).has_value());
  s.serving.slo_tpot = seconds(0);
  EXPECT_FALSE(latency_limit(s, plan_of(1, 8), Algorithm::kRing).has_value());
  EXPECT_TRUE(decode(s, plan_of(1, 2)).slo_met);
}

TEST(Decode, HeadroomIsTheLastThatMeetsTheTarget) {
  // 24.378 ms + 0.3295 ms a sequence: one. (25 - 24.405) ms of cache at
  // 0.14746 us a token: 4035.
  const DecodeHeadroom room =
      decode_headroom(scenario_d(), plan_of(1, 8), Algorithm::kRing);
  EXPECT_EQ(room.batch, 1);
  EXPECT_NEAR(static_cast<double>(room.context), 4035, 2);
  // The weights' 10.9 ms, 0.30 ms of cache and 0.11 ms of one-shot messages a
  // sequence: 31 of them.
  EXPECT_EQ(
      decode_headroom(scenario_d(), plan_of(1, 8), Algorithm::kOneShot).batch,
      31);
}

TEST(Decode, ReserveIsTakenFromTheCache) {
  Scenario s = scenario_d();
  s.serving.reserve = gibibytes(10);
  EXPECT_NEAR(decode(s, plan_of(1, 8)).max_tokens,
              275351 - 8 * 10 * 1073741824.0 / 4718592, 1);
  EXPECT_TRUE(decode(s, plan_of(1, 8)).feasible());
  s.serving.reserve = gibibytes(152);  // beside 40.7 GiB of weights
  EXPECT_TRUE(decode(s, plan_of(1, 8)).reasons.has(Reason::kHbm));
  EXPECT_EQ(decode(s, plan_of(1, 8)).max_tokens, 0.0);
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

TEST(Decode, ALatentCacheIsReadWholeByEveryRank) {
  Scenario s = scenario_d();
  s.model.latent = {0, 512, 128, 64, 128};
  const DecodeTime one = decode(s, plan_of(1, 1));
  const DecodeTime eight = decode(s, plan_of(1, 8));
  EXPECT_EQ(one.kv_bytes_per_token.base(), 96 * 576 * 2.0);
  EXPECT_EQ(eight.kv.base(), one.kv.base());
  EXPECT_EQ(eight.kv_per_gpu.base(), one.kv_per_gpu.base());
}

TEST(Decode, AWindowBoundsTheCacheThatIsRead) {
  Scenario s = scenario_d();
  s.model.window = {1024, 0, 0};
  s.serving.context = 1024;
  const Seconds short_context = decode(s, plan_of(1, 8)).kv;
  s.serving.context = 65536;
  EXPECT_EQ(decode(s, plan_of(1, 8)).kv, short_context);
  s.model.window = {};
  EXPECT_EQ(decode(s, plan_of(1, 8)).kv, 64.0 * short_context);
}

}  // namespace
}  // namespace meshwise
