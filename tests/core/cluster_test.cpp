#include "meshwise/cluster.h"

#include <gtest/gtest.h>

#include <array>

namespace meshwise {
namespace {

TEST(Cluster, ASpanKnowsItsDegreeAndItsSlowestTier) {
  Span span;
  EXPECT_EQ(span.degree(), 1);
  EXPECT_EQ(span.slowest(), 0);
  span.ranks = {4, 1, 2, 1};
  EXPECT_EQ(span.degree(), 8);
  EXPECT_EQ(span.slowest(), 2);
  EXPECT_TRUE(span.crosses_tiers());
}

TEST(Cluster, TheProductOfTwoGroupsIsTakenTierByTier) {
  Span a;
  Span b;
  a.ranks = {2, 4, 1, 1};
  b.ranks = {2, 1, 1, 3};
  const Span both = combine(a, b);
  EXPECT_EQ(both.ranks, (std::array<int, kMaxTiers>{4, 4, 1, 3}));
  EXPECT_EQ(both.degree(), a.degree() * b.degree());
  EXPECT_EQ(combine(a, Span{}), a);
  EXPECT_EQ(combine(b, a), both);
}

TEST(Cluster, OneTierIsNoCrossing) {
  Span span;
  span.ranks = {1, 8, 1, 1};
  EXPECT_FALSE(span.crosses_tiers());
  EXPECT_EQ(span.slowest(), 1);
  EXPECT_FALSE(Span{}.crosses_tiers());
}

}  // namespace
}  // namespace meshwise
