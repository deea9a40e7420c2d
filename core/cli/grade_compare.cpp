#include "grade_compare.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "files.h"
#include "grade_out.h"

namespace meshwise::cli {
namespace {

// A course's results with every criterion are large.
constexpr std::uintmax_t kMostBytes = std::uintmax_t{512} << 20;

using Key = std::pair<std::string, std::string>;  // source, scenario

Key key_of(const Json& result) {
  return {raw_text_of(result, "source"), raw_text_of(result, "scenario")};
}

// The value of a key, or null: what is read here is a file of anybody's.
const Json& part(const Json& object, const char* key) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto it = object.find(key);
  return it == object.end() ? none : *it;
}

std::map<Key, const Json*> results_of(const Json& grading) {
  std::map<Key, const Json*> out;
  for (const Json& each : part(grading, "results")) {
    if (each.is_object()) out[key_of(each)] = &each;
  }
  return out;
}

std::vector<std::pair<std::string, const Json*>> criteria_of(
    const Json& result) {
  std::vector<std::pair<std::string, const Json*>> out;
  for (const Json& question : part(result, "questions")) {
    for (const Json& criterion : part(question, "criteria")) {
      if (!criterion.is_object()) continue;
      out.emplace_back(raw_text_of(criterion, "id"), &criterion);
    }
  }
  return out;
}

Json side(const Json& criterion) {
  Json out = Json::object();
  out["score"] = number(criterion, "score");
  out["verdict"] = raw_text_of(criterion, "verdict");
  out["note"] = raw_text_of(criterion, "note");
  return out;
}

Json change(const std::string& id, const Json* before, const Json* after) {
  Json out = Json::object();
  out["id"] = id;
  if (before != nullptr) out["before"] = side(*before);
  if (after != nullptr) out["after"] = side(*after);
  return out;
}

// The criteria whose mark or note changed, and those that only one side has.
Json changes_of(const Json& before, const Json& after) {
  std::map<std::string, const Json*> old;
  for (const auto& [id, criterion] : criteria_of(before)) old[id] = criterion;
  Json out = Json::array();
  for (const auto& [id, criterion] : criteria_of(after)) {
    const auto it = old.find(id);
    if (it == old.end()) {
      out.push_back(change(id, nullptr, criterion));
      continue;
    }
    if (side(*it->second) != side(*criterion)) {
      out.push_back(change(id, it->second, criterion));
    }
    old.erase(it);
  }
  for (const auto& [id, criterion] : old) {
    out.push_back(change(id, criterion, nullptr));
  }
  return out;
}

Json both(const Json& before, const Json& after) {
  Json out = Json::object();
  out["before"] = before;
  out["after"] = after;
  out["same"] = before == after;
  return out;
}

struct Totals {
  std::size_t compared = 0;
  std::size_t changed = 0;
  std::size_t higher = 0;
  std::size_t lower = 0;
  double before = 0.0;
  double after = 0.0;
};

void compare_result(const Json& before, const Json& after, Json& changed,
                    Totals& totals) {
  const double was = number(before, "score");
  const double is = number(after, "score");
  ++totals.compared;
  totals.before += was;
  totals.after += is;
  totals.higher += is > was ? 1 : 0;
  totals.lower += is < was ? 1 : 0;
  Json criteria = changes_of(before, after);
  if (criteria.empty()) return;
  ++totals.changed;
  Json each = Json::object();
  for (const char* key : {"source", "student", "scenario"}) {
    each[key] = raw_text_of(after, key);
  }
  each["score"] = {{"before", was}, {"after", is}};
  each["criteria"] = std::move(criteria);
  changed.push_back(std::move(each));
}

Json scenarios_of(const Json& before, const Json& after) {
  std::map<std::string, std::pair<Json, Json>> digests;
  for (const Json& each : part(before, "results")) {
    digests[raw_text_of(each, "scenario")].first =
        part(each, "scenario_digest");
  }
  for (const Json& each : part(after, "results")) {
    digests[raw_text_of(each, "scenario")].second =
        part(each, "scenario_digest");
  }
  Json out = Json::array();
  for (const auto& [id, pair] : digests) {
    if (pair.first.is_null() || pair.second.is_null()) continue;
    Json each = both(pair.first, pair.second);
    each["scenario"] = id;
    out.push_back(std::move(each));
  }
  return out;
}

Json named(const Json& result) {
  Json out = Json::object();
  for (const char* key : {"source", "student", "scenario"}) {
    out[key] = raw_text_of(result, key);
  }
  out["score"] = number(result, "score");
  return out;
}

Json totals_json(const Totals& totals) {
  Json out = Json::object();
  out["compared"] = totals.compared;
  out["changed"] = totals.changed;
  out["higher"] = totals.higher;
  out["lower"] = totals.lower;
  out["score"] = {{"before", totals.before}, {"after", totals.after}};
  return out;
}

std::string differs(const Json& pair, const std::string& what) {
  if (pair["same"] == true) return "";
  const auto text = [](const Json& value) {
    return value.is_string() ? value.get<std::string>() : std::string("none");
  };
  return wrap(what + " differs: " + text(pair["before"]) + ", now " +
                  text(pair["after"]),
              79, "") +
         "\n";
}

std::string side_text(const Json& c, const char* key) {
  const auto it = c.find(key);
  return it == c.end()
             ? "absent"
             : mark(number(*it, "score")) + " " + text_of(*it, "note");
}

std::string list_text(const Json& list, const char* title) {
  if (list.empty()) return "";
  std::string out = std::string("\n") + title + "\n";
  for (const Json& each : list) {
    out +=
        wrap(text_of(each, "source") + ", scenario " +
                 text_of(each, "scenario") + ": " + mark(number(each, "score")),
             79, "  ") +
        "\n";
  }
  return out;
}

}  // namespace

