// NDJSON: one submission a line, read as it comes, so that a batch of any
// length takes the memory of one line.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "grade_inputs.h"

namespace meshwise::cli {

// A line that is longer is passed over with an error.
inline constexpr std::size_t kMaxLineBytes = 8u << 20;

class Lines {
 public:
  // `path` is a file, or - for standard input; `source` is what its lines are
  // called where they say nothing. problem() where it cannot be opened.
  Lines(const std::string& path, std::string source);

  [[nodiscard]] const std::string& problem() const { return problem_; }
  // The next line that is not blank, as
  //   {"source", "student", "student_id", "text" or "answers"}
  // or as a meshwise.answers/1 document.
  [[nodiscard]] std::optional<Submission> next();

 private:
  struct Close {
    void operator()(std::FILE* stream) const;
  };
  enum class Read { kEnd, kLine, kTooLong };
  Read read_line(std::string& out);
  [[nodiscard]] bool fill();

  std::unique_ptr<std::FILE, Close> stream_;
  std::string source_;
  std::string problem_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;
};

// What one line holds; its own mistakes in `problem`.
[[nodiscard]] Submission read_submission_line(const std::string& text,
                                              const std::string& source,
                                              std::size_t line);

}  // namespace meshwise::cli
