#include "meshwise/model.h"

#include <algorithm>

namespace meshwise {
namespace {

// The projections down to the latents, with the latents' norms.
double latent_parameters(const Model& m) {
  const LatentAttention& latent = m.latent;
  if (latent.kv_rank == 0) return 0.0;
  const double h = m.hidden;
  return (h + 1.0) * latent.q_rank + (h + 1.0) * latent.kv_rank +
         h * latent.rope_dim;
}

// Attention through latents: down, up for each head, and output.
double latent_attention_parameters(const Model& m) {
  const LatentAttention& latent = m.latent;
  const double a = m.heads;
  const double from = latent.q_rank > 0 ? latent.q_rank : m.hidden;
  const double queries = from * a * (latent.nope_dim + latent.rope_dim);
  const double pairs =
      latent.kv_rank * a * (latent.nope_dim + latent.value_dim);
  const double output = a * latent.value_dim * m.hidden;
  double count = latent_parameters(m) + queries + pairs + output;
  if (m.biases || m.qkv_biases) {
    count += latent.q_rank + latent.kv_rank + latent.rope_dim;
  }
  if (m.biases) count += m.hidden;
  return count;
}

// Parameters of one layer's attention: Q, K, V and output projections.
double attention_parameters(const Model& m) {
  if (m.latent.kv_rank > 0) return latent_attention_parameters(m);
  const double h = m.hidden;
  const double q = static_cast<double>(m.heads) * m.head_dim;
  const double kv = static_cast<double>(m.kv_heads) * m.head_dim;
  double count = 2.0 * h * q + 2.0 * h * kv;
  if (m.biases || m.qkv_biases) count += q + 2.0 * kv;
  if (m.biases) count += h;
  if (m.qk_norms) count += 2.0 * m.head_dim;
  return count;
}

// One FFN of width f: two matrices, or three with a gate.
double ffn_parameters(const Model& m, double f) {
  const double h = m.hidden;
  double count = (m.gated_mlp ? 3.0 : 2.0) * h * f;
  if (m.biases) count += (m.gated_mlp ? 2.0 : 1.0) * f + h;
  return count;
}

double kv_projection_parameters(const Model& m) {
  if (m.latent.kv_rank > 0) return 0.0;
  const double kv = 2.0 * m.kv_heads * m.head_dim;
  return kv * m.hidden + (m.biases || m.qkv_biases ? kv : 0.0);
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
  c.latent *= scale;
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
  const double attention =
      attention_parameters(m) + m.norms_per_layer * norm_parameters(m);
  const int moe_layers = m.moe.experts > 0 ? m.layers - m.moe.dense_layers : 0;
  const double dense_layers = m.layers - moe_layers;

  ParameterCount c;
  c.embedding = static_cast<double>(m.vocab) * h +
                static_cast<double>(m.max_positions) * h;
  if (m.embedding_norm) c.embedding += norm_parameters(m);
  c.head = m.tied_head ? 0.0 : static_cast<double>(m.vocab) * h;
  if (m.head_bias) c.head += m.vocab;
  c.final_norm = norm_parameters(m);
  c.kv_projection = kv_projection_parameters(m);
  c.latent = latent_parameters(m);
  c.dense_layer = dense_layers > 0 ? attention + ffn_parameters(m, m.ffn) : 0.0;
  double active_layers = dense_layers * c.dense_layer;
  c.total = c.embedding + c.head + c.final_norm + active_layers;
  if (moe_layers > 0) {
    c.expert = ffn_parameters(m, m.moe.expert_ffn);
    const double router =
        (h + (m.moe.router_bias ? 1.0 : 0.0)) * m.moe.experts +
        (m.moe.shared_gate ? h : 0.0);
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

bool sees_all(const Model& m, int layer) {
  const Window& window = m.window;
  if (window.tokens == 0 || layer < window.full_first) return true;
  return window.full_every > 0 && (layer + 1) % window.full_every == 0;
}

int full_layers(const Model& m) {
  const Window& window = m.window;
  if (window.tokens == 0) return m.layers;
  const int first = std::min(window.full_first, m.layers);
  if (window.full_every == 0) return first;
  return first + m.layers / window.full_every - first / window.full_every;
}

double kv_values_per_token(const Model& m) {
  if (m.latent.kv_rank > 0) {
    return static_cast<double>(m.layers) *
           (m.latent.kv_rank + m.latent.rope_dim);
  }
  return 2.0 * m.layers * m.kv_heads * m.head_dim;
}

double kv_values_per_token(const Model& m, std::int64_t context) {
  const double all = kv_values_per_token(m);
  if (m.window.tokens == 0 || context <= m.window.tokens) return all;
  const double kept = m.window.tokens / static_cast<double>(context);
  const double full = full_layers(m);
  return all / m.layers * (full + (m.layers - full) * kept);
}

int kv_ways(const Model& m, int tp) {
  return m.latent.kv_rank > 0 ? 1 : std::min(tp, m.kv_heads);
}

double kv_head_values(const Model& m) {
  const LatentAttention& latent = m.latent;
  if (latent.kv_rank == 0) return 2.0 * m.head_dim;
  return static_cast<double>(latent.nope_dim) + latent.rope_dim +
         latent.value_dim;
}

}  // namespace meshwise
