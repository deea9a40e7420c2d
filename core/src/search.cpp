#include "meshwise/search.h"

#include <algorithm>

namespace meshwise {
namespace {

constexpr double kTie = 0.01;

int recompute_rank(Recompute r) {
  switch (r) {
    case Recompute::kSelective:
      return 0;
    case Recompute::kNone:
      return 1;
    case Recompute::kFull:
      return 2;
  }
  return 2;
}

int reason_count(Reasons reasons) {
  int count = 0;
  for (std::uint32_t bits = reasons.bits(); bits != 0; bits &= bits - 1) {
    ++count;
  }
  return count;
}

// The simpler plan first, when nothing else tells two apart.
bool simpler(const Plan& a, const Plan& b) {
  if (a.zero != b.zero) return a.zero < b.zero;
  const int ar = recompute_rank(a.recompute);
  const int br = recompute_rank(b.recompute);
  if (ar != br) return ar < br;
  if (a.micro_batch != b.micro_batch) return a.micro_batch < b.micro_batch;
  if (a.pp != b.pp) return a.pp < b.pp;
  if (a.cp != b.cp) return a.cp < b.cp;
  if (a.ep != b.ep) return a.ep < b.ep;
  if (a.tp != b.tp) return a.tp < b.tp;
  return a.order < b.order;
}

// The orders of the axes that a plan uses, tp innermost, that place the axes
// differently.
struct Orders {
  std::array<AxisOrder, 24> list{};
  std::size_t count = 0;
};

Orders distinct_orders(Plan plan, const Cluster& cluster) {
  std::array<Axis, 4> outer{};
  std::size_t used = 0;
  AxisOrder order{};
  std::size_t tail = kAxisCount;
  for (const Axis axis : kAxes) {
    if (axis == Axis::kTp) continue;
    if (degree(plan, axis) > 1) {
      outer[used++] = axis;
    } else {
      order[--tail] = axis;
    }
  }
  order[0] = Axis::kTp;
  const auto end = outer.begin() + static_cast<std::ptrdiff_t>(used);
  Orders out;
  std::array<Placement, 24> seen{};
  do {
    std::copy(outer.begin(), end, order.begin() + 1);
    plan.order = order;
    const Placement placement = place(plan, cluster);
    const auto last = seen.begin() + static_cast<std::ptrdiff_t>(out.count);
    if (std::find(seen.begin(), last, placement) == last) {
      seen[out.count] = placement;
      out.list[out.count++] = order;
    }
  } while (std::next_permutation(outer.begin(), end));
  return out;
}

// The best evaluation seen, by ranks_before.
struct Best {
  Evaluation evaluation;
  bool any = false;

