// Forms for programs: JSON, NDJSON and CSV.
#include "grade_out.h"

namespace meshwise::cli {
namespace {

// "final", or why the score is none yet.
std::string status_of(const Json& result) {
  return number(result, "review") > 0.0 ? "provisional" : "final";
}

std::vector<std::string> row_of(const Json& each, bool graded) {
  return {text_of(each, "source"),
          text_of(each, "student"),
          graded ? text_of(each, "scenario") : "",
          graded ? fixed(number(each, "score"), 2) : "",
          graded ? mark(number(each, "max")) : "",
          graded ? fixed(number(each, "review"), 0) : "",
          graded ? status_of(each) : "unreadable",
          text_of(each, "student_id")};
}

}  // namespace

Json batch_json(const Batch& batch) {
  Json out = batch.header;
  for (const Graded& graded : batch.graded) {
    for (const char* key : {"results", "errors", "across"}) {
      for (const Json& each : graded.reply[key]) out[key].push_back(each);
    }
  }
  return out;
}

std::string ndjson_line(const Json& header, const Graded& graded) {
  const Submission& from = graded.submission;
  Json out = Json::object();
  if (from.is_no_json) {
    out["schema"] = "meshwise.error/1";
    out["source"] = from.source;
    out["line"] = from.line;
    out["error"] = graded.reply["errors"][0];
  } else {
    out["schema"] = header["schema"];
    out["version"] = header["version"];
    out["rubric_digest"] = header["rubric_digest"];
    out["source"] = from.source;
    if (from.line > 0) out["line"] = from.line;
    for (const char* key : {"results", "errors", "across"}) {
      out[key] = graded.reply[key];
    }
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// A row for what could not be read as well: nobody drops out in silence.
std::string grade_csv(const Batch& batch) {
  Table table;
  table.columns = {{"source", false}, {"student", false},   {"scenario", false},
                   {"score", true},   {"max", true},        {"review", true},
                   {"status", false}, {"student_id", false}};
  for (const Graded& graded : batch.graded) {
    for (const Json& each : graded.reply["results"]) {
      table.rows.push_back(row_of(each, true));
    }
    for (const Json& each : graded.reply["errors"]) {
      table.rows.push_back(row_of(each, false));
    }
  }
  return table.csv();
}

}  // namespace meshwise::cli
