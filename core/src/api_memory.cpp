#include "api_parts.h"
#include "meshwise/activations.h"
#include "meshwise/search.h"

namespace meshwise::api {
namespace {

Json stages_json(const Scenario& s, const Evaluation& e) {
  Json out = Json::array();
  for (int i = 0; i < e.plan.pp; ++i) {
    Json stage = Json::object();
    set(stage, "stage", i);
    set(stage, "layers", stage_layers(s.model, e.plan, i));
    put(stage, "in_flight", in_flight(e.plan, e.micro_batches, i));
    stage.update(
        per_gpu_json(s, e.plan, stage_memory(s.model, s.training, e.plan, i)));
    out.push_back(stage);
  }
  return out;
}

// What one layer keeps under each choice of recompute, for this plan.
Json layer_json(const Scenario& s, const Plan& plan) {
  Json out = Json::array();
  for (const Recompute r :
       {Recompute::kNone, Recompute::kSelective, Recompute::kFull}) {
    Plan with = plan;
    with.recompute = r;
    const LayerActivations layer =
        layer_activations(s.model, s.training, with, r);
    const StageMemory memory = stage_memory(s.model, s.training, with, 0);
    Json each = Json::object();
    set(each, "recompute", recompute_name(r));
    put(each, "activations_per_layer_bytes", layer.total.base());
    put(each, "scores_per_layer_bytes", layer.scores.base());
    put(each, "working_set_bytes", memory.working_set.base());
    out.push_back(each);
  }
  return out;
}

Json tensors_json(const Scenario& s, const Plan& plan, LayerKind kind) {
  const SavedTensors saved =
      saved_tensors(s.model, s.training, plan, kind, plan.recompute);
  Json out = Json::array();
  for (const SavedTensor& each : saved.all()) {
    Json tensor = Json::object();
    set(tensor, "name", each.name);
    put(tensor, "rows", each.rows);
    put(tensor, "columns", each.columns);
    put(tensor, "value_bytes", each.value_bytes);
    put(tensor, "bytes", each.size().base());
    out.push_back(tensor);
  }
  return out;
}

// What a layer of each kind keeps, tensor by tensor. Under full recompute it
// is what comes back while one layer runs backward.
Json layer_tensors_json(const Scenario& s, const Plan& plan) {
  const Moe& moe = s.model.moe;
  Json out = Json::object();
  if (moe.experts == 0 || moe.dense_layers > 0) {
    set(out, "dense", tensors_json(s, plan, LayerKind::kDense));
  }
  if (moe.experts > 0 && moe.dense_layers < s.model.layers) {
    set(out, "moe", tensors_json(s, plan, LayerKind::kMoe));
  }
  return out;
}

Json parts_json(const Model& model) {
  const ParameterCount c = count_parameters(model);
  Json out = Json::object();
  put(out, "embedding", c.embedding);
  put(out, "head", c.head);
  put(out, "final_norm", c.final_norm);
  put(out, "layers", c.total - c.embedding - c.head - c.final_norm);
  return out;
}

Json suggestions(const Scenario& s, std::size_t top) {
  SearchOptions options;
  options.top = top;
  const SearchResult found = search(s, options);
  Json out = Json::array();
  for (const RankedPlan& ranked : found.plans) {
    const Evaluation& e = ranked.evaluation;
    Json each = Json::object();
    set(each, "rank", ranked.rank);
    set(each, "tied", ranked.tied);
    set(each, "plan", plan_json(e.plan));
    set(each, "per_gpu", per_gpu_json(s, e.plan, e.peak.memory));
    set(each, "verdict", verdict_name(e.verdict));
    put(each, "step_s", e.time.step.base());
    put(each, "relative", ranked.relative);
    out.push_back(each);
  }
  return out;
}

void add_verdict(Json& reply, const Scenario& s, const Evaluation& e) {
  const Bytes total = e.peak.memory.total();
  const Bytes capacity = s.cluster.gpu.hbm;
  set(reply, "verdict", verdict_name(e.verdict));
  if (e.verdict == Verdict::kOver) {
    put(reply, "over_bytes", (total - capacity).base());
  } else {
    put(reply, "free_bytes", (capacity - total).base());
  }
  const Headroom room = headroom(s.model, s.training, e.plan, capacity);
  set(reply, "largest_micro_batch", room.micro_batch);
  set(reply, "largest_seq_tokens", room.seq);
}

std::vector<Assumption> memory_assumptions(
    const std::vector<Assumption>& scenario, const Training& training) {
  if (!scenario.empty()) return scenario;
  if (training.activations == Activations::kArchitecture) {
    return {{"architecture",
             "Activations are the tensors that a layer saves in bf16, without "
             "dropout; framework overheads count where they are asked for."}};
  }
  return {{"textbook",
           "Textbook activations in bf16 (Korthikanti et al. 2022), no "
           "framework overheads."},
          {"logits", "fp32 logits of one micro-batch are kept for the loss."}};
}

// One step of this plan alone: the batch a plan of this many ranks takes,
// where the request states none.
void fit_batch(Scenario& s, const Plan& plan, bool stated) {
  if (stated) return;
  const std::int64_t share =
      std::int64_t{1} * plan.dp * plan.ep * plan.micro_batch;
  if (s.training.global_batch % share != 0) {
    s.training.global_batch = share;
  }
}

bool states_batch(const Json& request) {
  return request.contains("training") && request["training"].is_object() &&
         request["training"].contains("global_batch");
}

// A plan whose degrees are all stated sets the GPUs, unless they are stated
// too and differ.
void match_gpus(Call& call, RequestScenario& asked, const RequestPlan& given) {
  const std::int64_t used = gpus_used(given.plan);
  if (used == asked.scenario.cluster.gpus) return;
  if (!asked.states_gpus && used <= 1048576) {
    set_gpus(asked.scenario.cluster, static_cast<int>(used));
    return;
  }
  call.reader.fail("plan/dp", Code::kInconsistent,
                   "dp x tp x pp x cp x ep = " + std::to_string(used) +
                       ", and there are " +
                       std::to_string(asked.scenario.cluster.gpus) + " GPUs",
                   "degrees that multiply to " +
                       std::to_string(asked.scenario.cluster.gpus));
}

}  // namespace

Reply memory(Call& call) {
  RequestScenario asked =
      read_request_scenario(call.reader, call.catalog, call.shelf);
  Plan defaults;
  defaults.recompute = Recompute::kNone;
  Reader options = options_of(call);
  bool suggest = false;
  options.flag("suggest", suggest);
  const std::size_t top = read_top(options, 4);
  options.finish();
  need_model(call, asked);
  const RequestPlan given =
      read_request_plan(call.reader, asked.scenario, defaults);
  check_shape(call, asked.scenario, given.plan);
  if (call.reader.problems().empty()) match_gpus(call, asked, given);
  if (suggest) {
    check_size(call, asked.scenario, SearchOptions{}.max_micro_batch,
               kMaxSearchedPlans, "fewer GPUs or a smaller global batch");
  }
  if (auto problem = finish(call)) return *problem;

  Scenario& s = asked.scenario;
  const Scenario as_asked = s;
  fit_batch(s, given.plan, states_batch(call.request));
  const Evaluation e = evaluate(s, given.plan);
  const ParameterCount parameters = count_parameters(s.model);
  const StateBytes& each = s.training.state_bytes;
  Json out = reply_of("memory");
  set(out, "scenario_summary", scenario_summary(s));
  put(out, "parameters", parameters.total);
  put(out, "active_parameters", parameters.active);
  set(out, "parameter_parts", parts_json(s.model));
  put(out, "total_state_bytes",
      parameters.total * (each.weights + each.gradients + each.optimizer));
  set(out, "plan", plan_json(e.plan));
  set(out, "per_gpu", per_gpu_json(s, e.plan, e.peak.memory));
  set(out, "peak_stage", e.peak.stage);
  set(out, "stages", stages_json(s, e));
  set(out, "layer", layer_json(s, e.plan));
  if (s.training.activations == Activations::kArchitecture) {
    set(out, "layer_tensors", layer_tensors_json(s, e.plan));
  }
  add_verdict(out, s, e);
  set(out, "reasons", reasons_json(s, e));
  if (suggest) set(out, "plans", suggestions(as_asked, top));
  set(out, "explain", explain_json(explain_memory(s, e)));
  set(out, "assumptions",
      assumptions_json(memory_assumptions(asked.assumptions, s.training)));
  return out;
}

}  // namespace meshwise::api
