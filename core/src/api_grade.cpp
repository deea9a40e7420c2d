#include "api_parts.h"
#include "meshwise/api.h"
#include "rubric_check.h"

namespace meshwise::api {
namespace {

struct GradeOptions {
  std::string scenario;  // of answers that name none
  bool worked = true;
  GradingData own;  // with a rubric of the request's
  const GradingData* data = nullptr;
  std::string rubric_digest;
};

// One submission's results, and what could not be read of it.
struct Graded {
  Json results = Json::array();
  Json errors = Json::array();
  std::vector<AcrossNote> across;
};

std::string rubric_text(const Rubric& rubric) {
  std::string out = rubric.version;
  for (const QuestionRule& question : rubric.questions) {
    for (const CriterionRule& rule : question.criteria) {
      out += "\n" + rule.id + " " + plain_number(rule.marks);
    }
  }
  return out;
}

void read_options(Call& call, GradeOptions& out) {
  Reader options = options_of(call);
  options.text("scenario", out.scenario);
  options.flag("worked", out.worked);
  out.data = &call.grading;
  if (const Json* rubric = options.value("rubric")) {
    out.own = call.grading;
    out.own.rubric =
        read_rubric(*rubric, "/options/rubric", call.reader.problems());
    if (call.reader.problems().empty()) {
      check_rubric(*rubric, out.own.rubric, call.grading.rubric,
                   "/options/rubric", call.reader.problems());
    }
    out.data = &out.own;
    out.rubric_digest = digest(dump_json(*rubric));
  } else {
    out.rubric_digest = digest(rubric_text(call.grading.rubric));
  }
  options.finish();
  if (out.scenario.empty()) return;
  const auto found = call.shelf.find(call.catalog, out.scenario);
  if (!found) {
    const Problem& problem = found.problem();
    options.fail("scenario", problem.code, problem.message, problem.hint);
  }
}

void add_error(Graded& out, const std::string& source, const Problem& problem) {
  Json each = Json::object();
  set(each, "source", source);
  each.update(problem_json(problem));
  out.errors.push_back(each);
}

Json result_json(const std::string& source, const ScenarioDocument& scenario,
                 const Claims& claims, const GradeReport& report, bool worked) {
  Json out = Json::object();
  set(out, "source", source);
  set(out, "student", claims.answer.student);
  set(out, "scenario", scenario.scenario.id);
  set(out, "scenario_digest", digest(scenario.text));
  put(out, "score", report.score);
  put(out, "max", report.max);
  set(out, "review", report.review);
  Json read = Json::object();
  if (!report.constraint.empty()) set(read, "constraint", report.constraint);
  if (report.has_plan) set(read, "plan", plan_json(report.plan));
  set(read, "followed", report.followed);
  set(out, "read", std::move(read));
  set(out, "questions", report_json(report, worked));
  return out;
}

// The text of no scenario belongs to the one that the request names.
void place_rest(ReadSubmission& read, const std::string& scenario, bool empty) {
  if (!read.document.answers.empty()) return;
  if (scenario.empty() || (read.unplaced.empty() && !empty)) return;
  Answer answer;
  answer.student = read.document.student;
  answer.scenario = scenario;
  for (const Passage& passage : read.unplaced) {
    answer.unread.push_back({0, passage});
  }
  read.unplaced.clear();
  read.document.answers.push_back(answer);
}

// Why an answer belongs to no scenario.
Problem no_scenario(const Answer& answer, const Problem& found) {
  const char* heading =
      "a heading such as `## Scenario A`, or the scenario option";
  if (answer.scenario.empty()) {
    return {Code::kMissing, "", "an answer names no scenario", heading};
  }
  const bool unknown = found.code == Code::kUnknownName;
  return {found.code, "", found.message, unknown ? heading : found.hint};
}

struct Kept {
  std::shared_ptr<const ScenarioDocument> scenario;
  Claims claims;
  GradeReport report;
};

void grade_answers(Call& call, const GradeOptions& options,
                   const std::string& source, ReadSubmission& read,
                   Graded& out) {
  std::vector<Kept> kept;
  for (Answer& answer : read.document.answers) {
    if (answer.scenario.empty()) answer.scenario = options.scenario;
    const auto found = call.shelf.find(call.catalog, answer.scenario);
    if (!found) {
      add_error(out, source, no_scenario(answer, found.problem()));
      continue;
    }
    const std::shared_ptr<const ScenarioDocument>& scenario = *found;
    Kept each{scenario, read_claims(answer, options.data->lexicon), {}};
    std::string prompt = scenario->prompt;
    for (const std::string& fact : scenario->facts) prompt += "\n" + fact;
    each.report = meshwise::grade(scenario->scenario, prompt, *options.data,
                                  each.claims, call.cache);
    out.results.push_back(result_json(source, *scenario, each.claims,
                                      each.report, options.worked));
    kept.push_back(std::move(each));
  }
  if (kept.size() < 2) return;
  std::vector<GradedAnswer> all;
  for (const Kept& each : kept) {
    all.push_back({&each.scenario->scenario, &each.report, &each.claims});
  }
  for (AcrossNote& note : grade_across(all)) {
    out.across.push_back(std::move(note));
  }
}

void note_guess(const std::string& scenario, Graded& out) {
  out.across.push_back({"across.scenario_inferred",
                        "No scenario is named: by its numbers the answer is "
                        "one to scenario " +
                            scenario + "."});
}

// Marks as low as these are looked at for an answer to another scenario.
constexpr double kMostOfAnother = 0.4;

// "The words are right, for another scenario."
void note_other(const Call& call, const std::string& text, Graded& out) {
  if (out.results.size() != 1) return;
  const Json& result = out.results[0];
  const double score = result.value("score", 0.0);
  if (score <= 0.0 || score > kMostOfAnother * result.value("max", 0.0)) return;
  const std::string other = likely_scenario(call, text);
  const std::string own = result.value("scenario", "");
  if (other.empty() || other == own.substr(0, own.find('#'))) return;
  out.across.push_back({"across.other_scenario",
                        "The answer was graded as one to scenario " + own +
                            "; its numbers are those of scenario " + other +
                            "."});
}

void grade_text(Call& call, const GradeOptions& options,
                const std::string& source, const std::string& text,
                Graded& out) {
  ReadSubmission read = read_submission(call, text);
  if (read.problem) {
    add_error(out, source, *read.problem);
    return;
  }
  const bool empty = text.find_first_not_of(" \t\r\n") == std::string::npos;
  place_rest(read, options.scenario, empty);
  if (read.document.answers.empty()) {
    add_error(out, source,
              {empty ? Code::kMissing : Code::kMalformed, "",
               empty ? "nothing was handed in"
                     : "no scenario of the drill is answered in a form that "
                       "can be read; for a person",
               "the sheet that `meshwise sheet` prints, or the scenario "
               "option"});
    return;
  }
  for (Answer& answer : read.document.answers) {
    if (answer.scenario.empty() && options.scenario.empty()) {
      answer.scenario = likely_scenario(call, text);
      if (!answer.scenario.empty()) note_guess(answer.scenario, out);
    }
  }
  grade_answers(call, options, source, read, out);
  note_other(call, text, out);
  for (const std::string& again : read.answered_again) {
    out.across.push_back({"across.second_answer",
                          (again.empty() ? "A scenario" : "Scenario " + again) +
                              " is answered twice: the first answer that is "
                              "not taken back was counted."});
  }
}

void grade_submission(Call& call, const GradeOptions& options, Reader& reader,
                      Graded& out) {
  std::string source;
  std::string text;
  reader.text("source", source);
  const bool has_text = reader.text("text", text);
  const Json* answers = reader.value("answers");
  const std::size_t before = reader.problems().size();
  reader.finish();
  if (has_text == (answers != nullptr)) {
    reader.fail("text", Code::kMissing,
                "a submission has either text or answers", "one of them");
  }
  if (reader.problems().size() > before) return;
  if (has_text) {
    grade_text(call, options, source, text, out);
    return;
  }
  std::vector<Problem> problems;
  ReadSubmission read;
  read.document = read_answers(*answers, "", problems);
  if (!problems.empty()) {
    add_error(out, source, problems.front());
    return;
  }
  grade_answers(call, options, source, read, out);
}

Json across_json(const std::vector<AcrossNote>& notes,
                 const std::string& source) {
  Json out = Json::array();
  for (const AcrossNote& note : notes) {
    Json each = Json::object();
    set(each, "source", source);
    set(each, "note", note.note);
    set(each, "says", note.says);
    out.push_back(each);
  }
  return out;
}

}  // namespace

Reply grade(Call& call) {
  GradeOptions options;
  read_options(call, options);
  const Json* list = call.reader.value("submissions");
  const Json* one = call.reader.value("submission");
  if ((list == nullptr) == (one == nullptr) ||
      (list != nullptr && !list->is_array())) {
    call.reader.fail("submissions", Code::kMissing, "there is nothing to grade",
                     "submissions, a list of {\"source\", \"text\" or "
                     "\"answers\"}; or one submission");
  }
  if (auto problem = finish(call)) return *problem;

  Json results = Json::array();
  Json errors = Json::array();
  Json across = Json::array();
  const std::size_t count = one != nullptr ? 1 : list->size();
  for (std::size_t i = 0; i < count; ++i) {
    const Json& submission = one != nullptr ? *one : (*list)[i];
    const std::string at =
        one != nullptr ? "/submission" : "/submissions/" + std::to_string(i);
    if (!submission.is_object()) {
      return Problem{Code::kWrongType, at, "a submission is an object", ""};
    }
    std::vector<Problem> problems;
    Reader reader(submission, at, problems);
    Graded graded;
    grade_submission(call, options, reader, graded);
    if (!problems.empty()) return problems.front();
    for (Json& each : graded.results) results.push_back(std::move(each));
    for (Json& each : graded.errors) errors.push_back(std::move(each));
    std::string source = submission.value("source", "");
    for (const Json& each : across_json(graded.across, source)) {
      across.push_back(each);
    }
  }
  Json out = reply_of("grade");
  set(out, "version", std::string(version()));
  set(out, "rubric_digest", options.rubric_digest);
  set(out, "results", std::move(results));
  set(out, "errors", std::move(errors));
  set(out, "across", std::move(across));
  return out;
}

}  // namespace meshwise::api
