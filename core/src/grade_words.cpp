// How results are put into words.

#include "grade_parts.h"

namespace meshwise {
namespace {

std::string bytes_words(double value) {
  if (value >= kGiB) return short_number(value / kGiB) + " GiB";
  if (value >= 1e6) return short_number(value / 1e6) + " MB";
  if (value >= 1e3) return short_number(value / 1e3) + " kB";
  return short_number(value) + " B";
}

std::string time_words(double value) {
  if (value >= 1.0) return short_number(value) + " s";
  if (value >= 1e-3) return short_number(value * 1e3) + " ms";
  return short_number(value * 1e6) + " us";
}

const CriterionRule& rule_of(const Judge& judge, std::string_view id) {
  static const CriterionRule kNone{};
  const CriterionRule* rule = judge.data.rubric.find(id);
  return rule == nullptr ? kNone : *rule;
}

}  // namespace

std::string in_units(Dimension dimension, double value) {
  switch (dimension) {
    case Dimension::kBytes:
      return bytes_words(value);
    case Dimension::kBandwidth:
      return short_number(value / kGB) + " GB/s";
    case Dimension::kTime:
      return time_words(value);
    case Dimension::kFlopRate:
      return short_number(value / 1e12) + " TFLOP/s";
    case Dimension::kTokens:
      return grouped(value) + " tokens";
    case Dimension::kRatio:
      return short_number(value * 100.0) + " %";
    case Dimension::kFactor:
      return short_number(value) + "x";
    default:
      return plain_number(value);
  }
}

std::string plan_words(const Plan& plan) {
  std::string words;
  for (Axis axis : kAxes) {
    if (degree(plan, axis) < 2) continue;
    words += words.empty() ? "" : " x ";
    words +=
        std::string(axis_name(axis)) + "=" + std::to_string(degree(plan, axis));
  }
  return words.empty() ? "one GPU" : words;
}

Evidence evidence_of(const Passage& passage, std::string read_as) {
  Evidence evidence;
  evidence.text = passage.text.substr(0, 2000);
  evidence.begin = passage.begin;
  evidence.end = passage.end;
  evidence.read_as = std::move(read_as);
  return evidence;
}

CriterionResult result(const Judge& judge, std::string_view id, double score,
                       std::string_view path, Evidence evidence,
                       std::string says) {
  CriterionResult out;
  out.id = id;
  out.max = rule_of(judge, id).marks;
  out.score = score < 0.0 ? 0.0 : score > out.max ? out.max : score;
  out.verdict = out.score >= out.max ? CriterionVerdict::kPass
                : out.score > 0.0    ? CriterionVerdict::kPartial
                                     : CriterionVerdict::kFail;
  out.note = std::string(id) + "." + std::string(path);
  out.evidence = std::move(evidence);
  out.says = std::move(says);
  return out;
}

CriterionResult review(const Judge& judge, std::string_view id,
                       Evidence evidence, std::string says) {
  CriterionResult out =
      result(judge, id, 0.0, "unread", std::move(evidence), std::move(says));
  out.verdict = CriterionVerdict::kReview;
  return out;
}

CriterionResult unanswered(const Judge& judge, std::string_view id,
                           int question) {
  const Answer& answer = judge.claims.answer;
  for (const UnreadPassage& one : answer.unread) {
    if (one.question != question && one.question != 0) continue;
    return review(judge, id, evidence_of(one.passage),
                  "This part is not in the sheet's form: a person has to read "
                  "it.");
  }
  return result(judge, id, 0.0, "not_answered", {}, "Not answered.");
}

std::string_view criterion_verdict_name(CriterionVerdict v) {
  constexpr std::string_view kNames[] = {"pass", "partial", "fail", "review"};
  return kNames[static_cast<std::size_t>(v)];
}

}  // namespace meshwise
