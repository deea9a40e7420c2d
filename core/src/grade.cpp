#include "meshwise/grade.h"

#include <algorithm>

#include "grade_parts.h"

namespace meshwise {

const CriterionRule* Rubric::find(std::string_view id) const {
  for (const QuestionRule& question : questions) {
    for (const CriterionRule& criterion : question.criteria) {
      if (criterion.id == id) return &criterion;
    }
  }
  return nullptr;
}

GraderCache::GraderCache() = default;
GraderCache::~GraderCache() = default;
GraderCache::GraderCache(GraderCache&&) noexcept = default;
GraderCache& GraderCache::operator=(GraderCache&&) noexcept = default;

CacheEntries& GraderCache::of(const Scenario& scenario) {
  for (const auto& one : entries_) {
    if (one->scenario == scenario) return *one;
  }
  // A batch over many variants must not grow without bound.
  if (entries_.size() >= 64) entries_.erase(entries_.begin());
  entries_.push_back(std::make_unique<CacheEntries>());
  entries_.back()->scenario = scenario;
  return *entries_.back();
}

void add_modes(LexiconData& data, const std::vector<FailureMode>& modes) {
  const auto spaced = [](std::string id) {
    std::replace(id.begin(), id.end(), '_', ' ');
    return id;
  };
  for (const FailureMode& mode : modes) {
    ConceptWords words{"mode", mode.id, mode.words};
    words.words.push_back(mode.title);
    words.words.push_back(spaced(mode.id));
    data.concepts.push_back(std::move(words));
    for (const SymptomRule& symptom : mode.symptoms) {
      data.concepts.push_back(
          {"symptom", mode.id + "/" + symptom.id, symptom.words});
    }
  }
}

namespace {

// The criteria of one question that apply to the scenario's phase, those that
// a judge left out as not answered.
QuestionResult collect(const Judge& judge, const QuestionRule& rule, int number,
                       std::vector<CriterionResult>& judged) {
  QuestionResult question;
  question.id = rule.id;
  for (const CriterionRule& criterion : rule.criteria) {
    const auto& phases = criterion.phases;
    if (!phases.empty() && std::find(phases.begin(), phases.end(),
                                     judge.scenario.phase) == phases.end()) {
      continue;
    }
    const auto found =
        std::find_if(judged.begin(), judged.end(),
                     [&](const auto& one) { return one.id == criterion.id; });
    CriterionResult one = found == judged.end()
                              ? unanswered(judge, criterion.id, number)
                              : std::move(*found);
    question.score += one.score;
    question.max += one.max;
    question.criteria.push_back(std::move(one));
  }
  return question;
}

// One copy of the prompt in a field is no answer.
bool copied(const Judge& judge) {
  const Answer& answer = judge.claims.answer;
  return copies_prompt(
      answer.constraint.text + " " + answer.constraint_because.text,
      judge.prompt);
}

void copied_results(std::vector<CriterionResult>& judged, const Judge& judge) {
  for (CriterionResult& one : judged) {
    if (one.id.rfind("q1.", 0) != 0) continue;
    one = result(judge, one.id, 0.0, "copied_prompt", one.evidence,
                 "This is the question's own text.");
  }
}

}  // namespace

bool copies_prompt(std::string_view text, std::string_view prompt) {
  const std::vector<WordToken> said = split_words(text);
  if (said.size() < 12) return false;
  const std::vector<WordToken> asked = split_words(prompt);
  // Runs of five words that stand in the prompt, over all runs.
  constexpr std::size_t kRun = 5;
  std::unordered_map<std::string, int> runs;
  const auto run_at = [](const std::vector<WordToken>& words, std::size_t at) {
    std::string run;
    for (std::size_t i = 0; i < kRun; ++i) run += words[at + i].word + " ";
    return run;
  };
  for (std::size_t i = 0; i + kRun <= asked.size(); ++i) {
    runs[run_at(asked, i)] = 1;
  }
  std::size_t same = 0;
  for (std::size_t i = 0; i + kRun <= said.size(); ++i) {
    same += runs.count(run_at(said, i));
  }
  return static_cast<double>(same) >=
         0.8 * static_cast<double>(said.size() - kRun + 1);
}

GradeReport grade(const Scenario& scenario, std::string_view prompt,
                  const GradingData& data, const Claims& claims,
                  GraderCache& cache) {
  CacheEntries& entries = cache.of(scenario);
  Judge judge{scenario, data, claims, entries, prompt, {}, {}, {}, {}};
  judge.given = data.lexicon.find(prompt);
  judge.binding = binding_constraint(scenario);
  judge.followed = follow(scenario, claims, entries, data.rubric);
  judge.facts = planner_facts(scenario, judge.followed);
  std::vector<CriterionResult> judged;
  judge_q1(judge, judged);
  judge_q2(judge, judged);
  judge_q3(judge, judged);
  judge_q4(judge, judged);
  judge_q5(judge, judged);
  if (copied(judge)) copied_results(judged, judge);

  GradeReport report;
  report.scenario = scenario.id;
  report.has_plan = judge.followed.stated;
  report.followed = judge.followed.sane && judge.followed.stated;
  report.plan = judge.followed.plan;
  report.constraint = data.lexicon.first(claims.constraint, "constraint");
  int number = 0;
  for (const QuestionRule& rule : data.rubric.questions) {
    report.questions.push_back(collect(judge, rule, ++number, judged));
    const QuestionResult& question = report.questions.back();
    report.score += question.score;
    report.max += question.max;
    for (const CriterionResult& one : question.criteria) {
      report.review += one.verdict == CriterionVerdict::kReview;
    }
  }
  return report;
}

}  // namespace meshwise
