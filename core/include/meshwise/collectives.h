// Time of a collective by the alpha-beta model: B bytes of the full tensor, n
// ranks, bw bytes/s a GPU, al seconds a hop.
//
//   all-reduce  ring               2(n-1)/n B/bw + 2(n-1) al
//               tree               2B/bw + 2 ceil(log2 n) al
//               one-shot           (n-1) B/bw + al
//               two-shot           2(n-1)/n B/bw + 2 al
//               halving-doubling   2(n-1)/n B/bw + 2 ceil(log2 n) al
//               hierarchical       reduce-scatter inside on B, all-reduce
//                                  outside on B/n_i, all-gather inside on B
//               multi-rail         2(n-1)/n B/min(bw_i, r bw_o)
//                                  + 2[(n - n_o) al_i + n_o al_o]
//   reduce-scatter, all-gather     ring (n-1)/n B/bw + (n-1) al, hierarchical
//   all-to-all  pairwise           (n-1)/n B/bw + (n-1) al
//   broadcast   pipelined          B/bw + (n-1) al
//   send-recv   direct             B/bw + al
//
// A flat algorithm over a group that spans tiers runs at its slowest link.
// Sources: Thakur, Rabenseifner & Gropp 2005; Sanders, Speck & Traeff 2009
// (double binary trees); nccl-tests PERFORMANCE.md (bus bandwidth).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "meshwise/cluster.h"
#include "meshwise/units.h"

namespace meshwise {

enum class Operation : std::uint8_t {
  kAllReduce,
  kReduceScatter,
  kAllGather,
  kAllToAll,
  kBroadcast,
  kSendReceive
};
inline constexpr int kOperationCount = 6;

enum class Algorithm : std::uint8_t {
  kRing,
  kTree,
  kOneShot,
  kTwoShot,
  kHalvingDoubling,
  kHierarchical,
  kMultiRail,
  kPairwise,
  kPipelined,
  kDirect
};
inline constexpr int kAlgorithmCount = 10;

[[nodiscard]] std::string_view operation_name(Operation op);  // "all_reduce"
[[nodiscard]] std::string_view algorithm_name(Algorithm a);   // "one-shot"
[[nodiscard]] std::optional<Operation> operation_from_name(
    std::string_view name);
[[nodiscard]] std::optional<Algorithm> algorithm_from_name(
    std::string_view name);

// The ranks of a collective by tier, and the link of each tier.
struct Group {
  Span span;
  std::array<Link, kMaxTiers> links;

  [[nodiscard]] int ranks() const { return span.degree(); }
  [[nodiscard]] const Link& slowest() const {
    return links[static_cast<std::size_t>(span.slowest())];
  }
};
[[nodiscard]] Group group_of(const Span& span, const Cluster& cluster);

struct CollectiveTime {
  Seconds alpha;  // latency part
  Seconds beta;   // bandwidth part

  [[nodiscard]] Seconds total() const { return alpha + beta; }
};

// True when the algorithm is defined for the operation and the group
// (hierarchical and multi-rail need a group that spans tiers).
[[nodiscard]] bool applies(Operation op, Algorithm algorithm,
                           const Group& group);

// Zero for a group of one. Precondition: applies().
[[nodiscard]] CollectiveTime collective_time(Operation op, Algorithm algorithm,
                                             Bytes size, const Group& group);

// What the planner uses when no algorithm is named: hierarchical where the
// group spans tiers and the operation has it, else the operation's flat one.
[[nodiscard]] Algorithm default_algorithm(Operation op, const Group& group);
[[nodiscard]] CollectiveTime collective_time(Operation op, Bytes size,
                                             const Group& group);

// The applicable algorithm of least time; ties go to the first listed.
[[nodiscard]] Algorithm best_algorithm(Operation op, Bytes size,
                                       const Group& group);

// Bytes one GPU moves over the slowest tier of the group (ring volume on that
// tier; hierarchical where the group spans tiers, else flat).
[[nodiscard]] Bytes slow_tier_volume(Operation op, Algorithm algorithm,
                                     Bytes size, const Group& group);

// busbw = algbw x factor, as nccl-tests defines it: 2(n-1)/n for all-reduce,
// (n-1)/n for reduce-scatter, all-gather and all-to-all, 1 otherwise.
[[nodiscard]] double bus_factor(Operation op, int ranks);

// The size at which the latency and bandwidth parts are equal; 0 for one
// rank.
[[nodiscard]] Bytes crossover(Operation op, Algorithm algorithm,
                              const Group& group);

}  // namespace meshwise
