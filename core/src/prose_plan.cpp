// The degrees of a plan in every notation.

#include <algorithm>

#include "prose_parts.h"

namespace meshwise {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

constexpr std::string_view kConnectors[] = {
    "of",     "degree", "degrees",     "is",       "at",     "to",    "size",
    "way",    "the",    "group",       "set",      "factor", "count", "equal",
    "equals", "ranks",  "grad",        "ist",      "de",     "es",    "with",
    "on",     "a",      "parallelism", "parallel", "über",   "auf",   "von"};
constexpr std::string_view kNumberWords[] = {"one", "two",   "four",
                                             "six", "eight", "sixteen"};
// Nouns that make "8 pipeline stages" a degree.
constexpr std::string_view kRankNouns[] = {"rank",  "replica", "stage",
                                           "group", "way",     "worker",
                                           "copy",  "copie",   "shard"};

template <std::size_t N>
bool one_of(std::string_view word, const std::string_view (&list)[N]) {
  return std::find(list, list + N, word) != list + N;
}

// Length of a sign that multiplies or sets degrees apart at `at`.
std::size_t times_sign(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  const char c = text[at];
  if (c == 'x' || c == 'X' || c == '*' || c == '/') return 1;
  for (const std::string_view sign : {"×", "·", "⋅"}) {
    if (text.substr(at, sign.size()) == sign) return sign.size();
  }
  return 0;
}

class PlanReader {
 public:
  PlanReader(const ProseText& text, Answer& answer)
      : text_(text), words_(text.text()), answer_(answer) {}

  void run() {
    for (const Mention& mention : text_.found.mentions) {
      if (text_.in(mention, "axis")) axes_.push_back(&mention);
    }
    values_.resize(axes_.size());
    for (std::size_t i = axes_.size(); i > 0; --i) {
      values_[i - 1] = value_of(i - 1);
    }
    lists();
    take_all();
    replicas();
  }

 private:
  [[nodiscard]] char at(std::size_t i) const {
    return i < words_.size() ? words_[i] : '\0';
  }
  [[nodiscard]] std::size_t skip_blanks(std::size_t i) const {
    while (at(i) == ' ' || at(i) == '\t') ++i;
    return i;
  }
  [[nodiscard]] std::string_view word_at(std::size_t i) const {
    std::size_t end = i;
    while (is_letter(at(end)) || static_cast<unsigned char>(at(end)) >= 0xC3) {
      ++end;
      while (end < words_.size() &&
             (static_cast<unsigned char>(words_[end]) & 0xC0) == 0x80) {
        ++end;
      }
    }
    return words_.substr(i, end - i);
  }

  // The whole number that is written at `begin`, with its power.
  [[nodiscard]] Range number_at(std::size_t begin) const {
    std::size_t end = begin;
    const auto digits = [&] {
      while (is_digit(at(end))) ++end;
    };
    digits();
    if (end == begin) return word_number(begin);
    while ((at(end) == '.' || at(end) == ',') && is_digit(at(end + 1))) {
      ++end;
      digits();
    }
    if (at(end) == '^') {
      const std::size_t open = at(end + 1) == '{' ? 2 : 1;
      if (is_digit(at(end + open))) {
        end += open;
        digits();
        if (open == 2 && at(end) == '}') ++end;
      }
    }
    while (superscript(end) > 0) end += superscript(end);
    return other_quantity(begin, end) ? Range{} : Range{begin, end};
  }

  [[nodiscard]] std::size_t superscript(std::size_t i) const {
    const std::string_view rest = words_.substr(i, 3);
    for (const std::string_view sign : {"¹", "²", "³"}) {
      if (rest.substr(0, 2) == sign) return 2;
    }
    return rest.size() == 3 && rest.substr(0, 2) == "\xE2\x81" &&
                   static_cast<unsigned char>(rest[2]) >= 0xB0
               ? 3
               : 0;
  }

  [[nodiscard]] Range word_number(std::size_t begin) const {
    const std::string_view word = word_at(begin);
    std::string small;
    for (const char c : word) small += lower(c);
    return one_of(small, kNumberWords) ? Range{begin, begin + word.size()}
                                       : Range{};
  }

