// The binding constraint of a scenario, found by asking what one GPU (or, in
// serving, the fewest GPUs that hold the weights) could not do:
//
//   serving   latency            that replica misses the SLO
//   training  memory-state       one GPU cannot hold the state
//             memory-activations it holds the state, not the activations of
//                                micro-batch 1 with selective recompute
//             throughput         it holds both, and misses the time target
//             none               otherwise
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "meshwise/scenario.h"

namespace meshwise {

enum class Constraint : std::uint8_t {
  kNone,
  kMemoryState,
  kMemoryActivations,
  kThroughput,
  kLatency
};
[[nodiscard]] std::string_view constraint_name(Constraint constraint);
[[nodiscard]] std::optional<Constraint> constraint_from_name(
    std::string_view name);

// The constraint with the quantities that decided it.
struct Binding {
  Constraint constraint = Constraint::kNone;
  Bytes capacity;               // HBM of one GPU
  Bytes state;                  // training state (serving: weights) on one GPU
  Bytes activations;            // selective, micro-batch 1, logits included
  double speedup_needed = 0.0;  // training target, 0: none
  int gpus_for_weights = 1;     // serving: fewest that hold weights and KV
  Seconds tpot;                 // serving: of that replica
  Seconds slo;
};

[[nodiscard]] Binding binding_constraint(const Scenario& scenario);

}  // namespace meshwise
