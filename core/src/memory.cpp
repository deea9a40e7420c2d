#include "meshwise/memory.h"

#include <algorithm>

#include "meshwise/activations.h"

namespace meshwise {
namespace {

constexpr double kTightShare = 0.9;
constexpr double kLogitBytes = 4.0;  // fp32 logits kept for the loss
constexpr double kBf16 = 2.0;

// Sequence parallelism splits what tp alone replicates.
bool splits_sequence(const Plan& plan) {
  return plan.tp > 1 && plan.sequence_parallel;
}

// Tokens of one micro-batch on one rank: s b / c.
double rank_tokens(const Training& training, const Plan& plan) {
  return static_cast<double>(training.seq) * plan.micro_batch / plan.cp;
}

// Linear activations of one layer: everything but the score matrix.
double linear_bytes(const Model& model, double tokens, const Plan& plan) {
  const double h = model.hidden;
  const double t = plan.tp;
  return splits_sequence(plan) ? tokens * h * 34.0 / t
                               : tokens * h * (10.0 + 24.0 / t);
}

// Softmax input and output and its dropout mask, 5 a (s/c) s b / t bytes.
double score_bytes(const Model& model, const Training& training, double tokens,
                   const Plan& plan) {
  return 5.0 * model.heads * tokens * static_cast<double>(training.seq) /
         plan.tp;
}

// The layer's parameters on one TP rank. K and V heads replicate once tp
// exceeds them, projections down to a latent always.
double shard_layer(double layer, const ParameterCount& count,
                   const Model& model, const Plan& plan) {
  const double t = plan.tp;
  if (count.latent > 0.0) return (layer - count.latent) / t + count.latent;
  if (plan.tp <= model.kv_heads) return layer / t;
  return (layer - count.kv_projection) / t +
         count.kv_projection / model.kv_heads;
}

struct LayerSplit {
  int dense = 0;
  int moe = 0;
};

LayerSplit layers_by_kind(const Model& model, const Plan& plan, int stage) {
  const int count = stage_layers(model, plan, stage);
  if (model.moe.experts == 0) return {count, 0};
  const int base = model.layers / plan.pp;
  const int first = stage * base + std::min(stage, model.layers % plan.pp);
  const int dense = std::clamp(model.moe.dense_layers - first, 0, count);
  return {dense, count - dense};
}

double shared_layers(const Model& model, const ParameterCount& count,
                     const Plan& plan, LayerSplit split) {
  double sum = 0.0;
  if (split.dense > 0) {
    sum += split.dense * shard_layer(count.dense_layer, count, model, plan);
  }
  if (split.moe > 0) {
    sum += split.moe * shard_layer(count.moe_layer_shared, count, model, plan);
  }
  return sum;
}

double expert_layers(const Model& model, const ParameterCount& count,
                     const Plan& plan, LayerSplit split) {
  if (split.moe == 0) return 0.0;
  return split.moe * count.expert * model.moe.experts / plan.ep / plan.tp;
}

// Ranks that hold the same shard of ZeRO state.
double sharing_ranks(const Plan& plan, double all) {
  return plan.shard_group > 0 ? std::min<double>(plan.shard_group, all) : all;
}

// Adds the state of `parameters` that `ranks` ranks share.
void add_state(StageMemory& memory, const StateBytes& each, int zero,
               double parameters, double ranks) {
  const double w = zero >= 3 ? ranks : 1.0;
  const double g = zero >= 2 ? ranks : 1.0;
  const double o = zero >= 1 ? ranks : 1.0;
  memory.weights += bytes(each.weights * parameters / w);
  memory.gradients += bytes(each.gradients * parameters / g);
  memory.optimizer += bytes(each.optimizer * parameters / o);
}

// Parameters of the layers in `split` that ZeRO 3 has to gather: those that
// more than one rank shares.
double gathered_layers(const Model& model, const ParameterCount& count,
                       const Plan& plan, LayerSplit split) {
  const double expert_ranks = static_cast<double>(plan.dp) * plan.cp;
  double sum = 0.0;
  if (sharing_ranks(plan, expert_ranks * plan.ep) > 1.0) {
    sum += shared_layers(model, count, plan, split);
  }
  if (sharing_ranks(plan, expert_ranks) > 1.0) {
    sum += expert_layers(model, count, plan, split);
  }
  return sum;
}

// ZeRO 3 at the moment: the two neighbouring layers with the most parameters
// gathered whole, and the gradients of the larger of them.
Bytes gathered_bytes(const Model& model, const Training& training,
                     const Plan& plan, LayerSplit split) {
  const ParameterCount count = count_parameters(model);
  const double dense =
      split.dense > 0 ? gathered_layers(model, count, plan, {1, 0}) : 0.0;
  const double moe =
      split.moe > 0 ? gathered_layers(model, count, plan, {0, 1}) : 0.0;
  const double alike =
      std::max(std::min(2, split.dense) * dense, std::min(2, split.moe) * moe);
  return bytes(training.state_bytes.weights * std::max(alike, dense + moe) +
               training.state_bytes.gradients * std::max(dense, moe));
}

Bytes architecture_layer(const Model& model, const Training& training,
                         const Plan& plan, LayerKind kind,
                         Recompute recompute) {
  if (recompute != Recompute::kFull) {
    return saved_tensors(model, training, plan, kind, recompute).total();
  }
  const double split = splits_sequence(plan) ? plan.tp : 1.0;
  return bytes(kBf16 * rank_tokens(training, plan) * model.hidden / split);
}

// What Megatron Core and TransformerEngine hold beside. A layer's gradients
// come after the logits are gone, so that only what exceeds those counts.
void add_overheads(StageMemory& memory, const Model& model,
                   const Training& training, const Plan& plan, int stage,
                   LayerSplit split) {
  Bytes most;
  for (const LayerKind kind : {LayerKind::kDense, LayerKind::kMoe}) {
    const bool dense = kind == LayerKind::kDense;
    if ((dense ? split.dense : split.moe) == 0) continue;
    memory.stand_ins += gradient_stand_ins(model, plan, kind);
    most = max(most, backward_set(model, training, plan, kind));
  }
  memory.backward_set = max(most - memory.logits, bytes(0.0));
  if (stage == plan.pp - 1) {
    memory.stand_ins += bytes(kBf16 * model.vocab / plan.tp *
                              static_cast<double>(model.hidden));
  }
}

void add_architecture(StageMemory& memory, const Model& model,
                      const Training& training, const Plan& plan, int stage) {
  const double kept = in_flight(plan, micro_batches(training, plan), stage);
  const double tokens = rank_tokens(training, plan);
  const LayerSplit split = layers_by_kind(model, plan, stage);
  const bool last = stage == plan.pp - 1;
  for (const LayerKind kind : {LayerKind::kDense, LayerKind::kMoe}) {
    const int layers = kind == LayerKind::kDense ? split.dense : split.moe;
    if (layers == 0) continue;
    memory.activations +=
        layers * kept *
        architecture_layer(model, training, plan, kind, plan.recompute);
    if (plan.recompute == Recompute::kNone) continue;
    const Bytes again =
        saved_tensors(
            model, training, plan, kind,
            training.fused_attention ? Recompute::kSelective : Recompute::kNone)
            .total();
    const Bytes stored =
        architecture_layer(model, training, plan, kind, Recompute::kSelective);
    memory.working_set =
        max(memory.working_set,
            plan.recompute == Recompute::kFull ? again : again - stored);
  }
  if (last) {
    const double each = training.fused_loss ? kBf16 : kLogitBytes;
    const double ways = splits_sequence(plan) ? plan.tp : 1.0;
    memory.logits = bytes(each * tokens * model.vocab / plan.tp);
    memory.head_input = bytes(2.0 * kBf16 * tokens * model.hidden / ways);
  }
  if (training.framework_overheads) {
    add_overheads(memory, model, training, plan, stage, split);
  }
}

void add_activations(StageMemory& memory, const Model& model,
                     const Training& training, const Plan& plan, int stage) {
  if (training.activations == Activations::kArchitecture) {
    add_architecture(memory, model, training, plan, stage);
    return;
  }
  const double kept = in_flight(plan, micro_batches(training, plan), stage);
  const double layers = stage_layers(model, plan, stage);
  const double tokens = rank_tokens(training, plan);
  memory.activations =
      layers * kept *
      layer_activations(model, training, plan, plan.recompute).total;
  if (stage == 0) {
    const double split = splits_sequence(plan) ? plan.tp : 1.0;
    memory.embedding_output = bytes(kept * tokens * model.hidden / split);
  }
  if (stage == plan.pp - 1) {
    const double each = training.fused_loss ? kBf16 : kLogitBytes;
    memory.logits = bytes(each * tokens * model.vocab / plan.tp);
  }
  if (plan.recompute == Recompute::kFull) {
    memory.working_set += bytes(linear_bytes(model, tokens, plan));
  }
  if (plan.recompute != Recompute::kNone && !training.fused_attention) {
    memory.working_set += bytes(score_bytes(model, training, tokens, plan));
  }
}

}  // namespace

Verdict verdict(Bytes total, Bytes capacity) {
  if (total > capacity) return Verdict::kOver;
  return total > kTightShare * capacity ? Verdict::kTight : Verdict::kFits;
}

std::string_view verdict_name(Verdict v) {
  switch (v) {
    case Verdict::kFits:
      return "fits";
    case Verdict::kTight:
      return "tight";
    case Verdict::kOver:
      return "over";
  }
  return "over";
}

namespace {

LayerActivations architecture_activations(const Model& model,
                                          const Training& training,
                                          const Plan& plan,
                                          Recompute recompute) {
  const bool moe =
      model.moe.experts > 0 && model.moe.dense_layers < model.layers;
  const LayerKind kind = moe ? LayerKind::kMoe : LayerKind::kDense;
  const Bytes total =
      architecture_layer(model, training, plan, kind, recompute);
  if (recompute != Recompute::kNone) return {total, bytes(0.0)};
  return {total, total - architecture_layer(model, training, plan, kind,
                                            Recompute::kSelective)};
}

}  // namespace

LayerActivations layer_activations(const Model& model, const Training& training,
                                   const Plan& plan, Recompute recompute) {
  const double tokens = rank_tokens(training, plan);
  if (training.activations == Activations::kArchitecture) {
    return architecture_activations(model, training, plan, recompute);
  }
  if (recompute == Recompute::kFull) {
    const double split = splits_sequence(plan) ? plan.tp : 1.0;
    return {bytes(2.0 * tokens * model.hidden / split), bytes(0.0)};
  }
  const double linear = linear_bytes(model, tokens, plan);
  if (recompute == Recompute::kSelective) {
    return {bytes(linear), bytes(0.0)};
  }
  const double scores = score_bytes(model, training, tokens, plan);
  return {bytes(linear + scores), bytes(scores)};
}

std::int64_t micro_batches(const Training& training, const Plan& plan) {
  const std::int64_t share =
      std::int64_t{1} * plan.dp * plan.ep * plan.micro_batch;
  return std::max<std::int64_t>(1, training.global_batch / share);
}

double in_flight(const Plan& plan, std::int64_t m, int stage) {
  const std::int64_t p = plan.pp;
  const std::int64_t v = plan.virtual_stages;
  if (v <= 1) return static_cast<double>(std::min(p - stage, m));
  const std::int64_t chunks = 2 * (p - 1 - stage) + (v - 1) * p + 1;
  return static_cast<double>(std::min(chunks, m * v)) / static_cast<double>(v);
}

int stage_layers(const Model& model, const Plan& plan, int stage) {
  return model.layers / plan.pp + (stage < model.layers % plan.pp ? 1 : 0);
}

int stage_step(const Model& model, const Plan& plan) {
  const bool unlike = model.moe.experts > 0 && model.moe.dense_layers > 0;
  return unlike ? 1 : std::max(1, plan.pp - 1);
}

StageParameters stage_parameters(const Model& model, const Plan& plan,
                                 int stage) {
  const ParameterCount count = count_parameters(model);
  const LayerSplit split = layers_by_kind(model, plan, stage);
  StageParameters out;
  out.shared = shared_layers(model, count, plan, split);
  out.experts = expert_layers(model, count, plan, split);
  const bool first = stage == 0;
  const bool last = stage == plan.pp - 1;
  double ends = first ? count.embedding : 0.0;
  if (last) ends += count.head + count.final_norm;
  const bool tied_copy =
      last && !first && model.tied_head && count.embedding > 0.0;
  if (tied_copy) ends += static_cast<double>(model.vocab) * model.hidden;
  out.shared += ends / plan.tp;
  return out;
}

StageMemory stage_memory(const Model& model, const Training& training,
                         const Plan& plan, int stage) {
  StageMemory memory;
  const StageParameters held = stage_parameters(model, plan, stage);
  const double expert_ranks = static_cast<double>(plan.dp) * plan.cp;
  add_state(memory, training.state_bytes, plan.zero, held.shared,
            sharing_ranks(plan, expert_ranks * plan.ep));
  add_state(memory, training.state_bytes, plan.zero, held.experts,
            sharing_ranks(plan, expert_ranks));
  if (plan.zero >= 3) {
    memory.gathered = gathered_bytes(model, training, plan,
                                     layers_by_kind(model, plan, stage));
  }
  add_activations(memory, model, training, plan, stage);
  return memory;
}

PeakMemory peak_memory(const Model& model, const Training& training,
                       const Plan& plan) {
  PeakMemory peak{0, stage_memory(model, training, plan, 0)};
  const int step = stage_step(model, plan);
  for (int stage = step; stage < plan.pp; stage += step) {
    const StageMemory each = stage_memory(model, training, plan, stage);
    if (peak.memory.total() < each.total()) peak = {stage, each};
  }
  return peak;
}

namespace {

bool fits(const Model& model, Training training, Plan plan, Bytes capacity,
          std::int64_t m) {
  training.global_batch = m * plan.dp * plan.ep * plan.micro_batch;
  return peak_memory(model, training, plan).memory.total() <= capacity;
}

// The largest multiple of `step` in [step, limit] for which `ok` holds, when
// ok is true up to some value and false beyond; 0 where it never holds.
template <class Ok>
std::int64_t largest(std::int64_t step, std::int64_t limit, Ok ok) {
  if (!ok(step)) return 0;
  std::int64_t low = 1;
  std::int64_t high = 2;
  while (high * step <= limit && ok(high * step)) {
    low = high;
    high *= 2;
  }
  high = std::min(high, limit / step + 1);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (ok(middle * step) ? low : high) = middle;
  }
  return low * step;
}

}  // namespace

Headroom headroom(const Model& model, const Training& training,
                  const Plan& plan, Bytes capacity) {
  constexpr std::int64_t kMaxMicroBatch = 1 << 20;
  constexpr std::int64_t kMaxSeq = std::int64_t{1} << 30;
  const std::int64_t m = micro_batches(training, plan);
  Headroom out;
  out.micro_batch = largest(1, kMaxMicroBatch, [&](std::int64_t b) {
    Plan with = plan;
    with.micro_batch = static_cast<int>(b);
    return fits(model, training, with, capacity, m);
  });
  const std::int64_t step = std::int64_t{128} * plan.cp;
  out.seq = largest(step, kMaxSeq, [&](std::int64_t s) {
    Training with = training;
    with.seq = s;
    return fits(model, with, plan, capacity, m);
  });
  return out;
}

}  // namespace meshwise
