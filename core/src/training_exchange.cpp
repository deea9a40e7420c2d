#include <algorithm>

#include "training_parts.h"

namespace meshwise::parts {
namespace {

constexpr double kBf16 = 2.0;  // bytes of an activation on the wire

double rank_tokens(const Scenario& scenario, const Plan& plan) {
  return static_cast<double>(scenario.training.seq) * plan.micro_batch /
         plan.cp;
}

// KV heads one TP rank holds; they replicate once tp exceeds them.
double rank_kv_heads(const Model& model, const Plan& plan) {
  return std::max(static_cast<double>(model.kv_heads) / plan.tp, 1.0);
}

// The first `inner` ranks of a group, counted from the innermost tier, and
// the groups of the rest.
struct SplitSpan {
  Span inner;
  Span outer;
};
SplitSpan split(const Span& span, int inner) {
  SplitSpan out;
  int left = inner;
  for (std::size_t i = 0; i < kMaxTiers; ++i) {
    int take = std::min(left, span.ranks[i]);
    while (take > 1 && (span.ranks[i] % take != 0 || left % take != 0)) {
      --take;
    }
    out.inner.ranks[i] = take;
    out.outer.ranks[i] = span.ranks[i] / take;
    left /= take;
  }
  return out;
}

// The stage with the most parameters on a rank.
StageParameters largest_stage(const Model& model, const Plan& plan) {
  StageParameters most = stage_parameters(model, plan, 0);
  const int step = stage_step(model, plan);
  for (int stage = step; stage < plan.pp; stage += step) {
    const StageParameters each = stage_parameters(model, plan, stage);
    if (most.shared + most.experts < each.shared + each.experts) most = each;
  }
  return most;
}

// Traffic of `parameters` replicated over `span`.
void add_traffic(DpTraffic& traffic, const Scenario& scenario, const Plan& plan,
                 double parameters, const Span& span) {
  if (parameters <= 0.0 || span.degree() <= 1) return;
  const StateBytes& each = scenario.training.state_bytes;
  const Bytes gradients = bytes(each.gradients * parameters);
  const Bytes weights = bytes(each.weights * parameters);
  const double m = static_cast<double>(micro_batches(scenario.training, plan));
  const bool hybrid =
      plan.zero > 0 && plan.shard_group > 0 && plan.shard_group < span.degree();
  const SplitSpan parts =
      hybrid ? split(span, plan.shard_group) : SplitSpan{span, Span{}};
  const Group shard = group_of(parts.inner, scenario.cluster);
  if (plan.zero == 0) {
    traffic.add(Operation::kAllReduce, gradients, shard, 1.0,
                Window::kBackward);
  } else if (plan.zero == 1) {
    traffic.add(Operation::kReduceScatter, gradients, shard, 1.0,
                Window::kBackward);
    traffic.add(Operation::kAllGather, weights, shard, 1.0, Window::kForward);
  } else if (plan.zero == 2) {
    traffic.add(Operation::kReduceScatter, gradients, shard, m,
                Window::kEveryBackward);
    traffic.add(Operation::kAllGather, weights, shard, 1.0, Window::kForward);
  } else {
    traffic.add(Operation::kAllGather, weights, shard, 2.0 * m, Window::kAll);
    traffic.add(Operation::kReduceScatter, gradients, shard, m, Window::kAll);
  }
  if (hybrid) {
    traffic.add(
        Operation::kAllReduce, gradients / static_cast<double>(shard.ranks()),
        group_of(parts.outer, scenario.cluster), 1.0, Window::kBackward);
  }
}

// Share of a micro-batch's compute that its backward pass takes.
double backward_share(const Plan& plan) {
  return plan.recompute == Recompute::kFull ? 3.0 / 4.0 : 2.0 / 3.0;
}

}  // namespace

void DpTraffic::add(Operation op, Bytes size, const Group& group, double calls,
                    Window window) {
  list[count] = {{Axis::kDp, op, size, group, calls}, window};
  ++count;
}

Exchange tp_exchange(const Scenario& scenario, const Plan& plan,
                     const Placement& placement) {
  Exchange out{Axis::kTp, Operation::kAllReduce, {}, {}, 0.0};
  out.group = group_of(placement.of(Axis::kTp), scenario.cluster);
  if (plan.tp == 1) return out;
  out.size = bytes(kBf16 * rank_tokens(scenario, plan) * scenario.model.hidden);
  // Attention and FFN end in a sum over the ranks each, forward and backward;
  // side by side they end in one, and begin in one where a norm serves both.
  const Model& model = scenario.model;
  const double forward = model.parallel_blocks ? 1.0 : 2.0;
  const double backward =
      model.parallel_blocks && model.norms_per_layer == 1 ? 1.0 : 2.0;
  const bool again = plan.recompute == Recompute::kFull;
  out.calls = (again ? 2.0 : 1.0) * forward + backward;
  return out;
}

Exchange cp_exchange(const Scenario& scenario, const Plan& plan,
                     const Placement& placement) {
  Exchange out{Axis::kCp, Operation::kSendReceive, {}, {}, 0.0};
  out.group = group_of(placement.of(Axis::kCp), scenario.cluster);
  if (plan.cp == 1) return out;
  const Model& model = scenario.model;
  const double tokens = rank_tokens(scenario, plan);
  const double kv = rank_kv_heads(model, plan) * kv_head_values(model);
  // Forward once, backward twice (keys and values, and their gradients);
  // full recompute runs the forward exchange again.
  const double passes = plan.recompute == Recompute::kFull ? 4.0 : 3.0;
  if (plan.cp_method == CpMethod::kRing) {
    out.size = bytes(kBf16 * tokens * kv);
    out.calls = passes * (plan.cp - 1.0);
  } else if (plan.cp_method == CpMethod::kAllGather) {
    out.op = Operation::kAllGather;
    out.size = bytes(kBf16 * tokens * kv * plan.cp);
    out.calls = passes;
  } else {
    out.op = Operation::kAllToAll;
    const double q =
        static_cast<double>(model.heads) / plan.tp * kv_head_values(model);
    out.size = bytes(kBf16 * tokens * (q + kv));
    out.calls = passes - 1.0;
  }
  return out;
}

Exchange ep_exchange(const Scenario& scenario, const Plan& plan,
                     const Placement& placement) {
  Exchange out{Axis::kEp, Operation::kAllToAll, {}, {}, 0.0};
  out.group = group_of(placement.of(Axis::kEp), scenario.cluster);
  const Moe& moe = scenario.model.moe;
  if (plan.ep == 1 || moe.experts == 0) return out;
  out.size = bytes(kBf16 * scenario.model.hidden * rank_tokens(scenario, plan) *
                   moe.top_k * moe.capacity / plan.tp);
  // Dispatch and combine, forward and backward.
  const double passes = plan.recompute == Recompute::kFull ? 6.0 : 4.0;
  const double moe_share =
      1.0 - static_cast<double>(moe.dense_layers) / scenario.model.layers;
  out.calls = passes * moe_share * scenario.training.expert_imbalance;
  return out;
}

Exchange pp_exchange(const Scenario& scenario, const Plan& plan,
                     const Placement& placement) {
  Exchange out{Axis::kPp, Operation::kSendReceive, {}, {}, 0.0};
  out.group = group_of(placement.of(Axis::kPp), scenario.cluster);
  if (plan.pp == 1) return out;
  out.size = bytes(kBf16 * rank_tokens(scenario, plan) * scenario.model.hidden /
                   plan.tp);
  out.calls = 2.0 * plan.virtual_stages;
  return out;
}

DpTraffic dp_traffic(const Scenario& scenario, const Plan& plan,
                     const Placement& placement) {
  DpTraffic traffic;
  const StageParameters held = largest_stage(scenario.model, plan);
  const Span experts =
      combine(placement.of(Axis::kDp), placement.of(Axis::kCp));
  add_traffic(traffic, scenario, plan, held.shared,
              combine(experts, placement.of(Axis::kEp)));
  add_traffic(traffic, scenario, plan, held.experts, experts);
  return traffic;
}

Seconds window_time(Window window, const Plan& plan, double m,
                    Seconds micro_batch_compute) {
  const double backward = backward_share(plan);
  switch (window) {
    case Window::kBackward:
      return backward * micro_batch_compute;
    case Window::kEveryBackward:
      return m * backward * micro_batch_compute;
    case Window::kForward:
      return (1.0 - backward) * micro_batch_compute;
    case Window::kAll:
      return m * micro_batch_compute;
  }
  return seconds(0.0);
}

Exposed dp_time(const Scenario& scenario, const Plan& plan,
                const DpTraffic& traffic, double m,
                Seconds micro_batch_compute) {
  constexpr std::size_t kWindows = 4;
  std::array<Seconds, kWindows> wanted{};
  Exposed out;
  for (std::size_t i = 0; i < traffic.count; ++i) {
    const DpExchange& each = traffic.list[i];
    const Seconds time = each.exchange.time();
    wanted[static_cast<std::size_t>(each.window)] += time;
    out.total += time;
  }
  for (std::size_t i = 0; i < kWindows; ++i) {
    const Seconds hidden =
        scenario.training.overlap *
        window_time(static_cast<Window>(i), plan, m, micro_batch_compute);
    if (wanted[i] > hidden) out.exposed += wanted[i] - hidden;
  }
  return out;
}

Seconds optimizer_time(const Scenario& scenario, const Plan& plan) {
  // A measured step already contains the update.
  if (scenario.training.measured.step > seconds(0.0)) return seconds(0.0);
  const StateBytes& each = scenario.training.state_bytes;
  const StageParameters held = largest_stage(scenario.model, plan);
  const double ranks = static_cast<double>(plan.dp) * plan.cp;
  double shared = held.shared;
  double experts = held.experts;
  if (plan.zero > 0) {
    const double group = plan.shard_group;
    shared /= group > 0.0 ? std::min(group, ranks * plan.ep) : ranks * plan.ep;
    experts /= group > 0.0 ? std::min(group, ranks) : ranks;
  }
  // Gradients are read, the optimizer's state read and written, the weights
  // written.
  const double moved = each.gradients + 2.0 * each.optimizer + each.weights;
  return bytes(moved * (shared + experts)) / scenario.cluster.gpu.hbm_bandwidth;
}

}  // namespace meshwise::parts
