#include "meshwise/reading.h"

#include <gtest/gtest.h>

#include "grade_data.h"

namespace meshwise {
namespace {

const Lexicon& lexicon() {
  static const Result<GradingData> kData = load_grading_data();
  return kData.value().lexicon;
}

Claims claims_with(Passage Answer::*field, const std::string& text) {
  Answer answer;
  (answer.*field).text = text;
  return read_claims(answer, lexicon());
}

TEST(Reading, TheEmbeddedWordsAndUnitsLoad) {
  const Result<GradingData> data = load_grading_data();
  ASSERT_TRUE(data.ok()) << data.problem().message;
  EXPECT_GE(data->modes.size(), 21u);
}

struct AmountCase {
  const char* text;
  Dimension dimension;
  double value;
};

TEST(Reading, AnAmountIsReadInEveryUsualNotation) {
  const AmountCase kCases[] = {
      {"119.7 GiB", Dimension::kBytes, 119.7 * 1073741824.0},
      {"128 GB", Dimension::kBytes, 128e9},
      {"67 Mb", Dimension::kBytes, 67e6 / 8.0},
      {"400 Gb/s", Dimension::kBandwidth, 50e9},
      {"50 GB/s", Dimension::kBandwidth, 50e9},
      {"50GBps", Dimension::kBandwidth, 50e9},
      {"~9.4 GB/s", Dimension::kBandwidth, 9.4e9},
      {"400 TFLOP/s", Dimension::kFlopRate, 400e12},
      {"24.7 ms", Dimension::kTime, 24.7e-3},
      {"30 us", Dimension::kTime, 30e-6},
      {"30 \xC2\xB5s", Dimension::kTime, 30e-6},
      {"30 \xCE\xBCs", Dimension::kTime, 30e-6},
      {"4.0 s", Dimension::kTime, 4.0},
      {"16k tokens", Dimension::kTokens, 16000},
      {"2M tokens", Dimension::kTokens, 2e6},
      {"2^21 tokens", Dimension::kTokens, 2097152},
      {"2**21 tokens", Dimension::kTokens, 2097152},
      {"2\xC2\xB2\xC2\xB9 tokens", Dimension::kTokens, 2097152},
      {"2,097,152 tokens", Dimension::kTokens, 2097152},
      {"2 097 152 tokens", Dimension::kTokens, 2097152},
      {"2\xE2\x80\xAF"
       "097\xE2\x80\xAF"
       "152 tokens",
       Dimension::kTokens, 2097152},
      {"1e6 tokens", Dimension::kTokens, 1e6},
      {"1.6 x 10^9 bytes", Dimension::kBytes, 1.6e9},
      {"1.6\xC2\xB7"
       "10\xE2\x81\xB9 bytes",
       Dimension::kBytes, 1.6e9},
      {"0,53 GiB", Dimension::kBytes, 0.53 * 1073741824.0},
      {"12B params", Dimension::kCount, 12e9},
      {"11.6B", Dimension::kNone, 11.6e9},
      {"30 %", Dimension::kRatio, 0.3},
      {"40x", Dimension::kFactor, 40},
      {"64 sequences", Dimension::kSequences, 64},
      {"8 GPUs", Dimension::kCount, 8},
      {"64", Dimension::kNone, 64},
  };
  for (const AmountCase& c : kCases) {
    const Findings found = lexicon().find(c.text);
    ASSERT_EQ(found.amounts.size(), 1u) << c.text;
    EXPECT_EQ(found.amounts[0].dimension, c.dimension) << c.text;
    EXPECT_NEAR(found.amounts[0].value, c.value, 1e-9 * c.value) << c.text;
  }
}

TEST(Reading, GigabytesAndGibibytesAreToldApart) {
  const Findings found = lexicon().find("16 GB, 16 GiB");
  ASSERT_EQ(found.amounts.size(), 2u);
  EXPECT_FALSE(found.amounts[0].binary);
  EXPECT_TRUE(found.amounts[1].binary);
}

TEST(Reading, ARangeIsOneAmountWithTwoEnds) {
  for (const char* text : {"10-20 GB/s",
                           "10\xE2\x80\x93"
                           "20 GB/s",
                           "10 to 20 GB/s", "10 GB/s to 20 GB/s"}) {
    const Findings found = lexicon().find(text);
    ASSERT_EQ(found.amounts.size(), 1u) << text;
    EXPECT_DOUBLE_EQ(found.amounts[0].value, 10e9) << text;
    EXPECT_DOUBLE_EQ(found.amounts[0].upper, 20e9) << text;
  }
}

TEST(Reading, DigitsInsideANameAreNoAmount) {
  for (const char* text : {"H100", "int8", "tp8", "a_3"}) {
    EXPECT_TRUE(lexicon().find(text).amounts.empty()) << text;
  }
}

TEST(Reading, ANumberTooLargeForADoubleIsNotKept) {
  EXPECT_TRUE(lexicon().find("1e400 GB").amounts.empty());
}

struct ConceptCase {
  const char* text;
  const char* group;
  const char* first;
};

TEST(Reading, AConceptIsReadWithItsNegation) {
  const ConceptCase kCases[] = {
      {"throughput", "constraint", "throughput"},
      {"Activation memory", "constraint", "memory-activations"},
      {"memory-state", "constraint", "memory-state"},
      {"memory", "constraint", "memory"},
      {"memory bandwidth", "constraint", "memory-bandwidth"},
      {"not memory, it is throughput", "constraint", "throughput"},
      {"memory is not the constraint, throughput is", "constraint",
       "throughput"},
      {"isn't latency but throughput", "constraint", "throughput"},
      {"never not latency", "constraint", "latency"},
      {"within a node (NVLink)", "tier", "inner"},
      {"RoCE, across nodes", "tier", "outer"},
      {"a binary tree", "algorithm", "tree"},
      {"Ring-Attention", "axis", "cp"},
      {"pipeline parallelism", "axis", "pp"},
      {"HBM bandwidth", "parameter", "hbm_bandwidth"},
      {"HBM", "parameter", "hbm"},
  };
  for (const ConceptCase& c : kCases) {
    EXPECT_EQ(lexicon().first(lexicon().find(c.text), c.group), c.first)
        << c.text;
  }
}

TEST(Reading, LabelsThatDifferInOneLetterAreNeverCorrected) {
  EXPECT_EQ(lexicon().first(lexicon().find("xp"), "axis"), "");
  EXPECT_EQ(lexicon().first(lexicon().find("tpp"), "axis"), "");
}

struct DegreeCase {
  const char* text;
  int value;  // 0: must not be read
};

TEST(Reading, ADegreeIsAnExactWholeNumber) {
  const DegreeCase kCases[] = {
      {"64", 64},     {" 64 ", 64},   {"dp=64", 64},
      {"dp64", 64},   {"64-way", 64}, {"8 x 8 = 64", 64},
      {"eight", 8},   {"1", 1},       {"none", 1},
      {"**64**", 64}, {"63.4", 0},    {"7.99", 0},
      {"-8", 0},      {"0", 0},       {"many", 0},
      {"64 GB", 0},   {"1e400", 0},   {"18446744073709551680", 0},
  };
  for (const DegreeCase& c : kCases) {
    Answer answer;
    answer.degrees[0].text = c.text;
    const Claims claims = read_claims(answer, lexicon());
    if (c.value > 0) {
      ASSERT_TRUE(claims.degrees[0].read()) << c.text;
      EXPECT_EQ(claims.degrees[0].value, c.value) << c.text;
    } else {
      EXPECT_TRUE(claims.degrees[0].unreadable()) << c.text;
      EXPECT_FALSE(claims.degrees[0].why.empty()) << c.text;
    }
  }
}

TEST(Reading, AnEmptyFieldIsAbsentAndNotUnreadable) {
  const Claims claims = read_claims(Answer{}, lexicon());
  EXPECT_TRUE(claims.degrees[0].absent());
  EXPECT_TRUE(claims.zero.absent());
  EXPECT_TRUE(claims.threshold.absent());
  EXPECT_TRUE(claims.axes[0].minimum.absent());
}

TEST(Reading, ZeroStagesAndRecomputeAreReadByTheirNames) {
  EXPECT_EQ(claims_with(&Answer::zero, "ZeRO-3").zero.value, 3);
  EXPECT_EQ(claims_with(&Answer::zero, "FSDP").zero.value, 3);
  EXPECT_EQ(claims_with(&Answer::zero, "1").zero.value, 1);
  EXPECT_TRUE(claims_with(&Answer::zero, "7").zero.unreadable());
  EXPECT_EQ(claims_with(&Answer::recompute, "Selective").recompute.value,
            Recompute::kSelective);
  EXPECT_EQ(claims_with(&Answer::recompute, "full").recompute.value,
            Recompute::kFull);
}

TEST(Reading, ABatchInTokensIsKeptInTokens) {
  const Claims claims = claims_with(&Answer::global_batch, "262k tokens");
  EXPECT_TRUE(claims.global_batch.absent());
  EXPECT_EQ(claims.global_batch_tokens.value, 262000);
}

TEST(Reading, AMinimumWithoutUnitTakesTheFieldsUnit) {
  Answer answer;
  answer.axes[0].minimum.text = "9.4";
  answer.axes[1].minimum.text = "10";
  answer.axes[1].is_latency = true;
  const Claims claims = read_claims(answer, lexicon());
  EXPECT_DOUBLE_EQ(claims.axes[0].minimum.value.value, 9.4e9);
  EXPECT_DOUBLE_EQ(claims.axes[1].minimum.value.value, 10e-6);
}

TEST(Reading, HostileTextIsReadWithoutHarm) {
  std::string long_line(5u << 20, '7');
  EXPECT_TRUE(lexicon().find(long_line).truncated);
  std::string nul("throughput\0\xFF\xFE memory", 20);
  EXPECT_EQ(lexicon().first(lexicon().find(nul), "constraint"), "throughput");
  std::string many;
  for (int i = 0; i < 20000; ++i) many += "not memory 1 GB, ";
  const Findings found = lexicon().find(many);
  EXPECT_LE(found.mentions.size(), kMaxMentions);
  EXPECT_LE(found.amounts.size(), kMaxAmounts);
  EXPECT_TRUE(found.truncated);
}

}  // namespace
}  // namespace meshwise
