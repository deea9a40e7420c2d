// The flags that commands share, and the request that they make.
#pragma once

#include <CLI/CLI.hpp>
#include <deque>
#include <string>
#include <vector>

#include "json_text.h"
#include "table.h"

namespace meshwise::cli {

// A mistake in the use of the command: one line, exit code 2.
struct UsageError {
  std::string message;
};

// What a flag holds and where the request has it. A name without dashes is a
// word of the command line that needs no flag. A file's JSON is the value.
enum class Kind { kNumber, kBillions, kText, kOnOff, kSwitch, kList, kFile };
struct Flag {
  const char* name;    // "--hbm"
  const char* object;  // "cluster"
  const char* key;     // "hbm_gib"
  Kind kind;
  const char* help;  // with its unit
};

// Is it a file's name, not a scenario's id? Ids have no dots and slashes.
[[nodiscard]] bool names_file(const std::string& name);

// Groups of flags, by the part of the request that they fill.
enum class Group { kModel, kCluster, kTraining, kPlan, kServing, kCollective };
[[nodiscard]] const std::vector<Flag>& flags_of(Group group);

// One command's flags and the request that they fill.
class Options {
 public:
  void add(CLI::App& app, Group group);
  CLI::Option* add(CLI::App& app, const Flag& flag);
  void add_scenario(CLI::App& app);
  void add_format(CLI::App& app, std::vector<std::string> formats = {
                                     "text", "json", "csv", "markdown"});

  // The request, with every flag that was given. Throws UsageError for a value
  // that is no number, for a format that there is not, and for a scenario file
  // that cannot be read.
  [[nodiscard]] Json request(const char* kind);
  // What a person would look at for a place of the request: the flag that
  // fills it, with its value where it was given, or the line and column in the
  // scenario's or the flag's file. The pointer itself where there is none.
  [[nodiscard]] std::string place(const std::string& pointer) const;
  [[nodiscard]] bool given(const std::string& flag) const;
  [[nodiscard]] Format format() const;
  // What --format names, where a command has more than tables.
  [[nodiscard]] std::string format_name() const {
    return json_ ? "json" : format_;
  }

 private:
  struct Value {
    Flag flag;
    std::string pointer;  // "/cluster/hbm_gib"
    std::vector<std::string> texts;
    bool on = false;
    CLI::Option* option = nullptr;
    std::string file_text;
  };
  [[nodiscard]] const Value* find(const std::string& flag) const;
  [[nodiscard]] Json scenario();
  [[nodiscard]] static Json file_value(Value& value);
  [[nodiscard]] std::string flag_at(const std::string& pointer) const;

  std::deque<Value> values_;  // stable addresses: CLI11 writes into them
  std::string scenario_;
  std::string scenario_text_;  // of a file
  std::vector<std::string> formats_;
  std::string format_ = "text";
  bool json_ = false;
};

}  // namespace meshwise::cli
