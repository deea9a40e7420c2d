#include <algorithm>
#include <cstdlib>
#include <memory>

#include "commands.h"
#include "files.h"
#include "grade_compare.h"
#include "grade_out.h"
#include "progress.h"

namespace meshwise::cli {
namespace {

constexpr std::size_t kMostJobs = 256;

struct Flags {
  Options options;
  std::vector<std::string> inputs;
  std::string input = "auto";
  std::string out;
  std::string compare;
  std::string jobs;  // empty: the cores
  bool list_review = false;
  GradebookOptions gradebook;
};

// One line for every submission that could not be read, as it comes.
void complain_of(const Graded& graded, Progress& progress) {
  for (const Json& error : graded.reply["errors"]) {
    progress.clear();
    complain(problem_text(text_of(error, "source"), error));
  }
}

void write_out(const std::string& out, const std::string& text) {
  if (out.empty()) return print(text);
  if (const auto problem = write_file(out, text)) {
    throw UsageError{"--out " + out + ": " + *problem};
  }
}

// A file for each submission.
void write_feedback(const std::string& folder, const Batch& batch) {
  if (const auto problem = make_folder(folder)) {
    throw UsageError{"--out " + folder + ": " + *problem};
  }
  std::vector<std::string> taken;
  for (const Graded& graded : batch.graded) {
    const std::string file = folder + (folder.back() == '/' ? "" : "/") +
                             feedback_name(graded.submission, taken);
    write_out(file, feedback_markdown(graded, batch.worked));
  }
}

void write_markdown(const Flags& flags, const Batch& batch) {
  if (!flags.out.empty() && (flags.out.back() == '/' || is_folder(flags.out))) {
    return write_feedback(flags.out, batch);
  }
  std::string text;
  for (const Graded& graded : batch.graded) {
    text += (text.empty() ? "" : "\n---\n\n") +
            feedback_markdown(graded, batch.worked);
  }
  write_out(flags.out, text);
}

// The summary goes where the runner looks for it, else before the annotations.
void write_github(const Flags& flags, const Batch& batch) {
  const std::string summary = github_summary(batch);
  const char* given = std::getenv("GITHUB_STEP_SUMMARY");
  if (!flags.out.empty()) {
    write_out(flags.out, summary);
  } else if (given != nullptr && *given != '\0') {
    if (const auto problem = append_file(given, summary)) {
      throw UsageError{std::string("GITHUB_STEP_SUMMARY ") + given + ": " +
                       *problem};
    }
  } else {
    print(summary);
  }
  print(github_annotations(batch));
}

void write_gradebook(const Flags& flags, const Output& book, Session& session) {
  for (const std::string& note : book.notes) complain(note);
  if (book.incomplete) session.exit_code = 1;
  write_out(flags.out, book.text);
}

std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_batch(const Flags& flags, const Batch& batch, Session& session) {
  const std::string format = flags.options.format_name();
  if (format == "json")
    return write_out(flags.out, json_line(batch_json(batch)));
  if (format == "csv") return write_out(flags.out, grade_csv(batch));
  if (format == "markdown") return write_markdown(flags, batch);
  if (format == "junit") return write_out(flags.out, junit_xml(batch));
  if (format == "github") return write_github(flags, batch);
  if (format == "gradescope") {
    return write_out(flags.out, gradescope_json(batch, session));
  }
  if (format == "canvas") {
    return write_gradebook(flags, canvas_csv(batch, flags.gradebook), session);
  }
  if (format == "moodle") {
    return write_gradebook(flags, moodle_csv(batch, flags.gradebook), session);
  }
  write_out(flags.out, grade_text(batch));
}

// One of the formats that a flag goes with, or a mistake of the command line.
void need_format(const Flags& flags, const char* flag,
                 std::initializer_list<const char*> formats) {
  const std::string format = flags.options.format_name();
  std::string all;
  for (const char* each : formats) {
    if (format == each) return;
    all += (all.empty() ? "" : ", ") + std::string(each);
  }
  throw UsageError{std::string(flag) + ": not with --format " + format +
                   "; accepted: " + all};
}

std::size_t jobs_of(const std::string& text) {
  if (text.empty()) return default_jobs();
  const bool digits =
      text.size() < 4 && text.find_first_not_of("0123456789") == text.npos;
  const std::size_t jobs =
      digits ? static_cast<std::size_t>(std::atoi(text.c_str())) : 0;
  if (jobs >= 1 && jobs <= kMostJobs) return jobs;
  throw UsageError{"--jobs " + text +
                   ": no number of threads; accepted: 1 to " +
                   std::to_string(kMostJobs)};
}

void check(const Flags& flags) {
  static_cast<void>(flags.options.format());
  if (flags.inputs.empty() && flags.input != "ndjson") {
    throw UsageError{
        "grade: SUBMISSION is missing; accepted: files, folders, zip archives, "
        "or - for standard input"};
  }
  if (flags.input != "auto" && flags.input != "ndjson") {
    throw UsageError{"--input " + flags.input +
                     ": no such input; accepted: auto, ndjson"};
  }
  if (flags.list_review) {
    need_format(flags, "--list-review", {"text", "json", "csv"});
  }
  if (!flags.compare.empty()) need_format(flags, "--compare", {"text", "json"});
  if (flags.list_review && !flags.compare.empty()) {
    throw UsageError{
        "--list-review: not with --compare; accepted: one of them"};
  }
  if (!flags.gradebook.roster.empty()) {
    need_format(flags, "--roster", {"canvas", "moodle"});
  }
  if (!flags.gradebook.title.empty()) {
    need_format(flags, "--title", {"canvas", "moodle"});
  }
  if (flags.gradebook.provisional) {
    need_format(flags, "--provisional", {"canvas", "moodle"});
  }
}

void finish(const Flags& flags, const Batch& batch, const Json& before,
            Session& session) {
  const std::string format = flags.options.format_name();
  if (flags.list_review) {
    return write_out(flags.out, format == "json" ? json_line(review_json(batch))
                                : format == "csv" ? review_csv(batch)
                                                  : review_text(batch));
  }
  if (flags.compare.empty()) return write_batch(flags, batch, session);
  const Json comparison = compare(before, batch_json(batch));
  write_out(flags.out, format == "json" ? json_line(comparison)
                                        : compare_text(comparison));
}

// Writes each line as soon as it is its turn, and keeps nothing.
void stream(const Flags& flags, Inputs& inputs, const Batch& batch,
            const Json& options, std::size_t jobs, Session& session) {
  if (!flags.out.empty()) {
    throw UsageError{
        "--out: not with --format ndjson, which is streamed; "
        "accepted: > FILE"};
  }
  Progress progress(inputs.total());
  grade_all(inputs, options, jobs, [&](Graded&& graded) {
    complain_of(graded, progress);
    if (!graded.reply["errors"].empty()) session.exit_code = 1;
    print(ndjson_line(batch.header, graded));
    progress.step();
  });
  progress.end();
}

void grade(Flags& flags, Session& session) {
  check(flags);
  const std::size_t jobs = jobs_of(flags.jobs);
  Json request = flags.options.request("grade");
  const bool worked = flags.options.given("--worked");
  request["options"]["worked"] = worked;
  request["submissions"] = Json::array();
  Batch batch;
  batch.worked = worked;
  batch.header = session.ask(request, flags.options);
  batch.scenario = raw_text_of(request["options"], "scenario");
  const Json before =
      flags.compare.empty() ? Json() : read_grading(flags.compare);
  const bool lines = flags.input == "ndjson";
  if (flags.inputs.empty()) flags.inputs = {"-"};
  Inputs inputs(flags.inputs, lines);
  const Json& options = request["options"];
  if (flags.options.format_name() == "ndjson") {
    return stream(flags, inputs, batch, options, jobs, session);
  }
  Progress progress(inputs.total());
  grade_all(inputs, options, jobs, [&](Graded&& graded) {
    complain_of(graded, progress);
    if (!graded.reply["errors"].empty()) session.exit_code = 1;
    batch.graded.push_back(std::move(graded));
    progress.step();
  });
  progress.end();
  finish(flags, batch, before, session);
}

void add_gradebook_flags(CLI::App& app, GradebookOptions& gradebook) {
  app.add_option("--roster", gradebook.roster,
                 "canvas: the gradebook's export; moodle: a CSV\n"
                 "with userid, idnumber, email or username")
      ->type_name("FILE");
  app.add_option("--title", gradebook.title,
                 "the grade's column, for Canvas \"Name (id)\"")
      ->type_name("TEXT");
  app.add_flag("--provisional", gradebook.provisional,
               "gradebooks: also scores that wait for a person");
}

void add_flags(CLI::App& app, Flags& flags) {
  Options& options = flags.options;
  app.add_option("SUBMISSION", flags.inputs,
                 "files (.md .markdown .txt .json .html),\n"
                 "folders, zip archives of Canvas, Moodle or\n"
                 "Gradescope, .ndjson, or - for standard input")
      ->type_name("");
  app.add_option("--input", flags.input,
                 "ndjson: one submission a line; auto (default):\n"
                 "as the names end")
      ->type_name("NAME");
  options.add(app, {"--scenario", "options", "scenario", Kind::kText,
                    "what an answer that names no scenario belongs to"});
  options.add(app, {"--worked", "options", "worked", Kind::kSwitch,
                    "with the worked explanations"});
  options.add_format(
      app, {"text", "json", "ndjson", "csv", "markdown", "gradescope", "canvas",
            "moodle", "junit", "github"});
  app.get_option("--format")
      ->description(
          "text, json, ndjson, csv, markdown, gradescope,\n"
          "canvas, moodle, junit, github");
  app.add_option("--out", flags.out,
                 "write the result to this file; markdown: a\n"
                 "folder (DIR/) gets a file for each submission")
      ->type_name("FILE");
  app.add_option("--jobs", flags.jobs, "threads (default: the cores)")
      ->type_name("N");
  add_gradebook_flags(app, flags.gradebook);
  app.add_flag("--list-review", flags.list_review,
               "only the passages that a person has to read");
  app.add_option("--compare", flags.compare,
                 "what changed since a former --format json")
      ->type_name("FILE");
}

}  // namespace

Command add_grade(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  add_flags(app, *flags);
  return [=](Session& session) { grade(*flags, session); };
}

}  // namespace meshwise::cli
