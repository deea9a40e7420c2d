// The subcommands. Each adds its flags to an app and returns what runs when
// it was chosen; UsageError ends the program with exit code 2.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "session.h"

namespace meshwise::cli {

using Command = std::function<void(Session&)>;

[[nodiscard]] Command add_memory(CLI::App& app);
[[nodiscard]] Command add_collective(CLI::App& app);
[[nodiscard]] Command add_plan(CLI::App& app);
[[nodiscard]] Command add_decode(CLI::App& app);
[[nodiscard]] Command add_threshold(CLI::App& app);
[[nodiscard]] Command add_scenario(CLI::App& app);
[[nodiscard]] Command add_sheet(CLI::App& app);
[[nodiscard]] Command add_grade(CLI::App& app);
[[nodiscard]] Command add_gradescope_zip(CLI::App& app);
[[nodiscard]] Command add_call(CLI::App& app);
[[nodiscard]] Command add_version(CLI::App& app);

}  // namespace meshwise::cli
