#include "html_text.h"

#include <array>
#include <cstdint>
#include <utility>

namespace meshwise::cli {
namespace {

constexpr std::size_t kLongestEntity = 10;  // "&#1114111;"

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_name(char c) {
  const char l = lower(c);
  return (l >= 'a' && l <= 'z') || (c >= '0' && c <= '9');
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

std::string utf8(std::uint32_t code) {
  const auto tail = [&](int shift) {
    return static_cast<char>(0x80u | ((code >> shift) & 0x3Fu));
  };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0u | (code >> 6)), tail(0)};
  if (code < 0x10000) {
    return {static_cast<char>(0xE0u | (code >> 12)), tail(6), tail(0)};
  }
  return {static_cast<char>(0xF0u | (code >> 18)), tail(12), tail(6), tail(0)};
}

// "#8211" or "#x2013" as a character; empty where it is none.
std::string numbered(std::string_view digits) {
  const bool hex = !digits.empty() && lower(digits[0]) == 'x';
  if (hex) digits.remove_prefix(1);
  if (digits.empty()) return "";
  std::uint32_t code = 0;
  for (const char digit : digits) {
    const char c = lower(digit);
    const bool letter = hex && c >= 'a' && c <= 'f';
    if (!letter && (c < '0' || c > '9')) return "";
    const int value = letter ? c - 'a' + 10 : c - '0';
    code = code * (hex ? 16u : 10u) + static_cast<std::uint32_t>(value);
    if (code > 0x10FFFF) return "";
  }
  const bool none = code < 0x20 || (code >= 0xD800 && code <= 0xDFFF);
  return none ? " " : utf8(code);
}

std::string named(std::string_view name) {
  // Those that an editor for prose about numbers writes.
  constexpr std::array<std::pair<const char*, std::uint32_t>, 24> kNames = {{
      {"amp", '&'},      {"lt", '<'},        {"gt", '>'},
      {"quot", '"'},     {"apos", '\''},     {"nbsp", 0xA0},
      {"ndash", 0x2013}, {"mdash", 0x2014},  {"times", 0xD7},
      {"middot", 0xB7},  {"le", 0x2264},     {"ge", 0x2265},
      {"asymp", 0x2248}, {"minus", 0x2212},  {"micro", 0xB5},
      {"mu", 0x3BC},     {"sup2", 0xB2},     {"sup3", 0xB3},
      {"rarr", 0x2192},  {"hellip", 0x2026}, {"lsquo", 0x2018},
      {"rsquo", 0x2019}, {"ldquo", 0x201C},  {"rdquo", 0x201D},
  }};
  for (const auto& [known, code] : kNames) {
    if (name == known) return utf8(code);
  }
  return "";
}

class Scanner {
 public:
  explicit Scanner(std::string_view html) : html_(html) {}

  std::string run() {
    while (at_ < html_.size()) {
      const char c = html_[at_];
      if (c == '<' && tag()) continue;
      if (c == '&' && entity()) continue;
      is_blank(c) && !preformatted_ ? blank() : put(c);
      ++at_;
    }
    return std::move(out_);
  }

 private:
  void put(char c) { out_ += c; }
  void blank() {
    if (!out_.empty() && !is_blank(out_.back())) out_ += ' ';
  }
  void line_end() {
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
  }
  // A line of its own, with an empty one before it.
  void paragraph() {
    line_end();
    const std::size_t size = out_.size();
    if (size >= 2 && out_[size - 2] != '\n') out_ += '\n';
  }

  bool entity() {
    const std::string_view near = html_.substr(at_ + 1, kLongestEntity);
    const std::size_t length = near.find(';');
    if (length == std::string_view::npos) return false;
    const std::string_view name = near.substr(0, length);
    const std::string text = !name.empty() && name[0] == '#'
                                 ? numbered(name.substr(1))
                                 : named(name);
    if (text.empty()) return false;
    out_ += text;
    at_ += length + 2;
    return true;
  }

  // A tag, a comment or a declaration; false, and nothing read, where the <
  // is one of the text ("tp < 8").
  bool tag() {
    if (html_.substr(at_, 4) == "<!--") {
      skip_past("-->", at_ + 4);
      return true;
    }
    std::size_t first = at_ + 1;
    const bool closing = first < html_.size() && html_[first] == '/';
    if (closing) ++first;
    if (first >= html_.size()) return false;
    const bool declaration = html_[first] == '!' || html_[first] == '?';
    const char l = lower(html_[first]);
    if (!declaration && (l < 'a' || l > 'z')) return false;
    std::string name;
    for (std::size_t i = first; i < html_.size() && is_name(html_[i]); ++i) {
      if (name.size() < 16) name += lower(html_[i]);
    }
    skip_past(">", at_);
    if (!closing && (name == "script" || name == "style")) {
      skip_past("</" + name, at_);
      skip_past(">", at_);
      return true;
    }
    act(name, closing);
    return true;
  }

  void act(const std::string& name, bool closing) {
    if (name == "br") {
      while (!out_.empty() && out_.back() == ' ') out_.pop_back();
      out_ += '\n';
    } else if (name == "li") {
      line_end();
      if (!closing) out_ += "- ";
    } else if (name.size() == 2 && name[0] == 'h' && name[1] >= '1' &&
               name[1] <= '6') {
      paragraph();
      if (!closing) out_ += "## ";
    } else if (name == "td" || name == "th") {
      if (!closing && !out_.empty() && out_.back() != '\n') out_ += " | ";
    } else if (name == "tr" || name == "ul" || name == "ol") {
      line_end();
    } else if (name == "pre") {
      paragraph();
      preformatted_ = !closing;
    } else if (name == "p" || name == "div" || name == "table" ||
               name == "blockquote") {
      paragraph();
    }
  }

  void skip_past(const std::string& end, std::size_t from) {
    std::size_t found = from;
    // In any case, as names of tags are.
    for (; found + end.size() <= html_.size(); ++found) {
      std::size_t i = 0;
      while (i < end.size() && lower(html_[found + i]) == end[i]) ++i;
      if (i == end.size()) break;
    }
    const bool none = found + end.size() > html_.size();
    at_ = none ? html_.size() : found + end.size();
  }

  std::string_view html_;
  std::size_t at_ = 0;
  bool preformatted_ = false;
  std::string out_;
};

}  // namespace

std::string html_text(std::string_view html) { return Scanner(html).run(); }

}  // namespace meshwise::cli
