// Numbers with their units.

#include <cmath>

#include "meshwise/reading.h"

namespace meshwise {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

bool starts(std::string_view text, std::size_t at, std::string_view what) {
  return text.substr(at, what.size()) == what;
}

// Three digits and no fourth.
bool group_of_three(std::string_view text, std::size_t at) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (at + i >= text.size() || !is_digit(text[at + i])) return false;
  }
  return at + 3 >= text.size() || !is_digit(text[at + 3]);
}

// Length of a mark that sets thousands apart at `at`, 0 if none. `again`: a
// group stands before it already.
std::size_t group_mark(std::string_view text, std::size_t at, bool again) {
  if (at >= text.size()) return 0;
  if (text[at] == ',' || text[at] == '\'') return 1;
  if (starts(text, at, "\xC2\xA0")) return 2;      // no-break space
  if (starts(text, at, "\xE2\x80\xAF")) return 3;  // narrow no-break space
  if (starts(text, at, "\xE2\x80\x89")) return 3;  // thin space
  // A plain space sets two or more groups apart: "2 097 152".
  if (text[at] == ' ' && group_of_three(text, at + 1) &&
      (again || (at + 4 < text.size() && text[at + 4] == ' ' &&
                 group_of_three(text, at + 5)))) {
    return 1;
  }
  return 0;
}

double power(double base, int exponent) {
  double result = 1.0;
  const int n = exponent < 0 ? -exponent : exponent;
  for (int i = 0; i < n && i < 400; ++i) result *= base;
  return exponent < 0 ? 1.0 / result : result;
}

// A superscript digit at `at`: its value and length; -1 if none.
int superscript(std::string_view text, std::size_t at, std::size_t& length) {
  constexpr std::string_view kLatin[] = {"\xC2\xB9", "\xC2\xB2", "\xC2\xB3"};
  for (int i = 0; i < 3; ++i) {
    if (starts(text, at, kLatin[i])) {
      length = 2;
      return i + 1;
    }
  }
  if (starts(text, at, "\xE2\x81") && at + 2 < text.size()) {
    const int value = static_cast<unsigned char>(text[at + 2]) - 0xB0;
    length = 3;
    if (value == 0 || (value >= 4 && value <= 9)) return value;
  }
  return -1;
}

