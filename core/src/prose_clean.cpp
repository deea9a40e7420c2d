// The student's own words out of Markdown, HTML, LaTeX and quotations.

#include <algorithm>

#include "prose_parts.h"
#include "prose_signs.h"

namespace meshwise {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

bool starts(std::string_view text, std::size_t at, std::string_view what) {
  return text.substr(at, what.size()) == what;
}

// Without regard to case; `what` is lower case.
bool starts_any_case(std::string_view text, std::size_t at,
                     std::string_view what) {
  if (at + what.size() > text.size()) return false;
  for (std::size_t i = 0; i < what.size(); ++i) {
    if (lower(text[at + i]) != what[i]) return false;
  }
  return true;
}

template <std::size_t N>
bool one_of(std::string_view name, const std::string_view (&list)[N]) {
  return std::find(list, list + N, name) != list + N;
}

std::string utf8(std::uint32_t c) {
  std::string out;
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
  return out;
}

// Takes the text apart, byte by byte; block structure is left to lines.
class Cleaner {
 public:
  explicit Cleaner(std::string_view text) : text_(text) {}

  CleanText run() {
    if (starts(text_, 0, "\xEF\xBB\xBF")) at_ = 3;
    html_ = has_html();
    while (at_ < text_.size()) {
      if (at_ == 0 || text_[at_ - 1] == '\n') line_start();
      if (at_ < text_.size()) step();
    }
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kMaxTagBytes = 4096;

  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // A block tag somewhere in the beginning: the text is HTML, or holds some.
  [[nodiscard]] bool has_html() const {
    const std::string_view head = text_.substr(0, 1u << 16);
    for (std::size_t i = 0; i < head.size(); ++i) {
      if (head[i] == '<' && !tag_name(i).empty()) return true;
    }
    return false;
  }

  // The lower-case name of a known tag at `at`, "" where there is none.
  [[nodiscard]] std::string tag_name(std::size_t at) const {
    std::size_t i = at + 1;
    if (i < text_.size() && text_[i] == '/') ++i;
    std::string name;
    while (i < text_.size() && name.size() < 12 &&
           (is_letter(text_[i]) || is_digit(text_[i]))) {
      name += lower(text_[i++]);
    }
    const char next = i < text_.size() ? text_[i] : '\0';
    const bool ends = next == '>' || next == ' ' || next == '/' ||
                      next == '\n' || next == '\t' || next == '\r';
    const bool known = one_of(name, kBlockTags) || one_of(name, kInlineTags) ||
                       one_of(name, kHiddenTags);
    return ends && known ? name : "";
  }

  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  // Quotations, code fences and definitions of links and footnotes.
  void line_start() {
    std::size_t i = at_;
    while (i < text_.size() && is_blank(text_[i]) && i - at_ < 64) ++i;
    const std::string_view rest = text_.substr(i, 512);
    if (rest.empty()) return;
    if (rest[0] == '>' && rest.substr(0, 2) != ">=") {
      skip_line();
    } else if (rest.substr(0, 3) == "```" || rest.substr(0, 3) == "~~~") {
      skip_line();
    } else if (rest[0] == '[') {
      const std::size_t close = rest.find("]:");
      if (close != std::string_view::npos && close < 40 &&
          rest.find('\n') > close && rest.find(' ') > close) {
        skip_line();
      }
    }
  }

  void step() {
    const char c = text_[at_];
    switch (c) {
      case '<':
        if (tag()) return;
        break;
      case '&':
        if (entity()) return;
        break;
      case '\\':
        if (latex()) return;
        break;
      case '!':
      case '[':
        if (link()) return;
        break;
      case '*':
      case '_':
        if (emphasis()) return;
        break;
      case '~':
        if (struck()) return;
        break;
      case '`':
        ++at_;
        return;
      case '$':
        if (dollar()) return;
        break;
      case '\r':
        carriage_return();
        return;
      default:
        if (static_cast<unsigned char>(c) >= 0x80 && wide()) return;
    }
    out_.add(text_.substr(at_, 1), at_);
    ++at_;
  }

  void replace(std::size_t length, std::string_view with) {
    out_.put(with, at_);
    at_ += length;
  }

  void carriage_return() {
    if (peek(1) == '\n') {
      ++at_;
      return;
    }
    replace(1, "\n");
  }

  bool tag() {
    if (starts(text_, at_, "<!--")) {
      const std::size_t end = text_.find("-->", at_ + 4);
      at_ = end == std::string_view::npos ? text_.size() : end + 3;
      return true;
    }
    if (!html_) return false;
    if (starts_any_case(text_, at_, "<!doctype")) {
      at_ = past(at_, '>');
      return true;
    }
    const std::string name = tag_name(at_);
    if (name.empty()) return false;
    const bool closing = peek(1) == '/';
    const std::size_t begin = at_;
    const std::size_t end = text_.substr(at_, kMaxTagBytes).find('>');
    if (end == std::string_view::npos) return false;
    at_ += end + 1;
    if (one_of(name, kHiddenTags) && !closing) {
      skip_to_end_of(name);
    } else if (one_of(name, kBlockTags)) {
      out_.put("\n", begin);
    } else if ((name == "td" || name == "th") && !closing) {
      out_.put(" | ", begin);
    } else if (name == "sup" && !closing) {
      out_.put("^", begin);
    }
    return true;
  }

  void skip_to_end_of(const std::string& name) {
    const std::string close = "</" + name;
    while (at_ < text_.size()) {
      const std::size_t next = text_.find("</", at_);
      if (next == std::string_view::npos) {
        at_ = text_.size();
        return;
      }
      at_ = next + 2;
      if (starts_any_case(text_, next, close)) {
        at_ = past(next, '>');
        return;
      }
    }
  }

  // Behind the next `what`, or at the end of the text.
  [[nodiscard]] std::size_t past(std::size_t at, char what) const {
    const std::size_t end = text_.find(what, at);
    return end == std::string_view::npos ? text_.size() : end + 1;
  }

  bool entity() {
    const std::size_t end = text_.substr(at_, 12).find(';');
    if (end == std::string_view::npos || end < 2) return false;
    const std::string_view name = text_.substr(at_ + 1, end - 1);
    if (name[0] == '#') return number_entity(name.substr(1), end + 1);
    for (const Sign& sign : kEntities) {
      if (sign.name != name) continue;
      replace(end + 1, sign.text);
      return true;
    }
    return false;
  }

  bool number_entity(std::string_view digits, std::size_t length) {
    const bool hex = !digits.empty() && lower(digits[0]) == 'x';
    if (hex) digits.remove_prefix(1);
    if (digits.empty() || digits.size() > 6) return false;
    std::uint32_t value = 0;
    for (const char c : digits) {
      const char l = lower(c);
      const int d = is_digit(c)                   ? c - '0'
                    : hex && l >= 'a' && l <= 'f' ? l - 'a' + 10
                                                  : -1;
      if (d < 0) return false;
      value = value * (hex ? 16 : 10) + static_cast<std::uint32_t>(d);
    }
    const bool space = value == 0xA0 || value < 0x20;
    const bool surrogate = value >= 0xD800 && value < 0xE000;
    if (surrogate || value > 0xFFFF) return false;
    replace(length, space ? " " : utf8(value));
    return true;
  }

  bool latex() {
    const char next = peek(1);
    if (next == '\\') {
      replace(2, "\n");
      return true;
    }
    if (next == ',' || next == ';' || next == ':' || next == '!') {
      if (next != ',' && next != ';') return false;
      replace(2, " ");
      return true;
    }
    if (next == '(' || next == ')' || next == '[' || next == ']') {
      replace(2, " ");
      return true;
    }
    if (next == '%' || next == '_' || next == '*' || next == '#' ||
        next == '&' || next == '$' || next == '.' || next == '-' ||
        next == '~' || next == '>' || next == '<' || next == '`') {
      ++at_;
      out_.add(text_.substr(at_, 1), at_);
      ++at_;
      return true;
    }
    return is_letter(next) && command();
  }

  bool command() {
    std::size_t length = 0;
    while (length < 20 && is_letter(peek(1 + length))) ++length;
    const std::string_view name = text_.substr(at_ + 1, length);
    for (const Sign& sign : kLatex) {
      if (sign.name != name) continue;
      replace(1 + length, sign.text);
      return true;
    }
    if (one_of(name, kLatexWrappers) && peek(1 + length) == '{') {
      const std::size_t close = text_.substr(at_, 400).find('}');
      if (close == std::string_view::npos) return false;
      const std::size_t open = at_ + length + 2;
      out_.add(text_.substr(open, at_ + close - open), open);
      at_ += close + 1;
      return true;
    }
    return name == "frac" && fraction(5);
  }

  // \frac{a}{b} as a / b
  bool fraction(std::size_t length) {
    if (peek(length) != '{') return false;
    const std::size_t open = at_ + length + 1;
    const std::size_t over = text_.substr(open, 200).find("}{");
    if (over == std::string_view::npos) return false;
    const std::size_t middle = open + over;
    const std::size_t under = text_.substr(middle + 2, 200).find('}');
    if (under == std::string_view::npos) return false;
    const std::size_t close = middle + 2 + under;
    out_.add(text_.substr(open, middle - open), open);
    out_.put(" / ", middle);
    out_.add(text_.substr(middle + 2, close - middle - 2), middle + 2);
    at_ = close + 1;
    return true;
  }

  // [words](target) leaves the words, ![...](...) and [^1] nothing.
  bool link() {
    const bool image = text_[at_] == '!';
    if (image && peek(1) != '[') return false;
    const std::size_t open = at_ + (image ? 2 : 1);
    if (!image && peek(1) == '^') {
      const std::size_t close = text_.substr(at_, 24).find(']');
      if (close == std::string_view::npos) return false;
      at_ += close + 1;
      return true;
    }
    const std::string_view near = text_.substr(open, 400);
    const std::size_t close = near.find("](");
    if (close == std::string_view::npos || near.find('\n') < close ||
        near.find('[') < close) {
      return false;
    }
    const std::size_t target = open + close + 2;
    const std::size_t end = text_.substr(target, 2000).find(')');
    if (end == std::string_view::npos) return false;
    if (!image) out_.add(text_.substr(open, close), open);
    at_ = target + end + 1;
    return true;
  }

  // A star between numbers multiplies; around words it is emphasis, and at
  // the beginning of a line a bullet.
  bool emphasis() {
    const char c = text_[at_];
    std::size_t run = 1;
    while (peek(run) == c && run < 4) ++run;
    const char before = at_ > 0 ? text_[at_ - 1] : '\n';
    const char after = peek(run);
    const auto word = [](char x) {
      return is_letter(x) || is_digit(x) || static_cast<unsigned char>(x) > 127;
    };
    if (c == '_' && word(before) && word(after)) {
      out_.put(" ", at_);
      at_ += run;
      return true;
    }
    if (c == '*' && run <= 2) {
      const bool power = run == 2 && is_digit(before) && is_digit(after);
      const bool product = is_blank(before) && is_blank(after);
      const bool factors = word(before) && word(after) && run == 1;
      const bool bullet = before == '\n' && is_blank(after);
      if (power || product || factors || bullet) {
        out_.add(text_.substr(at_, run), at_);
        at_ += run;
        return true;
      }
    }
    at_ += run;
    return true;
  }

  // ~~struck~~ text is retracted.
  bool struck() {
    if (peek(1) != '~') return false;
    const std::size_t end = text_.find("~~", at_ + 2);
    if (end == std::string_view::npos) return false;
    at_ = end + 2;
    while (peek() == '~') ++at_;
    return true;
  }

  // $ around a formula; a price keeps its sign.
  bool dollar() {
    std::size_t run = peek(1) == '$' ? 2 : 1;
    at_ += run;
    return true;
  }

  bool wide() {
    const auto byte = [&](std::size_t i) {
      return static_cast<unsigned char>(peek(i));
    };
    if (byte(0) == 0xC2 && byte(1) == 0xAD) return drop(2);  // soft hyphen
    if (byte(0) == 0xE2 && byte(1) == 0x80) {
      const bool hidden = (byte(2) >= 0x8B && byte(2) <= 0x8F) ||
                          (byte(2) >= 0xAA && byte(2) <= 0xAE);
      if (hidden) return drop(3);
      if (byte(2) == 0xA8 || byte(2) == 0xA9) return instead(3, "\n");
      if (byte(2) == 0x90 || byte(2) == 0x91) return instead(3, "-");
      if (byte(2) == 0x98 || byte(2) == 0x99) return instead(3, "'");
    }
    if (byte(0) == 0xE2 && byte(1) == 0x81 && byte(2) == 0xA0) return drop(3);
    if (byte(0) == 0xEF && byte(1) == 0xBB && byte(2) == 0xBF) return drop(3);
    if (byte(0) == 0xEF && (byte(1) == 0xBC || byte(1) == 0xBD)) {
      // Full-width forms stand for ASCII.
      const unsigned c = (byte(1) - 0xBCu) * 64u + (byte(2) - 0x80u) + 0x20u;
      if (byte(2) >= 0x80 && c > 0x20 && c < 0x7F) {
        return instead(3, std::string(1, static_cast<char>(c)));
      }
    }
    return false;
  }

  bool drop(std::size_t length) {
    at_ += length;
    return true;
  }
  bool instead(std::size_t length, std::string_view with) {
    replace(length, with);
    return true;
  }

  std::string_view text_;
  CleanText out_;
  std::size_t at_ = 0;
  bool html_ = false;
};

}  // namespace

CleanText clean_prose(std::string_view text) {
  CleanText out = Cleaner(text).run();
  point_decimals(out);
  return out;
}

}  // namespace meshwise
