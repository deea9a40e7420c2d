// Variants: other numbers, the same story, the same bytes for the same seed.
#include "meshwise/variant.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <tuple>

#include "meshwise/catalog.h"
#include "meshwise/constraint.h"
#include "meshwise/decode.h"
#include "meshwise/search.h"
#include "meshwise/threshold.h"
#include "request.h"
#include "variant_parts.h"

namespace meshwise {
namespace {

constexpr std::uint32_t kSeeds = 50;
const char* const kIds[] = {"A", "B", "C", "D"};

const Catalog& catalog() {
  static const Result<Catalog> loaded = Catalog::load();
  return *loaded;
}

const ScenarioDocument& base(const char* id) { return *catalog().scenario(id); }

ScenarioDocument variant(const char* id, std::uint32_t seed) {
  const Result<ScenarioDocument> made = make_variant(base(id), seed, catalog());
  EXPECT_TRUE(made.ok()) << id << "#" << seed << ": " << made.problem().message;
  return made ? *made : ScenarioDocument{};
}

// The document of a scenario of the catalog with its variant object changed.
template <class Change>
ScenarioDocument changed(const char* id, Change change) {
  Json json = *parse_json(base(id).text);
  change(json);
  std::vector<Problem> problems;
  ScenarioDocument out = read_scenario_document(json, "", catalog(), problems);
  EXPECT_TRUE(problems.empty()) << problems.front().message;
  return out;
}

std::vector<Problem> problems_of(const ScenarioDocument& document) {
  std::vector<Problem> problems;
  check_variant(*parse_json(document.text), document, catalog(), problems);
  return problems;
}

Plan best_axes(const Scenario& s) {
  if (s.phase == Phase::kServing) {
    return decode_plans(s, Algorithm::kRing).front().plan;
  }
  return best_plan(s)->plan;
}

// The answers to "what would change the constraint?", as comparable values.
std::set<std::tuple<int, bool, double>> thresholds(const Scenario& s) {
  ThresholdOptions options;
  options.best_axes = false;
  options.plan = false;
  std::set<std::tuple<int, bool, double>> out;
  for (const Threshold& t : find_thresholds(s, nullptr, options)) {
    // Two significant digits: a real difference, and no rounding.
    const double scale = std::pow(10.0, std::floor(std::log10(t.value)) - 1.0);
    out.emplace(static_cast<int>(t.parameter), t.upward,
                std::round(t.value / scale) * scale);
  }
  return out;
}

TEST(Variant, FiftySeedsOfEachScenarioBindAsTheirBaseDoes) {
  for (const char* id : kIds) {
    const Constraint found = binding_constraint(base(id).scenario).constraint;
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
      EXPECT_EQ(binding_constraint(variant(id, seed).scenario).constraint,
                found)
          << id << "#" << seed;
    }
  }
}

TEST(Variant, EachIsADocumentThatReadsWithoutAProblem) {
  for (const char* id : kIds) {
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
      const ScenarioDocument made = variant(id, seed);
      std::vector<Problem> problems;
      const ScenarioDocument again = read_scenario_document(
          *parse_json(made.text), "", catalog(), problems);
      EXPECT_TRUE(problems.empty()) << problems.front().message;
      EXPECT_EQ(again.scenario, made.scenario);
      EXPECT_EQ(made.scenario.id, id + ("#" + std::to_string(seed)));
      EXPECT_FALSE(parse_json(made.text)->contains("variant"));
    }
  }
}

