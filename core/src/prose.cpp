// Prose as a whole: from the text to one answer for each scenario.

#include "meshwise/prose.h"

#include <algorithm>

#include "prose_parts.h"

namespace meshwise {
namespace {

bool is_separator(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == ',' || c == '.' ||
         c == ';' || c == ':' || c == ')' || c == ']' || c == '!' || c == '?';
}

// Ranges of the sentences or clauses that the tokens number.
std::vector<Range> ranges_of(std::string_view text,
                             const std::vector<WordToken>& tokens,
                             int WordToken::*number) {
  std::vector<Range> ranges;
  std::size_t end = 0;
  for (const WordToken& token : tokens) {
    const auto i = static_cast<std::size_t>(token.*number);
    if (i >= ranges.size()) {
      std::size_t begin = end;
      while (begin < token.begin && is_separator(text[begin])) ++begin;
      if (!ranges.empty()) ranges.back().end = begin;
      ranges.resize(i + 1, {begin, begin});
    }
    end = token.end;
    ranges[i].end = end;
  }
  if (!ranges.empty()) ranges.back().end = text.size();
  return ranges;
}

// ---- text without numbers or labels ----

// The question that each sentence of free text answers, from what it speaks
// of and from the one before it.
class Essay {
 public:
  explicit Essay(const ProseText& text) : text_(text) {}

  void run(ProseSection& section) {
    std::array<CleanText, 6> parts;
    for (const Range sentence : text_.sentences) {
      if (sentence.empty()) continue;
      current_ = question_of(sentence);
      seen_[static_cast<std::size_t>(current_)] = true;
      CleanText& to = parts[static_cast<std::size_t>(current_)];
      if (!to.text.empty()) to.put(" ", text_.source->from[sentence.begin]);
      to.append(*text_.source, sentence);
    }
    for (std::size_t q = 1; q < parts.size(); ++q) {
      if (section.questions[q].text.empty()) {
        section.questions[q] = std::move(parts[q]);
      }
    }
  }

 private:
  int question_of(Range sentence) {
    const Mention* cue = text_.first("cue", sentence);
    const int named = cue == nullptr ? 0 : text_.id(*cue)[1] - '0';
    if (named == 4 || named == 5) return named;
    if (named == 1 && (current_ < 2 || !seen_[1])) return 1;
    const bool degrees = has_degrees(sentence);
    if (degrees && (current_ < 2 || !seen_[2])) return 2;
    const bool unused = text_.has("unused", sentence);
    if (unused && current_ > 0 && current_ < 4) return 2;
    const bool tier =
        named == 3 || text_.has("tier", sentence) || has_bandwidth(sentence);
    if (tier && seen_[2] && current_ < 4) return 3;
    if (current_ >= 3 && seen_[4] && conditional(sentence)) return 5;
    if (current_ == 0 && text_.has("constraint", sentence)) return 1;
    return current_;
  }

  [[nodiscard]] bool has_degrees(Range sentence) const {
    Answer trial;
    const CleanText part = [&] {
      CleanText out;
      out.append(*text_.source, sentence);
      return out;
    }();
    if (text_.first("axis", sentence) == nullptr) return false;
    read_plan(ProseText(part, *text_.lexicon), trial);
    return std::any_of(trial.degrees.begin(), trial.degrees.end(),
                       [](const Passage& one) { return !one.blank(); });
  }

  [[nodiscard]] bool has_bandwidth(Range sentence) const {
    return std::any_of(text_.found.amounts.begin(), text_.found.amounts.end(),
                       [&](const Amount& one) {
                         return one.begin >= sentence.begin &&
                                one.end <= sentence.end &&
                                one.dimension == Dimension::kBandwidth;
                       });
  }

  [[nodiscard]] bool conditional(Range sentence) const {
    return text_.has("condition", sentence) && text_.has("parameter", sentence);
  }

