// A transformer's shape, and how many parameters that shape has.
//
//   GPT style    L(12h^2 + 13h) + Vh + s_max h + 2h
//                (LayerNorm, biases, GELU, tied head, learned positions)
//   Llama style  L(2h a dh + 2h k dh + 3hf + 2h) + (1 or 2) Vh + h
//                (RMSNorm, no bias, SwiGLU, GQA, rotary positions)
//
// with L layers, h hidden, a query heads, k KV heads, dh head size, f FFN
// width, V vocabulary. Sources: Narayanan et al. 2021 (arXiv:2104.04473),
// section 5.1, and the published Llama configurations; Llama 3 8B has exactly
// 8,030,261,248 parameters.
//
// Multi-head latent attention, a layer (DeepSeek-V2, arXiv:2405.04434, section
// 2.1), with r_q, r_kv the ranks of the latents and d_n, d_r, d_v the sizes of
// a head's part without position, with rotary position, and value:
//   h r_q + r_q + r_q a (d_n + d_r)                queries (r_q = 0: straight
//                                                  from h, h a (d_n + d_r))
//   h (r_kv + d_r) + r_kv + r_kv a (d_n + d_v)     keys and values
//   a d_v h                                        output
// Its cache holds r_kv + d_r values a token and layer, for all heads together.
//
// Sliding windows (Mistral 7B, arXiv:2310.06825; Gemma 2, arXiv:2408.00118): a
// query sees the last w tokens, so that the cache of such a layer never holds
// more than w, and s tokens make w s - w^2/2 pairs in place of s^2/2.
#pragma once

#include <cstdint>
#include <string>

namespace meshwise {

// Mixture of experts. `experts == 0` is a dense model.
struct Moe {
  int experts = 0;           // routed experts a layer
  int top_k = 0;             // routed experts a token visits
  int expert_ffn = 0;        // FFN width of one routed expert
  int shared_experts = 0;    // experts every token visits, of expert_ffn each
  int dense_layers = 0;      // leading layers that keep the dense FFN
  double capacity = 1.0;     // buffer over an even share, >= 1
  bool router_bias = false;  // one correction bias an expert (DeepSeek-V3)
  bool shared_gate = false;  // the shared experts have a gate, h (Qwen2-MoE)

  friend bool operator==(const Moe&, const Moe&) = default;
};

// Multi-head latent attention. `kv_rank == 0`: the model has none.
struct LatentAttention {
  int q_rank = 0;     // r_q, 0: queries are projected straight from h
  int kv_rank = 0;    // r_kv
  int nope_dim = 0;   // d_n, of a query or key, without position
  int rope_dim = 0;   // d_r, with rotary position; one key serves all heads
  int value_dim = 0;  // d_v

  friend bool operator==(const LatentAttention&,
                         const LatentAttention&) = default;
};

// Which layers see only a window of the sequence. `tokens == 0`: none does.
struct Window {
  int tokens = 0;      // w
  int full_every = 0;  // every n-th layer sees all of it; 0: no layer does
  int full_first = 0;  // leading layers that see all of it

  friend bool operator==(const Window&, const Window&) = default;
};

struct Model {
  std::string id;    // preset id, "" for a shape given by hand
  std::string name;  // for people

  int layers = 0;           // L
  int hidden = 0;           // h
  int heads = 0;            // a, query heads
  int kv_heads = 0;         // k, divides a
  int head_dim = 0;         // dh, h/a unless the model says otherwise
  int ffn = 0;              // f
  int vocab = 0;            // V, 0: no embedding, head or logits counted
  int max_positions = 0;    // learned positions, 0: rotary or none
  bool gated_mlp = true;    // SwiGLU: three matrices, else two
  bool biases = false;      // biases on every linear layer
  bool qkv_biases = false;  // biases on Q, K, V alone
  bool layer_norm = false;  // LayerNorm (gain and bias), else RMSNorm (gain)
  bool tied_head = false;   // the head reuses the input embedding
  bool head_bias = false;   // a bias on the output head
  int norms_per_layer = 2;  // 1: attention and FFN share one; 4: after each too
  bool embedding_norm = false;   // a norm on the embedding's output
  bool qk_norms = false;         // a gain of dh for queries and one for keys
  bool parallel_blocks = false;  // attention and FFN side by side, one sum
  Moe moe;
  LatentAttention latent;
  Window window;

  // Total parameters stated instead of counted; 0: counted from the shape.
  // The layers then share them evenly and nothing else holds any.
  double stated_parameters = 0.0;

  friend bool operator==(const Model&, const Model&) = default;
};

// Parameter counts by where they live. All are counts, not bytes.
struct ParameterCount {
  double total = 0.0;
  double active = 0.0;     // what one token's forward pass multiplies by,
                           // embedding included
  double embedding = 0.0;  // input embedding, learned positions, their norm
  double head = 0.0;       // output head's own matrix and bias
  double final_norm = 0.0;
  double dense_layer = 0.0;     // one layer of the dense kind, 0 if none
  double moe_layer_shared = 0;  // one MoE layer without its routed experts
  double expert = 0.0;          // one routed expert
  double kv_projection = 0.0;   // K and V projections of one layer, 0 where
                                // they come from a latent
  double latent = 0.0;          // projections down to a layer's latents, which
                                // every tensor-parallel rank holds whole

  friend bool operator==(const ParameterCount&,
                         const ParameterCount&) = default;
};

// Counts from the shape, or from the stated total. No failure: a shape that
// was validated (see check in catalog) gives finite positive counts.
[[nodiscard]] ParameterCount count_parameters(const Model& model);

// Parameters that take part in a token's matrix products: active, without the
// input embedding (a look-up), with the head's matrix even when it is tied.
[[nodiscard]] double matmul_parameters(const Model& model);

// KV-cache values (not bytes) one token adds over all layers: 2 L k dh, or
// L (r_kv + d_r) where keys and values come from a latent.
[[nodiscard]] double kv_values_per_token(const Model& model);

// The same as an average over a sequence of `context` tokens, of which a layer
// with a window keeps the last w.
[[nodiscard]] double kv_values_per_token(const Model& model,
                                         std::int64_t context);

// Tensor-parallel ranks over which the cache splits: KV heads replicate once
// tp exceeds them, and a latent is whole on every rank.
[[nodiscard]] int kv_ways(const Model& model, int tp);

// Values of the keys and values of one KV head: 2 dh, or d_n + d_r + d_v.
[[nodiscard]] double kv_head_values(const Model& model);

// Does layer `layer`, from 0, see the whole sequence? And how many do.
[[nodiscard]] bool sees_all(const Model& model, int layer);
[[nodiscard]] int full_layers(const Model& model);

}  // namespace meshwise
