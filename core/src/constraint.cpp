#include "meshwise/constraint.h"

#include <array>

#include "meshwise/decode.h"
#include "meshwise/memory.h"

namespace meshwise {
namespace {

constexpr std::array<std::string_view, 5> kNames{
    "none", "memory-state", "memory-activations", "throughput", "latency"};

// Reasons that say a replica cannot be built, whatever its speed.
bool cannot_hold(Reasons reasons) {
  return reasons.has(Reason::kHbm) || reasons.has(Reason::kHeads) ||
         reasons.has(Reason::kKvHeads);
}

Binding serving_binding(const Scenario& scenario) {
  Binding out;
  out.capacity = scenario.cluster.gpu.hbm;
  out.slo = scenario.serving.slo_tpot;
  out.state = bytes(count_parameters(scenario.model).total *
                    scenario.serving.weight_bytes);
  out.gpus_for_weights = 0;
  for (int tp = 1; tp <= scenario.cluster.gpus; ++tp) {
    Plan plan;
    plan.tp = tp;
    const DecodeTime time = decode(scenario, plan);
    if (cannot_hold(time.reasons)) continue;
    out.gpus_for_weights = tp;
    out.tpot = time.tpot;
    if (!time.slo_met) out.constraint = Constraint::kLatency;
    break;
  }
  if (out.constraint == Constraint::kNone && out.gpus_for_weights != 1) {
    out.constraint = Constraint::kMemoryState;
  }
  return out;
}

Binding training_binding(const Scenario& scenario) {
  const Training& training = scenario.training;
  Plan one_gpu;
  const StageMemory memory = stage_memory(scenario.model, training, one_gpu, 0);
  Binding out;
  out.capacity = scenario.cluster.gpu.hbm;
  out.state = memory.state();
  out.activations = memory.total() - memory.state();
  out.speedup_needed = training.target_speedup;
  if (out.state > out.capacity) {
    out.constraint = Constraint::kMemoryState;
  } else if (out.state + out.activations > out.capacity) {
    out.constraint = Constraint::kMemoryActivations;
  } else if (training.target_speedup > 1.0) {
    out.constraint = Constraint::kThroughput;
  }
  return out;
}

}  // namespace

std::string_view constraint_name(Constraint constraint) {
  return kNames[static_cast<std::size_t>(constraint)];
}

std::optional<Constraint> constraint_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Constraint>(i);
  }
  return std::nullopt;
}

Binding binding_constraint(const Scenario& scenario) {
  return scenario.phase == Phase::kServing ? serving_binding(scenario)
                                           : training_binding(scenario);
}

}  // namespace meshwise