  // "TP 4 all-reduces", "DP: 4 of the 32", "TP at 300 GB/s" are no degrees.
  [[nodiscard]] bool other_quantity(std::size_t begin, std::size_t end) const {
    const auto amount = std::lower_bound(
        text_.found.amounts.begin(), text_.found.amounts.end(), begin,
        [](const Amount& a, std::size_t b) { return a.begin < b; });
    if (amount != text_.found.amounts.end() && amount->begin == begin) {
      const Dimension d = amount->dimension;
      const bool plain = d == Dimension::kNone || d == Dimension::kCount ||
                         d == Dimension::kFactor;
      if (!plain) return true;
    }
    std::size_t next = skip_blanks(end);
    if (at(next) == '%') return true;
    const std::string_view word = word_at(next);
    return word == "all" || word == "of" || word == "times" ||
           word == "layers" || word == "hops" || word == "nodes" ||
           word == "KV" || word == "heads";
  }

  // What is said of one axis: the number behind its name, or before it.
  Range value_of(std::size_t i) {
    const Range behind = value_behind(i);
    return behind.empty() ? value_before(i) : behind;
  }

  Range value_behind(std::size_t i) {
    std::size_t p = axes_[i]->end;
    int words = 0;
    bool equals = false;
    while (p < words_.size() && words < 6) {
      if (i + 1 < axes_.size() && equals && p == axes_[i + 1]->begin) {
        return values_[i + 1];  // "TP = PP = 1"
      }
      const char c = at(p);
      if (is_digit(c)) return number_at(p);
      if (c == '=') equals = true;
      if (c == '(' && !is_digit(at(p + 1))) {
        const std::size_t close = words_.substr(p, 40).find(')');
        if (close == std::string_view::npos) return {};
        p += close + 1;
      } else if (c == ' ' || c == '=' || c == ':' || c == '-' || c == '(' ||
                 c == '"' || c == '\'' || c == '\t' || c == '_') {
        ++p;
      } else if (is_letter(c) || static_cast<unsigned char>(c) >= 0xC3) {
        const Range number = word_number(p);
        if (!number.empty()) return number;
        const std::string_view word = word_at(p);
        std::string small;
        for (const char l : word) small += lower(l);
        if (word.empty() || !one_of(small, kConnectors)) return {};
        p += word.size();
        ++words;
      } else {
        return {};
      }
    }
    return {};
  }

  // "64-way data parallel", "8 pipeline stages"
  [[nodiscard]] Range value_before(std::size_t i) const {
    std::size_t end = axes_[i]->begin;
    const auto back = [&] {
      while (end > 0 && (at(end - 1) == ' ' || at(end - 1) == '-')) --end;
    };
    back();
    const bool way = end >= 3 && words_.substr(end - 3, 3) == "way";
    const bool fold = end >= 4 && words_.substr(end - 4, 4) == "fach";
    if (way || fold) {
      end -= way ? 3 : 4;
      back();
    } else if (!rank_noun(axes_[i]->end)) {
      return {};
    }
    std::size_t begin = end;
    while (begin > 0 && (is_digit(at(begin - 1)) || is_letter(at(begin - 1)))) {
      --begin;
    }
    if (begin == end) return {};
    if (is_digit(at(begin))) {
      const Range number{begin, end};
      return std::all_of(words_.begin() + static_cast<std::ptrdiff_t>(begin),
                         words_.begin() + static_cast<std::ptrdiff_t>(end),
                         is_digit)
                 ? number
                 : Range{};
    }
    return word_number(begin);
  }

  [[nodiscard]] bool rank_noun(std::size_t behind) const {
    std::size_t p = behind;
    while (at(p) == ' ' || at(p) == '-') ++p;
    std::string word(word_at(p));
    if (!word.empty() && word.back() == 's') word.pop_back();
    return one_of(word, kRankNouns);
  }

  // "dp x tp x pp = 8 x 8 x 1", "TP/PP/DP: 8/2/4", "8 x 8 (dp x tp)"
  void lists() {
    for (std::size_t i = 0; i < axes_.size();) {
      std::size_t last = i;
      while (last + 1 < axes_.size() &&
             only_signs(axes_[last]->end, axes_[last + 1]->begin)) {
        ++last;
      }
      if (last > i) {
        const std::size_t count = last - i + 1;
        std::vector<Range> numbers = numbers_behind(axes_[last]->end);
        if (numbers.size() != count) numbers = numbers_before(axes_[i]->begin);
        for (std::size_t k = 0; k < count && numbers.size() == count; ++k) {
          values_[i + k] = numbers[k];
        }
        // "PP, CP and EP = 1"
        const Range one = values_[last];
        for (std::size_t k = i; k < last && !one.empty(); ++k) {
          if (values_[k].empty()) values_[k] = one;
        }
      }
      i = last + 1;
    }
  }

