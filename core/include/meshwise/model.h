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
#pragma once

#include <cstdint>
#include <string>

namespace meshwise {

// Mixture of experts. `experts == 0` is a dense model.
struct Moe {
  int experts = 0;         // routed experts a layer
  int top_k = 0;           // routed experts a token visits
  int expert_ffn = 0;      // FFN width of one routed expert
  int shared_experts = 0;  // experts every token visits, of expert_ffn each
  int dense_layers = 0;    // leading layers that keep the dense FFN
  double capacity = 1.0;   // buffer over an even share, >= 1

  friend bool operator==(const Moe&, const Moe&) = default;
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
  Moe moe;

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
  double embedding = 0.0;  // input embedding and learned positions
  double head = 0.0;       // output head's own matrix, 0 when tied
  double final_norm = 0.0;
  double dense_layer = 0.0;     // one layer of the dense kind, 0 if none
  double moe_layer_shared = 0;  // one MoE layer without its routed experts
  double expert = 0.0;          // one routed expert
  double kv_projection = 0.0;   // K and V projections of one layer

  friend bool operator==(const ParameterCount&,
                         const ParameterCount&) = default;
};

// Counts from the shape, or from the stated total. No failure: a shape that
// was validated (see check in catalog) gives finite positive counts.
[[nodiscard]] ParameterCount count_parameters(const Model& model);

// Parameters that take part in a token's matrix products: active, without the
// input embedding (a look-up), with the head's matrix even when it is tied.
[[nodiscard]] double matmul_parameters(const Model& model);

// KV-cache values (not bytes) one token adds over all layers: 2 L k dh.
[[nodiscard]] double kv_values_per_token(const Model& model);

}  // namespace meshwise
