// Tables for a terminal, a spreadsheet or a document.
#pragma once

#include <string>
#include <vector>

namespace meshwise::cli {

enum class Format { kText, kJson, kCsv, kMarkdown };

struct Column {
  std::string header;  // with its unit: "total (GiB)"
  bool right = true;   // numbers right, words left
};

struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;

  // Aligned columns, CSV (RFC 4180, formulas disarmed), or a Markdown table.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string csv() const;
  [[nodiscard]] std::string markdown() const;
  [[nodiscard]] std::string in(Format format) const;
};

// Width on a terminal: code points, not bytes.
[[nodiscard]] std::size_t display_width(const std::string& text);

// Breaks text at blanks into lines of at most `width` columns.
[[nodiscard]] std::string wrap(const std::string& text, std::size_t width,
                               const std::string& indent);

}  // namespace meshwise::cli
