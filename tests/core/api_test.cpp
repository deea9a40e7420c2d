// The published numbers through the one door, and what it says to bad
// requests.
#include "meshwise/api.h"

#include <gtest/gtest.h>

#include "json.h"

namespace meshwise {
namespace {

Json ask(const std::string& request) {
  static Engine engine;
  return *parse_json(engine.call(request));
}

double gib(const Json& json) { return json.get<double>() / 1073741824.0; }

TEST(Api, TheDrillsMemoryChecksComeOutAsPrinted) {
  const Json r = ask(
      R"({"kind":"memory","model":{"preset":"llama3-8b"},"cluster":{"gpus":1},)"
      R"("training":{"seq_tokens":4096},"plan":{"recompute":"selective"}})");
  EXPECT_EQ(r["parameters"].get<double>(), 8030261248);
  EXPECT_NEAR(gib(r["per_gpu"]["state_bytes"]), 119.66, 0.005);
  EXPECT_NEAR(gib(r["per_gpu"]["activations_per_layer_bytes"]), 0.531, 0.0005);
  EXPECT_NEAR(gib(r["per_gpu"]["activations_bytes"]), 17.0, 0.005);
  EXPECT_NEAR(gib(r["per_gpu"]["capacity_bytes"]), 192, 1e-9);
  EXPECT_EQ(r["verdict"], "fits");
}

TEST(Api, SuggestionsForA65BModelUseAllSixteenGpus) {
  const Json r = ask(
      R"({"kind":"memory","model":{"parameters":65e9,"layers":80,)"
      R"("hidden":8192,"heads":64},"cluster":{"gpus":16},)"
      R"("training":{"seq_tokens":4096},"options":{"suggest":true,"top":4}})");
  EXPECT_NEAR(gib(r["total_state_bytes"]), 968.6, 0.05);
  ASSERT_EQ(r["plans"].size(), 4u);
  for (const Json& each : r["plans"]) {
    const Json& p = each["plan"];
    EXPECT_EQ(p["tp"].get<int>() * p["pp"].get<int>() * p["dp"].get<int>(), 16);
    EXPECT_NE(each["verdict"], "over");
  }
}

TEST(Api, TheLongContextIsOverAndItsSuggestionsSplitTheSequence) {
  const Json r = ask(
      R"({"kind":"memory","model":{"preset":"llama3-8b"},"cluster":{"gpus":8},)"
      R"("training":{"seq_tokens":131072},"options":{"suggest":true}})");
  EXPECT_EQ(r["verdict"], "over");
  EXPECT_GT(gib(r["over_bytes"]), 80000.0);
  EXPECT_NEAR(gib(r["layer"][0]["activations_per_layer_bytes"]), 2577, 0.5);
  ASSERT_EQ(r["plans"].size(), 4u);
  for (const Json& each : r["plans"]) {
    const Json& p = each["plan"];
    EXPECT_TRUE(p["cp"].get<int>() > 1 || p["tp"].get<int>() > 1 ||
                p["recompute"] == "full");
  }
}

TEST(Api, TheDrillsCollectiveChecksComeOutAsPrinted) {
  const Json r =
      ask(R"({"kind":"collective","collective":{"parameters":7e9,"gpus":64,)"
          R"("bandwidth_gbps":50,"latency_us":15,"step_ms":700}})");
  EXPECT_EQ(r["default"], "ring");
  EXPECT_NEAR(r["rows"][0]["time_s"].get<double>(), 0.55314, 5e-6);
  EXPECT_NEAR(r["step_fraction"].get<double>(), 0.790, 0.0005);
  bool hierarchical = false;
  for (const Json& row : r["rows"]) {
    if (row["algorithm"] != "hierarchical") continue;
    hierarchical = true;
    EXPECT_NEAR(row["time_s"].get<double>(), 0.1432, 5e-5);
  }
  EXPECT_TRUE(hierarchical);
}

TEST(Api, ScenarioDAtTpEight) {
  const Json r = ask(R"({"kind":"decode","scenario":"D","plan":{"tp":8}})");
  EXPECT_NEAR(r["tpot_s"].get<double>(), 0.0247, 5e-5);
  EXPECT_EQ(r["binding_constraint"], "latency");
  EXPECT_TRUE(r["slo_met"].get<bool>());
}

struct Wrong {
  const char* request;
  const char* code;
  const char* at;
};

TEST(Api, BadRequestsSayWhatWhereAndWhatIsAccepted) {
  const Wrong wrong[] = {
      {"", "malformed", ""},
      {"[]", "wrong_type", ""},
      {"{}", "missing", "/kind"},
      {R"({"kind":"memroy"})", "unknown_name", "/kind"},
      {R"({"kind":"memory"})", "missing", "/model"},
      {R"({"kind":"memory","model":{"preset":"llama3-9b"}})", "unknown_name",
       "/model/preset"},
      {R"({"kind":"memory","model":{"preset":"llama3-8b"},)"
       R"("cluster":{"gpus":0}})",
       "out_of_range", "/cluster/gpus"},
      {R"({"kind":"memory","model":{"preset":"llama3-8b"},"plan":{"tp":7}})",
       "inconsistent", "/plan/tp"},
      {R"({"kind":"memory","model":{"preset":"llama3-8b"},"plan":{"zreo":1}})",
       "unknown_key", "/plan/zreo"},
      {R"({"kind":"plan","scenario":"Z"})", "unknown_name", "/scenario"},
      {R"({"kind":"grade"})", "missing", "/submissions"},
      {R"({"kind":"collective","collective":{}})", "missing",
       "/collective/bytes"},
  };
  for (const Wrong& w : wrong) {
    const Json r = ask(w.request);
    ASSERT_TRUE(r.contains("error")) << w.request;
    EXPECT_EQ(r["error"]["code"], w.code) << w.request;
    EXPECT_EQ(r["error"]["at"], w.at) << w.request;
    EXPECT_FALSE(r["error"]["message"].get<std::string>().empty());
  }
}

TEST(Api, TheSameRequestGivesTheSameBytes) {
  Engine one;
  Engine two;
  const std::string request =
      R"({"kind":"plan","scenario":"C","options":{"top":20}})";
  const std::string first = one.call(request);
  EXPECT_EQ(one.call(request), first);
  EXPECT_EQ(two.call(request), first);
}

TEST(Api, TheSearchGivesARowForEveryPlan) {
  Engine engine;
  const std::string request = R"({"kind":"plan","scenario":"A"})";
  const std::size_t columns = parse_json(Engine::search_columns())->size();
  const std::vector<double> rows = engine.search(request);
  const Json reply = *parse_json(engine.call(request));
  EXPECT_EQ(rows.size(), columns * reply["searched"].get<std::size_t>());
  EXPECT_TRUE(engine.search("{").empty());
}

}  // namespace
}  // namespace meshwise
