// The flags that commands share, and the request that they make.
#pragma once

#include <CLI/CLI.hpp>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "table.h"

namespace meshwise::cli {

using Json = nlohmann::ordered_json;

// A mistake in the use of the command: one line, exit code 2.
struct UsageError {
  std::string message;
};

// What a flag holds and where the request has it.
enum class Kind { kNumber, kBillions, kText, kOnOff, kSwitch, kList };
struct Flag {
  const char* name;    // "--hbm"
  const char* object;  // "cluster"
  const char* key;     // "hbm_gib"
  Kind kind;
  const char* help;  // with its unit
};

// Groups of flags, by the part of the request that they fill.
enum class Group { kModel, kCluster, kTraining, kPlan, kServing, kCollective };
[[nodiscard]] const std::vector<Flag>& flags_of(Group group);

// One command's flags and the request that they fill.
class Options {
 public:
  void add(CLI::App& app, Group group);
  void add_scenario(CLI::App& app);
  void add_format(CLI::App& app);

  // The request, with every flag that was given. Throws UsageError for a value
  // that is no number, and for a scenario file that cannot be read.
  [[nodiscard]] Json request(const char* kind) const;
  // The flag that fills this place of the request, if it was given.
  [[nodiscard]] std::string flag_at(const std::string& pointer) const;
  [[nodiscard]] bool given(const std::string& flag) const;
  [[nodiscard]] Format format() const;

 private:
  struct Value {
    Flag flag;
    std::string text;
    CLI::Option* option = nullptr;
  };
  [[nodiscard]] const Value* find(const std::string& flag) const;

  std::deque<Value> values_;  // stable addresses: CLI11 writes into them
  std::string scenario_;
  std::string format_ = "text";
  bool json_ = false;
};

// The text as a number; UsageError names the flag.
[[nodiscard]] double number_of(const std::string& flag,
                               const std::string& text);

}  // namespace meshwise::cli
