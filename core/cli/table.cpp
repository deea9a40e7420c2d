#include "table.h"

#include <algorithm>

#include "escape.h"

namespace meshwise::cli {
namespace {

constexpr std::size_t kTerminalWidth = 80;

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t have = display_width(text);
  const std::string blanks(width > have ? width - have : 0, ' ');
  return right ? blanks + text : text + blanks;
}

// Where in the text a column begins; its end where it is shorter.
std::size_t offset_of(const std::string& text, std::size_t column) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool first = (static_cast<unsigned char>(text[at]) & 0xC0u) != 0x80u;
    if (first && column-- == 0) break;
  }
  return at;
}

const std::string& full_header(const Column& column) {
  return column.full.empty() ? column.header : column.full;
}

// A number without what is there for the eye: "82,464" and "79.0 %".
std::string plain(std::string cell, bool number) {
  if (!number) return cell;
  cell.erase(std::remove_if(cell.begin(), cell.end(),
                            [](char c) { return c == ',' || c == ' '; }),
             cell.end());
  return cell;
}

}  // namespace

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

std::string clipped(const std::string& text, std::size_t width) {
  if (display_width(text) <= width) return text;
  return text.substr(0, offset_of(text, width - 3)) + "...";
}

std::string clipped_front(const std::string& text, std::size_t width) {
  const std::size_t have = display_width(text);
  if (have <= width) return text;
  return "..." + text.substr(offset_of(text, have - (width - 3)));
}

std::string wrap(const std::string& text, std::size_t width,
                 const std::string& indent) {
  const std::size_t room = width - display_width(indent);
  std::string out = indent;
  std::size_t column = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = std::min(text.find(' ', at), text.size());
    std::size_t next = end + 1;
    if (end == at) {
      at = next;
      continue;
    }
    // A word that no line can hold is broken.
    const std::size_t most = at + offset_of(text.substr(at, end - at), room);
    if (most < end) next = end = most;
    const std::string word = text.substr(at, end - at);
    at = next;
    const std::size_t length = display_width(word);
    if (column > 0 && column + 1 + length > room) {
      out += "\n" + indent;
      column = 0;
    }
    if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
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
  // Two blanks between columns, but one where that takes too much room.
  std::size_t total = 2 * columns.size();
  for (const std::size_t width : widths) total += width;
  const std::string gap(total > kTerminalWidth ? 1 : 2, ' ');
  std::string out = title.empty() ? "" : title + "\n";
  const auto line = [&](const auto& cell) {
    std::string text = "  ";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      text += (i > 0 ? gap : "") + padded(cell(i), widths[i], columns[i].right);
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
    out += (i > 0 ? "," : "") + csv_cell(full_header(columns[i]));
  }
  out += "\n";
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += (i > 0 ? "," : "") + csv_cell(plain(row[i], columns[i].right));
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
    out += " " + markdown_cell(full_header(column)) + " |";
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
