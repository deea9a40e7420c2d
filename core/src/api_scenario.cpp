#include <algorithm>

#include "api_parts.h"
#include "meshwise/constraint.h"
#include "meshwise/threshold.h"

namespace meshwise::api {
namespace {

Json list_json(const Catalog& catalog) {
  Json list = Json::array();
  for (const ScenarioDocument& each : catalog.scenarios) {
    const Scenario& s = each.scenario;
    Json one = Json::object();
    set(one, "id", s.id);
    set(one, "title", s.title);
    set(one, "phase", s.phase == Phase::kServing ? "serving" : "training");
    set(one, "binding", constraint_name(binding_constraint(s).constraint));
    list.push_back(one);
  }
  Json out = reply_of("scenario");
  set(out, "scenarios", std::move(list));
  return out;
}

Json parameters_json(const Scenario& s) {
  Json out = Json::array();
  for (int i = 0; i < kParameterCount; ++i) {
    const auto p = static_cast<Parameter>(i);
    if (!has_parameter(s, p)) continue;
    const ParameterInfo& info = parameter_info(p);
    Json each = Json::object();
    set(each, "id", std::string(info.id));
    set(each, "unit", std::string(info.unit));
    put(each, "current", get_parameter(s, nullptr, p));
    put(each, "lower", info.lower);
    put(each, "upper", info.upper);
    set(each, "integral", info.integral);
    out.push_back(each);
  }
  return out;
}

bool asked_in(const CriterionRule& rule, Phase phase) {
  return rule.phases.empty() ||
         std::find(rule.phases.begin(), rule.phases.end(), phase) !=
             rule.phases.end();
}

Json questions_json(const Rubric& rubric, Phase phase) {
  Json out = Json::array();
  for (const QuestionRule& question : rubric.questions) {
    Json criteria = Json::array();
    double max = 0.0;
    for (const CriterionRule& rule : question.criteria) {
      if (!asked_in(rule, phase)) continue;
      Json each = Json::object();
      set(each, "id", rule.id);
      set(each, "text", rule.text);
      put(each, "marks", rule.marks);
      criteria.push_back(each);
      max += rule.marks;
    }
    Json one = Json::object();
    set(one, "id", question.id);
    set(one, "text", question.text);
    put(one, "max", max);
    set(one, "criteria", std::move(criteria));
    out.push_back(one);
  }
  return out;
}

Json show_json(const ScenarioDocument& document, const Rubric& rubric) {
  const Result<Json> as_given = parse_json(document.text);
  Json out = reply_of("scenario");
  if (as_given) set(out, "scenario", *as_given);
  set(out, "scenario_summary", scenario_summary(document.scenario));
  set(out, "prompt", document.prompt);
  set(out, "facts", document.facts);
  set(out, "assumptions", assumptions_json(document.assumptions));
  set(out, "parameters", parameters_json(document.scenario));
  set(out, "questions", questions_json(rubric, document.scenario.phase));
  return out;
}

Json check_json(const Result<Json>& json, const Catalog& catalog) {
  std::vector<Problem> problems;
  ScenarioDocument document;
  if (json) {
    document = read_scenario_document(*json, "", catalog, problems);
  } else {
    problems.push_back(json.problem());
  }
  Json out = reply_of("scenario");
  set(out, "ok", problems.empty());
  Json list = Json::array();
  for (const Problem& problem : problems) {
    list.push_back(problem_json(problem));
  }
  set(out, "problems", std::move(list));
  if (problems.empty()) {
    const Binding binding = binding_constraint(document.scenario);
    set(out, "id", document.scenario.id);
    set(out, "binding_constraint", constraint_name(binding.constraint));
  }
  return out;
}

}  // namespace

Reply scenario(Call& call) {
  Reader options = options_of(call);
  bool list = false;
  bool check = false;
  std::string id;
  std::string text;
  options.flag("list", list);
  options.flag("check", check);
  options.text("id", id);
  const Json* document = options.value("document");
  const bool has_text = options.text("text", text);
  options.finish();
  if (check && (document != nullptr) == has_text) {
    call.reader.fail("options/document", Code::kMissing,
                     "check needs a scenario", "document, or text");
  }
  const ScenarioDocument* found = nullptr;
  if (!check && !list) {
    found = call.catalog.scenario(id);
    if (found == nullptr) {
      std::vector<std::string> ids;
      for (const ScenarioDocument& each : call.catalog.scenarios) {
        ids.push_back(each.scenario.id);
      }
      call.reader.fail(
          "options/id", Code::kUnknownName,
          "no scenario named " + (id.empty() ? "\"\"" : id.substr(0, 64)),
          "one of the scenarios listed by options.list = true");
    }
  }
  if (auto problem = finish(call)) return *problem;
  if (check) {
    return check_json(has_text ? parse_json(text) : Result<Json>(*document),
                      call.catalog);
  }
  return list ? list_json(call.catalog)
              : show_json(*found, call.grading.rubric);
}

}  // namespace meshwise::api
