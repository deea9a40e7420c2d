// The numeric parameters of a scenario: their units and domains, and how each
// is read and written.
#include <algorithm>
#include <array>
#include <cmath>

#include "meshwise/threshold.h"

namespace meshwise {
namespace {

using P = Parameter;

// In the order of Parameter.
constexpr std::array<ParameterInfo, kParameterCount> kParameters{{
    {P::kSeq, "seq", "tokens", 128, 1073741824, true},
    {P::kGlobalBatch, "global_batch", "sequences", 1, 16777216, true},
    {P::kCriticalBatch, "critical_batch", "tokens", 1, 1e12, false},
    {P::kTargetSpeedup, "target_speedup", "x", 1, 1e6, false},
    {P::kMeasuredStep, "measured_step", "ms", 1e-3, 1e9, false},
    {P::kParameters, "parameters", "parameters", 1e6, 1e15, false},
    {P::kLayers, "layers", "layers", 1, 10000, true},
    {P::kKvHeads, "kv_heads", "KV heads", 1, 1024, true},
    {P::kVocab, "vocab", "tokens", 128, 16777216, true},
    {P::kHbm, "hbm", "GiB", 1, 1e5, false},
    {P::kAchieved, "achieved", "TFLOP/s", 1e-2, 1e6, false},
    {P::kHbmBandwidth, "hbm_bandwidth", "GB/s", 1, 1e6, false},
    {P::kGpus, "gpus", "GPUs", 1, 1048576, true},
    {P::kGpusPerNode, "gpus_per_node", "GPUs", 1, 1048576, true},
    {P::kIntraBandwidth, "intra_bandwidth", "GB/s", 1e-3, 1e5, false},
    {P::kInterBandwidth, "inter_bandwidth", "GB/s", 1e-3, 1e5, false},
    {P::kIntraLatency, "intra_latency", "us", 1e-3, 1e6, false},
    {P::kInterLatency, "inter_latency", "us", 1e-3, 1e6, false},
    {P::kStateBytes, "state_bytes", "bytes/parameter", 2, 64, false},
    {P::kMicroBatch, "micro_batch", "sequences", 1, 4096, true},
    {P::kBatch, "batch", "sequences", 1, 1048576, true},
    {P::kContext, "context", "tokens", 1, 1073741824, true},
    {P::kPrompt, "prompt", "tokens", 1, 1073741824, true},
    {P::kSlo, "slo", "ms", 1e-3, 1e6, false},
    {P::kWeightBytes, "weight_bytes", "bytes/parameter", 0.125, 8, false},
    {P::kKvBytes, "kv_bytes", "bytes/value", 0.125, 8, false},
}};

Tier& inner(Scenario& s) { return s.cluster.tiers[0]; }
Tier& outer(Scenario& s) {
  return s.cluster.tiers[static_cast<std::size_t>(s.cluster.tier_count - 1)];
}
const Tier& inner(const Scenario& s) { return s.cluster.tiers[0]; }
const Tier& outer(const Scenario& s) {
  return s.cluster.tiers[static_cast<std::size_t>(s.cluster.tier_count - 1)];
}

double state_bytes(const StateBytes& each) {
  return each.weights + each.gradients + each.optimizer;
}

bool serving_only(P p) {
  return p == P::kBatch || p == P::kContext || p == P::kPrompt ||
         p == P::kSlo || p == P::kWeightBytes || p == P::kKvBytes;
}

bool training_only(P p) {
  return p == P::kSeq || p == P::kGlobalBatch || p == P::kCriticalBatch ||
         p == P::kTargetSpeedup || p == P::kMeasuredStep ||
         p == P::kStateBytes || p == P::kMicroBatch || p == P::kVocab;
}

double get_hardware(const Scenario& s, P p) {
  const Gpu& gpu = s.cluster.gpu;
  switch (p) {
    case P::kHbm:
      return to_gib(gpu.hbm);
    case P::kAchieved:
      return to_tflops(gpu.achieved);
    case P::kHbmBandwidth:
      return to_gbps(gpu.hbm_bandwidth);
    case P::kGpus:
      return s.cluster.gpus;
    case P::kGpusPerNode:
      return inner(s).gpus;
    case P::kIntraBandwidth:
      return to_gbps(inner(s).link.bandwidth);
    case P::kInterBandwidth:
      return to_gbps(outer(s).link.bandwidth);
    case P::kIntraLatency:
      return to_us(inner(s).link.latency);
    case P::kInterLatency:
      return to_us(outer(s).link.latency);
    default:
      return 0.0;
  }
}

double get_task(const Scenario& s, const Plan* plan, P p) {
  const Training& t = s.training;
  switch (p) {
    case P::kSeq:
      return static_cast<double>(t.seq);
    case P::kGlobalBatch:
      return static_cast<double>(t.global_batch);
    case P::kCriticalBatch:
      return t.critical_batch;
    case P::kTargetSpeedup:
      return t.target_speedup;
    case P::kMeasuredStep:
      return to_ms(t.measured.step);
    case P::kStateBytes:
      return state_bytes(t.state_bytes);
    case P::kMicroBatch:
      return plan != nullptr ? plan->micro_batch : 1.0;
    case P::kBatch:
      return static_cast<double>(s.serving.batch);
    case P::kContext:
      return static_cast<double>(s.serving.context);
    case P::kPrompt:
      return static_cast<double>(s.serving.prompt);
    case P::kSlo:
      return to_ms(s.serving.slo_tpot);
    case P::kWeightBytes:
      return s.serving.weight_bytes;
    case P::kKvBytes:
      return s.serving.kv_bytes;
    default:
      return 0.0;
  }
}

// The GPUs change by whole replicas: dp takes the change, and the tiers'
// units that no longer fit shrink to the cluster.
bool set_gpus(Scenario& s, Plan* plan, double value) {
  const int gpus = static_cast<int>(value);
  if (plan != nullptr) {
    const std::int64_t replica = gpus_used(*plan) / plan->dp;
    const bool whole = gpus_used(*plan) == s.cluster.gpus;
    if (whole && gpus % replica != 0) return false;
    if (whole) plan->dp = static_cast<int>(gpus / replica);
  }
  const int last = s.cluster.tier_count - 1;
  for (int i = 0; i < last; ++i) {
    Tier& tier = s.cluster.tiers[static_cast<std::size_t>(i)];
    if (gpus > tier.gpus && gpus % tier.gpus != 0) return false;
  }
  outer(s).gpus = gpus;
  s.cluster.gpus = gpus;
  return true;
}

bool set_gpus_per_node(Scenario& s, double value) {
  const int unit = static_cast<int>(value);
  const int next =
      s.cluster.tier_count > 1 ? s.cluster.tiers[1].gpus : s.cluster.gpus;
  if (next % unit != 0) return false;
  inner(s).gpus = unit;
  return true;
}

bool set_hardware(Scenario& s, Plan* plan, P p, double value) {
  Gpu& gpu = s.cluster.gpu;
  switch (p) {
    case P::kHbm:
      gpu.hbm = gibibytes(value);
      return true;
    case P::kAchieved:
      gpu.achieved = teraflops_per_second(value);
      return true;
    case P::kHbmBandwidth:
      gpu.hbm_bandwidth = gigabytes_per_second(value);
      return true;
    case P::kGpus:
      return set_gpus(s, plan, value);
    case P::kGpusPerNode:
      return set_gpus_per_node(s, value);
    case P::kIntraBandwidth:
      inner(s).link.bandwidth = gigabytes_per_second(value);
      return true;
    case P::kInterBandwidth:
      outer(s).link.bandwidth = gigabytes_per_second(value);
      return true;
    case P::kIntraLatency:
      inner(s).link.latency = microseconds(value);
      return true;
    case P::kInterLatency:
      outer(s).link.latency = microseconds(value);
      return true;
    default:
      return false;
  }
}

// A given plan keeps dividing the batch: other batches are no values it can
// be asked about.
bool set_global_batch(Scenario& s, const Plan* plan, double value) {
  const auto batch = static_cast<std::int64_t>(value);
  if (plan != nullptr) {
    const std::int64_t share =
        std::int64_t{1} * plan->dp * plan->ep * plan->micro_batch;
    if (batch % share != 0) return false;
  }
  s.training.global_batch = batch;
  return true;
}

bool set_micro_batch(const Scenario& s, Plan* plan, double value) {
  if (plan == nullptr) return false;
  const auto micro_batch = static_cast<int>(value);
  const std::int64_t share =
      std::int64_t{1} * plan->dp * plan->ep * micro_batch;
  if (s.training.global_batch % share != 0) return false;
  plan->micro_batch = micro_batch;
  return true;
}

bool set_training(Scenario& s, Plan* plan, P p, double value) {
  Training& t = s.training;
  switch (p) {
    case P::kSeq:
      t.seq = static_cast<std::int64_t>(value);
      return true;
    case P::kGlobalBatch:
      return set_global_batch(s, plan, value);
    case P::kCriticalBatch:
      t.critical_batch = value;
      return true;
    case P::kTargetSpeedup:
      t.target_speedup = value;
      return true;
    case P::kMeasuredStep:
      t.measured.step = milliseconds(value);
      return true;
    case P::kStateBytes: {
      const double scale = value / state_bytes(t.state_bytes);
      t.state_bytes.weights *= scale;
      t.state_bytes.gradients *= scale;
      t.state_bytes.optimizer *= scale;
      return true;
    }
    case P::kMicroBatch:
      return set_micro_batch(s, plan, value);
    default:
      return false;
  }
}

bool set_serving(Scenario& s, P p, double value) {
  Serving& v = s.serving;
  const auto whole = static_cast<std::int64_t>(value);
  switch (p) {
    case P::kBatch:
      v.batch = whole;
      return true;
    case P::kContext:
      v.context = whole;
      return true;
    case P::kPrompt:
      v.prompt = whole;
      return true;
    case P::kSlo:
      v.slo_tpot = milliseconds(value);
      return true;
    case P::kWeightBytes:
      v.weight_bytes = value;
      return true;
    case P::kKvBytes:
      v.kv_bytes = value;
      return true;
    default:
      return false;
  }
}

bool set_model(Scenario& s, const Plan* plan, P p, double value) {
  Model& m = s.model;
  const int whole = static_cast<int>(std::min(value, 1e9));
  switch (p) {
    case P::kParameters:
      m.stated_parameters = value;
      return true;
    case P::kLayers: {
      const int chunks = plan != nullptr ? plan->pp * plan->virtual_stages : 1;
      if (whole % chunks != 0) return false;
      // A stated total grows with the layers that share it.
      m.stated_parameters *= static_cast<double>(whole) / m.layers;
      m.layers = whole;
      return true;
    }
    case P::kKvHeads:
      if (m.heads % whole != 0) return false;
      m.kv_heads = whole;
      return true;
    case P::kVocab:
      m.vocab = whole;
      return true;
    default:
      return false;
  }
}

bool is_model(P p) {
  return p == P::kParameters || p == P::kLayers || p == P::kKvHeads ||
         p == P::kVocab;
}

}  // namespace

const ParameterInfo& parameter_info(Parameter parameter) {
  return kParameters[static_cast<std::size_t>(parameter)];
}

std::optional<Parameter> parameter_from_id(std::string_view id) {
  for (const ParameterInfo& info : kParameters) {
    if (info.id == id) return info.parameter;
  }
  return std::nullopt;
}

bool has_parameter(const Scenario& s, Parameter p) {
  const bool serving = s.phase == Phase::kServing;
  if (serving ? training_only(p) : serving_only(p)) return false;
  switch (p) {
    case P::kCriticalBatch:
      return s.training.critical_batch > 0.0;
    case P::kTargetSpeedup:
      return s.training.target_speedup > 0.0;
    case P::kMeasuredStep:
      return s.training.measured.step > seconds(0.0);
    case P::kAchieved:
      return serving || s.training.measured.step <= seconds(0.0);
    case P::kSlo:
      return s.serving.slo_tpot > seconds(0.0);
    case P::kVocab:
      return s.model.vocab > 0;
    case P::kGpusPerNode:
    case P::kInterBandwidth:
    case P::kInterLatency:
      return s.cluster.tier_count > 1;
    default:
      return true;
  }
}

double get_parameter(const Scenario& s, const Plan* plan, Parameter p) {
  switch (p) {
    case P::kParameters:
      return count_parameters(s.model).total;
    case P::kLayers:
      return s.model.layers;
    case P::kKvHeads:
      return s.model.kv_heads;
    case P::kVocab:
      return s.model.vocab;
    default:
      break;
  }
  return training_only(p) || serving_only(p) ? get_task(s, plan, p)
                                             : get_hardware(s, p);
}

bool set_parameter(Scenario& s, Plan* plan, Parameter p, double value) {
  const ParameterInfo& info = parameter_info(p);
  if (!(value >= info.lower && value <= info.upper)) return false;
  if (info.integral && value != std::floor(value)) return false;
  if (is_model(p)) return set_model(s, plan, p, value);
  if (training_only(p)) return set_training(s, plan, p, value);
  if (serving_only(p)) return set_serving(s, p, value);
  return set_hardware(s, plan, p, value);
}

}  // namespace meshwise
