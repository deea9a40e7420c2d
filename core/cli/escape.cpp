#include "escape.h"

#include <cstdlib>

namespace meshwise::cli {
namespace {

bool is_number(const std::string& text) {
  if (text.empty()) return false;
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return *end == '\0';
}

}  // namespace

std::string terminal_text(std::string_view text) {
  static const char* kHex = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are control characters too, C2 80 to C2 9F.
    const bool c1 = byte == 0xC2 && i + 1 < text.size() &&
                    static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
      out += ' ';
    } else if (byte < 0x20 || byte == 0x7F || c1) {
      const unsigned code = c1 ? static_cast<unsigned char>(text[++i]) : byte;
      out += "\\x";
      out += kHex[code >> 4];
      out += kHex[code & 15u];
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string csv_cell(std::string_view text) {
  std::string cell(text);
  const bool formula =
      !cell.empty() &&
      std::string_view("=+-@\t\r").find(cell[0]) != std::string_view::npos;
  if (formula && !is_number(cell)) cell.insert(cell.begin(), '\'');
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string out = "\"";
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : terminal_text(text)) {
    if (c == '<') {
      out += "&lt;";
      continue;
    }
    if (std::string_view("|\\`*_[]").find(c) != std::string_view::npos) {
      out += '\\';
    }
    out += c;
  }
  return out;
}

}  // namespace meshwise::cli
