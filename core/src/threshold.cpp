#include "meshwise/threshold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "meshwise/constraint.h"
#include "meshwise/decode.h"
#include "meshwise/search.h"

namespace meshwise {
namespace {

constexpr std::array<std::string_view, 4> kChangeNames{
    "constraint", "best_axes", "feasibility", "standing"};

bool same_axes(const Plan& a, const Plan& b) {
  return std::all_of(kAxes.begin(), kAxes.end(), [&](Axis axis) {
    return degree(a, axis) == degree(b, axis);
  });
}

bool differs(const Outcome& a, const Outcome& b, Change change) {
  switch (change) {
    case Change::kConstraint:
      return a.constraint != b.constraint;
    case Change::kBestAxes:
      return a.has_best != b.has_best ||
             (a.has_best && !same_axes(a.best, b.best));
    case Change::kFeasibility:
      return a.has_plan && a.feasible != b.feasible;
    case Change::kStanding:
      return a.has_plan && a.standing() != b.standing();
  }
  return false;
}

bool wanted(const ThresholdOptions& options, Change change) {
  switch (change) {
    case Change::kConstraint:
      return options.constraint;
    case Change::kBestAxes:
      return options.best_axes;
    default:
      return options.plan;
  }
}

void training_outcome(Outcome& out, const Scenario& scenario, const Plan* plan,
                      const ThresholdOptions& options) {
  Evaluation given;
  if (plan != nullptr) {
    given = evaluate(scenario, *plan);
    out.feasible = given.feasible();
  }
  const bool standing = plan != nullptr && out.feasible && options.plan;
  if (!options.best_axes && !standing) return;
  const std::optional<Evaluation> best = best_plan(scenario);
  if (!best) return;
  out.has_best = true;
  out.best = best->plan;
  if (out.feasible) {
    out.relative =
        given.throughput.tokens_per_s / best->throughput.tokens_per_s;
  }
}

void serving_outcome(Outcome& out, const Scenario& scenario, const Plan* plan,
                     const ThresholdOptions& options) {
  const std::vector<DecodePlan> plans =
      decode_plans(scenario, options.algorithm);
  out.has_best = !plans.empty() && plans.front().time.feasible();
  if (out.has_best) out.best = plans.front().plan;
  if (plan == nullptr) return;
  const DecodeTime given = decode(scenario, *plan, options.algorithm);
  out.feasible = given.feasible();
  if (out.feasible) out.relative = plans.front().time.tpot / given.tpot;
}

// One parameter's outcomes, kept by value: bisections for several kinds of
// change visit the same points.
class Probe {
 public:
  Probe(const Scenario& scenario, const Plan* plan,
        const ThresholdOptions& options, Parameter parameter)
      : scenario_(scenario),
        plan_(plan),
        options_(options),
        parameter_(parameter) {}

  // The outcome at a value, or nothing where it is no legal value.
  const Outcome* at(double value) {
    for (const Point& point : points_) {
      if (point.value == value) {
        return point.legal ? &point.outcome : nullptr;
      }
    }
    Scenario scenario = scenario_;
    Point point{value, false, {}};
    if (plan_ != nullptr) {
      Plan plan = *plan_;
      point.legal = set_parameter(scenario, &plan, parameter_, value);
      if (point.legal) point.outcome = outcome(scenario, &plan, options_);
    } else {
      point.legal = set_parameter(scenario, nullptr, parameter_, value);
      if (point.legal) point.outcome = outcome(scenario, nullptr, options_);
    }
    points_.push_back(point);
    return point.legal ? &points_.back().outcome : nullptr;
  }

