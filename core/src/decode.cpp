#include "meshwise/decode.h"

#include <algorithm>

#include "meshwise/compute.h"

namespace meshwise {
namespace {

constexpr double kBf16 = 2.0;  // bytes of an activation on the wire
constexpr double kAllReducesPerLayer = 2.0;

// What one replica's decode step rests on.
struct Replica {
  const Scenario& scenario;
  const Plan& plan;
  Group tp;
  Group pp;
  Algorithm algorithm;
};

Replica replica_of(const Scenario& scenario, const Plan& plan,
                   Algorithm wanted) {
  const Placement placement = place_replica(plan, scenario.cluster);
  const Group tp = group_of(placement.of(Axis::kTp), scenario.cluster);
  const bool fits = applies(Operation::kAllReduce, wanted, tp);
  return {scenario, plan, tp,
          group_of(placement.of(Axis::kPp), scenario.cluster),
          fits ? wanted : Algorithm::kRing};
}

Seconds collective(const Replica& r, Bytes message, Algorithm algorithm) {
  if (r.plan.tp == 1) return seconds(0.0);
  return collective_time(Operation::kAllReduce, algorithm, message, r.tp)
      .total();
}

Bytes message(const Scenario& scenario, double rows) {
  return bytes(kBf16 * rows * scenario.model.hidden);
}

// KV bytes a GPU reads for one token: its heads, all layers one after the
// other.
Bytes kv_read(const Scenario& scenario, const Plan& plan) {
  const Model& model = scenario.model;
  const Serving& serving = scenario.serving;
  const double ways = kv_ways(model, plan.tp);
  return bytes(kv_values_per_token(model, serving.context) / ways *
               serving.kv_bytes * static_cast<double>(serving.batch) *
               static_cast<double>(serving.context));
}

Seconds hop_time(const Replica& r, Bytes size) {
  if (r.plan.pp == 1) return seconds(0.0);
  return collective_time(Operation::kSendReceive, Algorithm::kDirect, size,
                         r.pp)
      .total();
}

void add_token_time(DecodeTime& out, const Replica& r) {
  const Scenario& scenario = r.scenario;
  const Serving& serving = scenario.serving;
  const Gpu& gpu = scenario.cluster.gpu;
  const double t = r.plan.tp;
  const double batch = static_cast<double>(serving.batch);
  const double parameters = count_parameters(scenario.model).active;
  out.weights =
      bytes(parameters * serving.weight_bytes / t) / gpu.hbm_bandwidth;
  out.kv = kv_read(scenario, r.plan) / gpu.hbm_bandwidth;
  out.compute = batch * decode_flops(scenario.model, serving.context) /
                (t * gpu.achieved);
  out.message = message(scenario, batch);
  out.one_all_reduce = collective(r, out.message, r.algorithm);
  out.collective =
      kAllReducesPerLayer * scenario.model.layers * out.one_all_reduce;
  out.hops = (r.plan.pp - 1.0) * hop_time(r, out.message);
  out.tpot = max(out.weights + out.kv, out.compute) + out.collective + out.hops;
}

DecodeBound bound(const DecodeTime& time) {
  const Seconds memory = time.weights + time.kv;
  const Seconds network = time.collective + time.hops;
  if (network > memory && network > time.compute) {
    return DecodeBound::kCollective;
  }
  if (time.compute > memory) return DecodeBound::kCompute;
  return time.kv > time.weights ? DecodeBound::kKv : DecodeBound::kWeights;
}

// Prefill is bound by FLOPs and by bandwidth: its all-reduces are large, so
// the planner's algorithm for the group is taken, not decode's.
void add_prefill(DecodeTime& out, const Replica& r) {
  const Scenario& scenario = r.scenario;
  const double prompt = static_cast<double>(scenario.serving.prompt);
  out.ttft_compute =
      prefill_flops(scenario.model, scenario.serving.prompt) /
      (static_cast<double>(r.plan.tp) * scenario.cluster.gpu.achieved);
  const Bytes size = message(scenario, prompt);
  const Algorithm algorithm = default_algorithm(Operation::kAllReduce, r.tp);
  out.ttft_collective = kAllReducesPerLayer * scenario.model.layers *
                            collective(r, size, algorithm) +
                        (r.plan.pp - 1.0) * hop_time(r, size);
  out.ttft = out.ttft_compute + out.ttft_collective;
}

void add_capacity(DecodeTime& out, const Replica& r) {
  const Scenario& scenario = r.scenario;
  const Serving& serving = scenario.serving;
  const Gpu& gpu = scenario.cluster.gpu;
  const double p = r.plan.pp;
  const double parameters = count_parameters(scenario.model).total;
  out.weights_per_gpu =
      bytes(parameters * serving.weight_bytes / (r.plan.tp * p));
  out.kv_per_gpu = kv_read(scenario, r.plan) / p;
  out.kv_bytes_per_token = bytes(
      kv_values_per_token(scenario.model, serving.context) * serving.kv_bytes);
  const Bytes free = gpu.hbm - out.weights_per_gpu - serving.reserve;
  const double ways =
      static_cast<double>(kv_ways(scenario.model, r.plan.tp)) * p;
  out.max_tokens = std::max(free / (out.kv_bytes_per_token / ways), 0.0);
}

Reasons serving_reasons(const Scenario& scenario, const Plan& plan,
                        const DecodeTime& time) {
  const Model& model = scenario.model;
  Reasons out;
  if (gpus_used(plan) > scenario.cluster.gpus) out.add(Reason::kGpus);
  if (model.heads % plan.tp != 0) out.add(Reason::kHeads);
  const bool kv = plan.tp <= model.kv_heads ? model.kv_heads % plan.tp == 0
                                            : plan.tp % model.kv_heads == 0;
  if (!kv) out.add(Reason::kKvHeads);
  if (model.layers % plan.pp != 0) out.add(Reason::kLayers);
  if (plan.ep > 1 && model.moe.experts == 0) out.add(Reason::kDenseModel);
  const Bytes held =
      time.weights_per_gpu + time.kv_per_gpu + scenario.serving.reserve;
  if (held > scenario.cluster.gpu.hbm) out.add(Reason::kHbm);
  if (!time.slo_met) out.add(Reason::kSlo);
  return out;
}

bool serves(const Scenario& scenario, const Plan& plan, Algorithm algorithm) {
  return decode(scenario, plan, algorithm).feasible();
}

// The largest value in [1, limit] for which ok holds, when it holds up to
// some value and not beyond; 0 where it never does.
template <class Ok>
std::int64_t largest(std::int64_t limit, Ok ok) {
  if (!ok(std::int64_t{1})) return 0;
  std::int64_t low = 1;
  std::int64_t high = 2;
  while (high <= limit && ok(high)) {
    low = high;
    high *= 2;
  }
  high = std::min(high, limit + 1);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (ok(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::string_view decode_bound_name(DecodeBound b) {
  switch (b) {
    case DecodeBound::kWeights:
      return "weights";
    case DecodeBound::kKv:
      return "kv";
    case DecodeBound::kCompute:
      return "compute";
    case DecodeBound::kCollective:
      return "collective";
  }
  return "weights";
}

DecodeTime decode(const Scenario& scenario, const Plan& plan,
                  Algorithm algorithm) {
  const Replica r = replica_of(scenario, plan, algorithm);
  DecodeTime out;
  out.algorithm = r.algorithm;
  out.placement = place_replica(plan, scenario.cluster);
  add_token_time(out, r);
  out.bound = bound(out);
  add_prefill(out, r);
  add_capacity(out, r);
  const Seconds slo = scenario.serving.slo_tpot;
  out.slo_met = slo <= seconds(0.0) || out.tpot <= slo;
  out.reasons = serving_reasons(scenario, plan, out);
  return out;
}

std::optional<Seconds> latency_limit(const Scenario& scenario, const Plan& plan,
                                     Algorithm algorithm) {
  const Seconds slo = scenario.serving.slo_tpot;
  if (slo <= seconds(0.0) || plan.tp == 1) return std::nullopt;
  // TPOT is linear in the latency of the slowest tier: two points fix it.
  const auto tier = static_cast<std::size_t>(
      place_replica(plan, scenario.cluster).of(Axis::kTp).slowest());
  Scenario at = scenario;
  at.cluster.tiers[tier].link.latency = seconds(0.0);
  const Seconds none = decode(at, plan, algorithm).tpot;
  if (none > slo) return std::nullopt;
  const Seconds unit = microseconds(1.0);
  at.cluster.tiers[tier].link.latency = unit;
  const Seconds slope = decode(at, plan, algorithm).tpot - none;
  if (slope <= seconds(0.0)) return std::nullopt;
  return unit * ((slo - none) / slope);
}

DecodeHeadroom decode_headroom(const Scenario& scenario, const Plan& plan,
                               Algorithm algorithm) {
  constexpr std::int64_t kMaxBatch = 1 << 20;
  constexpr std::int64_t kMaxContext = std::int64_t{1} << 30;
  Scenario with = scenario;
  DecodeHeadroom out;
  out.batch = largest(kMaxBatch, [&](std::int64_t batch) {
    with.serving.batch = batch;
    return serves(with, plan, algorithm);
  });
  with = scenario;
  out.context = largest(kMaxContext, [&](std::int64_t context) {
    with.serving.context = context;
    return serves(with, plan, algorithm);
  });
  return out;
}

namespace {

bool decodes_before(const DecodePlan& a, const DecodePlan& b) {
  if (a.time.feasible() != b.time.feasible()) return a.time.feasible();
  if (a.time.tpot != b.time.tpot) return a.time.tpot < b.time.tpot;
  const int a_gpus = a.plan.tp * a.plan.pp;
  const int b_gpus = b.plan.tp * b.plan.pp;
  if (a_gpus != b_gpus) return a_gpus < b_gpus;
  return a.plan.tp < b.plan.tp;
}

}  // namespace

std::vector<DecodePlan> decode_plans(const Scenario& scenario,
                                     Algorithm algorithm) {
  std::vector<DecodePlan> out;
  const int gpus = scenario.cluster.gpus;
  const int most_tp = std::min(gpus, scenario.model.heads);
  for (int tp = 1; tp <= most_tp; ++tp) {
    if (scenario.model.heads % tp != 0) continue;
    const int most_pp = std::min(gpus / tp, scenario.model.layers);
    for (int pp = 1; pp <= most_pp; ++pp) {
      if (scenario.model.layers % pp != 0) continue;
      Plan plan;
      plan.tp = tp;
      plan.pp = pp;
      plan.dp = gpus / (tp * pp);
      out.push_back({plan, decode(scenario, plan, algorithm)});
    }
  }
  std::sort(out.begin(), out.end(), decodes_before);
  return out;
}

}  // namespace meshwise
