// Canvas's gradebook CSV. With the gradebook's own export every column and row
// stays as it is, and the grade's column is added or filled.
#include "escape.h"
#include "gradebook.h"

namespace meshwise::cli {
namespace {

constexpr const char* kTitle = "Meshwise";
constexpr const char* kAccepted =
    "; accepted: the CSV that Canvas's gradebook exports";

std::string title_of(const GradebookOptions& options) {
  return options.title.empty() ? kTitle : options.title;
}

bool is_points_row(const std::vector<std::string>& row) {
  return !row.empty() && row[0].find("Points Possible") != std::string::npos;
}

// "(1234)" at the end of a title, or nothing.
std::string id_part(const std::string& title) {
  const std::size_t open = title.rfind('(');
  return open == std::string::npos || title.empty() || title.back() != ')'
             ? ""
             : title.substr(open);
}

// The grade's column: the one of that title or that id, else a new one.
std::size_t grade_column(std::vector<std::string>& header,
                         const std::string& title) {
  const std::string id = id_part(title);
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i] == title || (!id.empty() && id_part(header[i]) == id)) {
      return i;
    }
  }
  header.push_back(title);
  return header.size() - 1;
}

void index_rows(Roster& roster, const std::string& path) {
  const Csv& csv = roster.csv();
  const auto id = roster.column({"id"});
  const auto name = roster.column({"student", "studentname"});
  const auto last = roster.column({"lastname"});
  const auto first = roster.column({"firstname"});
  if (!id || (!name && !(last && first))) {
    throw UsageError{"--roster " + path + ":" + std::to_string(csv.lines[0]) +
                     ": no columns Student and ID" + kAccepted};
  }
  const std::size_t width = csv.rows[0].size();
  for (std::size_t i = 1; i < csv.rows.size(); ++i) {
    const std::vector<std::string>& row = csv.rows[i];
    if (row.size() > width) {
      throw UsageError{"--roster " + path + ":" + std::to_string(csv.lines[i]) +
                       ": more cells than the header has" + kAccepted};
    }
    const auto cell = [&](std::optional<std::size_t> column) {
      return column && *column < row.size() ? row[*column] : std::string();
    };
    if (is_points_row(row) || cell(id).empty()) continue;
    roster.add_id(IdKind::kCanvas, cell(id), i);
    for (const auto& column :
         {id, roster.column({"sisuserid"}), roster.column({"sisloginid"}),
          roster.column({"integrationid"})}) {
      roster.add_id(IdKind::kGiven, cell(column), i);
    }
    roster.add_name(name ? cell(name) : cell(last) + ", " + cell(first), i);
  }
}

// The five columns that Canvas needs, for a course without an export.
Output without_roster(const std::vector<Student>& students,
                      const GradebookOptions& options, double points,
                      Output out) {
  out.text = csv_line({"Student", "ID", "SIS User ID", "SIS Login ID",
                       "Section", title_of(options)},
                      ',');
  out.text +=
      csv_line({"    Points Possible", "", "", "", "", mark(points)}, ',');
  std::size_t nameless = 0;
  for (const Student& each : students) {
    const bool known =
        each.owner.kind == IdKind::kCanvas || each.owner.kind == IdKind::kGiven;
    if (!known || each.owner.id.empty()) ++nameless;
    out.text += csv_line({terminal_text(each.name), known ? each.owner.id : "",
                          "", "", "", score_cell(each, options.provisional)},
                         ',');
  }
  if (nameless > 0) {
    out.notes.push_back(std::to_string(nameless) +
                        " rows have no Canvas ID; --roster FILE with the "
                        "gradebook's export fills it in");
  }
  return out;
}

}  // namespace

Output canvas_csv(const Batch& batch, const GradebookOptions& options) {
  Output out;
  const std::vector<Student> students = students_of(batch, out.notes);
  std::size_t withheld = 0;
  for (const Student& each : students) withheld += each.is_final() ? 0u : 1u;
  const std::string note = withheld_note(withheld, options.provisional);
  if (!note.empty()) out.notes.push_back(note);
  const double points = points_possible(batch);
  if (options.roster.empty()) {
    return without_roster(students, options, points, std::move(out));
  }
  Roster roster(options.roster);
  index_rows(roster, options.roster);
  std::vector<std::vector<std::string>> rows = roster.csv().rows;
  const std::size_t column = grade_column(rows[0], title_of(options));
  const std::size_t width = rows[0].size();
  for (auto& row : rows) {
    row.resize(width);
    if (is_points_row(row)) row[column] = mark(points);
  }
  std::map<std::size_t, std::string> taken;
  for (const Student& each : students) {
    const auto row = roster.find(each);
    if (!row) {
      out.notes.push_back(each.name + " (" + each.source +
                          "): no row of the roster, or more than one");
      out.incomplete = true;
      continue;
    }
    const auto [it, fresh] = taken.emplace(*row, each.source);
    if (!fresh) {
      out.notes.push_back(each.source + " and " + it->second +
                          " belong to one row of the roster; the later counts");
    }
    rows[*row][column] = score_cell(each, options.provisional);
  }
  for (const auto& row : rows) {
    out.text += csv_line(row, roster.csv().delimiter);
  }
  return out;
}

}  // namespace meshwise::cli