  const ProseText& text_;
  int current_ = 0;
  std::array<bool, 6> seen_{};
};

// ---- one scenario ----

// A question of the task's own, repeated before the answer.
Range without_question(const ProseText& text) {
  Range rest{0, text.text().size()};
  for (const Range sentence : text.sentences) {
    if (sentence.empty()) continue;
    const std::string_view words =
        text.text().substr(sentence.begin, sentence.end - sentence.begin);
    const std::size_t mark = words.find_last_not_of(" \n\t\"')");
    const bool asks = mark != std::string_view::npos && words[mark] == '?' &&
                      text.has("asking", sentence);
    if (!asks) break;
    rest.begin = sentence.end;
  }
  return rest;
}

// The position of the first mention of a group that is not negated.
std::size_t first_of(const ProseText& text, std::string_view group) {
  const Mention* found = text.first(group, {0, text.text().size()});
  return found == nullptr ? std::string_view::npos : found->begin;
}

// The first degree that the plan states, in the order of the text.
std::size_t first_degree(const CleanText& all, const Lexicon& lexicon) {
  Answer trial;
  const ProseText text(all, lexicon);
  read_plan(text, trial);
  std::size_t first = std::string_view::npos;
  for (const Passage& one : trial.degrees) {
    if (!one.blank()) first = std::min(first, one.begin);
  }
  if (first == std::string_view::npos) return first;
  const auto at = std::lower_bound(all.from.begin(), all.from.end(), first);
  return static_cast<std::size_t>(at - all.from.begin());
}

void read_section(ProseSection& section, const Lexicon& lexicon,
                  Answer& answer) {
  answer.scenario = section.scenario;
  answer.prose = true;
  // One or two labels do not order a text.
  const auto labelled =
      std::count_if(section.questions.begin() + 1, section.questions.end(),
                    [](const CleanText& one) { return !one.text.empty(); });
  if (!section.numbered && labelled < 3) {
    section.questions = {};
    section.questions[0] = section.all;
  }
  const CleanText loose = section.questions[0];
  if (!loose.text.empty()) Essay(ProseText(loose, lexicon)).run(section);
  std::array<CleanText, 6> parts;
  for (std::size_t q = 1; q < parts.size(); ++q) {
    const ProseText whole(section.questions[q], lexicon);
    if (says_nothing(whole)) continue;
    parts[q].append(section.questions[q], without_question(whole));
  }
  const auto of = [&](std::size_t q) { return ProseText(parts[q], lexicon); };
  const ProseText plan = of(2);
  read_plan(plan, answer);
  read_options(plan, answer);
  read_unused(plan, answer);
  read_question_1(of(1), answer);
  read_question_3(of(3), answer);
  read_tiers_of_plan(plan, answer);
  read_question_4(of(4), answer);
  read_question_5(of(5), answer);
  const std::size_t constraint =
      first_of(ProseText(section.all, lexicon), "constraint");
  answer.opens_with_plan = first_degree(section.all, lexicon) < constraint;
}

bool same_scenario(const ProseSection& a, const ProseSection& b) {
  return a.scenario == b.scenario;
}

// Of several answers to one scenario: the final one, else the first that is
// not retracted and says something.
std::vector<ProseSection*> chosen(ProseSections& sections,
                                  std::vector<std::string>& again) {
  std::vector<ProseSection*> out;
  for (ProseSection& one : sections.list) {
    const auto known = std::find_if(
        out.begin(), out.end(),
        [&](const ProseSection* other) { return same_scenario(*other, one); });
    if (known == out.end()) {
      out.push_back(&one);
      continue;
    }
    ProseSection& first = **known;
    const bool empty = first.blank() || first.retracted;
    const bool usable = !one.blank() && !one.retracted;
    if (usable && (empty || (one.final_version && !first.final_version))) {
      *known = &one;
    } else if (usable &&
               one.questions[1].text.size() + one.questions[2].text.size() >
                   0) {
      again.push_back(one.scenario);
    }
  }
  return out;
}

}  // namespace

ProseText::ProseText(const CleanText& text, const Lexicon& words)
    : source(&text),
      lexicon(&words),
      found(words.find(text.text)),
      tokens(split_words(text.text)),
      sentences(ranges_of(text.text, tokens, &WordToken::sentence)),
      clauses(ranges_of(text.text, tokens, &WordToken::clause)) {}

Range ProseText::sentence(int number) const {
  const auto i = static_cast<std::size_t>(number);
  return i < sentences.size() ? sentences[i] : Range{};
}

Range ProseText::clause(int number) const {
  const auto i = static_cast<std::size_t>(number);
  return i < clauses.size() ? clauses[i] : Range{};
}

const Mention* ProseText::first(std::string_view group, Range range) const {
  auto at = std::lower_bound(
      found.mentions.begin(), found.mentions.end(), range.begin,
      [](const Mention& m, std::size_t begin) { return m.begin < begin; });
  for (; at != found.mentions.end() && at->begin < range.end; ++at) {
    if (!at->negated && in(*at, group)) return &*at;
  }
  return nullptr;
}

bool ProseText::has(std::string_view group, Range range) const {
  return first(group, range) != nullptr;
}

bool ProseText::blank() const { return tokens.empty(); }

ProseDocument read_prose(std::string_view text, const Lexicon& lexicon,
                         const std::vector<std::string>& scenarios) {
  const CleanText clean = clean_prose(text);
  ProseSections sections = read_sections(clean, lexicon, scenarios);
  ProseDocument out;
  out.student = sections.student;
  const std::vector<ProseSection*> list = chosen(sections, out.answered_again);
  const bool named = std::any_of(list.begin(), list.end(), [](const auto* one) {
    return !one->scenario.empty();
  });
  for (ProseSection* one : list) {
    // What stands before the first scenario's heading answers none.
    if (named && one->scenario.empty()) continue;
    out.answers.emplace_back();
    out.answers.back().student = out.student;
    if (!one->retracted) read_section(*one, lexicon, out.answers.back());
    out.answers.back().scenario = one->scenario;
    out.answers.back().prose = true;
  }
  return out;
}

}  // namespace meshwise
