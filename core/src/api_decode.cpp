#include <algorithm>

#include "api_parts.h"
#include "meshwise/constraint.h"
#include "meshwise/decode.h"

namespace meshwise::api {
namespace {

// Decode's all-reduces that a course compares, in the order shown.
constexpr Algorithm kDecodeAlgorithms[] = {Algorithm::kRing,
                                           Algorithm::kTree,
                                           Algorithm::kOneShot,
                                           Algorithm::kTwoShot,
                                           Algorithm::kHalvingDoubling,
                                           Algorithm::kHierarchical,
                                           Algorithm::kMultiRail};

std::vector<std::string> algorithm_names() {
  std::vector<std::string> out;
  for (const Algorithm a : kDecodeAlgorithms) {
    out.emplace_back(algorithm_name(a));
  }
  return out;
}

Json decode_reasons(const Scenario& s, const Plan& plan, const DecodeTime& t) {
  Json out = Json::array();
  const auto add = [&](Reason reason, double have, double limit) {
    if (!t.reasons.has(reason)) return;
    Json each = Json::object();
    set(each, "id", reason_name(reason));
    put(each, "have", have);
    put(each, "limit", limit);
    set(each, "says", reason_text({reason, have, limit}));
    out.push_back(each);
  };
  add(Reason::kGpus, static_cast<double>(gpus_used(plan)), s.cluster.gpus);
  add(Reason::kHeads, plan.tp, s.model.heads);
  add(Reason::kKvHeads, plan.tp, s.model.kv_heads);
  add(Reason::kLayers, plan.pp, s.model.layers);
  add(Reason::kDenseModel, plan.ep, 1.0);
  add(Reason::kHbm,
      (t.weights_per_gpu + t.kv_per_gpu + s.serving.reserve).base(),
      s.cluster.gpu.hbm.base());
  add(Reason::kSlo, to_ms(t.tpot), to_ms(s.serving.slo_tpot));
  return out;
}

Json serving_plan_json(const Plan& plan) {
  Json out = Json::object();
  set(out, "gpus", gpus_used(plan));
  for (const Axis axis : kAxes) {
    out[std::string(axis_name(axis))] = degree(plan, axis);
  }
  return out;
}

Json algorithms_json(const Scenario& s, const Plan& plan) {
  const Group group =
      group_of(place_replica(plan, s.cluster).of(Axis::kTp), s.cluster);
  Json out = Json::array();
  for (const Algorithm a : kDecodeAlgorithms) {
    if (!applies(Operation::kAllReduce, a, group)) continue;
    const DecodeTime t = meshwise::decode(s, plan, a);
    Json each = Json::object();
    set(each, "algorithm", algorithm_name(a));
    put(each, "one_all_reduce_s", t.one_all_reduce.base());
    put(each, "tpot_s", t.tpot.base());
    set(each, "slo_met", t.slo_met);
    out.push_back(each);
  }
  return out;
}

Json sweep_json(const Scenario& s, const Plan& plan, Algorithm algorithm) {
  Json out = Json::array();
  const std::int64_t last = s.serving.batch_max;
  for (std::int64_t context = s.serving.context;
       context <= 4 * s.serving.context; context *= 2) {
    std::int64_t batch = 1;
    while (true) {
      Scenario at = s;
      at.serving.batch = batch;
      at.serving.context = context;
      const DecodeTime t = meshwise::decode(at, plan, algorithm);
      Json each = Json::object();
      set(each, "batch", batch);
      set(each, "context_tokens", context);
      put(each, "tpot_s", t.tpot.base());
      set(each, "slo_met", t.slo_met);
      out.push_back(each);
      if (batch >= last) break;
      batch = std::min(2 * batch, last);
    }
  }
  return out;
}

void put_time(Json& out, const DecodeTime& t) {
  put(out, "tpot_s", t.tpot.base());
  put(out, "ttft_s", t.ttft.base());
  put(out, "weights_s", t.weights.base());
  put(out, "kv_s", t.kv.base());
  put(out, "compute_s", t.compute.base());
  put(out, "collective_s", t.collective.base());
  put(out, "hops_s", t.hops.base());
}

Json plans_json(const Scenario& s, const std::vector<DecodePlan>& plans,
                std::size_t top) {
  Json out = Json::array();
  for (std::size_t i = 0; i < plans.size() && i < top; ++i) {
    const DecodePlan& p = plans[i];
    Json each = Json::object();
    set(each, "plan", serving_plan_json(p.plan));
    put_time(each, p.time);
    put(each, "max_tokens", p.time.max_tokens);
    set(each, "slo_met", p.time.slo_met);
    put(each, "relative", plans.front().time.tpot / p.time.tpot);
    set(each, "reasons", decode_reasons(s, p.plan, p.time));
    out.push_back(each);
  }
  return out;
}

void put_capacity(Json& out, const DecodeTime& t) {
  put(out, "kv_bytes_per_token", t.kv_bytes_per_token.base());
  put(out, "weights_bytes_per_gpu", t.weights_per_gpu.base());
  put(out, "kv_bytes_per_gpu", t.kv_per_gpu.base());
  put(out, "max_tokens", t.max_tokens);
}

void put_limits(Json& out, const Scenario& s, const Plan& plan,
                Algorithm algorithm) {
  if (s.serving.slo_tpot > seconds(0.0)) {
    put(out, "slo_s", s.serving.slo_tpot.base());
  }
  if (const auto limit = latency_limit(s, plan, algorithm)) {
    put(out, "latency_limit_us", to_us(*limit));
  }
  const DecodeHeadroom room = decode_headroom(s, plan, algorithm);
  set(out, "largest_batch", room.batch);
  set(out, "largest_context_tokens", room.context);
}

struct DecodeOptions {
  Algorithm algorithm = Algorithm::kRing;
  std::size_t top = 8;
};

DecodeOptions read_options(Call& call) {
  DecodeOptions out;
  Reader reader = options_of(call);
  std::size_t index = 0;
  if (reader.choice("algorithm", index, algorithm_names())) {
    out.algorithm = kDecodeAlgorithms[index];
  }
  out.top = read_top(reader, 8);
  reader.finish();
  return out;
}

}  // namespace

Reply decode(Call& call) {
  RequestScenario asked =
      read_request_scenario(call.reader, call.catalog, call.shelf);
  asked.scenario.phase = Phase::kServing;
  const DecodeOptions options = read_options(call);
  need_model(call, asked);
  const RequestPlan given =
      read_request_plan(call.reader, asked.scenario, Plan{});
  if (auto problem = finish(call)) return *problem;

  const Scenario& s = asked.scenario;
  const std::vector<DecodePlan> plans = decode_plans(s, options.algorithm);
  const bool own = given.states_degrees || plans.empty();
  const Plan plan = own ? given.plan : plans.front().plan;
  const DecodeTime t = meshwise::decode(s, plan, options.algorithm);
  Json out = reply_of("decode");
  set(out, "scenario_summary", scenario_summary(s));
  set(out, "binding_constraint",
      constraint_name(binding_constraint(s).constraint));
  set(out, "plan", serving_plan_json(plan));
  set(out, "batch", s.serving.batch);
  set(out, "context_tokens", s.serving.context);
  put_time(out, t);
  Json ttft = Json::object();
  put(ttft, "compute_s", t.ttft_compute.base());
  put(ttft, "collective_s", t.ttft_collective.base());
  set(out, "ttft", std::move(ttft));
  put(out, "message_bytes", t.message.base());
  put(out, "one_all_reduce_s", t.one_all_reduce.base());
  set(out, "all_reduces", 2 * s.model.layers);
  set(out, "algorithm", algorithm_name(t.algorithm));
  put_capacity(out, t);
  set(out, "bound", decode_bound_name(t.bound));
  set(out, "slo_met", t.slo_met);
  put_limits(out, s, plan, options.algorithm);
  set(out, "reasons", decode_reasons(s, plan, t));
  set(out, "algorithms", algorithms_json(s, plan));
  set(out, "sweep", sweep_json(s, plan, options.algorithm));
  set(out, "plans", plans_json(s, plans, options.top));
  set(out, "explain", explain_json(explain_decode(s, plan, t)));
  set(out, "assumptions", assumptions_json(asked.assumptions));
  return out;
}

}  // namespace meshwise::api
