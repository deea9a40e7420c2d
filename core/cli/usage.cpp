#include "usage.h"

#include <algorithm>
#include <numeric>

namespace meshwise::cli {
namespace {

// Letters to insert, delete or replace on the way from one name to the other.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t same = diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, same});
    }
  }
  return row[b.size()];
}

// The command that was reached: memory, or scenario check.
const CLI::App* reached(const CLI::App* app) {
  for (;;) {
    const std::vector<CLI::App*> below = app->get_subcommands();
    if (below.empty()) return app;
    app = below.back();
  }
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) {
      out.push_back(option->get_name(false, false));
    }
  }
  return out;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* each : app.get_subcommands(nullptr)) {
    out.push_back(each->get_name());
  }
  return out;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// A flag or a word that the command has not.
std::string extra_text(const CLI::App& command, const std::string& word) {
  const std::string& name = command.get_name();
  if (word.rfind('-', 0) == 0) {
    const std::string flag = word.substr(0, word.find('='));
    return flag + ": no such flag of " + name +
           accepted_text(flag, flags_of(command));
  }
  const std::vector<std::string> below = commands_of(command);
  if (!below.empty()) {
    return word + ": no such command of " + name + accepted_text(word, below);
  }
  return word + ": " + name + " takes no such word; accepted: flags, as " +
         name + " --help lists them";
}

// A flag with too few or too many values: "--preset: 1 required TEXT missing".
std::string mismatch_text(const CLI::App& command, const std::string& what) {
  const std::string flag = what.substr(0, what.find(':'));
  const CLI::Option* option = command.get_option_no_throw(flag);
  if (option == nullptr) return what;
  const bool twice = what.find("but received") != std::string::npos;
  return flag +
         (twice ? ": given more than once; accepted: one value, "
                : ": has no value; accepted: ") +
         one_line(option->get_description());
}

std::string required_text(const CLI::App& command) {
  const std::vector<std::string> below = commands_of(command);
  if (!below.empty()) {
    return (command.get_parent() == nullptr ? "" : command.get_name() + ": ") +
           "no command; accepted: " +
           std::accumulate(below.begin() + 1, below.end(), below.front(),
                           [](const std::string& a, const std::string& b) {
                             return a + ", " + b;
                           });
  }
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_required() && option->count() == 0) {
      const bool word = option->get_positional();
      return command.get_name() + ": " + option->get_name(word, false) +
             " is missing; accepted: " + one_line(option->get_description());
    }
  }
  return command.get_name() + ": something is missing; see --help";
}

}  // namespace

std::string accepted_text(const std::string& name,
                          const std::vector<std::string>& known) {
  std::string all;
  std::string near;
  for (const std::string& each : known) {
    all += (all.empty() ? "" : ", ") + each;
    const std::size_t distance = edits(name, each);
    if (distance <= 2 && distance + 2 < each.size()) {
      near += (near.empty() ? "" : ", ") + each;
    }
  }
  return near.empty() ? "; accepted: " + all : "; did you mean " + near + "?";
}

std::string usage_text(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = *reached(&app);
  const std::vector<std::string> extra = app.remaining(true);
  if (!extra.empty()) return extra_text(command, extra.front());
  const std::string what = one_line(error.what());
  if (error.get_name() == "ArgumentMismatch") {
    return mismatch_text(command, what);
  }
  if (error.get_name() == "RequiredError") return required_text(command);
  return what + "; see " + command.get_name() + " --help";
}

}  // namespace meshwise::cli
