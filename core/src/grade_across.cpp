// Notes that need more than one scenario.

#include <algorithm>

#include "meshwise/constraint.h"
#include "meshwise/grade.h"

namespace meshwise {
namespace {

// The same task but for the sequence length.
bool differ_in_sequence(const Scenario& a, const Scenario& b) {
  return a.phase == Phase::kTraining && b.phase == Phase::kTraining &&
         a.model == b.model && a.cluster == b.cluster &&
         a.training.seq != b.training.seq;
}

const CriterionResult* find(const GradeReport& report, std::string_view id) {
  for (const QuestionResult& question : report.questions) {
    for (const CriterionResult& one : question.criteria) {
      if (one.id == id) return &one;
    }
  }
  return nullptr;
}

void sequence_notes(const std::vector<GradedAnswer>& answers,
                    std::vector<AcrossNote>& notes) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (std::size_t j = i + 1; j < answers.size(); ++j) {
      const GradedAnswer& a = answers[i];
      const GradedAnswer& b = answers[j];
      if (!differ_in_sequence(*a.scenario, *b.scenario)) continue;
      if (a.report->constraint.empty() ||
          a.report->constraint != b.report->constraint) {
        continue;
      }
      if (binding_constraint(*a.scenario).constraint ==
          binding_constraint(*b.scenario).constraint) {
        continue;
      }
      notes.push_back(
          {"across.same_constraint",
           "Scenarios " + a.scenario->id + " and " + b.scenario->id +
               " differ only in the sequence length, and you name the same "
               "constraint for both: the score matrix grows with the sequence "
               "squared (s^2)."});
    }
  }
}

}  // namespace

std::vector<AcrossNote> grade_across(const std::vector<GradedAnswer>& answers) {
  std::vector<AcrossNote> notes;
  sequence_notes(answers, notes);
  if (answers.size() < 2) return notes;
  std::string no_number;
  std::string no_unused;
  for (const GradedAnswer& one : answers) {
    const CriterionResult* why = find(*one.report, "q3.why");
    if (why != nullptr && why->verdict == CriterionVerdict::kFail) {
      no_number += (no_number.empty() ? "" : ", ") + one.scenario->id;
    }
    const CriterionResult* unused = find(*one.report, "q2.unused");
    if (unused != nullptr && unused->verdict == CriterionVerdict::kFail) {
      no_unused += (no_unused.empty() ? "" : ", ") + one.scenario->id;
    }
  }
  notes.push_back(
      no_number.empty()
          ? AcrossNote{"across.numbers",
                       "Every choice of a tier has its number."}
          : AcrossNote{"across.numbers_missing",
                       "No number justifies the tiers in: " + no_number + "."});
  notes.push_back(
      no_unused.empty()
          ? AcrossNote{"across.unused", "An unused axis is named in each."}
          : AcrossNote{"across.unused_missing",
                       "No unused axis with a reason that holds "
                       "in: " +
                           no_unused + "."});
  return notes;
}

}  // namespace meshwise
