// A scenario: one model on one cluster with one task. Every question to the
// planner is a question about a Scenario; the drill's four are data.
#pragma once

#include <string>

#include "meshwise/cluster.h"
#include "meshwise/model.h"
#include "meshwise/workload.h"

namespace meshwise {

struct Scenario {
  std::string id;  // "A", "" for the user's own
  std::string title;
  Phase phase = Phase::kTraining;
  Model model;
  Cluster cluster;
  Training training;  // read when phase is kTraining
  Serving serving;    // read when phase is kServing
  // Share of the step that must stay compute for an axis to be viable on its
  // tier.
  double min_efficiency = 0.7;

  friend bool operator==(const Scenario&, const Scenario&) = default;
};

// FLOP/s a GPU achieves on this scenario's model: from the measured step
// where there is one (compute FLOPs of that step over its time), else the
// GPU's own figure.
[[nodiscard]] FlopsPerSecond achieved_flops(const Scenario& scenario);

}  // namespace meshwise
