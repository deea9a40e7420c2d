// The drill's check commands, the table of docs/model.md, identities between
// its rows, and measured all-reduces.
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

// `inner` ranks in each of `outer` nodes of the drill's cluster.
Group two_tiers(int inner, int outer) {
  Group g;
  g.span.ranks = {inner, outer, 1, 1};
  g.links[0] = {gigabytes_per_second(300), microseconds(5)};
  g.links[1] = {gigabytes_per_second(50), microseconds(15)};
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
  // 2 x 7/8 x 14/300 + 2 x 7/8 x 14/8/50 s, and 2 x 7 x (5 + 15) us.
  const CollectiveTime t =
      collective_time(Operation::kAllReduce, Algorithm::kHierarchical,
                      gigabytes(14), both_tiers(64));
  EXPECT_NEAR(to_ms(t.beta), 81.6667 + 61.25, 0.0001);
  EXPECT_NEAR(to_us(t.alpha), 280, 1e-9);
  EXPECT_NEAR(to_ms(t.total()), 143.2, 0.05);
}

TEST(Collectives, HierarchicalScattersAndGathersOncePerTier) {
  // 7/8 x 8/300 + 7/8 x 1/50 s, and 7 x (5 + 15) us.
  for (const Operation op :
       {Operation::kReduceScatter, Operation::kAllGather}) {
    const CollectiveTime t = collective_time(op, Algorithm::kHierarchical,
                                             gigabytes(8), two_tiers(8, 8));
    EXPECT_NEAR(to_ms(t.beta), 23.3333 + 17.5, 0.0001);
    EXPECT_NEAR(to_us(t.alpha), 140, 1e-9);
  }
}

TEST(Collectives, ThreeTiersAreReducedOneInsideTheOther) {
  Group g = two_tiers(4, 2);
  g.span.ranks[2] = 2;
  g.links[2] = {gigabytes_per_second(10), microseconds(40)};
  const CollectiveTime t = collective_time(
      Operation::kAllReduce, Algorithm::kHierarchical, gigabytes(8), g);
  // 2 x 3/4 x 8/300, 2 x 1/2 x 2/50, 2 x 1/2 x 1/10 s.
  EXPECT_NEAR(to_ms(t.beta), 40 + 40 + 100, 1e-9);
  EXPECT_NEAR(to_us(t.alpha), 2 * (3 * 5 + 15 + 40), 1e-9);
}

TEST(Collectives, MultiRailIsNearTheMeasuredB200Row) {
  // 32 B200 in four nodes, 2^34 bytes: 87 ms measured; the flat ring and the
  // hierarchical form do not use the eight rails of a node at once.
  Group g;
  g.span.ranks = {8, 4, 1, 1};
  g.links[0] = {gigabytes_per_second(670), microseconds(5)};
  g.links[1] = {gigabytes_per_second(46), microseconds(15)};
  const auto ms = [&](Algorithm a) {
    return ms_of(Operation::kAllReduce, a, bytes(17179869184.0), g);
  };
  EXPECT_NEAR(ms(Algorithm::kMultiRail), 87.0, 0.06 * 87.0);
  EXPECT_NEAR(ms(Algorithm::kMultiRail), 90.8, 0.5);
  EXPECT_NEAR(ms(Algorithm::kHierarchical), 115, 1);
  EXPECT_NEAR(ms(Algorithm::kRing), 724, 1);
}

TEST(Collectives, MultiRailCrossesNodesOnAsManyRailsAsRanks) {
  // Eight rails of 50 exceed the node's 300: 2 x 63/64 x 14/300 s and
  // 2 x (56 x 5 + 8 x 15) us.
  const CollectiveTime wide =
      collective_time(Operation::kAllReduce, Algorithm::kMultiRail,
                      gigabytes(14), two_tiers(8, 8));
  EXPECT_NEAR(to_ms(wide.beta), 91.875, 1e-9);
  EXPECT_NEAR(to_us(wide.alpha), 800, 1e-9);
  // Two rails of 50 do not: 2 x 15/16 x 14/100 s.
  const CollectiveTime narrow =
      collective_time(Operation::kAllReduce, Algorithm::kMultiRail,
                      gigabytes(14), two_tiers(2, 8));
  EXPECT_NEAR(to_ms(narrow.beta), 262.5, 1e-9);
}