Json read_grading(const std::string& path) {
  const char* accepted = "; accepted: what grade --format json wrote";
  const FileText file = read_file(path, kMostBytes);
  if (!file.problem.empty()) {
    throw UsageError{"--compare " + path + ": " + file.problem + accepted};
  }
  JsonText document = parse_text(file.text);
  if (!document.problem.empty()) {
    throw UsageError{"--compare " + place_text(path, document.place) + ": " +
                     document.problem + accepted};
  }
  const bool good =
      document.value.is_object() &&
      raw_text_of(document.value, "schema") == "meshwise.grade/1" &&
      part(document.value, "results").is_array();
  if (!good) {
    throw UsageError{"--compare " + path + ": no meshwise.grade/1" + accepted};
  }
  return std::move(document.value);
}

Json compare(const Json& before, const Json& after) {
  Json out = Json::object();
  out["schema"] = "meshwise.compare/1";
  for (const char* key : {"version", "rubric_digest"}) {
    out[key] = both(part(before, key), part(after, key));
  }
  out["scenarios"] = scenarios_of(before, after);
  Totals totals;
  Json changed = Json::array();
  Json only_after = Json::array();
  std::map<Key, const Json*> old = results_of(before);
  for (const Json& each : after["results"]) {
    const auto it = old.find(key_of(each));
    if (it == old.end()) {
      only_after.push_back(named(each));
      continue;
    }
    compare_result(*it->second, each, changed, totals);
    old.erase(it);
  }
  Json only_before = Json::array();
  for (const auto& [key, result] : old) only_before.push_back(named(*result));
  out["totals"] = totals_json(totals);
  out["changed"] = std::move(changed);
  out["only_before"] = std::move(only_before);
  out["only_after"] = std::move(only_after);
  return out;
}

std::string compare_text(const Json& comparison) {
  std::string out = differs(comparison["version"], "The program's version") +
                    differs(comparison["rubric_digest"], "The rubric");
  for (const Json& each : comparison["scenarios"]) {
    out += differs(each, "Scenario " + text_of(each, "scenario"));
  }
  for (const Json& each : comparison["changed"]) {
    std::string name = text_of(each, "source");
    const std::string student = text_of(each, "student");
    if (!student.empty()) name += " (" + student + ")";
    out += wrap(name + ", scenario " + text_of(each, "scenario") + ": " +
                    mark(number(each["score"], "before")) + " -> " +
                    mark(number(each["score"], "after")),
                79, "") +
           "\n";
    for (const Json& c : each["criteria"]) {
      out += wrap(text_of(c, "id") + ": " + side_text(c, "before") + " -> " +
                      side_text(c, "after"),
                  79, "  ") +
             "\n";
    }
  }
  out += list_text(comparison["only_before"], "Only before");
  out += list_text(comparison["only_after"], "Only now");
  const Json& totals = comparison["totals"];
  return out + fixed(number(totals, "changed"), 0) + " of " +
         fixed(number(totals, "compared"), 0) + " changed, " +
         fixed(number(totals, "higher"), 0) + " higher, " +
         fixed(number(totals, "lower"), 0) + " lower; marks " +
         mark(number(totals["score"], "before")) + " -> " +
         mark(number(totals["score"], "after")) + "\n";
}

}  // namespace meshwise::cli
