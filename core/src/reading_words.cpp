// Words, clauses and concepts.

#include <algorithm>

#include "meshwise/reading.h"

namespace meshwise {
namespace {

bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
bool is_letter(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A code point and its length in bytes; a byte that starts none stands alone.
struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 1;
};

CodePoint code_point(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned char first = byte(at);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC0 || at + length > text.size()) return {0xFFFD, 1};
  std::uint32_t value = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {0xFFFD, 1};
    value = (value << 6) | (byte(at + i) & 0x3Fu);
  }
  return {value, length};
}

bool is_wide_letter(std::uint32_t c) {
  if (c < 0xC0 || c == 0xD7 || c == 0xF7 || c == 0xFFFD) return false;
  return !(c >= 0x2000 && c <= 0x2BFF) && !(c >= 0x3000 && c <= 0x303F) &&
         !(c >= 0xFF00 && c <= 0xFF0F);
}

// Signs of a script without blanks, each a word of its own.
bool is_ideograph(std::uint32_t c) { return c >= 0x3400 && c <= 0x9FFF; }

// An arrow up or down says which way a metric moves.
bool is_vertical_arrow(std::uint32_t c) { return c == 0x2191 || c == 0x2193; }

// Arrows and dashes end a clause.
bool wide_break(std::uint32_t c) {
  return (c >= 0x2013 && c <= 0x2014) || (c >= 0x2190 && c <= 0x21FF) ||
         c == 0x3001 || c == 0xFF0C || c == 0xFF1B || c == 0xFF1A;
}
bool wide_stop(std::uint32_t c) { return c == 0x3002 || c == 0xFF01; }

// Words that a full stop may follow inside a sentence.
bool is_abbreviation(std::string_view word) {
  constexpr std::string_view kWords[] = {
      "min",  "max",  "approx", "ca",  "vs",  "g",   "e",  "mrd", "mio",
      "resp", "incl", "bzw",    "cf",  "no",  "fig", "eq", "bw",  "avg",
      "z",    "b",    "h",      "etc", "typ", "ggf", "d"};
  return std::find(std::begin(kWords), std::end(kWords), word) !=
         std::end(kWords);
}

void fold_plural(std::string& word) {
  const std::size_t n = word.size();
  if (n > 3 && word[n - 1] == 's' && word[n - 2] != 's' && word[n - 2] != 'u' &&
      word[n - 2] != 'i') {
    word.pop_back();
  }
}

