#include "meshwise/placement.h"

namespace meshwise {
namespace {

// Whether the ranks of an axis must divide the room in a unit, or may leave
// some of it idle.
enum class Fill { kExact, kLeaveIdle };

// The largest divisor of n that fits in `room`: the ranks of an axis that lie
// inside a unit.
int inside_ranks(int n, int room, Fill fill) {
  int fit = n < room ? n : room;
  while (fit > 1 &&
         (n % fit != 0 || (fill == Fill::kExact && room % fit != 0))) {
    --fit;
  }
  return fit < 1 ? 1 : fit;
}

// Ranks of an axis of this degree and stride, tier by tier.
Span span_of(int degree, std::int64_t stride, const Cluster& cluster,
             Fill fill) {
  Span span;
  int left = degree;
  std::int64_t inside = stride;
  const int last = cluster.tier_count - 1;
  for (int i = 0; i < last && left > 1; ++i) {
    const auto tier = static_cast<std::size_t>(i);
    const std::int64_t unit = cluster.tiers[tier].gpus;
    if (inside >= unit) continue;
    if (fill == Fill::kExact && unit % inside != 0) continue;
    const int room = static_cast<int>(unit / inside);
    const int ranks = inside_ranks(left, room, fill);
    span.ranks[tier] = ranks;
    left /= ranks;
    inside *= ranks;
  }
  span.ranks[static_cast<std::size_t>(last)] *= left;
  return span;
}

Placement place_in_order(const Plan& plan, const AxisOrder& order,
                         const Cluster& cluster, Fill fill) {
  Placement placement;
  std::int64_t stride = 1;
  for (const Axis axis : order) {
    const int n = degree(plan, axis);
    placement.span[static_cast<std::size_t>(axis)] =
        span_of(n, stride, cluster, fill);
    stride *= n;
  }
  return placement;
}

constexpr AxisOrder kReplicaOrder{Axis::kTp, Axis::kPp, Axis::kCp, Axis::kEp,
                                  Axis::kDp};

}  // namespace

Placement place(const Plan& plan, const Cluster& cluster) {
  return place_in_order(plan, plan.order, cluster, Fill::kExact);
}

Placement place_replica(const Plan& plan, const Cluster& cluster) {
  return place_in_order(plan, kReplicaOrder, cluster, Fill::kLeaveIdle);
}

}  // namespace meshwise
