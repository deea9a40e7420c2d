// From claims to marks: every mark comes from running the planner on the
// student's own plan. The rules are docs/grading.md; marks, tolerances and
// failure modes are data (core/data/rubric.json, failure_modes.json).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meshwise/reading.h"
#include "meshwise/scenario.h"

namespace meshwise {

// ---- the rubric, as data ----

struct CriterionRule {
  std::string id;    // "q1.kind"
  std::string text;  // for people
  double marks = 0.0;
  std::vector<Phase> phases;  // empty: both
};

struct QuestionRule {
  std::string id;    // "q1"
  std::string text;  // what is asked
  std::vector<CriterionRule> criteria;
};

// Every tolerance must be given: a rubric without one does not load. Relative
// ones are to the planner's value, edges included.
struct Tolerances {
  double number = 0.15;         // q1.number, q3.why
  double consistent = 0.10;     // a bandwidth against the student's own V / t
  double minimum_below = 0.8;   // x least
  double minimum_above = 1.25;  // x most
  double budget_least = 0.01;   // a stated budget, share of the step
  double budget_most = 0.30;
  double good_full = 0.75;  // q2.good, of the best
  double good_none = 0.40;
  double threshold_full = 1.25;  // q5.flips, factor
  double threshold_half = 2.0;
  double mode_share = 0.02;           // exposed share of the step at overlap 0
  double critical_share = 0.1;        // of the critical batch
  double batch_slack = 1.05;          // "about" the critical batch
  double hbm_bandwidth_least = 2e12;  // a stated HBM bandwidth, byte/s
  double hbm_bandwidth_most = 8e12;
};

struct Rubric {
  std::string version;
  std::vector<QuestionRule> questions;
  Tolerances tolerances;
  // Part marks by name: "kind_unspecified" 1.5, "mode_generic" 2, ...
  double kind_unspecified = 1.5;
  double mode_generic = 2.0;   // straggler and the like, tied to nothing
  double mode_vague = 1.5;     // "communication"
  double symptom_event = 1.0;  // an event or a metric without direction
  double flips_half = 2.0;
  double flips_direction = 1.0;
  double serving_pipeline = 1.0;  // most for q2.good with a needless pp

  [[nodiscard]] const CriterionRule* find(std::string_view id) const;
};

// ---- failure modes, as data ----

struct SymptomRule {
  std::string id;
  std::string metric;     // concept id of group "metric"
  std::string direction;  // "up", "down", "flat", or "" for any
  std::vector<std::string> words;
};

struct FailureMode {
  std::string id;
  std::string title;
  std::string predicate;  // the name of a C++ predicate, see known_predicates
  std::vector<Phase> phases;  // empty: both
  bool generic = false;       // holds for every plan: needs to be tied
  std::vector<std::string> words;
  std::vector<SymptomRule> symptoms;
};

[[nodiscard]] const std::vector<std::string_view>& known_predicates();

// Adds the modes' and symptoms' words to a lexicon's data, as groups "mode"
// and "symptom" (id "mode/symptom").
void add_modes(LexiconData& data, const std::vector<FailureMode>& modes);

// What grading needs beyond an answer. Built once.
struct GradingData {
  Rubric rubric;
  std::vector<FailureMode> modes;
  Lexicon lexicon;  // with add_modes()
};

// ---- the result ----

enum class CriterionVerdict : std::uint8_t { kPass, kPartial, kFail, kReview };
[[nodiscard]] std::string_view criterion_verdict_name(CriterionVerdict v);

// The student's words that were judged, and how they were read.
struct Evidence {
  std::string text;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string read_as;
};

// The number that decided.
struct DecidingNumber {
  std::string label;
  double value = 0.0;
  std::string unit;
};

struct CriterionResult {
  std::string id;
  double score = 0.0;
  double max = 0.0;
  CriterionVerdict verdict = CriterionVerdict::kFail;
  std::string note;  // stable: "q2.good.near_best"
  Evidence evidence;
  std::string says;
  std::string hint;
  std::string worked;
  std::optional<DecidingNumber> number;
};

struct QuestionResult {
  std::string id;
  double score = 0.0;
  double max = 0.0;
  std::vector<CriterionResult> criteria;
};

struct GradeReport {
  std::string scenario;
  double score = 0.0;
  double max = 0.0;
  int review = 0;          // criteria left to a person
  bool has_plan = false;   // degrees were read
  bool followed = false;   // q3 to q5 were judged on it
  Plan plan;               // as followed
  std::string constraint;  // as read, "" if none
  std::vector<QuestionResult> questions;
};

// Planner results that answers to one scenario share: best plans by batch,
// evaluations and thresholds by plan. Owned by the caller; results do not
// depend on what is in it. At most kMaxCacheEntries of each kind are kept.
inline constexpr std::size_t kMaxCacheEntries = 4096;
struct CacheEntries;
class GraderCache {
 public:
  GraderCache();
  ~GraderCache();
  GraderCache(GraderCache&&) noexcept;
  GraderCache& operator=(GraderCache&&) noexcept;
  GraderCache(const GraderCache&) = delete;
  GraderCache& operator=(const GraderCache&) = delete;

  // The entries of this scenario; those of another scenario are made apart.
  [[nodiscard]] CacheEntries& of(const Scenario& scenario);

 private:
  std::vector<std::unique_ptr<CacheEntries>> entries_;
};

// One answer. `prompt` is the scenario's own text and facts: a number that
// stands in it backs a claim only where it is compared with another.
[[nodiscard]] GradeReport grade(const Scenario& scenario,
                                std::string_view prompt,
                                const GradingData& data, const Claims& claims,
                                GraderCache& cache);

// A submission that says nothing, or a copy of the prompt's words.
[[nodiscard]] bool copies_prompt(std::string_view text,
                                 std::string_view prompt);

// ---- across scenarios ----

struct AcrossNote {
  std::string note;
  std::string says;
};
struct GradedAnswer {
  const Scenario* scenario = nullptr;
  const GradeReport* report = nullptr;
  const Claims* claims = nullptr;
};
[[nodiscard]] std::vector<AcrossNote> grade_across(
    const std::vector<GradedAnswer>& answers);

}  // namespace meshwise
