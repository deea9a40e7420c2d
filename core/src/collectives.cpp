#include "meshwise/collectives.h"

#include <cstddef>

namespace meshwise {
namespace {

constexpr std::array<std::string_view, kOperationCount> kOperationNames{
    "all_reduce", "reduce_scatter", "all_gather",
    "all_to_all", "broadcast",      "send_receive"};
constexpr std::array<std::string_view, kAlgorithmCount> kAlgorithmNames{
    "ring",         "tree",       "one-shot", "two-shot",  "halving-doubling",
    "hierarchical", "multi-rail", "pairwise", "pipelined", "direct"};

// ceil(log2 n) in integers, so that every platform agrees.
int log2_ceil(int n) {
  int steps = 0;
  for (int reach = 1; reach < n; reach *= 2) ++steps;
  return steps;
}

bool is_scatter_or_gather(Operation op) {
  return op == Operation::kReduceScatter || op == Operation::kAllGather;
}

CollectiveTime cost(double volume, double hops, Bytes size, const Link& link) {
  return {hops * link.latency, volume * (size / link.bandwidth)};
}

CollectiveTime flat(Operation op, Algorithm algorithm, Bytes size, int ranks,
                    const Link& link) {
  const double n = ranks;
  const double share = (n - 1.0) / n;
  if (is_scatter_or_gather(op) || op == Operation::kAllToAll) {
    return cost(share, n - 1.0, size, link);
  }
  if (op == Operation::kBroadcast) return cost(1.0, n - 1.0, size, link);
  if (op == Operation::kSendReceive) return cost(1.0, 1.0, size, link);
  switch (algorithm) {
    case Algorithm::kTree:
      return cost(2.0, 2.0 * log2_ceil(ranks), size, link);
    case Algorithm::kOneShot:
      return cost(n - 1.0, 1.0, size, link);
    case Algorithm::kTwoShot:
      return cost(2.0 * share, 2.0, size, link);
    case Algorithm::kHalvingDoubling:
      return cost(2.0 * share, 2.0 * log2_ceil(ranks), size, link);
    default:
      return cost(2.0 * share, 2.0 * (n - 1.0), size, link);
  }
}

// Reduce-scatter inward on the whole tensor, and so on outward on what is
// left; an all-reduce turns round at the outermost tier and gathers back, so
// every inner tier is crossed twice.
CollectiveTime hierarchical(Operation op, Bytes size, const Group& group) {
  CollectiveTime sum;
  Bytes left = size;
  const int top = group.span.slowest();
  for (int i = 0; i <= top; ++i) {
    const auto tier = static_cast<std::size_t>(i);
    const int n = group.span.ranks[tier];
    if (n == 1) continue;
    const bool both = op == Operation::kAllReduce;
    const Operation step =
        both && i == top ? Operation::kAllReduce : Operation::kReduceScatter;
    const CollectiveTime one =
        flat(step, Algorithm::kRing, left, n, group.links[tier]);
    const double times = both && i < top ? 2.0 : 1.0;
    sum.alpha += times * one.alpha;
    sum.beta += times * one.beta;
    left = left / static_cast<double>(n);
  }
  return sum;
}

// Each node's GPUs share its NICs, so a ring through every rank crosses
// between nodes on as many rails as there are ranks in the node.
CollectiveTime multi_rail(Bytes size, const Group& group) {
  const double n = group.ranks();
  const int top = group.span.slowest();
  const double outer = group.span.ranks[static_cast<std::size_t>(top)];
  const double inner = n / outer;
  int inside = 0;
  while (group.span.ranks[static_cast<std::size_t>(inside)] == 1) ++inside;
  const Link& fast = group.links[static_cast<std::size_t>(inside)];
  const Link& slow = group.slowest();
  const BytesPerSecond bandwidth = min(fast.bandwidth, inner * slow.bandwidth);
  CollectiveTime time;
  time.beta = 2.0 * (n - 1.0) / n * (size / bandwidth);
  time.alpha = 2.0 * ((n - outer) * fast.latency + outer * slow.latency);
  return time;
}

// Pairwise exchange: a partner inside the node is reached over the node's
// link, one outside over the network.
CollectiveTime all_to_all(Bytes size, const Group& group) {
  CollectiveTime sum;
  const double n = group.ranks();
  double inside = 1.0;
  for (std::size_t i = 0; i < kMaxTiers; ++i) {
    const double reach = inside * group.span.ranks[i];
    const double partners = reach - inside;
    if (partners > 0.0) {
      const CollectiveTime one =
          cost(partners / n, partners, size, group.links[i]);
      sum.alpha += one.alpha;
      sum.beta += one.beta;
    }
    inside = reach;
  }
  return sum;
}

}  // namespace

std::string_view operation_name(Operation op) {
  return kOperationNames[static_cast<std::size_t>(op)];
}

std::string_view algorithm_name(Algorithm a) {
  return kAlgorithmNames[static_cast<std::size_t>(a)];
}

std::optional<Operation> operation_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    if (kOperationNames[i] == name) return static_cast<Operation>(i);
  }
  return std::nullopt;
}

