#include "meshwise/cluster.h"

#include <gtest/gtest.h>

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

TEST(Cluster, OneTierIsNoCrossing) {
  Span span;
  span.ranks = {1, 8, 1, 1};
  EXPECT_FALSE(span.crosses_tiers());
}

}  // namespace
}  // namespace meshwise
