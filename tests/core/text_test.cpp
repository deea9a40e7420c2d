#include "text.h"

#include <gtest/gtest.h>

namespace meshwise {
namespace {

TEST(Text, NumbersReadAsPeopleWriteThem) {
  EXPECT_EQ(plain_number(64), "64");
  EXPECT_EQ(plain_number(0.125), "0.125");
  EXPECT_EQ(fixed(119.6602, 2), "119.66");
  EXPECT_EQ(grouped(8030261248), "8,030,261,248");
  EXPECT_EQ(grouped(-1234), "-1,234");
  EXPECT_EQ(grouped(999), "999");
}

TEST(Text, ShortNumbersKeepThreeDigitsOrMore) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(2), "2");
  EXPECT_EQ(short_number(0.53125), "0.5312");
  EXPECT_EQ(short_number(17.015), "17.02");
  EXPECT_EQ(short_number(119.6602), "119.7");
  EXPECT_EQ(short_number(82458.02), "82,458");
}

}  // namespace
}  // namespace meshwise
