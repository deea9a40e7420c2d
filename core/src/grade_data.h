// Grading's side of JSON: the rubric, the failure modes and the words as
// data, answers in and out, and the report as the reply has it.
#pragma once

#include <string>
#include <vector>

#include "json.h"
#include "meshwise/grade.h"
#include "meshwise/sheet.h"

namespace meshwise {

// A rubric document. A criterion without marks, or a tolerance left out, is a
// problem.
[[nodiscard]] Rubric read_rubric(const Json& json, std::string pointer,
                                 std::vector<Problem>& problems);

// The embedded rubric, failure modes, units and words.
[[nodiscard]] Result<GradingData> load_grading_data();

// A digest of a document's text, the same everywhere: 16 hexadecimal digits
// (FNV-1a, 64 bits). It tells two versions apart and is no signature.
[[nodiscard]] std::string digest(std::string_view text);

struct AnswersDocument {
  std::string student;
  std::vector<Answer> answers;
};

// A meshwise.answers/1 document. Keys that nothing reads are problems:
// a misspelt one would lose an answer in silence.
[[nodiscard]] AnswersDocument read_answers(const Json& json,
                                           std::string pointer,
                                           std::vector<Problem>& problems);
// With `blanks`, every field there is: the empty form.
[[nodiscard]] Json write_answers(const AnswersDocument& document,
                                 bool blanks = false);
// [{"field", "begin", "end"}]: the bytes of the text that each field was read
// from, the field as a JSON pointer into the document.
[[nodiscard]] Json write_readings(const AnswersDocument& document);

[[nodiscard]] Json report_json(const GradeReport& report, bool worked);

}  // namespace meshwise