TEST(Variant, TheStoryOfEachScenarioStaysTold) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    const Scenario a = variant("A", seed).scenario;
    const std::optional<Evaluation> best = best_plan(a);
    ASSERT_TRUE(best.has_value());
    EXPECT_GE(best->throughput.speedup, a.training.target_speedup);
    EXPECT_GE(best->plan.dp * best->plan.dp, a.cluster.gpus) << "A#" << seed;

    const Binding b = binding_constraint(variant("B", seed).scenario);
    EXPECT_GE(b.state / b.capacity, 3.0) << "B#" << seed;

    const Binding c = binding_constraint(variant("C", seed).scenario);
    EXPECT_LE(c.state, c.capacity) << "C#" << seed;
    EXPECT_GT(c.activations, c.capacity) << "C#" << seed;

    const Scenario d = variant("D", seed).scenario;
    const DecodePlan serving = decode_plans(d, Algorithm::kRing).front();
    EXPECT_TRUE(serving.time.slo_met) << "D#" << seed;
    EXPECT_GT(serving.plan.tp, 1) << "D#" << seed;
    EXPECT_LE(serving.plan.tp * serving.plan.pp, d.cluster.tiers[0].gpus);
  }
}

TEST(Variant, NineOfTenHaveAnotherBestPlanOrThresholdThanTheirBase) {
  for (const char* id : kIds) {
    const Plan own = best_axes(base(id).scenario);
    const auto limits = thresholds(base(id).scenario);
    ASSERT_FALSE(limits.empty()) << id;
    int differ = 0;
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
      const Scenario made = variant(id, seed).scenario;
      const Plan plan = best_axes(made);
      bool other = false;
      for (const Axis axis : kAxes) {
        other = other || degree(plan, axis) != degree(own, axis);
      }
      differ += other || thresholds(made) != limits;
    }
    EXPECT_GE(differ * 10, static_cast<int>(kSeeds) * 9) << id;
  }
}

TEST(Variant, FortyOfFiftySeedsAtLeastAreScenariosOfTheirOwn) {
  for (const char* id : kIds) {
    std::set<std::string> texts;
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
      Json json = *parse_json(variant(id, seed).text);
      json.erase("id");
      json.erase("source");
      texts.insert(dump_json(json));
    }
    EXPECT_GE(texts.size(), 40u) << id;
  }
}

// The bytes of some are written down in tests/golden: what a seed means to a
// course that handed it out must not change unnoticed.
TEST(Variant, TheSameSeedIsTheSameBytes) {
  for (const char* id : kIds) {
    for (const std::uint32_t seed : {0u, 7u, 4294967295u}) {
      EXPECT_EQ(variant(id, seed).text, variant(id, seed).text);
    }
  }
  const Scenario a = variant("A", 7).scenario;
  EXPECT_EQ(a.model.id, "mistral-7b");
  EXPECT_EQ(a.cluster.gpus, 16);
  EXPECT_EQ(to_ms(a.training.measured.step), 650.0);
}

TEST(Variant, TheTextsHoldTheNumbersAndNoPlaceholder) {
  for (const char* id : kIds) {
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
      const ScenarioDocument made = variant(id, seed);
      std::string all = made.scenario.title + "\n" + made.prompt;
      for (const std::string& fact : made.facts) all += "\n" + fact;
      for (const Assumption& one : made.assumptions) all += "\n" + one.text;
      EXPECT_EQ(all.find_first_of("{}"), std::string::npos) << all;
      const Scenario& s = made.scenario;
      std::vector<double> numbers{to_gib(s.cluster.gpu.hbm),
                                  to_gbps(s.cluster.tiers[0].link.bandwidth),
                                  to_gbps(s.cluster.tiers[1].link.bandwidth),
                                  to_us(s.cluster.tiers[1].link.latency),
                                  static_cast<double>(s.model.layers)};
      if (s.phase == Phase::kServing) {
        numbers.push_back(to_ms(s.serving.slo_tpot));
        numbers.push_back(static_cast<double>(s.serving.context));
      } else {
        numbers.push_back(static_cast<double>(s.cluster.gpus));
        numbers.push_back(static_cast<double>(s.training.seq));
        numbers.push_back(static_cast<double>(s.training.global_batch));
      }
      if (s.training.target_speedup > 0.0) {
        numbers.push_back(s.training.target_speedup);
        numbers.push_back(to_ms(s.training.measured.step));
      }
      for (const double number : numbers) {
        const bool found =
            all.find(plain_number(number)) != std::string::npos ||
            all.find(short_number(number)) != std::string::npos;
        EXPECT_TRUE(found) << number << " is not in: " << all;
      }
    }
  }
}

