#include "escape.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace meshwise::cli {
namespace {

// A character of UTF-8 text; length 0 where the bytes are none.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(at);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return {};
  std::uint32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = at + 1; i < at + length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[length] || code > 0x10FFFF || surrogate) return {};
  return {code, length};
}

bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

// Line separators, and characters that turn the direction of what follows: a
// line would read otherwise than it is. And the two that are no characters,
// which XML refuses.
bool is_deceptive(std::uint32_t code) {
  return code == 0x061C || code == 0xFFFE || code == 0xFFFF ||
         (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string hexadecimal(const char* before, std::uint32_t code, int digits) {
  std::string out = before;
  for (int i = digits - 1; i >= 0; --i) {
    out += "0123456789abcdef"[(code >> (4 * i)) & 15u];
  }
  return out;
}

bool is_number(const std::string& text) {
  if (text.empty()) return false;
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return *end == '\0';
}

}  // namespace

std::string terminal_text(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const Character c = character_at(text, at);
    if (c.length == 0) {
      out += hexadecimal("\\x", static_cast<unsigned char>(text[at]), 2);
      ++at;
      continue;
    }
    if (c.code == '\t' || c.code == '\n' || c.code == '\r') {
      out += ' ';
    } else if (is_control(c.code)) {
      out += hexadecimal("\\x", c.code, 2);
    } else if (is_deceptive(c.code)) {
      out += hexadecimal("\\u", c.code, 4);
    } else {
      out += text.substr(at, c.length);
    }
    at += c.length;
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

std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char c : terminal_text(text)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      const bool markup =
          std::string_view("|\\`*_[]#~$").find(c) != std::string_view::npos;
      if (markup) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : terminal_text(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':  // of "]]>" too
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string workflow_message(std::string_view text) {
  std::string out;
  for (const char c : terminal_text(text)) {
    if (c == '%') {
      out += "%25";
    } else {
      out += c;
    }
  }
  return out;
}

std::string workflow_property(std::string_view text) {
  std::string out;
  for (const char c : workflow_message(text)) {
    if (c == ':') {
      out += "%3A";
    } else if (c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::string safe_file_name(std::string_view text) {
  constexpr std::size_t kMost = 100;
  std::string out;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool safe = letter || (c >= '0' && c <= '9') || c == '.' || c == '_';
    const char next = safe ? c : '-';
    if (next == '-' && !out.empty() && out.back() == '-') continue;
    out += next;
  }
  out.erase(0, std::min(out.find_first_not_of(".-"), out.size()));
  if (out.size() > kMost) out.erase(0, out.size() - kMost);
  return out.empty() ? "submission" : out;
}

}  // namespace meshwise::cli
