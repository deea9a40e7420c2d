// Errors as values. A function that can be given bad input returns
// Result<T>: either the value, or one Problem that says what is wrong, where,
// and what would be accepted. A plan that cannot run is not a Problem: it is
// an ordinary value with its reasons (see plan.h).
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace meshwise {

// What kind of input error; code_name() gives the identifier that crosses the
// interface.
enum class Code {
  kMalformed,     // the text is no JSON, or no document of the named schema
  kMissing,       // a required value is absent
  kUnknownKey,    // a key that nothing reads
  kWrongType,     // a string where a number belongs, and the like
  kOutOfRange,    // a number outside its legal range
  kUnknownName,   // a preset, scenario, algorithm ... that does not exist
  kInconsistent,  // values that are legal alone and contradict each other
  kTooLarge,      // input beyond the stated limit of size or depth
};

struct Problem {
  Code code = Code::kMalformed;
  std::string at;       // JSON pointer of the offending value, "" for the root
  std::string message;  // what is wrong, one sentence, no trailing newline
  std::string hint;     // what would be accepted, may be empty
};

// The identifier of a code, e.g. "unknown_name".
[[nodiscard]] const char* code_name(Code code);

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T held) : value_(std::move(held)) {}            // NOLINT
  Result(Problem found) : problem_(std::move(found)) {}  // NOLINT

  [[nodiscard]] bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] T& value() { return *value_; }
  [[nodiscard]] const T& value() const { return *value_; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  // Only when !ok().
  [[nodiscard]] const Problem& problem() const { return problem_; }

 private:
  std::optional<T> value_;
  Problem problem_;
};

}  // namespace meshwise
