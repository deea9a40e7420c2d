// Every plan of a training scenario: enumerated, evaluated, ranked.
//
// The space is all dp x tp x pp x cp x ep = gpus with tp a divisor of the
// heads, every ZeRO stage, every recompute, every micro-batch that divides
// what one rank gets, every order of the axes used with tp innermost. cp is
// tried while each rank keeps kLeastCpSlice tokens of a sequence: shorter
// slices make attention kernels too small for a constant efficiency, and no
// published long-context run uses them. A plan that is asked for by itself is
// evaluated whatever its cp. Plans
// rank by tokens/s at the scenario's global batch; the order is total, so the
// same input gives the same list everywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "meshwise/training.h"

namespace meshwise {

inline constexpr std::int64_t kLeastCpSlice = 4096;  // tokens

struct SearchOptions {
  std::size_t top = 10;  // plans to return
  // One plan a decomposition (its best options), or every option a row.
  bool best_of_each_decomposition = true;
  // Keep infeasible plans out of the ranking (they are always counted).
  bool feasible_only = true;
  std::int64_t max_micro_batch = 64;
  // Called now and then with the share done; return false to stop early.
  std::function<bool(double)> progress;
};

struct RankedPlan {
  Evaluation evaluation;
  double relative = 0.0;  // tokens/s over the best plan's
  bool tied = false;      // within 1 % of the plan ranked above it
  int rank = 0;           // from 1; tied plans share it
};

// One decomposition that did not make it, with why.
struct RejectedPlan {
  Evaluation evaluation;  // the options that came nearest to running
};

struct SearchResult {
  std::size_t searched = 0;
  std::size_t feasible = 0;
  std::array<std::size_t, kReasonCount> rejected{};  // by Reason
  std::vector<RankedPlan> plans;
  std::vector<RejectedPlan> rejected_plans;  // one a decomposition, at most
                                             // `top`, nearest first
  bool stopped = false;  // progress asked to stop: the result is partial
};

[[nodiscard]] SearchResult search(const Scenario& scenario,
                                  const SearchOptions& options);

// The same space without ranking: calls `visit` for every plan evaluated.
// Allocates nothing beyond what visit does.
void for_each_plan(const Scenario& scenario, std::int64_t max_micro_batch,
                   const std::function<void(const Evaluation&)>& visit);

// How many plans the space has, counted without evaluating any and at most to
// `limit`: what a caller asks before it starts a search that may take long.
[[nodiscard]] std::size_t count_plans(const Scenario& scenario,
                                      std::int64_t max_micro_batch,
                                      std::size_t limit);

// The feasible plan with the most tokens/s, or nothing; the same plan as
// search() ranks first, found without visiting options that cannot win.
[[nodiscard]] std::optional<Evaluation> best_plan(const Scenario& scenario);

// The best options (ZeRO, recompute, micro-batch, order) for a decomposition:
// `fixed` has the degrees; options the caller holds are marked. Returns the
// best feasible evaluation, or the one nearest to running.
struct HeldOptions {
  bool zero = false;
  bool recompute = false;
  bool micro_batch = false;
  bool order = false;
};
[[nodiscard]] Evaluation best_options(const Scenario& scenario,
                                      const Plan& fixed, HeldOptions held);

// A strict total order: feasible first, then tokens/s, then the simpler plan.
[[nodiscard]] bool ranks_before(const Evaluation& a, const Evaluation& b);

}  // namespace meshwise
