#include "gradebook.h"

#include <algorithm>
#include <set>

#include "files.h"

namespace meshwise::cli {
namespace {

// Who this is: the platform's number, else its name, else the name in the
// answer, else nobody but the file itself.
std::string key_of(const Owner& owner, const Json& each) {
  if (!owner.id.empty()) {
    return std::to_string(static_cast<int>(owner.kind)) + "#" + owner.id;
  }
  const std::string name = folded_name(
      owner.name.empty() ? raw_text_of(each, "student") : owner.name);
  return name.empty() ? "file " + raw_text_of(each, "source") : "name " + name;
}

class Students {
 public:
  explicit Students(std::vector<std::string>& notes) : notes_(notes) {}

  Student& of(const Owner& owner, const Json& each) {
    const auto [it, fresh] = index_.emplace(key_of(owner, each), out_.size());
    if (fresh) {
      out_.emplace_back();
      out_.back().owner = owner;
      out_.back().name = owner.name.empty() ? raw_name(each) : owner.name;
    }
    Student& student = out_[it->second];
    student.source = raw_text_of(each, "source");
    return student;
  }

  void take(const Owner& owner, const Json& result) {
    Student& student = of(owner, result);
    const Json*& kept = student.results[raw_text_of(result, "scenario")];
    if (kept != nullptr) {
      notes_.push_back(student.name + ": scenario " +
                       raw_text_of(result, "scenario") + " is answered in " +
                       raw_text_of(*kept, "source") + " and in " +
                       raw_text_of(result, "source") + "; the later counts");
      student.review -= number(*kept, "review");
    }
    kept = &result;
    student.review += number(result, "review");
  }

  std::vector<Student> done() && { return std::move(out_); }

 private:
  std::vector<Student> out_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::string>& notes_;
};

// A capital of Latin-1 as its small letter, both two bytes of UTF-8.
char small_latin(char before, char c) {
  const auto byte = static_cast<unsigned char>(c);
  const bool capital =
      before == '\xC3' && byte >= 0x80 && byte <= 0x9E && byte != 0x97;
  return capital ? static_cast<char>(byte + 0x20) : c;
}

}  // namespace

std::string folded_name(const std::string& name) {
  std::string out;
  char before = 0;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      out += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      out += c;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      out += small_latin(before, c);
    }
    before = c;
  }
  return out;
}

double Student::score() const {
  double out = 0.0;
  for (const auto& [scenario, result] : results) {
    out += number(*result, "score");
  }
  return out;
}

std::vector<Student> students_of(const Batch& batch,
                                 std::vector<std::string>& notes) {
  Students out(notes);
  for (const Graded& graded : batch.graded) {
    const Owner& owner = graded.submission.owner;
    for (const Json& result : graded.reply["results"]) out.take(owner, result);
    for (const Json& error : graded.reply["errors"]) {
      ++out.of(owner, error).unread;
    }
  }
  return std::move(out).done();
}

double points_possible(const Batch& batch) {
  std::map<std::string, double> by_scenario;
  each_result(batch, [&](const Graded&, const Json& result) {
    by_scenario[raw_text_of(result, "scenario")] = number(result, "max");
  });
  double out = 0.0;
  for (const auto& [scenario, max] : by_scenario) out += max;
  return out;
}

std::string score_cell(const Student& student, bool provisional) {
  if (student.results.empty()) return "";
  return student.is_final() || provisional ? mark(student.score()) : "";
}

std::string withheld_note(std::size_t count, bool provisional) {
  if (count == 0) return "";
  const std::string who =
      std::to_string(count) + (count == 1 ? " student" : " students");
  return who + (provisional
                    ? " with passages for a person: the score is provisional"
                    : " with passages for a person: no score is written; "
                      "--list-review shows the passages, --provisional writes "
                      "the scores as they are");
}

Roster::Roster(const std::string& path) {
  const FileText file = read_file(path);
  if (!file.problem.empty()) {
    throw UsageError{"--roster " + path + ": " + file.problem +
                     "; accepted: a CSV file"};
  }
  csv_ = read_csv(file.text);
  if (!csv_.problem.empty()) {
    throw UsageError{"--roster " + path + ":" + std::to_string(csv_.line) +
                     ": " + csv_.problem + "; accepted: CSV (RFC 4180)"};
  }
  if (csv_.rows.empty()) {
    throw UsageError{"--roster " + path +
                     ": the file is empty; accepted: a header and a row for "
                     "each student"};
  }
}

std::optional<std::size_t> Roster::column(
    const std::vector<std::string>& folded) const {
  const std::vector<std::string>& header = csv_.rows.front();
  for (const std::string& name : folded) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (folded_name(header[i]) == name) return i;
    }
  }
  return std::nullopt;
}

void Roster::add(Index& index, const std::string& key, std::size_t row) {
  if (key.empty()) return;
  const auto [it, fresh] = index.emplace(key, row);
  if (!fresh && it->second != row) it->second.reset();
}

void Roster::add_id(IdKind kind, const std::string& id, std::size_t row) {
  add(ids_[kind], id, row);
}

// "Lovelace, Ada" is also "Ada Lovelace".
void Roster::add_name(const std::string& name, std::size_t row) {
  add(names_, folded_name(name), row);
  const std::size_t comma = name.find(',');
  if (comma == std::string::npos) return;
  add(names_, folded_name(name.substr(comma + 1) + name.substr(0, comma)), row);
}

std::optional<std::size_t> Roster::find(const Student& student) const {
  const auto in = [](const Index& index, const std::string& key) {
    const auto it = index.find(key);
    return it == index.end() ? std::nullopt : it->second;
  };
  if (!student.owner.id.empty()) {
    const auto ids = ids_.find(student.owner.kind);
    if (ids != ids_.end()) {
      if (auto row = in(ids->second, student.owner.id)) return row;
    }
  }
  if (auto row = in(names_, folded_name(student.name))) return row;
  // A student who wrote a login or an address for a name.
  const auto given = ids_.find(IdKind::kGiven);
  return given == ids_.end() || !student.owner.name.empty()
             ? std::nullopt
             : in(given->second, student.name);
}

}  // namespace meshwise::cli
