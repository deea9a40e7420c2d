// Questions 1, 4 and 5.

#include <algorithm>

#include "prose_parts.h"

namespace meshwise {
namespace {

Range whole(const ProseText& text) { return {0, text.text().size()}; }

// ---- question 1 ----

// The first sentence that commits to a constraint: one that says so ("binds",
// "the constraint is") before one that only names one.
Range committing(const ProseText& text) {
  Range first;
  for (const Range sentence : text.sentences) {
    if (sentence.empty() || !text.has("constraint", sentence)) continue;
    if (first.empty()) first = sentence;
    const Mention* cue = text.first("cue", sentence);
    if (cue != nullptr && text.id(*cue) == "q1") return sentence;
  }
  return first;
}

// ---- question 5 ----

// The dimension that a parameter's values have, by its id.
bool fits(std::string_view parameter, const Amount& amount) {
  struct Fit {
    std::string_view parameter;
    Dimension dimension;
  };
  constexpr Fit kFits[] = {{"seq", Dimension::kTokens},
                           {"context", Dimension::kTokens},
                           {"prompt", Dimension::kTokens},
                           {"critical_batch", Dimension::kTokens},
                           {"global_batch", Dimension::kSequences},
                           {"batch", Dimension::kSequences},
                           {"micro_batch", Dimension::kSequences},
                           {"hbm", Dimension::kBytes},
                           {"state_bytes", Dimension::kBytes},
                           {"weight_bytes", Dimension::kBytes},
                           {"kv_bytes", Dimension::kBytes},
                           {"intra_bandwidth", Dimension::kBandwidth},
                           {"inter_bandwidth", Dimension::kBandwidth},
                           {"hbm_bandwidth", Dimension::kBandwidth},
                           {"bandwidth", Dimension::kBandwidth},
                           {"intra_latency", Dimension::kTime},
                           {"inter_latency", Dimension::kTime},
                           {"latency", Dimension::kTime},
                           {"slo", Dimension::kTime},
                           {"measured_step", Dimension::kTime},
                           {"achieved", Dimension::kFlopRate},
                           {"target_speedup", Dimension::kFactor}};
  const Dimension d = amount.dimension;
  for (const Fit& one : kFits) {
    if (one.parameter != parameter) continue;
    // Bytes of one value, not of a model.
    const bool value = parameter.size() > 6 &&
                       parameter.substr(parameter.size() - 6) == "_bytes";
    if (value && amount.value > 64.0) return false;
    if (d == one.dimension) return true;
    const bool batch = one.dimension == Dimension::kSequences ||
                       one.parameter == "critical_batch";
    if (batch && (d == Dimension::kTokens || d == Dimension::kSequences)) {
      return true;
    }
    // "s = 16k" needs no unit, "HBM below 95" does.
    const bool bare = d == Dimension::kNone;
    return bare && (one.dimension == Dimension::kTokens || batch);
  }
  if (parameter == "parameters") {
    const bool count = d == Dimension::kNone || d == Dimension::kCount;
    return amount.scaled || (count && amount.value >= 1e6);
  }
  return d == Dimension::kNone || d == Dimension::kCount;
}

class ThresholdReader {
 public:
  ThresholdReader(const ProseText& text, Answer& answer)
      : text_(text), answer_(answer) {}

  void run() {
    const Mention* parameter = first_parameter();
    answer_.threshold_because = text_.source->whole();
    if (parameter == nullptr) {
      answer_.parameter = first_sentence();
    } else {
      answer_.parameter = text_.source->passage(around(*parameter));
    }
    const std::string id = parameter == nullptr ? "" : text_.id(*parameter);
    const Amount* best = nullptr;
    int most = 0;
    for (const Amount& amount : text_.found.amounts) {
      const int score = score_of(amount, id, parameter);
      if (best == nullptr || score > most) {
        best = &amount;
        most = score;
      }
    }
    const bool by_type = id == "weight_bytes" || id == "kv_bytes";
    if (best == nullptr || most < 1 || (by_type && most < 8)) {
      weight_type();
      return;
    }
    answer_.threshold = text_.source->passage({best->begin, best->end});
    direction(*best);
  }

