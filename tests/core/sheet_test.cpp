#include "meshwise/sheet.h"

#include <gtest/gtest.h>

namespace meshwise {
namespace {

std::vector<SheetScenario> drill() {
  SheetScenario a;
  a.id = "A";
  a.title = "It fits, and it is too slow";
  a.prompt = "An 8B model.\nWhat binds?";
  a.questions[0] = "What binds?";
  SheetScenario d;
  d.id = "D";
  d.title = "A large model";
  d.phase = Phase::kServing;
  return {a, d};
}

// Every field of an answer, by reference.
std::vector<Passage*> all_fields(Answer& answer) {
  std::vector<Passage*> list{&answer.constraint,
                             &answer.constraint_because,
                             &answer.prefill,
                             &answer.decode,
                             &answer.zero,
                             &answer.recompute,
                             &answer.micro_batch,
                             &answer.global_batch,
                             &answer.gpus,
                             &answer.batch,
                             &answer.context,
                             &answer.hbm_bandwidth,
                             &answer.mode,
                             &answer.symptom,
                             &answer.parameter,
                             &answer.threshold,
                             &answer.unit,
                             &answer.direction,
                             &answer.threshold_because};
  for (Passage& one : answer.degrees) list.push_back(&one);
  for (AxisAnswer& one : answer.axes) {
    list.push_back(&one.tier);
    list.push_back(&one.minimum);
    list.push_back(&one.algorithm);
    list.push_back(&one.because);
  }
  for (UnusedAnswer& one : answer.unused) {
    list.push_back(&one.axis);
    list.push_back(&one.because);
  }
  return list;
}

Answer with_every_field(const std::string& scenario, const std::string& text) {
  Answer answer;
  answer.scenario = scenario;
  answer.student = "Ada";
  answer.unused.resize(2);
  int n = 0;
  for (Passage* one : all_fields(answer)) {
    one->text = std::to_string(n++) + text;
  }
  return answer;
}

void expect_same_texts(Answer expected, Answer actual) {
  ASSERT_EQ(actual.unused.size(), expected.unused.size());
  const std::vector<Passage*> a = all_fields(expected);
  const std::vector<Passage*> b = all_fields(actual);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(b[i]->text, a[i]->text) << i;
  }
  for (std::size_t i = 0; i < expected.axes.size(); ++i) {
    EXPECT_EQ(actual.axes[i].is_latency, expected.axes[i].is_latency) << i;
  }
  EXPECT_TRUE(actual.unread.empty());
}

TEST(Sheet, AnEmptySheetReadsAsEmptyAnswers) {
  const Sheet sheet = read_sheet(render_sheet(drill(), {}));
  EXPECT_TRUE(sheet.recognised);
  ASSERT_EQ(sheet.answers.size(), 2u);
  EXPECT_EQ(sheet.answers[0].scenario, "A");
  EXPECT_EQ(sheet.answers[1].scenario, "D");
  EXPECT_TRUE(sheet.unplaced.empty());
  for (const Answer& answer : sheet.answers) {
    for (int q = 1; q <= 5; ++q) EXPECT_TRUE(answer.blank(q)) << q;
    EXPECT_TRUE(answer.unread.empty());
  }
}

TEST(Sheet, EveryFieldComesBackWhateverTextStandsInIt) {
  const char* kTexts[] = {
      "plain",
      " with a | pipe and `code` and **bold**",
      ": a colon: and (brackets)",
      "\n### 2. A heading\n- Constraint: latency\n",
      "\n\n\n",
      " trailing blanks  ",
      "<!-- a comment -->",
      "\r\ncarriage returns\r",
      "back\\slash \\r \\n",
      "\n  | a literal's mark",
      "\n> a quotation\n---",
      "\xC2\xB5s \xE2\x86\x92 \xF0\x9F\x98\x80",
      "\xFF\xFE invalid",
  };
  for (const char* text : kTexts) {
    for (const bool latency : {false, true}) {
      std::vector<Answer> answers{with_every_field("A", text),
                                  with_every_field("D", text)};
      for (Answer& answer : answers) {
        for (AxisAnswer& axis : answer.axes) axis.is_latency = latency;
      }
      const Sheet sheet = read_sheet(render_sheet(drill(), answers));
      ASSERT_EQ(sheet.answers.size(), 2u) << text;
      EXPECT_EQ(sheet.student, "Ada");
      expect_same_texts(answers[0], sheet.answers[0]);
      expect_same_texts(answers[1], sheet.answers[1]);
    }
  }
}

TEST(Sheet, AVeryLongValueComesBack) {
  const std::string text(1u << 20, 'x');
  std::vector<Answer> answers{with_every_field("A", "")};
  answers[0].constraint.text = text;
  const Sheet sheet = read_sheet(render_sheet(drill(), answers));
  EXPECT_EQ(sheet.answers[0].constraint.text, text);
}

TEST(Sheet, WhatPeopleDoToASheetStillReads) {
  const Sheet sheet = read_sheet(
      "\xEF\xBB\xBF# Answer sheet\r\n- Student:   Ada Lovelace \r\n"
      "# SCENARIO A\r\n## Q1\r\n"
      "* **constraint**: throughput\r\n"
      "**Because:** 119.7 GiB of state\r\n    and 17 GiB of activations\r\n"
      "### Question 2\r\n"
      "DP : 64\r\n- tp = 1\r\n- Micro-batch (sequences):1\r\n"
      "### 3\r\n- DP Tier (intra-node or inter-node): inter-node\r\n");
  ASSERT_EQ(sheet.answers.size(), 1u);
  const Answer& a = sheet.answers[0];
  EXPECT_EQ(sheet.student, "Ada Lovelace");
  EXPECT_EQ(a.scenario, "A");
  EXPECT_EQ(a.constraint.text, "throughput");
  EXPECT_EQ(a.constraint_because.text,
            "119.7 GiB of state\nand 17 GiB of activations");
  EXPECT_EQ(a.degrees[0].text, "64");
  EXPECT_EQ(a.degrees[1].text, "1");
  EXPECT_EQ(a.micro_batch.text, "1");
  EXPECT_EQ(a.axes[0].tier.text, "inter-node");
  EXPECT_TRUE(a.unread.empty());
}

TEST(Sheet, APassageOfAFieldSaysWhereItStands) {
  const std::string text = "## Scenario A\n- Constraint: throughput\n";
  const Sheet sheet = read_sheet(text);
  const Passage& passage = sheet.answers.at(0).constraint;
  EXPECT_EQ(text.substr(passage.begin, passage.end - passage.begin),
            "throughput");
}

TEST(Sheet, WhatIsNotInTheFormIsKeptForAPerson) {
  const Sheet sheet = read_sheet(
      "## Scenario A\n### 1. Binding constraint\n"
      "I think that it is throughput.\nIt fits, after all.\n"
      "### 4. Failure mode\n- Failure mode: a straggler\n"
      "- Failure mode: a second one\n");
  const Answer& a = sheet.answers.at(0);
  ASSERT_EQ(a.unread.size(), 2u);
  EXPECT_EQ(a.unread[0].question, 1);
  EXPECT_EQ(a.unread[0].passage.text,
            "I think that it is throughput.\nIt fits, after all.");
  EXPECT_EQ(a.mode.text, "a straggler");
  EXPECT_EQ(a.unread[1].question, 4);
}

TEST(Sheet, HostileTextIsReadWithoutHarm) {
  EXPECT_FALSE(read_sheet(std::string(5u << 20, 'x')).recognised);
  std::string many;
  for (int i = 0; i < 100000; ++i) many += "# Scenario A\n";
  EXPECT_EQ(read_sheet(many).answers.size(), kMaxSheetAnswers);
  std::string lines;
  for (int i = 0; i < 100000; ++i) lines += "((((: \n";
  EXPECT_EQ(read_sheet(lines).unplaced.size(), 1u);
  const std::string nul("## Scenario A\n- Constraint: a\0b\n", 32);
  EXPECT_EQ(read_sheet(nul).answers.at(0).constraint.text.size(), 3u);
}

}  // namespace
}  // namespace meshwise
