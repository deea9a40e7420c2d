#include "meshwise/plan.h"

#include <gtest/gtest.h>

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
