#include "meshwise/report.h"

#include "meshwise/activations.h"
#include "meshwise/compute.h"
#include "text.h"

namespace meshwise {
namespace {

constexpr const char* kKorthikanti =
    "Korthikanti et al. 2022 (arXiv:2205.05198), section 4";
constexpr const char* kZero =
    "Rajbhandari et al. 2020 (arXiv:1910.02054), section 5";
constexpr const char* kMegatron = "Narayanan et al. 2021 (arXiv:2104.04473)";
constexpr const char* kThakur =
    "Thakur, Rabenseifner and Gropp 2005; nccl-tests PERFORMANCE.md";
constexpr const char* kPope = "Pope et al. 2022 (arXiv:2211.05102), section 2";
constexpr const char* kDrill = "the drill's own rule, docs/model.md";

std::string num(double value) { return short_number(value); }
std::string count(std::int64_t value) {
  return grouped(static_cast<double>(value));
}

Explanation row(const char* id, const char* label, std::string formula,
                std::string numbers, double value, const char* unit,
                const char* source) {
  return {id,   label, std::move(formula), std::move(numbers), value,
          unit, source};
}

bool splits_sequence(const Plan& plan) {
  return plan.tp > 1 && plan.sequence_parallel;
}

// How often a layer sums over the tensor-parallel ranks.
const char* tp_formula(const Model& model) {
  if (!model.parallel_blocks) {
    return "4 a layer and micro-batch (6 under full recompute) of 2·T·h bytes";
  }
  return model.norms_per_layer == 1
             ? "2 a layer and micro-batch (3 under full recompute) of 2·T·h "
               "bytes"
             : "3 a layer and micro-batch (4 under full recompute) of 2·T·h "
               "bytes";
}

// Attention's part of the parameters of a layer.
std::string attention_formula(const Model& model) {
  const LatentAttention& latent = model.latent;
  if (latent.kv_rank == 0) return "2h·a·dh + 2h·k·dh";
  return std::string(latent.q_rank > 0 ? "h·rq + rq·a(dn + dr)"
                                       : "h·a(dn + dr)") +
         " + h(rkv + dr) + rkv·a(dn + dv) + a·dv·h";
}

Explanation explain_parameters(const Model& model) {
  const double total = count_parameters(model).total;
  if (model.stated_parameters > 0.0) {
    return row("parameters", "Parameters", "P, as stated", grouped(total),
               total, "parameters", "the input");
  }
  const std::string dims =
      "L = " + count(model.layers) + ", h = " + count(model.hidden) +
      ", a = " + count(model.heads) + ", k = " + count(model.kv_heads) +
      ", dh = " + count(model.head_dim) + ", f = " + count(model.ffn) +
      ", V = " + count(model.vocab);
  return row("parameters", "Parameters",
             "L(" + attention_formula(model) + " + " +
                 (model.gated_mlp ? "3" : "2") + "hf + norms and biases) + " +
                 (model.tied_head ? "1" : "2") + "·Vh + final norm",
             dims, total, "parameters", kMegatron);
}

Explanation explain_state(const Scenario& scenario, const Evaluation& e) {
  const StateBytes& each = scenario.training.state_bytes;
  const StageParameters held =
      stage_parameters(scenario.model, e.plan, e.peak.stage);
  const double p = held.shared + held.experts;
  const double ranks = static_cast<double>(e.plan.dp) * e.plan.cp * e.plan.ep;
  const std::string w = num(each.weights);
  const std::string g = num(each.gradients);
  const std::string o = num(each.optimizer);
  std::string formula;
  std::string per;
  switch (e.plan.zero) {
    case 0:
      formula = "(w + g + o)·P of the GPU";
      per = "(" + w + " + " + g + " + " + o + ")";
      break;
    case 1:
      formula = "(w + g + o/D)·P of the GPU";
      per = "(" + w + " + " + g + " + " + o + "/" + num(ranks) + ")";
      break;
    case 2:
      formula = "(w + (g + o)/D)·P of the GPU";
      per = "(" + w + " + (" + g + " + " + o + ")/" + num(ranks) + ")";
      break;
    default:
      formula = "(w + g + o)/D·P of the GPU + layers gathered";
      per = "(" + w + " + " + g + " + " + o + ")/" + num(ranks);
      break;
  }
  std::string numbers = per + " B x " + grouped(p);
  if (e.plan.zero >= 3) {
    numbers += " + " + num(to_gib(e.peak.memory.gathered)) + " GiB";
  }
  return row("state", "Training state a GPU", formula, numbers,
             to_gib(e.peak.memory.state()), "GiB", kZero);
}

// The tensors that a layer saves, added up one by one.
Explanation explain_tensors(const Scenario& scenario, const Evaluation& e) {
  const Model& model = scenario.model;
  const bool moe =
      model.moe.experts > 0 && model.moe.dense_layers < model.layers;
  const SavedTensors saved = saved_tensors(
      model, scenario.training, e.plan,
      moe ? LayerKind::kMoe : LayerKind::kDense, e.plan.recompute);
  std::string formula;
  std::string numbers;
  for (const SavedTensor& each : saved.all()) {
    const char* plus = formula.empty() ? "" : " + ";
    formula += plus + std::string(each.name);
    numbers += plus + num(each.rows) + " x " + num(each.columns) + " x " +
               num(each.value_bytes);
  }
  return row("activations_per_layer", "Tensors of one layer, one micro-batch",
             formula, numbers + " bytes", to_gib(saved.total()), "GiB",
             kKorthikanti);
}

Explanation explain_layer(const Scenario& scenario, const Evaluation& e) {
  if (scenario.training.activations == Activations::kArchitecture &&
      e.plan.recompute != Recompute::kFull) {
    return explain_tensors(scenario, e);
  }
  const Model& model = scenario.model;
  const Plan& plan = e.plan;
  const double tokens =
      static_cast<double>(scenario.training.seq) * plan.micro_batch / plan.cp;
  const LayerActivations layer =
      layer_activations(model, scenario.training, plan, plan.recompute);
  const std::string t = count(plan.tp);
  const std::string th = num(tokens) + " x " + count(model.hidden);
  std::string formula;
  std::string numbers;
  if (plan.recompute == Recompute::kFull) {
    formula = splits_sequence(plan) ? "2·T·h/t" : "2·T·h";
    numbers = "2 x " + th + (splits_sequence(plan) ? " / " + t : "");
  } else {
    formula = splits_sequence(plan) ? "34·T·h/t" : "T·h·(10 + 24/t)";
    numbers = splits_sequence(plan) ? "34 x " + th + " / " + t
                                    : th + " x (10 + 24/" + t + ")";
  }
  if (plan.recompute == Recompute::kNone) {
    formula += " + 5·a·T·s/t";
    numbers += " + 5 x " + count(model.heads) + " x " + num(tokens) + " x " +
               count(scenario.training.seq) + " / " + t;
  }
  return row("activations_per_layer",
             "Activations of one layer, one micro-batch", formula,
             numbers + " bytes", to_gib(layer.total), "GiB", kKorthikanti);
}

Explanation explain_activations(const Scenario& scenario, const Evaluation& e) {
  const LayerActivations layer = layer_activations(
      scenario.model, scenario.training, e.plan, e.plan.recompute);
  const double kept = in_flight(e.plan, e.micro_batches, e.peak.stage);
  const int layers = stage_layers(scenario.model, e.plan, e.peak.stage);
  return row("activations", "Activations kept",
             "layers of the stage x micro-batches in flight x one layer",
             count(layers) + " x " + num(kept) + " x " +
                 num(to_gib(layer.total)) + " GiB",
             to_gib(e.peak.memory.activations), "GiB", kKorthikanti);
}

Explanation explain_logits(const Scenario& scenario, const Evaluation& e) {
  const double tokens = static_cast<double>(scenario.training.seq) *
                        e.plan.micro_batch / e.plan.cp;
  return row("logits", "Logits kept for the loss", "4·T·V/t",
             "4 x " + num(tokens) + " x " + count(scenario.model.vocab) +
                 " / " + count(e.plan.tp) + " bytes",
             to_gib(e.peak.memory.logits), "GiB", kKorthikanti);
}

Explanation explain_total(const Evaluation& e) {
  const StageMemory& m = e.peak.memory;
  return row("total", "Memory of the fullest GPU",
             "state + activations + embedding mask + working set + logits",
             num(to_gib(m.state())) + " + " + num(to_gib(m.activations)) +
                 " + " + num(to_gib(m.embedding_output)) + " + " +
                 num(to_gib(m.working_set)) + " + " + num(to_gib(m.logits)) +
                 " GiB",
             to_gib(m.total()), "GiB", "the sum of the table");
}

}  // namespace

std::vector<Explanation> explain_memory(const Scenario& scenario,
                                        const Evaluation& e) {
  std::vector<Explanation> out;
  out.push_back(explain_parameters(scenario.model));
  out.push_back(explain_state(scenario, e));
  out.push_back(explain_layer(scenario, e));
  out.push_back(explain_activations(scenario, e));
  if (e.peak.memory.logits > bytes(0.0)) {
    out.push_back(explain_logits(scenario, e));
  }
  out.push_back(explain_total(e));
  return out;
}

namespace {

std::string ms(Seconds s) { return num(to_ms(s)) + " ms"; }

const PlanCollective* find_axis(const std::vector<PlanCollective>& list,
                                Axis axis) {
  for (const PlanCollective& each : list) {
    if (each.axis == axis) return &each;
  }
  return nullptr;
}

Explanation explain_compute(const Scenario& scenario, const Evaluation& e) {
  const Plan& plan = e.plan;
  const FlopsPerToken each =
      executed_flops(scenario.model, scenario.training, plan.recompute);
  const double tokens = static_cast<double>(e.micro_batches) *
                        plan.micro_batch *
                        static_cast<double>(scenario.training.seq);
  const std::string stage =
      plan.pp > 1 ? " (the slowest of " + count(plan.pp) + " stages)" : "";
  return row("compute", "Compute",
             "m·b·s x FLOPs a token / (t·c·p x achieved)" + stage,
             num(tokens) + " tokens x " + num(each.base() / 1e9) +
                 " GFLOP / (" +
                 count(std::int64_t{1} * plan.tp * plan.cp * plan.pp) + " x " +
                 num(to_tflops(achieved_flops(scenario))) + " TFLOP/s)",
             to_ms(e.time.compute), "ms", kMegatron);
}

Explanation explain_exchange(const PlanCollective& c, const char* id,
                             const char* label, const char* formula,
                             Seconds value) {
  return row(id, label, formula,
             num(c.calls) + " x " + std::string(operation_name(c.op)) + " of " +
                 num(to_gb(c.size)) + " GB: " + ms(c.total) + " in all, " +
                 ms(c.exposed) + " exposed",
             to_ms(value), "ms", kThakur);
}

Explanation explain_bubble(const Evaluation& e) {
  return row("pp_bubble", "Pipeline bubble",
             "(sum of the stages - the slowest)/v, (p - 1)/v micro-batches",
             "p = " + count(e.plan.pp) + ", m = " + count(e.micro_batches) +
                 ", v = " + count(e.plan.virtual_stages),
             to_ms(e.time.pp_bubble), "ms", kMegatron);
}

Explanation explain_dp(const Evaluation& e) {
  return row("dp", "Gradient exchange left exposed",
             "exchange - what hides under the backward pass (ZeRO 3: under "
             "all compute)",
             ms(e.time.dp_unhidden) + " in all, " + ms(e.time.dp) + " exposed",
             to_ms(e.time.dp), "ms", kZero);
}

Explanation explain_optimizer(const Evaluation& e) {
  return row("optimizer", "Optimizer",
             "(g + 2·o + w) x parameters of the shard / HBM bandwidth",
             ms(e.time.optimizer), to_ms(e.time.optimizer), "ms",
             "reads and writes of the state");
}

Explanation explain_whole_step(const Evaluation& e) {
  const StepTime& t = e.time;
  return row("step", "Step",
             "compute + TP + CP + EP + bubble + transfers + DP + optimizer",
             num(to_ms(t.compute)) + " + " + num(to_ms(t.tp)) + " + " +
                 num(to_ms(t.cp)) + " + " + num(to_ms(t.ep)) + " + " +
                 num(to_ms(t.pp_bubble)) + " + " + num(to_ms(t.pp_transfer)) +
                 " + " + num(to_ms(t.dp)) + " + " + num(to_ms(t.optimizer)) +
                 " ms",
             to_ms(t.step), "ms", "the sum of the parts");
}

Explanation explain_speedup(const Scenario& scenario, const Evaluation& e) {
  const double one =
      achieved_flops(scenario) /
      executed_flops(scenario.model, scenario.training, Recompute::kSelective) /
      TokensPerSecond(1.0);
  return row("speedup", "Speed-up over one GPU",
             "tokens/s / (achieved / FLOPs a token, selective)",
             num(e.throughput.tokens_per_s) + " / " + num(one),
             e.throughput.speedup, "x", kDrill);
}

Explanation explain_minimum(const Scenario& scenario, const Evaluation& e,
                            Axis axis) {
  const AxisMinimum m = axis_minimum(scenario, e, axis);
  const std::string name(axis_name(axis));
  const std::string id = "minimum_" + name;
  const std::string label = "Least bandwidth of " + name;
  return row(id.c_str(), label.c_str(),
             "V/(W + C(1/eta - 1)); at most V/(C(1/0.9 - 1))",
             num(to_gb(m.volume)) + " GB / (" + num(m.hidden_by.base()) +
                 " s + " + num(m.compute.base()) + " s x (1/" +
                 num(scenario.min_efficiency) + " - 1)); at most " +
                 num(to_gbps(m.most)) + " GB/s",
             to_gbps(m.least), "GB/s", kDrill);
}

}  // namespace

std::vector<Explanation> explain_step(const Scenario& scenario,
                                      const Evaluation& e) {
  std::vector<Explanation> out;
  const std::vector<PlanCollective> list = plan_collectives(scenario, e);
  out.push_back(explain_compute(scenario, e));
  const auto add = [&](Axis axis, const char* id, const char* label,
                       const char* formula, Seconds value) {
    if (const PlanCollective* c = find_axis(list, axis)) {
      out.push_back(explain_exchange(*c, id, label, formula, value));
    }
  };
  add(Axis::kTp, "tp", "Tensor-parallel all-reduces",
      tp_formula(scenario.model), e.time.tp);
  add(Axis::kCp, "cp", "Context-parallel exchange",
      "passes of K and V, less what hides under the attention core", e.time.cp);
  add(Axis::kEp, "ep", "Expert all-to-alls",
      "4 a layer of 2·h·T·top_k·capacity/t bytes, times the imbalance",
      e.time.ep);
  if (e.plan.pp > 1) out.push_back(explain_bubble(e));
  add(Axis::kPp, "pp_transfer", "Stage-to-stage transfers",
      "2·v a micro-batch of 2·T·h/t bytes", e.time.pp_transfer);
  if (e.time.dp_unhidden > seconds(0.0)) out.push_back(explain_dp(e));
  if (e.time.optimizer > seconds(0.0)) out.push_back(explain_optimizer(e));
  out.push_back(explain_whole_step(e));
  out.push_back(explain_speedup(scenario, e));
  for (const Axis axis : kAxes) {
    if (degree(e.plan, axis) > 1) {
      out.push_back(explain_minimum(scenario, e, axis));
    }
  }
  return out;
}

namespace {

const char* formula_of(Operation op, Algorithm algorithm) {
  if (op == Operation::kReduceScatter || op == Operation::kAllGather) {
    return algorithm == Algorithm::kHierarchical
               ? "inside on B, across on B/n_i"
               : "(n-1)/n B/bw + (n-1)·al";
  }
  switch (algorithm) {
    case Algorithm::kRing:
      return "2(n-1)/n B/bw + 2(n-1)·al";
    case Algorithm::kTree:
      return "2 B/bw + 2 ceil(log2 n)·al";
    case Algorithm::kOneShot:
      return "(n-1) B/bw + al";
    case Algorithm::kTwoShot:
      return "2(n-1)/n B/bw + 2·al";
    case Algorithm::kHalvingDoubling:
      return "2(n-1)/n B/bw + 2 ceil(log2 n)·al";
    case Algorithm::kHierarchical:
      return "reduce-scatter inside on B, all-reduce across on B/n_i, "
             "all-gather inside on B";
    case Algorithm::kMultiRail:
      return "2(n-1)/n B/min(bw_i, r·bw_o) + 2[(n - n_o)·al_i + n_o·al_o]";
    case Algorithm::kPairwise:
      return "(n-1)/n B/bw + (n-1)·al";
    case Algorithm::kPipelined:
      return "B/bw + (n-1)·al";
    case Algorithm::kDirect:
      return "B/bw + al";
  }
  return "";
}

}  // namespace

std::vector<Explanation> explain_collective(Operation op, Algorithm algorithm,
                                            Bytes size, const Group& group) {
  const CollectiveTime time = collective_time(op, algorithm, size, group);
  const Link& link = group.slowest();
  std::vector<Explanation> out;
  out.push_back(row(
      "time", "Time of the default algorithm", formula_of(op, algorithm),
      "n = " + count(group.ranks()) + ", B = " + num(size.base()) +
          " bytes, bw = " + num(to_gbps(link.bandwidth)) +
          " GB/s, al = " + num(to_us(link.latency)) + " us: bandwidth part " +
          ms(time.beta) + " + latency part " + ms(time.alpha),
      to_ms(time.total()), "ms", kThakur));
  out.push_back(row("crossover", "Size where latency and bandwidth are equal",
                    "B at which the bandwidth part equals the latency part",
                    "latency part " + ms(time.alpha),
                    crossover(op, algorithm, group).base(), "bytes", kThakur));
  return out;
}

namespace {

Explanation explain_tpot(const DecodeTime& t) {
  return row("tpot", "Time an output token",
             "max(weights + KV, compute) + all-reduces + hops",
             "max(" + num(to_ms(t.weights)) + " + " + num(to_ms(t.kv)) + ", " +
                 num(to_ms(t.compute)) + ") + " + num(to_ms(t.collective)) +
                 " + " + num(to_ms(t.hops)) + " ms",
             to_ms(t.tpot), "ms", kPope);
}

}  // namespace

std::vector<Explanation> explain_decode(const Scenario& scenario,
                                        const Plan& plan, const DecodeTime& t) {
  const Serving& serving = scenario.serving;
  const double parameters = count_parameters(scenario.model).active;
  const std::string hbm =
      num(to_gbps(scenario.cluster.gpu.hbm_bandwidth)) + " GB/s";
  std::vector<Explanation> out;
  out.push_back(explain_tpot(t));
  out.push_back(
      row("weights", "Reading the weights", "P x bytes / t / HBM bandwidth",
          num(parameters / 1e9) + "e9 x " + num(serving.weight_bytes) +
              " B / " + count(plan.tp) + " / " + hbm,
          to_ms(t.weights), "ms", kPope));
  out.push_back(row("kv", "Reading the KV cache",
                    scenario.model.latent.kv_rank > 0
                        ? "batch x context x latent bytes a token, whole on "
                          "each rank / HBM bandwidth"
                        : "batch x context x KV bytes a token / t / HBM "
                          "bandwidth",
                    count(serving.batch) + " x " + count(serving.context) +
                        " x " + num(t.kv_bytes_per_token.base() / 1e6) +
                        " MB / " + count(kv_ways(scenario.model, plan.tp)) +
                        " / " + hbm,
                    to_ms(t.kv), "ms", kPope));
  out.push_back(row("collective", "All-reduces of one token",
                    "2·L all-reduces of 2·b·h bytes",
                    "2 x " + count(scenario.model.layers) + " x " +
                        num(to_us(t.one_all_reduce)) + " us (" +
                        num(t.message.base()) + " bytes each, " +
                        std::string(algorithm_name(t.algorithm)) + ")",
                    to_ms(t.collective), "ms", kThakur));
  out.push_back(row("ttft", "Time to the first token",
                    "prompt FLOPs / (t x achieved) + all-reduces",
                    num(to_ms(t.ttft_compute)) + " + " +
                        num(to_ms(t.ttft_collective)) + " ms",
                    to_ms(t.ttft), "ms", kPope));
  out.push_back(row("max_tokens", "KV tokens a replica holds",
                    "(HBM - weights - reserve) x GPUs / KV bytes a token",
                    num(to_gib(t.weights_per_gpu)) + " GiB of weights a GPU, " +
                        num(t.kv_bytes_per_token.base() / 1e6) + " MB a token",
                    t.max_tokens, "tokens", kPope));
  return out;
}

}  // namespace meshwise
