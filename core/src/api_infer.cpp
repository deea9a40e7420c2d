// Which scenario a text answers that names none: by the numbers it takes from
// a prompt, and by those that the planner has for it.

#include <algorithm>

#include "api_parts.h"
#include "grade_parts.h"

namespace meshwise::api {
namespace {

// What speaks for a scenario: numbers of its prompt, and of one GPU.
struct Candidate {
  std::string id;
  Phase phase = Phase::kTraining;
  Findings given;
  std::vector<Fact> facts;
};

std::vector<Candidate> candidates(const Call& call) {
  std::vector<Candidate> out;
  for (const ScenarioDocument& each : call.catalog.scenarios) {
    Candidate one;
    one.id = each.scenario.id;
    one.phase = each.scenario.phase;
    std::string prompt = each.prompt;
    for (const std::string& fact : each.facts) prompt += "\n" + fact;
    one.given = call.grading.lexicon.find(prompt);
    Followed nothing;
    nothing.scenario = each.scenario;
    nothing.training = each.scenario.phase == Phase::kTraining;
    one.facts = planner_facts(each.scenario, nothing);
    out.push_back(std::move(one));
  }
  return out;
}

bool has_number(const Candidate& candidate, const Amount& amount) {
  if (amount.scaled || amount.dimension != Dimension::kNone) {
    if (is_given(candidate.given, amount)) return true;
  }
  constexpr double kTolerance = 0.02;
  return std::any_of(
      candidate.facts.begin(), candidate.facts.end(), [&](const Fact& fact) {
        return fact.kind != "hbm" && matches_fact(amount, fact, kTolerance);
      });
}

// A number that k of the scenarios have counts 1/k for each; once.
void count_numbers(const Findings& found, const std::vector<Candidate>& list,
                   std::vector<double>& scores) {
  constexpr std::size_t kMostNumbers = 64;
  std::vector<double> seen;
  for (const Amount& amount : found.amounts) {
    const bool again = std::any_of(seen.begin(), seen.end(), [&](double value) {
      return near(value, amount.value, 0.02);
    });
    if (again || amount.dimension == Dimension::kCount) continue;
    if (seen.size() >= kMostNumbers) return;
    seen.push_back(amount.value);
    std::vector<std::size_t> having;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (has_number(list[i], amount)) having.push_back(i);
    }
    if (having.size() == list.size()) continue;
    for (const std::size_t i : having) {
      scores[i] += 1.0 / static_cast<double>(having.size());
    }
  }
}

}  // namespace

std::string likely_scenario(const Call& call, const std::string& text) {
  const Findings found = call.grading.lexicon.find(
      std::string_view(text).substr(0, kMaxFieldBytes));
  const std::vector<Candidate> list = candidates(call);
  std::vector<double> scores(list.size(), 0.0);
  count_numbers(found, list, scores);
  const auto phases = std::count_if(
      found.mentions.begin(), found.mentions.end(), [&](const Mention& m) {
        return call.grading.lexicon.in_group(m, "phase");
      });
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool serving = list[i].phase == Phase::kServing;
    if (phases > 1) scores[i] += serving ? 2.0 : -2.0;
    if (phases == 0 && serving) scores[i] -= 2.0;
  }
  if (scores.empty()) return "";
  const auto best = std::max_element(scores.begin(), scores.end());
  double second = 0.0;
  for (auto it = scores.begin(); it != scores.end(); ++it) {
    if (it != best) second = std::max(second, *it);
  }
  // Sure, or silent: two numbers of its own, and twice the next one's.
  if (*best < 2.0 || *best < 2.0 * second) return "";
  return list[static_cast<std::size_t>(best - scores.begin())].id;
}

}  // namespace meshwise::api
