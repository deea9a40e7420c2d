// Text with the place of each of its bytes in the submission, and the
// decimal comma.

#include "prose_parts.h"

namespace meshwise {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits with separators between them: "1.024", "968,6", "8,8,1".
struct Numeral {
  Range range;
  int points = 0;
  int commas = 0;
  std::size_t last = 0;  // digits behind the last separator
};

Numeral numeral_at(std::string_view text, std::size_t at) {
  Numeral out;
  out.range.begin = at;
  while (at < text.size()) {
    const bool more = at + 1 < text.size() && is_digit(text[at + 1]);
    if (is_digit(text[at])) {
      ++out.last;
    } else if ((text[at] == '.' || text[at] == ',') && more) {
      ++(text[at] == '.' ? out.points : out.commas);
      out.last = 0;
    } else {
      break;
    }
    ++at;
  }
  out.range.end = at;
  return out;
}

// "968,6", "1.234,5": one comma, and not three digits behind it.
bool has_decimal_comma(const Numeral& n) {
  return n.commas == 1 && n.last != 3;
}
bool has_decimal_point(const Numeral& n) {
  return n.points == 1 && n.last != 3 && n.commas != 1;
}

template <class Visit>
void each_numeral(std::string_view text, Visit visit) {
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    const Numeral one = numeral_at(text, i);
    visit(one);
    i = one.range.end;
  }
}

// At least two, and more than two for each decimal point.
bool writes_decimal_commas(std::string_view text) {
  std::size_t commas = 0;
  std::size_t points = 0;
  each_numeral(text, [&](const Numeral& one) {
    if (has_decimal_comma(one)) ++commas;
    if (has_decimal_point(one)) ++points;
  });
  return commas >= 2 && commas > 2 * points;
}

}  // namespace

void CleanText::add(std::string_view piece, std::size_t at) {
  text.append(piece);
  for (std::size_t i = 0; i < piece.size(); ++i) {
    from.push_back(static_cast<std::uint32_t>(at + i));
  }
}

void CleanText::put(std::string_view piece, std::size_t at) {
  text.append(piece);
  from.insert(from.end(), piece.size(), static_cast<std::uint32_t>(at));
}

void CleanText::append(const CleanText& other, Range range) {
  text.append(other.text, range.begin, range.end - range.begin);
  from.insert(from.end(),
              other.from.begin() + static_cast<std::ptrdiff_t>(range.begin),
              other.from.begin() + static_cast<std::ptrdiff_t>(range.end));
}

std::string_view CleanText::of(Range range) const {
  return std::string_view(text).substr(range.begin, range.end - range.begin);
}

Passage CleanText::passage(Range range) const {
  const auto blank = [&](std::size_t i) {
    return is_blank(text[i]) || text[i] == '\n';
  };
  while (!range.empty() && blank(range.begin)) ++range.begin;
  while (!range.empty() && blank(range.end - 1)) --range.end;
  Passage out;
  if (range.empty()) return out;
  out.text = of(range);
  out.begin = from[range.begin];
  out.end = std::size_t{from[range.end - 1]} + 1;
  return out;
}

Passage CleanText::whole() const { return passage({0, text.size()}); }

void point_decimals(CleanText& text) {
  if (!writes_decimal_commas(text.text)) return;
  CleanText out;
  std::size_t done = 0;
  each_numeral(text.text, [&](const Numeral& one) {
    const bool grouped =
        one.points > 0 && one.commas <= 1 && (one.last == 3 || one.commas == 1);
    if (!grouped && !has_decimal_comma(one)) return;
    out.append(text, {done, one.range.begin});
    for (std::size_t i = one.range.begin; i < one.range.end; ++i) {
      const char c = text.text[i];
      if (c == ',') {
        out.put(".", text.from[i]);
      } else if (c != '.') {
        out.append(text, {i, i + 1});
      }
    }
    done = one.range.end;
  });
  out.append(text, {done, text.text.size()});
  text = std::move(out);
}

}  // namespace meshwise
