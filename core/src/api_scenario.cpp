#include <algorithm>
#include <memory>

#include "api_parts.h"
#include "meshwise/constraint.h"
#include "meshwise/threshold.h"
#include "rubric_check.h"
#include "variant_parts.h"

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

bool is_rubric(const Json& json) {
  if (!json.is_object()) return false;
  const auto schema = json.find("schema");
  return schema != json.end() && schema->is_string() &&
         schema->get<std::string>().rfind("meshwise.rubric/", 0) == 0;
}

// What a document is found to be: the keys behind "ok" and "problems".
Json check_rubric_document(const Json& json, const Rubric& standard,
                           std::vector<Problem>& problems) {
  const Rubric rubric = read_rubric(json, "", problems);
  if (problems.empty()) check_rubric(json, rubric, standard, "", problems);
  Json marks = Json::object();
  put(marks, "training", rubric_marks(rubric, Phase::kTraining));
  put(marks, "serving", rubric_marks(rubric, Phase::kServing));
  Json out = Json::object();
  set(out, "document", "rubric");
  set(out, "marks", std::move(marks));
  return out;
}

Json check_scenario_document(const Json& json, const Catalog& catalog,
                             std::vector<Problem>& problems) {
  const ScenarioDocument document =
      read_scenario_document(json, "", catalog, problems);
  const bool varies = problems.empty() && json.contains("variant");
  if (varies) check_variant(json, document, catalog, problems);
  Json out = Json::object();
  if (!problems.empty()) return out;
  const Binding binding = binding_constraint(document.scenario);
  set(out, "id", document.scenario.id);
  set(out, "binding_constraint", constraint_name(binding.constraint));
  set(out, "variants", varies);
  return out;
}

Json check_json(const Result<Json>& json, const Call& call) {
  std::vector<Problem> problems;
  Json found = Json::object();
  if (!json) {
    problems.push_back(json.problem());
  } else if (is_rubric(*json)) {
    found = check_rubric_document(*json, call.grading.rubric, problems);
  } else {
    found = check_scenario_document(*json, call.catalog, problems);
  }
  Json out = reply_of("scenario");
  set(out, "ok", problems.empty());
  Json list = Json::array();
  for (const Problem& problem : problems) {
    list.push_back(problem_json(problem));
  }
  set(out, "problems", std::move(list));
  if (problems.empty()) out.update(found);
  return out;
}

struct Asked {
  bool list = false;
  bool check = false;
  bool variant = false;
  bool has_seed = false;
  bool has_text = false;
  bool has_id = false;
  std::int64_t seed = 0;
  std::string id;
  std::string text;
  const Json* document = nullptr;

  [[nodiscard]] Result<Json> given() const {
    return has_text ? parse_json(text) : Result<Json>(*document);
  }
};

Asked read_asked(Call& call) {
  Reader options = options_of(call);
  Asked out;
  options.flag("list", out.list);
  options.flag("check", out.check);
  options.flag("variant", out.variant);
  out.has_seed = options.integer("seed", out.seed, std::int64_t{0},
                                 std::int64_t{4294967295});
  const bool wrong_seed = !out.has_seed && options.has("seed");
  out.has_id = options.text("id", out.id);
  out.document = options.value("document");
  out.has_text = options.text("text", out.text);
  options.finish();
  const bool one = (out.document != nullptr) != out.has_text;
  const bool none = out.document == nullptr && !out.has_text;
  if (out.check && !one) {
    options.fail("document", Code::kMissing, "check needs a scenario",
                 "document, or text");
  }
  if (out.variant && !(out.has_id ? none : one)) {
    options.fail("id", Code::kMissing, "a variant needs one scenario",
                 "id, document, or text");
  }
  if (out.variant != out.has_seed && !wrong_seed) {
    options.fail("seed", Code::kMissing,
                 out.variant ? "a variant needs its seed"
                             : "a seed belongs to a variant",
                 "variant = true, and seed from 0 to 4294967295");
  }
  return out;
}

using Shown = std::shared_ptr<const ScenarioDocument>;

Problem in_options(Problem problem, const char* at) {
  problem.at = std::string("/options/") + at + problem.at;
  return problem;
}

Result<Shown> find_scenario(Call& call, const std::string& id) {
  Result<Shown> found = call.shelf.find(call.catalog, id);
  if (found) return found;
  return in_options(found.problem(), "id");
}

// The variant of a scenario that the catalog has, or of the request's own.
Result<Shown> find_variant(Call& call, const Asked& asked) {
  if (asked.has_id) {
    const Result<Shown> base = find_scenario(call, asked.id);
    if (!base) return base.problem();
    return find_scenario(
        call, (*base)->scenario.id + "#" + std::to_string(asked.seed));
  }
  const char* at = asked.has_text ? "text" : "document";
  const Result<Json> json = asked.given();
  if (!json) return in_options(json.problem(), at);
  std::vector<Problem> problems;
  const ScenarioDocument base =
      read_scenario_document(*json, "", call.catalog, problems);
  if (!problems.empty()) return in_options(problems.front(), at);
  Result<ScenarioDocument> made =
      make_variant(base, static_cast<std::uint32_t>(asked.seed), call.catalog);
  if (!made) return in_options(made.problem(), at);
  return std::make_shared<const ScenarioDocument>(std::move(*made));
}

}  // namespace

Reply scenario(Call& call) {
  const Asked asked = read_asked(call);
  if (auto problem = finish(call)) return *problem;
  if (asked.check) return check_json(asked.given(), call);
  if (asked.list) return list_json(call.catalog);
  const Result<Shown> shown =
      asked.variant ? find_variant(call, asked) : find_scenario(call, asked.id);
  if (!shown) return shown.problem();
  return show_json(**shown, call.grading.rubric);
}

}  // namespace meshwise::api
