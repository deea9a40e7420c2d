#include "api_parts.h"
#include "meshwise/constraint.h"
#include "meshwise/threshold.h"

namespace meshwise::api {
namespace {

std::string side_text(const Outcome& o, Change change) {
  switch (change) {
    case Change::kConstraint:
      return std::string(constraint_name(o.constraint));
    case Change::kBestAxes:
      return o.has_best ? axes_text(o.best) : "nothing runs";
    case Change::kFeasibility:
      return o.feasible ? "runs" : "cannot run";
    case Change::kStanding:
      return o.feasible ? fixed(o.relative, 2) + " of the best" : "cannot run";
  }
  return "";
}

Json parameter_json(const Scenario& s, const Plan* plan,
                    const ParameterInfo& info) {
  Json out = Json::object();
  set(out, "id", std::string(info.id));
  set(out, "unit", std::string(info.unit));
  put_rounded(out, "current", get_parameter(s, plan, info.parameter));
  put(out, "lower", info.lower);
  put(out, "upper", info.upper);
  set(out, "integral", info.integral);
  return out;
}

std::vector<std::string> parameter_ids(const Scenario& s) {
  std::vector<std::string> out;
  for (int i = 0; i < kParameterCount; ++i) {
    const auto p = static_cast<Parameter>(i);
    if (has_parameter(s, p)) out.emplace_back(parameter_info(p).id);
  }
  return out;
}

void read_parameters(Reader& reader, const Scenario& s, ThresholdOptions& out) {
  std::vector<std::string> ids;
  if (!reader.texts("parameters", ids)) return;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto parameter = parameter_from_id(ids[i]);
    if (parameter && has_parameter(s, *parameter)) {
      out.parameters.push_back(*parameter);
      continue;
    }
    const std::string key = "parameters/" + std::to_string(i);
    std::string accepted;
    for (const std::string& id : parameter_ids(s)) {
      accepted += (accepted.empty() ? "" : ", ") + id;
    }
    reader.fail(key.c_str(), Code::kUnknownName,
                "the scenario has no parameter named " + ids[i].substr(0, 64),
                accepted);
  }
}

Json outcome_json(const Outcome& o) {
  Json out = Json::object();
  set(out, "binding_constraint", constraint_name(o.constraint));
  if (o.has_best) set(out, "best", axes_text(o.best));
  if (o.has_plan) {
    set(out, "feasible", o.feasible);
    if (o.feasible) put(out, "relative", o.relative);
  }
  return out;
}

Json threshold_json(const Threshold& t) {
  const ParameterInfo& info = parameter_info(t.parameter);
  Json out = Json::object();
  set(out, "parameter", std::string(info.id));
  set(out, "unit", std::string(info.unit));
  put_rounded(out, "current", t.current);
  put_rounded(out, "value", t.value);
  set(out, "direction", t.upward ? "up" : "down");
  set(out, "changes", change_name(t.change));
  set(out, "before", side_text(t.before, t.change));
  set(out, "after", side_text(t.after, t.change));
  return out;
}

}  // namespace

Reply threshold(Call& call) {
  const RequestScenario asked =
      read_request_scenario(call.reader, call.catalog, call.shelf);
  const Scenario& s = asked.scenario;
  ThresholdOptions options;
  Reader reader = options_of(call);
  read_parameters(reader, s, options);
  reader.flag("best_axes", options.best_axes);
  reader.number("span", options.span, 1.1, 1e6);
  reader.finish();
  need_model(call, asked);
  const RequestPlan given = read_request_plan(call.reader, s, Plan{});
  const Plan* plan = given.given ? &given.plan : nullptr;
  if (plan != nullptr && s.phase == Phase::kTraining) {
    check_shape(call, s, *plan);
  }
  if (options.best_axes || plan != nullptr) {
    const std::size_t count = options.parameters.empty()
                                  ? parameter_ids(s).size()
                                  : options.parameters.size();
    check_size(call, s, SearchOptions{}.max_micro_batch,
               kMaxSearchedPlans / count,
               "fewer options.parameters at a time, fewer GPUs, or neither a "
               "plan nor options.best_axes");
  }
  if (auto problem = finish(call)) return *problem;

  Json out = reply_of("threshold");
  set(out, "scenario_summary", scenario_summary(s));
  set(out, "outcome", outcome_json(outcome(s, plan, options)));
  Json list = Json::array();
  for (const Threshold& t : find_thresholds(s, plan, options)) {
    list.push_back(threshold_json(t));
  }
  set(out, "thresholds", std::move(list));
  Json parameters = Json::array();
  for (int i = 0; i < kParameterCount; ++i) {
    const auto p = static_cast<Parameter>(i);
    if (has_parameter(s, p)) {
      parameters.push_back(parameter_json(s, plan, parameter_info(p)));
    }
  }
  set(out, "parameters", std::move(parameters));
  set(out, "assumptions", assumptions_json(asked.assumptions));
  return out;
}

}  // namespace meshwise::api
