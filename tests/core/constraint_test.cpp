#include "meshwise/constraint.h"

#include <gtest/gtest.h>

#include "core/drill.h"

namespace meshwise {
namespace {

Constraint of(const Scenario& s) { return binding_constraint(s).constraint; }

TEST(Constraint, TheDrillsFourScenariosAreBoundByFourThings) {
  EXPECT_EQ(of(testing::scenario_a()), Constraint::kThroughput);
  EXPECT_EQ(of(testing::scenario_b()), Constraint::kMemoryState);
  EXPECT_EQ(of(testing::scenario_c()), Constraint::kMemoryActivations);
  EXPECT_EQ(of(testing::scenario_d()), Constraint::kLatency);
}

TEST(Constraint, WithoutATargetNothingBindsScenarioA) {
  Scenario s = testing::scenario_a();
  s.training.target_speedup = 0;
  EXPECT_EQ(of(s), Constraint::kNone);
}

TEST(Constraint, ALooserTargetTurnsServingIntoMemory) {
  Scenario s = testing::scenario_d();
  s.serving.slo_tpot = milliseconds(50);
  EXPECT_EQ(of(s), Constraint::kMemoryState);
  EXPECT_EQ(binding_constraint(s).gpus_for_weights, 2);
}

TEST(Constraint, NamesReadBack) {
  for (const Constraint c : {Constraint::kNone, Constraint::kMemoryState,
                             Constraint::kMemoryActivations,
                             Constraint::kThroughput, Constraint::kLatency}) {
    EXPECT_EQ(constraint_from_name(constraint_name(c)), c);
  }
}

}  // namespace
}  // namespace meshwise
