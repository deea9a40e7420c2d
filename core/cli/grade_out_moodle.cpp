// Moodle's grade import CSV: one column that tells the student, the grade, and
// the feedback beside it. A row that Moodle cannot place stops its whole
// import, so only students of the roster are in it.
#include "escape.h"
#include "gradebook.h"

namespace meshwise::cli {
namespace {

constexpr const char* kTitle = "Meshwise";
constexpr const char* kAccepted =
    "; accepted: a CSV with a column userid, idnumber, email or username, and "
    "the names";

struct Columns {
  std::size_t key = 0;
  std::string key_name;
};

Columns key_column(const Roster& roster, const std::string& path) {
  const std::vector<std::pair<const char*, std::vector<std::string>>> known = {
      {"userid", {"userid"}},
      {"idnumber", {"idnumber"}},
      {"email", {"email", "emailaddress"}},
      {"username", {"username"}}};
  for (const auto& [name, folded] : known) {
    if (const auto column = roster.column(folded)) return {*column, name};
  }
  throw UsageError{"--roster " + path + ":" +
                   std::to_string(roster.csv().lines[0]) +
                   ": no column that tells the student" + kAccepted};
}

void index_rows(Roster& roster) {
  const Csv& csv = roster.csv();
  const auto participant = roster.column({"identifier", "participantid"});
  const auto full = roster.column({"fullname", "name", "student"});
  const auto first = roster.column({"firstname"});
  const auto last = roster.column({"lastname", "surname"});
  for (std::size_t i = 1; i < csv.rows.size(); ++i) {
    const std::vector<std::string>& row = csv.rows[i];
    const auto cell = [&](std::optional<std::size_t> column) {
      return column && *column < row.size() ? row[*column] : std::string();
    };
    const std::string who = cell(participant);
    roster.add_id(IdKind::kMoodle, who.substr(who.find_last_of(' ') + 1), i);
    for (const auto& column :
         {roster.column({"userid"}), roster.column({"idnumber"}),
          roster.column({"email", "emailaddress"}),
          roster.column({"username"})}) {
      roster.add_id(IdKind::kGiven, cell(column), i);
    }
    roster.add_name(cell(full), i);
    roster.add_name(who, i);
    if (first && last) roster.add_name(cell(last) + ", " + cell(first), i);
  }
}

// One line: what was lost and why. Moodle shows it as HTML.
std::string feedback(const Student& student) {
  std::string out;
  for (const auto& [scenario, result] : student.results) {
    out += (out.empty() ? "" : " ") + ("Scenario " + scenario) + ": " +
           marks(number(*result, "score"), number(*result, "max")) +
           (number(*result, "review") > 0.0 ? ", provisional." : ".");
    each_criterion(*result, [&](const Json&, const Json& c) {
      if (raw_text_of(c, "verdict") == "pass") return;
      out += " " + raw_text_of(c, "id") + " " +
             marks(number(c, "score"), number(c, "max")) + ": " +
             raw_text_of(c, "says");
    });
  }
  if (student.unread > 0) {
    out += (out.empty() ? "" : " ") + std::to_string(student.unread) +
           (student.unread == 1 ? " file" : " files") + " could not be read.";
  }
  return xml_text(out);
}

}  // namespace

Output moodle_csv(const Batch& batch, const GradebookOptions& options) {
  if (options.roster.empty()) {
    throw UsageError{std::string("--format moodle: no --roster FILE") +
                     kAccepted};
  }
  Output out;
  const std::vector<Student> students = students_of(batch, out.notes);
  Roster roster(options.roster);
  const Columns columns = key_column(roster, options.roster);
  index_rows(roster);
  const std::string title = options.title.empty() ? kTitle : options.title;
  out.text = csv_line({columns.key_name, title, title + " (feedback)"}, ',');
  std::map<std::size_t, std::string> lines;  // in the roster's order
  std::size_t withheld = 0;
  for (const Student& each : students) {
    const auto row = roster.find(each);
    const std::string key = row && columns.key < roster.csv().rows[*row].size()
                                ? roster.csv().rows[*row][columns.key]
                                : "";
    if (key.empty()) {
      out.notes.push_back(each.name + " (" + each.source +
                          "): no row of the roster, or more than one");
      out.incomplete = true;
      continue;
    }
    if (!each.is_final()) ++withheld;
    if (lines.count(*row) > 0) {
      out.notes.push_back(each.source +
                          " and an earlier one belong to one "
                          "row of the roster; the later counts");
    }
    lines[*row] = csv_line(
        {key, score_cell(each, options.provisional), feedback(each)}, ',');
  }
  for (const auto& [row, line] : lines) out.text += line;
  const std::string note = withheld_note(withheld, options.provisional);
  if (!note.empty()) out.notes.push_back(note);
  return out;
}

}  // namespace meshwise::cli
