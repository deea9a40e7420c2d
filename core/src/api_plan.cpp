#include "api_parts.h"
#include "meshwise/constraint.h"
#include "meshwise/search.h"

namespace meshwise::api {
namespace {

Json placement_json(const Scenario& s, const Evaluation& e) {
  Json out = Json::object();
  for (const Axis axis : kAxes) {
    if (degree(e.plan, axis) == 1) continue;
    const Span& span = e.placement.of(axis);
    Json each = Json::object();
    set(each, "tier", tier_name(s.cluster, span.slowest()));
    set(each, "ranks_per_node", span.ranks[0]);
    set(each, "nodes", span.degree() / span.ranks[0]);
    out[std::string(axis_name(axis))] = each;
  }
  return out;
}

Json time_json(const StepTime& t) {
  Json out = Json::object();
  put(out, "compute_s", t.compute.base());
  put(out, "tp_s", t.tp.base());
  put(out, "cp_s", t.cp.base());
  put(out, "ep_s", t.ep.base());
  put(out, "pp_bubble_s", t.pp_bubble.base());
  put(out, "pp_transfer_s", t.pp_transfer.base());
  put(out, "dp_s", t.dp.base());
  put(out, "optimizer_s", t.optimizer.base());
  put(out, "dp_unhidden_s", t.dp_unhidden.base());
  put(out, "cp_unhidden_s", t.cp_unhidden.base());
  return out;
}

Json minimum_json(const Scenario& s, const Evaluation& e) {
  Json out = Json::object();
  for (const Axis axis : kAxes) {
    if (degree(e.plan, axis) == 1) continue;
    const AxisMinimum m = axis_minimum(s, e, axis);
    Json each = Json::object();
    set(each, "tier", tier_name(s.cluster, m.tier));
    put(each, "volume_bytes", m.volume.base());
    put(each, "hidden_by_s", m.hidden_by.base());
    put(each, "least_gbps", to_gbps(m.least));
    put(each, "most_gbps", to_gbps(m.most));
    put(each, "flat_volume_bytes", m.flat_volume.base());
    put(each, "flat_least_gbps", to_gbps(m.flat_least));
    put(each, "flat_most_gbps", to_gbps(m.flat_most));
    put(each, "available_gbps", to_gbps(m.available));
    set(each, "viable", m.viable);
    out[std::string(axis_name(axis))] = each;
  }
  return out;
}

Json collectives_json(const Scenario& s, const Evaluation& e) {
  Json out = Json::array();
  for (const PlanCollective& c : plan_collectives(s, e)) {
    Json each = Json::object();
    set(each, "axis", axis_name(c.axis));
    set(each, "op", operation_name(c.op));
    put(each, "bytes", c.size.base());
    put(each, "calls", c.calls);
    put(each, "volume_bytes", c.volume.base());
    put(each, "total_s", c.total.base());
    put(each, "exposed_s", c.exposed.base());
    out.push_back(each);
  }
  return out;
}

Json evaluation_json(const Scenario& s, const Evaluation& e) {
  Json out = plan_json(e.plan);
  set(out, "micro_batches", e.micro_batches);
  Json order = Json::array();
  for (const Axis axis : e.plan.order) {
    order.push_back(std::string(axis_name(axis)));
  }
  set(out, "order", std::move(order));
  set(out, "placement", placement_json(s, e));
  put(out, "step_s", e.time.step.base());
  put(out, "tokens_per_s", e.throughput.tokens_per_s);
  put(out, "speedup", e.throughput.speedup);
  put(out, "mfu", e.throughput.mfu);
  put(out, "hfu", e.throughput.hfu);
  put(out, "statistical_efficiency", e.throughput.statistical_efficiency);
  set(out, "verdict", verdict_name(e.verdict));
  set(out, "memory", per_gpu_json(s, e.plan, e.peak.memory));
  set(out, "peak_stage", e.peak.stage);
  set(out, "time", time_json(e.time));
  set(out, "minimum", minimum_json(s, e));
  set(out, "collectives", collectives_json(s, e));
  set(out, "reasons", reasons_json(s, e));
  return out;
}

Json binding_json(const Binding& b) {
  Json out = Json::object();
  set(out, "constraint", constraint_name(b.constraint));
  put(out, "capacity_bytes", b.capacity.base());
  put(out, "state_bytes", b.state.base());
  put(out, "activations_bytes", b.activations.base());
  if (b.speedup_needed > 0.0) put(out, "speedup_needed", b.speedup_needed);
  return out;
}

struct PlanOptions {
  SearchOptions search;
  bool one = false;
  bool infeasible = true;

