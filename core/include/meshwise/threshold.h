// What would change the answer: for each numeric parameter of a scenario, the
// nearest value, up and down, at which something changes when the planner is
// run again.
//
// Found by walking outward on a geometric grid (degrees and counts step
// through their legal values) and bisecting the first interval in which the
// outcome differs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "meshwise/collectives.h"
#include "meshwise/scenario.h"
#include "meshwise/training.h"

namespace meshwise {

enum class Constraint : std::uint8_t;  // constraint.h

// A scenario's numeric parameters. Values cross this interface in the unit
// that unit() names.
enum class Parameter : std::uint8_t {
  kSeq,             // tokens
  kGlobalBatch,     // sequences
  kCriticalBatch,   // tokens
  kTargetSpeedup,   // x
  kMeasuredStep,    // ms
  kParameters,      // count
  kLayers,          // count
  kKvHeads,         // count
  kVocab,           // count
  kHbm,             // GiB
  kAchieved,        // TFLOP/s
  kHbmBandwidth,    // GB/s
  kGpus,            // count
  kGpusPerNode,     // count
  kIntraBandwidth,  // GB/s
  kInterBandwidth,  // GB/s
  kIntraLatency,    // us
  kInterLatency,    // us
  kStateBytes,      // bytes a parameter, training
  kMicroBatch,      // sequences, of the given plan
  kBatch,           // sequences, serving
  kContext,         // tokens, serving
  kPrompt,          // tokens, serving
  kSlo,             // ms, serving
  kWeightBytes,     // bytes a parameter, serving
  kKvBytes,         // bytes a value, serving
};
inline constexpr int kParameterCount = 26;

struct ParameterInfo {
  Parameter parameter;
  std::string_view id;    // "seq", "hbm", ...: the request's own key
  std::string_view unit;  // "tokens", "GiB", ...
  double lower;           // domain, inclusive, in that unit
  double upper;
  bool integral;  // steps through whole numbers
};
[[nodiscard]] const ParameterInfo& parameter_info(Parameter parameter);
[[nodiscard]] std::optional<Parameter> parameter_from_id(std::string_view id);

// True when the scenario has this parameter (phase, tiers, a target set ...).
[[nodiscard]] bool has_parameter(const Scenario& scenario, Parameter parameter);
[[nodiscard]] double get_parameter(const Scenario& scenario, const Plan* plan,
                                   Parameter parameter);
// False when the value is outside the domain or no legal value of the
// parameter (a KV head count that does not divide the heads): nothing is
// changed then. Rules: with gpus the plan's dp scales; the global batch is
// held; the measured step is held with seq (its FLOP/s stay).
[[nodiscard]] bool set_parameter(Scenario& scenario, Plan* plan,
                                 Parameter parameter, double value);

// What may change, as a set.
enum class Change : std::uint8_t {
  kConstraint,   // the binding constraint
  kBestAxes,     // the best plan's decomposition
  kFeasibility,  // the given plan starts or stops running
  kStanding      // the given plan crosses 0.75 of the best
};
[[nodiscard]] std::string_view change_name(Change change);

// The outcome of the planner at one value of the parameter.
struct Outcome {
  Constraint constraint{};  // kNone
  bool has_best = false;
  Plan best;              // decomposition of the best plan
  bool has_plan = false;  // a plan was given
  bool feasible = false;  // it runs (serving: and meets the SLO)
  double relative = 0.0;  // its tokens/s (or TPOT) over the best's
  [[nodiscard]] bool standing() const { return feasible && relative >= 0.75; }
};

struct Threshold {
  Parameter parameter = Parameter::kSeq;
  double current = 0.0;
  double value = 0.0;  // first value found on the far side
  bool upward = true;
  Change change{};
  Outcome before;
  Outcome after;
};

struct ThresholdOptions {
  std::vector<Parameter> parameters;  // empty: all that the scenario has
  // The changes looked for; best axes cost a search a step.
  bool constraint = true;
  bool best_axes = true;
  bool plan = true;
  // Serving plans are compared under this decode all-reduce.
  Algorithm algorithm = Algorithm::kRing;
  double span = 64.0;       // how far to look, as a factor either way
  double tolerance = 1e-3;  // relative width at which bisection stops
};

// The outcome at the scenario as it is. `plan` may be null.
[[nodiscard]] Outcome outcome(const Scenario& scenario, const Plan* plan,
                              const ThresholdOptions& options);

// The nearest threshold of each parameter, direction and kind of change, in
// the order of Parameter, downward first.
[[nodiscard]] std::vector<Threshold> find_thresholds(
    const Scenario& scenario, const Plan* plan,
    const ThresholdOptions& options);

}  // namespace meshwise
