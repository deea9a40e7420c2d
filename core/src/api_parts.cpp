#include "api_parts.h"

#include "fields.h"
#include "meshwise/compute.h"

namespace meshwise::api {

Json problem_json(const Problem& problem) {
  Json out = Json::object();
  set(out, "code", code_name(problem.code));
  set(out, "at", problem.at);
  set(out, "message", problem.message);
  if (!problem.hint.empty()) set(out, "hint", problem.hint);
  return out;
}

Json error_reply(const Problem& problem) {
  Json out = reply_of("error");
  set(out, "error", problem_json(problem));
  return out;
}

Json reply_of(const char* kind) {
  Json out = Json::object();
  set(out, "schema", std::string("meshwise.") + kind + "/1");
  return out;
}

std::optional<Problem> finish(Call& call) {
  call.reader.finish();
  if (call.reader.problems().empty()) return std::nullopt;
  return call.reader.problems().front();
}

Reader options_of(Call& call) {
  static const Json kNothing = Json::object();
  if (auto options = call.reader.object("options")) return *options;
  return Reader(kNothing, "/options", call.reader.problems());
}

std::size_t read_top(Reader& options, std::size_t standard) {
  auto top = static_cast<std::int64_t>(standard);
  options.integer("top", top, std::int64_t{1}, std::int64_t{1000});
  return static_cast<std::size_t>(top);
}

Json cluster_json(const Cluster& cluster) {
  Json out = Json::object();
  if (!cluster.name.empty()) set(out, "name", cluster.name);
  set(out, "gpus", cluster.gpus);
  put_rounded(out, "hbm_gib", to_gib(cluster.gpu.hbm));
  put(out, "hbm_bytes", cluster.gpu.hbm.base());
  put_rounded(out, "achieved_tflops", to_tflops(cluster.gpu.achieved));
  put_rounded(out, "hbm_bandwidth_gbps", to_gbps(cluster.gpu.hbm_bandwidth));
  Json tiers = Json::array();
  for (int i = 0; i < cluster.tier_count; ++i) {
    const Tier& tier = cluster.tiers[static_cast<std::size_t>(i)];
    Json each = Json::object();
    set(each, "name", tier.name);
    set(each, "gpus", tier.gpus);
    put_rounded(each, "bandwidth_gbps", to_gbps(tier.link.bandwidth));
    put_rounded(each, "latency_us", to_us(tier.link.latency));
    tiers.push_back(each);
  }
  set(out, "tiers", std::move(tiers));
  return out;
}

Json training_json(const Training& t) {
  Json out = Json::object();
  set(out, "seq_tokens", t.seq);
  set(out, "global_batch", t.global_batch);
  put(out, "critical_batch_tokens", t.critical_batch);
  put(out, "target_speedup", t.target_speedup);
  if (t.measured.step > seconds(0.0)) {
    put_rounded(out, "measured_step_ms", to_ms(t.measured.step));
    set(out, "measured_seq_tokens", t.measured.seq);
    set(out, "measured_micro_batch", t.measured.micro_batch);
  }
  put(out, "weight_bytes", t.state_bytes.weights);
  put(out, "gradient_bytes", t.state_bytes.gradients);
  put(out, "optimizer_bytes", t.state_bytes.optimizer);
  set(out, "fused_attention", t.fused_attention);
  if (t.activations == Activations::kArchitecture) {
    set(out, "activations", "architecture");
    set(out, "framework_overheads", t.framework_overheads);
  }
  if (t.fused_loss) set(out, "fused_loss", true);
  set(out, "uneven_layers", t.uneven_layers);
  put(out, "overlap", t.overlap);
  put(out, "expert_imbalance", t.expert_imbalance);
  return out;
}

Json serving_json(const Serving& s) {
  Json out = Json::object();
  set(out, "batch", s.batch);
  set(out, "batch_max", s.batch_max);
  set(out, "context_tokens", s.context);
  set(out, "prompt_tokens", s.prompt);
  put_rounded(out, "slo_tpot_ms", to_ms(s.slo_tpot));
  put(out, "weight_bytes", s.weight_bytes);
  put(out, "kv_bytes", s.kv_bytes);
  put_rounded(out, "reserve_gib", to_gib(s.reserve));
  return out;
}

Json scenario_summary(const Scenario& s) {
  Json out = Json::object();
  if (!s.id.empty()) set(out, "id", s.id);
  if (!s.title.empty()) set(out, "title", s.title);
  const bool serving = s.phase == Phase::kServing;
  set(out, "phase", serving ? "serving" : "training");
  Json model = Json::object();
  if (!s.model.id.empty()) set(model, "id", s.model.id);
  if (!s.model.name.empty()) set(model, "name", s.model.name);
  put(model, "parameters", count_parameters(s.model).total);
  set(model, "layers", s.model.layers);
  set(model, "hidden", s.model.hidden);
  set(model, "heads", s.model.heads);
  set(model, "kv_heads", s.model.kv_heads);
  set(model, "head_dim", s.model.head_dim);
  set(model, "ffn", s.model.ffn);
  set(model, "vocab", s.model.vocab);
  if (s.model.moe.experts > 0) set(model, "experts", s.model.moe.experts);
  set(out, "model", std::move(model));
  set(out, "cluster", cluster_json(s.cluster));
  if (serving) {
    set(out, "serving", serving_json(s.serving));
  } else {
    set(out, "training", training_json(s.training));
  }
  put(out, "min_efficiency", s.min_efficiency);
  return out;
}

namespace {

Json order_json(const AxisOrder& order) {
  Json out = Json::array();
  for (const Axis axis : order) out.push_back(std::string(axis_name(axis)));
  return out;
}

}  // namespace

Json plan_json(const Plan& plan) {
  const Plan standard;
  Json out = Json::object();
  set(out, "gpus", gpus_used(plan));
  for (const Axis axis : kAxes) {
    out[std::string(axis_name(axis))] = degree(plan, axis);
  }
  set(out, "zero", plan.zero);
  set(out, "recompute", recompute_name(plan.recompute));
  set(out, "micro_batch", plan.micro_batch);
  if (plan.shard_group != standard.shard_group) {
    set(out, "shard_group", plan.shard_group);
  }
  if (plan.virtual_stages != standard.virtual_stages) {
    set(out, "virtual_stages", plan.virtual_stages);
  }
  if (plan.sequence_parallel != standard.sequence_parallel) {
    set(out, "sequence_parallel", plan.sequence_parallel);
  }
  if (plan.cp_method != standard.cp_method) {
    set(out, "cp_method", cp_method_name(plan.cp_method));
  }
  if (plan.cp_zigzag != standard.cp_zigzag) {
    set(out, "cp_zigzag", plan.cp_zigzag);
  }
  if (plan.order != standard.order) set(out, "order", order_json(plan.order));
  return out;
}

Json per_gpu_json(const Scenario& scenario, const Plan& plan,
                  const StageMemory& m) {
  const LayerActivations layer = layer_activations(
      scenario.model, scenario.training, plan, plan.recompute);
  Json out = Json::object();
  put(out, "weights_bytes", m.weights.base());
  put(out, "gradients_bytes", m.gradients.base());
  put(out, "optimizer_bytes", m.optimizer.base());
  put(out, "gathered_bytes", m.gathered.base());
  put(out, "state_bytes", m.state().base());
  put(out, "activations_bytes", m.activations.base());
  put(out, "activations_per_layer_bytes", layer.total.base());
  put(out, "scores_per_layer_bytes", layer.scores.base());
  put(out, "embedding_output_bytes", m.embedding_output.base());
  put(out, "logits_bytes", m.logits.base());
  put(out, "working_set_bytes", m.working_set.base());
  if (scenario.training.activations == Activations::kArchitecture) {
    put(out, "head_input_bytes", m.head_input.base());
  }
  if (scenario.training.framework_overheads) {
    put(out, "stand_ins_bytes", m.stand_ins.base());
    put(out, "backward_set_bytes", m.backward_set.base());
  }
  put(out, "total_bytes", m.total().base());
  put(out, "capacity_bytes", scenario.cluster.gpu.hbm.base());
  return out;
}

std::string reason_text(const ReasonDetail& d) {
  const std::string have = plain_number(d.have);
  const std::string limit = plain_number(d.limit);
  switch (d.reason) {
    case Reason::kGpus:
      return "the degrees multiply to " + have + ", and there are " + limit +
             " GPUs";
    case Reason::kHeads:
      return have + " ways do not divide the " + limit + " heads";
    case Reason::kKvHeads:
      return "tp = " + have + " and the " + limit +
             " KV heads do not divide each other";
    case Reason::kLayers:
      return have + " stages do not divide the " + limit + " layers";
    case Reason::kSequence:
      return have + " slices do not divide the sequence of " + limit +
             " tokens";
    case Reason::kBatch:
      return "dp x ep x micro-batch = " + have +
             " does not divide the global batch of " + limit;
    case Reason::kInterleave:
      return "interleaving needs micro-batches (" + limit +
             ") in multiples of pp = " + have;
    case Reason::kDenseModel:
      return "ep = " + have + " in a dense model: there are no experts";
    case Reason::kExperts:
      return "ep = " + have + " does not divide the " + limit + " experts";
    case Reason::kShardGroup:
      return "a shard group of " + have + " does not divide the " + limit +
             " ranks that share";
    case Reason::kHbm:
      return "needs " + short_number(d.have / kGiB) + " GiB of the " +
             short_number(d.limit / kGiB) + " GiB a GPU has";
    case Reason::kCriticalBatch:
      return grouped(d.have) + " tokens a step are over the critical batch " +
             "of " + grouped(d.limit);
    case Reason::kSlo:
      return short_number(d.have) + " ms a token are over the target of " +
             short_number(d.limit) + " ms";
  }
  return "";
}

namespace {

Json reason_list(const std::vector<ReasonDetail>& list) {
  Json out = Json::array();
  for (const ReasonDetail& detail : list) {
    Json each = Json::object();
    set(each, "id", reason_name(detail.reason));
    put(each, "have", detail.have);
    put(each, "limit", detail.limit);
    set(each, "says", reason_text(detail));
    out.push_back(each);
  }
  return out;
}

}  // namespace

Json reasons_json(const Scenario& scenario, const Evaluation& evaluation) {
  return reason_list(explain_reasons(scenario, evaluation));
}

Json explain_json(const std::vector<Explanation>& list) {
  Json out = Json::array();
  for (const Explanation& e : list) {
    Json each = Json::object();
    set(each, "id", e.id);
    set(each, "label", e.label);
    set(each, "formula", e.formula);
    set(each, "numbers", e.numbers);
    put(each, "value", e.value);
    set(each, "unit", e.unit);
    set(each, "source", e.source);
    out.push_back(each);
  }
  return out;
}

Json assumptions_json(const std::vector<Assumption>& list) {
  Json out = Json::array();
  for (const Assumption& assumption : list) {
    Json each = Json::object();
    set(each, "id", assumption.id);
    set(each, "text", assumption.text);
    out.push_back(each);
  }
  return out;
}

std::string tier_name(const Cluster& cluster, int tier) {
  return cluster.tiers[static_cast<std::size_t>(tier)].name;
}

std::string axes_text(const Plan& plan) {
  std::string out;
  for (const Axis axis : kAxes) {
    const int n = degree(plan, axis);
    if (n == 1) continue;
    if (!out.empty()) out += ' ';
    out += std::string(axis_name(axis)) + "=" + std::to_string(n);
  }
  return out.empty() ? "one GPU" : out;
}

void need_model(Call& call, const RequestScenario& scenario) {
  if (scenario.has_model || !call.reader.problems().empty()) return;
  call.reader.fail("model", Code::kMissing, "the request has no model",
                   "a preset such as llama3-8b; or layers, hidden and heads; "
                   "or a scenario");
}

namespace {

// "1, 2, 4 or 8"
std::string list_text(const std::vector<int>& list) {
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += i + 1 == list.size() ? " or " : ", ";
    out += std::to_string(list[i]);
  }
  return out;
}

std::string divisors_text(int n, int most) {
  std::vector<int> list;
  for (int d = 1; d <= n && d <= most; ++d) {
    if (n % d == 0) list.push_back(d);
  }
  return list_text(list);
}

// The tp that both the query heads and the KV heads allow.
std::string head_degrees_text(const Model& model, int most) {
  std::vector<int> list;
  for (int d = 1; d <= model.heads && d <= most; ++d) {
    const bool kv = model.kv_heads % d == 0 || d % model.kv_heads == 0;
    if (model.heads % d == 0 && kv) list.push_back(d);
  }
  return list_text(list);
}

void shape_problem(Call& call, const char* axis, int have, int total,
                   const std::string& what, int most) {
  const std::string at = std::string("plan/") + axis;
  call.reader.fail(at.c_str(), Code::kInconsistent,
                   std::string(axis) + " = " + std::to_string(have) +
                       " does not divide the " + std::to_string(total) + " " +
                       what,
                   std::string(axis) + " may be " + divisors_text(total, most));
}

}  // namespace

