// The bandwidth each axis needs, and the collectives a plan runs.
#include "training_parts.h"

namespace meshwise {
namespace {

constexpr double kStrictEfficiency = 0.9;

// What one axis moves in a step, under the planner's algorithms and under the
// other defensible reading.
struct Volume {
  Bytes planner;
  Bytes other;
};

Algorithm flat_algorithm(Operation op) {
  Group one_tier;
  return default_algorithm(op, one_tier);
}

Volume volume_of(const parts::Exchange& exchange, double times) {
  const Algorithm algorithm = default_algorithm(exchange.op, exchange.group);
  return {times * exchange.volume(algorithm),
          times * exchange.volume(flat_algorithm(exchange.op))};
}

// Data-parallel traffic over the slowest tier that any of it crosses.
Volume dp_volume(const parts::DpTraffic& traffic) {
  int slowest = 0;
  for (std::size_t i = 0; i < traffic.count; ++i) {
    const int tier = traffic.list[i].exchange.group.span.slowest();
    if (tier > slowest) slowest = tier;
  }
  Volume sum;
  for (std::size_t i = 0; i < traffic.count; ++i) {
    const parts::Exchange& each = traffic.list[i].exchange;
    if (each.group.span.slowest() != slowest) continue;
    const Volume one = volume_of(each, 1.0);
    sum.planner += one.planner;
    sum.other += one.other;
  }
  return sum;
}

// The window under which most of the data-parallel traffic hides.
parts::Window dp_window(const Plan& plan) {
  if (plan.zero >= 3) return parts::Window::kAll;
  return plan.zero == 2 ? parts::Window::kEveryBackward
                        : parts::Window::kBackward;
}

Volume axis_volume(const Scenario& scenario, const Evaluation& e, Axis axis,
                   double layer_calls, double m) {
  const Placement& placement = e.placement;
  switch (axis) {
    case Axis::kDp:
      return dp_volume(parts::dp_traffic(scenario, e.plan, placement));
    case Axis::kTp:
      return volume_of(parts::tp_exchange(scenario, e.plan, placement),
                       layer_calls);
    case Axis::kCp:
      return volume_of(parts::cp_exchange(scenario, e.plan, placement),
                       layer_calls);
    case Axis::kEp:
      return volume_of(parts::ep_exchange(scenario, e.plan, placement),
                       layer_calls);
    case Axis::kPp: {
      // The message may be counted before it is split over tp.
      Volume v = volume_of(parts::pp_exchange(scenario, e.plan, placement), m);
      v.other = static_cast<double>(e.plan.tp) * v.planner;
      return v;
    }
  }
  return {};
}

}  // namespace

AxisMinimum axis_minimum(const Scenario& scenario, const Evaluation& e,
                         Axis axis) {
  AxisMinimum out;
  out.axis = axis;
  if (degree(e.plan, axis) <= 1) return out;
  const parts::Pipeline pipe = parts::pipeline(scenario, e.plan, e.placement);
  const double m = static_cast<double>(e.micro_batches);
  const double layer_calls = m * pipe.slow_layers;
  out.tier = e.placement.of(axis).slowest();
  out.available =
      scenario.cluster.tiers[static_cast<std::size_t>(out.tier)].link.bandwidth;
  out.compute = e.time.compute;
  if (axis == Axis::kDp) {
    out.hidden_by =
        parts::window_time(dp_window(e.plan), e.plan, m, pipe.slow_compute());
  } else if (axis == Axis::kCp && e.plan.cp_method == CpMethod::kRing) {
    out.hidden_by = layer_calls * pipe.layer.attention;
  }
  const Seconds allowed = (1.0 / scenario.min_efficiency - 1.0) * out.compute;
  const Seconds strict = (1.0 / kStrictEfficiency - 1.0) * out.compute;
  const Volume volume = axis_volume(scenario, e, axis, layer_calls, m);
  out.volume = volume.planner;
  out.least = volume.planner / (out.hidden_by + allowed);
  out.most = volume.planner / strict;
  out.flat_volume = volume.other;
  out.flat_least = volume.other / (out.hidden_by + allowed);
  out.flat_most = volume.other / strict;
  out.viable = out.available >= out.least;
  return out;
}

namespace {

PlanCollective collective(const parts::Exchange& exchange, double times,
                          Seconds exposed) {
  PlanCollective out;
  out.axis = exchange.axis;
  out.op = exchange.op;
  out.size = exchange.size;
  out.calls = exchange.calls * times;
  out.volume = volume_of(exchange, times).planner;
  out.total = times * exchange.time();
  out.exposed = exposed;
  return out;
}

}  // namespace

std::vector<PlanCollective> plan_collectives(const Scenario& scenario,
                                             const Evaluation& e) {
  const Plan& plan = e.plan;
  const Placement& placement = e.placement;
  const parts::Pipeline pipe = parts::pipeline(scenario, plan, placement);
  const double m = static_cast<double>(e.micro_batches);
  const double layer_calls = m * pipe.slow_layers;
  std::vector<PlanCollective> out;
  const auto add = [&](const parts::Exchange& exchange, double times,
                       Seconds exposed) {
    if (exchange.calls > 0.0) {
      out.push_back(collective(exchange, times, exposed));
    }
  };
  add(parts::tp_exchange(scenario, plan, placement), layer_calls, e.time.tp);
  add(parts::cp_exchange(scenario, plan, placement), layer_calls, e.time.cp);
  add(parts::ep_exchange(scenario, plan, placement), layer_calls, e.time.ep);
  add(parts::pp_exchange(scenario, plan, placement), m, e.time.pp_transfer);
  const parts::DpTraffic traffic = parts::dp_traffic(scenario, plan, placement);
  for (std::size_t i = 0; i < traffic.count; ++i) {
    const parts::Exchange& each = traffic.list[i].exchange;
    // What a window cannot hide is shared by what it holds, by time.
    const Seconds all = e.time.dp_unhidden;
    const double share = all > seconds(0.0) ? each.time() / all : 0.0;
    add(each, 1.0, share * e.time.dp);
  }
  return out;
}

}  // namespace meshwise
