#include "meshwise/model.h"

namespace meshwise {
namespace {

// Parameters of one layer's attention: Q, K, V and output projections.
double attention_parameters(const Model& m) {
  const double h = m.hidden;
  const double q = static_cast<double>(m.heads) * m.head_dim;
  const double kv = static_cast<double>(m.kv_heads) * m.head_dim;
  double count = 2.0 * h * q + 2.0 * h * kv;
  if (m.biases || m.qkv_biases) count += q + 2.0 * kv;
  if (m.biases) count += h;
  return count;
}

// One FFN of width f: two matrices, or three with a gate.
double ffn_parameters(const Model& m, double f) {
  const double h = m.hidden;
  double count = (m.gated_mlp ? 3.0 : 2.0) * h * f;
  if (m.biases) count += (m.gated_mlp ? 2.0 : 1.0) * f + h;
  return count;
}

double norm_parameters(const Model& m) {
  return (m.layer_norm ? 2.0 : 1.0) * m.hidden;
}

// The stated total, spread evenly over the layers. The share of K and V in a
// layer stays that of the shape, and so does that of the routed experts.
void apply_stated_total(const Model& m, ParameterCount& c) {
  const double layers = m.layers;
  const double counted = c.total - c.embedding - c.head - c.final_norm;
  const double scale = m.stated_parameters / counted;
  c.active = (c.active - c.embedding - c.head - c.final_norm) * scale;
  c.dense_layer *= scale;
  c.moe_layer_shared *= scale;
  c.expert *= scale;
  c.kv_projection *= scale;
  c.embedding = 0.0;
  c.head = 0.0;
  c.final_norm = 0.0;
  c.total = m.stated_parameters;
  if (m.moe.experts == 0) {
    c.dense_layer = m.stated_parameters / layers;
    c.active = m.stated_parameters;
  }
}

}  // namespace

ParameterCount count_parameters(const Model& m) {
  const double h = m.hidden;
  const double attention = attention_parameters(m) + 2.0 * norm_parameters(m);
  const int moe_layers = m.moe.experts > 0 ? m.layers - m.moe.dense_layers : 0;
  const double dense_layers = m.layers - moe_layers;

  ParameterCount c;
  c.embedding = static_cast<double>(m.vocab) * h +
                static_cast<double>(m.max_positions) * h;
  c.head = m.tied_head ? 0.0 : static_cast<double>(m.vocab) * h;
  c.final_norm = norm_parameters(m);
  c.kv_projection =
      2.0 * h * m.kv_heads * m.head_dim +
      (m.biases || m.qkv_biases ? 2.0 * m.kv_heads * m.head_dim : 0.0);
  c.dense_layer = dense_layers > 0 ? attention + ffn_parameters(m, m.ffn) : 0.0;
  double active_layers = dense_layers * c.dense_layer;
  c.total = c.embedding + c.head + c.final_norm + active_layers;
  if (moe_layers > 0) {
    c.expert = ffn_parameters(m, m.moe.expert_ffn);
    const double router = h * m.moe.experts;
    c.moe_layer_shared = attention + router + c.expert * m.moe.shared_experts;
    c.total += moe_layers * (c.moe_layer_shared + c.expert * m.moe.experts);
    active_layers += moe_layers * (c.moe_layer_shared + c.expert * m.moe.top_k);
  }
  c.active = c.embedding + c.head + c.final_norm + active_layers;
  if (m.stated_parameters > 0.0) apply_stated_total(m, c);
  return c;
}

double matmul_parameters(const Model& m) {
  const ParameterCount c = count_parameters(m);
  const bool tied = m.tied_head && m.stated_parameters <= 0.0;
  const double head = tied ? static_cast<double>(m.vocab) * m.hidden : 0.0;
  return c.active - c.embedding + head;
}

double kv_values_per_token(const Model& m) {
  return 2.0 * m.layers * m.kv_heads * m.head_dim;
}

}  // namespace meshwise
