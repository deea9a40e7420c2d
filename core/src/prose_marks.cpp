// What a line of prose begins with: a scenario, a question, a label.

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

bool starts(std::string_view text, std::size_t at, std::string_view what) {
  return text.substr(at, what.size()) == what;
}

constexpr std::string_view kScenarioWords[] = {
    "scenario", "szenario", "escenario", "scénario",
    "answer",   "solution", "场景",      "情景"};
constexpr std::string_view kQuestionWords[] = {
    "question", "frage", "pregunta", "问题", "q.", "q", "ques", "nr."};

class MarkReader {
 public:
  MarkReader(std::string_view line, bool heading,
             const std::vector<std::string>& scenarios)
      : line_(line), heading_(heading), ids_(scenarios) {}

  LineMark run() {
    blanks();
    if (scenario_words() || bare_scenario() || combined()) {
      const std::size_t behind = at_;
      separators();
      if (!question(true)) at_ = behind;
    } else {
      question(heading_);
    }
    if (mark_.scenario >= 0 || mark_.question > 0) separators();
    mark_.text = at_;
    return mark_;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < line_.size() ? line_[at_ + ahead] : '\0';
  }
  void blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }

  // Length of a dash at `at`, 0 if there is none.
  [[nodiscard]] std::size_t dash(std::size_t at) const {
    if (at < line_.size() && line_[at] == '-') return 1;
    if (starts(line_, at, "–") || starts(line_, at, "—")) return 3;
    return 0;
  }

  void separators() {
    for (;;) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == ':' || c == '.' || c == ')' ||
          c == ',' || c == '|' || c == ']') {
        ++at_;
      } else if (const std::size_t length = dash(at_); length > 0) {
        if (length == 1 && peek(1) != ' ') return;
        at_ += length;
      } else {
        return;
      }
    }
  }

  // The known id at `at`; its index, and its length with a variant's seed.
  int id_at(std::size_t at, std::size_t& length, std::string& variant) const {
    int best = -1;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const std::string& id = ids_[i];
      if (!starts(line_, at, id) || (best >= 0 && id.size() <= length)) {
        continue;
      }
      best = static_cast<int>(i);
      length = id.size();
    }
    if (best < 0) return -1;
    variant.clear();
    if (at + length < line_.size() && line_[at + length] == '#') {
      std::size_t end = at + length + 1;
      while (end < line_.size() && is_digit(line_[end])) ++end;
      if (end - at - length > 1 && end - at - length < 20) {
        variant = line_.substr(at + length, end - at - length);
        length = end - at;
      }
    }
    return best;
  }

  [[nodiscard]] bool ends_word(std::size_t at) const {
    if (at >= line_.size()) return true;
    const char c = line_[at];
    return !is_letter(c) && !is_digit(c) && c != '_' && c != '\'';
  }

  // Length of a word of the list at the beginning, without regard to case.
  template <std::size_t N>
  std::size_t word_of(const std::string_view (&list)[N]) const {
    for (const std::string_view word : list) {
      bool same = at_ + word.size() <= line_.size();
      for (std::size_t i = 0; same && i < word.size(); ++i) {
        same = lower(line_[at_ + i]) == word[i];
      }
      if (same) return word.size();
    }
    return 0;
  }

  // "Scenario A", and what may stand behind a heading.
  bool scenario_words() {
    const std::size_t word = word_of(kScenarioWords);
    if (word == 0) return false;
    const bool scenario = lower(peek()) != 'a' && !starts_with_solution();
    std::size_t at = at_ + word;
    while (at < line_.size() && (line_[at] == ' ' || line_[at] == ':')) ++at;
    std::size_t length = 0;
    std::string variant;
    const int id = id_at(at, length, variant);
    if (id < 0 || !ends_word(at + length)) return false;
    std::size_t next = at + length;
    while (next < line_.size() && line_[next] == ' ') ++next;
    const char c = next < line_.size() ? line_[next] : '\0';
    const bool sign = c == '\0' || c == ':' || c == '.' || c == '(' ||
                      c == ',' || c == '|' || c == ')' || c == '"' ||
                      c == '/' || c == '[' || dash(next) > 0;
    // "Scenario A is the easy one" is no heading; "Answer B" stands alone.
    if (scenario ? !(sign || heading_ || question_follows(next)) : c != '\0') {
      return false;
    }
    mark_.scenario = id;
    mark_.variant = variant;
    at_ = at + length;
    seed_behind();
    return true;
  }

  [[nodiscard]] bool starts_with_solution() const {
    return lower(peek()) == 's' && lower(peek(1)) == 'o';
  }

  [[nodiscard]] bool question_follows(std::size_t at) const {
    return at + 1 < line_.size() && lower(line_[at]) == 'q' &&
           is_digit(line_[at + 1]);
  }

  // "(seed 7)" behind a scenario
  void seed_behind() {
    if (!mark_.variant.empty()) return;
    std::size_t at = at_;
    while (at < line_.size() && (line_[at] == ' ' || line_[at] == '(' ||
                                 line_[at] == ',' || line_[at] == ':')) {
      ++at;
    }
    for (const std::string_view word : {"seed", "Seed", "variant", "Variant"}) {
      if (!starts(line_, at, word)) continue;
      at += word.size();
      while (at < line_.size() &&
             (line_[at] == ' ' || line_[at] == '=' || line_[at] == ':')) {
        ++at;
      }
      std::size_t end = at;
      while (end < line_.size() && is_digit(line_[end])) ++end;
      if (end == at || end - at > 18) return;
      mark_.variant = "#" + std::string(line_.substr(at, end - at));
      at_ = end;
      return;
    }
  }

  // "A." or "## A" alone on its line.
  bool bare_scenario() {
    std::size_t length = 0;
    std::string variant;
    const int id = id_at(at_, length, variant);
    if (id < 0) return false;
    std::size_t end = at_ + length;
    while (end < line_.size() &&
           (line_[end] == '.' || line_[end] == ':' || line_[end] == ')' ||
            line_[end] == ' ' || line_[end] == '\t')) {
      ++end;
    }
    const char next = peek(length);
    const bool title =
        heading_ && (next == ':' || next == '.' || dash(end) > 0);
    if (end < line_.size() && !title) return false;
    mark_.scenario = id;
    mark_.variant = variant;
    at_ = end;
    return true;
  }

  // "D3.", "A-1)", "B.2", "A Q1"
  bool combined() {
    std::size_t length = 0;
    std::string variant;
    const int id = id_at(at_, length, variant);
    if (id < 0) return false;
    std::size_t at = at_ + length;
    const std::size_t id_end = at;
    while (at < line_.size() && at - id_end < 3 &&
           (line_[at] == '.' || line_[at] == '-' || line_[at] == ' ' ||
            line_[at] == '/' || line_[at] == ',')) {
      ++at;
    }
    const bool q = at < line_.size() && lower(line_[at]) == 'q';
    if (q) ++at;
    if (at >= line_.size() || line_[at] < '1' || line_[at] > '5') return false;
    const char next = at + 1 < line_.size() ? line_[at + 1] : '\0';
    const bool far =
        at - id_end > (q ? 2u : 1u) || (!q && line_[id_end] == ' ');
    const bool closed = next == '.' || next == ')' || next == ':' ||
                        next == '\0' || (q && next == ' ') ||
                        (next == ' ' && dash(at + 2) > 0) || next == '|';
    const bool decimal =
        next == '.' && at + 2 < line_.size() && is_digit(line_[at + 2]);
    if (far || !closed || decimal) return false;
    mark_.scenario = id;
    mark_.variant = variant;
    mark_.question = line_[at] - '0';
    mark_.strong = true;
    at_ = at + 1;
    return true;
  }

  bool question(bool strong) {
    if (mark_.question > 0) return true;
    const std::size_t word = word_of(kQuestionWords);
    if (word > 0) return worded(word);
    std::size_t at = at_;
    const bool open = peek() == '(' || peek() == '[';
    if (open) ++at;
    if (const int circled = circled_digit(at); circled > 0) {
      mark_.question = circled;
      mark_.strong = strong;
      at_ = at + 3;
      return true;
    }
    if (at >= line_.size() || line_[at] < '1' || line_[at] > '5') return false;
    const int number = line_[at] - '0';
    ++at;
    const bool keycap =
        starts(line_, at, "\xEF\xB8\x8F") || starts(line_, at, "\xE2\x83\xA3");
    if (!keycap && !closes(at, open)) return false;
    while (keycap && at < line_.size() &&
           static_cast<unsigned char>(line_[at]) >= 0x80) {
      ++at;
    }
    mark_.question = number;
    mark_.strong = strong;
    at_ = at;
    return true;
  }

  // "1." "1)" "1:" "1 -" "(1)" and, in a heading, "1 Constraint".
  [[nodiscard]] bool closes(std::size_t at, bool open) const {
    const char c = at < line_.size() ? line_[at] : '\0';
    const char next = at + 1 < line_.size() ? line_[at + 1] : '\0';
    if (open) return c == ')' || c == ']';
    if (c == '.') return !is_digit(next);
    if (c == ')' || c == ':' || c == '|') return true;
    if (c == '\0') return heading_;
    if (c == ' ' && dash(at + 1) > 0) {
      const std::size_t behind = at + 1 + dash(at + 1);
      return behind < line_.size() && line_[behind] == ' ';
    }
    return heading_ && c == ' ';
  }

  bool worded(std::size_t word) {
    std::size_t at = at_ + word;
    while (at < line_.size() && (line_[at] == ' ' || line_[at] == '#')) ++at;
    if (at - at_ - word > 2 || at >= line_.size() || line_[at] < '1' ||
        line_[at] > '5') {
      return false;
    }
    if (at + 1 < line_.size() &&
        (is_digit(line_[at + 1]) || is_letter(line_[at + 1]))) {
      return false;
    }
    mark_.question = line_[at] - '0';
    mark_.strong = true;
    at_ = at + 1;
    return true;
  }

  // The circled digits 1 to 5.
  [[nodiscard]] int circled_digit(std::size_t at) const {
    if (!starts(line_, at, "\xE2\x91") || at + 2 >= line_.size()) return 0;
    const int value = static_cast<unsigned char>(line_[at + 2]) - 0xA0 + 1;
    return value >= 1 && value <= 5 ? value : 0;
  }

  std::string_view line_;
  bool heading_;
  const std::vector<std::string>& ids_;
  std::size_t at_ = 0;
  LineMark mark_;
};

}  // namespace

LineMark mark_of(std::string_view line, bool heading,
                 const std::vector<std::string>& scenarios) {
  return MarkReader(line.substr(0, 400), heading, scenarios).run();
}

int label_of(std::string_view head, const Lexicon& lexicon) {
  if (head.size() > 100) return 0;
  const Findings found = lexicon.find(head);
  for (const Mention& mention : found.mentions) {
    if (!lexicon.in_group(mention, "label")) continue;
    return lexicon.id(mention)[1] - '0';
  }
  return 0;
}

}  // namespace meshwise
