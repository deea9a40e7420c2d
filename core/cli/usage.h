// What the parser found wrong with the command line, in one line: the flag or
// the word, and what would be accepted.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace meshwise::cli {

[[nodiscard]] std::string usage_text(const CLI::App& app,
                                     const CLI::ParseError& error);

// "; did you mean --gpus?" where one of the names is near, else
// "; accepted: ..." with all of them.
[[nodiscard]] std::string accepted_text(const std::string& name,
                                        const std::vector<std::string>& known);

}  // namespace meshwise::cli