  void offer(const Evaluation& e) {
    if (!any || ranks_before(e, evaluation)) {
      evaluation = e;
      any = true;
    }
  }
};

// Calls visit(plan) with every decomposition of the cluster's GPUs.
template <class Visit>
void for_each_decomposition(const Scenario& scenario, Visit visit) {
  const int n = scenario.cluster.gpus;
  const bool moe = scenario.model.moe.experts > 0;
  for (int tp = 1; tp <= std::min(n, scenario.model.heads); ++tp) {
    if (n % tp != 0 || scenario.model.heads % tp != 0) continue;
    const int after_tp = n / tp;
    for (int pp = 1; pp <= after_tp; ++pp) {
      if (after_tp % pp != 0) continue;
      const int after_pp = after_tp / pp;
      for (int cp = 1; cp <= after_pp; ++cp) {
        if (after_pp % cp != 0) continue;
        if (cp > 1 && scenario.training.seq / cp < kLeastCpSlice) continue;
        const int after_cp = after_pp / cp;
        for (int ep = 1; ep <= (moe ? after_cp : 1); ++ep) {
          if (after_cp % ep != 0) continue;
          Plan plan;
          plan.tp = tp;
          plan.pp = pp;
          plan.cp = cp;
          plan.ep = ep;
          plan.dp = after_cp / ep;
          visit(plan);
        }
      }
    }
  }
}

std::int64_t sequences_per_rank(const Scenario& scenario, const Plan& plan) {
  const std::int64_t ranks = std::int64_t{1} * plan.dp * plan.ep;
  const std::int64_t batch = scenario.training.global_batch;
  return batch % ranks == 0 ? batch / ranks : 1;
}

// Calls visit(plan) with every choice of options for a decomposition. One
// whose degrees cannot run is visited once: its options do not matter.
template <class Visit>
void for_each_option(const Scenario& scenario, const Plan& fixed,
                     HeldOptions held, std::int64_t max_micro_batch,
                     Visit visit) {
  Plan plan = fixed;
  if (!held.micro_batch) plan.micro_batch = 1;
  if (!shape_reasons(scenario, plan).empty()) {
    visit(plan);
    return;
  }
  Orders orders;
  if (held.order) {
    orders.list[0] = fixed.order;
    orders.count = 1;
  } else {
    orders = distinct_orders(plan, scenario.cluster);
  }
  const std::int64_t share = sequences_per_rank(scenario, plan);
  const std::int64_t most =
      held.micro_batch ? plan.micro_batch : std::min(share, max_micro_batch);
  for (std::int64_t b = plan.micro_batch; b <= most; ++b) {
    if (share % b != 0 && !held.micro_batch) continue;
    plan.micro_batch = static_cast<int>(b);
    for (int zero = 0; zero <= 3; ++zero) {
      if (held.zero && zero != fixed.zero) continue;
      plan.zero = zero;
      for (int r = 0; r < 3; ++r) {
        plan.recompute = static_cast<Recompute>(r);
        if (held.recompute && plan.recompute != fixed.recompute) continue;
        for (std::size_t i = 0; i < orders.count; ++i) {
          plan.order = orders.list[i];
          visit(plan);
        }
      }
    }
  }
}

// Less time than any option of this decomposition and micro-batch can take:
// the evaluation's step without what another ZeRO stage or another order
// could lower. tp is innermost in every order, so its time stays; the bubble
// is kept where no cp or ep exchange is part of it, less its transfers.
Seconds least_step(const Evaluation& e) {
  const StepTime& t = e.time;
  const Seconds sure = t.compute + t.tp;
  if (e.plan.cp > 1 || e.plan.ep > 1) return sure;
  const Seconds transfers =
      (e.plan.pp - 1.0) / static_cast<double>(e.micro_batches) * t.pp_transfer;
  return sure + max(t.pp_bubble - transfers, seconds(0.0));
}

// The recompute that executes the fewest FLOPs; the others cost more.
Recompute cheapest_recompute(const Scenario& scenario) {
  return scenario.training.fused_attention ? Recompute::kSelective
                                           : Recompute::kNone;
}

constexpr double kRounding = 1.0 - 1e-9;

void offer_options(const Scenario& scenario, const Plan& fixed,
                   std::int64_t micro_batch, Best& best) {
  Plan plan = fixed;
  plan.micro_batch = static_cast<int>(micro_batch);
  plan.recompute = cheapest_recompute(scenario);
  const Evaluation first = evaluate(scenario, plan);
  if (best.any && best.evaluation.feasible() &&
      kRounding * least_step(first) > best.evaluation.time.step) {
    return;
  }
  HeldOptions held;
  held.micro_batch = true;
  for_each_option(scenario, plan, held, micro_batch, [&](const Plan& p) {
    const Evaluation e = evaluate(scenario, p);
    if (e.feasible()) best.offer(e);
  });
}

constexpr std::int64_t kDefaultMaxMicroBatch = 64;

}  // namespace

bool ranks_before(const Evaluation& a, const Evaluation& b) {
  if (a.feasible() != b.feasible()) return a.feasible();
  if (!a.feasible()) {
    const int ar = reason_count(a.reasons);
    const int br = reason_count(b.reasons);
    if (ar != br) return ar < br;
    const Bytes am = a.peak.memory.total();
    const Bytes bm = b.peak.memory.total();
    if (am != bm) return am < bm;
  } else {
    if (a.time.step != b.time.step) return a.time.step < b.time.step;
    if (a.verdict != b.verdict) return a.verdict < b.verdict;
  }
  return simpler(a.plan, b.plan);
}

void for_each_plan(const Scenario& scenario, std::int64_t max_micro_batch,
                   const std::function<void(const Evaluation&)>& visit) {
  for_each_decomposition(scenario, [&](const Plan& fixed) {
    for_each_option(scenario, fixed, HeldOptions{}, max_micro_batch,
                    [&](const Plan& plan) { visit(evaluate(scenario, plan)); });
  });
}

std::size_t count_plans(const Scenario& scenario, std::int64_t max_micro_batch,
                        std::size_t limit) {
  std::size_t count = 0;
  for_each_decomposition(scenario, [&](const Plan& fixed) {
    if (count >= limit) return;
    for_each_option(scenario, fixed, HeldOptions{}, max_micro_batch,
                    [&](const Plan&) { ++count; });
  });
  return std::min(count, limit);
}

std::optional<Evaluation> best_plan(const Scenario& scenario) {
  Best best;
  for_each_decomposition(scenario, [&](const Plan& fixed) {
    if (!shape_reasons(scenario, fixed).empty()) return;
    const std::int64_t share = sequences_per_rank(scenario, fixed);
    const std::int64_t most = std::min(share, kDefaultMaxMicroBatch);
    for (std::int64_t b = 1; b <= most; ++b) {
      if (share % b == 0) offer_options(scenario, fixed, b, best);
    }
  });
  if (!best.any) return std::nullopt;
  return best.evaluation;
}

Evaluation best_options(const Scenario& scenario, const Plan& fixed,
                        HeldOptions held) {
  Best best;
  for_each_option(
      scenario, fixed, held, kDefaultMaxMicroBatch,
      [&](const Plan& plan) { best.offer(evaluate(scenario, plan)); });
  return best.evaluation;
}

namespace {

// Collects what the search keeps while it runs.
struct Collector {
  const SearchOptions& options;
  SearchResult& result;
  std::vector<Evaluation> ranked;