 private:
  // "Parameter: HBM" names the field before the parameter.
  [[nodiscard]] const Mention* first_parameter() const {
    Range rest = whole(text_);
    for (;;) {
      const Mention* found = text_.first("parameter", rest);
      if (found == nullptr) return nullptr;
      const std::string_view behind = text_.text().substr(found->end, 2);
      const bool label = text_.id(*found) == "parameters" &&
                         found->end - found->begin <= 10 && !behind.empty() &&
                         (behind[0] == ':' || behind[0] == '|');
      if (!label) return found;
      rest.begin = found->end;
    }
  }

  // The parameter's name, with a tier beside it that tells which link.
  [[nodiscard]] Range around(const Mention& parameter) const {
    Range range{parameter.begin, parameter.end};
    const Range clause = text_.clause(parameter.clause);
    if (text_.has("tier", clause)) {
      const Mention* tier = text_.first("tier", clause);
      range.begin = std::min(range.begin, tier->begin);
      range.end = std::max(range.end, tier->end);
    }
    return range;
  }

  [[nodiscard]] Passage first_sentence() const {
    for (const Range sentence : text_.sentences) {
      if (!sentence.empty()) return text_.source->passage(sentence);
    }
    return {};
  }

  [[nodiscard]] int score_of(const Amount& amount, const std::string& id,
                             const Mention* parameter) const {
    int score = 1;
    if (parameter == nullptr) return amount.bound == Bound::kEqual ? 1 : 2;
    if (fits(id, amount)) {
      score += 8;
    } else if (amount.dimension == Dimension::kNone && !amount.scaled) {
      // A bare number may be a factor of a sum.
      score -= 1;
    }
    // "P = ... x 2^30 = 11.6B": the power is a factor of the sum.
    if (id == "parameters" && amount.scaled) score += 3;
    if (amount.bound != Bound::kEqual && score > 1) score += 4;

    const std::size_t from = amount.begin > 20 ? amount.begin - 20 : 0;
    const Mention* cue = text_.first("at_value", {from, amount.begin});
    if (cue != nullptr) score += 2;
    if (amount.sentence == parameter->sentence) score += 1;
    return score;
  }

  // "with int8": the type tells the bytes of a weight.
  void weight_type() {
    const Mention* type = text_.first("weight_type", whole(text_));
    if (type == nullptr) return;
    answer_.threshold = text_.source->passage({type->begin, type->end});
  }

  void direction(const Amount& amount) {
    Range range = text_.clause(amount.clause);
    range.begin = std::min(range.begin, amount.begin);
    answer_.direction = text_.source->passage({range.begin, amount.end});
    if (amount.bound == Bound::kAtLeast) answer_.direction.text = "above";
    if (amount.bound == Bound::kAtMost) answer_.direction.text = "below";
  }

  const ProseText& text_;
  Answer& answer_;
};

}  // namespace

bool says_nothing(const ProseText& text) {
  if (text.blank()) return true;
  if (text.found.amounts.size() > 1 || text.tokens.size() > 60) return false;
  const bool no_words = text.tokens.size() < 3 && text.found.amounts.empty() &&
                        text.found.mentions.empty();
  return no_words || text.has("dont_know", whole(text));
}

void read_question_1(const ProseText& text, Answer& answer) {
  if (text.blank()) return;
  const Range range = committing(text);
  answer.constraint =
      range.empty() ? text.source->whole() : text.source->passage(range);
  answer.constraint_because = text.source->whole();
}

void read_question_4(const ProseText& text, Answer& answer) {
  if (text.blank()) return;
  const Mention* cue = text.first("symptom_cue", whole(text));
  if (cue == nullptr || cue->begin == 0) {
    answer.mode = text.source->whole();
    answer.symptom = text.source->whole();
    return;
  }
  answer.mode = text.source->passage({0, cue->begin});
  answer.symptom = text.source->passage({cue->begin, text.text().size()});
  if (answer.mode.text.size() < 8) answer.mode = text.source->whole();
}

void read_question_5(const ProseText& text, Answer& answer) {
  if (text.blank()) return;
  ThresholdReader(text, answer).run();
}

}  // namespace meshwise
