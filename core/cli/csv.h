// CSV as gradebooks export it: RFC 4180, with commas, semicolons or tabs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace meshwise::cli {

struct Csv {
  std::vector<std::vector<std::string>> rows;  // empty lines left out
  std::vector<std::size_t> lines;              // where each row begins, from 1
  char delimiter = ',';
  std::string problem;   // empty: read
  std::size_t line = 0;  // of the problem
};

// The delimiter is the one of , ; and tab that the first line has most of.
[[nodiscard]] Csv read_csv(std::string_view text);

// Rows with cells quoted where needed; a cell that a spreadsheet would take for
// a formula is disarmed, but for numbers and the "-" of a gradebook.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& cells,
                                   char delimiter);

}  // namespace meshwise::cli