std::optional<Algorithm> algorithm_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kAlgorithmCount; ++i) {
    if (kAlgorithmNames[i] == name) return static_cast<Algorithm>(i);
  }
  return std::nullopt;
}

Group group_of(const Span& span, const Cluster& cluster) {
  Group group;
  group.span = span;
  for (std::size_t i = 0; i < kMaxTiers; ++i) {
    const auto last = static_cast<std::size_t>(cluster.tier_count - 1);
    group.links[i] = cluster.tiers[i < last ? i : last].link;
  }
  return group;
}

bool applies(Operation op, Algorithm algorithm, const Group& group) {
  const bool crosses = group.span.crosses_tiers();
  switch (algorithm) {
    case Algorithm::kRing:
      return op == Operation::kAllReduce || is_scatter_or_gather(op);
    case Algorithm::kTree:
    case Algorithm::kOneShot:
    case Algorithm::kTwoShot:
    case Algorithm::kHalvingDoubling:
      return op == Operation::kAllReduce;
    case Algorithm::kHierarchical:
      return crosses &&
             (op == Operation::kAllReduce || is_scatter_or_gather(op));
    case Algorithm::kMultiRail:
      return crosses && op == Operation::kAllReduce;
    case Algorithm::kPairwise:
      return op == Operation::kAllToAll;
    case Algorithm::kPipelined:
      return op == Operation::kBroadcast;
    case Algorithm::kDirect:
      return op == Operation::kSendReceive;
  }
  return false;
}

CollectiveTime collective_time(Operation op, Algorithm algorithm, Bytes size,
                               const Group& group) {
  const int n = group.ranks();
  if (n <= 1) return {};
  if (algorithm == Algorithm::kHierarchical) {
    return hierarchical(op, size, group);
  }
  if (algorithm == Algorithm::kMultiRail) return multi_rail(size, group);
  if (op == Operation::kAllToAll) return all_to_all(size, group);
  return flat(op, algorithm, size, n, group.slowest());
}

Algorithm default_algorithm(Operation op, const Group& group) {
  switch (op) {
    case Operation::kAllToAll:
      return Algorithm::kPairwise;
    case Operation::kBroadcast:
      return Algorithm::kPipelined;
    case Operation::kSendReceive:
      return Algorithm::kDirect;
    default:
      return group.span.crosses_tiers() ? Algorithm::kHierarchical
                                        : Algorithm::kRing;
  }
}

CollectiveTime collective_time(Operation op, Bytes size, const Group& group) {
  return collective_time(op, default_algorithm(op, group), size, group);
}

Algorithm best_algorithm(Operation op, Bytes size, const Group& group) {
  Algorithm best = default_algorithm(op, group);
  Seconds least = collective_time(op, best, size, group).total();
  for (int i = kAlgorithmCount - 1; i >= 0; --i) {
    const auto candidate = static_cast<Algorithm>(i);
    if (!applies(op, candidate, group)) continue;
    const Seconds time = collective_time(op, candidate, size, group).total();
    if (time <= least) {
      least = time;
      best = candidate;
    }
  }
  return best;
}

Bytes slow_tier_volume(Operation op, Algorithm algorithm, Bytes size,
                       const Group& group) {
  const int n = group.ranks();
  if (n <= 1) return bytes(0.0);
  if (algorithm == Algorithm::kHierarchical) {
    Bytes left = size;
    const int top = group.span.slowest();
    for (int i = 0; i < top; ++i) {
      left = left /
             static_cast<double>(group.span.ranks[static_cast<std::size_t>(i)]);
    }
    const double outer = group.span.ranks[static_cast<std::size_t>(top)];
    return bus_factor(op, static_cast<int>(outer)) * left;
  }
  if (op == Operation::kAllToAll) {
    const int top = group.span.slowest();
    const double outer = group.span.ranks[static_cast<std::size_t>(top)];
    return (outer - 1.0) / outer * size;
  }
  return bus_factor(op, n) * size;
}

double bus_factor(Operation op, int ranks) {
  const double n = ranks;
  switch (op) {
    case Operation::kAllReduce:
      return 2.0 * (n - 1.0) / n;
    case Operation::kReduceScatter:
    case Operation::kAllGather:
    case Operation::kAllToAll:
      return (n - 1.0) / n;
    default:
      return 1.0;
  }
}

Bytes crossover(Operation op, Algorithm algorithm, const Group& group) {
  if (group.ranks() <= 1) return bytes(0.0);
  const Bytes unit = gigabytes(1.0);
  const CollectiveTime time = collective_time(op, algorithm, unit, group);
  return unit * (time.alpha / time.beta);
}

}  // namespace meshwise
