// From submissions to students: who handed in what, what it adds up to, and
// which row of a roster is theirs.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "csv.h"
#include "grade_out.h"

namespace meshwise::cli {

// One student's submissions, the last of each scenario.
struct Student {
  Owner owner;         // of the platform, where it names one
  std::string name;    // as the platform has it, else as it was written
  std::string source;  // the last one
  std::map<std::string, const Json*> results;  // by scenario
  double review = 0.0;                         // criteria left to a person
  std::size_t unread = 0;  // submissions that could not be read

  [[nodiscard]] double score() const;
  // Whether nothing in the score waits for a person.
  [[nodiscard]] bool is_final() const { return review == 0.0 && unread == 0; }
};

// The students of a batch, in the order of their first submission. A platform's
// name goes before the one that stands in the answer: anybody can write that.
// Of two answers to one scenario the later counts, and a note says so.
[[nodiscard]] std::vector<Student> students_of(const Batch& batch,
                                               std::vector<std::string>& notes);

// The most that all scenarios of the batch give together.
[[nodiscard]] double points_possible(const Batch& batch);

// The cell of a gradebook: empty while a person has to read something, unless
// the score may be provisional.
[[nodiscard]] std::string score_cell(const Student& student, bool provisional);

// What to say of scores that were left empty; nothing where there are none.
[[nodiscard]] std::string withheld_note(std::size_t count, bool provisional);

// Ways to write one name that are the same: letters and digits only, small.
[[nodiscard]] std::string folded_name(const std::string& name);

// The rows of a roster, by ids and by names.
class Roster {
 public:
  // Reads the file; UsageError names what is wrong with it, and where.
  explicit Roster(const std::string& path);

  [[nodiscard]] const Csv& csv() const { return csv_; }
  [[nodiscard]] std::optional<std::size_t> column(
      const std::vector<std::string>& folded) const;
  void add_id(IdKind kind, const std::string& id, std::size_t row);
  void add_name(const std::string& name, std::size_t row);
  // The student's row: by the platform's number, else by name where only one
  // row has it.
  [[nodiscard]] std::optional<std::size_t> find(const Student& student) const;

 private:
  using Index = std::map<std::string, std::optional<std::size_t>>;
  static void add(Index& index, const std::string& key, std::size_t row);

  Csv csv_;
  std::map<IdKind, Index> ids_;
  Index names_;  // nothing for a name that two rows have
};

}  // namespace meshwise::cli
