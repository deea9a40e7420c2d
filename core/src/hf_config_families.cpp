// The families of config.json, each with its own keys.
#include "hf_config_parts.h"

namespace meshwise::hf {
namespace {

// What every family has. KV heads are the heads and the head size is the
// hidden size over the heads unless they stand there.
void read_shape(Config& c, Model& m) {
  c.need(kLayers, "layers", m.layers);
  c.need(kHidden, "hidden", m.hidden);
  c.need(kHeads, "heads", m.heads);
  c.need(kVocab, "vocab", m.vocab);
  if (m.kv_heads == 0) m.kv_heads = m.heads;
  c.read(kKvHeads, "kv_heads", m.kv_heads);
  c.read(kHeadDim, "head_dim", m.head_dim);
  if (m.head_dim == 0 && m.heads > 0) m.head_dim = m.hidden / m.heads;
}

// Llama: RMSNorm, gated FFN, rotary positions, a head of its own.
void read_llama(Config& c, Model& m) {
  read_shape(c, m);
  c.need(kFfn, "ffn", m.ffn);
  m.tied_head = c.flag("tie_word_embeddings", false);
  const bool attention = c.flag("attention_bias", false);
  const bool mlp = c.flag("mlp_bias", false);
  m.biases = attention && mlp;
  if (attention != mlp) {
    c.fail(attention ? "attention_bias" : "mlp_bias", Code::kInconsistent,
           "biases on attention or the FFN alone are not read",
           "attention_bias and mlp_bias alike");
  }
}

void read_window(Config& c, Model& m) {
  c.read({"sliding_window"}, "window", m.window.tokens);
}

void read_mistral(Config& c, Model& m) {
  read_llama(c, m);
  read_window(c, m);
}

// The experts' keys. Layers that alternate with dense ones have no shape here.
void read_experts(Config& c, Model& m) {
  c.need(kExperts, "experts", m.moe.experts);
  c.need(kTopK, "top_k", m.moe.top_k);
  if (c.number("decoder_sparse_step", 1, 10000, 1) != 1) {
    c.fail("decoder_sparse_step", Code::kOutOfRange,
           "experts in every n-th layer are not read", "1");
  }
  if (c.number("moe_layer_freq", 1, 10000, 1) != 1) {
    c.fail("moe_layer_freq", Code::kOutOfRange,
           "experts in every n-th layer are not read", "1");
  }
  const Json* dense = c.reader().value("mlp_only_layers");
  if (dense != nullptr && !dense->is_null() &&
      !(dense->is_array() && dense->empty())) {
    c.fail("mlp_only_layers", Code::kOutOfRange,
           "layers without experts, by number, are not read", "[]");
  }
}

void read_mixtral(Config& c, Model& m) {
  read_mistral(c, m);
  read_experts(c, m);
  m.moe.expert_ffn = m.ffn;
}

// Qwen2: biases on Q, K and V; a window, where it is switched on, from layer
// max_window_layers.
void read_qwen2(Config& c, Model& m) {
  read_llama(c, m);
  m.qkv_biases = true;
  if (!c.flag("use_sliding_window", false)) return;
  read_window(c, m);
  c.read({"max_window_layers"}, "full_first", m.window.full_first);
}

void read_qwen2_moe(Config& c, Model& m) {
  read_qwen2(c, m);
  read_experts(c, m);
  c.need(kExpertFfn, "expert_ffn", m.moe.expert_ffn);
  int shared = 0;
  c.need({"shared_expert_intermediate_size"}, "ffn", shared);
  m.moe.shared_gate = true;
  if (m.moe.expert_ffn < 1) return;
  m.moe.shared_experts = shared / m.moe.expert_ffn;
  if (shared % m.moe.expert_ffn == 0) return;
  c.fail("shared_expert_intermediate_size", Code::kInconsistent,
         "the shared expert's width is no multiple of a routed one's",
         "a multiple of " + std::to_string(m.moe.expert_ffn));
}

// Qwen3: norms of queries and keys instead of biases.
void read_qwen3(Config& c, Model& m) {
  c.only("attention_bias", false, false, "Qwen3 with biases is not read");
  read_llama(c, m);
  m.qk_norms = true;
  if (!c.flag("use_sliding_window", false)) return;
  read_window(c, m);
  c.read({"max_window_layers"}, "full_first", m.window.full_first);
}

void read_qwen3_moe(Config& c, Model& m) {
  read_qwen3(c, m);
  read_experts(c, m);
  c.need(kExpertFfn, "expert_ffn", m.moe.expert_ffn);
}

void read_deepseek_v2(Config& c, Model& m) {
  read_llama(c, m);
  LatentAttention& latent = m.latent;
  c.read({"q_lora_rank"}, "q_rank", latent.q_rank);
  c.need({"kv_lora_rank"}, "kv_rank", latent.kv_rank);
  c.need({"qk_nope_head_dim"}, "nope_dim", latent.nope_dim);
  c.need({"qk_rope_head_dim"}, "rope_dim", latent.rope_dim);
  c.need({"v_head_dim"}, "value_dim", latent.value_dim);
  // Keys and values are rebuilt for every head.
  m.kv_heads = m.heads;
  m.head_dim = latent.nope_dim + latent.rope_dim;
  read_experts(c, m);
  c.need(kExpertFfn, "expert_ffn", m.moe.expert_ffn);
  c.read({"n_shared_experts"}, "shared_experts", m.moe.shared_experts);
  c.read(kDenseLayers, "dense_layers", m.moe.dense_layers);
}

void read_deepseek_v3(Config& c, Model& m) {
  read_deepseek_v2(c, m);
  m.moe.router_bias = true;
}

void read_gemma(Config& c, Model& m) {
  m.head_dim = 256;
  read_llama(c, m);
  m.tied_head = c.flag("tie_word_embeddings", true);
}

// Gemma 2: norms after attention and FFN too; every second layer has a window.
void read_gemma2(Config& c, Model& m) {
  read_gemma(c, m);
  read_window(c, m);
  m.norms_per_layer = 4;
  m.window.full_every = 2;
}

// Gemma 3: every sixth layer sees all.
void read_gemma3(Config& c, Model& m) {
  read_gemma2(c, m);
  m.qk_norms = true;
  m.window.full_every = c.number("sliding_window_pattern", 1, 10000, 6);
}

// The text model of a multimodal Gemma 3, whose files leave out what is the
// same for all sizes.
void read_gemma3_text_part(Config& c, Model& m) {
  m.heads = 8;
  m.kv_heads = 4;
  m.vocab = 262208;
  read_gemma3(c, m);
}

void read_gpt2(Config& c, Model& m) {
  read_shape(c, m);
  m.ffn = 4 * m.hidden;
  c.read(kFfn, "ffn", m.ffn);
  c.need({"n_positions", "n_ctx"}, "max_positions", m.max_positions);
  m.gated_mlp = false;
  m.layer_norm = true;
  m.biases = true;
  m.tied_head = c.flag("tie_word_embeddings", true);
}

void read_gpt_neox(Config& c, Model& m) {
  read_shape(c, m);
  c.need(kFfn, "ffn", m.ffn);
  c.only("attention_bias", true, true, "GPT-NeoX without biases is not read");
  m.gated_mlp = false;
  m.layer_norm = true;
  m.biases = true;
  m.parallel_blocks = c.flag("use_parallel_residual", true);
  m.tied_head = c.flag("tie_word_embeddings", false);
}

// OPT keeps two learned positions more than its context.
void read_opt(Config& c, Model& m) {
  read_shape(c, m);
  c.need({"ffn_dim"}, "ffn", m.ffn);
  c.need({"max_position_embeddings"}, "max_positions", m.max_positions);
  m.max_positions += 2;
  m.gated_mlp = false;
  m.layer_norm = true;
  m.biases = c.flag("enable_bias", true);
  m.tied_head = c.flag("tie_word_embeddings", true);
  c.only("do_layer_norm_before", true, true, "a norm after is not read");
  const int width = c.number("word_embed_proj_dim", 1, 1000000, m.hidden);
  if (width != m.hidden) {
    c.fail("word_embed_proj_dim", Code::kInconsistent,
           "an embedding of another width than hidden_size is not read",
           std::to_string(m.hidden));
  }
}

void read_bloom(Config& c, Model& m) {
  read_shape(c, m);
  m.ffn = 4 * m.hidden;
  m.gated_mlp = false;
  m.layer_norm = true;
  m.biases = true;
  m.embedding_norm = true;
  m.tied_head = c.flag("tie_word_embeddings", true);
}

// Falcon: one KV head before the new decoder. The published files hold the
// head's copy of the embedding, and the published counts have it, so that a
// head counts as tied only where the file says it is.
void read_falcon(Config& c, Model& m) {
  read_shape(c, m);
  m.ffn = 4 * m.hidden;
  c.read({"ffn_hidden_size"}, "ffn", m.ffn);
  const bool grouped = c.flag("new_decoder_architecture", false);
  const bool single = c.flag("multi_query", true);
  if (!grouped) m.kv_heads = single ? 1 : m.heads;
  m.gated_mlp = false;
  m.layer_norm = true;
  m.biases = c.flag("bias", false);
  m.parallel_blocks = grouped || c.flag("parallel_attn", true);
  const int norms = grouped || !m.parallel_blocks ? 2 : 1;
  m.norms_per_layer = c.number("num_ln_in_parallel_attn", 1, 2, norms);
  m.tied_head = c.flag("tie_word_embeddings", false);
}

void read_phi(Config& c, Model& m) {
  read_shape(c, m);
  c.need(kFfn, "ffn", m.ffn);
  c.only("qk_layernorm", false, false, "norms of Phi's queries are not read");
  m.gated_mlp = false;
  m.layer_norm = true;
  m.biases = true;
  m.head_bias = true;
  m.norms_per_layer = 1;
  m.parallel_blocks = true;
  m.tied_head = c.flag("tie_word_embeddings", false);
}

constexpr Family kFamilies[] = {
    {"bloom", read_bloom},
    {"deepseek_v2", read_deepseek_v2},
    {"deepseek_v3", read_deepseek_v3},
    {"falcon", read_falcon},
    {"gemma", read_gemma},
    {"gemma2", read_gemma2},
    {"gemma3", read_gemma3_text_part},
    {"gemma3_text", read_gemma3},
    {"gpt2", read_gpt2},
    {"gpt_neox", read_gpt_neox},
    {"kimi_k2", read_deepseek_v3},
    {"llama", read_llama},
    {"mistral", read_mistral},
    {"mixtral", read_mixtral},
    {"opt", read_opt},
    {"phi", read_phi},
    {"phi3", read_mistral},
    {"qwen2", read_qwen2},
    {"qwen2_moe", read_qwen2_moe},
    {"qwen3", read_qwen3},
    {"qwen3_moe", read_qwen3_moe},
};

}  // namespace

std::span<const Family> families() { return kFamilies; }

}  // namespace meshwise::hf
