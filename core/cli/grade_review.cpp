// The list of what a person has to read, and nothing else.
#include "escape.h"
#include "grade_out.h"

namespace meshwise::cli {
namespace {

// One passage for a person; of a hand-in that could not be read at all the
// criterion is missing.
Json entry(const Json& result, const Json* criterion, const Json* error) {
  Json out = Json::object();
  out["source"] = raw_text_of(result, "source");
  for (const char* key : {"student", "student_id", "scenario"}) {
    const std::string text = raw_text_of(result, key);
    if (!text.empty()) out[key] = text;
  }
  if (criterion != nullptr) {
    out["criterion"] = raw_text_of(*criterion, "id");
    out["max"] = (*criterion)["max"];
    out["note"] = raw_text_of(*criterion, "note");
    if (criterion->contains("evidence")) {
      out["evidence"] = (*criterion)["evidence"];
    }
    out["says"] = raw_text_of(*criterion, "says");
  } else {
    out["note"] = "unreadable";
    out["says"] = problem_text("", *error);
  }
  return out;
}

std::string quoted(const Json& each) {
  const auto evidence = each.find("evidence");
  return evidence == each.end() || !evidence->is_object()
             ? ""
             : raw_text_of(*evidence, "text");
}

}  // namespace

Json review_json(const Batch& batch) {
  Json out = Json::object();
  out["schema"] = "meshwise.review/1";
  out["version"] = batch.header["version"];
  out["rubric_digest"] = batch.header["rubric_digest"];
  out["review"] = Json::array();
  for (const Graded& graded : batch.graded) {
    for (const Json& result : graded.reply["results"]) {
      each_criterion(result, [&](const Json&, const Json& criterion) {
        if (raw_text_of(criterion, "verdict") == "review") {
          out["review"].push_back(entry(result, &criterion, nullptr));
        }
      });
    }
    for (const Json& error : graded.reply["errors"]) {
      out["review"].push_back(entry(error, nullptr, &error));
    }
  }
  return out;
}

std::string review_text(const Batch& batch) {
  const Json list = review_json(batch)["review"];
  if (list.empty()) return "Nothing is left to a person.\n";
  std::string out;
  for (const Json& each : list) {
    const std::string scenario = text_of(each, "scenario");
    const std::string criterion = text_of(each, "criterion");
    std::string head = text_of(each, "source");
    const std::string student = text_of(each, "student");
    if (!student.empty()) head += " (" + student + ")";
    if (!scenario.empty()) head += ", scenario " + scenario;
    if (!criterion.empty()) {
      head += ", " + criterion + ", at most " + mark(number(each, "max"));
    }
    out += wrap(head, 79, "") + "\n";
    const std::string words = terminal_text(quoted(each));
    if (!words.empty()) out += wrap("\"" + words + "\"", 79, "  > ") + "\n";
    out += wrap(text_of(each, "says"), 79, "    ") + "\n\n";
  }
  return out + std::to_string(list.size()) + " to read\n";
}

std::string review_csv(const Batch& batch) {
  Table table;
  table.columns = {
      {"source", false},   {"student", false},   {"student_id", false},
      {"scenario", false}, {"criterion", false}, {"max", true},
      {"evidence", false}, {"says", false},      {"note", false}};
  for (const Json& each : review_json(batch)["review"]) {
    table.rows.push_back({text_of(each, "source"), text_of(each, "student"),
                          text_of(each, "student_id"),
                          text_of(each, "scenario"), text_of(each, "criterion"),
                          each.contains("max") ? mark(number(each, "max")) : "",
                          terminal_text(quoted(each)), text_of(each, "says"),
                          text_of(each, "note")});
  }
  return table.csv();
}

}  // namespace meshwise::cli
