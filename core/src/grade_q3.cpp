// Question 3: tiers, minimum bandwidths, and the number that justifies them.

#include <algorithm>

#include "grade_parts.h"

namespace meshwise {
namespace {

std::size_t index_of(Axis axis) { return static_cast<std::size_t>(axis); }

// The axes that communicate, in the order of Axis.
std::vector<Axis> communicating(const Followed& followed) {
  std::vector<Axis> axes;
  for (Axis axis : kAxes) {
    if (degree(followed.plan, axis) < 2) continue;
    if (!followed.training && axis == Axis::kDp) continue;
    axes.push_back(axis);
  }
  return axes;
}

Placement placement_of(const Followed& followed, const Plan& plan) {
  return followed.training ? place(plan, followed.scenario.cluster)
                           : place_replica(plan, followed.scenario.cluster);
}

enum class TierReading { kAbsent, kUnread, kRight, kWrong };

TierReading read_tier(const Judge& judge, Axis axis, const Span& span) {
  const Passage& field = judge.claims.answer.axes[index_of(axis)].tier;
  if (field.blank()) return TierReading::kAbsent;
  const Cluster& cluster = judge.followed.scenario.cluster;
  const int slowest = span.slowest();
  for (int i = 0; i < cluster.tier_count; ++i) {
    if (field.text == cluster.tiers[static_cast<std::size_t>(i)].name) {
      return i == slowest ? TierReading::kRight : TierReading::kWrong;
    }
  }
  const std::vector<std::string> named =
      judge.lexicon().all(judge.claims.axes[index_of(axis)].tier, "tier");
  if (named.empty()) return TierReading::kUnread;
  const bool inner =
      std::find(named.begin(), named.end(), "inner") != named.end();
  const bool outer = named.size() > (inner ? 1u : 0u);
  const bool right = slowest == 0 ? inner && !outer : outer;
  return right ? TierReading::kRight : TierReading::kWrong;
}

int tiers_right(const Judge& judge, const Plan& plan,
                const std::vector<Axis>& axes) {
  const Placement placement = placement_of(judge.followed, plan);
  int right = 0;
  for (Axis axis : axes) {
    right += read_tier(judge, axis, placement.of(axis)) == TierReading::kRight;
  }
  return right;
}

// The plan under the rank order that the stated tiers imply: of all orders
// with TP innermost the one that makes most of them right, the plan's own
// first.
Plan implied_order(const Judge& judge, const std::vector<Axis>& axes) {
  Plan best = judge.followed.plan;
  if (!judge.followed.training) return best;
  int most = tiers_right(judge, best, axes);
  std::array<int, 4> rest{0, 2, 3, 4};  // dp, pp, cp, ep
  do {
    Plan plan = judge.followed.plan;
    plan.order[0] = Axis::kTp;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      plan.order[i + 1] = static_cast<Axis>(rest[i]);
    }
    const int right = tiers_right(judge, plan, axes);
    if (right > most) {
      most = right;
      best = plan;
    }
  } while (std::next_permutation(rest.begin(), rest.end()));
  return best;
}

Passage joined(const Judge& judge, Passage AxisAnswer::*field) {
  Passage all;
  for (Axis axis : kAxes) {
    const Passage& one = judge.claims.answer.axes[index_of(axis)].*field;
    if (one.blank()) continue;
    all.text += (all.text.empty() ? "" : "; ") + std::string(axis_name(axis)) +
                ": " + one.text.substr(0, 500);
    if (all.end == 0) all.begin = one.begin;
    all.end = std::max(all.end, one.end);
  }
  return all;
}

std::string tier_words(const Judge& judge, const Span& span) {
  const Cluster& cluster = judge.followed.scenario.cluster;
  std::string words =
      cluster.tiers[static_cast<std::size_t>(span.slowest())].name;
  if (span.crosses_tiers()) {
    words += " (" + std::to_string(span.ranks[0]) + " ranks in each node)";
  }
  return words;
}

CriterionResult judge_tiers(const Judge& judge, const Plan& plan,
                            const std::vector<Axis>& axes) {
  const char* id = "q3.tiers";
  const Placement placement = placement_of(judge.followed, plan);
  int right = 0;
  int unread = 0;
  int answered = 0;
  std::string wrong;
  std::string worked;
  for (Axis axis : axes) {
    const TierReading read = read_tier(judge, axis, placement.of(axis));
    right += read == TierReading::kRight;
    unread += read == TierReading::kUnread;
    answered += read != TierReading::kAbsent;
    const std::string name(axis_name(axis));
    if (read != TierReading::kRight) {
      wrong += (wrong.empty() ? "" : ", ") + name;
    }
    worked += (worked.empty() ? "" : "; ") + name + ": " +
              tier_words(judge, placement.of(axis));
  }
  if (answered == 0) return unanswered(judge, id, 3);
  Evidence evidence = evidence_of(joined(judge, &AxisAnswer::tier));
  if (unread > 0 && right == 0) {
    return review(judge, id, std::move(evidence),
                  "The tier of " + wrong + " could not be read.");
  }
  const double share =
      static_cast<double>(right) / static_cast<double>(axes.size());
  const bool all = right == static_cast<int>(axes.size());
  CriterionResult out = result(
      judge, id, judge.data.rubric.find(id)->marks * share,
      all ? "right" : "some_wrong", std::move(evidence),
      all ? "Every axis is on the tier that it spans."
          : "Not on the tier that it spans, or not said: " + wrong + ".");
  out.hint =
      "Lay the ranks out, TP innermost, and see which axis leaves the "
      "node.";
  out.worked = worked + ".";
  return out;
}

struct Bracket {
  double low = 0.0;
  double high = 0.0;
  [[nodiscard]] bool holds(double value, const Tolerances& t) const {
    return value >= t.minimum_below * low * (1.0 - 1e-9) &&
           value <= t.minimum_above * high * (1.0 + 1e-9);
  }
};

// A share of the step that the student allows for communication.
std::optional<double> stated_budget(const Judge& judge,
                                    const Findings& because) {
  const Tolerances& t = judge.tolerances();
  for (const Amount& amount : because.amounts) {
    if (amount.dimension != Dimension::kRatio) continue;
    if (amount.value < t.budget_least || amount.value > t.budget_most) continue;
    for (const Mention& mention : because.mentions) {
      if (mention.sentence == amount.sentence &&
          judge.lexicon().in_group(mention, "budget")) {
        return amount.value;
      }
    }
  }
  return std::nullopt;
}

std::vector<Bracket> brackets(const Judge& judge, const AxisMinimum& least,
                              const AxisClaim& claim) {
  std::vector<Bracket> list;
  const bool flat_named =
      claim.algorithm.read() && claim.algorithm.value == Algorithm::kRing;
  const bool other_named = claim.algorithm.read() && !flat_named;
  if (!flat_named) list.push_back({least.least.base(), least.most.base()});
  if (!other_named) {
    list.push_back({least.flat_least.base(), least.flat_most.base()});
  }
  const std::optional<double> budget = stated_budget(judge, claim.because);
  if (!budget.has_value()) return list;
  list.clear();
  const double c = least.compute.base();
  const double w = least.hidden_by.base();
  for (const Bytes volume : {least.volume, least.flat_volume}) {
    const double v = volume.base();
    list.push_back(
        {v / (w + c * *budget / (1.0 - *budget)), v / (c * *budget)});
  }
  return list;
}

// The student's own volume over the student's own time, each near one of the
// planner's.
bool self_consistent(const Judge& judge, const Findings& because,
                     double bandwidth) {
  const auto known = [&](const Amount& amount) {
    return std::any_of(
        judge.facts.begin(), judge.facts.end(), [&](const Fact& fact) {
          return matches_fact(amount, fact, judge.tolerances().number);
        });
  };
  std::vector<Amount> own;
  for (const Amount& amount : because.amounts) {
    if (known(amount)) own.push_back(amount);
  }
  return consistent(own, bandwidth, judge.tolerances().consistent);
}

struct AxisMark {
  bool right = false;
  bool stated = false;
  bool unread = false;
  const char* path = "none";
  std::string says;
};

AxisMark judge_bandwidth(const Judge& judge, const Evaluation& evaluation,
                         Axis axis) {
  AxisMark mark;
  const AxisClaim& claim = judge.claims.axes[index_of(axis)];
  const std::string name(axis_name(axis));
  const AxisMinimum least =
      axis_minimum(judge.followed.scenario, evaluation, axis);
  const auto gbps = [](double v) { return in_units(Dimension::kBandwidth, v); };
  mark.stated = !claim.minimum.absent();
  if (claim.minimum.absent()) {
    mark.says = name + ": no minimum is stated.";
    return mark;
  }
  if (claim.minimum.unreadable()) {
    mark.unread = true;
    mark.says = name + ": " + claim.minimum.why + ".";
    return mark;
  }
  const Amount& amount = claim.minimum.value;
  if (amount.dimension != Dimension::kBandwidth) {
    mark.path = "wrong_unit";
    mark.says = name + ": a bandwidth is asked for, in GB/s.";
    return mark;
  }
  bool inside = false;
  Bracket shown{least.least.base(), least.most.base()};
  for (const Bracket& bracket : brackets(judge, least, claim)) {
    if (inside || !bracket.holds(amount.value, judge.tolerances())) continue;
    inside = true;
    shown = bracket;
  }
  const bool own =
      !inside && self_consistent(judge, claim.because, amount.value);
  const bool above = amount.value > least.available.base() * (1.0 + 1e-9);
  const bool said_so = !judge.lexicon().all(claim.because, "not_met").empty();
  if (above && !said_so) {
    mark.path = "above_tier";
    mark.says = name + ": " + gbps(amount.value) + " is more than the tier's " +
                gbps(least.available.base()) +
                ", and the answer does not say that it then falls short.";
    return mark;
  }
  mark.right = inside || own;
  mark.path = inside ? "in_bracket" : own ? "own_numbers" : "outside";
  const std::string range = gbps(shown.low) + " to " + gbps(shown.high);
  mark.says = name + ": " + gbps(amount.value) +
              (inside ? " lies within "
               : own  ? " follows from your own volume and time; the planner "
                        "has "
                      : " lies outside ") +
              range + ".";
  const double factor = amount.value / least.least.base();
  if (!mark.right && near(factor, 8.0, 0.1)) {
    mark.says += " A factor of 8: bits for bytes?";
  }
  return mark;
}

AxisMark judge_latency(const Judge& judge, Axis axis) {
  AxisMark mark;
  const Followed& f = judge.followed;
  const AxisClaim& claim = judge.claims.axes[index_of(axis)];
  const std::string name(axis_name(axis));
  mark.stated = !claim.minimum.absent();
  if (claim.minimum.absent()) {
    mark.says = name + ": no limit is stated.";
    return mark;
  }
  if (claim.minimum.unreadable()) {
    mark.unread = true;
    mark.says = name + ": " + claim.minimum.why + ".";
    return mark;
  }
  const Amount& amount = claim.minimum.value;
  if (amount.dimension != Dimension::kTime) {
    mark.path = "latency_rules";
    mark.says = name +
                ": the messages are so small that latency rules; a "
                "bandwidth does not limit them.";
    return mark;
  }
  Scenario top = f.scenario;
  top.serving.batch = f.scenario.serving.batch_max;
  const auto one = latency_limit(f.scenario, f.plan, f.algorithm);
  const auto full = latency_limit(top, f.plan, f.algorithm);
  if (!one.has_value()) {
    mark.path = "no_limit";
    mark.says = name + ": the target is missed even without any latency.";
    return mark;
  }
  const double low = full.has_value() ? full->base() : 0.0;
  const Bracket bracket{low, one->base()};
  mark.right =
      bracket.holds(amount.value, judge.tolerances()) && amount.value > 0.0;
  mark.path = mark.right ? "in_bracket" : "outside";
  mark.says =
      name + ": " + in_units(Dimension::kTime, amount.value) +
      " a hop; the target holds up to " +
      in_units(Dimension::kTime, one->base()) + " at batch " +
      std::to_string(f.scenario.serving.batch) + " by " +
      std::string(algorithm_name(f.algorithm)) +
      (full.has_value() ? ", " + in_units(Dimension::kTime, low) +
                              " at batch " + std::to_string(top.serving.batch)
                        : std::string()) +
      ".";
  return mark;
}

CriterionResult judge_minimum(const Judge& judge, const Plan& plan,
                              std::vector<Axis> axes) {
  const char* id = "q3.minimum";
  const Followed& f = judge.followed;
  // Of a replica only TP's all-reduces stand in every token's way.
  if (!f.training && degree(f.plan, Axis::kTp) > 1) axes = {Axis::kTp};
  const Evaluation evaluation =
      f.training ? evaluate(f.scenario, plan) : Evaluation{};
  int right = 0;
  int stated = 0;
  int unread = 0;
  const char* path = "none";
  std::string says;
  for (Axis axis : axes) {
    const AxisMark mark = f.training ? judge_bandwidth(judge, evaluation, axis)
                                     : judge_latency(judge, axis);
    right += mark.right;
    stated += mark.stated;
    unread += mark.unread;
    if (!mark.right || right == 1) path = mark.path;
    says += (says.empty() ? "" : " ") + mark.says;
  }
  if (stated == 0) {
    const bool any = !judge.claims.answer.blank(3);
    if (!any || judge.claims.answer.has_unread(3)) {
      return unanswered(judge, id, 3);
    }
  }
  Evidence evidence = evidence_of(joined(judge, &AxisAnswer::minimum));
  if (unread > 0 && right == 0) {
    return review(judge, id, std::move(evidence), std::move(says));
  }
  const double share =
      static_cast<double>(right) / static_cast<double>(axes.size());
  CriterionResult out =
      result(judge, id, judge.data.rubric.find(id)->marks * share,
             right == static_cast<int>(axes.size()) ? "in_bracket" : path,
             std::move(evidence), std::move(says));
  out.hint = f.training
                 ? "Bytes that a GPU moves over the slow tier in a step, over "
                   "the time that may hide them or be spent on them."
                 : "What the target leaves after the weights and the KV "
                   "cache, over the hops of all the all-reduces.";
  return out;
}

CriterionResult judge_why(const Judge& judge) {
  const char* id = "q3.why";
  if (judge.claims.answer.blank(3)) return unanswered(judge, id, 3);
  const Tolerances& t = judge.tolerances();
  Evidence evidence = evidence_of(joined(judge, &AxisAnswer::because));
  CriterionResult out;
  for (Axis axis : kAxes) {
    const AxisClaim& claim = judge.claims.axes[index_of(axis)];
    const Passage& field = judge.claims.answer.axes[index_of(axis)].because;
    for (const Amount& amount : claim.because.amounts) {
      if (is_given(judge.given, amount)) continue;
      for (const Fact& fact : judge.facts) {
        if (fact.kind == "hbm" || !matches_fact(amount, fact, t.number)) {
          continue;
        }
        const std::string said =
            field.text.substr(amount.begin, amount.end - amount.begin);
        out = result(judge, id, 1e9, "planner_number", evidence_of(field, said),
                     said + " is " + fact.label + ": the planner has " +
                         in_units(fact.dimension, fact.value) + ".");
        out.number =
            DecidingNumber{fact.label, fact.value,
                           std::string(dimension_name(fact.dimension))};
        return out;
      }
    }
    if (claim.minimum.read() &&
        consistent(claim.because.amounts, claim.minimum.value.value,
                   t.consistent)) {
      return result(judge, id, 1e9, "own_numbers", evidence_of(field),
                    "Your volume over your time gives your bandwidth.");
    }
  }
  const bool any = std::any_of(
      judge.claims.axes.begin(), judge.claims.axes.end(),
      [](const AxisClaim& claim) { return !claim.because.amounts.empty(); });
  out = result(judge, id, 0.0, any ? "no_match" : "no_number",
               std::move(evidence),
               any ? "No size, time or share here agrees with the planner's "
                     "within its tolerance."
                   : "No number justifies the tiers.");
  out.hint = "Work out one message's size, or one exchange's time.";
  return out;
}

}  // namespace

void judge_q3(const Judge& judge, std::vector<CriterionResult>& out) {
  const Followed& f = judge.followed;
  const bool computable = f.stated && f.sane &&
                          (!f.training || f.evaluation.time.step.base() > 0.0);
  const std::vector<Axis> axes =
      computable ? communicating(f) : std::vector<Axis>{};
  if (axes.empty()) {
    for (const char* id : {"q3.tiers", "q3.minimum", "q3.why"}) {
      if (judge.claims.answer.blank(3) || f.unreadable) {
        out.push_back(unanswered(judge, id, 3));
        continue;
      }
      out.push_back(
          result(judge, id, 0.0, computable ? "no_axis" : "not_followed", {},
                 computable ? "The plan of question 2 uses no axis that "
                              "communicates."
                            : "The plan of question 2 is missing or no "
                              "plan for this cluster, so nothing follows "
                              "from it."));
    }
    return;
  }
  const Plan plan = implied_order(judge, axes);
  out.push_back(judge_tiers(judge, plan, axes));
  out.push_back(judge_minimum(judge, plan, axes));
  out.push_back(judge_why(judge));
}

}  // namespace meshwise
