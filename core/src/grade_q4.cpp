// Question 4: the failure mode and its symptom.

#include <algorithm>

#include "grade_parts.h"

namespace meshwise {
namespace {

bool in_phase(const std::vector<Phase>& phases, Phase phase) {
  return phases.empty() ||
         std::find(phases.begin(), phases.end(), phase) != phases.end();
}

const FailureMode* find_mode(const Judge& judge, std::string_view id) {
  for (const FailureMode& mode : judge.data.modes) {
    if (mode.id == id) return &mode;
  }
  return nullptr;
}

// The mode that the text commits to: the first of this phase that is not
// negated; of several in the same words, one that holds.
const FailureMode* read_mode(const Judge& judge) {
  const FailureMode* first = nullptr;
  std::size_t begin = 0;
  for (const Mention& mention : judge.claims.mode.mentions) {
    if (mention.negated || !judge.lexicon().in_group(mention, "mode")) continue;
    const FailureMode* mode = find_mode(judge, judge.lexicon().id(mention));
    if (mode == nullptr) continue;
    const bool usable = in_phase(mode->phases, judge.scenario.phase);
    if (first == nullptr) {
      first = mode;
      begin = mention.end;
    }
    const bool holds = usable && mode_holds(judge, mode->predicate);
    // Words that overlap the first's ("all-reduce ... critical path") may
    // mean either.
    if (holds && (mode == first || mention.begin < begin)) return mode;
  }
  return first;
}

// A generic mode counts in full when it is tied to this plan.
bool tied(const Judge& judge) {
  const auto speaks = [&](const Findings& found) {
    return !judge.lexicon().all(found, "axis").empty() ||
           !found.amounts.empty();
  };
  return speaks(judge.claims.mode) || speaks(judge.claims.symptom);
}

CriterionResult judge_mode(const Judge& judge, const FailureMode* mode) {
  const char* id = "q4.mode";
  const Passage& field = judge.claims.answer.mode;
  const Rubric& rubric = judge.data.rubric;
  if (field.blank()) return unanswered(judge, id, 4);
  CriterionResult out;
  if (mode == nullptr) {
    const bool vague = judge.lexicon().first(judge.claims.mode, "vague_mode") ==
                       "communication";
    if (!vague) {
      return review(judge, id, evidence_of(field),
                    "No failure mode could be read here with confidence.");
    }
    out = result(judge, id, rubric.mode_vague, "vague", evidence_of(field),
                 "Communication can fail in several ways: say which axis's, "
                 "and how.");
  } else if (!in_phase(mode->phases, judge.scenario.phase) ||
             !mode_holds(judge, mode->predicate)) {
    out =
        result(judge, id, 0.0, "does_not_hold", evidence_of(field, mode->title),
               "This plan does not accept that one: " + mode->title + ".");
  } else if (mode->generic && !tied(judge)) {
    out = result(judge, id, rubric.mode_generic, "generic",
                 evidence_of(field, mode->title),
                 "True of every plan: tie it to an axis or a number of "
                 "yours.");
  } else {
    out = result(judge, id, 1e9, "holds", evidence_of(field, mode->title),
                 "This plan does accept it: " + mode->title + ".");
  }
  out.hint =
      "Which part of your step, or which limit of memory, would give "
      "way first?";
  return out;
}

// Metrics whose mere appearance is the symptom.
bool appears(std::string_view metric) {
  return metric == "exposed_comm" || metric == "idle" || metric == "oom" ||
         metric == "preemptions" || metric == "rank_times" ||
         metric == "expert_load";
}

enum class SymptomReading {
  kUnread,
  kElsewhere,
  kWrongWay,
  kEvent,
  kNoDirection,
  kRight
};

SymptomReading read_metric(const Judge& judge, const Mention& metric,
                           const SymptomRule& rule) {
  if (rule.direction.empty() || appears(rule.metric)) {
    return SymptomReading::kRight;
  }
  bool any = false;
  for (const Mention& other : judge.claims.symptom.mentions) {
    if (other.sentence != metric.sentence ||
        !judge.lexicon().in_group(other, "direction")) {
      continue;
    }
    const std::string& id = judge.lexicon().id(other);
    if (id == rule.direction && !other.negated) return SymptomReading::kRight;
    // "does not fall" is flat.
    if (other.negated && rule.direction == "flat") {
      return SymptomReading::kRight;
    }
    any = true;
  }
  return any ? SymptomReading::kWrongWay : SymptomReading::kNoDirection;
}

SymptomReading read_symptom(const Judge& judge, const FailureMode& mode) {
  SymptomReading best = SymptomReading::kUnread;
  const auto better = [&](SymptomReading one) {
    if (one > best) best = one;
  };
  for (const Mention& mention : judge.claims.symptom.mentions) {
    const std::string& id = judge.lexicon().id(mention);
    if (judge.lexicon().in_group(mention, "symptom")) {
      if (id.rfind(mode.id + "/", 0) == 0) {
        better(SymptomReading::kRight);
      } else {
        better(SymptomReading::kElsewhere);
      }
    } else if (judge.lexicon().in_group(mention, "event")) {
      better(SymptomReading::kEvent);
    } else if (judge.lexicon().in_group(mention, "metric")) {
      better(SymptomReading::kElsewhere);
      for (const SymptomRule& rule : mode.symptoms) {
        if (rule.metric == id) better(read_metric(judge, mention, rule));
      }
    }
  }
  return best;
}

CriterionResult judge_symptom(const Judge& judge, const FailureMode* mode) {
  const char* id = "q4.symptom";
  const Passage& field = judge.claims.answer.symptom;
  if (field.blank()) return unanswered(judge, id, 4);
  Evidence evidence = evidence_of(field);
  const double half = judge.data.rubric.symptom_event;
  if (mode == nullptr) {
    const bool vague =
        !judge.claims.answer.mode.blank() &&
        !judge.lexicon().all(judge.claims.mode, "vague_mode").empty();
    if (vague && !judge.lexicon().all(judge.claims.symptom, "metric").empty()) {
      return result(judge, id, half, "of_many", std::move(evidence),
                    "True of most failure modes.");
    }
    return review(judge, id, std::move(evidence),
                  "The symptom cannot be judged without its failure mode.");
  }
  if (!in_phase(mode->phases, judge.scenario.phase) ||
      !mode_holds(judge, mode->predicate)) {
    return result(judge, id, 0.0, "no_mode", std::move(evidence),
                  "The mode does not hold for this plan, so its symptom "
                  "cannot show.");
  }
  CriterionResult out;
  switch (read_symptom(judge, *mode)) {
    case SymptomReading::kRight:
      out = result(judge, id, 1e9, "belongs", std::move(evidence),
                   "That is what one would see.");
      break;
    case SymptomReading::kNoDirection:
      out = result(judge, id, half, "no_direction", std::move(evidence),
                   "The metric is right: say which way it moves.");
      break;
    case SymptomReading::kEvent:
      out = result(judge, id, half, "event", std::move(evidence),
                   "An event: name a metric that moves before or with it.");
      break;
    case SymptomReading::kWrongWay:
      out = result(judge, id, 0.0, "wrong_way", std::move(evidence),
                   "The metric moves the other way.");
      break;
    case SymptomReading::kElsewhere:
      out = result(judge, id, 0.0, "elsewhere", std::move(evidence),
                   "That does not belong to this failure mode.");
      break;
    case SymptomReading::kUnread:
      return review(judge, id, std::move(evidence),
                    "No metric could be read here with confidence.");
  }
  out.hint =
      "Name a number on a dashboard or in a trace, and which way it "
      "goes.";
  std::string metrics;
  for (const SymptomRule& rule : mode->symptoms) {
    std::string name = rule.id;
    std::replace(name.begin(), name.end(), '_', ' ');
    metrics += (metrics.empty() ? "" : "; ") + name;
  }
  out.worked = "What belongs to it: " + metrics + ".";
  return out;
}

}  // namespace

void judge_q4(const Judge& judge, std::vector<CriterionResult>& out) {
  const Followed& f = judge.followed;
  if ((!f.sane || !f.stated) && !judge.claims.answer.blank(4) &&
      !f.unreadable) {
    for (const char* id : {"q4.mode", "q4.symptom"}) {
      out.push_back(result(judge, id, 0.0, "not_followed",
                           evidence_of(judge.claims.answer.mode),
                           "The plan of question 2 is missing or no plan for "
                           "this cluster, so nothing follows from it."));
    }
    return;
  }
  if (f.unreadable && !judge.claims.answer.blank(4)) {
    for (const char* id : {"q4.mode", "q4.symptom"}) {
      out.push_back(review(judge, id, evidence_of(judge.claims.answer.mode),
                           "The plan of question 2 could not be read."));
    }
    return;
  }
  const FailureMode* mode = read_mode(judge);
  out.push_back(judge_mode(judge, mode));
  out.push_back(judge_symptom(judge, mode));
}

}  // namespace meshwise