TEST(Collectives, LargeMeasuredAllReducesRunAtTheirBusBandwidth) {
  struct Measured {
    const char* where;  // nccl-tests or rccl-tests, out of place
    int gpus;
    double size, time_us, busbw_gbps;
  };
  const Measured rows[] = {
      {"8 H100, NVIDIA/dgxc-benchmarking nccl/README.md", 8, 8589934592,
       31307.0, 480.16},
      {"8 H100, NVIDIA/dgxc-benchmarking nccl/README.md", 8, 1073741824, 4029.4,
       466.33},
      {"16 H100, awsome-distributed-training", 16, 17179869184, 66132.0,
       487.09},
      {"8 A100, ml-engineering", 8, 17179869184, 127997.0, 234.89},
      {"8 MI300X, AMD's acceptance test", 8, 8589934592, 47488, 316.55},
  };
  for (const Measured& m : rows) {
    const Group g = one_tier(m.gpus, m.busbw_gbps, 0);
    EXPECT_NEAR(
        1e3 * ms_of(Operation::kAllReduce, Algorithm::kRing, bytes(m.size), g),
        m.time_us, 0.001 * m.time_us)
        << m.where;
    const double algbw = m.size / m.time_us / 1e3;
    EXPECT_NEAR(algbw * bus_factor(Operation::kAllReduce, m.gpus), m.busbw_gbps,
                0.001 * m.busbw_gbps)
        << m.where;
  }
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
  for (const Group& g : {one_tier(64, 50, 15), two_tiers(8, 8)}) {
    for (int i = 0; i < kAlgorithmCount; ++i) {
      const auto a = static_cast<Algorithm>(i);
      for (int j = 0; j < kOperationCount; ++j) {
        const auto op = static_cast<Operation>(j);
        if (!applies(op, a, g)) continue;
        const CollectiveTime t = collective_time(op, a, crossover(op, a, g), g);
        EXPECT_NEAR(t.alpha / t.beta, 1.0, 1e-12)
            << operation_name(op) << ", " << algorithm_name(a);
      }
    }
  }
}

TEST(Collectives, TheRingCrossesOverAtRanksTimesBandwidthTimesLatency) {
  // 2(n-1)/n B/bw = 2(n-1) al.
  EXPECT_NEAR(
      crossover(Operation::kAllReduce, Algorithm::kRing, one_tier(64, 50, 15))
          .base(),
      64 * 50e9 * 15e-6, 1e-3);
  EXPECT_NEAR(
      crossover(Operation::kAllReduce, Algorithm::kRing, one_tier(8, 300, 5))
          .base(),
      12e6, 1e-3);
}

TEST(Collectives, TwoShotAndHalvingMoveWhatTheRingMoves) {
  const Group g = one_tier(24, 42, 7);
  const auto time = [&](Algorithm a) {
    return collective_time(Operation::kAllReduce, a, gigabytes(3), g);
  };
  const CollectiveTime ring = time(Algorithm::kRing);
  EXPECT_DOUBLE_EQ(time(Algorithm::kTwoShot).beta.base(), ring.beta.base());
  EXPECT_DOUBLE_EQ(time(Algorithm::kHalvingDoubling).beta.base(),
                   ring.beta.base());
  EXPECT_DOUBLE_EQ(to_us(ring.alpha), 2 * 23 * 7);
  EXPECT_DOUBLE_EQ(to_us(time(Algorithm::kTwoShot).alpha), 2 * 7);
  // ceil(log2 24) = 5.
  EXPECT_DOUBLE_EQ(to_us(time(Algorithm::kHalvingDoubling).alpha), 2 * 5 * 7);
  EXPECT_DOUBLE_EQ(to_us(time(Algorithm::kTree).alpha), 2 * 5 * 7);
}

TEST(Collectives, OverTwoRanksAllAllReducesOfEqualVolumeAgree) {
  const Group g = one_tier(2, 300, 5);
  const auto us = [&](Algorithm a) {
    return 1e3 * ms_of(Operation::kAllReduce, a, bytes(3e6), g);
  };
  EXPECT_DOUBLE_EQ(us(Algorithm::kRing), 20);  // 3e6/300e9 + 2 x 5 us
  EXPECT_DOUBLE_EQ(us(Algorithm::kTwoShot), us(Algorithm::kRing));
  EXPECT_DOUBLE_EQ(us(Algorithm::kHalvingDoubling), us(Algorithm::kRing));
  EXPECT_DOUBLE_EQ(us(Algorithm::kOneShot), 15);
}

TEST(Collectives, AFlatAlgorithmRunsAtItsSlowestLink) {
  for (const Algorithm a : {Algorithm::kRing, Algorithm::kTree,
                            Algorithm::kOneShot, Algorithm::kTwoShot}) {
    EXPECT_EQ(
        ms_of(Operation::kAllReduce, a, gigabytes(1), two_tiers(8, 8)),
        ms_of(Operation::kAllReduce, a, gigabytes(1), one_tier(64, 50, 15)))
        << algorithm_name(a);
  }
}

TEST(Collectives, AnAllToAllReachesItsNodeOverTheNodesLink) {
  // Of 64 ranks 7 partners are inside, 56 outside: 8 GB x 7/64/300 + 8 x
  // 56/64/50 s, and 7 x 5 + 56 x 15 us.
  const CollectiveTime t =
      collective_time(Operation::kAllToAll, Algorithm::kPairwise, gigabytes(8),
                      two_tiers(8, 8));
  EXPECT_NEAR(to_ms(t.beta), 2.91667 + 140, 0.0001);
  EXPECT_NEAR(to_us(t.alpha), 35 + 840, 1e-9);
}

