#include "meshwise/scenario.h"

#include <gtest/gtest.h>

#include "core/drill.h"

namespace meshwise {
namespace {

TEST(Scenario, AMeasuredStepSetsWhatTheModelAchieves) {
  // 4096 tokens x 48.79 GFLOP in 0.7 s.
  EXPECT_NEAR(to_tflops(achieved_flops(testing::scenario_a())), 285.5, 0.5);
}

TEST(Scenario, AMeasuredStepOfTwoSequencesAchievesTwice) {
  Scenario s = testing::scenario_a();
  const double before = achieved_flops(s).base();
  s.training.measured.micro_batch = 2;
  EXPECT_DOUBLE_EQ(achieved_flops(s).base(), 2 * before);
}

TEST(Scenario, AServingScenarioTakesNoMeasuredStep) {
  Scenario s = testing::scenario_a();
  s.phase = Phase::kServing;
  EXPECT_EQ(to_tflops(achieved_flops(s)), 400.0);
}

TEST(Scenario, WithoutOneTheHardwaresOwnFigureStands) {
  EXPECT_EQ(to_tflops(achieved_flops(testing::scenario_c())), 400.0);
}

TEST(Scenario, TheMeasuredRateDoesNotMoveWithTheSequenceAsked) {
  Scenario s = testing::scenario_a();
  const double before = achieved_flops(s).base();
  s.training.seq = 16384;
  EXPECT_EQ(achieved_flops(s).base(), before);
}

}  // namespace
}  // namespace meshwise
