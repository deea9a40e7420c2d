// Where each axis of a plan lies in the cluster.
//
// Axes are laid from the innermost rank outward. An axis of degree n whose
// stride (product of the degrees inside it) is q has min(n, G/q) ranks inside
// a unit of G GPUs while q < G, the rest further out. A degree that does not
// line up with the unit counts only the ranks that do.
#pragma once

#include <array>
#include <cstdint>

#include "meshwise/cluster.h"
#include "meshwise/plan.h"

namespace meshwise {

struct Placement {
  std::array<Span, kAxisCount> span;  // indexed by Axis

  [[nodiscard]] const Span& of(Axis axis) const {
    return span[static_cast<std::size_t>(axis)];
  }
  friend bool operator==(const Placement&, const Placement&) = default;
};

[[nodiscard]] Placement place(const Plan& plan, const Cluster& cluster);

// A serving replica: tp innermost, then pp, replicas outermost. A replica
// starts at the boundary of a unit, so one that does not fill the unit stays
// inside it and leaves the rest idle (tp = 6 in a node of 8).
[[nodiscard]] Placement place_replica(const Plan& plan, const Cluster& cluster);

}  // namespace meshwise
