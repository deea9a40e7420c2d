#include "meshwise/prose.h"

#include <gtest/gtest.h>

#include "grade_data.h"

namespace meshwise {
namespace {

const Lexicon& lexicon() {
  static const Result<GradingData> kData = load_grading_data();
  return kData.value().lexicon;
}

ProseDocument read(std::string_view text) {
  return read_prose(text, lexicon(), {"A", "B", "C", "D"});
}

// The degrees of the only answer, by Axis: "dp tp pp cp ep", "-" for none.
std::string degrees(std::string_view text) {
  const ProseDocument document = read(text);
  if (document.answers.size() != 1) return "no single answer";
  const Claims claims = read_claims(document.answers[0], lexicon());
  std::string out;
  for (const Read<int>& one : claims.degrees) {
    if (!out.empty()) out += " ";
    out += one.read() ? std::to_string(one.value) : "-";
  }
  return out;
}

struct PlanCase {
  const char* text;
  const char* degrees;
};

TEST(Prose, APlanIsReadInEveryUsualNotation) {
  const PlanCase kCases[] = {
      {"2. dp=64", "64 - - - -"},
      {"2. DP 64, nothing else.", "64 - - - -"},
      {"2. 64-way data parallelism.", "64 - - - -"},
      {"2. TP8/PP2/DP4", "4 8 2 - -"},
      {"2. TP=8 x PP=2 x DP=4 = 64", "4 8 2 - -"},
      {"2. tp = 2^3, dp = 2^3", "8 8 - - -"},
      {"2. Tensor parallel degree of 8, data parallel degree of 8",
       "8 8 - - -"},
      {"2. The plan:\n\n| dp | tp | pp |\n|---|---|---|\n| 4 | 8 | 2 |\n",
       "4 8 2 - -"},
      {"2.\n\n| axis | degree |\n|---|---|\n| dp | 4 |\n| tp | 8 |\n",
       "4 8 - - -"},
      {"2. {tp: 8, pp: 1, dp: 8}", "8 8 1 - -"},
  };
  for (const PlanCase& one : kCases) {
    const std::string text = std::string("1. throughput\n") + one.text +
                             "\n3. inter\n4. stragglers\n5. HBM 95 GiB";
    EXPECT_EQ(degrees(text), one.degrees) << one.text;
  }
}

TEST(Prose, LabelsOneLetterApartAreNotCorrected) {
  EXPECT_EQ(degrees("1. throughput\n2. bp=8, dp=8\n3. x"), "8 - - - -");
}

TEST(Prose, OfAlternativesTheFirstCounts) {
  const ProseDocument document =
      read("1. latency\n2. TP=8 or maybe PP=8\n3. intra");
  ASSERT_EQ(document.answers.size(), 1u);
  EXPECT_TRUE(document.answers[0].several);
  EXPECT_EQ(document.answers[0].degrees[1].text, "8");
}

TEST(Prose, AHeadingOrALetterNamesTheScenario) {
  const char* kTexts[] = {
      "## Scenario C\n1. memory\n2. dp=4\n",
      "**Scenario C**\n\nQ1: memory\nQ2: dp=4",
      "C1. memory\nC2. dp=4\nC3. inter-node",
      "Aufgabe\n# Szenario C\nFrage 1: Speicher\nFrage 2: dp=4",
  };
  for (const char* text : kTexts) {
    const ProseDocument document = read(text);
    ASSERT_EQ(document.answers.size(), 1u) << text;
    EXPECT_EQ(document.answers[0].scenario, "C") << text;
    EXPECT_EQ(document.answers[0].degrees[0].text, "4") << text;
  }
}

TEST(Prose, AVariantKeepsItsSeed) {
  const ProseDocument document =
      read("## Scenario A#7\n1. throughput\n2. dp=64\n");
  ASSERT_EQ(document.answers.size(), 1u);
  EXPECT_EQ(document.answers[0].scenario, "A#7");
}

TEST(Prose, QuotedStruckAndHiddenTextIsNotTheStudents) {
  const char* kTexts[] = {
      "> 1. latency\n\n1. throughput\n2. dp=64",
      "1. ~~latency~~ throughput\n2. dp=64",
      "1. <!-- latency --> throughput\n2. dp=64",
      "<p>1. <del>latency</del> throughput</p><p>2. dp=64</p>",
      "<script>latency</script><p>1. throughput</p><p>2. dp=64</p>",
  };
  for (const char* text : kTexts) {
    const ProseDocument document = read(text);
    ASSERT_EQ(document.answers.size(), 1u) << text;
    const Findings found = lexicon().find(document.answers[0].constraint.text);
    EXPECT_EQ(lexicon().first(found, "constraint"), "throughput") << text;
  }
}

TEST(Prose, ALaterVersionThatIsCalledFinalCounts) {
  const ProseDocument document = read(
      "## Scenario A\n1. latency\n2. tp=8\n"
      "## Scenario A, final version\n1. throughput\n2. dp=64\n");
  ASSERT_EQ(document.answers.size(), 1u);
  EXPECT_EQ(document.answers[0].degrees[0].text, "64");
}

TEST(Prose, OfTwoAnswersTheFirstCountsAndTheSecondIsReported) {
  const ProseDocument document = read(
      "## Scenario A\n1. throughput\n2. dp=64\n"
      "## Scenario A\n1. latency\n2. tp=8\n");
  ASSERT_EQ(document.answers.size(), 1u);
  EXPECT_EQ(document.answers[0].degrees[0].text, "64");
  EXPECT_EQ(document.answered_again, std::vector<std::string>{"A"});
}

TEST(Prose, ADecimalCommaIsReadWhereItIsSure) {
  const ProseDocument german = read(
      "1. Durchsatz: 119,7 GiB und 17,0 GiB\n2. dp=64\n"
      "5. Kritische Batchgröße unter 262.144 Token");
  ASSERT_EQ(german.answers.size(), 1u);
  EXPECT_EQ(german.answers[0].threshold.text.substr(0, 6), "262144");
  const ProseDocument english = read(
      "1. throughput: 119.7 GiB and 17.0 GiB\n2. dp=64\n"
      "5. Critical batch below 262,144 tokens");
  ASSERT_EQ(english.answers.size(), 1u);
  EXPECT_EQ(english.answers[0].threshold.text.substr(0, 7), "262,144");
}

TEST(Prose, APassageStandsWhereItSays) {
  const std::string text =
      "# Scenario A\n\n1. **Throughput** binds: 119.7&nbsp;GiB fits.\n"
      "2. dp = 64, TP left out because it all fits.\n"
      "4. Stragglers. Symptom: step time goes up.\n"
      "5. HBM below 130 GiB.\n";
  const ProseDocument document = read(text);
  ASSERT_EQ(document.answers.size(), 1u);
  const Answer& answer = document.answers[0];
  const auto at = [&](const Passage& passage) {
    return text.substr(passage.begin, passage.end - passage.begin);
  };
  EXPECT_EQ(at(answer.degrees[0]), "64");
  EXPECT_EQ(at(answer.threshold), answer.threshold.text);
  EXPECT_NE(at(answer.constraint).find("Throughput"), std::string::npos);
  ASSERT_EQ(answer.unused.size(), 1u);
  EXPECT_EQ(at(answer.unused[0].axis), "TP");
}

TEST(Prose, TheFirstNamedOfPlanAndConstraintIsSeen) {
  EXPECT_TRUE(
      read("dp=64 it is. Throughput binds.").answers[0].opens_with_plan);
  EXPECT_FALSE(
      read("Throughput binds, so dp=64 it is.").answers[0].opens_with_plan);
}

TEST(Prose, TextOfNoAnswerHasNoFields) {
  for (const char* text : {"1. idk\n2. no idea\n", "1. ?\n2. -\n"}) {
    for (const Answer& answer : read(text).answers) {
      EXPECT_TRUE(answer.constraint.blank()) << text;
      EXPECT_TRUE(answer.degrees[0].blank()) << text;
    }
  }
}

TEST(Prose, AnyBytesAreReadWithoutHarm) {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  std::string many;
  for (int i = 0; i < 200; ++i) many += all;
  EXPECT_LE(read(many).answers.size(), kMaxProseAnswers);
  std::string sections;
  for (int i = 0; i < 2000; ++i) sections += "## Scenario A\n1. x\n2. dp=2\n";
  EXPECT_LE(read(sections).answers.size(), kMaxProseAnswers);
}

TEST(Prose, ATableOfVeryManyColumnsIsReadInBoundedMemory) {
  const ProseDocument document = read(std::string(100000, '|'));
  EXPECT_TRUE(document.answers.empty() ||
              document.answers[0].degrees[0].blank());
}

}  // namespace
}  // namespace meshwise