  void count(const Evaluation& e) {
    ++result.searched;
    if (e.feasible()) ++result.feasible;
    for (std::size_t i = 0; i < kReasonCount; ++i) {
      if (e.reasons.has(static_cast<Reason>(i))) ++result.rejected[i];
    }
  }
  void keep(const Evaluation& e) {
    if (e.feasible() || !options.feasible_only) {
      ranked.push_back(e);
    } else {
      result.rejected_plans.push_back({e});
    }
  }
};

void rank_plans(Collector& collected) {
  std::vector<Evaluation>& all = collected.ranked;
  std::sort(all.begin(), all.end(), ranks_before);
  SearchResult& out = collected.result;
  const std::size_t kept = std::min(all.size(), collected.options.top);
  double group_best = 0.0;
  for (std::size_t i = 0; i < kept; ++i) {
    RankedPlan plan;
    plan.evaluation = all[i];
    const double rate = all[i].throughput.tokens_per_s;
    const double best = all[0].throughput.tokens_per_s;
    plan.relative = rate / best;
    const bool joins = i > 0 && rate >= (1.0 - kTie) * group_best;
    plan.rank = joins ? out.plans.back().rank : static_cast<int>(i) + 1;
    if (joins) {
      plan.tied = true;
      out.plans.back().tied = true;
    } else {
      group_best = rate;
    }
    out.plans.push_back(plan);
  }
  std::sort(out.rejected_plans.begin(), out.rejected_plans.end(),
            [](const RejectedPlan& a, const RejectedPlan& b) {
              return ranks_before(a.evaluation, b.evaluation);
            });
  if (out.rejected_plans.size() > collected.options.top) {
    out.rejected_plans.resize(collected.options.top);
  }
}

}  // namespace

SearchResult search(const Scenario& scenario, const SearchOptions& options) {
  SearchResult result;
  Collector collected{options, result, {}};
  std::size_t decompositions = 0;
  for_each_decomposition(scenario, [&](const Plan&) { ++decompositions; });
  std::size_t done = 0;
  for_each_decomposition(scenario, [&](const Plan& fixed) {
    if (result.stopped) return;
    Best best;
    for_each_option(scenario, fixed, HeldOptions{}, options.max_micro_batch,
                    [&](const Plan& plan) {
                      const Evaluation e = evaluate(scenario, plan);
                      collected.count(e);
                      if (options.best_of_each_decomposition) {
                        best.offer(e);
                      } else {
                        collected.keep(e);
                      }
                    });
    if (best.any) collected.keep(best.evaluation);
    ++done;
    if (options.progress &&
        !options.progress(static_cast<double>(done) /
                          static_cast<double>(decompositions))) {
      result.stopped = true;
    }
  });
  rank_plans(collected);
  return result;
}

}  // namespace meshwise
