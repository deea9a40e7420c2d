#include "meshwise/search.h"

#include <gtest/gtest.h>

#include "core/drill.h"

namespace meshwise {
namespace {

using testing::plan_of;

TEST(Search, InScenarioATheBestPlanIsPureDataParallelism) {
  const SearchResult r = search(testing::scenario_a(), {});
  ASSERT_FALSE(r.plans.empty());
  const Plan& best = r.plans.front().evaluation.plan;
  EXPECT_EQ(best.dp, 64);
  EXPECT_EQ(best.tp * best.pp * best.cp * best.ep, 1);
  EXPECT_LT(r.plans[1].relative, 0.99);
}

TEST(Search, InScenarioCNoPlanHasMoreThanSixteenReplicas) {
  SearchOptions options;
  options.top = 1000;
  options.best_of_each_decomposition = false;
  const SearchResult r = search(testing::scenario_c(), options);
  ASSERT_FALSE(r.plans.empty());
  for (const RankedPlan& p : r.plans) EXPECT_LE(p.evaluation.plan.dp, 16);
}

TEST(Search, RanksAreOrderedAndTiesAreWithinOnePercentOfTheirFirst) {
  SearchOptions options;
  options.top = 100;
  const SearchResult r = search(testing::scenario_b(), options);
  double first = 0.0;
  for (std::size_t i = 0; i < r.plans.size(); ++i) {
    const double rate = r.plans[i].evaluation.throughput.tokens_per_s;
    const bool joins = i > 0 && r.plans[i].rank == r.plans[i - 1].rank;
    if (!joins) first = rate;
    EXPECT_GE(rate, 0.99 * first);
    if (i > 0) {
      EXPECT_LE(rate, r.plans[i - 1].evaluation.throughput.tokens_per_s);
    }
  }
}

TEST(Search, TheQuickBestPlanIsTheFirstOfTheRanking) {
  for (const Scenario& base :
       {testing::scenario_a(), testing::scenario_b(), testing::scenario_c()}) {
    for (const int gpus : {8, 16, 64, 128}) {
      for (const double gbps : {5.0, 50.0, 400.0}) {
        Scenario s = base;
        s.cluster = testing::drill_cluster(gpus);
        s.cluster.tiers[1].link.bandwidth = gigabytes_per_second(gbps);
        const SearchResult ranked = search(s, {});
        const auto best = best_plan(s);
        ASSERT_EQ(best.has_value(), !ranked.plans.empty());
        if (best) {
          EXPECT_EQ(best->plan, ranked.plans.front().evaluation.plan)
              << s.id << " " << gpus << " " << gbps;
        }
      }
    }
  }
}

TEST(Search, EveryPlanIsCountedAndRejectionsHaveReasons) {
  std::size_t visited = 0;
  for_each_plan(testing::scenario_b(), 64,
                [&](const Evaluation&) { ++visited; });
  const SearchResult r = search(testing::scenario_b(), {});
  EXPECT_EQ(r.searched, visited);
  EXPECT_LT(r.feasible, r.searched);
  EXPECT_GT(r.rejected[static_cast<std::size_t>(Reason::kHbm)], 0u);
  for (const RejectedPlan& p : r.rejected_plans) {
    EXPECT_FALSE(p.evaluation.reasons.empty());
  }
}

TEST(Search, ItStopsWhenAskedTo) {
  SearchOptions options;
  int calls = 0;
  options.progress = [&](double share) {
    EXPECT_GT(share, 0.0);
    return ++calls < 3;
  };
  const SearchResult r = search(testing::scenario_a(), options);
  EXPECT_TRUE(r.stopped);
  EXPECT_EQ(calls, 3);
}

TEST(Search, BestOptionsFindTheShardingThatLetsAPlanRun) {
  const Scenario s = testing::scenario_b();
  EXPECT_FALSE(evaluate(s, plan_of(64, 1)).feasible());
  const Evaluation e = best_options(s, plan_of(64, 1), {});
  EXPECT_TRUE(e.feasible());
  EXPECT_EQ(e.plan.zero, 3);
  HeldOptions held;
  held.zero = true;
  EXPECT_FALSE(best_options(s, plan_of(64, 1), held).feasible());
}

TEST(Search, TheOrderIsTotal) {
  std::vector<Evaluation> all;
  for_each_plan(testing::scenario_a(), 4,
                [&](const Evaluation& e) { all.push_back(e); });
  for (std::size_t i = 0; i + 1 < all.size(); i += 7) {
    EXPECT_FALSE(ranks_before(all[i], all[i]));
    EXPECT_NE(ranks_before(all[i], all[i + 1]),
              ranks_before(all[i + 1], all[i]));
  }
}

}  // namespace
}  // namespace meshwise
