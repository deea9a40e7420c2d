// One training step: every part of its time, and a plan's whole evaluation.
//
//   step = m max(tau_i) + (sum tau_i - max tau_i)/v
//          + exposed gradient exchange + optimizer
//
// with m micro-batches, v virtual stages and tau_i the time of one micro-batch
// on stage i: compute, exposed TP, CP and EP communication, and (without
// interleaving) its pipeline transfers. Sources, formula by formula, in
// docs/model.md; the schedule is Narayanan et al. 2021, section 2.2.
//
// evaluate() allocates nothing.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "meshwise/collectives.h"
#include "meshwise/memory.h"
#include "meshwise/placement.h"
#include "meshwise/plan.h"
#include "meshwise/scenario.h"
#include "meshwise/units.h"

namespace meshwise {

// Seconds of one step on the GPU that is busiest, by cause. The parts sum to
// `step`.
struct StepTime {
  Seconds compute;      // m micro-batches on the slowest stage
  Seconds tp;           // exposed tensor-parallel collectives
  Seconds cp;           // context-parallel exchange that attention cannot hide
  Seconds ep;           // expert dispatch and combine
  Seconds pp_bubble;    // filling and draining the pipeline
  Seconds pp_transfer;  // activations between stages that nothing hides
  Seconds dp;           // gradient exchange (and ZeRO gathers) left exposed
  Seconds optimizer;    // the update, at HBM speed; 0 where a measured step
                        // already contains it
  Seconds step;

  Seconds dp_unhidden;  // the whole data-parallel exchange, as if nothing hid
  Seconds cp_unhidden;  // the whole context-parallel exchange
};

// What a step's time means.
struct Throughput {
  double tokens_per_s = 0.0;  // over all GPUs
  double speedup = 0.0;       // over one GPU that had the memory for it, at
                              // selective recompute
  double mfu = 0.0;  // model FLOPs (causal attention) over what the GPUs'
                     // `achieved` figure would do in the same time
  double hfu = 0.0;  // the same with the FLOPs that are executed
  double statistical_efficiency = 1.0;  // 1/(1 + B/B_crit), McCandlish 2018;
                                        // reported, ranks nothing
};

struct Evaluation {
  Plan plan;
  Placement placement;
  std::int64_t micro_batches = 1;  // a step, on each rank
  PeakMemory peak;
  Verdict verdict = Verdict::kFits;
  StepTime time;
  Throughput throughput;
  Reasons reasons;  // empty: feasible

  [[nodiscard]] bool feasible() const { return reasons.empty(); }
};

// Reasons that follow from divisibility alone; memory and batch limits are
// added by evaluate().
[[nodiscard]] Reasons shape_reasons(const Scenario& scenario, const Plan& plan);

// Everything about one plan of a training scenario. An infeasible plan still
// gets its memory and, where the degrees let it be computed, its time.
[[nodiscard]] Evaluation evaluate(const Scenario& scenario, const Plan& plan);

// One reason with the quantity that binds.
struct ReasonDetail {
  Reason reason = Reason::kGpus;
  double have = 0.0;   // what the plan has or needs
  double limit = 0.0;  // what it may have at most, or must divide
};
[[nodiscard]] std::vector<ReasonDetail> explain_reasons(
    const Scenario& scenario, const Evaluation& evaluation);

// The bandwidth an axis needs on its slowest tier.
//
// V bytes a GPU moves over that tier in a step, W the compute time that can
// hide them, C the step's compute, eta the scenario's min_efficiency:
//   least = V / (W + C(1/eta - 1))   all hidden that can be
//   most  = V / (C(1/0.9 - 1))       nothing hidden, a strict reader
// W: dp 2/3 of the last micro-batch's compute (3/4 under full recompute), all
// compute under ZeRO 3; cp the attention core; tp, pp, ep nothing.
struct AxisMinimum {
  Axis axis = Axis::kDp;
  int tier = 0;       // index of the slowest tier that it spans
  Bytes volume;       // V
  Seconds hidden_by;  // W
  Seconds compute;    // C
  BytesPerSecond least;
  BytesPerSecond most;
  BytesPerSecond available;  // that tier's bandwidth
  bool viable = true;        // available >= least
  // The same V and bounds under the other defensible reading: a flat ring
  // over the slow tier, a pipeline message that is not split over tp. Equal
  // to the above where there is no other reading.
  Bytes flat_volume;
  BytesPerSecond flat_least;
  BytesPerSecond flat_most;
};

// For one axis of degree > 1. Degree 1: all zeros and viable.
[[nodiscard]] AxisMinimum axis_minimum(const Scenario& scenario,
                                       const Evaluation& evaluation, Axis axis);

// One collective that a plan runs, as the page's table lists it.
struct PlanCollective {
  Axis axis = Axis::kDp;
  Operation op = Operation::kAllReduce;
  Bytes size;          // the full tensor of one call
  double calls = 0.0;  // a step, on one GPU
  Bytes volume;        // bytes one GPU moves over its slowest tier a step
  Seconds total;       // of all calls, nothing hidden
  Seconds exposed;     // what is left after overlap
};
[[nodiscard]] std::vector<PlanCollective> plan_collectives(
    const Scenario& scenario, const Evaluation& evaluation);

}  // namespace meshwise
