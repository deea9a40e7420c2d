// How many plans a second: evaluated, searched and ranked, and what the
// threshold solver and the grader make of them. Items are plans (answers for
// the grader).
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "core/drill.h"
#include "meshwise/api.h"
#include "meshwise/search.h"
#include "meshwise/threshold.h"

namespace meshwise {
namespace {

void evaluate_one(benchmark::State& state) {
  const Scenario s = testing::scenario_b();
  Plan plan = testing::plan_of(4, 8, 2);
  plan.zero = 1;
  for (auto _ : state) benchmark::DoNotOptimize(evaluate(s, plan));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(evaluate_one);

void search_drill(benchmark::State& state) {
  const Scenario s = testing::scenario_b();
  std::size_t searched = 0;
  for (auto _ : state) searched += search(s, {}).searched;
  state.SetItemsProcessed(static_cast<std::int64_t>(searched));
}
BENCHMARK(search_drill)->Unit(benchmark::kMillisecond);

// More than the 138,624 plans that a published search tool reports on.
void search_large_cluster(benchmark::State& state) {
  Scenario s = testing::scenario_a();
  s.training = {};
  s.cluster = testing::drill_cluster(1024);
  s.model.layers = 64;
  s.model.moe.experts = 64;
  s.model.moe.top_k = 8;
  s.model.moe.expert_ffn = 2048;
  s.training.seq = 32768;
  s.training.global_batch = 4096;
  std::size_t searched = 0;
  for (auto _ : state) {
    const SearchResult r = search(s, {});
    searched += r.searched;
    state.counters["plans"] = static_cast<double>(r.searched);
    if (r.searched < 138624) state.SkipWithError("too few plans");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(searched));
}
BENCHMARK(search_large_cluster)->Unit(benchmark::kMillisecond);

void visit_drill(benchmark::State& state) {
  const Scenario s = testing::scenario_b();
  std::int64_t visited = 0;
  for (auto _ : state) {
    for_each_plan(s, 64, [&](const Evaluation&) { ++visited; });
  }
  state.SetItemsProcessed(visited);
}
BENCHMARK(visit_drill)->Unit(benchmark::kMillisecond);

void best_plan_drill(benchmark::State& state) {
  const Scenario s = testing::scenario_b();
  for (auto _ : state) benchmark::DoNotOptimize(best_plan(s));
}
BENCHMARK(best_plan_drill)->Unit(benchmark::kMicrosecond);

void thresholds_of_one_parameter(benchmark::State& state) {
  const Scenario s = testing::scenario_a();
  const Plan plan = testing::plan_of(64, 1);
  ThresholdOptions options;
  options.parameters = {Parameter::kHbm};
  options.best_axes = false;
  for (auto _ : state) {
    benchmark::DoNotOptimize(find_thresholds(s, &plan, options));
  }
}
BENCHMARK(thresholds_of_one_parameter)->Unit(benchmark::kMicrosecond);

void call_memory(benchmark::State& state) {
  Engine engine;
  const std::string request =
      R"({"kind":"memory","scenario":"A","plan":{"dp":8,"tp":8}})";
  for (auto _ : state) benchmark::DoNotOptimize(engine.call(request));
}
BENCHMARK(call_memory)->Unit(benchmark::kMicrosecond);

void grade_structured_answer(benchmark::State& state) {
  Engine engine;
  const std::string request =
      R"({"kind":"grade","submission":{"source":"b","answers":{)"
      R"("schema":"meshwise.answers/1","answers":[{"scenario":"A",)"
      R"("q1":{"constraint":"throughput","because":"137 GiB of 192 GiB"},)"
      R"("q2":{"dp":64,"zero":1,"unused":[{"axis":"pp","because":"bubble"}]},)"
      R"("q3":{"dp":{"tier":"inter-node","minimum_gbps":9.4}},)"
      R"("q4":{"mode":"straggler","symptom":"step time rises"},)"
      R"("q5":{"parameter":"seq","threshold":16000,"unit":"tokens"}}]}}})";
  for (auto _ : state) benchmark::DoNotOptimize(engine.call(request));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(grade_structured_answer)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace meshwise
