// What there is to grade: files, folders, zip archives, NDJSON and standard
// input, one submission after the other.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grade_owner.h"
#include "json_text.h"

namespace meshwise::cli {

// Why a submission cannot be looked at; no message: it can.
struct InputProblem {
  std::string code;
  std::string message;
  std::string hint;  // what would be accepted, may be empty
};

struct Submission {
  std::string source;    // what results and errors call it
  std::string name;      // its path below the input that holds it
  std::size_t line = 0;  // of NDJSON, from 1; 0: none
  Owner owner;
  std::string text;
  Json answers;  // a meshwise.answers/1 document instead of text, or null
  InputProblem problem;
  bool is_no_json = false;  // a line of NDJSON that is none
};

class Lines;
class Archive;

// Not for several threads at once.
class Inputs {
 public:
  // `lines`: standard input, and files that no ending tells apart, are NDJSON.
  Inputs(const std::vector<std::string>& names, bool lines);
  ~Inputs();

  // The next submission, in the order of the names and, in folders and
  // archives, of the paths inside; one that cannot be read has a problem.
  [[nodiscard]] std::optional<Submission> next();
  // How many there are; 0 where only reading them tells.
  [[nodiscard]] std::size_t total() const { return total_; }

 private:
  enum class Kind { kText, kLines, kArchive, kEmpty };
  struct Item {
    std::string path;
    std::string name;
    Kind kind;
  };
  void add(const std::string& path, std::string name, bool lines);
  void add_folder(const std::string& folder);
  [[nodiscard]] std::optional<Submission> open(const Item& item);
  [[nodiscard]] std::optional<Submission> from_archive();

  std::vector<Item> items_;
  std::size_t at_ = 0;
  std::size_t total_ = 0;
  std::unique_ptr<Lines> lines_;      // being read
  std::unique_ptr<Archive> archive_;  // being read
};

}  // namespace meshwise::cli