// Splits a text, one call a byte or code point.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<WordToken> run() {
    while (at_ < text_.size()) step();
    flush();
    return std::move(tokens_);
  }

 private:
  enum class Kind { kNone, kLetters, kDigits };

  void step() {
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (is_letter(c)) {
      take(Kind::kLetters, 1,
           static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c));
    } else if (is_digit(c)) {
      take(Kind::kDigits, 1, static_cast<char>(c));
    } else if (c >= 0x80) {
      wide();
    } else {
      punctuation(c);
    }
  }

  void take(Kind kind, std::size_t length, char c) {
    if (kind_ != kind) flush();
    if (kind_ == Kind::kNone) begin_ = at_;
    kind_ = kind;
    word_ += c;
    at_ += length;
  }

  void wide() {
    const CodePoint c = code_point(text_, at_);
    if (c.value == 0x2019 && kind_ == Kind::kLetters) {
      apostrophe(c.length);
      return;
    }
    if (is_ideograph(c.value) || is_vertical_arrow(c.value)) {
      flush();
      begin_ = at_;
      kind_ = Kind::kLetters;
      word_.append(text_.substr(at_, c.length));
      at_ += c.length;
      flush();
      return;
    }
    if (is_wide_letter(c.value)) {
      if (kind_ != Kind::kLetters) flush();
      if (kind_ == Kind::kNone) begin_ = at_;
      kind_ = Kind::kLetters;
      word_.append(text_.substr(at_, c.length));
      // The capitals of Latin-1 fold as ASCII's do.
      if (c.value >= 0xC0 && c.value <= 0xDE) word_.back() += 0x20;
    } else {
      flush();
      if (wide_break(c.value)) ++clause_;
      if (wide_stop(c.value)) stop();
    }
    at_ += c.length;
  }

  void apostrophe(std::size_t length) {
    const bool t = at_ + length < text_.size() &&
                   (text_[at_ + length] == 't' || text_[at_ + length] == 'T');
    const bool negates = t && word_.size() > 1 && word_.back() == 'n';
    if (negates) word_.pop_back();
    const char next = at_ + length < text_.size() ? text_[at_ + length] : ' ';
    const char behind =
        at_ + length + 1 < text_.size() ? text_[at_ + length + 1] : ' ';
    const bool owns = (next == 's' || next == 'S') &&
                      !is_letter(static_cast<unsigned char>(behind));
    flush();
    at_ += length + (owns ? 1 : 0);  // "TP's" is TP
    if (!negates) return;
    begin_ = at_;
    push("not");
    ++at_;
  }

  void punctuation(unsigned char c) {
    if (c == '\'' && kind_ == Kind::kLetters) {
      apostrophe(1);
      return;
    }
    const bool abbreviated = c == '.' && is_abbreviation(word_);
    flush();
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
    const char before = at_ > 0 ? text_[at_ - 1] : ' ';
    const bool digits = is_digit(static_cast<unsigned char>(next)) &&
                        is_digit(static_cast<unsigned char>(before));
    if (c == ';' || c == ':' || c == '(' || c == ')' || c == '[' || c == ']' ||
        (c == ',' && !digits)) {
      ++clause_;
    } else if (c == '-' && next == '>') {
      ++clause_;
    } else if (c == '-' && next == ' ' && before == ' ') {
      ++clause_;
    } else if (c == '\n') {
      stop();
    } else if ((c == '.' || c == '!' || c == '?') &&
               (next == ' ' || next == '\n' || next == '\r') &&
               !(abbreviated && goes_on())) {
      stop();
    }
    ++at_;
  }

  // Behind "min." a small letter, a digit or a sign goes on with the sentence.
  [[nodiscard]] bool goes_on() const {
    const char c = at_ + 2 < text_.size() ? text_[at_ + 2] : '\n';
    return c != '\n' && !(c >= 'A' && c <= 'Z');
  }

  void stop() {
    ++clause_;
    ++sentence_;
  }

  void flush() {
    if (kind_ == Kind::kLetters) fold_plural(word_);
    if (kind_ != Kind::kNone && word_ == "cannot") {
      push("can");
      push("not");
    } else if (kind_ != Kind::kNone) {
      push(std::move(word_));
    }
    word_.clear();
    kind_ = Kind::kNone;
  }

  void push(std::string word) {
    WordToken token;
    token.word = std::move(word);
    token.begin = begin_;
    token.end = at_;
    token.clause = clause_;
    token.sentence = sentence_;
    tokens_.push_back(std::move(token));
  }

  std::string_view text_;
  std::vector<WordToken> tokens_;
  std::string word_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  Kind kind_ = Kind::kNone;
  int clause_ = 0;
  int sentence_ = 0;
};

constexpr int kNegation = -1;
constexpr int kBreak = -2;

bool is_verb(const WordToken& token) {
  const std::string& w = token.word;
  return w == "is" || w == "are" || w == "was" || w == "doe" || w == "do" ||
         w == "will" || w == "can" || w == "wo" || w == "ca";
}

}  // namespace

std::vector<WordToken> split_words(std::string_view text) {
  return Splitter(text.substr(0, kMaxFieldBytes)).run();
}

void Lexicon::add(const std::string& text, int concept_index) {
  Phrase phrase;
  phrase.concept_index = concept_index;
  for (WordToken& token : split_words(text)) {
    phrase.words.push_back(std::move(token.word));
  }
  if (phrase.words.empty()) return;
  phrases_[phrase.words.front()].push_back(std::move(phrase));
}

Lexicon::Lexicon(const LexiconData& data) : concepts_(data.concepts) {
  std::vector<std::string> names;
  for (const ConceptWords& one : concepts_) {
    const auto found = std::find(names.begin(), names.end(), one.group);
    groups_.push_back(static_cast<std::size_t>(found - names.begin()));
    if (found == names.end()) names.push_back(one.group);
  }
  group_count_ = names.size();
  for (std::size_t i = 0; i < concepts_.size(); ++i) {
    for (const std::string& words : concepts_[i].words) {
      add(words, static_cast<int>(i));
    }
  }
  for (const std::string& words : data.negations) add(words, kNegation);
  for (const std::string& words : data.breaks) add(words, kBreak);
  for (auto& entry : phrases_) {
    std::stable_sort(entry.second.begin(), entry.second.end(),
                     [](const Phrase& a, const Phrase& b) {
                       return a.words.size() > b.words.size();
                     });
  }
  for (const UnitWord& unit : data.units) {
    if (unit.text.empty()) continue;
    const auto first = static_cast<unsigned char>(unit.text.front());
    units_[first].push_back(unit);
    if (unit.any_case && first >= 'a' && first <= 'z') {
      units_[first - 32u].push_back(unit);
    }
  }
  for (auto& list : units_) {
    std::stable_sort(list.begin(), list.end(),
                     [](const UnitWord& a, const UnitWord& b) {
                       return a.text.size() > b.text.size();
                     });
  }
}

