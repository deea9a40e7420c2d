// The drill's check commands, the table of docs/model.md, and a measured
// multi-rail row (32 B200, 17.2 GB: 87 ms).
#include "meshwise/collectives.h"

#include <gtest/gtest.h>

#include "core/drill.h"
#include "meshwise/placement.h"

namespace meshwise {
namespace {

using testing::drill_cluster;
using testing::plan_of;

Group one_tier(int ranks, double gbps, double us) {
  Group g;
  g.span.ranks[0] = ranks;
  g.links[0] = {gigabytes_per_second(gbps), microseconds(us)};
  return g;
}

Group both_tiers(int ranks) {
  const Cluster c = drill_cluster(ranks);
  return group_of(place(plan_of(1, ranks), c).of(Axis::kTp), c);
}

double ms_of(Operation op, Algorithm a, Bytes size, const Group& g) {
  return to_ms(collective_time(op, a, size, g).total());
}

TEST(Collectives, TheDrillsThreeChecksComeOutAsPrinted) {
  const Group all = one_tier(64, 50, 15);
  const Group node = one_tier(8, 300, 5);
  EXPECT_NEAR(
      ms_of(Operation::kAllReduce, Algorithm::kRing, gigabytes(14), all),
      553.14, 0.005);
  EXPECT_NEAR(
      ms_of(Operation::kAllReduce, Algorithm::kRing, gigabytes(14), node),
      81.74, 0.005);
  const CollectiveTime small = collective_time(
      Operation::kAllReduce, Algorithm::kRing, bytes(32768), node);
  EXPECT_NEAR(to_us(small.total()), 70.19, 0.005);
  EXPECT_NEAR(to_us(small.alpha), 70.0, 1e-9);
}

TEST(Collectives, TheHierarchicalAllReduceOfTheDrillTakes143Milliseconds) {
  EXPECT_NEAR(ms_of(Operation::kAllReduce, Algorithm::kHierarchical,
                    gigabytes(14), both_tiers(64)),
              143.2, 0.05);
}

TEST(Collectives, MultiRailIsNearTheMeasuredB200Row) {
  Group g;
  g.span.ranks = {8, 4, 1, 1};
  g.links[0] = {gigabytes_per_second(682.2), microseconds(5)};
  g.links[1] = {gigabytes_per_second(46), microseconds(15)};
  const double time =
      ms_of(Operation::kAllReduce, Algorithm::kMultiRail, gigabytes(17.2), g);
  EXPECT_NEAR(time, 87.0, 0.06 * 87.0);
}

struct Formula {
  Operation op;
  Algorithm algorithm;
  double beta_ms;  // of 8 GB over 8 ranks at 100 GB/s: 80 ms each B/bw
  double alphas;
};

TEST(Collectives, EachFormulaStands) {
  const Formula formulas[] = {
      {Operation::kAllReduce, Algorithm::kRing, 140, 14},
      {Operation::kAllReduce, Algorithm::kTree, 160, 6},
      {Operation::kAllReduce, Algorithm::kOneShot, 560, 1},
      {Operation::kAllReduce, Algorithm::kTwoShot, 140, 2},
      {Operation::kAllReduce, Algorithm::kHalvingDoubling, 140, 6},
      {Operation::kReduceScatter, Algorithm::kRing, 70, 7},
      {Operation::kAllGather, Algorithm::kRing, 70, 7},
      {Operation::kAllToAll, Algorithm::kPairwise, 70, 7},
      {Operation::kBroadcast, Algorithm::kPipelined, 80, 7},
      {Operation::kSendReceive, Algorithm::kDirect, 80, 1},
  };
  const Group g = one_tier(8, 100, 3);
  for (const Formula& f : formulas) {
    const CollectiveTime t =
        collective_time(f.op, f.algorithm, gigabytes(8), g);
    EXPECT_NEAR(to_ms(t.beta), f.beta_ms, 1e-9) << operation_name(f.op);
    EXPECT_NEAR(to_us(t.alpha), 3 * f.alphas, 1e-9) << operation_name(f.op);
  }
}

TEST(Collectives, ReduceScatterAndAllGatherMakeTheRingAllReduce) {
  const Group g = one_tier(16, 42, 7);
  const Bytes size = gigabytes(3);
  const double parts =
      ms_of(Operation::kReduceScatter, Algorithm::kRing, size, g) +
      ms_of(Operation::kAllGather, Algorithm::kRing, size, g);
  EXPECT_NEAR(parts, ms_of(Operation::kAllReduce, Algorithm::kRing, size, g),
              1e-9);
}

TEST(Collectives, LatencyAndBandwidthAreEqualAtTheCrossover) {
  const Group g = one_tier(64, 50, 15);
  const Bytes size = crossover(Operation::kAllReduce, Algorithm::kRing, g);
  const CollectiveTime t =
      collective_time(Operation::kAllReduce, Algorithm::kRing, size, g);
  EXPECT_NEAR(t.alpha / t.beta, 1.0, 1e-12);
}

TEST(Collectives, OneRankMovesNothing) {
  const Group g = one_tier(1, 50, 15);
  EXPECT_EQ(ms_of(Operation::kAllReduce, Algorithm::kRing, gigabytes(1), g),
            0.0);
  EXPECT_EQ(crossover(Operation::kAllReduce, Algorithm::kRing, g).base(), 0.0);
}

TEST(Collectives, HierarchicalNeedsAGroupThatSpansTiers) {
  EXPECT_FALSE(applies(Operation::kAllReduce, Algorithm::kHierarchical,
                       one_tier(8, 300, 5)));
  EXPECT_TRUE(
      applies(Operation::kAllReduce, Algorithm::kHierarchical, both_tiers(16)));
  EXPECT_EQ(default_algorithm(Operation::kAllReduce, both_tiers(16)),
            Algorithm::kHierarchical);
}

TEST(Collectives, TheBestAlgorithmIsNoSlowerThanAnyOther) {
  for (const double size : {1e3, 1e6, 1e9}) {
    const Group g = both_tiers(64);
    const Algorithm best =
        best_algorithm(Operation::kAllReduce, bytes(size), g);
    for (int i = 0; i < kAlgorithmCount; ++i) {
      const auto a = static_cast<Algorithm>(i);
      if (!applies(Operation::kAllReduce, a, g)) continue;
      EXPECT_LE(ms_of(Operation::kAllReduce, best, bytes(size), g),
                ms_of(Operation::kAllReduce, a, bytes(size), g));
    }
  }
}

TEST(Collectives, BusFactorsAreThoseOfNcclTests) {
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kAllReduce, 8), 1.75);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kAllGather, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kAllToAll, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kBroadcast, 8), 1.0);
}

TEST(Collectives, NamesReadBack) {
  for (int i = 0; i < kAlgorithmCount; ++i) {
    const auto a = static_cast<Algorithm>(i);
    EXPECT_EQ(algorithm_from_name(algorithm_name(a)), a);
  }
  for (int i = 0; i < kOperationCount; ++i) {
    const auto op = static_cast<Operation>(i);
    EXPECT_EQ(operation_from_name(operation_name(op)), op);
  }
}

}  // namespace
}  // namespace meshwise
