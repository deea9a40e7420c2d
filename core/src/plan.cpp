#include "meshwise/plan.h"

namespace meshwise {
namespace {

constexpr std::array<std::string_view, kAxisCount> kAxisNames{"dp", "tp", "pp",
                                                              "cp", "ep"};
constexpr std::array<std::string_view, 3> kRecomputeNames{"none", "selective",
                                                          "full"};
constexpr std::array<std::string_view, 3> kCpMethodNames{"ring", "all-gather",
                                                         "ulysses"};
constexpr std::array<std::string_view, kReasonCount> kReasonNames{
    "gpus",  "heads",          "kv_heads",    "layers",  "sequence",
    "batch", "interleave",     "dense_model", "experts", "shard_group",
    "hbm",   "critical_batch", "slo"};

template <class E, std::size_t N>
std::optional<E> from_name(const std::array<std::string_view, N>& names,
                           std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace

int degree(const Plan& plan, Axis axis) {
  switch (axis) {
    case Axis::kDp:
      return plan.dp;
    case Axis::kTp:
      return plan.tp;
    case Axis::kPp:
      return plan.pp;
    case Axis::kCp:
      return plan.cp;
    case Axis::kEp:
      return plan.ep;
  }
  return 1;
}

void set_degree(Plan& plan, Axis axis, int degree) {
  switch (axis) {
    case Axis::kDp:
      plan.dp = degree;
      return;
    case Axis::kTp:
      plan.tp = degree;
      return;
    case Axis::kPp:
      plan.pp = degree;
      return;
    case Axis::kCp:
      plan.cp = degree;
      return;
    case Axis::kEp:
      plan.ep = degree;
      return;
  }
}

std::int64_t gpus_used(const Plan& plan) {
  return std::int64_t{1} * plan.dp * plan.tp * plan.pp * plan.cp * plan.ep;
}

std::string_view axis_name(Axis axis) {
  return kAxisNames[static_cast<std::size_t>(axis)];
}

std::string_view recompute_name(Recompute r) {
  return kRecomputeNames[static_cast<std::size_t>(r)];
}

std::string_view cp_method_name(CpMethod m) {
  return kCpMethodNames[static_cast<std::size_t>(m)];
}

std::string_view reason_name(Reason reason) {
  return kReasonNames[static_cast<std::size_t>(reason)];
}

std::optional<Axis> axis_from_name(std::string_view name) {
  return from_name<Axis>(kAxisNames, name);
}

std::optional<Recompute> recompute_from_name(std::string_view name) {
  return from_name<Recompute>(kRecomputeNames, name);
}

std::optional<CpMethod> cp_method_from_name(std::string_view name) {
  return from_name<CpMethod>(kCpMethodNames, name);
}

}  // namespace meshwise