// One number from `at`: digits, groups, fraction, exponent, power.
class NumberScan {
 public:
  NumberScan(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  double run() {
    const std::size_t begin = at_;
    digits();
    grouped(begin);
    fraction();
    exponent();
    times_ten();
    raised();
    return value_;
  }
  [[nodiscard]] std::size_t end() const { return at_; }
  [[nodiscard]] bool exact() const { return exact_; }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void digits() {
    while (is_digit(peek())) {
      value_ = value_ * 10.0 + (peek() - '0');
      ++at_;
    }
  }

  // "2,097,152"; "0,53" and "3,5" are decimal commas.
  void grouped(std::size_t begin) {
    if (at_ - begin == 0 || at_ - begin > 3 || text_[begin] == '0') return;
    for (;;) {
      const std::size_t mark = group_mark(text_, at_, grouped_);
      if (mark == 0 || !group_of_three(text_, at_ + mark)) return;
      at_ += mark;
      for (int i = 0; i < 3; ++i, ++at_) {
        value_ = value_ * 10.0 + (peek() - '0');
      }
      grouped_ = true;
    }
  }

  void fraction() {
    const bool point = peek() == '.' || (peek() == ',' && !grouped_);
    if (!point || !is_digit(peek(1))) return;
    ++at_;
    while (is_digit(peek())) {
      fraction_ = fraction_ * 10.0 + (peek() - '0');
      divisor_ *= 10.0;
      ++at_;
      if (divisor_ > 1e17) break;
    }
    while (is_digit(peek())) ++at_;
    value_ += fraction_ / divisor_;
    exact_ = false;
  }

  void exponent() {
    if (peek() != 'e' && peek() != 'E') return;
    const std::size_t sign = peek(1) == '-' || peek(1) == '+' ? 1 : 0;
    if (!is_digit(peek(1 + sign))) return;
    const bool down = peek(1) == '-';
    at_ += 1 + sign;
    scale(10.0, read_exponent(), down);
  }

  int read_exponent() {
    int n = 0;
    while (is_digit(peek())) {
      n = n > 1000 ? n : n * 10 + (peek() - '0');
      ++at_;
    }
    return n;
  }

  void scale(double base, int n, bool down) {
    value_ *= power(base, down ? -n : n);
    if (down) exact_ = false;
  }

  // "1.6 x 10^9", "1.6·10⁹"
  void times_ten() {
    std::size_t at = at_;
    while (at < text_.size() && text_[at] == ' ') ++at;
    std::size_t sign = 0;
    if (starts(text_, at, "\xC3\x97") || starts(text_, at, "\xC2\xB7")) {
      sign = 2;
    } else if (at < text_.size() && (text_[at] == 'x' || text_[at] == '*')) {
      sign = 1;
    }
    if (sign == 0) return;
    at += sign;
    while (at < text_.size() && text_[at] == ' ') ++at;
    if (!starts(text_, at, "10")) return;
    std::size_t length = 0;
    const bool raised = starts(text_, at + 2, "^") ||
                        starts(text_, at + 2, "**") ||
                        superscript(text_, at + 2, length) >= 0;
    if (!raised) return;
    const double mantissa = value_;
    at_ = at + 2;
    value_ = 10.0;
    this->raised();
    value_ *= mantissa;
  }

  // "2^21", "2**21", "2²¹"
  void raised() {
    std::size_t skip = peek() == '^' ? 1 : starts(text_, at_, "**") ? 2 : 0;
    if (skip > 0) {
      const bool braces = peek(skip) == '{';
      const std::size_t open = skip + (braces ? 1 : 0);
      const bool down = peek(open) == '-';
      if (!is_digit(peek(open + (down ? 1 : 0)))) return;
      at_ += open + (down ? 1 : 0);
      const int n = read_exponent();
      value_ = power(value_, down ? -n : n);
      if (down) exact_ = false;
      if (braces && peek() == '}') ++at_;
      return;
    }
    int n = 0;
    bool any = false;
    std::size_t length = 0;
    for (int d; (d = superscript(text_, at_, length)) >= 0; at_ += length) {
      n = n > 1000 ? n : n * 10 + d;
      any = true;
    }
    if (any) value_ = power(value_, n);
  }

  std::string_view text_;
  std::size_t at_;
  double value_ = 0.0;
  double fraction_ = 0.0;
  double divisor_ = 1.0;
  bool exact_ = true;
  bool grouped_ = false;
};

bool is_space(std::string_view text, std::size_t at, std::size_t& length) {
  if (at < text.size() && (text[at] == ' ' || text[at] == '\t')) {
    length = 1;
    return true;
  }
  for (std::string_view wide :
       {std::string_view("\xC2\xA0"), std::string_view("\xE2\x80\xAF"),
        std::string_view("\xE2\x80\x89")}) {
    if (starts(text, at, wide)) {
      length = wide.size();
      return true;
    }
  }
  return false;
}

bool same(std::string_view text, std::size_t at, const UnitWord& unit) {
  if (text.size() - at < unit.text.size()) return false;
  for (std::size_t i = 0; i < unit.text.size(); ++i) {
    const char c = text[at + i];
    if ((unit.any_case ? lower(c) : c) != unit.text[i]) return false;
  }
  const std::size_t end = at + unit.text.size();
  const char last = unit.text.back();
  if (end >= text.size()) return true;
  // Letters run on only behind a sign such as "%".
  const char next = text[end];
  if (is_letter(last) || is_digit(last)) {
    return !is_letter(next) && !is_digit(next) && next != '_';
  }
  return true;
}

Bound bound_before(std::string_view text, std::size_t at) {
  const std::size_t from = at > 14 ? at - 14 : 0;
  std::string before;
  for (char c : text.substr(from, at - from)) before += lower(c);
  while (!before.empty() && (before.back() == ' ' || before.back() == '~' ||
                             before.back() == '*')) {
    before.pop_back();
  }
  const auto ends = [&](std::string_view what) {
    return before.size() >= what.size() &&
           before.compare(before.size() - what.size(), what.size(), what) == 0;
  };
  for (std::string_view word : {"at least", ">=", ">", "\xE2\x89\xA5", "above",
                                "over", "more than", "minimum"}) {
    if (ends(word))
      return before.size() >= 2 && ends("->") ? Bound::kEqual : Bound::kAtLeast;
  }
  for (std::string_view word : {"at most", "<=", "<", "\xE2\x89\xA4", "below",
                                "under", "up to", "less than", "maximum"}) {
    if (ends(word)) return Bound::kAtMost;
  }
  return Bound::kEqual;
}

// True when only a sign or word of a range stands between.
bool range_between(std::string_view between) {
  while (!between.empty() && between.front() == ' ') between.remove_prefix(1);
  while (!between.empty() && between.back() == ' ') between.remove_suffix(1);
  return between == "-" || between == "\xE2\x80\x93" || between == "to" ||
         between == ".." || between == "...";
}

// True where a number may begin at the digit `at`.
bool begins_number(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  const char before = text[at - 1];
  return !is_letter(before) && !is_digit(before) && before != '_' &&
         before != '^' && !(before == '.' && at > 1 && is_digit(text[at - 2]));
}

bool negative(std::string_view text, std::size_t at) {
  if (starts(text, at >= 3 ? at - 3 : 0, "\xE2\x88\x92") && at >= 3)
    return true;
  if (at == 0 || text[at - 1] != '-') return false;
  return at < 2 || !(is_digit(text[at - 2]) || is_letter(text[at - 2]) ||
                     text[at - 2] == ')' || text[at - 2] == '-');
}

void merge_range(std::string_view text, Findings& found, Amount& amount) {
  if (found.amounts.empty()) return;
  Amount& low = found.amounts.back();
  const bool bare = low.dimension == Dimension::kNone && low.unit.empty();
  const bool alike = bare || low.dimension == amount.dimension;
  if (!alike || low.written >= amount.written || low.upper != low.value ||
      !range_between(text.substr(low.end, amount.begin - low.end))) {
    return;
  }
  const double factor =
      bare && amount.written != 0.0 ? amount.value / amount.written : 1.0;
  Amount merged = amount;
  merged.value = low.value * factor;
  merged.written = low.written;
  merged.upper = amount.value;
  merged.begin = low.begin;
  merged.bound = low.bound;
  found.amounts.pop_back();
  amount = merged;
}

}  // namespace

