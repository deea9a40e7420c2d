#include <algorithm>

#include "api_parts.h"
#include "meshwise/prose.h"

namespace meshwise::api {
namespace {

constexpr std::size_t kMaxSubmissionBytes = 16u << 20;

bool looks_like_json(const std::string& text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return at != std::string::npos && text[at] == '{';
}

// A byte-order mark is no part of a JSON document.
std::string_view without_mark(const std::string& text) {
  const std::string_view view = text;
  return view.substr(0, 3) == "\xEF\xBB\xBF" ? view.substr(3) : view;
}

SheetScenario sheet_scenario(const ScenarioDocument& document,
                             const Rubric& rubric) {
  SheetScenario out;
  out.id = document.scenario.id;
  out.title = document.scenario.title;
  out.prompt = document.prompt;
  out.phase = document.scenario.phase;
  for (std::size_t i = 0;
       i < out.questions.size() && i < rubric.questions.size(); ++i) {
    out.questions[i] = rubric.questions[i].text;
  }
  return out;
}

Json unread_json(const ReadSubmission& read) {
  Json out = Json::array();
  for (const Answer& answer : read.document.answers) {
    for (const UnreadPassage& passage : answer.unread) {
      Json each = Json::object();
      set(each, "scenario", answer.scenario);
      set(each, "question", passage.question);
      set(each, "text", passage.passage.text);
      out.push_back(each);
    }
  }
  for (const Passage& passage : read.unplaced) {
    Json each = Json::object();
    set(each, "text", passage.text);
    out.push_back(each);
  }
  return out;
}

// `scenario` is what an answer that names none belongs to.
Reply read_back(Call& call, const std::string& text,
                const std::string& scenario) {
  if (auto problem = finish(call)) return *problem;
  ReadSubmission read = read_submission(call, text);
  for (Answer& answer : read.document.answers) {
    if (!answer.scenario.empty()) continue;
    answer.scenario = scenario.empty() ? likely_scenario(call, text) : scenario;
  }
  if (read.problem) {
    Problem problem = *read.problem;
    problem.at = "/options/text" + problem.at;
    return problem;
  }
  if (read.document.answers.empty()) {
    return Problem{Code::kMalformed, "/options/text", "this is no answer sheet",
                   "a sheet as `meshwise sheet` prints it, or a "
                   "meshwise.answers/1 document"};
  }
  Json out = reply_of("sheet");
  set(out, "answers", write_answers(read.document));
  set(out, "unread", unread_json(read));
  set(out, "readings", write_readings(read.document));
  return out;
}

struct Wanted {
  std::vector<std::shared_ptr<const ScenarioDocument>> scenarios;
  AnswersDocument filled;
  bool json = false;
};

void want_scenario(Call& call, Reader& options, const std::string& id,
                   Wanted& out) {
  const auto found = call.shelf.find(call.catalog, id);
  if (!found) {
    const Problem& problem = found.problem();
    options.fail("scenarios", problem.code, problem.message, problem.hint);
    return;
  }
  out.scenarios.push_back(*found);
}

std::string render_json(const Wanted& wanted) {
  AnswersDocument document;
  document.student = wanted.filled.student;
  for (const auto& scenario : wanted.scenarios) {
    const auto& answers = wanted.filled.answers;
    const auto it = std::find_if(
        answers.begin(), answers.end(),
        [&](const Answer& a) { return a.scenario == scenario->scenario.id; });
    Answer answer = it == answers.end() ? Answer{} : *it;
    answer.scenario = scenario->scenario.id;
    document.answers.push_back(answer);
  }
  const bool blanks = wanted.filled.answers.empty();
  return write_answers(document, blanks)
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

std::string render(const Wanted& wanted, const Rubric& rubric) {
  if (wanted.json) return render_json(wanted);
  std::vector<SheetScenario> sheets;
  for (const auto& scenario : wanted.scenarios) {
    sheets.push_back(sheet_scenario(*scenario, rubric));
  }
  return render_sheet(sheets, wanted.filled.answers);
}

void read_free_text(const Call& call, const std::string& text,
                    ReadSubmission& out) {
  std::vector<std::string> ids;
  for (const ScenarioDocument& each : call.catalog.scenarios) {
    ids.push_back(each.scenario.id);
  }
  ProseDocument prose = read_prose(text, call.grading.lexicon, ids);
  out.document.student = std::move(prose.student);
  out.document.answers = std::move(prose.answers);
  out.answered_again = std::move(prose.answered_again);
}

}  // namespace

ReadSubmission read_submission(const Call& call, const std::string& text) {
  ReadSubmission out;
  if (text.size() > kMaxSubmissionBytes) {
    out.problem = Problem{Code::kTooLarge, "",
                          "the submission is larger than 16 MiB", ""};
    return out;
  }
  if (text.find('\0') != std::string::npos) {
    out.problem = Problem{Code::kMalformed, "",
                          "the submission is no text: it has NUL bytes",
                          "UTF-8 text, Markdown or JSON"};
    return out;
  }
  if (!looks_like_json(text)) {
    Sheet sheet = read_sheet(text);
    if (!sheet.form) {
      read_free_text(call, text, out);
      return out;
    }
    out.document.student = sheet.student;
    out.document.answers = std::move(sheet.answers);
    out.unplaced = std::move(sheet.unplaced);
    return out;
  }
  const Result<Json> json = parse_json(without_mark(text));
  if (!json) {
    out.problem = json.problem();
    return out;
  }
  std::vector<Problem> problems;
  out.document = read_answers(*json, "", problems);
  if (!problems.empty()) out.problem = problems.front();
  return out;
}

Reply sheet(Call& call) {
  Reader options = options_of(call);
  std::string text;
  if (options.text("text", text)) {
    std::string scenario;
    options.text("scenario", scenario);
    options.finish();
    return read_back(call, text, scenario);
  }
  Wanted wanted;
  std::size_t format = 0;
  if (options.choice("format", format, {"markdown", "json"})) {
    wanted.json = format == 1;
  }
  std::vector<std::string> ids;
  options.texts("scenarios", ids);
  if (const Json* answers = options.value("answers")) {
    wanted.filled =
        read_answers(*answers, "/options/answers", call.reader.problems());
  }
  // An answer to "a#7" fills the sheet of A#7.
  for (Answer& answer : wanted.filled.answers) {
    const auto found = call.shelf.find(call.catalog, answer.scenario);
    if (found) answer.scenario = (*found)->scenario.id;
  }
  std::string one;
  if (ids.empty() && call.reader.text("scenario", one)) ids.push_back(one);
  if (ids.empty()) {
    for (const Answer& answer : wanted.filled.answers) {
      ids.push_back(answer.scenario);
    }
  }
  if (ids.empty()) {
    options.fail("scenarios", Code::kMissing, "the sheet is for no scenario",
                 "a list of scenario ids");
  }
  for (const std::string& id : ids) {
    want_scenario(call, options, id, wanted);
  }
  options.finish();
  if (auto problem = finish(call)) return *problem;
  Json out = reply_of("sheet");
  set(out, "text", render(wanted, call.grading.rubric));
  return out;
}

}  // namespace meshwise::api
