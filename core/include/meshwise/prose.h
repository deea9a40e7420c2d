// From free prose to the fields of an answer: which passage answers which
// scenario and question, and in it which words stand for which field. Every
// field keeps its place in the student's own text.
//
// A heading, a number ("1.", "Q3", "B2", "(4)"), a label ("Failure mode:") or
// a table's cell decides what a passage answers, whatever its contents; text
// without any is read sentence by sentence. Quoted lines, struck text, HTML
// comments and scripts are not read. Two answers to the same question: the
// first that is not retracted counts.
//
// One pass over the text, no regular expressions: time and memory are linear
// in its length. What is met beyond kMaxProseAnswers scenarios is left unread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "meshwise/reading.h"

namespace meshwise {

inline constexpr std::size_t kMaxProseAnswers = 64;

struct ProseDocument {
  std::string student;  // "Name: Ada" in the first lines, else ""
  // One for each scenario, in the order of the text; scenario "" where the
  // text names none.
  std::vector<Answer> answers;
  std::vector<std::string> answered_again;  // scenarios with a later answer
};

// Reads any text. `scenarios` are the ids that a heading may name: "A", or
// "A#7" for a variant of A.
[[nodiscard]] ProseDocument read_prose(
    std::string_view text, const Lexicon& lexicon,
    const std::vector<std::string>& scenarios);

}  // namespace meshwise
