#include "meshwise/placement.h"

#include <gtest/gtest.h>

#include <array>

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
      {plan_of(2, 4, 1, 8), Axis::kDp, 1, 2},
      {plan_of(8, 1, 8), Axis::kDp, 8, 1},
      {plan_of(8, 1, 8), Axis::kPp, 1, 8},
      {plan_of(1, 64), Axis::kTp, 8, 8},
      {plan_of(1, 1, 1, 64), Axis::kCp, 8, 8},
      {plan_of(64, 1), Axis::kTp, 1, 1},
      {plan_of(16, 2, 2), Axis::kDp, 4, 4},
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

TEST(Placement, EveryOrderOfTwoAxesPutsTheInnerOneInside) {
  const Plan plan = plan_of(8, 1, 1, 8);
  for (const Axis inner : {Axis::kDp, Axis::kCp}) {
    const Axis outer = inner == Axis::kDp ? Axis::kCp : Axis::kDp;
    Plan ordered = plan;
    ordered.order = {inner, outer, Axis::kTp, Axis::kPp, Axis::kEp};
    const Placement p = place(ordered, drill_cluster());
    EXPECT_EQ(p.of(inner).slowest(), 0) << axis_name(inner);
    EXPECT_EQ(p.of(outer).slowest(), 1) << axis_name(inner);
    EXPECT_FALSE(p.of(outer).crosses_tiers());
  }
}

TEST(Placement, ADegreeThatDoesNotLineUpSitsOnTheSlowerTier) {
  // Groups of three in nodes of eight: the third group leaves its node.
  Cluster nine = drill_cluster(72);
  EXPECT_EQ(place(plan_of(24, 3), nine).of(Axis::kTp).slowest(), 1);
  // Six of dp at stride 4: two fit a node, three nodes.
  const Span dp = place(plan_of(6, 4), drill_cluster(24)).of(Axis::kDp);
  EXPECT_EQ(dp.ranks[0], 2);
  EXPECT_EQ(dp.ranks[1], 3);
  // Eight of dp at stride 3 start at no node's boundary but the first.
  const Span straddling = place(plan_of(8, 3), drill_cluster(24)).of(Axis::kDp);
  EXPECT_EQ(straddling.ranks[0], 1);
  EXPECT_EQ(straddling.ranks[1], 8);
  // Nodes of twelve hold groups of three.
  nine.tiers[0].gpus = 12;
  EXPECT_EQ(place(plan_of(24, 3), nine).of(Axis::kTp).slowest(), 0);
  EXPECT_EQ(place(plan_of(24, 3), nine).of(Axis::kDp).ranks[0], 4);
}

TEST(Placement, ThreeTiersFillFromTheInside) {
  Cluster c = drill_cluster(64);
  c.tier_count = 3;
  c.tiers[0].gpus = 4;
  c.tiers[1].gpus = 16;
  c.tiers[2] = c.tiers[1];
  c.tiers[2].gpus = 64;
  const Placement p = place(plan_of(32, 2), c);
  EXPECT_EQ(p.of(Axis::kTp).ranks, (std::array<int, kMaxTiers>{2, 1, 1, 1}));
  EXPECT_EQ(p.of(Axis::kDp).ranks, (std::array<int, kMaxTiers>{2, 4, 4, 1}));
}

TEST(Placement, OneTierHoldsEverything) {
  Cluster c = drill_cluster(64);
  c.tier_count = 1;
  c.tiers[0].gpus = 64;
  const Placement p = place(plan_of(4, 4, 4), c);
  for (const Axis axis : kAxes) {
    EXPECT_EQ(p.of(axis).slowest(), 0) << axis_name(axis);
    EXPECT_FALSE(p.of(axis).crosses_tiers());
  }
}

TEST(Placement, AReplicaStaysInItsNodeAndLeavesTheRestIdle) {
  EXPECT_EQ(
      place_replica(plan_of(1, 6), drill_cluster()).of(Axis::kTp).slowest(), 0);
  EXPECT_EQ(place(plan_of(1, 6), drill_cluster()).of(Axis::kTp).slowest(), 1);
}

TEST(Placement, AReplicaOfAPipelineLaysTpInside) {
  const Placement p = place_replica(plan_of(8, 4, 2), drill_cluster());
  EXPECT_EQ(p.of(Axis::kTp).ranks[0], 4);
  EXPECT_EQ(p.of(Axis::kPp).ranks[0], 2);
  const Placement wide = place_replica(plan_of(2, 8, 4), drill_cluster());
  EXPECT_EQ(wide.of(Axis::kTp).slowest(), 0);
  EXPECT_EQ(wide.of(Axis::kPp).slowest(), 1);
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