 private:
  struct Point {
    double value;
    bool legal;
    Outcome outcome;
  };
  const Scenario& scenario_;
  const Plan* plan_;
  const ThresholdOptions& options_;
  Parameter parameter_;
  std::vector<Point> points_;
};

// Counts that only few values suit are walked through, value by value; the
// rest is searched on a grid and bisected down to `quantum`.
struct Steps {
  bool walk = false;
  double quantum = 0.0;  // 0: continuous
};

Steps steps_of(Parameter parameter, double current, const Plan* plan) {
  switch (parameter) {
    case Parameter::kGpus:
    case Parameter::kGpusPerNode:
    case Parameter::kKvHeads:
    case Parameter::kGlobalBatch:
    case Parameter::kMicroBatch:
      return {true, 1.0};
    case Parameter::kSeq:
    case Parameter::kVocab: {
      // Slices of a sequence are powers of two: finer steps would ask about
      // divisibility, not about size.
      const int slices = plan == nullptr ? 1 : 2 * plan->cp;
      const double block = static_cast<double>(std::lcm(128, slices));
      const bool blocks = current == block * std::floor(current / block);
      return {false, blocks ? block : 1.0};
    }
    case Parameter::kLayers:
    case Parameter::kBatch:
    case Parameter::kContext:
    case Parameter::kPrompt:
      return {false, 1.0};
    default:
      return {false, 0.0};
  }
}

double round_to(double value, double quantum) {
  return quantum > 0.0 ? quantum * std::floor(value / quantum + 0.5) : value;
}

// Values outward from the current one. Walked counts double or halve, and
// take every divisor of the current one downward.
std::vector<double> grid(const ParameterInfo& info, double current, bool upward,
                         const Steps& steps, const ThresholdOptions& options) {
  const double edge = upward ? std::min(info.upper, current * options.span)
                             : std::max(info.lower, current / options.span);
  std::vector<double> out;
  if (steps.walk && !upward) {
    for (double k = 2.0; current / k >= edge; k += 1.0) {
      const double value = current / k;
      if (value == std::floor(value)) out.push_back(value);
    }
    return out;
  }
  const double factor = steps.walk ? 2.0 : 1.4142135623730951;
  double value = current;
  while (true) {
    value = upward ? value * factor : value / factor;
    const bool past = upward ? value > edge : value < edge;
    const double legal = round_to(past ? edge : value, steps.quantum);
    const double last = out.empty() ? current : out.back();
    if (legal != last && legal >= info.lower && legal <= info.upper) {
      out.push_back(legal);
    }
    if (past) return out;
  }
}

// Narrows [near, far] until it is thin; returns the far end, where the change
// holds.
double bisect(Probe& probe, const Outcome& base, Change change, double near,
              double far, double quantum, double tolerance) {
  while (std::fabs(far - near) > tolerance * std::fabs(far)) {
    const double middle = round_to(near + (far - near) / 2.0, quantum);
    if (middle == near || middle == far) break;
    const Outcome* there = probe.at(middle);
    if (there == nullptr) break;
    (differs(base, *there, change) ? far : near) = middle;
  }
  return far;
}

// A count of layers must suit the plan's stages, so that its near neighbours
// may be no legal values: the nearest legal one at or beyond is taken.
struct Search {
  const ThresholdOptions& options;
  Parameter parameter;
  double current;
  const Plan* plan;
  Probe& probe;
  const Outcome& base;

  void along(bool upward, std::vector<Threshold>& out) const {
    const ParameterInfo& info = parameter_info(parameter);
    const Steps steps = steps_of(parameter, current, plan);
    std::array<bool, kChangeNames.size()> found{};
    double near = current;
    for (const double value : grid(info, current, upward, steps, options)) {
      const Outcome* there = probe.at(value);
      if (there == nullptr) continue;
      const Outcome reached = *there;
      for (std::size_t i = 0; i < found.size(); ++i) {
        const auto change = static_cast<Change>(i);
        if (found[i] || !wanted(options, change)) continue;
        if (!differs(base, reached, change)) continue;
        found[i] = true;
        const double edge = steps.walk
                                ? value
                                : bisect(probe, base, change, near, value,
                                         steps.quantum, options.tolerance);
        out.push_back(
            {parameter, current, edge, upward, change, base, *probe.at(edge)});
      }
      near = value;
    }
  }
};

}  // namespace

std::string_view change_name(Change change) {
  return kChangeNames[static_cast<std::size_t>(change)];
}

Outcome outcome(const Scenario& scenario, const Plan* plan,
                const ThresholdOptions& options) {
  Outcome out;
  out.has_plan = plan != nullptr;
  if (options.constraint) {
    out.constraint = binding_constraint(scenario).constraint;
  }
  if (scenario.phase == Phase::kServing) {
    serving_outcome(out, scenario, plan, options);
  } else {
    training_outcome(out, scenario, plan, options);
  }
  return out;
}

std::vector<Threshold> find_thresholds(const Scenario& scenario,
                                       const Plan* plan,
                                       const ThresholdOptions& options) {
  std::vector<Threshold> out;
  const Outcome base = outcome(scenario, plan, options);
  for (int i = 0; i < kParameterCount; ++i) {
    const auto parameter = static_cast<Parameter>(i);
    const auto& only = options.parameters;
    const bool chosen = only.empty() || std::find(only.begin(), only.end(),
                                                  parameter) != only.end();
    if (!chosen || !has_parameter(scenario, parameter)) continue;
    if (parameter == Parameter::kMicroBatch && plan == nullptr) continue;
    const double current = get_parameter(scenario, plan, parameter);
    Probe probe(scenario, plan, options, parameter);
    const Search search{options, parameter, current, plan, probe, base};
    search.along(false, out);
    search.along(true, out);
  }
  return out;
}

}  // namespace meshwise