TEST(Variant, ASeedIsAWholeNumberOfThirtyTwoBits) {
  EXPECT_EQ(*read_seed("0"), 0u);
  EXPECT_EQ(*read_seed("007"), 7u);
  EXPECT_EQ(*read_seed("4294967295"), 4294967295u);
  for (const char* text : {"", "-1", "+1", "1.5", "0x7", " 7", "7 ", "1e3",
                           "4294967296", "99999999999999999999999"}) {
    const Result<std::uint32_t> seed = read_seed(text);
    ASSERT_FALSE(seed.ok()) << text;
    EXPECT_EQ(seed.problem().code, Code::kOutOfRange);
    EXPECT_NE(seed.problem().message.find("0 to 4294967295"),
              std::string::npos);
  }
}

TEST(VariantShelf, AnIdIsFoundInEitherCase) {
  VariantShelf shelf;
  EXPECT_EQ((*shelf.find(catalog(), "A"))->scenario.id, "A");
  EXPECT_EQ((*shelf.find(catalog(), "c"))->scenario.id, "C");
  EXPECT_EQ((*shelf.find(catalog(), "A#7"))->scenario.id, "A#7");
  EXPECT_EQ((*shelf.find(catalog(), "a#07"))->scenario.id, "A#7");
  EXPECT_EQ((*shelf.find(catalog(), "a#7"))->text, variant("A", 7).text);
}

TEST(VariantShelf, AnUnknownBaseOrABadSeedIsOneClearError) {
  VariantShelf shelf;
  struct Case {
    const char* id;
    Code code;
    const char* says;
  };
  const Case cases[] = {
      {"E", Code::kUnknownName, "no scenario named E"},
      {"", Code::kUnknownName, "no scenario named \"\""},
      {"E#7", Code::kUnknownName, "no scenario named E"},
      {"#7", Code::kUnknownName, "no scenario named \"\""},
      {"A#", Code::kOutOfRange, "the seed \"\" is no whole number"},
      {"A#x", Code::kOutOfRange, "the seed \"x\" is no whole number"},
      {"A#-1", Code::kOutOfRange, "the seed \"-1\" is no whole number"},
      {"A#7#7", Code::kUnknownName, "no scenario named A#7"},
  };
  for (const Case& c : cases) {
    const auto found = shelf.find(catalog(), c.id);
    ASSERT_FALSE(found.ok()) << c.id;
    EXPECT_EQ(found.problem().code, c.code) << c.id;
    EXPECT_NE(found.problem().message.find(c.says), std::string::npos)
        << c.id << ": " << found.problem().message;
    EXPECT_FALSE(found.problem().hint.empty()) << c.id;
  }
}

TEST(VariantShelf, AVariantOutlivesTheShelfsOwnKeeping) {
  VariantShelf shelf;
  const auto first = *shelf.find(catalog(), "D#0");
  const std::string text = first->text;
  EXPECT_EQ(shelf.find(catalog(), "D#0")->get(), first.get()) << "it is kept";
  for (std::uint32_t seed = 1; seed <= kMaxShelvedVariants; ++seed) {
    const auto next = shelf.find(catalog(), "D#" + std::to_string(seed));
    ASSERT_TRUE(next.ok());
  }
  EXPECT_EQ(first->text, text);
  const auto again = *shelf.find(catalog(), "D#0");
  EXPECT_NE(again.get(), first.get()) << "it had been let go";
  EXPECT_EQ(again->text, text);
}

TEST(Variant, AScenarioWithoutChoicesSaysSo) {
  const ScenarioDocument plain =
      changed("A", [](Json& json) { json.erase("variant"); });
  const Result<ScenarioDocument> made = make_variant(plain, 7, catalog());
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.problem().code, Code::kMissing);
  EXPECT_NE(made.problem().message.find("A has no variant object"),
            std::string::npos);
}

