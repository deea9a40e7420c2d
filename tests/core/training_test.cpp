// The drill's own numbers and the brackets that marked answers were held
// against.
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

TEST(Training, TheGradientExchangeShowsWhenNothingHidesIt) {
  Scenario s = scenario_a();
  s.training.overlap = 0.0;
  const Evaluation e = evaluate(s, plan_of(64, 1));
  EXPECT_NEAR(e.time.step.base(), 0.864, 0.0005);
}

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

struct Ring {
  Plan plan;
  double gb;  // a micro-batch
};

TEST(Training, RingVolumesAreThoseOfTheMarkedAnswers) {
  Scenario s = scenario_c();
  s.training.global_batch = 1;
  const Ring rings[] = {{plan_of(1, 1, 1, 64), 50.73},
                        {plan_of(1, 4, 1, 8), 11.27},
                        {plan_of(1, 8, 1, 4), 4.83}};
  for (const Ring& r : rings) {
    Scenario at = s;
    at.cluster = testing::drill_cluster(static_cast<int>(gpus_used(r.plan)));
    const Evaluation e = evaluate(at, r.plan);
    EXPECT_NEAR(to_gb(axis_minimum(at, e, Axis::kCp).volume), r.gb, 0.01);
  }
}

TEST(Training, EqualStagesGiveTheTextbookBubble) {
  // (m + (p - 1)/v) tau with stages that are alike: no head, a stated total.
  Scenario s = scenario_b();
  s.model.vocab = 0;
  s.cluster = testing::drill_cluster(4);
  s.training.global_batch = 16;
  const Evaluation e = evaluate(s, plan_of(1, 1, 4));
  EXPECT_NEAR(e.time.pp_bubble.base(),
              (e.time.compute + e.time.pp_transfer).base() * 3 / 16, 1e-9);
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
  const Case cases[] = {
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
    const std::vector<ReasonDetail> details = explain_reasons(c.scenario, e);
    EXPECT_FALSE(details.empty());
  }
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

TEST(Training, TheListOfCollectivesAccountsForEveryAxisUsed) {
  const Scenario s = scenario_b();
  const Evaluation e = evaluate(s, plan_of(4, 8, 2));
  int axes = 0;
  for (const PlanCollective& c : plan_collectives(s, e)) {
    axes |= 1 << static_cast<int>(c.axis);
    EXPECT_GE(c.total.base(), c.exposed.base());
  }
  EXPECT_EQ(axes, 0b111);
}

TEST(Training, ContiguousOrderUnbalancesCausalAttention) {
  Scenario s = scenario_c();
  Plan plan = plan_of(8, 1, 1, 8);
  const double balanced = evaluate(s, plan).time.compute.base();
  plan.cp_zigzag = false;
  EXPECT_GT(evaluate(s, plan).time.compute.base(), 1.5 * balanced);
}

}  // namespace
}  // namespace meshwise
