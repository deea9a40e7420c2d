#include "meshwise/plan.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

namespace meshwise {
namespace {

TEST(Plan, TheProductIsOverAllFiveAxes) {
  Plan p;
  for (const Axis axis : kAxes) set_degree(p, axis, 2);
  EXPECT_EQ(gpus_used(p), 32);
  for (const Axis axis : kAxes) EXPECT_EQ(degree(p, axis), 2);
}

TEST(Plan, OneDegreeDoesNotTouchAnother) {
  int value = 2;
  Plan p;
  for (const Axis axis : kAxes) set_degree(p, axis, value++);
  EXPECT_EQ(p.dp, 2);
  EXPECT_EQ(p.tp, 3);
  EXPECT_EQ(p.pp, 4);
  EXPECT_EQ(p.cp, 5);
  EXPECT_EQ(p.ep, 6);
  EXPECT_EQ(gpus_used(p), 720);
}

TEST(Plan, TheProductOfLargeDegreesDoesNotWrap) {
  Plan p;
  for (const Axis axis : {Axis::kDp, Axis::kTp, Axis::kPp}) {
    set_degree(p, axis, 1 << 16);
  }
  EXPECT_EQ(gpus_used(p), std::int64_t{1} << 48);
}

TEST(Plan, ASetOfReasonsKeepsWhatWasAdded) {
  Reasons reasons;
  EXPECT_TRUE(reasons.empty());
  reasons.add(Reason::kHbm);
  reasons.add(Reason::kSlo);
  reasons.add(Reason::kHbm);
  EXPECT_TRUE(reasons.has(Reason::kHbm));
  EXPECT_TRUE(reasons.has(Reason::kSlo));
  EXPECT_FALSE(reasons.has(Reason::kGpus));
  EXPECT_FALSE(reasons.empty());
}

TEST(Plan, NamesReadBack) {
  for (const Axis axis : kAxes) {
    EXPECT_EQ(axis_from_name(axis_name(axis)), axis);
  }
  for (const Recompute r :
       {Recompute::kNone, Recompute::kSelective, Recompute::kFull}) {
    EXPECT_EQ(recompute_from_name(recompute_name(r)), r);
  }
  for (const CpMethod m :
       {CpMethod::kRing, CpMethod::kAllGather, CpMethod::kUlysses}) {
    EXPECT_EQ(cp_method_from_name(cp_method_name(m)), m);
  }
  EXPECT_FALSE(axis_from_name("sp").has_value());
}

TEST(Plan, EveryReasonHasANameAndABitOfItsOwn) {
  std::set<std::string> names;
  for (int i = 0; i < kReasonCount; ++i) {
    const auto reason = static_cast<Reason>(i);
    names.insert(std::string(reason_name(reason)));
    Reasons reasons;
    reasons.add(reason);
    EXPECT_EQ(reasons.bits(), 1u << i);
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kReasonCount));
}

}  // namespace
}  // namespace meshwise
