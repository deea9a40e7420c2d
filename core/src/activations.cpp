#include "meshwise/activations.h"

#include <algorithm>

namespace meshwise {
namespace {

constexpr double kFp32 = 4.0;
constexpr double kBf16 = 2.0;

// What a rank holds of one micro-batch.
struct Share {
  double tokens;    // s b / c
  double sequence;  // tokens of what sequence parallelism splits
  double t;
  double heads;     // query heads
  double kv_heads;  // at least one
};

Share share_of(const Model& model, const Training& training, const Plan& plan) {
  const double tokens =
      static_cast<double>(training.seq) * plan.micro_batch / plan.cp;
  const double t = plan.tp;
  return {tokens, plan.sequence_parallel ? tokens / t : tokens, t,
          model.heads / t, std::max(model.kv_heads / t, 1.0)};
}

// Norms' inputs and the inputs of attention and FFN. Side by side, both norms
// have one input; a norm that serves both blocks has one output.
void add_stream(SavedTensors& out, const Model& m, const Share& s) {
  const double h = m.hidden;
  const bool shared = m.norms_per_layer == 1;
  out.add("attention norm input", s.sequence, h);
  out.add("attention input", s.sequence, h);
  if (!m.parallel_blocks) out.add("FFN norm input", s.sequence, h);
  if (!shared) out.add("FFN input", s.sequence, h);
  if (m.norms_per_layer == 4) {
    out.add("attention output norm input", s.sequence, h);
    out.add("FFN output norm input", s.sequence, h);
  }
}

void add_latents(SavedTensors& out, const Model& m, const Share& s) {
  const LatentAttention& latent = m.latent;
  if (latent.q_rank > 0) {
    out.add("query latent", s.sequence, latent.q_rank);
    out.add("query latent, normed", s.sequence, latent.q_rank);
  }
  out.add("KV latent", s.sequence, latent.kv_rank);
  out.add("KV latent, normed", s.sequence, latent.kv_rank);
}

void add_attention(SavedTensors& out, const Model& m, const Training& training,
                   const Plan& plan, const Share& s, Recompute recompute) {
  const LatentAttention& latent = m.latent;
  const bool has_latent = latent.kv_rank > 0;
  const double key =
      has_latent ? latent.nope_dim + latent.rope_dim : m.head_dim;
  const double value = has_latent ? latent.value_dim : m.head_dim;
  if (has_latent) add_latents(out, m, s);
  if (m.qk_norms && !has_latent) {
    out.add("queries before their norm", s.tokens, s.heads * key);
    out.add("keys before their norm", s.tokens, s.kv_heads * key);
  }
  out.add("queries", s.tokens, s.heads * key);
  out.add("keys", s.tokens, s.kv_heads * key);
  out.add("values", s.tokens, s.kv_heads * value);
  if (training.fused_attention) {
    out.add("log-sum-exp", s.tokens, s.heads, kFp32);
  } else if (recompute == Recompute::kNone) {
    out.add("attention weights", s.tokens,
            s.heads * static_cast<double>(training.seq));
  }
  out.add("attention output", s.tokens, s.heads * value);
  if (plan.cp > 1 && plan.cp_method == CpMethod::kUlysses) {
    out.add("attention output, exchanged", s.tokens, s.heads * value);
  }
}

void add_ffn(SavedTensors& out, const Model& m, double rows, double width) {
  if (m.gated_mlp) {
    out.add("gate", rows, width);
    out.add("up", rows, width);
  } else {
    out.add("FFN before its activation", rows, width);
  }
  out.add("FFN after its activation", rows, width);
}

void add_experts(SavedTensors& out, const Model& m, const Share& s) {
  const Moe& moe = m.moe;
  const double routed = s.tokens * moe.top_k * moe.capacity;
  out.add("router probabilities", s.sequence, moe.experts, kFp32);
  out.add("tokens of experts", routed, m.hidden);
  const std::size_t from = out.count;
  add_ffn(out, m, routed, moe.expert_ffn / s.t);
  constexpr const char* kGated[] = {"expert gate", "expert up",
                                    "expert after its activation"};
  constexpr const char* kPlain[] = {"expert before its activation",
                                    "expert after its activation"};
  for (std::size_t i = from; i < out.count; ++i) {
    out.list[i].name = m.gated_mlp ? kGated[i - from] : kPlain[i - from];
  }
  const double shared =
      static_cast<double>(moe.shared_experts) * moe.expert_ffn / s.t;
  if (shared > 0.0) add_ffn(out, m, s.tokens, shared);
}

}  // namespace

void SavedTensors::add(const char* name, double rows, double columns,
                       double value_bytes) {
  list[count] = {name, rows, columns, value_bytes};
  ++count;
}

Bytes SavedTensors::total() const {
  Bytes sum;
  for (const SavedTensor& each : all()) sum += each.size();
  return sum;
}

SavedTensors saved_tensors(const Model& model, const Training& training,
                           const Plan& plan, LayerKind kind,
                           Recompute recompute) {
  const Share s = share_of(model, training, plan);
  SavedTensors out;
  add_stream(out, model, s);
  add_attention(out, model, training, plan, s, recompute);
  if (kind == LayerKind::kMoe) {
    add_experts(out, model, s);
  } else {
    add_ffn(out, model, s.tokens, model.ffn / s.t);
  }
  return out;
}

Bytes backward_set(const Model& model, const Training& training,
                   const Plan& plan, LayerKind kind) {
  const Share s = share_of(model, training, plan);
  const Moe& moe = model.moe;
  const double values = model.gated_mlp ? 3.0 : 2.0;
  const double width =
      kind == LayerKind::kMoe
          ? s.tokens * moe.top_k * moe.capacity * moe.expert_ffn / s.t
          : s.tokens * model.ffn / s.t;
  return bytes(kBf16 * (s.tokens * model.hidden + values * width));
}

Bytes gradient_stand_ins(const Model& model, const Plan& plan, LayerKind kind) {
  const ParameterCount count = count_parameters(model);
  const double t = plan.tp;
  const double norms =
      (model.layer_norm ? 2.0 : 1.0) * model.norms_per_layer * model.hidden;
  if (kind == LayerKind::kDense) {
    return bytes(kBf16 * (count.dense_layer - norms) / t);
  }
  // One shape serves all experts; the router's gradient has no stand-in.
  const double router = static_cast<double>(model.hidden) * model.moe.experts;
  const double whole = count.moe_layer_shared - norms - router;
  return bytes(kBf16 * (whole + count.expert) / t);
}

}  // namespace meshwise
