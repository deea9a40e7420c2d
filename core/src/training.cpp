#include "meshwise/training.h"

#include "meshwise/compute.h"
#include "training_parts.h"

namespace meshwise {
namespace parts {
namespace {

LayerTime layer_time(const Scenario& scenario, const Plan& plan,
                     const Placement& placement, FlopsPerSecond rate,
                     Tokens count) {
  StageFlops one =
      stage_flops(scenario.model, scenario.training, plan.recompute, 1, false);
  if (plan.cp > 1 && !plan.cp_zigzag) {
    one.attention = (2.0 - 1.0 / plan.cp) * one.attention;
  }
  LayerTime out;
  out.attention = one.attention * count / rate;
  out.compute = one.matmul * count / rate + out.attention;
  out.tp = tp_exchange(scenario, plan, placement).time();
  out.ep = ep_exchange(scenario, plan, placement).time();
  out.cp_unhidden = cp_exchange(scenario, plan, placement).time();
  out.cp = out.cp_unhidden;
  if (plan.cp_method == CpMethod::kRing) {
    out.cp = max(out.cp_unhidden - out.attention, seconds(0.0));
  }
  return out;
}

}  // namespace

Pipeline pipeline(const Scenario& scenario, const Plan& plan,
                  const Placement& placement) {
  const Model& model = scenario.model;
  const FlopsPerSecond rate =
      static_cast<double>(plan.tp) * plan.cp * achieved_flops(scenario);
  const Tokens count =
      tokens(static_cast<double>(scenario.training.seq) * plan.micro_batch);
  Pipeline out;
  out.layer = layer_time(scenario, plan, placement, rate, count);
  out.head =
      stage_flops(model, scenario.training, plan.recompute, 0, true).total() *
      count / rate;
  if (plan.virtual_stages == 1) {
    out.transfer = pp_exchange(scenario, plan, placement).time();
  }
  const Seconds each =
      out.layer.compute + out.layer.tp + out.layer.cp + out.layer.ep;
  const int first = stage_layers(model, plan, 0);
  const int last = stage_layers(model, plan, plan.pp - 1);
  const Seconds first_time = static_cast<double>(first) * each;
  const Seconds last_time = static_cast<double>(last) * each + out.head;
  out.slow_has_head = plan.pp == 1 || last_time > first_time;
  out.slow_layers = out.slow_has_head ? last : first;
  out.slowest = (out.slow_has_head ? last_time : first_time) + out.transfer;
  out.sum = static_cast<double>(model.layers) * each + out.head +
            static_cast<double>(plan.pp) * out.transfer;
  return out;
}

}  // namespace parts

namespace {

bool divides(std::int64_t d, std::int64_t n) { return d > 0 && n % d == 0; }

StepTime step_time(const Scenario& scenario, const Evaluation& e) {
  const Plan& plan = e.plan;
  const parts::Pipeline pipe = parts::pipeline(scenario, plan, e.placement);
  const double m = static_cast<double>(e.micro_batches);
  const double layers = pipe.slow_layers;
  StepTime t;
  t.compute = m * pipe.slow_compute();
  t.tp = m * layers * pipe.layer.tp;
  t.cp = m * layers * pipe.layer.cp;
  t.cp_unhidden = m * layers * pipe.layer.cp_unhidden;
  t.ep = m * layers * pipe.layer.ep;
  t.pp_transfer = m * pipe.transfer;
  if (plan.pp > 1) {
    t.pp_bubble = max(pipe.sum - pipe.slowest, seconds(0.0)) /
                  static_cast<double>(plan.virtual_stages);
  }
  const parts::Exposed dp = parts::dp_time(
      scenario, plan, parts::dp_traffic(scenario, plan, e.placement), m,
      pipe.slow_compute());
  t.dp = dp.exposed;
  t.dp_unhidden = dp.total;
  t.optimizer = parts::optimizer_time(scenario, plan);
  t.step = t.compute + t.tp + t.cp + t.ep + t.pp_bubble + t.pp_transfer + t.dp +
           t.optimizer;
  return t;
}

Throughput throughput(const Scenario& scenario, const Evaluation& e) {
  const Training& training = scenario.training;
  const double sequences = static_cast<double>(e.micro_batches) * e.plan.dp *
                           e.plan.ep * e.plan.micro_batch;
  const Tokens batch = tokens(sequences * static_cast<double>(training.seq));
  const TokensPerSecond rate = batch / e.time.step;
  const TokensPerSecond one_gpu =
      achieved_flops(scenario) /
      executed_flops(scenario.model, training, Recompute::kSelective);
  const FlopsPerSecond all =
      static_cast<double>(gpus_used(e.plan)) * scenario.cluster.gpu.achieved;
  Throughput out;
  out.tokens_per_s = rate.base();
  out.speedup = rate / one_gpu;
  out.mfu =
      model_flops(scenario.model, training.seq, AttentionConvention::kCausal) *
      rate / all;
  out.hfu =
      executed_flops(scenario.model, training, e.plan.recompute) * rate / all;
  if (training.critical_batch > 0.0) {
    out.statistical_efficiency =
        1.0 / (1.0 + batch.base() / training.critical_batch);
  }
  return out;
}

bool over_critical_batch(const Training& training, const Evaluation& e) {
  const double sequences = static_cast<double>(e.micro_batches) * e.plan.dp *
                           e.plan.ep * e.plan.micro_batch;
  return training.critical_batch > 0.0 &&
         sequences * static_cast<double>(training.seq) >
             training.critical_batch;
}

// Sequence-parallel and zigzag context-parallel ranks each take an equal
// slice, so the sequence divides by all of them.
std::int64_t sequence_slices(const Plan& plan) {
  const std::int64_t zigzag = plan.cp > 1 && plan.cp_zigzag ? 2 : 1;
  const std::int64_t split =
      plan.tp > 1 && plan.sequence_parallel ? plan.tp : 1;
  return zigzag * plan.cp * split;
}

int head_ways(const Plan& plan) {
  return plan.cp_method == CpMethod::kUlysses ? plan.tp * plan.cp : plan.tp;
}

bool kv_heads_split(const Model& model, int tp) {
  return tp <= model.kv_heads ? divides(tp, model.kv_heads)
                              : divides(model.kv_heads, tp);
}

std::int64_t sharing_ranks(const Plan& plan) {
  return std::int64_t{1} * plan.dp * plan.cp * plan.ep;
}

}  // namespace

Reasons shape_reasons(const Scenario& scenario, const Plan& plan) {
  const Model& model = scenario.model;
  const Training& training = scenario.training;
  Reasons out;
  if (gpus_used(plan) != scenario.cluster.gpus) out.add(Reason::kGpus);
  if (!divides(head_ways(plan), model.heads)) out.add(Reason::kHeads);
  if (!kv_heads_split(model, plan.tp)) out.add(Reason::kKvHeads);
  const std::int64_t chunks = std::int64_t{1} * plan.pp * plan.virtual_stages;
  const bool uneven = training.uneven_layers && plan.virtual_stages == 1;
  if (chunks > model.layers || (!uneven && !divides(chunks, model.layers))) {
    out.add(Reason::kLayers);
  }
  if (!divides(sequence_slices(plan), training.seq)) {
    out.add(Reason::kSequence);
  }
  const std::int64_t share =
      std::int64_t{1} * plan.dp * plan.ep * plan.micro_batch;
  if (!divides(share, training.global_batch)) out.add(Reason::kBatch);
  if (plan.virtual_stages > 1 &&
      (plan.pp == 1 || !divides(plan.pp, micro_batches(training, plan)))) {
    out.add(Reason::kInterleave);
  }
  if (plan.ep > 1 && model.moe.experts == 0) out.add(Reason::kDenseModel);
  if (model.moe.experts > 0 && !divides(plan.ep, model.moe.experts)) {
    out.add(Reason::kExperts);
  }
  if (plan.shard_group > 0 && !divides(plan.shard_group, sharing_ranks(plan))) {
    out.add(Reason::kShardGroup);
  }
  return out;
}

Evaluation evaluate(const Scenario& scenario, const Plan& plan) {
  Evaluation e;
  e.plan = plan;
  e.reasons = shape_reasons(scenario, plan);
  e.placement = place(plan, scenario.cluster);
  e.micro_batches = micro_batches(scenario.training, plan);
  e.peak = peak_memory(scenario.model, scenario.training, plan);
  e.verdict = verdict(e.peak.memory.total(), scenario.cluster.gpu.hbm);
  if (e.verdict == Verdict::kOver) e.reasons.add(Reason::kHbm);
  if (over_critical_batch(scenario.training, e)) {
    e.reasons.add(Reason::kCriticalBatch);
  }
  e.time = step_time(scenario, e);
  e.throughput = throughput(scenario, e);
  return e;
}

std::vector<ReasonDetail> explain_reasons(const Scenario& scenario,
                                          const Evaluation& e) {
  const Model& model = scenario.model;
  const Training& training = scenario.training;
  const Plan& plan = e.plan;
  const double batch_share =
      static_cast<double>(plan.dp) * plan.ep * plan.micro_batch;
  std::vector<ReasonDetail> out;
  const auto add = [&](Reason reason, double have, double limit) {
    if (e.reasons.has(reason)) out.push_back({reason, have, limit});
  };
  add(Reason::kGpus, static_cast<double>(gpus_used(plan)),
      scenario.cluster.gpus);
  add(Reason::kHeads, head_ways(plan), model.heads);
  add(Reason::kKvHeads, plan.tp, model.kv_heads);
  add(Reason::kLayers, static_cast<double>(plan.pp) * plan.virtual_stages,
      model.layers);
  add(Reason::kSequence, static_cast<double>(sequence_slices(plan)),
      static_cast<double>(training.seq));
  add(Reason::kBatch, batch_share, static_cast<double>(training.global_batch));
  add(Reason::kInterleave, plan.pp, static_cast<double>(e.micro_batches));
  add(Reason::kDenseModel, plan.ep, 1.0);
  add(Reason::kExperts, plan.ep, model.moe.experts);
  add(Reason::kShardGroup, plan.shard_group,
      static_cast<double>(sharing_ranks(plan)));
  add(Reason::kHbm, e.peak.memory.total().base(),
      scenario.cluster.gpu.hbm.base());
  add(Reason::kCriticalBatch,
      batch_share * static_cast<double>(e.micro_batches) *
          static_cast<double>(training.seq),
      training.critical_batch);
  return out;
}

}  // namespace meshwise