struct Volume {
  Operation op;
  Algorithm algorithm;
  double gb;  // of 64 GB over 8 ranks in each of 8 nodes
};

TEST(Collectives, VolumesOverTheSlowTier) {
  const Volume volumes[] = {
      {Operation::kAllReduce, Algorithm::kRing, 126},
      {Operation::kReduceScatter, Algorithm::kRing, 63},
      // 2 x 7/8 of the eighth that one rank takes outside.
      {Operation::kAllReduce, Algorithm::kHierarchical, 14},
      {Operation::kReduceScatter, Algorithm::kHierarchical, 7},
      {Operation::kAllGather, Algorithm::kHierarchical, 7},
      {Operation::kAllToAll, Algorithm::kPairwise, 56},
      {Operation::kSendReceive, Algorithm::kDirect, 64},
  };
  for (const Volume& v : volumes) {
    EXPECT_NEAR(to_gb(slow_tier_volume(v.op, v.algorithm, gigabytes(64),
                                       two_tiers(8, 8))),
                v.gb, 1e-9)
        << operation_name(v.op) << ", " << algorithm_name(v.algorithm);
  }
  EXPECT_EQ(slow_tier_volume(Operation::kAllReduce, Algorithm::kRing,
                             gigabytes(64), one_tier(1, 50, 15))
                .base(),
            0.0);
}

TEST(Collectives, AGroupTakesTheLinksOfItsTiers) {
  const Group g = both_tiers(64);
  EXPECT_EQ(g.ranks(), 64);
  EXPECT_EQ(to_gbps(g.links[0].bandwidth), 300);
  EXPECT_EQ(to_gbps(g.slowest().bandwidth), 50);
  EXPECT_EQ(to_gbps(both_tiers(8).slowest().bandwidth), 300);
}

TEST(Collectives, OneRankMovesNothing) {
  const Group g = one_tier(1, 50, 15);
  EXPECT_EQ(ms_of(Operation::kAllReduce, Algorithm::kRing, gigabytes(1), g),
            0.0);
  EXPECT_EQ(crossover(Operation::kAllReduce, Algorithm::kRing, g).base(), 0.0);
}

TEST(Collectives, HierarchicalAndMultiRailNeedAGroupThatSpansTiers) {
  for (const Algorithm a : {Algorithm::kHierarchical, Algorithm::kMultiRail}) {
    EXPECT_FALSE(applies(Operation::kAllReduce, a, one_tier(8, 300, 5)));
    // One rank in each of eight nodes is one tier too.
    EXPECT_FALSE(applies(Operation::kAllReduce, a, two_tiers(1, 8)));
    EXPECT_TRUE(applies(Operation::kAllReduce, a, both_tiers(16)));
  }
  EXPECT_TRUE(
      applies(Operation::kAllGather, Algorithm::kHierarchical, both_tiers(16)));
  EXPECT_FALSE(
      applies(Operation::kAllGather, Algorithm::kMultiRail, both_tiers(16)));
  EXPECT_FALSE(
      applies(Operation::kAllToAll, Algorithm::kHierarchical, both_tiers(16)));
}

TEST(Collectives, EachOperationHasItsDefaultAlgorithm) {
  const Group node = one_tier(8, 300, 5);
  EXPECT_EQ(default_algorithm(Operation::kAllReduce, node), Algorithm::kRing);
  EXPECT_EQ(default_algorithm(Operation::kAllReduce, both_tiers(16)),
            Algorithm::kHierarchical);
  EXPECT_EQ(default_algorithm(Operation::kAllGather, both_tiers(16)),
            Algorithm::kHierarchical);
  EXPECT_EQ(default_algorithm(Operation::kAllToAll, both_tiers(16)),
            Algorithm::kPairwise);
  EXPECT_EQ(default_algorithm(Operation::kBroadcast, node),
            Algorithm::kPipelined);
  EXPECT_EQ(default_algorithm(Operation::kSendReceive, node),
            Algorithm::kDirect);
  EXPECT_EQ(
      collective_time(Operation::kAllReduce, gigabytes(14), both_tiers(64))
          .total(),
      collective_time(Operation::kAllReduce, Algorithm::kHierarchical,
                      gigabytes(14), both_tiers(64))
          .total());
}

TEST(Collectives, AShortMessageIsBestSentAtOnceAndALongOneInParts) {
  const Group node = one_tier(8, 300, 5);
  EXPECT_EQ(best_algorithm(Operation::kAllReduce, bytes(24576), node),
            Algorithm::kOneShot);
  EXPECT_EQ(best_algorithm(Operation::kAllReduce, gigabytes(14), node),
            Algorithm::kTwoShot);
  EXPECT_EQ(
      best_algorithm(Operation::kAllReduce, gigabytes(14), both_tiers(64)),
      Algorithm::kMultiRail);
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
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kReduceScatter, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kAllGather, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kAllToAll, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kBroadcast, 8), 1.0);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kSendReceive, 8), 1.0);
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
