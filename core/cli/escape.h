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

// Words of a student in Markdown anywhere but at the start of a line: no
// markup, HTML, reference or formula comes of them.
[[nodiscard]] std::string markdown_text(std::string_view text);

// Text for HTML or XML 1.0, attributes too: what XML has no place for becomes
// visible.
[[nodiscard]] std::string xml_text(std::string_view text);

// A workflow command's message, and a property of it, for a GitHub runner.
[[nodiscard]] std::string workflow_message(std::string_view text);
[[nodiscard]] std::string workflow_property(std::string_view text);

// A file's name of ASCII letters, digits, dots, dashes and underscores, neither
// hidden nor empty and of at most 100 bytes.
[[nodiscard]] std::string safe_file_name(std::string_view text);

}  // namespace meshwise::cli
