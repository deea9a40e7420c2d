// What is true of the plan that is followed: failure modes, and reasons for
// leaving an axis out.

#include <algorithm>

#include "grade_parts.h"
#include "meshwise/compute.h"

namespace meshwise {
namespace {

// The exposed time of an axis when nothing of it is hidden, over the step.
double exposed_share(const Followed& followed, Axis axis) {
  const StepTime& time = followed.evaluation.time;
  Seconds exposed;
  switch (axis) {
    case Axis::kDp:
      exposed = max(time.dp_unhidden, time.dp);
      break;
    case Axis::kTp:
      exposed = time.tp;
      break;
    case Axis::kPp:
      exposed = time.pp_bubble;
      break;
    case Axis::kCp:
      exposed = max(time.cp_unhidden, time.cp);
      break;
    case Axis::kEp:
      exposed = time.ep;
      break;
  }
  const double step = time.step.base();
  return step > 0.0 ? exposed.base() / step : 0.0;
}

bool past_critical(const Judge& judge) {
  const Training& training = judge.followed.scenario.training;
  const double batch =
      static_cast<double>(training.global_batch * training.seq);
  return training.critical_batch > 0.0 &&
         batch >= judge.tolerances().critical_share * training.critical_batch;
}

bool training_mode(const Judge& judge, std::string_view name) {
  const Followed& f = judge.followed;
  const Plan& p = f.plan;
  const double share = judge.tolerances().mode_share;
  const auto exposed = [&](Axis axis) {
    return degree(p, axis) > 1 && exposed_share(f, axis) >= share;
  };
  if (name == "critical_batch") return past_critical(judge);
  if (name == "dp_exposed") return exposed(Axis::kDp);
  if (name == "pp_bubble" || name == "pp_imbalance") return p.pp > 1;
  if (name == "tp_exposed") return exposed(Axis::kTp);
  if (name == "small_kernels") return p.tp >= 8;
  if (name == "cp_imbalance") return p.cp > 1;
  if (name == "cp_exposed") return exposed(Axis::kCp);
  if (name == "zero3_exposed") return p.zero == 3 && exposed(Axis::kDp);
  if (name == "full_recompute") return p.recompute == Recompute::kFull;
  if (name == "tight_memory") {
    return f.evaluation.peak.memory.total() / f.scenario.cluster.gpu.hbm >= 0.7;
  }
  if (name == "moe_imbalance") return p.ep > 1;
  return false;
}

bool serving_mode(const Judge& judge, std::string_view name) {
  const Followed& f = judge.followed;
  const Scenario& s = f.scenario;
  if (name == "kv_growth" || name == "kv_exhaustion" ||
      name == "prefill_interrupts") {
    return true;
  }
  if (name == "slo_top") {
    if (s.serving.slo_tpot.base() <= 0.0) return false;
    Scenario top = s;
    top.serving.batch = s.serving.batch_max;
    return decode(top, f.plan, f.algorithm).tpot.base() >
           0.8 * s.serving.slo_tpot.base();
  }
  if (name == "tp_latency_floor") {
    return f.plan.tp > 1 &&
           f.decode.collective.base() >=
               judge.tolerances().mode_share * f.decode.tpot.base();
  }
  if (name == "batch_one") {
    return f.decode.compute.base() < 0.5 * f.decode.weights.base();
  }
  if (name == "small_kernels") return f.plan.tp >= 8;
  if (name == "moe_imbalance") return s.model.moe.experts > 0;
  return false;
}

// Attention's own share of the FLOPs: what a long sequence costs.
double attention_share(const Scenario& scenario) {
  const StageFlops each =
      stage_flops(scenario.model, scenario.training, Recompute::kNone,
                  scenario.model.layers, true);
  return each.attention / each.total();
}

bool serving_reason(const Judge& judge, Axis axis, std::string_view reason) {
  const Followed& f = judge.followed;
  if (reason == "serial" || reason == "bubble") return axis == Axis::kPp;
  if (reason == "one-token") return axis == Axis::kCp;
  if (reason == "short-sequence") return axis == Axis::kCp;
  if (reason == "one-replica" || reason == "replicates") {
    return axis == Axis::kDp;
  }
  if (reason == "dense") {
    return axis == Axis::kEp && f.scenario.model.moe.experts == 0;
  }
  if (reason == "fits") {
    return axis != Axis::kTp && f.runs && f.decode.slo_met;
  }
  return reason == "critical-path" && axis == Axis::kPp;
}

}  // namespace

const std::vector<std::string_view>& known_predicates() {
  static const std::vector<std::string_view> kNames{
      "always",         "critical_batch",
      "dp_exposed",     "pp_bubble",
      "pp_imbalance",   "tp_exposed",
      "small_kernels",  "cp_imbalance",
      "cp_exposed",     "zero3_exposed",
      "full_recompute", "tight_memory",
      "moe_imbalance",  "kv_growth",
      "kv_exhaustion",  "prefill_interrupts",
      "slo_top",        "tp_latency_floor",
      "batch_one"};
  return kNames;
}

bool mode_holds(const Judge& judge, std::string_view predicate) {
  if (predicate == "always") return true;
  return judge.followed.training ? training_mode(judge, predicate)
                                 : serving_mode(judge, predicate);
}

bool reason_holds(const Judge& judge, Axis axis, std::string_view reason) {
  const Followed& f = judge.followed;
  if (!f.training) return serving_reason(judge, axis, reason);
  const Training& training = f.scenario.training;
  if (reason == "bubble") return axis == Axis::kPp;
  if (reason == "serial") return axis == Axis::kPp;
  if (reason == "critical-path" || reason == "small-kernels") {
    return axis == Axis::kTp;
  }
  if (reason == "fits") {
    return f.runs_as_stated && axis != Axis::kDp && axis != Axis::kEp;
  }
  if (reason == "sharded") {
    return f.runs && axis != Axis::kDp &&
           (f.plan.zero > 0 || f.plan.tp * f.plan.pp > 1);
  }
  if (reason == "short-sequence") {
    return axis == Axis::kCp && attention_share(f.scenario) < 1.0 / 3.0;
  }
  if (reason == "dense") {
    return axis == Axis::kEp && f.scenario.model.moe.experts == 0;
  }
  if (reason == "replicates") return axis == Axis::kDp && f.plan.zero == 0;
  // tp and cp split what a layer keeps for the backward pass; these do not.
  if (reason == "layer-size") {
    return axis == Axis::kPp || axis == Axis::kDp || axis == Axis::kEp;
  }
  if (reason == "batch-limit") {
    return axis == Axis::kDp && training.critical_batch > 0.0 &&
           static_cast<double>(f.scenario.cluster.gpus) *
                   static_cast<double>(training.seq) >
               0.5 * training.critical_batch;
  }
  return false;
}

}  // namespace meshwise