namespace {

// Words that may stand inside a phrase without changing it.
bool is_filler(std::string_view word) {
  constexpr std::string_view kWords[] = {"the", "a",  "an",  "of",  "its",
                                         "all", "my", "our", "der", "des"};
  return std::find(std::begin(kWords), std::end(kWords), word) !=
         std::end(kWords);
}

}  // namespace

// One filler may stand before each further word.
std::size_t Lexicon::matches(const Phrase& phrase,
                             const std::vector<WordToken>& tokens,
                             std::size_t at) {
  std::size_t next = at + 1;
  for (std::size_t i = 1; i < phrase.words.size(); ++i, ++next) {
    const auto same = [&](std::size_t k) {
      return k < tokens.size() && tokens[k].sentence == tokens[at].sentence &&
             tokens[k].word == phrase.words[i];
    };
    if (same(next)) continue;
    if (next >= tokens.size() || !is_filler(tokens[next].word) ||
        !same(next + 1)) {
      return 0;
    }
    ++next;
  }
  return next;
}

namespace {

// "memory is not the constraint": what stands before is negated.
void negate_behind(const std::vector<WordToken>& tokens, std::size_t at,
                   std::size_t last_end, Findings& found) {
  if (found.mentions.empty() || at == 0 || at - last_end > 2) return;
  const Mention last = found.mentions.back();
  if (last.clause != tokens[at].clause || !is_verb(tokens[at - 1])) return;
  for (std::size_t i = found.mentions.size(); i > 0; --i) {
    Mention& mention = found.mentions[i - 1];
    if (mention.end != last.end) break;
    mention.negated = !mention.negated;
  }
}

}  // namespace

// Groups are matched apart, so that "all-reduce on the critical path" is a
// failure mode and "critical path" in it still a reason. A negation that is
// part of a group's own phrase does not negate that group.
void Lexicon::find_mentions(const std::vector<WordToken>& tokens,
                            Findings& found) const {
  const std::size_t groups = group_count_;
  std::vector<std::size_t> taken(groups, 0);  // token index behind the last
  std::vector<bool> negated(groups, false);
  std::size_t last_end = 0;
  int clause = -1;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].clause != clause) negated.assign(groups, false);
    clause = tokens[at].clause;
    const auto bucket = phrases_.find(tokens[at].word);
    if (bucket == phrases_.end()) continue;
    for (const Phrase& phrase : bucket->second) {
      const std::size_t behind = matches(phrase, tokens, at);
      if (behind == 0) continue;
      if (phrase.concept_index == kBreak) negated.assign(groups, false);
      if (phrase.concept_index == kNegation) {
        negate_behind(tokens, at, last_end, found);
        for (std::size_t g = 0; g < groups; ++g) {
          if (taken[g] <= at) negated[g] = !negated[g];
        }
      }
      if (phrase.concept_index < 0) continue;
      const std::size_t group =
          groups_[static_cast<std::size_t>(phrase.concept_index)];
      if (taken[group] > at) continue;
      if (found.mentions.size() >= kMaxMentions) {
        found.truncated = true;
        return;
      }
      taken[group] = last_end = behind;
      Mention mention;
      mention.concept_index = phrase.concept_index;
      mention.begin = tokens[at].begin;
      mention.end = tokens[last_end - 1].end;
      mention.negated = negated[group];
      mention.clause = clause;
      mention.sentence = tokens[at].sentence;
      found.mentions.push_back(mention);
    }
  }
}

Findings Lexicon::find(std::string_view text) const {
  Findings found;
  found.truncated = text.size() > kMaxFieldBytes;
  text = text.substr(0, kMaxFieldBytes);
  const std::vector<WordToken> tokens = split_words(text);
  find_mentions(tokens, found);
  find_amounts(text, tokens, found);
  return found;
}

bool Lexicon::in_group(const Mention& mention, std::string_view group) const {
  return concepts_[static_cast<std::size_t>(mention.concept_index)].group ==
         group;
}

const std::string& Lexicon::id(const Mention& mention) const {
  return concepts_[static_cast<std::size_t>(mention.concept_index)].id;
}

bool Lexicon::is(const Mention& mention, std::string_view group,
                 std::string_view id_) const {
  return in_group(mention, group) && id(mention) == id_;
}

std::string Lexicon::first(const Findings& found,
                           std::string_view group) const {
  for (const Mention& mention : found.mentions) {
    if (!mention.negated && in_group(mention, group)) return id(mention);
  }
  return "";
}

std::vector<std::string> Lexicon::all(const Findings& found,
                                      std::string_view group) const {
  std::vector<std::string> ids;
  for (const Mention& mention : found.mentions) {
    if (mention.negated || !in_group(mention, group)) continue;
    const std::string& name = id(mention);
    if (std::find(ids.begin(), ids.end(), name) == ids.end()) {
      ids.push_back(name);
    }
  }
  return ids;
}

}  // namespace meshwise
