#include <algorithm>
#include <memory>

#include "commands.h"
#include "files.h"
#include "progress.h"

namespace meshwise::cli {
namespace {

// What is known of a whole batch while it runs.
struct Batch {
  Json reply;        // of no submissions; every result is appended
  std::string text;  // the text report
  bool worked = false;
};

// A submission, or an input of which nothing could be read.
struct Submission {
  std::string source;
  std::string path;
  std::string problem;
};

// Files as they are named, folders as the submissions in them.
std::vector<Submission> expand(const std::vector<std::string>& inputs) {
  std::vector<Submission> out;
  for (const std::string& input : inputs) {
    if (input == "-") {
      out.push_back({"standard input", "-", ""});
      continue;
    }
    if (!is_folder(input)) {
      out.push_back({input, input, ""});
      continue;
    }
    const std::vector<std::string> found = submissions_in(input);
    for (const std::string& path : found) out.push_back({path, path, ""});
    if (found.empty()) {
      out.push_back({input, input, "no submissions in this folder"});
    }
  }
  return out;
}

std::string marks(double score, double max) {
  const auto plain = [](double value) {
    std::string text = fixed(value, 2);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  };
  return plain(score) + "/" + plain(max);
}

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

// For people, long names are cut so that the table fits a terminal: of a path
// the end stays, of a name the beginning.
Table totals(const Json& reply, Format format) {
  const bool eye = format == Format::kText;
  Table table;
  table.title = "Totals";
  table.columns = {{"source", false}, {"student", false}, {"scenario", false},
                   {"score", true},   {"max", true},      {"review", true}};
  for (const Json& each : reply["results"]) {
    const std::string source = text_of(each, "source");
    const std::string student = text_of(each, "student");
    table.rows.push_back(
        {eye ? clipped_front(source, 28) : source,
         eye ? clipped(student, 18) : student, text_of(each, "scenario"),
         fixed(number(each, "score"), 2), fixed(number(each, "max"), 0),
         fixed(number(each, "review"), 0)});
  }
  return table;
}

// What a person has to look at, one line each.
std::string review_list(const Json& reply) {
  std::string out;
  for (const Json& result : reply["results"]) {
    for (const Json& question : result["questions"]) {
      for (const Json& criterion : question["criteria"]) {
        if (text_of(criterion, "verdict") != "review") continue;
        out += wrap(text_of(result, "source") + ", scenario " +
                        text_of(result, "scenario") + ", " +
                        text_of(criterion, "id") + ": " +
                        text_of(criterion, "says"),
                    79, "  ") +
               "\n";
      }
    }
  }
  return out.empty() ? "" : "\n" + bold("To review by hand") + "\n" + out;
}

void append(Json& to, const Json& from, const char* key) {
  if (!from.contains(key)) return;
  for (const Json& each : from[key]) to[key].push_back(each);
}

// Adds one submission's reply to the batch; a submission that cannot be read
// is complained about and listed, and the rest goes on.
void take(Batch& batch, const Json& reply, Progress& progress) {
  for (const char* key : {"results", "errors", "across"}) {
    append(batch.reply, reply, key);
  }
  if (reply.contains("results")) {
    for (const Json& result : reply["results"]) {
      batch.text += result_text(result, batch.worked);
    }
  }
  if (reply.contains("across")) {
    for (const Json& note : reply["across"]) {
      batch.text +=
          wrap("Across scenarios: " + text_of(note, "says"), 79, "") + "\n\n";
    }
  }
  for (const Json& error : reply["errors"]) {
    progress.clear();
    complain(problem_text(text_of(error, "source"), error));
  }
}

// The reply for a submission that could not even be looked at.
Json unreadable(const std::string& source, const Json& error) {
  Json each = Json::object();
  each["source"] = source;
  each.update(error);
  Json out = Json::object();
  out["errors"] = Json::array();
  out["errors"].push_back(std::move(each));
  return out;
}

Json grade_one(Session& session, const Submission& submission,
               const Json& options) {
  FileText file;
  std::string hint;
  if (!submission.problem.empty()) {
    file.problem = submission.problem;
    hint = ".md, .markdown, .txt, .json";
  } else {
    file = submission.path == "-" ? read_stdin() : read_file(submission.path);
  }
  if (!file.problem.empty()) {
    Json error = Json::object();
    error["code"] = "malformed";
    error["at"] = "";
    error["message"] = file.problem;
    error["hint"] = hint;
    return unreadable(submission.source, error);
  }
  Json one = Json::object();
  one["source"] = submission.source;
  one["text"] = std::move(file.text);
  Json request = Json::object();
  request["kind"] = "grade";
  request["options"] = options;
  request["submissions"] = Json::array();
  request["submissions"].push_back(std::move(one));
  Json reply = session.ask_any(request);
  return reply.contains("error") ? unreadable(submission.source, reply["error"])
                                 : reply;
}

std::string document(const Batch& batch, Format format) {
  if (format == Format::kJson) {
    return batch.reply.dump(-1, ' ', false, Json::error_handler_t::replace) +
           "\n";
  }
  if (format == Format::kCsv) return totals(batch.reply, format).csv();
  const bool many = batch.reply["results"].size() > 1;
  return batch.text + (many ? totals(batch.reply, format).text() : "") +
         review_list(batch.reply);
}

}  // namespace

Command add_grade(CLI::App& app) {
  auto options = std::make_shared<Options>();
  auto inputs = std::make_shared<std::vector<std::string>>();
  auto out = std::make_shared<std::string>();
  app.add_option("SUBMISSION", *inputs,
                 "files, folders (.md .markdown .txt .json in them),\n"
                 "or - for standard input")
      ->required()
      ->type_name("");
  options->add(app, {"--scenario", "options", "scenario", Kind::kText,
                     "what an answer that names no scenario belongs to"});
  options->add(app, {"--worked", "options", "worked", Kind::kSwitch,
                     "with the worked explanations"});
  options->add_format(app, {"text", "json", "csv"});
  app.add_option("--out", *out, "write the result to this file")
      ->type_name("FILE");
  return [=](Session& session) {
    Json request = options->request("grade");
    request["options"]["worked"] = options->given("--worked");
    request["submissions"] = Json::array();
    Batch batch;
    batch.worked = options->given("--worked");
    batch.reply = session.ask(request, *options);
    const std::vector<Submission> submissions = expand(*inputs);
    Progress progress(submissions.size());
    for (const Submission& each : submissions) {
      take(batch, grade_one(session, each, request["options"]), progress);
      progress.step();
    }
    if (!batch.reply["errors"].empty()) session.exit_code = 1;
    const std::string text = document(batch, options->format());
    if (out->empty()) return print(text);
    if (const auto problem = write_file(*out, text)) {
      throw UsageError{"--out " + *out + ": " + *problem};
    }
  };
}

}  // namespace meshwise::cli
