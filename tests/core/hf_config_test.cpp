// config.json of published models: the shapes that they mean and the mistakes
// that they are told. Parameter counts are in tests/cli/config.test.mjs.
#include "hf_config.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace meshwise {
namespace {

struct Import {
  Model model;
  std::vector<Problem> problems;
};

Import import(const Json& json) {
  Import out;
  Reader reader(json, "/model/config", out.problems);
  read_hf_config(reader, out.model);
  return out;
}

Json llama() {
  return *parse_json(R"({"model_type": "llama", "hidden_size": 4096,
    "intermediate_size": 14336, "num_attention_heads": 32,
    "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 128256})");
}

Json qwen3_moe() {
  return *parse_json(R"({"model_type": "qwen3_moe", "hidden_size": 2048,
    "intermediate_size": 6144, "moe_intermediate_size": 768, "head_dim": 128,
    "num_attention_heads": 32, "num_experts": 128, "num_experts_per_tok": 8,
    "num_hidden_layers": 4, "num_key_value_heads": 4, "vocab_size": 151936})");
}

Json gemma3(const char* types) {
  Json json = *parse_json(R"({"model_type": "gemma3_text", "hidden_size": 1152,
    "intermediate_size": 6912, "num_attention_heads": 4, "vocab_size": 262144,
    "num_hidden_layers": 6, "num_key_value_heads": 1, "sliding_window": 512})");
  if (*types != '\0') set(json, "layer_types", *parse_json(types));
  return json;
}

// The one problem of an import, as "pointer: message; hint".
std::string told(const Json& json) {
  const Import out = import(json);
  EXPECT_EQ(out.problems.size(), 1u) << json.dump();
  if (out.problems.empty()) return "";
  const Problem& p = out.problems.front();
  return p.at + ": " + p.message + "; " + p.hint;
}

TEST(HfConfig, ALlamaIsItsShape) {
  const Import out = import(llama());
  EXPECT_TRUE(out.problems.empty());
  EXPECT_EQ(out.model.layers, 32);
  EXPECT_EQ(out.model.head_dim, 128);
  EXPECT_EQ(out.model.kv_heads, 8);
  EXPECT_FALSE(out.model.tied_head);
  EXPECT_TRUE(out.model.gated_mlp);
  EXPECT_EQ(count_parameters(out.model).total, 8030261248.0);
}

TEST(HfConfig, NullIsAsGoodAsAbsent) {
  Json json = llama();
  for (const char* key : {"head_dim", "num_key_value_heads", "rope_scaling",
                          "tie_word_embeddings", "layer_types"}) {
    set(json, key, Json(nullptr));
  }
  const Import out = import(json);
  EXPECT_TRUE(out.problems.empty());
  EXPECT_EQ(out.model.kv_heads, 32);
  EXPECT_EQ(out.model.head_dim, 128);
}

TEST(HfConfig, EveryNeededKeyOfALlamaIsAskedFor) {
  for (const char* key : {"hidden_size", "intermediate_size", "vocab_size",
                          "num_attention_heads", "num_hidden_layers"}) {
    Json json = llama();
    json.erase(key);
    const std::string at = std::string("/model/config/") + key;
    EXPECT_EQ(told(json).find(at + ": model_type llama needs "), 0u) << key;
    EXPECT_NE(told(json).find("; 1 to 1"), std::string::npos) << key;
  }
}

TEST(HfConfig, HostileValuesAreToldAndNeverTaken) {
  const Json values[] = {Json("4096"),   Json(-1),
                         Json(0),        Json(0.5),
                         Json(1e300),    Json(9223372036854775807),
                         Json(true),     Json::array({4096}),
                         Json::object(), Json("\xff<script>")};
  for (const char* key :
       {"hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size",
        "moe_intermediate_size", "num_experts", "num_experts_per_tok"}) {
    for (const Json& value : values) {
      Json json = qwen3_moe();
      set(json, key, value);
      const Import out = import(json);
      ASSERT_FALSE(out.problems.empty()) << key << " " << dump_json(value);
      EXPECT_EQ(out.problems.front().at, std::string("/model/config/") + key);
      EXPECT_FALSE(out.problems.front().hint.empty()) << dump_json(value);
    }
  }
}

TEST(HfConfig, AModelTypeThatIsNoneIsToldWhatThereIs) {
  Json json = llama();
  json.erase("model_type");
  EXPECT_NE(told(json).find("/model/config/model_type: "), std::string::npos);
  set(json, "model_type", "mamba");
  json.erase("num_attention_heads");
  EXPECT_NE(told(json).find("mamba is not read; it lacks num_attention_heads; "
                            "bloom, deepseek_v2, "),
            std::string::npos)
      << told(json);
  set(json, "model_type", 7);
  EXPECT_NE(told(json).find("not text"), std::string::npos);
}