void check_shape(Call& call, const Scenario& s, const Plan& plan) {
  if (!call.reader.problems().empty()) return;
  const Model& model = s.model;
  const Reasons reasons = shape_reasons(s, plan);
  const int gpus = s.cluster.gpus;
  if (reasons.has(Reason::kHeads)) {
    shape_problem(call, "tp", plan.tp, model.heads, "attention heads", gpus);
  } else if (reasons.has(Reason::kKvHeads)) {
    call.reader.fail("plan/tp", Code::kInconsistent,
                     "tp = " + std::to_string(plan.tp) + " and the " +
                         std::to_string(model.kv_heads) +
                         " KV heads do not divide each other",
                     "tp may be " + head_degrees_text(model, gpus));
  } else if (reasons.has(Reason::kLayers)) {
    shape_problem(call, "pp", plan.pp, model.layers, "layers", gpus);
  } else if (reasons.has(Reason::kDenseModel)) {
    call.reader.fail("plan/ep", Code::kInconsistent,
                     "ep = " + std::to_string(plan.ep) +
                         " in a dense model: there are no experts",
                     "ep may be 1");
  } else if (reasons.has(Reason::kExperts)) {
    shape_problem(call, "ep", plan.ep, model.moe.experts, "experts", gpus);
  } else if (reasons.has(Reason::kSequence)) {
    call.reader.fail(
        "plan/cp", Code::kInconsistent,
        "the sequence of " + std::to_string(s.training.seq) +
            " tokens does not divide by cp (twice, in zigzag order) and tp",
        "a sequence that is a multiple of 2 x cp x tp");
  } else if (reasons.has(Reason::kShardGroup)) {
    call.reader.fail("plan/shard_group", Code::kInconsistent,
                     "the shard group does not divide the ranks that share",
                     "a divisor of dp x cp x ep");
  }
}

void check_size(Call& call, const Scenario& s, std::int64_t max_micro_batch,
                std::size_t limit, std::string hint) {
  if (!call.reader.problems().empty() || s.phase == Phase::kServing) return;
  if (count_plans(s, max_micro_batch, limit + 1) <= limit) return;
  call.reader.fail("cluster/gpus", Code::kTooLarge,
                   "there are more than " +
                       grouped(static_cast<double>(limit)) + " plans to search",
                   std::move(hint));
}

}  // namespace meshwise::api
