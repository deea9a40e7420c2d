#include "meshwise/placement.h"

#include <gtest/gtest.h>

#include "core/drill.h"

namespace meshwise {
namespace {

using testing::drill_cluster;
using testing::plan_of;

struct Case {
  Plan plan;
  Axis axis;
  int inside;
  int outside;
};

TEST(Placement, AxesFillTheNodeFromTheInside) {
  const Case cases[] = {
      {plan_of(64, 1), Axis::kDp, 8, 8},
      {plan_of(32, 2), Axis::kDp, 4, 8},
      {plan_of(32, 2), Axis::kTp, 2, 1},
      {plan_of(8, 8), Axis::kDp, 1, 8},
      {plan_of(4, 16), Axis::kTp, 8, 2},
      {plan_of(4, 8, 2), Axis::kPp, 1, 2},
      {plan_of(2, 4, 1, 8), Axis::kCp, 2, 4},
  };
  for (const Case& c : cases) {
    const Span span = place(c.plan, drill_cluster()).of(c.axis);
    EXPECT_EQ(span.ranks[0], c.inside) << axis_name(c.axis);
    EXPECT_EQ(span.ranks[1], c.outside) << axis_name(c.axis);
    EXPECT_EQ(span.degree(), degree(c.plan, c.axis));
  }
}

TEST(Placement, TheOrderDecidesWhichAxisLeavesTheNode) {
  Plan plan = plan_of(8, 2, 4);
  plan.order = {Axis::kTp, Axis::kPp, Axis::kDp, Axis::kCp, Axis::kEp};
  const Placement placement = place(plan, drill_cluster());
  EXPECT_EQ(placement.of(Axis::kPp).slowest(), 0);
  EXPECT_EQ(placement.of(Axis::kDp).slowest(), 1);
}

TEST(Placement, AReplicaStaysInItsNodeAndLeavesTheRestIdle) {
  EXPECT_EQ(
      place_replica(plan_of(1, 6), drill_cluster()).of(Axis::kTp).slowest(), 0);
  EXPECT_EQ(place(plan_of(1, 6), drill_cluster()).of(Axis::kTp).slowest(), 1);
}

TEST(Placement, CombinedGroupsMultiplyTierByTier) {
  const Placement p = place(plan_of(2, 4, 1, 8), drill_cluster());
  const Span both = combine(p.of(Axis::kDp), p.of(Axis::kCp));
  EXPECT_EQ(both.degree(), 16);
  EXPECT_EQ(both.ranks[0], 2);
  EXPECT_TRUE(both.crosses_tiers());
}

}  // namespace
}  // namespace meshwise
