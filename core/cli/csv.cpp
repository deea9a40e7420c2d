#include "csv.h"

#include <algorithm>

#include "escape.h"

namespace meshwise::cli {
namespace {

char delimiter_of(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  char best = ',';
  std::ptrdiff_t most = 0;
  for (const char c : {',', ';', '\t'}) {
    const std::ptrdiff_t count = std::count(first.begin(), first.end(), c);
    if (count > most) {
      most = count;
      best = c;
    }
  }
  return best;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    out_.delimiter = delimiter_of(text_);
  }

  Csv run() {
    while (at_ < text_.size() && out_.problem.empty()) row();
    return std::move(out_);
  }

 private:
  void row() {
    const std::size_t start = line_;
    std::vector<std::string> cells;
    for (;;) {
      cells.push_back(cell());
      if (at_ >= text_.size() || text_[at_] != out_.delimiter) break;
      ++at_;
    }
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    ++line_;
    if (cells.size() == 1 && cells[0].empty()) return;
    out_.rows.push_back(std::move(cells));
    out_.lines.push_back(start);
  }

  std::string cell() {
    if (at_ < text_.size() && text_[at_] == '"') return quoted();
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != out_.delimiter &&
           text_[at_] != '\n' && text_[at_] != '\r') {
      ++at_;
    }
    return std::string(text_.substr(start, at_ - start));
  }

  std::string quoted() {
    const std::size_t start = line_;
    std::string out;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c != '"') {
        out += c;
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        out += text_[++at_];
      } else {
        ++at_;
        const bool ends = at_ >= text_.size() || text_[at_] == out_.delimiter ||
                          text_[at_] == '\n' || text_[at_] == '\r';
        if (!ends) fail("text follows a closing quote", line_);
        return out;
      }
    }
    fail("a quote is never closed", start);
    return out;
  }

  void fail(const char* what, std::size_t line) {
    if (!out_.problem.empty()) return;
    out_.problem = what;
    out_.line = line;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  Csv out_;
};

}  // namespace

Csv read_csv(std::string_view text) { return Scanner(text).run(); }

std::string csv_line(const std::vector<std::string>& cells, char delimiter) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += delimiter;
    // "-" is a gradebook's "no score".
    std::string cell = cells[i] == "-" ? cells[i] : csv_cell(cells[i]);
    const bool plain = cell.empty() || cell[0] != '"';
    if (plain && cell.find(delimiter) != std::string::npos) {
      cell.insert(cell.begin(), '"');
      cell += '"';
    }
    out += cell;
  }
  return out + "\n";
}

}  // namespace meshwise::cli
