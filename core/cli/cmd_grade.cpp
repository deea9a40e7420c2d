#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "commands.h"
#include "escape.h"
#include "files.h"

namespace meshwise::cli {
namespace {

// What is known of a whole batch while it runs.
struct Batch {
  Json reply;  // the first reply, with every result appended
  bool unreadable = false;
  std::string text;  // the text report
};

struct Submission {
  std::string source;
  FileText file;
};

// A bar on a terminal, for batches that take a while.
class Progress {
 public:
  explicit Progress(std::size_t total)
      : total_(total), shown_(total > 20 && isatty(STDERR_FILENO) != 0) {}
  void step() {
    ++done_;
    if (!shown_ || (done_ % 8 != 0 && done_ != total_)) return;
    const std::size_t filled = 40 * done_ / total_;
    std::fprintf(stderr, "\r[%s%s] %zu of %zu",
                 std::string(filled, '#').c_str(),
                 std::string(40 - filled, ' ').c_str(), done_, total_);
    if (done_ == total_) std::fputs("\n", stderr);
  }

 private:
  std::size_t total_;
  std::size_t done_ = 0;
  bool shown_;
};

std::vector<std::string> expand(const std::vector<std::string>& inputs,
                                Session& session) {
  std::vector<std::string> out;
  for (const std::string& input : inputs) {
    if (!is_folder(input)) {
      out.push_back(input);
      continue;
    }
    const std::vector<std::string> found = submissions_in(input);
    if (found.empty()) {
      complain(input +
               ": no submissions in this folder; accepted: .md, "
               ".markdown, .txt, .json");
      session.exit_code = 1;
    }
    out.insert(out.end(), found.begin(), found.end());
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
  const std::string text = terminal_text(text_of(criterion, key));
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
  std::string out = bold(terminal_text(name)) + ", scenario " +
                    terminal_text(text_of(result, "scenario")) + ": " +
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

Table totals(const Json& reply) {
  Table table;
  table.title = "Totals";
  table.columns = {{"source", false}, {"student", false}, {"scenario", false},
                   {"score", true},   {"max", true},      {"review", true}};
  for (const Json& each : reply["results"]) {
    table.rows.push_back({terminal_text(text_of(each, "source")),
                          terminal_text(text_of(each, "student")),
                          terminal_text(text_of(each, "scenario")),
                          fixed(number(each, "score"), 2),
                          fixed(number(each, "max"), 0),
                          fixed(number(each, "review"), 0)});
  }
  return table;
}

void append(Json& to, const Json& from, const char* key) {
  if (!from.contains(key)) return;
  if (!to.contains(key)) to[key] = Json::array();
  for (const Json& each : from[key]) to[key].push_back(each);
}

// Adds one submission's reply to the batch; a submission that cannot be read
// is complained about and listed, and the rest goes on.
void take(Batch& batch, const Json& reply, bool worked) {
  if (batch.reply.is_null()) {
    batch.reply = reply;
    batch.reply["results"] = Json::array();
    batch.reply["errors"] = Json::array();
    batch.reply["across"] = Json::array();
  }
  append(batch.reply, reply, "results");
  append(batch.reply, reply, "errors");
  append(batch.reply, reply, "across");
  for (const Json& result : reply["results"]) {
    batch.text += result_text(result, worked);
  }
  for (const Json& error : reply["errors"]) {
    batch.unreadable = true;
    complain(text_of(error, "source") + ": " + text_of(error, "message"));
  }
  for (const Json& note : reply["across"]) {
    batch.text +=
        wrap("Across scenarios: " + terminal_text(text_of(note, "says")), 79,
             "") +
        "\n\n";
  }
}

// The reply for a file that could not even be read.
Json unreadable(const std::string& source, const std::string& why) {
  Json error = {{"source", source}, {"code", "malformed"}, {"message", why}};
  Json out = Json::object();
  out["results"] = Json::array();
  out["errors"] = Json::array({error});
  out["across"] = Json::array();
  return out;
}

Json grade_one(Session& session, const Submission& submission,
               const std::string& scenario, const Options& options) {
  if (!submission.file.problem.empty()) {
    return unreadable(submission.source, submission.file.problem);
  }
  Json request = {{"kind", "grade"}};
  request["submissions"] = Json::array(
      {{{"source", submission.source}, {"text", submission.file.text}}});
  if (!scenario.empty()) request["options"]["scenario"] = scenario;
  request["options"]["worked"] = true;
  return session.ask(request, options);
}

void finish(const Batch& batch, const Options& options,
            const std::string& out_file, Session& session) {
  if (batch.unreadable) session.exit_code = 1;
  std::string text;
  switch (options.format()) {
    case Format::kJson:
      text = batch.reply.dump(-1, ' ', false, Json::error_handler_t::replace) +
             "\n";
      break;
    case Format::kText:
      text = batch.text;
      if (batch.reply["results"].size() > 1) {
        text += totals(batch.reply).text();
      }
      break;
    default:
      text = totals(batch.reply).in(options.format());
  }
  if (out_file.empty()) return print(text);
  if (const auto problem = write_file(out_file, text)) {
    throw UsageError{"--out " + out_file + ": " + *problem};
  }
}

}  // namespace

Command add_grade(CLI::App& app) {
  auto options = std::make_shared<Options>();
  auto inputs = std::make_shared<std::vector<std::string>>();
  auto scenario = std::make_shared<std::string>();
  auto out = std::make_shared<std::string>();
  auto worked = std::make_shared<bool>(false);
  options->add_format(app);
  app.add_option("submission", *inputs,
                 "files, folders, or - for standard input")
      ->required();
  app.add_option("--scenario", *scenario,
                 "what an answer that names no scenario belongs to");
  app.add_option("--out", *out, "write the result to this file");
  app.add_flag("--worked", *worked, "with the worked explanations");
  return [=](Session& session) {
    const std::vector<std::string> sources = expand(*inputs, session);
    Batch batch;
    Progress progress(sources.size());
    for (const std::string& source : sources) {
      const Submission submission{
          source == "-" ? "standard input" : source,
          source == "-" ? read_stdin() : read_file(source)};
      take(batch, grade_one(session, submission, *scenario, *options), *worked);
      progress.step();
    }
    if (batch.reply.is_null()) return;
    finish(batch, *options, *out, session);
  };
}

}  // namespace meshwise::cli
