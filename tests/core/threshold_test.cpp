// Values that hand-marked answers were held against, and the property that
// makes a threshold one: the planner answers differently on either side.
#include "meshwise/threshold.h"

#include <gtest/gtest.h>

#include <optional>

#include "core/drill.h"
#include "meshwise/constraint.h"

namespace meshwise {
namespace {

using testing::plan_of;

std::optional<double> find(const Scenario& s, const Plan* plan,
                           Parameter parameter, bool upward, Change change,
                           Algorithm algorithm = Algorithm::kRing) {
  ThresholdOptions options;
  options.parameters = {parameter};
  options.best_axes = change == Change::kBestAxes;
  options.algorithm = algorithm;
  for (const Threshold& t : find_thresholds(s, plan, options)) {
    if (t.upward == upward && t.change == change) return t.value;
  }
  return std::nullopt;
}

struct Known {
  const char* what;
  Scenario scenario;
  std::optional<Plan> plan;
  Parameter parameter;
  bool upward;
  Change change;
  double value;
};

TEST(Threshold, KnownThresholdsAreFound) {
  Plan fsdp = plan_of(16, 4);
  fsdp.zero = 3;
  fsdp.micro_batch = 4;
  Plan ddp = plan_of(8, 2, 4);
  Plan zero1 = plan_of(16, 4);
  zero1.zero = 1;
  const Known known[] = {
      {"A seq", testing::scenario_a(), std::nullopt, Parameter::kSeq, true,
       Change::kConstraint, 15750},
      {"A parameters", testing::scenario_a(), std::nullopt,
       Parameter::kParameters, true, Change::kConstraint, 11.6e9},
      {"A HBM", testing::scenario_a(), plan_of(64, 1), Parameter::kHbm, false,
       Change::kFeasibility, 138.6},
      {"A critical batch", testing::scenario_a(), plan_of(64, 1),
       Parameter::kCriticalBatch, false, Change::kFeasibility, 262144},
      {"B HBM state", testing::scenario_b(), std::nullopt, Parameter::kHbm,
       true, Change::kConstraint, 968.6},
      {"B bandwidth", testing::scenario_b(), fsdp, Parameter::kIntraBandwidth,
       false, Change::kStanding, 93},
      {"B dp8 tp2 pp4 HBM", testing::scenario_b(), ddp, Parameter::kHbm, false,
       Change::kFeasibility, 163.6},
      {"B dp16 tp4 ZeRO 1 HBM", testing::scenario_b(), zero1, Parameter::kHbm,
       false, Change::kFeasibility, 93.1},
      {"D latency", testing::scenario_d(), plan_of(8, 8),
       Parameter::kIntraLatency, true, Change::kFeasibility, 5.11},
      {"D weights", testing::scenario_d(), plan_of(8, 8),
       Parameter::kWeightBytes, false, Change::kStanding, 0.577},
  };
  for (const Known& k : known) {
    const Plan* plan = k.plan ? &*k.plan : nullptr;
    const auto value = find(k.scenario, plan, k.parameter, k.upward, k.change);
    ASSERT_TRUE(value.has_value()) << k.what;
    EXPECT_NEAR(*value, k.value, 0.01 * k.value) << k.what;
  }
}

TEST(Threshold, ATreeAllowsMoreLatencyThanARing) {
  const Plan plan = plan_of(8, 8);
  const auto tree = find(testing::scenario_d(), &plan, Parameter::kIntraLatency,
                         true, Change::kFeasibility, Algorithm::kTree);
  ASSERT_TRUE(tree.has_value());
  EXPECT_NEAR(*tree, 11.92, 0.05);
}

bool differ(const Outcome& a, const Outcome& b, Change change) {
  switch (change) {
    case Change::kConstraint:
      return a.constraint != b.constraint;
    case Change::kBestAxes:
      return a.best != b.best || a.has_best != b.has_best;
    case Change::kFeasibility:
      return a.feasible != b.feasible;
    case Change::kStanding:
      return a.standing() != b.standing();
  }
  return false;
}

TEST(Threshold, ThePlannerAnswersDifferentlyOnTheFarSide) {
  const Scenario scenarios[] = {testing::scenario_a(), testing::scenario_c(),
                                testing::scenario_d()};
  for (const Scenario& s : scenarios) {
    const Plan plan = plan_of(8, 8);
    ThresholdOptions options;
    options.best_axes = false;
    for (const Threshold& t : find_thresholds(s, &plan, options)) {
      Scenario at = s;
      Plan there = plan;
      ASSERT_TRUE(set_parameter(at, &there, t.parameter, t.value))
          << parameter_info(t.parameter).id;
      EXPECT_TRUE(differ(outcome(s, &plan, options),
                         outcome(at, &there, options), t.change))
          << s.id << " " << parameter_info(t.parameter).id;
      EXPECT_EQ(t.upward, t.value > t.current);
    }
  }
}

TEST(Threshold, ParametersReadBackWhatWasSet) {
  Scenario s = testing::scenario_a();
  Plan plan = plan_of(64, 1);
  for (int i = 0; i < kParameterCount; ++i) {
    const auto p = static_cast<Parameter>(i);
    if (!has_parameter(s, p)) continue;
    const double before = get_parameter(s, &plan, p);
    EXPECT_TRUE(set_parameter(s, &plan, p, before)) << parameter_info(p).id;
    EXPECT_NEAR(get_parameter(s, &plan, p), before, 1e-9 * before);
    EXPECT_EQ(parameter_from_id(parameter_info(p).id), p);
  }
}

TEST(Threshold, ValuesOutsideTheDomainAreRefused) {
  Scenario s = testing::scenario_a();
  const Scenario before = s;
  EXPECT_FALSE(set_parameter(s, nullptr, Parameter::kHbm, -1));
  EXPECT_FALSE(set_parameter(s, nullptr, Parameter::kKvHeads, 7));
  EXPECT_FALSE(set_parameter(s, nullptr, Parameter::kSeq, 4096.5));
  EXPECT_EQ(s, before);
}

TEST(Threshold, WithMoreGpusDataParallelismScales) {
  Scenario s = testing::scenario_b();
  Plan plan = plan_of(8, 8);
  ASSERT_TRUE(set_parameter(s, &plan, Parameter::kGpus, 128));
  EXPECT_EQ(plan.dp, 16);
  EXPECT_EQ(s.training.global_batch, 1024);
}

}  // namespace
}  // namespace meshwise
