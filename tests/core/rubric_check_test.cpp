#include "rubric_check.h"

#include <gtest/gtest.h>

#include "embedded.h"
#include "grade_data.h"

namespace meshwise {
namespace {

Json standard_json() {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == "rubric.json") return *parse_json(file.text);
  }
  return {};
}

std::vector<Problem> problems_of(const Json& json) {
  std::vector<Problem> problems;
  const Rubric standard = read_rubric(standard_json(), "", problems);
  const Rubric rubric = read_rubric(json, "", problems);
  EXPECT_TRUE(problems.empty()) << problems.front().message;
  check_rubric(json, rubric, standard, "", problems);
  return problems;
}

TEST(RubricCheck, TheBuiltInRubricIsRightAndWorth25InEitherPhase) {
  EXPECT_TRUE(problems_of(standard_json()).empty());
  std::vector<Problem> problems;
  const Rubric rubric = read_rubric(standard_json(), "", problems);
  EXPECT_EQ(rubric_marks(rubric, Phase::kTraining), 25.0);
  EXPECT_EQ(rubric_marks(rubric, Phase::kServing), 25.0);
}

TEST(RubricCheck, MarksMayMoveWithinTheSum) {
  Json json = standard_json();
  json["questions"][1]["criteria"][2]["marks"] = 1.5;
  json["questions"][1]["criteria"][3]["marks"] = 1.5;
  EXPECT_TRUE(problems_of(json).empty());
}

TEST(RubricCheck, WhatIsWrongIsNamedByItsPlace) {
  struct Case {
    const char* at;     // what is changed, a JSON pointer
    const char* value;  // to this; "" takes it out
    const char* named;  // the place of the first problem
    Code code;
  };
  const Case cases[] = {
      {"/schema", "", "/schema", Code::kMissing},
      {"/schema", "\"meshwise.rubric/2\"", "/schema", Code::kUnknownName},
      {"/marks", "24", "/marks", Code::kInconsistent},
      {"/questions/0/marks", "6", "/questions/0/marks", Code::kInconsistent},
      {"/questions/0/criteria/0/marks", "4", "/questions/0/marks",
       Code::kInconsistent},
      {"/questions/0/criteria/2/marks", "2", "/questions/0/marks",
       Code::kInconsistent},
      {"/questions/0/criteria/0/id", "\"q1.kid\"", "/questions/0/criteria/0/id",
       Code::kUnknownName},
      {"/questions/1/criteria/3/id", "\"q2.good\"",
       "/questions/1/criteria/3/id", Code::kInconsistent},
      {"/questions/1/criteria/2", "", "/questions/1/marks",
       Code::kInconsistent},
      {"/questions/4", "", "/questions", Code::kMissing},
      {"/questions/0/id", "\"q2\"", "/questions/0/id", Code::kUnknownName},
      {"/part_marks/kind_unspecified", "3.5", "/part_marks/kind_unspecified",
       Code::kInconsistent},
      {"/tolerances/good_none", "0.8", "/tolerances/good_none",
       Code::kInconsistent},
      {"/tolerances/threshold_full", "3", "/tolerances/threshold_full",
       Code::kInconsistent},
  };
  for (const Case& c : cases) {
    Json json = standard_json();
    const Json::json_pointer place(c.at);
    if (*c.value != '\0') {
      json[place] = *parse_json(c.value);
    } else {
      json = json.patch({{{"op", "remove"}, {"path", c.at}}});
    }
    const std::vector<Problem> problems = problems_of(json);
    ASSERT_FALSE(problems.empty()) << c.at;
    EXPECT_EQ(problems.front().at, c.named) << problems.front().message;
    EXPECT_EQ(problems.front().code, c.code) << c.at;
  }
}

TEST(RubricCheck, ACriterionLeftOutIsMissedByName) {
  Json json = standard_json();
  json["questions"][1].erase("marks");
  json["questions"][1]["criteria"].erase(2);
  json.erase("marks");
  const std::vector<Problem> problems = problems_of(json);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.front().at, "/questions/1/criteria");
  EXPECT_NE(problems.front().message.find("q2.good"), std::string::npos);
}

TEST(RubricCheck, PhasesWithDifferentSumsAreTold) {
  Json json = standard_json();
  json["questions"][0].erase("marks");
  json["questions"][0]["criteria"][2]["marks"] = 2;  // q1.phases, serving
  const std::vector<Problem> problems = problems_of(json);
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems.front().at, "/questions/0/criteria");
  EXPECT_NE(problems.front().message.find("5 in training and 6 in serving"),
            std::string::npos);
}

}  // namespace
}  // namespace meshwise
