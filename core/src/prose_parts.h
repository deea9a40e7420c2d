// What the files that read prose share.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meshwise/prose.h"

namespace meshwise {

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] bool empty() const { return begin >= end; }
};

// Text taken from the submission, and where each byte of it stood there.
struct CleanText {
  std::string text;
  std::vector<std::uint32_t> from;

  void add(std::string_view piece, std::size_t at);  // copied bytes
  void put(std::string_view piece, std::size_t at);  // put for byte `at`
  void append(const CleanText& other, Range range);
  [[nodiscard]] std::string_view of(Range range) const;
  // The range without blanks at its ends, as a passage of the submission.
  [[nodiscard]] Passage passage(Range range) const;
  [[nodiscard]] Passage whole() const;
};

// The student's own words: markup, quotations, struck text and what no reader
// sees taken out, entities and LaTeX signs put as characters.
[[nodiscard]] CleanText clean_prose(std::string_view text);
// "1.024,5" becomes "1024.5" in a text that surely writes decimal commas.
void point_decimals(CleanText& text);

// One scenario's passages by question; [0] stands under no question.
struct ProseSection {
  std::string scenario;
  std::array<CleanText, 6> questions;
  CleanText all;          // in the order of the text
  bool numbered = false;  // by numbers, not by labels
  bool retracted = false;
  bool final_version = false;

  [[nodiscard]] bool blank() const;
};
struct ProseSections {
  std::string student;
  std::vector<ProseSection> list;
};
[[nodiscard]] ProseSections read_sections(
    const CleanText& text, const Lexicon& lexicon,
    const std::vector<std::string>& scenarios);

// What a line begins with: a scenario, a question, both, or neither.
struct LineMark {
  int scenario = -1;     // index of the known ids
  std::string variant;   // "#7" behind it
  int question = 0;      // 1 to 5
  bool strong = false;   // "Q1", "Question 1", "## 1": no list's number
  std::size_t text = 0;  // where the text behind the mark begins
};
[[nodiscard]] LineMark mark_of(std::string_view line, bool heading,
                               const std::vector<std::string>& scenarios);
// The question that a label such as "Failure mode:" belongs to, 0 for none.
[[nodiscard]] int label_of(std::string_view head, const Lexicon& lexicon);

// A question's text with what was found in it.
struct ProseText {
  const CleanText* source = nullptr;
  const Lexicon* lexicon = nullptr;
  Findings found;
  std::vector<WordToken> tokens;
  std::vector<Range> sentences;
  std::vector<Range> clauses;

  ProseText(const CleanText& text, const Lexicon& words);
  [[nodiscard]] std::string_view text() const { return source->text; }
  [[nodiscard]] bool in(const Mention& m, std::string_view group) const {
    return lexicon->in_group(m, group);
  }
  [[nodiscard]] const std::string& id(const Mention& m) const {
    return lexicon->id(m);
  }
  [[nodiscard]] Range sentence(int number) const;
  [[nodiscard]] Range clause(int number) const;
  // A mention of the group, not negated, within the range.
  [[nodiscard]] const Mention* first(std::string_view group, Range range) const;
  [[nodiscard]] bool has(std::string_view group, Range range) const;
  [[nodiscard]] bool blank() const;
};

// The questions of one scenario's prose into the fields of its answer.
void read_plan(const ProseText& text, Answer& answer);
void read_options(const ProseText& text, Answer& answer);
void read_unused(const ProseText& text, Answer& answer);
void read_question_1(const ProseText& text, Answer& answer);
void read_question_3(const ProseText& text, Answer& answer);
// "TP = 8 (intra)": tiers and the algorithm that only question 2 names.
void read_tiers_of_plan(const ProseText& text, Answer& answer);
void read_question_4(const ProseText& text, Answer& answer);
void read_question_5(const ProseText& text, Answer& answer);

// "I don't know": nothing is claimed.
[[nodiscard]] bool says_nothing(const ProseText& text);
// The degree that was read for an axis; 1 where none was.
[[nodiscard]] bool in_plan(const Answer& answer, Axis axis);

}  // namespace meshwise
