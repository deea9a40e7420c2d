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

double attention_unit(const Model& m, double keys) {
  return static_cast<double>(m.heads) * m.head_dim * keys;
}

double attention_factor(const Training& training, Recompute recompute) {
  // Without recomputation the score matrix is stored, so no flash kernel ran.
  const bool flash = training.fused_attention && recompute != Recompute::kNone;
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
  out.attention = FlopsPerToken(attention_factor(training, recompute) * layers *
                                attention_unit(model, seq));
  return out;
}

FlopsPerToken model_flops(const Model& model, std::int64_t seq,
                          AttentionConvention convention) {
  const double factor = convention == AttentionConvention::kFull ? 12.0 : 6.0;
  return FlopsPerToken(6.0 * matmul_parameters(model) +
                       factor * model.layers *
                           attention_unit(model, static_cast<double>(seq)));
}

FlopsPerToken executed_flops(const Model& model, const Training& training,
                             Recompute recompute) {
  return stage_flops(model, training, recompute, model.layers, true).total();
}

Flops prefill_flops(const Model& model, std::int64_t tokens) {
  const double n = static_cast<double>(tokens);
  const double each = 2.0 * matmul_parameters(model) +
                      kFlashForward * model.layers * attention_unit(model, n);
  return Flops(each * n);
}

Flops decode_flops(const Model& model, std::int64_t context) {
  return Flops(2.0 * matmul_parameters(model) +
               kSquareForward * model.layers *
                   attention_unit(model, static_cast<double>(context)));
}

}  // namespace meshwise
