#include "meshwise/reading.h"

#include <algorithm>

namespace meshwise {
namespace {

bool is_blank(std::string_view text) {
  for (char c : text) {
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return false;
  }
  return true;
}

// A degree in words; 0 if the word is none.
int number_word(std::string_view word) {
  struct Word {
    std::string_view text;
    int value;
  };
  constexpr Word kWords[] = {{"one", 1},     {"none", 1},    {"off", 1},
                             {"unused", 1},  {"two", 2},     {"three", 3},
                             {"four", 4},    {"six", 6},     {"eight", 8},
                             {"ten", 10},    {"twelve", 12}, {"sixteen", 16},
                             {"thirty", 32}, {"sixty", 64}};
  for (const Word& w : kWords) {
    if (w.text == word) return w.value;
  }
  return 0;
}

bool counts(const Amount& amount) {
  return amount.dimension == Dimension::kNone ||
         amount.dimension == Dimension::kCount ||
         amount.dimension == Dimension::kFactor ||
         amount.dimension == Dimension::kSequences;
}

template <class T>
Read<T> unreadable(std::string why) {
  Read<T> read;
  read.state = ReadState::kUnreadable;
  read.why = std::move(why);
  return read;
}

template <class T>
Read<T> taken(T value) {
  Read<T> read;
  read.state = ReadState::kRead;
  read.value = value;
  return read;
}

// Digits that stand right behind letters ("dp64"), or a number in words.
std::int64_t labelled_number(std::string_view text) {
  for (const WordToken& token : split_words(text)) {
    const char c = token.word.empty() ? ' ' : token.word[0];
    if (c >= '0' && c <= '9') {
      const char before = token.begin > 0 ? text[token.begin - 1] : ' ';
      const bool letter =
          (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z');
      if (!letter || token.word.size() > 9) return -1;
      std::int64_t value = 0;
      for (char d : token.word) value = value * 10 + (d - '0');
      return value;
    }
    const int word = number_word(token.word);
    if (word > 0) return word;
  }
  return -1;
}

// The one whole number of a field, from `lower` up. "8 x 8 = 64" is what
// stands behind the last "=".
Read<std::int64_t> read_integer(const Passage& field, const Lexicon& lexicon,
                                std::int64_t lower) {
  if (field.blank()) return {};
  std::string_view text = field.text;
  const std::size_t equals = text.rfind('=');
  if (equals != std::string_view::npos && equals + 1 < text.size()) {
    const Findings tail = lexicon.find(text.substr(equals + 1));
    if (!tail.amounts.empty()) text = text.substr(equals + 1);
  }
  const Findings found = lexicon.find(text);
  if (found.amounts.empty()) {
    const std::int64_t value = labelled_number(text);
    if (value >= lower) return taken(value);
    return unreadable<std::int64_t>("no whole number was found");
  }
  const Amount& first = found.amounts.front();
  const double value = first.value;
  if (!counts(first)) {
    return unreadable<std::int64_t>("the number has a unit of another kind");
  }
  const auto whole =
      value >= -9e15 && value <= 9e15 ? static_cast<std::int64_t>(value) : -1;
  const bool integer =
      static_cast<double>(whole) == value && (first.exact || first.scaled);
  if (!integer && value > 0) {
    return unreadable<std::int64_t>("this must be a whole number");
  }
  if (whole < lower) {
    return unreadable<std::int64_t>("this must be " + std::to_string(lower) +
                                    " or more");
  }
  return taken(whole);
}

Read<int> read_degree(const Passage& field, const Lexicon& lexicon) {
  const Read<std::int64_t> read = read_integer(field, lexicon, 1);
  if (read.unreadable()) return unreadable<int>(read.why);
  if (read.absent()) return {};
  if (read.value > 1000000000) return unreadable<int>("this is too large");
  return taken(static_cast<int>(read.value));
}

Read<int> read_zero(const Passage& field, const Lexicon& lexicon) {
  if (field.blank()) return {};
  const Findings found = lexicon.find(field.text);
  const std::string stage = lexicon.first(found, "zero");
  if (stage.size() == 1) return taken(stage[0] - '0');
  const double value = found.amounts.empty()
                           ? static_cast<double>(labelled_number(field.text))
                           : found.amounts.front().value;
  for (int i = 0; i <= 3; ++i) {
    if (value == i) return taken(i);
  }
  return unreadable<int>("a ZeRO stage is 0, 1, 2 or 3");
}

Read<Recompute> read_recompute(const Passage& field, const Lexicon& lexicon) {
  if (field.blank()) return {};
  const Findings found = lexicon.find(field.text);
  const auto recompute = recompute_from_name(lexicon.first(found, "recompute"));
  if (recompute.has_value()) return taken(*recompute);
  return unreadable<Recompute>("recompute is none, selective or full");
}

void read_batch(const Passage& field, const Lexicon& lexicon, Claims& claims) {
  if (field.blank()) return;
  const Findings found = lexicon.find(field.text);
  const bool in_tokens = !found.amounts.empty() &&
                         found.amounts[0].dimension == Dimension::kTokens;
  if (!in_tokens) {
    claims.global_batch = read_integer(field, lexicon, 1);
    return;
  }
  const double value = found.amounts[0].value;
  if (value >= 1.0 && value <= 9e15) {
    claims.global_batch_tokens = taken(static_cast<std::int64_t>(value));
  }
}

Read<Amount> first_amount(const Findings& found, const Passage& field) {
  if (field.blank()) return {};
  if (found.amounts.empty()) return unreadable<Amount>("no number was found");
  return taken(found.amounts.front());
}

// A bare number is in TB/s below 100, else in GB/s.
Read<Amount> read_hbm_bandwidth(const Passage& field, const Lexicon& lexicon) {
  Read<Amount> read = first_amount(lexicon.find(field.text), field);
  if (!read.read() || read.value.dimension != Dimension::kNone) return read;
  read.value.dimension = Dimension::kBandwidth;
  read.value.value *= read.value.value < 100.0 ? 1e12 : 1e9;
  read.value.upper = read.value.value;
  return read;
}

// The minimum in the field's own unit where it states none. A number in a
// unit of the wrong kind stays what it is.
Read<Amount> read_minimum(const AxisAnswer& answer, const Lexicon& lexicon) {
  const Findings found = lexicon.find(answer.minimum.text);
  Read<Amount> read = first_amount(found, answer.minimum);
  if (!read.read()) return read;
  for (const Amount& amount : found.amounts) {
    if (amount.dimension == Dimension::kBandwidth ||
        amount.dimension == Dimension::kTime) {
      read.value = amount;
      return read;
    }
  }
  Amount& amount = read.value;
  if (amount.dimension != Dimension::kNone || amount.scaled) return read;
  const double factor = answer.is_latency ? 1e-6 : 1e9;
  amount.dimension =
      answer.is_latency ? Dimension::kTime : Dimension::kBandwidth;
  amount.unit = answer.is_latency ? "us" : "GB/s";
  amount.value *= factor;
  amount.upper *= factor;
  return read;
}

AxisClaim read_axis(const AxisAnswer& answer, const Lexicon& lexicon) {
  AxisClaim claim;
  claim.tier = lexicon.find(answer.tier.text);
  claim.minimum = read_minimum(answer, lexicon);
  claim.because = lexicon.find(answer.because.text);
  std::string named =
      lexicon.first(lexicon.find(answer.algorithm.text), "algorithm");
  if (named.empty()) named = lexicon.first(claim.because, "algorithm");
  const auto algorithm = algorithm_from_name(named);
  if (algorithm.has_value()) {
    claim.algorithm = taken(*algorithm);
  } else if (!answer.algorithm.blank()) {
    claim.algorithm = unreadable<Algorithm>("no algorithm of that name");
  }
  return claim;
}

UnusedClaim read_unused(const UnusedAnswer& answer, const Lexicon& lexicon) {
  UnusedClaim claim;
  claim.because = lexicon.find(answer.because.text);
  if (answer.axis.blank()) {
    const auto axis = axis_from_name(lexicon.first(claim.because, "axis"));
    if (axis.has_value()) claim.axis = taken(*axis);
    return claim;
  }
  const Findings found = lexicon.find(answer.axis.text);
  const auto axis = axis_from_name(lexicon.first(found, "axis"));
  claim.axis = axis.has_value() ? taken(*axis)
                                : unreadable<Axis>(
                                      "an axis is dp, tp, pp, cp "
                                      "or ep");
  return claim;
}

}  // namespace

bool Passage::blank() const { return is_blank(text); }

bool AxisAnswer::blank() const {
  return tier.blank() && minimum.blank() && algorithm.blank() &&
         because.blank();
}

bool Answer::blank(int question) const {
  const auto all_blank = [](const auto& list) {
    return std::all_of(list.begin(), list.end(),
                       [](const auto& one) { return one.blank(); });
  };
  switch (question) {
    case 1:
      return constraint.blank() && constraint_because.blank() &&
             prefill.blank() && decode.blank();
    case 2:
      return all_blank(degrees) && gpus.blank() &&
             std::all_of(unused.begin(), unused.end(), [](const auto& one) {
               return one.axis.blank() && one.because.blank();
             });
    case 3:
      return all_blank(axes);
    case 4:
      return mode.blank() && symptom.blank();
    default:
      return parameter.blank() && threshold.blank() &&
             threshold_because.blank();
  }
}

bool Answer::has_unread(int question) const {
  return std::any_of(unread.begin(), unread.end(), [&](const auto& one) {
    return one.question == question || one.question == 0;
  });
}

Claims read_claims(const Answer& answer, const Lexicon& lexicon) {
  Claims claims;
  claims.answer = answer;
  const auto find = [&](const Passage& field) {
    return lexicon.find(field.text);
  };
  claims.constraint = find(answer.constraint);
  claims.constraint_because = find(answer.constraint_because);
  claims.prefill = find(answer.prefill);
  claims.decode = find(answer.decode);
  for (std::size_t i = 0; i < kAxisCount; ++i) {
    claims.degrees[i] = read_degree(answer.degrees[i], lexicon);
    claims.axes[i] = read_axis(answer.axes[i], lexicon);
  }
  claims.zero = read_zero(answer.zero, lexicon);
  claims.recompute = read_recompute(answer.recompute, lexicon);
  claims.micro_batch = read_integer(answer.micro_batch, lexicon, 1);
  read_batch(answer.global_batch, lexicon, claims);
  claims.gpus = read_integer(answer.gpus, lexicon, 1);
  claims.batch = read_integer(answer.batch, lexicon, 1);
  const Findings context = find(answer.context);
  if (!context.amounts.empty() && context.amounts[0].value >= 1.0 &&
      context.amounts[0].value < 1e12) {
    claims.context = taken(static_cast<std::int64_t>(context.amounts[0].value));
  }
  claims.hbm_bandwidth = read_hbm_bandwidth(answer.hbm_bandwidth, lexicon);
  for (const UnusedAnswer& one : answer.unused) {
    claims.unused.push_back(read_unused(one, lexicon));
  }
  claims.mode = find(answer.mode);
  claims.symptom = find(answer.symptom);
  claims.parameter = find(answer.parameter);
  claims.threshold_text = find(answer.threshold);
  claims.threshold = first_amount(claims.threshold_text, answer.threshold);
  claims.unit = find(answer.unit);
  claims.direction = find(answer.direction);
  claims.threshold_because = find(answer.threshold_because);
  return claims;
}

}  // namespace meshwise
