// Reads a sheet back, line by line.

#include <algorithm>
#include <unordered_map>

#include "sheet_fields.h"

namespace meshwise {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

struct Line {
  std::size_t begin = 0;
  std::size_t end = 0;  // without the line break
};

std::string fold(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (letter) {
      out += c;
    } else if (c >= 'A' && c <= 'Z') {
      out += static_cast<char>(c + 32);
    } else if (!out.empty() && out.back() != ' ' && c != '*' && c != '`') {
      out += ' ';
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

class SheetReader {
 public:
  explicit SheetReader(std::string_view text)
      : text_(text), fields_(sheet_fields()) {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      by_label_[fields_[i].label].push_back(i);
    }
  }

  Sheet run() {
    std::size_t at = text_.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
    while (at < text_.size()) {
      std::size_t end = text_.find('\n', at);
      if (end == std::string_view::npos) end = text_.size();
      line({at, end});
      at = end + 1;
    }
    for (Answer& answer : sheet_.answers) finish(answer);
    return std::move(sheet_);
  }

 private:
  static constexpr std::size_t kLabelLimit = 160;
  // So many of its lines make a text the sheet, without its title.
  static constexpr int kFormLabels = 10;

  void finish(Answer& answer) {
    answer.student = sheet_.student;
    auto& unused = answer.unused;
    unused.erase(std::remove_if(unused.begin(), unused.end(),
                                [](const UnusedAnswer& one) {
                                  return one.axis.text.empty() &&
                                         one.because.text.empty();
                                }),
                 unused.end());
  }

  [[nodiscard]] std::string_view of(Line line) const {
    return text_.substr(line.begin, line.end - line.begin);
  }

  static Line trim(std::string_view text, Line line) {
    while (line.begin < line.end && is_space(text[line.begin])) ++line.begin;
    while (line.end > line.begin && is_space(text[line.end - 1])) --line.end;
    return line;
  }

  void line(Line raw) {
    const Line inner = trim(text_, raw);
    const std::string_view whole = of(raw);
    if (target_ != nullptr && whole.substr(0, 3) == "  |" && literal_ok_) {
      literal(raw);
      return;
    }
    if (inner.begin == inner.end) {
      literal_ok_ = false;
      return;
    }
    const std::string_view text = of(inner);
    if (text.front() == '>' || is_rule(text)) {
      target_ = nullptr;
    } else if (text.front() == '#') {
      heading(inner);
    } else if (!labelled(inner)) {
      other(raw, inner);
    }
  }

  static bool is_rule(std::string_view text) {
    return text.size() >= 3 &&
           (text.substr(0, 3) == "---" || text.substr(0, 3) == "***");
  }

  void heading(Line inner) {
    std::size_t at = inner.begin;
    while (at < inner.end && text_[at] == '#') ++at;
    const std::string words = fold(of({at, std::min(inner.end, at + 400)}));
    target_ = nullptr;
    if (words.rfind("scenario", 0) == 0) {
      scenario({at, inner.end});
      return;
    }
    if (words == "answer sheet") {
      sheet_.recognised = true;
      sheet_.form = true;
      return;
    }
    std::size_t digit = 0;
    if (words.rfind("question ", 0) == 0)
      digit = 9;
    else if (words.size() > 1 && words[0] == 'q')
      digit = 1;
    const bool number = digit < words.size() && words[digit] >= '1' &&
                        words[digit] <= '5' &&
                        (digit + 1 == words.size() || words[digit + 1] == ' ');
    if (number) {
      question_ = words[digit] - '0';
    } else {
      unread(inner);
    }
  }

  // "Scenario A: title"
  void scenario(Line inner) {
    inner = trim(text_, inner);
    std::size_t at = inner.begin + 8;
    while (at < inner.end && (is_space(text_[at]) || text_[at] == '*')) ++at;
    std::size_t end = at;
    while (end < inner.end && text_[end] != ':') ++end;
    Line id = trim(text_, {at, end});
    while (id.end > id.begin && text_[id.end - 1] == '*') --id.end;
    const std::size_t limit = std::min(id.end, id.begin + 200);
    sheet_.recognised = true;
    question_ = 0;
    if (sheet_.answers.size() >= kMaxSheetAnswers) {
      unread(inner);
      return;
    }
    start(std::string(of({id.begin, limit})));
  }

  void start(std::string id) {
    sheet_.answers.emplace_back();
    sheet_.answers.back().scenario = std::move(id);
    target_ = nullptr;
  }

  Answer& answer() {
    if (sheet_.answers.empty()) start("");
    return sheet_.answers.back();
  }

  // "- Label (guidance): value"
  bool labelled(Line inner) {
    std::size_t at = inner.begin;
    while (at < inner.end &&
           (text_[at] == '-' || text_[at] == '*' || text_[at] == '+' ||
            text_[at] == '_' || text_[at] == '`' || is_space(text_[at]))) {
      ++at;
    }
    const bool bold = at > inner.begin && text_[at - 1] == '*';
    const std::size_t limit = std::min(inner.end, at + kLabelLimit);
    std::size_t colon = at;
    std::size_t label_end = std::string_view::npos;
    int depth = 0;
    for (; colon < limit; ++colon) {
      const char c = text_[colon];
      if (c == '(' && label_end == std::string_view::npos) label_end = colon;
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if ((c == ':' || c == '=') && depth <= 0) break;
    }
    if (colon >= limit) return false;
    if (label_end == std::string_view::npos) label_end = colon;
    std::size_t value = colon + 1;
    while (bold && value < inner.end &&
           (text_[value] == '*' || text_[value] == '_')) {
      ++value;
    }
    return take(fold(of({at, label_end})), trim(text_, {value, inner.end}),
                inner);
  }

  bool take(const std::string& label, Line value, Line whole) {
    if (label == "student" || label == "name") {
      sheet_.student = std::string(of(value));
      student_.text = sheet_.student;
      target_ = &student_;
      literal_ok_ = true;
      sheet_.recognised = true;
      return true;
    }
    Passage* passage = find(label);
    if (passage == nullptr) return false;
    sheet_.recognised = true;
    if (++labels_ >= kFormLabels) sheet_.form = true;
    // A second value for a field is kept for a person to see.
    if (!passage->text.empty() && value.begin < value.end) {
      unread(whole);
      return true;
    }
    if (value.begin < value.end) {
      *passage = {std::string(of(value)), value.begin, value.end};
    }
    target_ = passage;
    literal_ok_ = value.begin == value.end;
    return true;
  }

  Passage* find(const std::string& label) {
    if (label == "unused axis") {
      answer().unused.emplace_back();
      return &answer().unused.back().axis;
    }
    if (label == "unused because") {
      if (answer().unused.empty()) answer().unused.emplace_back();
      return &answer().unused.back().because;
    }
    const auto known = by_label_.find(label);
    if (known == by_label_.end()) return nullptr;
    const SheetField* chosen = nullptr;
    for (const std::size_t i : known->second) {
      const SheetField& field = fields_[i];
      if (field.question == question_ || chosen == nullptr) chosen = &field;
    }
    if (chosen->axis_field == &AxisAnswer::minimum) {
      auto& axis = answer().axes[static_cast<std::size_t>(chosen->index)];
      if (axis.minimum.text.empty()) axis.is_latency = chosen->latency;
    }
    return &passage_of(answer(), *chosen);
  }

  // "  | text", with \\ and \r.
  void literal(Line raw) {
    std::size_t at = raw.begin + 3;
    if (at < raw.end && text_[at] == ' ') ++at;
    std::size_t end = raw.end;
    if (end > at && text_[end - 1] == '\r') --end;
    std::string decoded;
    for (std::size_t i = at; i < end; ++i) {
      const char next = i + 1 < end ? text_[i + 1] : '\0';
      if (text_[i] == '\\' && (next == '\\' || next == 'r')) {
        decoded += next == 'r' ? '\r' : '\\';
        ++i;
      } else {
        decoded += text_[i];
      }
    }
    append(decoded, {at, end});
  }

  void append(const std::string& text, Line line) {
    if (target_->end == 0) {
      target_->begin = line.begin;
    } else {
      target_->text += "\n";
    }
    target_->text += text;
    target_->end = line.end;
    if (target_ == &student_) sheet_.student = student_.text;
  }

  // A line that is none of the sheet's own: indented, it goes on with the
  // field above.
  void other(Line raw, Line inner) {
    literal_ok_ = false;
    const bool indented = inner.begin >= raw.begin + 2;
    if (indented && target_ != nullptr && target_ != &student_) {
      append(std::string(of(inner)), inner);
      return;
    }
    target_ = nullptr;
    if (!is_template(of(inner))) unread(inner);
  }

  static bool is_template(std::string_view text) {
    return text.rfind("Write behind each colon", 0) == 0 ||
           text == "what does not apply.";
  }

  void unread(Line inner) {
    if (sheet_.answers.empty()) {
      grow(sheet_.unplaced, inner);
      return;
    }
    auto& list = answer().unread;
    if (!list.empty() && list.back().question == question_ &&
        inner.begin <= list.back().passage.end + 3) {
      extend(list.back().passage, inner);
      return;
    }
    UnreadPassage one;
    one.question = question_;
    one.passage = {std::string(of(inner)), inner.begin, inner.end};
    list.push_back(std::move(one));
  }

  void grow(std::vector<Passage>& list, Line inner) {
    if (!list.empty() && inner.begin <= list.back().end + 3) {
      extend(list.back(), inner);
    } else {
      list.push_back({std::string(of(inner)), inner.begin, inner.end});
    }
  }

  void extend(Passage& passage, Line inner) {
    passage.text += "\n";
    passage.text += of(inner);
    passage.end = inner.end;
  }

  std::string_view text_;
  std::vector<SheetField> fields_;
  std::unordered_map<std::string, std::vector<std::size_t>> by_label_;
  Sheet sheet_;
  Passage student_;
  Passage* target_ = nullptr;  // the field that an indented line goes on with
  bool literal_ok_ = false;
  int question_ = 0;
  int labels_ = 0;
};

}  // namespace

Sheet read_sheet(std::string_view text) { return SheetReader(text).run(); }

}  // namespace meshwise
