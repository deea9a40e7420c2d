#include "json.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace meshwise {
namespace {

struct Bad {
  const char* text;
  Code code;
  const char* says;
};

TEST(Json, WhatIsNoJsonSaysWhere) {
  const Bad bad[] = {
      {"", Code::kMalformed, "line 1, column 1"},
      {"{\"a\": 1,\n \"b\": }", Code::kMalformed, "line 2"},
      {"{\"a\": 1} x", Code::kMalformed, "line 1"},
      {"{\"a\": NaN}", Code::kMalformed, "line 1"},
      {"{\"a\": 1e400}", Code::kOutOfRange, "too large"},
      {"{\"a\": 1, \"a\": 2}", Code::kInconsistent, "twice"},
      {"\"\xff\xfe\"", Code::kMalformed, "line 1"},
  };
  for (const Bad& b : bad) {
    const Result<Json> r = parse_json(b.text);
    ASSERT_FALSE(r.ok()) << b.text;
    EXPECT_EQ(r.problem().code, b.code) << b.text;
    EXPECT_NE(r.problem().message.find(b.says), std::string::npos)
        << r.problem().message;
  }
}

TEST(Json, DepthIsBounded) {
  const std::string deep(100000, '[');
  const Result<Json> r = parse_json(deep);
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.problem().code, Code::kTooLarge);
}

TEST(Json, KeysOfOneObjectAreBounded) {
  std::string many = "{";
  for (int i = 0; i < 2000; ++i) {
    many += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":1";
  }
  EXPECT_EQ(parse_json(many + "}").problem().code, Code::kTooLarge);
}

TEST(Json, WholeNumbersHaveNoFractionAndTheRestIsShortest) {
  EXPECT_EQ(dump_json(json_number(8030261248.0)), "8030261248");
  EXPECT_EQ(dump_json(json_number(0.1)), "0.1");
  EXPECT_EQ(dump_json(json_number(-0.0)), "0");
  Json object = Json::object();
  put(object, "a", std::numeric_limits<double>::quiet_NaN());
  put(object, "b", std::numeric_limits<double>::infinity());
  EXPECT_TRUE(object.empty());
}

TEST(Json, ValuesThatWentThroughAUnitAreRoundedBack) {
  Json object = Json::object();
  put_rounded(object, "us", 14.999999999999998);
  EXPECT_EQ(dump_json(object), "{\"us\":15}");
}

TEST(Json, TheReaderNamesPlaceCauseAndRange) {
  const Json json =
      *parse_json("{\"gpus\": 0, \"hbm\": \"big\", \"tp\": 2.5, \"sizee\": 1}");
  std::vector<Problem> problems;
  Reader reader(json, "/cluster", problems);
  int gpus = 7;
  double hbm = 1.0;
  int tp = 1;
  EXPECT_FALSE(reader.integer("gpus", gpus, 1, 64));
  EXPECT_FALSE(reader.number("hbm", hbm, 1, 10));
  EXPECT_FALSE(reader.integer("tp", tp, 1, 64));
  reader.skip("size");
  reader.finish();
  ASSERT_EQ(problems.size(), 4u);
  EXPECT_EQ(gpus, 7);
  EXPECT_EQ(problems[0].at, "/cluster/gpus");
  EXPECT_EQ(problems[0].hint, "1 to 64");
  EXPECT_EQ(problems[1].code, Code::kWrongType);
  EXPECT_EQ(problems[2].code, Code::kOutOfRange);
  EXPECT_EQ(problems[3].code, Code::kUnknownKey);
  EXPECT_EQ(problems[3].hint, "did you mean size?");
}

TEST(Json, NearNamesAreNear) {
  EXPECT_EQ(near_names("llama3-9b", {"llama3-8b", "gpt3-175b"}), "llama3-8b");
  EXPECT_EQ(near_names("qqqqqqqqqqqq", {"llama3-8b"}), "");
}

}  // namespace
}  // namespace meshwise
