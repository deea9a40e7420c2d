// What the replies of all request kinds share: how a request is read up to
// its kind, and how plans, memory, reasons and explanations are written.
#pragma once

#include <string>
#include <vector>

#include "grade_data.h"
#include "json.h"
#include "meshwise/catalog.h"
#include "meshwise/report.h"
#include "meshwise/search.h"
#include "meshwise/training.h"
#include "meshwise/variant.h"
#include "request.h"

namespace meshwise::api {

// How many plans one request may search, and how many it may keep to rank or
// to hand out as rows: about a second of work, and about 200 MB.
inline constexpr std::size_t kMaxSearchedPlans = 1'500'000;
inline constexpr std::size_t kMaxKeptPlans = 500'000;

// One request on its way to its reply.
struct Call {
  const Json& request;
  Reader reader;
  const Catalog& catalog;
  const GradingData& grading;
  GraderCache& cache;
  VariantShelf& shelf;
};

using Reply = Result<Json>;

[[nodiscard]] Json error_reply(const Problem& problem);
[[nodiscard]] Json problem_json(const Problem& problem);
// {"schema": "meshwise.<kind>/1"}
[[nodiscard]] Json reply_of(const char* kind);

// Checks what is left unread; the first problem found, if any. To be called
// once everything has been read.
[[nodiscard]] std::optional<Problem> finish(Call& call);

// The options object, or an empty one.
[[nodiscard]] Reader options_of(Call& call);
// `top` within 1 to 1000.
[[nodiscard]] std::size_t read_top(Reader& options, std::size_t standard);

[[nodiscard]] Json scenario_summary(const Scenario& scenario);
[[nodiscard]] Json cluster_json(const Cluster& cluster);
[[nodiscard]] Json training_json(const Training& training);
[[nodiscard]] Json serving_json(const Serving& serving);
[[nodiscard]] Json plan_json(const Plan& plan);
[[nodiscard]] Json per_gpu_json(const Scenario& scenario, const Plan& plan,
                                const StageMemory& memory);
[[nodiscard]] Json reasons_json(const Scenario& scenario,
                                const Evaluation& evaluation);
[[nodiscard]] std::string reason_text(const ReasonDetail& detail);
[[nodiscard]] Json explain_json(const std::vector<Explanation>& list);
[[nodiscard]] Json assumptions_json(const std::vector<Assumption>& list);
[[nodiscard]] std::string tier_name(const Cluster& cluster, int tier);
[[nodiscard]] std::string axes_text(const Plan& plan);  // "dp=32 tp=2"

// A request about a model needs one.
void need_model(Call& call, const RequestScenario& scenario);
// A plan for the memory of whose GPUs a number is asked must be one that the
// model's shape allows: says which degrees are.
void check_shape(Call& call, const Scenario& scenario, const Plan& plan);
// A search of more plans than `limit` is refused before it starts, so that no
// request runs for minutes; `hint` says what would make it smaller.
void check_size(Call& call, const Scenario& scenario,
                std::int64_t max_micro_batch, std::size_t limit,
                std::string hint);

// By kind.
[[nodiscard]] Reply memory(Call& call);
[[nodiscard]] Reply collective(Call& call);
[[nodiscard]] Reply plan(Call& call);
[[nodiscard]] Reply decode(Call& call);
[[nodiscard]] Reply threshold(Call& call);
[[nodiscard]] Reply scenario(Call& call);
[[nodiscard]] Reply catalog(Call& call);
[[nodiscard]] Reply sheet(Call& call);
[[nodiscard]] Reply grade(Call& call);

// A submission's text as answers: a meshwise.answers/1 document, a sheet, or
// prose, whose answers may name no scenario.
struct ReadSubmission {
  AnswersDocument document;
  std::vector<Passage> unplaced;            // a sheet's text of no scenario
  std::vector<std::string> answered_again;  // scenarios with a later answer
  std::optional<Problem> problem;
};
[[nodiscard]] ReadSubmission read_submission(const Call& call,
                                             const std::string& text);
// The scenario whose numbers a text works with, "" where that is not sure.
[[nodiscard]] std::string likely_scenario(const Call& call,
                                          const std::string& text);

}  // namespace meshwise::api
