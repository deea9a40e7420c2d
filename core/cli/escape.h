// Student text and file names on their way into a terminal, a spreadsheet or
// a Markdown table: data, never commands.
#pragma once

#include <string>
#include <string_view>

namespace meshwise::cli {

// Control characters (escape sequences with them), characters that turn a
// line's direction, and bytes that are no UTF-8 become visible as \x1b or
// \u202e; tabs and line ends become blanks. Its own output it leaves alone.
[[nodiscard]] std::string terminal_text(std::string_view text);

// One CSV cell: quoted where needed, and a leading = + - @ that a spreadsheet
// would take for a formula is disarmed unless the cell is a plain number.
[[nodiscard]] std::string csv_cell(std::string_view text);

[[nodiscard]] std::string markdown_cell(std::string_view text);

}  // namespace meshwise::cli
