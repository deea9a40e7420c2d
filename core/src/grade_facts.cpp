// The planner's numbers that a student's number may be compared with.

#include <algorithm>

#include "grade_parts.h"

namespace meshwise {
namespace {

class FactList {
 public:
  void add(std::string label, Dimension dimension, double value,
           std::string_view kind = "") {
    if (!(value > 0.0)) return;
    facts_.push_back({std::move(label), dimension, value, kind});
  }
  void add(std::string label, Bytes value, std::string_view kind = "") {
    add(std::move(label), Dimension::kBytes, value.base(), kind);
  }
  void add(std::string label, Seconds value, std::string_view kind = "") {
    add(std::move(label), Dimension::kTime, value.base(), kind);
  }
  void ratio(std::string label, double value) {
    add(std::move(label), Dimension::kRatio, value);
  }
  std::vector<Fact> take() { return std::move(facts_); }

 private:
  std::vector<Fact> facts_;
};

void one_gpu(const Scenario& scenario, FactList& list) {
  const Model& model = scenario.model;
  const Training& training = scenario.training;
  Plan plan;
  const StageMemory memory = peak_memory(model, training, plan).memory;
  list.add("the training state", memory.state(), "state");
  list.add("the weights", memory.weights, "weights");
  list.add("the gradients", memory.gradients, "gradients");
  list.add("the optimizer state", memory.optimizer, "state");
  list.add("the logits", memory.logits, "activations");
  list.add("HBM", scenario.cluster.gpu.hbm, "hbm");
  list.add("the state, in GPUs", Dimension::kFactor,
           memory.state() / scenario.cluster.gpu.hbm, "state");
  for (Recompute recompute :
       {Recompute::kNone, Recompute::kSelective, Recompute::kFull}) {
    const std::string name(recompute_name(recompute));
    plan.recompute = recompute;
    const StageMemory m = peak_memory(model, training, plan).memory;
    const LayerActivations layer =
        layer_activations(model, training, plan, recompute);
    list.add("activations, " + name, m.activations, "activations");
    list.add("activations a layer, " + name, layer.total, "layer");
    list.add("the score matrix of a layer", layer.scores, "layer");
    list.add("the total, " + name, m.total(), "total");
    list.add("state and activations, " + name, m.state() + m.activations,
             "total");
    list.add("the activations, in GPUs", Dimension::kFactor,
             m.activations / scenario.cluster.gpu.hbm, "activations");
    list.ratio("the total over HBM, " + name,
               m.total() / scenario.cluster.gpu.hbm);
  }
  if (training.measured.step.base() > 0.0) {
    list.add("the measured step", training.measured.step, "step");
  }
}

void memory_of_plan(const Followed& followed, FactList& list) {
  const StageMemory& m = followed.evaluation.peak.memory;
  list.add("the plan's state a GPU", m.state(), "state");
  list.add("the plan's weights a GPU", m.weights, "weights");
  list.add("the plan's activations a GPU", m.activations, "activations");
  list.add("the plan's total a GPU", m.total(), "total");
  list.add("the plan's state and activations", m.state() + m.activations,
           "total");
  const LayerActivations layer =
      layer_activations(followed.scenario.model, followed.scenario.training,
                        followed.plan, followed.plan.recompute);
  list.add("the plan's activations a layer", layer.total, "layer");
}

void times_of_plan(const Followed& followed, FactList& list) {
  const StepTime& time = followed.evaluation.time;
  const auto m = static_cast<double>(
      std::max<std::int64_t>(followed.evaluation.micro_batches, 1));
  list.add("the plan's step", time.step, "step");
  list.add("the step's compute", time.compute, "step");
  list.add("compute of a micro-batch", time.compute / m, "step");
  list.add("the backward pass", time.compute / m * (2.0 / 3.0), "step");
  list.add("the backward pass of the step", time.compute * (2.0 / 3.0), "step");
  list.add("the pipeline bubble", time.pp_bubble);
  list.add("exposed gradient exchange", time.dp);
  list.add("the gradient exchange, unhidden", time.dp_unhidden, "collective");
  list.add("the CP exchange, unhidden", time.cp_unhidden, "collective");
  list.add("the TP collectives", time.tp, "collective");
  list.add("the speed-up", Dimension::kFactor,
           followed.evaluation.throughput.speedup, "speedup");
  list.ratio("MFU", followed.evaluation.throughput.mfu);
  list.ratio("the bubble's share", time.pp_bubble / time.step);
  list.ratio("the TP share of the step", time.tp / time.step);
  list.ratio("TP over compute", time.tp / time.compute);
  list.ratio("the unhidden exchange over the step",
             time.dp_unhidden / time.step);
  const Training& training = followed.scenario.training;
  list.add("tokens a step", Dimension::kTokens,
           static_cast<double>(training.global_batch * training.seq));
  list.add(
      "compute of 6 P tokens",
      Seconds(6.0 * count_parameters(followed.scenario.model).active *
              static_cast<double>(training.seq * followed.plan.micro_batch) /
              (followed.plan.tp * followed.plan.pp * followed.plan.cp *
               achieved_flops(followed.scenario).base())),
      "step");
}

void flat_reading(const PlanCollective& one, const Followed& followed,
                  const std::string& name, FactList& list) {
  const Span& span = followed.evaluation.placement.of(one.axis);
  const Group group = group_of(span, followed.scenario.cluster);
  for (int i = 0; i < kAlgorithmCount; ++i) {
    const auto algorithm = static_cast<Algorithm>(i);
    if (!applies(one.op, algorithm, group)) continue;
    const CollectiveTime time =
        collective_time(one.op, algorithm, one.size, group);
    const Bytes volume = slow_tier_volume(one.op, algorithm, one.size, group);
    list.add(name + " by " + std::string(algorithm_name(algorithm)),
             time.total(), "collective");
    list.add(
        name + " by " + std::string(algorithm_name(algorithm)) + ", a step",
        time.total() * one.calls, "collective");
    // A hop's own latency is the hardware's number, not a result.
    if (time.alpha.base() > 2.0 * group.slowest().latency.base()) {
      list.add(name + "'s latency part", time.alpha, "collective");
    }
    list.add(name + "'s volume", volume, "collective");
    list.add(name + "'s volume a step", volume * one.calls, "collective");
  }
  // The part inside the innermost unit, and the part outside it.
  const double n = span.ranks[0];
  const double twice = one.op == Operation::kAllReduce ? 2.0 : 1.0;
  const Bytes inside = one.size * (twice * (n - 1.0) / n);
  list.add(name + " inside the node", inside, "collective");
  list.add(name + " inside the node, a step", inside * one.calls, "collective");
  list.add(name + " inside the node",
           Seconds(inside.base() /
                   followed.scenario.cluster.tiers[0].link.bandwidth.base()),
           "collective");
  list.add(name + ", the shard of a node", one.size / n, "collective");
}

void collectives_of_plan(const Followed& followed, FactList& list) {
  const auto m = static_cast<double>(
      std::max<std::int64_t>(followed.evaluation.micro_batches, 1));
  for (const PlanCollective& one :
       plan_collectives(followed.scenario, followed.evaluation)) {
    std::string name(axis_name(one.axis));
    name += " " + std::string(operation_name(one.op));
    list.add(name + "'s message", one.size, "collective");
    list.add(name + "'s volume a step", one.volume, "collective");
    list.add(name + "'s volume a micro-batch", one.volume / m, "collective");
    list.add(name + "'s volume a call", one.volume / std::max(one.calls, 1.0),
             "collective");
    list.add(name + "'s time a step", one.total, "collective");
    list.add(name + "'s time a micro-batch", one.total / m, "collective");
    list.add(name + "'s time a call", one.total / std::max(one.calls, 1.0),
             "collective");
    list.add(name + ", exposed", one.exposed, "collective");
    list.add("the sum over the calls", one.size * one.calls, "collective");
    list.add("the sum over a micro-batch", one.size * (one.calls / m),
             "collective");
    flat_reading(one, followed, name, list);
  }
  for (Axis axis : kAxes) {
    if (degree(followed.plan, axis) < 2) continue;
    const AxisMinimum least =
        axis_minimum(followed.scenario, followed.evaluation, axis);
    const std::string name(axis_name(axis));
    list.add(name + "'s volume on its slow tier", least.volume, "collective");
    list.add(name + "'s volume, flat", least.flat_volume, "collective");
    list.add(name + "'s volume a micro-batch", least.volume / m, "collective");
    list.add(name + "'s flat volume a micro-batch", least.flat_volume / m,
             "collective");
    list.add("the time that hides " + name, least.hidden_by, "step");
    if (least.available.base() > 0.0) {
      list.add(name + "'s transfer time",
               Seconds(least.volume.base() / least.available.base()),
               "collective");
    }
  }
}

void serving_facts(const Scenario& scenario, const Followed& followed,
                   FactList& list) {
  const DecodeTime& time = followed.decode;
  const double weights =
      count_parameters(scenario.model).total * scenario.serving.weight_bytes;
  list.add("the weights", Bytes(weights), "weights");
  list.add("HBM", scenario.cluster.gpu.hbm, "hbm");
  list.add("the weights, in GPUs", Dimension::kFactor,
           weights / scenario.cluster.gpu.hbm.base(), "weights");
  list.add(
      "KV cache a token",
      Bytes(kv_values_per_token(scenario.model) * scenario.serving.kv_bytes),
      "kv");
  if (!followed.stated) return;
  list.add("weights a GPU", time.weights_per_gpu, "weights");
  list.add("KV cache a GPU", time.kv_per_gpu, "kv");
  const double replica = followed.plan.tp;
  list.add("the KV cache", time.kv_per_gpu * replica, "kv");
  list.add(
      "KV cache at the top batch",
      time.kv_bytes_per_token * static_cast<double>(scenario.serving.batch_max *
                                                    scenario.serving.context),
      "kv");
  list.add("the token time", time.tpot, "token_time");
  list.add("reading the weights", time.weights, "weights");
  list.add("reading the KV cache", time.kv, "kv");
  list.add("reading the KV cache at the top batch",
           time.kv * static_cast<double>(scenario.serving.batch_max) /
               static_cast<double>(
                   std::max<std::int64_t>(followed.scenario.serving.batch, 1)),
           "kv");
  list.add("weights and collectives", time.weights + time.collective,
           "token_time");
  list.add("the all-reduces", time.collective, "collective");
  list.add("one all-reduce", time.one_all_reduce, "collective");
  list.add("an all-reduce's message", time.message, "collective");
  list.add("the time to the first token", time.ttft, "prefill");
  list.add("prefill's compute", time.ttft_compute, "prefill");
  list.add("prefill's collectives", time.ttft_collective, "prefill");
  list.add("cached tokens that fit", Dimension::kTokens, time.max_tokens, "kv");
  list.add("room for the KV cache", time.kv_bytes_per_token * time.max_tokens,
           "kv");
  list.ratio("the all-reduces' share", time.collective / time.tpot);
  const Group group =
      group_of(time.placement.of(Axis::kTp), followed.scenario.cluster);
  const double calls = 2.0 * scenario.model.layers;
  for (int i = 0; i < kAlgorithmCount; ++i) {
    const auto algorithm = static_cast<Algorithm>(i);
    if (!applies(Operation::kAllReduce, algorithm, group)) continue;
    const CollectiveTime one =
        collective_time(Operation::kAllReduce, algorithm, time.message, group);
    const std::string name(algorithm_name(algorithm));
    list.add("one all-reduce by " + name, one.total(), "collective");
    list.add("the all-reduces by " + name, one.total() * calls, "collective");
    list.add("their latency by " + name, one.alpha * calls, "collective");
    list.add("their bandwidth part by " + name, one.beta, "collective");
  }
  if (group.ranks() > 1) {
    list.add("the message's bandwidth part",
             Seconds(time.message.base() / group.slowest().bandwidth.base()),
             "collective");
  }
}

}  // namespace

std::vector<Fact> planner_facts(const Scenario& scenario,
                                const Followed& followed) {
  FactList list;
  if (!followed.training) {
    serving_facts(scenario, followed, list);
    return list.take();
  }
  one_gpu(scenario, list);
  if (followed.stated && followed.product <= 1048576) {
    memory_of_plan(followed, list);
    if (followed.evaluation.time.step.base() > 0.0) {
      times_of_plan(followed, list);
      collectives_of_plan(followed, list);
    }
  }
  return list.take();
}

bool near(double stated, double truth, double tolerance) {
  const double off = stated - truth;
  return (off < 0.0 ? -off : off) <= tolerance * truth * (1.0 + 1e-9);
}

bool matches_fact(const Amount& amount, const Fact& fact, double tolerance) {
  if (amount.dimension != fact.dimension) return false;
  if (near(amount.value, fact.value, tolerance)) return true;
  return amount.upper > amount.value && amount.value <= fact.value &&
         fact.value <= amount.upper && amount.upper <= 1.5 * amount.value;
}

bool consistent(const std::vector<Amount>& amounts, double bandwidth,
                double tolerance) {
  for (const Amount& volume : amounts) {
    if (volume.dimension != Dimension::kBytes || volume.value <= 0.0) continue;
    for (const Amount& time : amounts) {
      if (time.dimension != Dimension::kTime || time.value <= 0.0) continue;
      if (near(volume.value / time.value, bandwidth, tolerance)) return true;
    }
  }
  return false;
}

bool is_given(const Findings& given, const Amount& amount) {
  return std::any_of(
      given.amounts.begin(), given.amounts.end(), [&](const Amount& one) {
        return one.dimension == amount.dimension && one.value > 0.0 &&
               near(amount.value, one.value, 0.005);
      });
}

}  // namespace meshwise
