#include <algorithm>

#include "grade_out.h"

namespace meshwise::cli {
namespace {

std::string mark_word(const std::string& verdict) {
  if (verdict == "pass") return green("pass   ");
  if (verdict == "fail") return red("fail   ");
  return verdict == "review" ? bold("review ") : "partial";
}

std::string said(const Json& criterion, const char* key, const char* label) {
  const std::string text = text_of(criterion, key);
  return text.empty() ? "" : wrap(label + text, 79, "      ") + "\n";
}

std::string criterion_text(const Json& c, bool worked) {
  const std::string verdict = text_of(c, "verdict");
  std::string id = text_of(c, "id");
  id.resize(std::max<std::size_t>(id.size(), 14), ' ');
  std::string out = "    " + id + " " + mark_word(verdict) + " " +
                    marks(number(c, "score"), number(c, "max")) + "\n";
  out += said(c, "says", "");
  if (verdict != "pass") out += said(c, "hint", "Hint: ");
  if (worked) out += said(c, "worked", "Worked: ");
  return out;
}

std::string result_text(const Json& result, bool worked) {
  std::string name = text_of(result, "student");
  if (name.empty()) name = text_of(result, "source");
  std::string out = bold(clipped(name, 44)) + ", scenario " +
                    text_of(result, "scenario") + ": " +
                    bold(marks(number(result, "score"), number(result, "max")));
  const double review = number(result, "review");
  if (review > 0.0) {
    out += ", " + fixed(review, 0) + " to review";
  }
  out += "\n";
  for (const Json& question : result["questions"]) {
    out += "  " + text_of(question, "id") + " " +
           marks(number(question, "score"), number(question, "max")) + "\n";
    for (const Json& criterion : question["criteria"]) {
      out += criterion_text(criterion, worked);
    }
  }
  return out + "\n";
}

// Long names are cut so that the table fits a terminal: of a path the end
// stays, of a name the beginning.
Table totals(const Batch& batch) {
  Table table;
  table.title = "Totals";
  table.columns = {{"source", false}, {"student", false}, {"scenario", false},
                   {"score", true},   {"max", true},      {"review", true}};
  each_result(batch, [&](const Graded&, const Json& each) {
    table.rows.push_back(
        {clipped_front(text_of(each, "source"), 28),
         clipped(text_of(each, "student"), 18), text_of(each, "scenario"),
         fixed(number(each, "score"), 2), fixed(number(each, "max"), 0),
         fixed(number(each, "review"), 0)});
  });
  return table;
}

// What a person has to look at, one line each.
std::string review_lines(const Batch& batch) {
  std::string out;
  each_result(batch, [&](const Graded&, const Json& result) {
    each_criterion(result, [&](const Json&, const Json& criterion) {
      if (text_of(criterion, "verdict") != "review") return;
      out +=
          wrap(text_of(result, "source") + ", scenario " +
                   text_of(result, "scenario") + ", " +
                   text_of(criterion, "id") + ": " + text_of(criterion, "says"),
               79, "  ") +
          "\n";
    });
  });
  return out.empty() ? "" : "\n" + bold("To review by hand") + "\n" + out;
}

}  // namespace

std::string mark(double value) {
  std::string text = fixed(value, 2);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string marks(double score, double max) {
  return mark(score) + "/" + mark(max);
}

std::string raw_name(const Json& result) {
  const std::string student = raw_text_of(result, "student");
  return student.empty() ? raw_text_of(result, "source") : student;
}

std::string grade_text(const Batch& batch) {
  std::string out;
  std::size_t results = 0;
  for (const Graded& graded : batch.graded) {
    for (const Json& result : graded.reply["results"]) {
      out += result_text(result, batch.worked);
      ++results;
    }
    for (const Json& note : graded.reply["across"]) {
      out +=
          wrap("Across scenarios: " + text_of(note, "says"), 79, "") + "\n\n";
    }
  }
  if (results > 1) out += totals(batch).text();
  return out + review_lines(batch);
}

}  // namespace meshwise::cli
