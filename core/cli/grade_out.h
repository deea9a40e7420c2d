// A batch's results in every form that `meshwise grade --format` writes. Each
// is made for one sink, and student text is escaped for that sink.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grade_batch.h"
#include "table.h"

namespace meshwise::cli {

// A whole batch, in the order of its submissions.
struct Batch {
  Json header;  // the reply to no submissions: version and digests
  std::vector<Graded> graded;
  bool worked = false;   // with the worked explanations
  std::string scenario;  // --scenario, or empty
};

// A form, and lines that a person has to know of (standard error).
struct Output {
  std::string text;
  std::vector<std::string> notes;
  bool incomplete = false;  // something has no place in it: exit code 1
};

// Flags of the gradebooks.
struct GradebookOptions {
  std::string roster;        // a file; empty: none
  std::string title;         // of the grade's column, "Drill (1234)"
  bool provisional = false;  // scores that wait for a person count as they are
};

// meshwise.grade/1 of the whole batch, its bytes as the core writes them.
[[nodiscard]] Json batch_json(const Batch& batch);
// One line of NDJSON for one submission; a line that was no JSON is
// meshwise.error/1.
[[nodiscard]] std::string ndjson_line(const Json& header, const Graded& graded);
[[nodiscard]] std::string grade_text(const Batch& batch);
[[nodiscard]] std::string grade_csv(const Batch& batch);
// Feedback for the student who handed this in.
[[nodiscard]] std::string feedback_markdown(const Graded& graded, bool worked);
// The feedback's file name, of safe letters only; `taken` makes it unlike
// those before.
[[nodiscard]] std::string feedback_name(const Submission& submission,
                                        std::vector<std::string>& taken);
// results.json of Gradescope: all that the batch holds is one hand-in.
[[nodiscard]] std::string gradescope_json(const Batch& batch, Session& session);
// Gradebooks; UsageError for a roster that cannot be used.
[[nodiscard]] Output canvas_csv(const Batch& batch,
                                const GradebookOptions& options);
[[nodiscard]] Output moodle_csv(const Batch& batch,
                                const GradebookOptions& options);
[[nodiscard]] std::string junit_xml(const Batch& batch);
// A step's summary (Markdown, at most 1024 KiB) and its annotations (workflow
// commands for standard output).
[[nodiscard]] std::string github_summary(const Batch& batch);
[[nodiscard]] std::string github_annotations(const Batch& batch);

// Only what a person has to read: criteria in review, and what could not be
// read at all.
[[nodiscard]] Json review_json(const Batch& batch);
[[nodiscard]] std::string review_text(const Batch& batch);
[[nodiscard]] std::string review_csv(const Batch& batch);

// ---- shared ----

// A score with at most two decimals, a dot, and nothing between thousands.
[[nodiscard]] std::string mark(double value);
[[nodiscard]] std::string marks(double score, double max);  // "22.5/25"
// "Ada" or, of a nameless student, the source; not escaped.
[[nodiscard]] std::string raw_name(const Json& result);

// Calls `each(result, question, criterion)` for every criterion of a result.
template <typename Each>
void each_criterion(const Json& result, const Each& each) {
  const auto questions = result.find("questions");
  if (questions == result.end()) return;
  for (const Json& question : *questions) {
    for (const Json& criterion : question["criteria"])
      each(question, criterion);
  }
}

// Calls `each(graded, result)` for every result of the batch.
template <typename Each>
void each_result(const Batch& batch, const Each& each) {
  for (const Graded& graded : batch.graded) {
    for (const Json& result : graded.reply["results"]) each(graded, result);
  }
}

}  // namespace meshwise::cli
