#include "meshwise/catalog.h"

#include <gtest/gtest.h>

#include <set>

#include "core/drill.h"
#include "meshwise/constraint.h"

namespace meshwise {
namespace {

const Catalog& catalog() {
  static const Result<Catalog> loaded = Catalog::load();
  return *loaded;
}

TEST(Catalog, TheEmbeddedDataLoads) {
  const Result<Catalog> loaded = Catalog::load();
  ASSERT_TRUE(loaded.ok()) << loaded.problem().message;
  EXPECT_GE(loaded->models.size(), 10u);
  EXPECT_GE(loaded->gpus.size(), 5u);
}

TEST(Catalog, EveryEntryHasASourceAndAnIdOfItsOwn) {
  std::set<std::string> ids;
  for (const ModelPreset& m : catalog().models) {
    EXPECT_FALSE(m.source.empty()) << m.model.id;
    EXPECT_TRUE(ids.insert(m.model.id).second) << m.model.id;
  }
  for (const GpuPreset& g : catalog().gpus) {
    EXPECT_FALSE(g.source.empty()) << g.id;
  }
  for (const ScenarioDocument& s : catalog().scenarios) {
    EXPECT_FALSE(s.source.empty()) << s.scenario.id;
    EXPECT_FALSE(s.prompt.empty());
  }
}

TEST(Catalog, PresetsHaveTheirPublishedCounts) {
  struct Count {
    const char* id;
    double parameters;
  };
  const Count counts[] = {
      {"llama3-8b", 8030261248},     {"llama3-70b", 70553706496},
      {"llama3-405b", 405853388800}, {"llama-65b", 65285660672},
      {"gpt3-175b", 174604259328},   {"mixtral-8x22b", 140620634112},
      {"qwen2.5-72b", 72706203648}};
  for (const Count& c : counts) {
    const ModelPreset* m = catalog().model(c.id);
    ASSERT_NE(m, nullptr) << c.id;
    EXPECT_EQ(count_parameters(m->model).total, c.parameters) << c.id;
  }
}

TEST(Catalog, TheDrillsScenariosAreTheDrills) {
  const Cluster& cluster = catalog().cluster("drill")->cluster;
  const Cluster by_hand = testing::drill_cluster();
  EXPECT_EQ(cluster.gpu.hbm, by_hand.gpu.hbm);
  EXPECT_EQ(cluster.gpu.achieved, by_hand.gpu.achieved);
  EXPECT_EQ(cluster.tiers[0], by_hand.tiers[0]);
  EXPECT_EQ(cluster.tiers[1], by_hand.tiers[1]);
  EXPECT_EQ(catalog().scenario("A")->scenario.training,
            testing::scenario_a().training);
  EXPECT_EQ(catalog().scenario("D")->scenario.serving,
            testing::scenario_d().serving);
}

TEST(Catalog, WhatBindsIsFoundAndNotStored) {
  const char* ids[] = {"A", "B", "C", "D"};
  const Constraint found[] = {Constraint::kThroughput, Constraint::kMemoryState,
                              Constraint::kMemoryActivations,
                              Constraint::kLatency};
  for (int i = 0; i < 4; ++i) {
    const ScenarioDocument* s = catalog().scenario(ids[i]);
    ASSERT_NE(s, nullptr);
    EXPECT_EQ(binding_constraint(s->scenario).constraint, found[i]);
    EXPECT_EQ(s->text.find("memory-"), std::string::npos);
    EXPECT_EQ(s->text.find("\"binding"), std::string::npos);
  }
}

TEST(Catalog, AnUnknownIdIsNull) {
  EXPECT_EQ(catalog().model("llama3-9b"), nullptr);
  EXPECT_EQ(catalog().scenario(""), nullptr);
}

}  // namespace
}  // namespace meshwise