TEST(HfConfig, ValuesAtOddsAreToldAtTheirOwnKeys) {
  struct Odd {
    const char* key;
    int value;
    const char* says;
  };
  const Odd of_llama[] = {{"num_attention_heads", 31, "do not divide"},
                          {"num_key_value_heads", 7, "a divisor"},
                          {"num_key_value_heads", 64, "a divisor"}};
  for (const Odd& odd : of_llama) {
    Json json = llama();
    set(json, odd.key, odd.value);
    const Import out = import(json);
    ASSERT_FALSE(out.problems.empty()) << odd.key;
    EXPECT_EQ(out.problems[0].at, std::string("/model/config/") + odd.key);
  }
  Json json = qwen3_moe();
  set(json, "num_experts_per_tok", 129);
  EXPECT_NE(told(json).find("visits 129 of 128 experts; 1 to 128"),
            std::string::npos);
  json = qwen3_moe();
  set(json, "decoder_sparse_step", 2);
  EXPECT_NE(told(json).find("decoder_sparse_step"), std::string::npos);
  json = qwen3_moe();
  set(json, "mlp_only_layers", Json::array({0}));
  EXPECT_NE(told(json).find("mlp_only_layers"), std::string::npos);
}

TEST(HfConfig, LayerTypesSayWhichLayersHaveAWindow) {
  const Import gemma = import(gemma3(""));
  EXPECT_EQ(gemma.model.window, (Window{512, 6, 0}));
  const Import every_third = import(gemma3(
      R"(["sliding_attention", "sliding_attention", "full_attention",
          "sliding_attention", "sliding_attention", "full_attention"])"));
  EXPECT_EQ(every_third.model.window, (Window{512, 3, 0}));
  const Import first_two = import(gemma3(
      R"(["full_attention", "full_attention", "sliding_attention",
          "sliding_attention", "sliding_attention", "sliding_attention"])"));
  EXPECT_EQ(first_two.model.window, (Window{512, 0, 2}));
  const Import none = import(gemma3(
      R"(["full_attention", "full_attention", "full_attention",
          "full_attention", "full_attention", "full_attention"])"));
  EXPECT_EQ(none.model.window, Window{});
}

TEST(HfConfig, LayerTypesThatAreNotReadAreTold) {
  EXPECT_NE(told(gemma3(R"(["full_attention"])")).find("one for each layer"),
            std::string::npos);
  EXPECT_NE(told(gemma3(R"(["linear_attention"])")).find("/layer_types/0: "),
            std::string::npos);
  EXPECT_NE(
      told(gemma3(R"(["full_attention", "sliding_attention", "full_attention",
          "full_attention", "sliding_attention", "sliding_attention"])"))
          .find("no pattern"),
      std::string::npos);
}

TEST(HfConfig, WhatIsOfAnotherTypeIsToldWhatIsAccepted) {
  Json json = gemma3("");
  set(json, "layer_types", 7);
  EXPECT_NE(told(json).find("no list; one of full_attention"),
            std::string::npos);
  json = *parse_json(R"({"model_type": "gemma3", "text_config": [1]})");
  EXPECT_NE(told(json).find("/text_config: text_config is no object; the "),
            std::string::npos);
}

TEST(HfConfig, AWindowIsForThoseThatSwitchItOn) {
  Json json = llama();
  set(json, "model_type", "qwen2");
  set(json, "sliding_window", 4096);
  set(json, "max_window_layers", 8);
  EXPECT_EQ(import(json).model.window, Window{});
  set(json, "use_sliding_window", true);
  EXPECT_EQ(import(json).model.window, (Window{4096, 0, 8}));
  set(json, "model_type", "mistral");
  EXPECT_EQ(import(json).model.window, (Window{4096, 0, 0}));
}

TEST(HfConfig, TheTextPartOfAMultimodalFileIsRead) {
  Json json = *parse_json(R"({"model_type": "gemma3", "text_config": {
    "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34,
    "sliding_window": 1024}})");
  EXPECT_EQ(count_parameters(import(json).model).total, 3880263168.0);
  json["text_config"]["hidden_size"] = "wide";
  EXPECT_EQ(told(json).find("/model/config/text_config/hidden_size: "), 0u);
}

}  // namespace
}  // namespace meshwise