  [[nodiscard]] std::size_t limit() const {
    return search.best_of_each_decomposition ? kMaxSearchedPlans
                                             : kMaxKeptPlans;
  }
};

PlanOptions read_options(Call& call) {
  PlanOptions out;
  Reader reader = options_of(call);
  out.search.top = read_top(reader, 10);
  bool all = false;
  reader.flag("all_options", all);
  out.search.best_of_each_decomposition = !all;
  reader.flag("one", out.one);
  reader.flag("infeasible", out.infeasible);
  reader.integer("max_micro_batch", out.search.max_micro_batch, std::int64_t{1},
                 std::int64_t{4096});
  reader.finish();
  return out;
}

Json head(const Scenario& s) {
  Json out = reply_of("plan");
  const Binding binding = binding_constraint(s);
  set(out, "scenario_summary", scenario_summary(s));
  set(out, "binding_constraint", constraint_name(binding.constraint));
  set(out, "binding", binding_json(binding));
  put(out, "achieved_tflops", to_tflops(achieved_flops(s)));
  return out;
}

Json one_plan(const Scenario& s, const Plan& plan) {
  Json out = head(s);
  const Evaluation e = evaluate(s, plan);
  Json each = evaluation_json(s, e);
  const std::optional<Evaluation> best = best_plan(s);
  if (best) {
    put(each, "relative",
        e.throughput.tokens_per_s / best->throughput.tokens_per_s);
  }
  if (!e.feasible()) set(each, "infeasible", reasons_json(s, e));
  set(out, "searched", 1);
  set(out, "feasible", e.feasible() ? 1 : 0);
  set(out, "plans", Json::array({each}));
  std::vector<Explanation> explain = explain_step(s, e);
  const std::vector<Explanation> memory = explain_memory(s, e);
  explain.insert(explain.end(), memory.begin(), memory.end());
  set(out, "explain", explain_json(explain));
  return out;
}

Json ranked_plans(const Scenario& s, const PlanOptions& options) {
  Json out = head(s);
  const SearchResult found = search(s, options.search);
  set(out, "searched", found.searched);
  set(out, "feasible", found.feasible);
  Json rejected = Json::object();
  for (std::size_t i = 0; i < kReasonCount; ++i) {
    if (found.rejected[i] == 0) continue;
    const auto reason = static_cast<Reason>(i);
    rejected[std::string(reason_name(reason))] = found.rejected[i];
  }
  set(out, "rejected", std::move(rejected));
  Json plans = Json::array();
  for (const RankedPlan& ranked : found.plans) {
    Json each = Json::object();
    set(each, "rank", ranked.rank);
    set(each, "tied", ranked.tied);
    each.update(evaluation_json(s, ranked.evaluation));
    put(each, "relative", ranked.relative);
    plans.push_back(each);
  }
  set(out, "plans", std::move(plans));
  if (options.infeasible) {
    Json list = Json::array();
    for (const RejectedPlan& each : found.rejected_plans) {
      list.push_back(evaluation_json(s, each.evaluation));
    }
    set(out, "rejected_plans", std::move(list));
  }
  if (!found.plans.empty()) {
    set(out, "explain",
        explain_json(explain_step(s, found.plans.front().evaluation)));
  }
  return out;
}

}  // namespace

Reply plan(Call& call) {
  RequestScenario asked =
      read_request_scenario(call.reader, call.catalog, call.shelf);
  const PlanOptions options = read_options(call);
  need_model(call, asked);
  RequestPlan given;
  if (options.one) {
    given = read_request_plan(call.reader, asked.scenario, Plan{});
  } else if (call.reader.has("plan")) {
    call.reader.fail("plan", Code::kInconsistent,
                     "a plan is given and every plan is asked for",
                     "options.one = true, or no plan");
    call.reader.skip("plan");
  }
  if (asked.scenario.phase == Phase::kServing) {
    call.reader.fail("scenario", Code::kInconsistent,
                     "plan ranks training plans, and this is serving",
                     "kind decode");
  }
  const Scenario& s = asked.scenario;
  check_size(call, s, options.search.max_micro_batch, options.limit(),
             options.search.best_of_each_decomposition
                 ? "fewer GPUs, a smaller global batch or max_micro_batch"
                 : "all_options = false, fewer GPUs, a smaller global batch or "
                   "max_micro_batch");
  if (auto problem = finish(call)) return *problem;
  Json out = options.one ? one_plan(s, given.plan) : ranked_plans(s, options);
  set(out, "assumptions", assumptions_json(asked.assumptions));
  return out;
}

}  // namespace meshwise::api
