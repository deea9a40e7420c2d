// What the files that judge an answer share: the plan as it is followed, the
// planner's numbers, and the making of a result.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meshwise/constraint.h"
#include "meshwise/decode.h"
#include "meshwise/grade.h"
#include "meshwise/search.h"
#include "meshwise/threshold.h"
#include "text.h"

namespace meshwise {

// The student's plan with every option filled in, and what it does.
struct Followed {
  Scenario scenario;  // with the student's batch, context, HBM bandwidth
  Plan plan;
  bool training = true;
  bool stated = false;      // at least one degree was read
  bool unreadable = false;  // a degree could not be read
  bool sane = true;         // worth following
  bool runs_as_stated = false;
  bool runs = false;  // with the options filled in or changed
  bool options_filled = false;
  bool batch_stated = false;
  bool zero_stated = false;
  std::int64_t product = 1;
  std::int64_t gpus = 1;  // to multiply to
  Evaluation evaluation;  // training
  DecodeTime decode;      // serving
  Algorithm algorithm = Algorithm::kRing;
  double relative = 0.0;    // of the best plan at the same batch
  double best_value = 0.0;  // tokens/s, or s a token
  Plan best;
};

using CacheKey = std::array<std::int64_t, 20>;

struct CacheEntries {
  Scenario scenario;
  std::map<CacheKey, Followed> followed;
  std::map<CacheKey, std::optional<Evaluation>> best;
  std::map<CacheKey, std::vector<Threshold>> thresholds;
  std::map<CacheKey, bool> answers;
};

// A number of the planner that a student's may be compared with.
struct Fact {
  std::string label;
  Dimension dimension = Dimension::kNone;
  double value = 0.0;     // base unit
  std::string_view kind;  // concept of group "quantity", "" for any
};

struct Judge {
  const Scenario& scenario;
  const GradingData& data;
  const Claims& claims;
  CacheEntries& cache;
  std::string_view prompt;
  Findings given;  // numbers of the prompt
  Binding binding;
  Followed followed;
  std::vector<Fact> facts;

  [[nodiscard]] const Tolerances& tolerances() const {
    return data.rubric.tolerances;
  }
  [[nodiscard]] const Lexicon& lexicon() const { return data.lexicon; }
};

[[nodiscard]] Followed follow(const Scenario& scenario, const Claims& claims,
                              CacheEntries& cache, const Rubric& rubric);
[[nodiscard]] CacheKey plan_key(const Followed& followed, std::int64_t extra);
[[nodiscard]] std::vector<Fact> planner_facts(const Scenario& scenario,
                                              const Followed& followed);

// True when `amount` is `fact` within the relative tolerance, edges included.
[[nodiscard]] bool near(double stated, double truth, double tolerance);
[[nodiscard]] bool matches_fact(const Amount& amount, const Fact& fact,
                                double tolerance);
// A bandwidth V / t of two amounts of the text that agrees with `bandwidth`.
[[nodiscard]] bool consistent(const std::vector<Amount>& amounts,
                              double bandwidth, double tolerance);
// True when the number stands in the prompt, so that it proves nothing alone.
[[nodiscard]] bool is_given(const Findings& given, const Amount& amount);

// "119.7 GiB", "9.4 GB/s", "24.7 ms": a value in the unit people use.
[[nodiscard]] std::string in_units(Dimension dimension, double value);
[[nodiscard]] std::string plan_words(const Plan& plan);
[[nodiscard]] Evidence evidence_of(const Passage& passage,
                                   std::string read_as = "");

// A result with full, part or no marks; verdict and score follow from `score`.
[[nodiscard]] CriterionResult result(const Judge& judge, std::string_view id,
                                     double score, std::string_view path,
                                     Evidence evidence, std::string says);
[[nodiscard]] CriterionResult review(const Judge& judge, std::string_view id,
                                     Evidence evidence, std::string says);
// Not answered; review where there is text that was not read.
[[nodiscard]] CriterionResult unanswered(const Judge& judge,
                                         std::string_view id, int question);

void judge_q1(const Judge& judge, std::vector<CriterionResult>& out);
void judge_q2(const Judge& judge, std::vector<CriterionResult>& out);
void judge_q3(const Judge& judge, std::vector<CriterionResult>& out);
void judge_q4(const Judge& judge, std::vector<CriterionResult>& out);
void judge_q5(const Judge& judge, std::vector<CriterionResult>& out);

// True when the reason (concept of group "reason") holds for the axis.
[[nodiscard]] bool reason_holds(const Judge& judge, Axis axis,
                                std::string_view reason);
// True when the mode is real for the plan that is followed.
[[nodiscard]] bool mode_holds(const Judge& judge, std::string_view predicate);

}  // namespace meshwise
