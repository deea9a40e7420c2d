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

TEST(Units, BytesATokenTimesTokensAreBytes) {
  const auto size = BytesPerToken(4718592) * tokens(2048);
  static_assert(std::is_same_v<decltype(size), const Bytes>);
  EXPECT_EQ(to_gib(size), 9.0);
}

TEST(Units, SumsAndScalesKeepTheirType) {
  Bytes sum = bytes(3) + 2.0 * bytes(4) - bytes(2) / 2.0;
  EXPECT_EQ(sum.base(), 10.0);
  sum += bytes(5);
  sum -= bytes(1);
  EXPECT_EQ(sum, bytes(14));
  EXPECT_LT(seconds(1), milliseconds(1001));
  EXPECT_GE(microseconds(1e6), seconds(1));
}

TEST(Units, QuantitiesOfDifferentKindsAreDifferentTypes) {
  static_assert(!std::is_convertible_v<Bytes, BytesPerSecond>);
  static_assert(!std::is_convertible_v<Bytes, Seconds>);
  static_assert(!std::is_convertible_v<Tokens, Bytes>);
  static_assert(!std::is_convertible_v<double, Bytes>);
  static_assert(!std::is_convertible_v<Bytes, double>);
  static_assert(!std::is_convertible_v<FlopsPerSecond, BytesPerSecond>);
  static_assert(std::is_constructible_v<Bytes, double>);
  EXPECT_EQ(Bytes().base(), 0.0);
}

TEST(Units, EachUnitReadsBackInItsOwnScale) {
  EXPECT_DOUBLE_EQ(to_ms(seconds(0.7)), 700);
  EXPECT_DOUBLE_EQ(to_us(milliseconds(0.07)), 70);
  EXPECT_DOUBLE_EQ(to_gbps(gigabytes_per_second(50)), 50);
  EXPECT_DOUBLE_EQ(to_tflops(teraflops_per_second(400)), 400);
  EXPECT_DOUBLE_EQ(to_gb(gibibytes(192)), 206.158430208);
}

TEST(Units, MaxAndMinKeepTheirType) {
  EXPECT_EQ(max(seconds(1), seconds(2)).base(), 2.0);
  EXPECT_EQ(min(seconds(1), seconds(2)).base(), 1.0);
}

}  // namespace
}  // namespace meshwise
