// Gradescope's results.json: one test for each criterion. The tests' max_score
// must add up to the assignment's points, so the scenario that --scenario names
// is always there whole, read or not, and no other beside it.
#include <utility>

#include "grade_out.h"

namespace meshwise::cli {
namespace {

std::string rounded_text(double value) { return mark(value); }

// The number as it is printed: at most two decimals.
Json rounded(double value) {
  return Json::parse(rounded_text(value), nullptr, false);
}

std::string output_of(const Json& c) {
  const std::string verdict = raw_text_of(c, "verdict");
  std::string out;
  const auto line = [&](const std::string& text) {
    if (!text.empty()) out += (out.empty() ? "" : "\n") + text;
  };
  if (verdict == "review") line("Waits for a person; nothing is final here.");
  const auto evidence = c.find("evidence");
  if (evidence != c.end() && evidence->is_object()) {
    const std::string as = text_of(*evidence, "read_as");
    const std::string text = clipped(text_of(*evidence, "text"), 240);
    if (!text.empty())
      line("Read: \"" + text + "\"" + (as.empty() ? "" : " as " + as));
  }
  line(text_of(c, "says"));
  if (verdict != "pass" && c.contains("hint")) {
    line("Hint: " + text_of(c, "hint"));
  }
  return out;
}

Json test_of(const std::string& scenario, std::size_t index,
             const Json& question, const Json& c) {
  Json out = Json::object();
  const bool review = raw_text_of(c, "verdict") == "review";
  out["number"] = scenario + "." + std::to_string(index);
  out["name"] = text_of(c, "id") + (review ? " (waits for a person)" : "");
  out["score"] = rounded(number(c, "score"));
  out["max_score"] = rounded(number(c, "max"));
  out["output"] = output_of(c);
  out["output_format"] = "text";
  out["tags"] = {scenario, text_of(question, "id"), text_of(c, "note")};
  out["visibility"] = "visible";
  return out;
}

// Of an answer that says nothing: all criteria, all at nothing.
Json empty_result(Session& session, const std::string& scenario) {
  Submission nothing;
  nothing.answers = Json::object();
  nothing.answers["schema"] = "meshwise.answers/1";
  Json answer = Json::object();
  answer["scenario"] = scenario;
  nothing.answers["answers"] = Json::array();
  nothing.answers["answers"].push_back(std::move(answer));
  Json reply = grade_one(session, nothing, Json::object());
  return reply["results"].empty() ? Json::object() : reply["results"][0];
}

struct Sheet {
  std::vector<std::pair<std::string, const Json*>> results;  // by scenario
  std::vector<std::string> remarks;
};

void take(Sheet& sheet, const Batch& batch, const Json& result) {
  const std::string scenario = text_of(result, "scenario");
  if (!batch.scenario.empty() && scenario != batch.scenario) {
    sheet.remarks.push_back("The answer to scenario " + scenario +
                            " does not count here.");
    return;
  }
  for (auto& [known, kept] : sheet.results) {
    if (known != scenario) continue;
    kept = &result;
    sheet.remarks.push_back("Scenario " + scenario +
                            " is answered more than once; the last one, in " +
                            text_of(result, "source") + ", counts.");
    return;
  }
  sheet.results.emplace_back(scenario, &result);
}

Sheet sheet_of(const Batch& batch) {
  Sheet out;
  each_result(batch, [&](const Graded&, const Json& result) {
    take(out, batch, result);
  });
  for (const Graded& graded : batch.graded) {
    for (const Json& error : graded.reply["errors"]) {
      out.remarks.push_back("Not read: " +
                            problem_text(text_of(error, "source"), error));
    }
    for (const Json& note : graded.reply["across"]) {
      if (batch.scenario.empty()) out.remarks.push_back(text_of(note, "says"));
    }
  }
  return out;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) {
    out += (out.empty() ? "" : "\n") + line;
  }
  return out;
}

}  // namespace

std::string gradescope_json(const Batch& batch, Session& session) {
  Sheet sheet = sheet_of(batch);
  Json nothing;
  double review = 0.0;
  for (const auto& [scenario, result] : sheet.results) {
    review += number(*result, "review");
  }
  std::vector<std::string>& remarks = sheet.remarks;
  if (sheet.results.empty()) {
    remarks.insert(remarks.begin(),
                   "Nothing could be graded: this is no mark of the answer.");
    if (!batch.scenario.empty()) {
      nothing = empty_result(session, batch.scenario);
      sheet.results.emplace_back(batch.scenario, &nothing);
    }
  } else if (review > 0.0) {
    remarks.insert(remarks.begin(),
                   "Provisional: " + fixed(review, 0) +
                       (review > 1.0 ? " criteria wait" : " criterion waits") +
                       " for a person.");
  }
  Json out = Json::object();
  out["output"] = joined(remarks);
  out["output_format"] = "text";
  out["visibility"] = "visible";
  out["tests"] = Json::array();
  for (const auto& [scenario, result] : sheet.results) {
    std::size_t index = 0;
    each_criterion(*result, [&, name = scenario](const Json& q, const Json& c) {
      out["tests"].push_back(test_of(name, ++index, q, c));
    });
  }
  if (out["tests"].empty()) out["score"] = 0;
  Json& extra = out["extra_data"];
  extra["version"] = batch.header["version"];
  extra["rubric_digest"] = batch.header["rubric_digest"];
  extra["review"] = static_cast<int>(review);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace meshwise::cli
