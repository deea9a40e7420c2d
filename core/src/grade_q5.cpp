// Question 5: the parameter, its threshold, and whether the answer changes
// there.

#include <algorithm>

#include "grade_parts.h"

namespace meshwise {
namespace {

struct ReadParameter {
  std::vector<Parameter> candidates;
  bool named = false;  // something was named, in this scenario or not
};

// "bandwidth" and "latency" alone may be either tier's.
std::vector<std::string> spelled_out(const Judge& judge,
                                     const std::string& id) {
  if (id != "bandwidth" && id != "latency") return {id};
  for (const Findings* found :
       {&judge.claims.parameter, &judge.claims.threshold_text,
        &judge.claims.threshold_because}) {
    const std::string tier = judge.lexicon().first(*found, "tier");
    if (tier == "inner") return {"intra_" + id};
    if (tier == "outer") return {"inter_" + id};
  }
  return {"intra_" + id, "inter_" + id};
}

// The same thing under the name that this scenario's phase has for it.
std::string in_phase(const Judge& judge, const std::string& id) {
  const bool training = judge.scenario.phase == Phase::kTraining;
  if (training && id == "context") return "seq";
  if (training && id == "batch") return "global_batch";
  if (!training && id == "seq") return "context";
  if (!training && id == "global_batch") return "batch";
  if (!training && id == "measured_step") return "slo";
  return id;
}

ReadParameter read_parameter(const Judge& judge) {
  ReadParameter read;
  const std::string first =
      judge.lexicon().first(judge.claims.parameter, "parameter");
  if (first.empty()) return read;
  read.named = true;
  for (const std::string& id : spelled_out(judge, first)) {
    const auto parameter = parameter_from_id(in_phase(judge, id));
    if (parameter.has_value() && has_parameter(judge.scenario, *parameter)) {
      read.candidates.push_back(*parameter);
    }
  }
  return read;
}

// The value in the parameter's own unit; nothing where the unit is of another
// kind.
std::optional<double> in_parameter_unit(const Judge& judge,
                                        const Amount& amount,
                                        Parameter parameter) {
  const std::string_view unit = parameter_info(parameter).unit;
  const double v = amount.value;
  const Dimension d = amount.dimension;
  const bool bare = d == Dimension::kNone || d == Dimension::kCount;
  const auto seq = static_cast<double>(judge.scenario.training.seq);
  if (unit == "tokens") {
    if (bare || d == Dimension::kTokens) return v;
    if (d == Dimension::kSequences && parameter == Parameter::kCriticalBatch) {
      return v * seq;
    }
    return std::nullopt;
  }
  if (unit == "sequences") {
    if (bare || d == Dimension::kSequences) return v;
    if (d == Dimension::kTokens && parameter == Parameter::kGlobalBatch) {
      return v / seq;
    }
    return std::nullopt;
  }
  struct Unit {
    std::string_view name;
    Dimension dimension;
    double factor;
  };
  constexpr Unit kUnits[] = {{"GiB", Dimension::kBytes, kGiB},
                             {"GB/s", Dimension::kBandwidth, 1e9},
                             {"us", Dimension::kTime, 1e-6},
                             {"ms", Dimension::kTime, 1e-3},
                             {"TFLOP/s", Dimension::kFlopRate, 1e12},
                             {"x", Dimension::kFactor, 1.0},
                             {"bytes/parameter", Dimension::kBytes, 1.0},
                             {"bytes/value", Dimension::kBytes, 1.0}};
  for (const Unit& one : kUnits) {
    if (one.name != unit) continue;
    if (d == Dimension::kNone && !amount.scaled) return v;
    if (d == one.dimension) return v / one.factor;
    return std::nullopt;
  }
  if (bare || d == Dimension::kFactor) return v;  // counts
  // "12B" of parameters may have been read as bytes.
  if (unit == "parameters" && d == Dimension::kBytes) return v;
  return std::nullopt;
}

// The stated number with the unit field's unit where it has none of its own.
Read<Amount> stated_value(const Judge& judge) {
  Read<Amount> read = judge.claims.threshold;
  const Answer& answer = judge.claims.answer;
  if (!read.read()) {
    const std::string type =
        judge.lexicon().first(judge.claims.threshold_text, "weight_type");
    if (type.empty()) return read;
    const Findings found = judge.lexicon().find(type + " bytes");
    read.state = ReadState::kRead;
    read.value = found.amounts.front();
    return read;
  }
  const bool unitless = read.value.dimension == Dimension::kNone;
  if (!unitless || answer.unit.blank()) return read;
  const std::string number = answer.threshold.text.substr(
      read.value.begin, read.value.end - read.value.begin);
  const Findings found =
      judge.lexicon().find(number + " " + answer.unit.text.substr(0, 64));
  if (!found.amounts.empty()) read.value = found.amounts.front();
  return read;
}

// -1 below, +1 above, 0 not said.
int stated_direction(const Judge& judge) {
  const std::string id =
      judge.lexicon().first(judge.claims.direction, "direction");
  return id == "up" ? 1 : id == "down" ? -1 : 0;
}

bool for_the_worse(const Threshold& threshold) {
  switch (threshold.change) {
    case Change::kConstraint:
      return true;
    case Change::kFeasibility:
      return threshold.before.feasible && !threshold.after.feasible;
    case Change::kStanding:
      return threshold.before.standing() && !threshold.after.standing();
    case Change::kBestAxes:
      break;
  }
  return false;
}

const std::vector<Threshold>& thresholds_of(const Judge& judge,
                                            Parameter parameter) {
  const Followed& f = judge.followed;
  const bool with_plan = f.stated && f.sane && f.runs;
  const CacheKey key =
      plan_key(f, static_cast<std::int64_t>(parameter) * 4 +
                      (f.batch_stated ? 2 : 0) + (with_plan ? 1 : 0));
  auto& known = judge.cache.thresholds;
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  if (known.size() >= kMaxCacheEntries) known.clear();
  ThresholdOptions options;
  options.parameters = {parameter};
  options.best_axes = false;
  options.algorithm = f.algorithm;
  Scenario scenario = with_plan ? f.scenario : judge.scenario;
  // A longer sequence at the same number of sequences is not meant to break
  // the critical batch.
  if (parameter == Parameter::kSeq) scenario.training.critical_batch = 0.0;
  // Where the state binds and no ZeRO stage is stated, the plan may shard its
  // optimizer state before it gives up.
  Plan plan = f.plan;
  const bool state_binds = judge.binding.constraint == Constraint::kMemoryState;
  if (state_binds && !f.zero_stated && plan.zero == 0) plan.zero = 1;
  const Plan* held = with_plan ? &plan : nullptr;
  std::vector<Threshold> list = find_thresholds(scenario, held, options);
  // Where no batch is stated, a smaller critical batch is met by fewer
  // sequences, until each rank has one micro-batch left.
  if (with_plan && parameter == Parameter::kCriticalBatch && !f.batch_stated) {
    scenario.training.global_batch =
        std::int64_t{plan.dp} * plan.ep * std::max(plan.micro_batch, 1);
    for (const Threshold& one : find_thresholds(scenario, held, options)) {
      list.push_back(one);
    }
  }
  return known.emplace(key, std::move(list)).first->second;
}

std::string change_words(const Threshold& t) {
  switch (t.change) {
    case Change::kConstraint:
      return "the binding constraint turns from " +
             std::string(constraint_name(t.before.constraint)) + " to " +
             std::string(constraint_name(t.after.constraint));
    case Change::kFeasibility:
      return "your plan stops running";
    default:
      return "your plan falls under 0.75 of the best";
  }
}

std::string value_words(Parameter parameter, double value) {
  const std::string_view unit = parameter_info(parameter).unit;
  const std::string number =
      value >= 1e5 ? grouped(value) : short_number(value);
  return number + " " + std::string(unit);
}

struct Flip {
  double score = 0.0;
  const char* path = "never";
  std::string says;
  std::string worked;
  std::optional<DecidingNumber> number;
};

Flip judge_value(const Judge& judge, Parameter parameter, double value) {
  Flip flip;
  const ParameterInfo& info = parameter_info(parameter);
  const Followed& f = judge.followed;
  const double current = get_parameter(f.stated ? f.scenario : judge.scenario,
                                       f.stated ? &f.plan : nullptr, parameter);
  if (!(value >= info.lower && value <= info.upper)) {
    flip.path = "outside_domain";
    flip.says = value_words(parameter, value) +
                " is no value that this "
                "parameter can have.";
    return flip;
  }
  const int said = stated_direction(judge);
  const bool equal = near(value, current, 1e-3);
  const int way = equal ? said : value > current ? 1 : -1;
  if (way == 0) {
    flip.path = "current_value";
    flip.says = value_words(parameter, value) + " is what it is already.";
    return flip;
  }
  const Threshold* nearest = nullptr;
  double factor = 0.0;
  bool other_way = false;
  for (const Threshold& one : thresholds_of(judge, parameter)) {
    if (!for_the_worse(one)) continue;
    if (one.upward != (way > 0)) {
      other_way = true;
      continue;
    }
    const double ratio =
        value > one.value ? value / one.value : one.value / value;
    if (nearest == nullptr || ratio < factor) {
      nearest = &one;
      factor = ratio;
    }
  }
  const Rubric& rubric = judge.data.rubric;
  if (nearest == nullptr) {
    const bool crossed = !f.training && f.stated && !f.decode.slo_met;
    flip.path = other_way ? "wrong_direction" : crossed ? "crossed" : "never";
    flip.says =
        other_way
            ? "Nothing changes for the worse in that direction; the other way "
              "it does."
        : crossed ? "The plan is over its target already: there is no "
                    "threshold left to cross."
                  : "Nothing changes there: the planner was run on either "
                    "side.";
    return flip;
  }
  const bool full = factor <= rubric.tolerances.threshold_full * (1 + 1e-9);
  const bool half = factor <= rubric.tolerances.threshold_half * (1 + 1e-9);
  flip.score = full ? 1e9 : half ? rubric.flips_half : rubric.flips_direction;
  flip.path = full ? "near" : half ? "within_two" : "direction";
  flip.worked = "At " + value_words(parameter, nearest->value) + " " +
                change_words(*nearest) + "; now it is " +
                value_words(parameter, current) + ".";
  flip.says = full ? "Yes: " + change_words(*nearest) + " at " +
                         value_words(parameter, nearest->value) + "."
              : half
                  ? "The right direction and within a factor of 2 of where " +
                        change_words(*nearest) + "."
                  : "The right direction, and more than a factor of 2 from "
                    "where " +
                        change_words(*nearest) + ".";
  flip.number =
      DecidingNumber{"threshold", nearest->value, std::string(info.unit)};
  return flip;
}

CriterionResult judge_parameter(const Judge& judge, const ReadParameter& read) {
  const char* id = "q5.parameter";
  const Passage& field = judge.claims.answer.parameter;
  if (field.blank()) return unanswered(judge, id, 5);
  if (!read.named) {
    return review(judge, id, evidence_of(field),
                  "No parameter of this scenario could be read here.");
  }
  if (read.candidates.empty()) {
    return result(judge, id, 0.0, "not_here", evidence_of(field),
                  "This scenario has no such parameter.");
  }
  return result(
      judge, id, 1e9, "named",
      evidence_of(field,
                  std::string(parameter_info(read.candidates.front()).id)),
      "A parameter of this scenario is named.");
}

}  // namespace

void judge_q5(const Judge& judge, std::vector<CriterionResult>& out) {
  const ReadParameter read = read_parameter(judge);
  out.push_back(judge_parameter(judge, read));
  const Answer& answer = judge.claims.answer;
  const Read<Amount> stated = stated_value(judge);
  const Passage& field = answer.threshold;
  const auto both = [&](const CriterionResult& one) {
    CriterionResult second = one;
    second.id = "q5.flips";
    second.max = judge.data.rubric.find("q5.flips")->marks;
    second.note = "q5.flips" + one.note.substr(one.note.rfind('.'));
    out.push_back(one);
    out.push_back(std::move(second));
  };
  if (field.blank()) {
    both(unanswered(judge, "q5.threshold", 5));
    return;
  }
  if (!stated.read()) {
    both(result(judge, "q5.threshold", 0.0, "no_value", evidence_of(field),
                "A threshold needs a number."));
    return;
  }
  if (read.candidates.empty()) {
    both(read.named ? result(judge, "q5.threshold", 0.0, "no_parameter",
                             evidence_of(field), "A threshold of no parameter.")
                    : review(judge, "q5.threshold", evidence_of(field),
                             "Without its parameter the threshold cannot be "
                             "judged."));
    return;
  }
  Flip best;
  bool any = false;
  std::string read_as;
  for (Parameter parameter : read.candidates) {
    const auto value = in_parameter_unit(judge, stated.value, parameter);
    if (!value.has_value()) continue;
    Flip flip = judge_value(judge, parameter, *value);
    if (!any || flip.score > best.score) {
      best = std::move(flip);
      read_as = value_words(parameter, *value);
    }
    any = true;
  }
  Evidence evidence = evidence_of(field, read_as);
  if (!any) {
    both(result(judge, "q5.threshold", 0.0, "wrong_unit", std::move(evidence),
                "The unit does not fit the parameter, which is counted in " +
                    std::string(parameter_info(read.candidates[0]).unit) +
                    "."));
    return;
  }
  const bool outside = std::string_view(best.path) == "outside_domain";
  out.push_back(result(judge, "q5.threshold", outside ? 0.0 : 1e9,
                       outside ? "outside_domain" : "stated", evidence,
                       outside ? best.says : "A value with a unit that fits."));
  CriterionResult flips = result(judge, "q5.flips", best.score, best.path,
                                 std::move(evidence), best.says);
  flips.worked = best.worked;
  flips.number = best.number;
  flips.hint =
      "Change only this parameter, and ask at which value your plan "
      "no longer runs, or the constraint is another.";
  out.push_back(std::move(flips));
}

}  // namespace meshwise
