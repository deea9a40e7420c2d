#include "meshwise/result.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace meshwise {
namespace {

TEST(Result, HoldsAValueOrAProblem) {
  const Result<int> good = 7;
  const Result<int> bad = Problem{Code::kOutOfRange, "/gpus", "no", "1"};
  EXPECT_TRUE(good.ok());
  EXPECT_EQ(*good, 7);
  EXPECT_FALSE(bad.ok());
  EXPECT_EQ(bad.problem().at, "/gpus");
}

TEST(Result, EveryCodeHasANameOfItsOwn) {
  std::set<std::string> names;
  for (const Code code :
       {Code::kMalformed, Code::kMissing, Code::kUnknownKey, Code::kWrongType,
        Code::kOutOfRange, Code::kUnknownName, Code::kInconsistent,
        Code::kTooLarge}) {
    names.insert(code_name(code));
  }
  EXPECT_EQ(names.size(), 8u);
}

}  // namespace
}  // namespace meshwise
