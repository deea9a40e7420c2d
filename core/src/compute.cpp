#include "meshwise/compute.h"

namespace meshwise {
namespace {

// Attention-core FLOPs a token and layer, in units of (a dh) s.
constexpr double kFlashForward = 2.0;    // two products, causal half
constexpr double kFlashBackward = 5.0;   // five products, causal half
constexpr double kSquareForward = 4.0;   // two products, whole square
constexpr double kSquareBackward = 8.0;  // four products, whole square

double head_matrix(const Model& m) {
  return m.stated_parameters > 0.0 ? 0.0
                                   : static_cast<double>(m.vocab) * m.hidden;
}

// Parameters of one layer that a token multiplies by, averaged over dense and
// MoE layers.
double layer_matmul_parameters(const Model& m) {
  return (matmul_parameters(m) - head_matrix(m)) / m.layers;
}

// Values of a head that the two products of the attention core run over, on
// average.
double core_width(const Model& m) {
  const LatentAttention& latent = m.latent;
  if (latent.kv_rank == 0) return m.head_dim;
  return (static_cast<double>(latent.nope_dim) + latent.rope_dim +
          latent.value_dim) /
         2.0;
}

double decode_width(const Model& m) {
  const LatentAttention& latent = m.latent;
  return latent.kv_rank == 0 ? m.head_dim
                             : latent.kv_rank + latent.rope_dim / 2.0;
}

// The mean over the layers of `full` keys and those that a window leaves.
double mean_keys(const Model& m, double full, double windowed) {
  if (m.window.tokens == 0 || full <= m.window.tokens) return full;
  const double all = full_layers(m);
  return (all * full + (m.layers - all) * windowed) / m.layers;
}

// The length of the whole causal sequence with as many pairs.
double causal_keys(const Model& m, double seq) {
  const double w = m.window.tokens;
  return mean_keys(m, seq, 2.0 * w - w * w / seq);
}

double attention_unit(const Model& m, double keys) {
  return static_cast<double>(m.heads) * core_width(m) * keys;
}

// Without recomputation the score matrix is stored, so no flash kernel ran.
bool runs_flash(const Training& training, Recompute recompute) {
  return training.fused_attention && recompute != Recompute::kNone;
}

double attention_factor(const Training& training, Recompute recompute) {
  const bool flash = runs_flash(training, recompute);
  const double forward = flash ? kFlashForward : kSquareForward;
  const double backward = flash ? kFlashBackward : kSquareBackward;
  const bool again =
      recompute == Recompute::kFull ||
      (recompute == Recompute::kSelective && !training.fused_attention);
  return forward + backward + (again ? forward : 0.0);
}

}  // namespace

StageFlops stage_flops(const Model& model, const Training& training,
                       Recompute recompute, int layers, bool with_head) {
  const double passes = recompute == Recompute::kFull ? 8.0 : 6.0;
  const double seq = static_cast<double>(training.seq);
  StageFlops out;
  out.matmul = FlopsPerToken(passes * layers * layer_matmul_parameters(model) +
                             (with_head ? 6.0 * head_matrix(model) : 0.0));
  const double keys =
      runs_flash(training, recompute) ? causal_keys(model, seq) : seq;
  out.attention = FlopsPerToken(attention_factor(training, recompute) * layers *
                                attention_unit(model, keys));
  return out;
}

FlopsPerToken model_flops(const Model& model, std::int64_t seq,
                          AttentionConvention convention) {
  const double factor = convention == AttentionConvention::kFull ? 12.0 : 6.0;
  const double keys = causal_keys(model, static_cast<double>(seq));
  return FlopsPerToken(6.0 * matmul_parameters(model) +
                       factor * model.layers * attention_unit(model, keys));
}

FlopsPerToken executed_flops(const Model& model, const Training& training,
                             Recompute recompute) {
  return stage_flops(model, training, recompute, model.layers, true).total();
}

Flops prefill_flops(const Model& model, std::int64_t tokens) {
  const double n = static_cast<double>(tokens);
  const double each = 2.0 * matmul_parameters(model) +
                      kFlashForward * model.layers *
                          attention_unit(model, causal_keys(model, n));
  return Flops(each * n);
}

Flops decode_flops(const Model& model, std::int64_t context) {
  const double keys =
      mean_keys(model, static_cast<double>(context), model.window.tokens);
  return Flops(
      2.0 * matmul_parameters(model) +
      kSquareForward * model.layers *
          (static_cast<double>(model.heads) * decode_width(model) * keys));
}

}  // namespace meshwise
