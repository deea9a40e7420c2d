#include "table.h"

#include <algorithm>

#include "escape.h"

namespace meshwise::cli {
namespace {

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t have = display_width(text);
  const std::string blanks(width > have ? width - have : 0, ' ');
  return right ? blanks + text : text + blanks;
}

}  // namespace

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

std::string wrap(const std::string& text, std::size_t width,
                 const std::string& indent) {
  std::string out = indent;
  std::size_t column = display_width(indent);
  bool first = true;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const std::size_t length = display_width(word);
    if (!first && column + 1 + length > width) {
      out += "\n" + indent;
      column = display_width(indent);
      first = true;
    }
    if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    first = false;
  }
  return out;
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns) {
    widths.push_back(display_width(column.header));
  }
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  std::string out = title.empty() ? "" : title + "\n";
  const auto line = [&](const auto& cell) {
    std::string text = " ";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      text += " " + padded(cell(i), widths[i], columns[i].right);
      if (i + 1 < columns.size()) text += " ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  line([&](std::size_t i) { return columns[i].header; });
  for (const auto& row : rows) {
    line([&](std::size_t i) { return row[i]; });
  }
  return out;
}

std::string Table::csv() const {
  std::string out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    out += (i > 0 ? "," : "") + csv_cell(columns[i].header);
  }
  out += "\n";
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += (i > 0 ? "," : "") + csv_cell(row[i]);
    }
    out += "\n";
  }
  return out;
}

std::string Table::markdown() const {
  std::string out = title.empty() ? "" : "**" + title + "**\n\n";
  std::string rule = "|";
  out += "|";
  for (const Column& column : columns) {
    out += " " + markdown_cell(column.header) + " |";
    rule += column.right ? "---:|" : ":---|";
  }
  out += "\n" + rule + "\n";
  for (const auto& row : rows) {
    out += "|";
    for (const std::string& cell : row) out += " " + markdown_cell(cell) + " |";
    out += "\n";
  }
  return out;
}

std::string Table::in(Format format) const {
  switch (format) {
    case Format::kCsv:
      return csv();
    case Format::kMarkdown:
      return markdown();
    default:
      return text();
  }
}

}  // namespace meshwise::cli