  [[nodiscard]] bool only_signs(std::size_t begin, std::size_t end) const {
    if (end < begin || end - begin > 8) return false;
    bool sign = false;
    for (std::size_t i = begin; i < end;) {
      const std::size_t times = times_sign(words_, i);
      if (times > 0) {
        sign = true;
        i += times;
      } else if (words_.substr(i, 3) == "and") {
        sign = true;
        i += 3;
      } else if (at(i) == ' ' || at(i) == ',' || at(i) == '&' || at(i) == '+') {
        sign = sign || at(i) != ' ';
        ++i;
      } else {
        return false;
      }
    }
    return sign;
  }

  [[nodiscard]] std::vector<Range> numbers_behind(std::size_t p) const {
    std::vector<Range> out;
    while (at(p) == ' ' || at(p) == '=' || at(p) == ':' || at(p) == ')') ++p;
    while (out.size() < 6) {
      const Range number = number_at(p);
      if (number.empty()) break;
      out.push_back(number);
      p = skip_blanks(number.end);
      const std::size_t times = times_sign(words_, p);
      const bool comma = times == 0 && at(p) == ',';
      if (times == 0 && !comma) break;
      p = skip_blanks(p + (comma ? 1 : times));
    }
    return out;
  }

  [[nodiscard]] std::vector<Range> numbers_before(std::size_t p) const {
    std::vector<Range> out;
    while (p > 0 && (at(p - 1) == ' ' || at(p - 1) == '(')) --p;
    while (p > 0 && out.size() < 6) {
      const std::size_t end = p;
      while (p > 0 && is_digit(at(p - 1))) --p;
      if (p == end) break;
      out.insert(out.begin(), Range{p, end});
      while (p > 0 && at(p - 1) == ' ') --p;
      if (p >= 2 && times_sign(words_, p - 2) == 2) {
        p -= 2;
      } else if (p >= 1 && times_sign(words_, p - 1) == 1) {
        p -= 1;
      } else {
        break;
      }
      while (p > 0 && at(p - 1) == ' ') --p;
    }
    return out;
  }

  // The first number of each axis that is not rejected and stands before an
  // "or" that offers another.
  void take_all() {
    int sentence = -1;
    bool any = false;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const Mention& mention = *axes_[i];
      if (values_[i].empty()) continue;
      if (mention.sentence != sentence) {
        sentence = mention.sentence;
        any = false;
        first_ = mention.begin;
      }
      if (any && alternative_between(first_, mention.begin)) {
        answer_.several = true;
        continue;
      }
      if (mention.negated) continue;
      any = true;
      const auto axis = axis_from_name(text_.id(mention));
      if (!axis.has_value()) continue;
      Passage& to = answer_.degrees[static_cast<std::size_t>(*axis)];
      if (to.blank()) to = text_.source->passage(values_[i]);
    }
  }

  [[nodiscard]] bool alternative_between(std::size_t begin,
                                         std::size_t end) const {
    return text_.has("alternative", {begin, end});
  }

  // "8 replicas": the copies of a plan that states no dp.
  void replicas() {
    Passage& dp = answer_.degrees[static_cast<std::size_t>(Axis::kDp)];
    if (!dp.blank() || axes_.empty()) return;
    for (const Mention& mention : text_.found.mentions) {
      if (!text_.in(mention, "replica") || mention.negated) continue;
      std::size_t end = mention.begin;
      while (end > 0 && at(end - 1) == ' ') --end;
      std::size_t begin = end;
      while (begin > 0 && is_digit(at(begin - 1))) --begin;
      const bool separate =
          begin == 0 || (at(begin - 1) != '.' && !is_letter(at(begin - 1)));
      if (begin == end || !separate) continue;
      dp = text_.source->passage({begin, end});
      return;
    }
  }

  const ProseText& text_;
  std::string_view words_;
  Answer& answer_;
  std::vector<const Mention*> axes_;
  std::vector<Range> values_;
  std::size_t first_ = 0;
};

}  // namespace

void read_plan(const ProseText& text, Answer& answer) {
  PlanReader(text, answer).run();
}

bool in_plan(const Answer& answer, Axis axis) {
  const Passage& degree = answer.degrees[static_cast<std::size_t>(axis)];
  return !degree.blank() && degree.text != "1" && degree.text != "one" &&
         degree.text != "2^0";
}

}  // namespace meshwise
