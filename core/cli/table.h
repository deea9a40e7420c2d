// Tables for a terminal, a spreadsheet or a document.
#pragma once

#include <string>
#include <vector>

namespace meshwise::cli {

enum class Format { kText, kJson, kCsv, kMarkdown };

struct Column {
  std::string header;     // with its unit, or the title has it
  bool right = true;      // numbers right, words left
  std::string full = {};  // the header outside a terminal, where it differs
};

struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;

  // Aligned columns, CSV (RFC 4180, formulas disarmed, numbers as a program
  // reads them), or a Markdown table.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string csv() const;
  [[nodiscard]] std::string markdown() const;
  [[nodiscard]] std::string in(Format format) const;
};

// Width on a terminal: code points, not bytes.
[[nodiscard]] std::size_t display_width(const std::string& text);

// At most `width` columns of a text, with "..." where it goes on, or for its
// end where it began before.
[[nodiscard]] std::string clipped(const std::string& text, std::size_t width);
[[nodiscard]] std::string clipped_front(const std::string& text,
                                        std::size_t width);

// Breaks text into lines of at most `width` columns, at blanks where there are
// any.
[[nodiscard]] std::string wrap(const std::string& text, std::size_t width,
                               const std::string& indent);

}  // namespace meshwise::cli
