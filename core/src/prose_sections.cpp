// Which passage answers which scenario and question.

#include <algorithm>

#include "prose_parts.h"

namespace meshwise {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

struct Line {
  Range range;           // without the line's break
  std::size_t text = 0;  // behind blanks, #, and a bullet
  bool heading = false;
  bool bullet = false;
  bool table = false;
  LineMark mark;

  [[nodiscard]] std::size_t indent() const { return text - range.begin; }
};

// The passages of a text by question, as they are met.
class SectionReader {
 public:
  SectionReader(const CleanText& text, const Lexicon& lexicon,
                const std::vector<std::string>& scenarios)
      : text_(text), lexicon_(lexicon), ids_(scenarios) {}

  ProseSections run() {
    split_lines();
    choose_marks();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].table) {
        i = table(i);
      } else {
        line(lines_[i]);
      }
    }
    name_in_order();
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kNoIndent = std::string_view::npos;
  // "What would change the answer" is a label, a sentence is none.
  static constexpr std::ptrdiff_t kMostLabelBlanks = 5;

  [[nodiscard]] std::string_view of(Range range) const {
    return text_.of(range);
  }

  // ---- lines ----

  void split_lines() {
    const std::string_view text = text_.text;
    std::size_t at = 0;
    while (at < text.size()) {
      std::size_t end = text.find('\n', at);
      if (end == std::string_view::npos) end = text.size();
      lines_.push_back(line_of({at, end}));
      at = end + 1;
    }
  }

  [[nodiscard]] Line line_of(Range range) const {
    const std::string_view text = text_.text;
    Line line;
    line.range = range;
    std::size_t at = range.begin;
    const auto blanks = [&] {
      while (at < range.end && is_blank(text[at])) ++at;
    };
    blanks();
    while (at < range.end && text[at] == '#') {
      line.heading = true;
      ++at;
    }
    blanks();
    const bool sign = at + 1 < range.end && is_blank(text[at + 1]) &&
                      (text[at] == '-' || text[at] == '*' || text[at] == '+');
    const bool dot = text.substr(at, 3) == "\xE2\x80\xA2";
    if (sign || dot) {
      line.bullet = true;
      at += dot ? 3 : 1;
      blanks();
    }
    line.text = std::min(at, range.end);
    const std::string_view rest = of({line.text, range.end});
    const auto bars = std::count(rest.begin(), rest.end(), '|');
    line.table = !rest.empty() && (rest[0] == '|' ? bars > 1 : bars > 2);
    if (!line.table) line.mark = mark_of(rest, line.heading, ids_);
    return line;
  }

  static unsigned bit(int question) { return 1u << question; }
  static int count(unsigned set) {
    int n = 0;
    for (; set != 0; set &= set - 1) ++n;
    return n;
  }

  // "Q1" makes a plain "1." a list's number; where no line begins with a
  // number, "(1)" and "Q1" inside the lines are looked for.
  void choose_marks() {
    unsigned strong = 0;
    unsigned weak = 0;
    std::size_t indent = std::string_view::npos;
    for (const Line& line : lines_) {
      if (line.mark.question == 0) continue;
      (line.mark.strong ? strong : weak) |= bit(line.mark.question);
      if (!line.mark.strong) indent = std::min(indent, line.indent());
    }
    const bool keep_weak = count(strong) < 3 && count(weak | strong) >= 2;
    if (count(strong | weak) < 3 && split_inside()) return;
    for (Line& line : lines_) {
      if (line.mark.question == 0 || line.mark.strong) continue;
      if (!keep_weak || line.indent() > indent + 1) {
        line.mark.question = 0;
        line.mark.text = 0;
      }
    }
  }

  // "(5) HBM decides. (1) What binds is ..."
  bool split_inside() {
    unsigned seen = 0;
    std::vector<Line> split;
    for (const Line& line : lines_) {
      Range rest{line.range.begin, line.range.end};
      if (line.table) {
        split.push_back(line);
        continue;
      }
      for (std::size_t at = line.text; at < line.range.end; ++at) {
        const int question = inside_mark(at);
        if (question == 0) continue;
        seen |= bit(question);
        if (at > line.text) {
          split.push_back(line_of({rest.begin, at}));
          rest.begin = at;
        }
      }
      split.push_back(line_of(rest));
    }
    if (count(seen) < 3) return false;
    for (Line& line : split) {
      if (line.mark.question > 0) line.mark.strong = true;
    }
    lines_ = std::move(split);
    return true;
  }

  [[nodiscard]] int inside_mark(std::size_t at) const {
    const std::string_view text = text_.text;
    const char before = at > 0 ? text[at - 1] : ' ';
    if (before != ' ' && before != '\n' && before != '\t') return 0;
    const std::string_view rest = text.substr(at, 4);
    if (rest.size() < 3) return 0;
    const bool bracket = rest[0] == '(' && rest[2] == ')';
    const bool letter =
        (rest[0] == 'Q' || rest[0] == 'q') &&
        (rest[2] == ':' || rest[2] == '.' || rest[2] == ')' || rest[2] == ' ');
    if (!bracket && !letter) return 0;
    return rest[1] >= '1' && rest[1] <= '5' ? rest[1] - '0' : 0;
  }

  // ---- sections ----

  ProseSection& section() {
    if (out_.list.empty()) start("");
    return out_.list[current_];
  }

  void start(std::string scenario) {
    question_ = 0;
    numbered_ = false;
    nested_ = false;
    label_indent_ = kNoIndent;
    if (out_.list.size() >= kMaxProseAnswers) {
      full_ = true;
      return;
    }
    out_.list.emplace_back();
    out_.list.back().scenario = std::move(scenario);
    current_ = out_.list.size() - 1;
  }

  [[nodiscard]] std::string scenario_of(const LineMark& mark) const {
    return ids_[static_cast<std::size_t>(mark.scenario)] + mark.variant;
  }

  // The section that "B2" goes on with.
  void resume(const std::string& scenario) {
    for (std::size_t i = 0; i < out_.list.size(); ++i) {
      if (out_.list[i].scenario == scenario) {
        current_ = i;
        return;
      }
    }
    start(scenario);
  }

  void line(const Line& line) {
    Range rest{line.text, line.range.end};
    if (rest.empty()) {
      previous_end_ = 0;
      return;
    }
    if (name_line(rest)) return;
    const LineMark& mark = line.mark;
    if (mark.scenario >= 0 && mark.question > 0 && !line.heading) {
      resume(scenario_of(mark));
    } else if (mark.scenario >= 0) {
      start(scenario_of(mark));
      section().retracted = says("retract", rest);
      section().final_version = says("final", rest);
    }
    rest.begin += mark.scenario >= 0 || mark.question > 0 ? mark.text : 0;
    if (full_) return;
    if (mark.question > 0) {
      begin_question(mark.question, rest);
    } else if (mark.scenario < 0) {
      labelled(line, rest);
    }
    add(line, rest, mark.question > 0);
  }

  // "Name: Ada" before anything else.
  bool name_line(Range rest) {
    if (!out_.student.empty() || !out_.list.empty() || rest.begin > 2000) {
      return false;
    }
    const std::string_view text = of(rest);
    for (const std::string_view key :
         {"Name:", "name:", "Student:", "student:", "Author:", "NAME:"}) {
      if (text.substr(0, key.size()) != key) continue;
      out_.student = text_.passage({rest.begin + key.size(), rest.end})
                         .text.substr(0, 200);
      return true;
    }
    return false;
  }

  [[nodiscard]] bool says(std::string_view group, Range rest) const {
    const Findings found = lexicon_.find(of(rest).substr(0, 200));
    return !lexicon_.first(found, group).empty();
  }

  void begin_question(int question, Range rest) {
    ProseSection& now = section();
    const auto has = [&](int q) {
      return !now.questions[static_cast<std::size_t>(q)].text.empty();
    };
    // The numbers begin again: another scenario's answer, or a second one.
    if (question == 1 && has(1) && has(2) + has(3) + has(4) + has(5) > 1) {
      start("");
    } else if (has(question)) {
      if (says("final", rest)) {
        section().questions[static_cast<std::size_t>(question)] = {};
      } else {
        dropped_ = true;
        question_ = question;
        return;
      }
    }
    dropped_ = false;
    numbered_ = true;
    nested_ = false;
    section().numbered = true;
    question_ = question;
  }

  // "Failure mode: ..." and "## Failure mode"
  void labelled(const Line& line, Range rest) {
    if (numbered_ && !line.heading) return;
    nested_ = !line.heading && !line.bullet && line.indent() > label_indent_;
    if (nested_) return;
    const std::string_view text = of(rest).substr(0, 120);
    std::size_t end = text.find_first_of(":=|");
    for (const std::string_view dash : {" – ", " — ", " - "}) {
      end = std::min(end, text.find(dash));
    }
    if (line.heading) end = std::min(end, text.size());
    if (end == std::string_view::npos || end > 60 ||
        std::count(text.begin(),
                   text.begin() + static_cast<std::ptrdiff_t>(end),
                   ' ') > kMostLabelBlanks) {
      return;
    }
    const int question = label_of(text.substr(0, end), lexicon_);
    if (question == 0) return;
    label_indent_ = line.bullet ? kNoIndent : line.indent();
    question_ = question;
    dropped_ = false;
  }

  void add(const Line& line, Range rest, bool begins) {
    if (dropped_ || rest.empty()) return;
    ProseSection& now = section();
    CleanText& to = now.questions[static_cast<std::size_t>(question_)];
    // A line that was wrapped goes on with the sentence above.
    const bool wrapped = !begins && !line.bullet && !line.heading &&
                         previous_end_ == line.range.begin &&
                         previous_length_ >= 60 && !opens_with_key(rest);
    for (CleanText* each : {&to, &now.all}) {
      if (!each->text.empty()) {
        each->put(nested_ ? "; " : wrapped ? " " : "\n", rest.begin);
      }
      each->append(text_, rest);
    }
    previous_end_ = line.range.end + 1;
    previous_length_ = line.range.end - line.range.begin;
  }

  // "not_used:", "threshold: 11 us"
  [[nodiscard]] bool opens_with_key(Range rest) const {
    const std::string_view head = of(rest).substr(0, 24);
    const std::size_t end = head.find(':');
    return end != std::string_view::npos &&
           std::count(head.begin(),
                      head.begin() + static_cast<std::ptrdiff_t>(end),
                      ' ') <= 2 &&
           (end + 1 == head.size() || is_blank(head[end + 1]));
  }

  // ---- tables ----

  // More columns than any answer has; the last cell takes the rest.
  static constexpr std::size_t kMostCells = 64;
  struct Row {
    std::vector<Range> cells;
    bool rule = false;
  };

  [[nodiscard]] Row row_of(const Line& line) const {
    const std::string_view text = text_.text;
    Row row;
    row.rule = true;
    std::size_t at = line.text;
    if (at < line.range.end && text[at] == '|') ++at;
    while (at < line.range.end) {
      std::size_t end = at;
      const bool last = row.cells.size() + 1 >= kMostCells;
      while (end < line.range.end && (last || text[end] != '|')) ++end;
      Range cell{at, end};
      while (!cell.empty() && is_blank(text[cell.begin])) ++cell.begin;
      while (!cell.empty() && is_blank(text[cell.end - 1])) --cell.end;
      for (const char c : of(cell)) {
        if (c != '-' && c != ':' && c != '=' && c != ' ') row.rule = false;
      }
      row.cells.push_back(cell);
      at = end + 1;
    }
    return row;
  }

  // Reads the table that begins at line `first`; the index of its last line.
  std::size_t table(std::size_t first) {
    std::size_t last = first;
    while (last + 1 < lines_.size() && lines_[last + 1].table) ++last;
    const Row head = row_of(lines_[first]);
    if (axis_columns(head) > 1) {
      for (std::size_t i = first + 1; i <= last; ++i) {
        axis_row(lines_[i], head, row_of(lines_[i]));
      }
      return last;
    }
    const std::vector<LineMark> marks = head_marks(head);
    int scenarios = 0;
    int questions = 0;
    for (const LineMark& mark : marks) {
      scenarios += mark.scenario >= 0;
      questions += mark.question > 0;
    }
    for (std::size_t i = first; i <= last; ++i) {
      const Row row = row_of(lines_[i]);
      if (row.rule || row.cells.empty()) continue;
      if (i == first && (scenarios > 1 || questions > 2)) continue;
      if (scenarios > 1 || questions > 2) {
        wide_row(lines_[i], row, marks);
      } else {
        narrow_row(lines_[i], row);
      }
    }
    return last;
  }

  [[nodiscard]] bool names_axis(Range cell) const {
    constexpr std::size_t kLongestName = 24;
    if (cell.empty() || cell.end - cell.begin > kLongestName) return false;
    return !lexicon_.first(lexicon_.find(of(cell)), "axis").empty();
  }

  [[nodiscard]] std::ptrdiff_t axis_columns(const Row& head) const {
    return std::count_if(head.cells.begin(), head.cells.end(),
                         [&](Range cell) { return names_axis(cell); });
  }

  // "| dp | tp |" over "| 8 | 4 |" says "dp: 8; tp: 4"; a row's own label
  // ("tier") stands behind the axis.
  void axis_row(const Line& line, const Row& head, const Row& row) {
    if (row.rule || row.cells.empty()) return;
    const bool labelled = !names_axis(head.cells[0]);
    const Range label = labelled ? row.cells[0] : Range{};
    const LineMark mark = mark_of(of(label), true, ids_);
    if (mark.scenario >= 0) resume(scenario_of(mark));
    if (full_) return;
    const int asked = label_of(of(label), lexicon_);
    if (asked > 0) {
      question_ = asked;
    } else if (question_ < 2) {
      question_ = 2;
    }
    dropped_ = false;
    const bool tells = mark.scenario < 0 && !label.empty();
    ProseSection& now = section();
    CleanText& to = now.questions[static_cast<std::size_t>(question_)];
    for (CleanText* each : {&to, &now.all}) {
      if (!each->text.empty()) each->put("\n", line.range.begin);
      for (std::size_t i = labelled ? 1 : 0;
           i < row.cells.size() && i < head.cells.size(); ++i) {
        if (row.cells[i].empty()) continue;
        each->append(text_, head.cells[i]);
        if (tells) {
          each->put(" ", label.begin);
          each->append(text_, label);
        }
        each->put(": ", row.cells[i].begin);
        each->append(text_, row.cells[i]);
        each->put("; ", row.cells[i].begin);
      }
    }
  }

  [[nodiscard]] std::vector<LineMark> head_marks(const Row& head) const {
    std::vector<LineMark> marks;
    for (const Range cell : head.cells) {
      LineMark mark = mark_of(of(cell), true, ids_);
      if (mark.scenario < 0 && mark.question == 0) {
        mark.question = label_of(of(cell), lexicon_);
      }
      marks.push_back(mark);
    }
    return marks;
  }

  // A column for each scenario, or for each question.
  void wide_row(const Line& line, const Row& row,
                const std::vector<LineMark>& marks) {
    LineMark own = mark_of(of(row.cells[0]), true, ids_);
    if (own.question == 0) own.question = label_of(of(row.cells[0]), lexicon_);
    for (std::size_t i = 1; i < row.cells.size() && i < marks.size(); ++i) {
      const LineMark& column = marks[i];
      const LineMark& scenario = column.scenario >= 0 ? column : own;
      if (scenario.scenario >= 0) resume(scenario_of(scenario));
      question_ = column.question > 0 ? column.question : own.question;
      numbered_ = true;
      dropped_ = false;
      section().numbered = true;
      if (!full_) add(line, row.cells[i], true);
    }
  }

  // A row for each question, or for each field.
  void narrow_row(const Line& line, const Row& row) {
    const Range head = row.cells[0];
    const LineMark mark = mark_of(of(head), true, ids_);
    const int question =
        mark.question > 0 ? mark.question : label_of(of(head), lexicon_);
    if (mark.scenario >= 0) resume(scenario_of(mark));
    if (full_) return;
    if (question > 0) {
      question_ = question;
      dropped_ = false;
    }
    if (row.cells.size() < 2) {
      add(line, head, true);
      return;
    }
    // A number alone is no text; a label belongs to what stands beside it.
    const bool number_only = mark.question > 0;
    const Range last = row.cells.back();
    Range rest{row.cells[1].begin, last.end};
    if (rest.empty()) return;
    if (!number_only) add(line, head, true);
    ProseSection& now = section();
    CleanText& to = now.questions[static_cast<std::size_t>(question_)];
    for (CleanText* each : {&to, &now.all}) {
      if (!each->text.empty()) {
        each->put(number_only ? "\n" : ": ", rest.begin);
      }
      each->append(text_, rest);
    }
  }

  // Answers without a name, as many as there are scenarios: in their order.
  void name_in_order() {
    std::vector<std::string> bases;
    for (const std::string& id : ids_) {
      if (id.size() == 1) bases.push_back(id);
    }
    const bool unnamed =
        std::all_of(out_.list.begin(), out_.list.end(),
                    [](const auto& one) { return one.scenario.empty(); });
    if (!unnamed || bases.size() < 2 || out_.list.size() != bases.size()) {
      return;
    }
    for (std::size_t i = 0; i < bases.size(); ++i) {
      out_.list[i].scenario = bases[i];
    }
  }

  const CleanText& text_;
  const Lexicon& lexicon_;
  const std::vector<std::string>& ids_;
  std::vector<Line> lines_;
  ProseSections out_;
  std::size_t current_ = 0;
  int question_ = 0;
  bool numbered_ = false;
  bool dropped_ = false;  // a second answer to the question
  bool nested_ = false;   // indented under a label
  std::size_t label_indent_ = kNoIndent;
  bool full_ = false;
  std::size_t previous_end_ = 0;
  std::size_t previous_length_ = 0;
};

}  // namespace

bool ProseSection::blank() const {
  return std::all_of(questions.begin(), questions.end(), [](const auto& one) {
    return one.text.find_first_not_of(" \t\n") == std::string::npos;
  });
}

ProseSections read_sections(const CleanText& text, const Lexicon& lexicon,
                            const std::vector<std::string>& scenarios) {
  return SectionReader(text, lexicon, scenarios).run();
}

}  // namespace meshwise