TEST(Variant, ChoicesThatAlwaysLoseTheStoryEndInAnError) {
  // 8B on one GPU of 40 GiB: memory binds, not throughput.
  const ScenarioDocument lost = changed("A", [](Json& json) {
    json["variant"]["choices"] =
        *parse_json(R"([[{"cluster": {"hbm_gib": 40}}]])");
  });
  const Result<ScenarioDocument> made = make_variant(lost, 7, catalog());
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.problem().code, Code::kInconsistent);
  EXPECT_EQ(made.problem().at, "/variant");
  EXPECT_NE(made.problem().message.find("another constraint binds"),
            std::string::npos)
      << made.problem().message;
}

TEST(Variant, ChoicesWithTooManyPlansToTryEndInAnErrorToo) {
  // No number of GPUs holds the weights: each draw tries a million replicas.
  const ScenarioDocument large = changed("D", [](Json& json) {
    json["variant"]["choices"] = *parse_json(
        R"([[{"cluster": {"gpus": 1048576}, "model": {"parameters": 9e14}}]])");
  });
  const Result<ScenarioDocument> made = make_variant(large, 7, catalog());
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.problem().code, Code::kInconsistent);
  EXPECT_NE(made.problem().message.find("too many plans"), std::string::npos)
      << made.problem().message;
}

TEST(Variant, TheEmbeddedScenariosPassTheirCheck) {
  for (const char* id : kIds) {
    for (const Problem& problem : problems_of(base(id))) {
      ADD_FAILURE() << id << problem.at << ": " << problem.message;
    }
  }
}

TEST(Variant, WhatIsWrongInTheBlockIsNamedByItsPlace) {
  struct Case {
    const char* patch;  // of the variant object
    const char* at;
    Code code;
  };
  const Case cases[] = {
      {R"({"choices": null})", "/variant/choices", Code::kMissing},
      {R"({"choices": [[]]})", "/variant/choices/0", Code::kWrongType},
      {R"({"choices": [[{"cluster": {"gpus": 0}}]]})",
       "/variant/choices/0/0/cluster/gpus", Code::kOutOfRange},
      {R"({"choices": [[{"cluster": {"gpus": 32}},)"
       R"( {"model": {"preset": "x"}}]]})",
       "/variant/choices/0/1/model/preset", Code::kUnknownName},
      {R"({"choices": [[{"prompt": "x"}]]})", "/variant/choices/0/0/prompt",
       Code::kUnknownKey},
      {R"({"keep": {"leading_axes": ["xp"]}})", "/variant/keep/leading_axes/0",
       Code::kUnknownName},
      {R"({"keep": {"state_times": [3]}})", "/variant/keep/state_times",
       Code::kWrongType},
      {R"({"keep": {"state_times": [3, 2]}})", "/variant/keep/state_times",
       Code::kOutOfRange},
      {R"({"prompt": null})", "/variant/prompt", Code::kMissing},
      {R"({"prompt": "{gpu} GPUs"})", "/variant/prompt", Code::kUnknownName},
      {R"({"facts": ["a", "{slo_ms} ms"]})", "/variant/facts/1",
       Code::kUnknownName},
      {R"({"facts": ["{gpus"]})", "/variant/facts/0", Code::kUnknownName},
      {R"({"assumptions": [{"id": "x", "text": "{}"}]})",
       "/variant/assumptions/0/text", Code::kUnknownName},
      {R"({"promt": "x"})", "/variant/promt", Code::kUnknownKey},
  };
  for (const Case& c : cases) {
    const ScenarioDocument wrong = changed("A", [&](Json& json) {
      json["variant"].merge_patch(*parse_json(c.patch));
    });
    const std::vector<Problem> problems = problems_of(wrong);
    ASSERT_FALSE(problems.empty()) << c.patch;
    EXPECT_EQ(problems.front().at, c.at) << problems.front().message;
    EXPECT_EQ(problems.front().code, c.code) << c.patch;
  }
}

}  // namespace
}  // namespace meshwise
