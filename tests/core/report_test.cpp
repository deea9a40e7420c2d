#include "meshwise/report.h"

#include <gtest/gtest.h>

#include "core/drill.h"

namespace meshwise {
namespace {

using testing::plan_of;

void expect_complete(const std::vector<Explanation>& list) {
  EXPECT_FALSE(list.empty());
  for (const Explanation& e : list) {
    EXPECT_FALSE(e.id.empty());
    EXPECT_FALSE(e.label.empty());
    EXPECT_FALSE(e.formula.empty()) << e.id;
    EXPECT_FALSE(e.numbers.empty()) << e.id;
    EXPECT_FALSE(e.source.empty()) << e.id;
  }
}

const Explanation* find(const std::vector<Explanation>& list, const char* id) {
  for (const Explanation& e : list) {
    if (e.id == id) return &e;
  }
  return nullptr;
}

TEST(Report, EveryExplanationIsComplete) {
  const Scenario b = testing::scenario_b();
  Plan plan = plan_of(4, 8, 2);
  plan.zero = 3;
  const Evaluation e = evaluate(b, plan);
  expect_complete(explain_memory(b, e));
  expect_complete(explain_step(b, e));
  const Scenario d = testing::scenario_d();
  const Plan replica = plan_of(8, 8);
  expect_complete(explain_decode(d, replica, decode(d, replica)));
}

TEST(Report, TheValueIsThePlannersOwn) {
  const Scenario a = testing::scenario_a();
  const Evaluation e = evaluate(a, plan_of(64, 1));
  const std::vector<Explanation> list = explain_memory(a, e);
  const Explanation* state = find(list, "state");
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state->value, to_gib(e.peak.memory.state()));
  EXPECT_EQ(state->unit, "GiB");
  EXPECT_NE(state->numbers.find("8,030,261,248"), std::string::npos);
}

TEST(Report, EachAxisUsedHasItsLeastBandwidthExplained) {
  const Scenario b = testing::scenario_b();
  const std::vector<Explanation> list =
      explain_step(b, evaluate(b, plan_of(4, 8, 2)));
  for (const char* id : {"minimum_dp", "minimum_tp", "minimum_pp"}) {
    EXPECT_NE(find(list, id), nullptr) << id;
  }
  EXPECT_EQ(find(list, "minimum_cp"), nullptr);
}

}  // namespace
}  // namespace meshwise
