// The hardware: a GPU, and a list of interconnect tiers from the innermost
// out. The drill's cluster has two: 8 GPUs in a node at 300 GB/s and 5 us, 64
// GPUs across nodes at 50 GB/s and 15 us.
#pragma once

#include <array>
#include <string>

#include "meshwise/units.h"

namespace meshwise {

struct Gpu {
  std::string name;
  Bytes hbm;                     // usable memory
  FlopsPerSecond achieved;       // achieved dense bf16, not the peak
  BytesPerSecond hbm_bandwidth;  // achievable

  friend bool operator==(const Gpu&, const Gpu&) = default;
};

// One way of moving bytes between two GPUs: per-GPU achievable bandwidth in
// one direction, and the latency of one hop.
struct Link {
  BytesPerSecond bandwidth;
  Seconds latency;

  friend bool operator==(const Link&, const Link&) = default;
};

struct Tier {
  std::string name;  // "intra-node", "inter-node", ...
  int gpus = 1;      // GPUs inside one unit of this tier; the outermost
                     // tier's unit is the whole cluster
  Link link;

  friend bool operator==(const Tier&, const Tier&) = default;
};

inline constexpr int kMaxTiers = 4;

struct Cluster {
  std::string id;
  std::string name;
  Gpu gpu;
  int gpus = 1;        // in all
  int tier_count = 1;  // 1 to kMaxTiers, innermost first; each tier's `gpus`
                       // divides the next one's
  std::array<Tier, kMaxTiers> tiers;

  friend bool operator==(const Cluster&, const Cluster&) = default;
};

// How many of a group's ranks sit at each tier: the product over the tiers is
// the group's degree. {4, 8} on the drill's cluster is 4 ranks in each of 8
// nodes.
struct Span {
  std::array<int, kMaxTiers> ranks{1, 1, 1, 1};

  [[nodiscard]] constexpr int degree() const {
    return ranks[0] * ranks[1] * ranks[2] * ranks[3];
  }
  // Index of the outermost tier that the group crosses; 0 for one rank.
  [[nodiscard]] constexpr int slowest() const {
    int tier = 0;
    for (int i = 0; i < kMaxTiers; ++i) {
      if (ranks[static_cast<std::size_t>(i)] > 1) tier = i;
    }
    return tier;
  }
  // True when the group has ranks at more than one tier.
  [[nodiscard]] constexpr bool crosses_tiers() const {
    int used = 0;
    for (int r : ranks) used += r > 1 ? 1 : 0;
    return used > 1;
  }
  friend constexpr bool operator==(const Span&, const Span&) = default;
};

// The group that is the product of two disjoint groups, tier by tier.
[[nodiscard]] Span combine(const Span& a, const Span& b);

}  // namespace meshwise
