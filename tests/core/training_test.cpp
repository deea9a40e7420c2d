// The training step: its parts, its schedule, and why a plan cannot run.
#include "meshwise/training.h"

#include <gtest/gtest.h>

#include "core/drill.h"

namespace meshwise {
namespace {

using testing::plan_of;
using testing::scenario_a;
using testing::scenario_b;
using testing::scenario_c;

double parts_of(const StepTime& t) {
  return (t.compute + t.tp + t.cp + t.ep + t.pp_bubble + t.pp_transfer + t.dp +
          t.optimizer)
      .base();
}

TEST(Training, TheMeasuredStepIsTheComputeOfScenarioA) {
  const Evaluation e = evaluate(scenario_a(), plan_of(64, 1));
  EXPECT_TRUE(e.feasible());
  EXPECT_NEAR(e.time.compute.base(), 0.700, 1e-12);
  EXPECT_NEAR(e.throughput.speedup, 64.0, 1e-9);
  EXPECT_EQ(e.time.dp.base(), 0.0);
  EXPECT_NEAR(to_ms(e.time.dp_unhidden), 164, 0.5);
}

TEST(Training, ThroughputOfScenarioA) {
  const Throughput t = evaluate(scenario_a(), plan_of(64, 1)).throughput;
  EXPECT_NEAR(t.tokens_per_s, 64 * 4096 / 0.7, 1e-6);
  // 4096 tokens of 48.25 GFLOP (causal) or 48.79 (as executed) in 0.7 s, of
  // 400 TFLOP/s.
  EXPECT_NEAR(t.mfu, 0.7058, 0.0001);
  EXPECT_NEAR(t.hfu, 0.7137, 0.0001);
  // 262144 tokens of a critical batch of 2097152.
  EXPECT_NEAR(t.statistical_efficiency, 8.0 / 9.0, 1e-12);
}

TEST(Training, AnIdenticalClusterOfOneGpuIsOneTimesAsFast) {
  Scenario s = scenario_a();
  s.cluster = testing::drill_cluster(1);
  s.training.global_batch = 1;
  const Evaluation e = evaluate(s, plan_of(1, 1));
  EXPECT_NEAR(e.time.step.base(), 0.7, 1e-12);
  EXPECT_NEAR(e.throughput.speedup, 1.0, 1e-12);
}

TEST(Training, TheGradientExchangeShowsWhenNothingHidesIt) {
  Scenario s = scenario_a();
  s.training.overlap = 0.0;
  const Evaluation e = evaluate(s, plan_of(64, 1));
  EXPECT_NEAR(e.time.step.base(), 0.864, 0.0005);
}

TEST(Training, EqualStagesGiveTheTextbookStep) {
  // (m + (p - 1)/v) tau with stages that are alike: no head, a stated total.
  Scenario s = scenario_b();
  s.model.vocab = 0;
  s.cluster = testing::drill_cluster(4);
  s.training.global_batch = 16;
  for (const int v : {1, 2, 5}) {
    Plan plan = plan_of(1, 1, 4);
    plan.virtual_stages = v;
    const StepTime t = evaluate(s, plan).time;
    const double tau = (t.compute + t.pp_transfer).base() / 16;
    EXPECT_NEAR(t.pp_bubble.base(), tau * 3 / v, 1e-9) << v;
    // Narayanan et al. 2021, section 2.2: bubble over ideal (p-1)/(mv).
    EXPECT_NEAR(t.pp_bubble / (t.compute + t.pp_transfer), 3.0 / (16 * v),
                1e-12);
  }
}

TEST(Training, TheHeadMakesTheLastStageTheSlowest) {
  // 8 of 32 layers a stage at 400 TFLOP/s: 4096 x 8 x 1.4261 GFLOP; the head
  // 4096 x 3.1520 GFLOP; a transfer is 2 x (33.55 MB/300 GB/s + 5 us).
  Scenario s = scenario_c();
  s.training.seq = 4096;
  s.cluster = testing::drill_cluster(4);
  s.training.global_batch = 8;
  const StepTime t = evaluate(s, plan_of(1, 1, 4)).time;
  const double stage = 116.827;
  const double head = 32.277;
  const double transfer = 0.23370;
  EXPECT_NEAR(to_ms(t.compute), 8 * (stage + head), 0.02);
  EXPECT_NEAR(to_ms(t.pp_transfer), 8 * transfer, 0.001);
  EXPECT_NEAR(to_ms(t.pp_bubble), 3 * (stage + transfer), 0.01);
}

TEST(Training, InterleavingHidesTheTransfers) {
  Scenario s = scenario_b();
  Plan plan = plan_of(4, 8, 2);
  EXPECT_GT(evaluate(s, plan).time.pp_transfer.base(), 0.0);
  const double flat_bubble = evaluate(s, plan).time.pp_bubble.base();
  plan.virtual_stages = 4;
  const Evaluation e = evaluate(s, plan);
  EXPECT_EQ(e.time.pp_transfer.base(), 0.0);
  EXPECT_LT(e.time.pp_bubble.base(), flat_bubble / 3.9);
}

TEST(Training, PartsSumToTheStep) {
  for (const Plan& plan :
       {plan_of(64, 1), plan_of(8, 8), plan_of(4, 8, 2), plan_of(2, 4, 4, 2)}) {
    const Evaluation e = evaluate(scenario_b(), plan);
    EXPECT_DOUBLE_EQ(parts_of(e.time), e.time.step.base());
  }
}

TEST(Training, AMicroBatchOfScenarioBTakesAboutFourSeconds) {
  const Evaluation e = evaluate(scenario_b(), plan_of(64, 1));
  EXPECT_NEAR(e.time.compute.base() / 16, 4.19, 0.01);
}

TEST(Training, PlansThatCannotRunSayWhy) {
  struct Case {
    Scenario scenario;
    Plan plan;
    Reason reason;
  };
  Plan ep = plan_of(32, 1);
  ep.ep = 2;
  Plan interleaved = plan_of(8, 4, 2);
  interleaved.virtual_stages = 2;  // two stages, one micro-batch
  Plan ungrouped = plan_of(64, 1);
  ungrouped.shard_group = 3;
  Plan ulysses = plan_of(1, 1, 1, 64);
  ulysses.cp_method = CpMethod::kUlysses;
  Scenario few_experts = scenario_a();
  few_experts.model.moe = {6, 2, 14336, 0, 0, 1.0};
  Plan experts = plan_of(16, 1);
  experts.ep = 4;
  Scenario odd_kv = scenario_a();
  odd_kv.model.kv_heads = 2;
  odd_kv.model.heads = 30;
  Scenario short_seq = scenario_a();
  short_seq.training.seq = 64;
  Scenario one_micro_batch = scenario_a();
  one_micro_batch.training.global_batch = 8;
  const Case cases[] = {
      {one_micro_batch, interleaved, Reason::kInterleave},
      {scenario_a(), ungrouped, Reason::kShardGroup},
      {scenario_a(), ulysses, Reason::kHeads},
      {few_experts, experts, Reason::kExperts},
      {odd_kv, plan_of(1, 5), Reason::kKvHeads},
      {short_seq, plan_of(1, 1, 1, 64), Reason::kSequence},
      {scenario_a(), plan_of(32, 1), Reason::kGpus},
      {scenario_a(), plan_of(1, 64), Reason::kHeads},
      {scenario_a(), plan_of(1, 1, 64), Reason::kLayers},
      {scenario_a(), ep, Reason::kDenseModel},
      {scenario_b(), plan_of(64, 1), Reason::kHbm},
      {scenario_c(), plan_of(64, 1), Reason::kBatch},
  };
  for (const Case& c : cases) {
    const Evaluation e = evaluate(c.scenario, c.plan);
    EXPECT_TRUE(e.reasons.has(c.reason)) << reason_name(c.reason);
    bool explained = false;
    for (const ReasonDetail& d : explain_reasons(c.scenario, e)) {
      EXPECT_TRUE(e.reasons.has(d.reason)) << reason_name(d.reason);
      explained = explained || d.reason == c.reason;
    }
    EXPECT_TRUE(explained) << reason_name(c.reason);
  }
}

TEST(Training, AReasonGivesWhatIsHadAndWhatIsAllowed) {
  const Evaluation e = evaluate(scenario_b(), plan_of(64, 1));
  const std::vector<ReasonDetail> details = explain_reasons(scenario_b(), e);
  ASSERT_EQ(details.size(), 1u);
  EXPECT_EQ(details[0].reason, Reason::kHbm);
  EXPECT_EQ(details[0].have, e.peak.memory.total().base());
  EXPECT_EQ(details[0].limit, gibibytes(192).base());
}

TEST(Training, OverTheCriticalBatchIsAReason) {
  Scenario s = scenario_a();
  s.training.global_batch = 1024;
  EXPECT_TRUE(evaluate(s, plan_of(64, 1)).reasons.has(Reason::kCriticalBatch));
  s.training.global_batch = 512;
  EXPECT_TRUE(evaluate(s, plan_of(64, 1)).feasible());
}

TEST(Training, MoreBandwidthNeverSlowsAStep) {
  for (const Plan& plan :
       {plan_of(64, 1), plan_of(8, 8), plan_of(4, 16), plan_of(4, 4, 4)}) {
    Scenario s = scenario_b();
    double last = 1e30;
    for (const double gbps : {10.0, 25.0, 50.0, 100.0, 400.0}) {
      s.cluster.tiers[1].link.bandwidth = gigabytes_per_second(gbps);
      const double step = evaluate(s, plan).time.step.base();
      EXPECT_LE(step, last);
      last = step;
    }
  }
}

TEST(Training, ContiguousOrderUnbalancesCausalAttention) {
  // Attention 7 x 32 x 4096 x 131072 of a token's 165.3 GFLOP, times 2 - 1/8.
  Scenario s = scenario_c();
  Plan plan = plan_of(8, 1, 1, 8);
  const double balanced = evaluate(s, plan).time.compute.base();
  plan.cp_zigzag = false;
  const double attention = 7.0 * 32 * 4096 * 131072;
  const double all = attention + 6.0 * (8030261248 - 128256.0 * 4096);
  EXPECT_NEAR(evaluate(s, plan).time.compute.base() / balanced,
              1 + attention / all * (1 - 1.0 / 8), 1e-9);
}

TEST(Training, TheRingHidesUnderTheAttentionCore) {
  const Scenario s = scenario_c();
  const StepTime t = evaluate(s, plan_of(8, 1, 1, 8)).time;
  // 2 micro-batches x 32 layers x 21 passes of 67.1 MB at 300 GB/s and 5 us.
  EXPECT_NEAR(t.cp_unhidden.base(), 64 * 21 * (67108864 / 300e9 + 5e-6), 1e-6);
  EXPECT_EQ(t.cp.base(), 0.0);
  Scenario slow = s;
  slow.cluster.tiers[0].link.bandwidth = gigabytes_per_second(1);
  EXPECT_GT(evaluate(slow, plan_of(8, 1, 1, 8)).time.cp.base(), 0.0);
}

TEST(Training, MicroBatchesScaleComputeAndNotTheGradients) {
  Scenario s = scenario_b();
  s.training.global_batch = 64;
  const StepTime one = evaluate(s, plan_of(64, 1)).time;
  s.training.global_batch = 256;
  const StepTime four = evaluate(s, plan_of(64, 1)).time;
  EXPECT_NEAR(four.compute / one.compute, 4.0, 1e-12);
  EXPECT_DOUBLE_EQ(four.dp_unhidden.base(), one.dp_unhidden.base());
}

TEST(Training, OnlyTheRingHidesUnderTheAttentionCore) {
  for (const CpMethod method : {CpMethod::kAllGather, CpMethod::kUlysses}) {
    Plan plan = plan_of(8, 1, 1, 8);
    plan.cp_method = method;
    const StepTime t = evaluate(scenario_c(), plan).time;
    EXPECT_GT(t.cp.base(), 0.0) << cp_method_name(method);
    EXPECT_EQ(t.cp, t.cp_unhidden) << cp_method_name(method);
  }
}

TEST(Training, UnevenStagesRunAtTheLongest) {
  // 33 layers over two stages, where the head costs less than a layer.
  Scenario s = scenario_c();
  s.model.layers = 33;
  s.model.vocab = 16;
  s.training.seq = 4096;
  s.training.global_batch = 4;
  s.training.uneven_layers = true;
  s.cluster = testing::drill_cluster(2);
  const Evaluation e = evaluate(s, plan_of(1, 1, 2));
  EXPECT_TRUE(e.feasible());
  s.cluster = testing::drill_cluster(1);
  const Evaluation one = evaluate(s, plan_of(1, 1));
  EXPECT_NEAR(e.time.compute / one.time.compute, 17.0 / 33, 1e-4);
  s.training.uneven_layers = false;
  s.cluster = testing::drill_cluster(2);
  EXPECT_TRUE(evaluate(s, plan_of(1, 1, 2)).reasons.has(Reason::kLayers));
}

TEST(Training, SequenceParallelRanksTakeEqualSlices) {
  Scenario s = scenario_a();
  s.training.seq = 4100;
  Plan plan = plan_of(8, 8);
  EXPECT_TRUE(evaluate(s, plan).reasons.has(Reason::kSequence));
  plan.sequence_parallel = false;
  EXPECT_FALSE(evaluate(s, plan).reasons.has(Reason::kSequence));
}

TEST(Training, ZigzagTakesTwoSlicesARank) {
  Scenario s = scenario_a();
  s.training.seq = 4104;  // 8 x 513
  Plan plan = plan_of(8, 1, 1, 8);
  EXPECT_TRUE(evaluate(s, plan).reasons.has(Reason::kSequence));
  plan.cp_zigzag = false;
  EXPECT_FALSE(evaluate(s, plan).reasons.has(Reason::kSequence));
}

// What a step of scenario A shows of its data-parallel traffic on a network
// so slow that nothing hides whole.
struct Exposure {
  int zero;
  double hidden;  // share of the step's compute that hides something
};

TEST(Training, EachZeroStageHidesUnderItsOwnWindow) {
  // Two micro-batches: the last one's backward is 1/3 of the compute, all
  // backward passes 2/3, one forward pass 1/6.
  const Exposure exposures[] = {
      {0, 2.0 / 6}, {1, 2.0 / 6 + 1.0 / 6}, {2, 4.0 / 6 + 1.0 / 6}, {3, 1.0}};
  Scenario s = scenario_a();
  s.training.global_batch = 128;
  s.cluster.tiers[1].link.bandwidth = gigabytes_per_second(0.5);
  for (const double overlap : {1.0, 0.5, 0.0}) {
    s.training.overlap = overlap;
    for (const Exposure& each : exposures) {
      Plan plan = plan_of(64, 1);
      plan.zero = each.zero;
      const StepTime t = evaluate(s, plan).time;
      EXPECT_NEAR((t.dp_unhidden - t.dp).base(), overlap * each.hidden * 1.4,
                  1e-9)
          << "stage " << each.zero << ", overlap " << overlap;
    }
  }
}

TEST(Training, FullRecomputeHidesGradientsUnderThreeQuarters) {
  Scenario s = scenario_a();
  s.cluster.tiers[1].link.bandwidth = gigabytes_per_second(0.5);
  Plan plan = plan_of(64, 1);
  plan.recompute = Recompute::kFull;
  const StepTime t = evaluate(s, plan).time;
  EXPECT_NEAR((t.dp_unhidden - t.dp) / t.compute, 0.75, 1e-9);
}

}  // namespace
}  // namespace meshwise
