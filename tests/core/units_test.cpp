#include "meshwise/units.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace meshwise {
namespace {

TEST(Units, AQuotientOfLikeQuantitiesIsAPlainNumber) {
  static_assert(std::is_same_v<decltype(bytes(8) / bytes(2)), double>);
  EXPECT_EQ(bytes(8) / bytes(2), 4.0);
}

TEST(Units, BytesOverBandwidthAreSeconds) {
  static_assert(
      std::is_same_v<decltype(bytes(1) / gigabytes_per_second(1)), Seconds>);
  EXPECT_EQ((gigabytes(100) / gigabytes_per_second(50)).base(), 2.0);
}

TEST(Units, FlopsPerTokenTimesTokensOverARateAreSeconds) {
  const auto time = FlopsPerToken(4e9) * tokens(1000) / teraflops_per_second(2);
  static_assert(std::is_same_v<decltype(time), const Seconds>);
  EXPECT_DOUBLE_EQ(time.base(), 2.0);
}

TEST(Units, GibIsTwoToTheThirtyAndGbIsTenToTheNine) {
  EXPECT_EQ(gibibytes(1).base(), 1073741824.0);
  EXPECT_EQ(gigabytes(1).base(), 1e9);
  EXPECT_DOUBLE_EQ(to_gib(gigabytes(1.073741824)), 1.0);
}

TEST(Units, MaxAndMinKeepTheirType) {
  EXPECT_EQ(max(seconds(1), seconds(2)).base(), 2.0);
  EXPECT_EQ(min(seconds(1), seconds(2)).base(), 1.0);
}

}  // namespace
}  // namespace meshwise
