// Feedback for the student: a table of the scores, then for each criterion what
// was read, what it is worth and a hint.
#include <algorithm>

#include "escape.h"
#include "grade_out.h"

namespace meshwise::cli {
namespace {

constexpr std::size_t kLongestQuote = 240;  // columns

std::string words(const Json& object, const char* key) {
  return markdown_text(raw_text_of(object, key));
}

std::string verdict_word(const std::string& verdict) {
  if (verdict == "pass") return "right";
  if (verdict == "partial") return "partly right";
  return verdict == "review" ? "waits for a person" : "not yet";
}

std::string score_table(const Json& result) {
  std::string out = "| question | criterion | marks | |\n";
  out += "|:---|:---|---:|:---|\n";
  each_criterion(result, [&](const Json& question, const Json& criterion) {
    out += "| " + words(question, "id") + " | " + words(criterion, "id") +
           " | " + marks(number(criterion, "score"), number(criterion, "max")) +
           " | " + verdict_word(raw_text_of(criterion, "verdict")) + " |\n";
  });
  return out;
}

std::string read_line(const Json& criterion) {
  const auto it = criterion.find("evidence");
  if (it == criterion.end() || !it->is_object()) return "";
  const std::string text = clipped(text_of(*it, "text"), kLongestQuote);
  const std::string as = words(*it, "read_as");
  if (text.empty() && as.empty()) return "";
  return "  - Read: \"" + markdown_text(text) + "\"" +
         (as.empty() ? "" : " as " + as) + "\n";
}

std::string criterion_lines(const Json& c, bool worked) {
  const std::string verdict = raw_text_of(c, "verdict");
  std::string out = "- **" + words(c, "id") + "** " +
                    marks(number(c, "score"), number(c, "max")) + ", " +
                    verdict_word(verdict) + "\n" + read_line(c);
  const auto line = [&](const char* key, const char* label) {
    const std::string text = words(c, key);
    if (!text.empty()) out += "  - " + (label + text) + "\n";
  };
  line("says", "");
  if (verdict != "pass") line("hint", "Hint: ");
  if (worked) line("worked", "Worked: ");
  return out;
}

std::string result_markdown(const Json& result, bool worked) {
  std::string out = "## Scenario " + words(result, "scenario") + ": " +
                    marks(number(result, "score"), number(result, "max")) +
                    "\n\n";
  const double review = number(result, "review");
  if (review > 0.0) {
    out += "This score is provisional: " + fixed(review, 0) +
           (review > 1.0 ? " criteria wait" : " criterion waits") +
           " for a person to read.\n\n";
  }
  out += score_table(result);
  for (const Json& question : result["questions"]) {
    out += "\n### " + words(question, "id") + ": " +
           marks(number(question, "score"), number(question, "max")) + "\n\n";
    for (const Json& criterion : question["criteria"]) {
      out += criterion_lines(criterion, worked);
    }
  }
  return out + "\n";
}

}  // namespace

std::string feedback_markdown(const Graded& graded, bool worked) {
  const Json& reply = graded.reply;
  Json named = Json::object();
  if (!reply["results"].empty()) {
    named = reply["results"][0];
  } else if (!reply["errors"].empty()) {
    named = reply["errors"][0];
  }
  std::string out = "# Feedback for " + markdown_text(raw_name(named)) + "\n\n";
  for (const Json& result : reply["results"]) {
    out += result_markdown(result, worked);
  }
  for (const Json& error : reply["errors"]) {
    out +=
        "Not read, and not marked: " + markdown_text(problem_text("", error)) +
        "\n\n";
  }
  for (const Json& note : reply["across"]) {
    out += "Across scenarios: " + words(note, "says") + "\n\n";
  }
  out.pop_back();
  return out;
}

std::string feedback_name(const Submission& submission,
                          std::vector<std::string>& taken) {
  const std::string from =
      submission.name.empty() ? submission.source : submission.name;
  const std::string base = safe_file_name(from);
  std::string name = base;
  for (std::size_t i = 2; std::binary_search(taken.begin(), taken.end(), name);
       ++i) {
    name = base + "-" + std::to_string(i);
  }
  taken.insert(std::lower_bound(taken.begin(), taken.end(), name), name);
  return name + ".feedback.md";
}

}  // namespace meshwise::cli
