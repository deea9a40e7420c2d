// A GitHub step's summary and annotations. What a student wrote stands in
// neither at the start of a line nor unescaped: a runner would take it for a
// command.
#include "escape.h"
#include "grade_out.h"

namespace meshwise::cli {
namespace {

// A larger summary is refused whole.
constexpr std::size_t kMostSummary = 1024u << 10;
constexpr std::size_t kRoomForEnd = 1024;
// A runner drops more of a kind without a word.
constexpr std::size_t kMostAnnotations = 10;
constexpr std::size_t kLongestMessage = 400;  // columns

std::string words(const std::string& text) {
  return markdown_text(clipped(terminal_text(text), kLongestMessage));
}

std::string row_of(const Json& result) {
  const double review = number(result, "review");
  return "| " + words(raw_name(result)) + " | " +
         words(raw_text_of(result, "scenario")) + " | " +
         marks(number(result, "score"), number(result, "max")) +
         (review > 0.0 ? " provisional" : "") + " | " + fixed(review, 0) +
         " |\n";
}

std::string lost_of(const Json& result) {
  std::string out;
  each_criterion(result, [&](const Json&, const Json& c) {
    if (raw_text_of(c, "verdict") == "pass") return;
    out += "- " + words(raw_text_of(c, "id")) + " " +
           marks(number(c, "score"), number(c, "max")) + ": " +
           words(raw_text_of(c, "says")) + "\n";
  });
  return out.empty()
             ? ""
             : "\n#### " + words(raw_name(result)) + ", scenario " +
                   words(raw_text_of(result, "scenario")) + "\n\n" + out;
}

// Appends parts while there is room, and counts those that are left out.
class Summary {
 public:
  void add(const std::string& part) {
    if (left_out_ > 0 ||
        out_.size() + part.size() + kRoomForEnd > kMostSummary) {
      ++left_out_;
    } else {
      out_ += part;
    }
  }
  void end(const char* what) {
    if (left_out_ > 0) {
      out_ += "\nLeft out for want of room: " + std::to_string(left_out_) +
              " " + what + "\n";
    }
    left_out_ = 0;
  }
  [[nodiscard]] std::string text() && { return std::move(out_); }

 private:
  std::string out_;
  std::size_t left_out_ = 0;
};

class Annotations {
 public:
  explicit Annotations(const char* kind) : kind_(kind) {}
  void add(const std::string& file, const std::string& title,
           const std::string& message) {
    ++count_;
    // The last place is for the number of those that have none.
    if (count_ < kMostAnnotations) {
      lines_ += line(file, title, message);
    } else if (count_ == kMostAnnotations) {
      last_ = line(file, title, message);
    }
  }
  [[nodiscard]] std::string text() const {
    if (count_ <= kMostAnnotations) return lines_ + last_;
    return lines_ + line("", "Meshwise",
                         std::to_string(count_ - kMostAnnotations + 1) +
                             " more; the summary has them");
  }

 private:
  [[nodiscard]] std::string line(const std::string& file,
                                 const std::string& title,
                                 const std::string& message) const {
    const std::string in =
        file.empty() ? "" : "file=" + workflow_property(file) + ",";
    return std::string("::") + kind_ + " " + in +
           "title=" + workflow_property(title) + "::" +
           workflow_message(clipped(terminal_text(message), kLongestMessage)) +
           "\n";
  }

  const char* kind_;
  std::size_t count_ = 0;
  std::string lines_;
  std::string last_;
};

}  // namespace

std::string github_summary(const Batch& batch) {
  Summary out;
  out.add(
      "### Meshwise\n\n| student | scenario | score | to review |\n"
      "|:---|:---|---:|---:|\n");
  each_result(batch, [&](const Graded&, const Json& result) {
    out.add(row_of(result));
  });
  out.end("rows");
  for (const Graded& graded : batch.graded) {
    for (const Json& error : graded.reply["errors"]) {
      out.add("\nNot read: " +
              words(problem_text(raw_text_of(error, "source"), error)) + "\n");
    }
  }
  out.end("that could not be read");
  each_result(batch, [&](const Graded&, const Json& result) {
    out.add(lost_of(result));
  });
  out.end("lists of lost marks");
  return std::move(out).text();
}

std::string github_annotations(const Batch& batch) {
  Annotations errors("error");
  Annotations warnings("warning");
  Annotations notices("notice");
  for (const Graded& graded : batch.graded) {
    const std::string& file = graded.submission.source;
    for (const Json& error : graded.reply["errors"]) {
      errors.add(file, "Not read", problem_text("", error));
    }
    for (const Json& result : graded.reply["results"]) {
      const std::string head =
          raw_name(result) + ", scenario " + raw_text_of(result, "scenario") +
          ": " + marks(number(result, "score"), number(result, "max"));
      const double review = number(result, "review");
      if (review > 0.0) {
        warnings.add(file, "Waits for a person",
                     head + ", " + fixed(review, 0) + " to review");
      } else {
        notices.add(file, "Graded", head);
      }
    }
  }
  return errors.text() + warnings.text() + notices.text();
}

}  // namespace meshwise::cli
