// Evaluating a plan allocates nothing: this binary counts what operator new is
// asked for.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>

#include "core/drill.h"
#include "meshwise/training.h"

namespace {

std::atomic<std::size_t> allocations{0};

void* counted(std::size_t size) {
  ++allocations;
  void* out = std::malloc(size > 0 ? size : 1);
  if (out == nullptr) std::abort();
  return out;
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace meshwise {
namespace {

// Names too long for a string's own buffer, so that a copy would be seen.
void give_long_names(Scenario& s) {
  const std::string name(100, 'n');
  s.id = s.title = s.model.id = s.model.name = name;
  s.cluster.id = s.cluster.name = s.cluster.gpu.name = name;
  for (Tier& tier : s.cluster.tiers) tier.name = name;
}

void add_experts(Scenario& s) {
  s.model.moe.experts = 8;
  s.model.moe.top_k = 2;
  s.model.moe.expert_ffn = s.model.ffn;
  s.model.moe.dense_layers = 3;
}

// Evaluates plans that run and plans that do not; returns how many.
int evaluate_many(const Scenario& s) {
  int plans = 0;
  for (const int tp : {1, 2, 3, 8, 64}) {
    for (const int pp : {1, 2, 8}) {
      for (const int cp : {1, 2, 4}) {
        for (int zero = 0; zero <= 3; ++zero) {
          for (const int ep : {1, 8}) {
            Plan plan = testing::plan_of(4, tp, pp, cp);
            plan.ep = ep;
            plan.zero = zero;
            plan.shard_group = zero == 2 ? 4 : 0;
            plan.cp_method = static_cast<CpMethod>(zero % 3);
            plan.recompute = static_cast<Recompute>(zero % 3);
            plans += evaluate(s, plan).micro_batches > 0 ? 1 : 0;
          }
        }
      }
    }
  }
  return plans;
}

TEST(Allocation, TheCounterSeesAnAllocation) {
  const std::size_t before = allocations;
  const std::string text(100, 'x');
  EXPECT_EQ(text.size(), 100u);
  EXPECT_GT(allocations, before);
}

TEST(Allocation, EvaluatingAPlanAllocatesNothing) {
  Scenario scenarios[] = {testing::scenario_a(), testing::scenario_b(),
                          testing::scenario_c(), testing::scenario_c(),
                          testing::scenario_c()};
  add_experts(scenarios[3]);
  add_experts(scenarios[4]);
  scenarios[4].model.latent = {1536, 512, 128, 64, 128};
  scenarios[4].training.activations = Activations::kArchitecture;
  scenarios[4].training.framework_overheads = true;
  for (Scenario& s : scenarios) {
    give_long_names(s);
    const std::size_t before = allocations;
    const int plans = evaluate_many(s);
    const std::size_t after = allocations;
    EXPECT_EQ(after - before, 0u);
    EXPECT_EQ(plans, 360);
  }
}

}  // namespace
}  // namespace meshwise