std::string_view dimension_name(Dimension dimension) {
  constexpr std::string_view kNames[kDimensionCount] = {
      "none",   "bytes",     "bandwidth", "time",  "flops", "flop_rate",
      "tokens", "sequences", "count",     "ratio", "factor"};
  return kNames[static_cast<std::size_t>(dimension)];
}

const UnitWord* Lexicon::unit_at(std::string_view text, std::size_t at) const {
  if (at >= text.size()) return nullptr;
  for (const UnitWord& unit : units_[static_cast<unsigned char>(text[at])]) {
    if (same(text, at, unit)) return &unit;
  }
  return nullptr;
}

void Lexicon::take_unit(std::string_view text, Amount& amount) const {
  for (int round = 0; round < 2; ++round) {
    std::size_t at = amount.end;
    std::size_t length = 0;
    while (is_space(text, at, length) && at - amount.end < 4) at += length;
    if (at < text.size() && text[at] == '-') ++at;
    const bool adjacent = at == amount.end;
    const UnitWord* unit = unit_at(text, at);
    if (unit == nullptr) return;
    const std::size_t end = at + unit->text.size();
    if (unit->dimension == Dimension::kFactor && unit->text.size() <= 2) {
      std::size_t next = end;
      while (next < text.size() && text[next] == ' ') ++next;
      const bool product = next < text.size() && is_digit(text[next]);
      if (!adjacent || product) return;
    }
    amount.end = end;
    if (unit->text == "B" && adjacent && amount.unit.empty()) {
      amount.value *= 1e9;  // "12B": twelve billion
      amount.scaled = true;
      amount.unit = unit->text;
      continue;
    }
    amount.value *= unit->factor;
    if (!amount.unit.empty() && unit->dimension == Dimension::kNone) return;
    amount.unit += (amount.unit.empty() ? "" : " ") + unit->text;
    if (unit->dimension == Dimension::kNone) {
      amount.scaled = true;
      continue;
    }
    amount.dimension = unit->dimension;
    amount.binary = unit->binary;
    amount.bits = unit->bits;
    return;
  }
}

void Lexicon::find_amounts(std::string_view text,
                           const std::vector<WordToken>& tokens,
                           Findings& found) const {
  std::size_t token = 0;
  for (std::size_t at = 0; at < text.size();) {
    const bool point = text[at] == '.' && at + 1 < text.size() &&
                       is_digit(text[at + 1]) && begins_number(text, at);
    if (!point && !(is_digit(text[at]) && begins_number(text, at))) {
      ++at;
      continue;
    }
    NumberScan scan(text, at);
    Amount amount;
    amount.begin = at;
    amount.written = scan.run();
    amount.exact = scan.exact();
    amount.end = scan.end();
    if (negative(text, at)) amount.written = -amount.written;
    amount.value = amount.written;
    take_unit(text, amount);
    amount.upper = amount.value;
    amount.bound = bound_before(text, at);
    while (token + 1 < tokens.size() && tokens[token].end <= amount.begin) {
      ++token;
    }
    if (token < tokens.size()) {
      amount.clause = tokens[token].clause;
      amount.sentence = tokens[token].sentence;
    }
    at = amount.end > at ? amount.end : at + 1;
    if (!std::isfinite(amount.value)) continue;
    merge_range(text, found, amount);
    if (found.amounts.size() >= kMaxAmounts) {
      found.truncated = true;
      return;
    }
    found.amounts.push_back(std::move(amount));
  }
}

}  // namespace meshwise
