// A request's model: preset, config.json or shape, and the values over it.
#include <string>

#include "fields.h"
#include "hf_config.h"
#include "request.h"

namespace meshwise {
namespace {

std::vector<std::string> model_ids(const Catalog& catalog) {
  std::vector<std::string> out;
  for (const ModelPreset& each : catalog.models) out.push_back(each.model.id);
  return out;
}

// Shape values that follow from others when they are left out.
struct ModelKeys {
  bool kv_heads, head_dim, ffn;
};

void derive_shape(Model& m, const Model& before, ModelKeys given) {
  const bool from_nothing = before.layers == 0;
  const bool own_head_dim =
      !from_nothing && before.head_dim * before.heads != before.hidden;
  const bool reshaped = m.hidden != before.hidden || m.heads != before.heads;
  if (!given.head_dim && reshaped && !own_head_dim && m.heads > 0) {
    m.head_dim = m.hidden / m.heads;
  }
  const bool every_head = from_nothing || before.kv_heads == before.heads;
  if (!given.kv_heads && every_head) m.kv_heads = m.heads;
  if (!given.ffn && from_nothing) m.ffn = 4 * m.hidden;
  if (m.latent.kv_rank > 0 && !given.head_dim) {
    m.head_dim = m.latent.nope_dim + m.latent.rope_dim;
  }
}

bool check_heads(Reader& reader, const Model& m, ModelKeys given) {
  const bool even = m.latent.kv_rank > 0 || given.head_dim ||
                    m.head_dim * m.heads == m.hidden || m.hidden % m.heads == 0;
  if (!even) {
    reader.fail("heads", Code::kInconsistent,
                std::to_string(m.heads) +
                    " heads do not divide hidden = " + std::to_string(m.hidden),
                "heads that divide hidden, or head_dim");
    return false;
  }
  if (m.kv_heads > m.heads || m.heads % m.kv_heads != 0) {
    reader.fail("kv_heads", Code::kInconsistent,
                std::to_string(m.kv_heads) + " KV heads do not divide the " +
                    std::to_string(m.heads) + " query heads",
                "a divisor of the heads");
    return false;
  }
  return true;
}

void check_moe(Reader& reader, const Model& m) {
  const Moe& moe = m.moe;
  if (moe.experts == 0) return;
  if (moe.top_k < 1 || moe.top_k > moe.experts) {
    reader.fail("top_k", Code::kInconsistent,
                "top_k = " + std::to_string(moe.top_k) + " of " +
                    std::to_string(moe.experts) + " experts",
                "1 to " + std::to_string(moe.experts));
  }
  if (moe.expert_ffn < 1) {
    reader.fail("expert_ffn", Code::kMissing,
                "experts need their FFN width, expert_ffn");
  }
  if (moe.dense_layers > m.layers) {
    reader.fail("dense_layers", Code::kInconsistent,
                "more dense layers than layers",
                "0 to " + std::to_string(m.layers));
  }
}

void check_latent(Reader& reader, const Model& m) {
  const LatentAttention& latent = m.latent;
  if (latent.kv_rank == 0) {
    if (latent.q_rank > 0) {
      reader.fail("kv_rank", Code::kMissing,
                  "a query latent without one of keys and values",
                  "kv_rank of 1 or more, or q_rank 0");
    }
    return;
  }
  if (latent.nope_dim + latent.rope_dim < 1) {
    reader.fail("nope_dim", Code::kMissing,
                "a KV latent needs the head's sizes",
                "nope_dim and rope_dim, together 1 or more");
  }
  if (latent.value_dim < 1) {
    reader.fail("value_dim", Code::kMissing,
                "a KV latent needs the size of a value head", "1 to 10000");
  }
}

void check_window(Reader& reader, const Model& m) {
  if (m.window.full_first <= m.layers) return;
  reader.fail("full_first", Code::kInconsistent,
              "more layers that see all than layers",
              "0 to " + std::to_string(m.layers));
}

void read_moe(Reader& reader, Moe& moe) {
  read_field(reader, "model", "experts", moe.experts);
  read_field(reader, "model", "top_k", moe.top_k);
  read_field(reader, "model", "expert_ffn", moe.expert_ffn);
  read_field(reader, "model", "shared_experts", moe.shared_experts);
  read_field(reader, "model", "dense_layers", moe.dense_layers);
  read_field(reader, "model", "capacity", moe.capacity);
  reader.flag("router_bias", moe.router_bias);
  reader.flag("shared_gate", moe.shared_gate);
}

void read_attention(Reader& reader, Model& m) {
  read_field(reader, "model", "q_rank", m.latent.q_rank);
  read_field(reader, "model", "kv_rank", m.latent.kv_rank);
  read_field(reader, "model", "nope_dim", m.latent.nope_dim);
  read_field(reader, "model", "rope_dim", m.latent.rope_dim);
  read_field(reader, "model", "value_dim", m.latent.value_dim);
  read_field(reader, "model", "window", m.window.tokens);
  read_field(reader, "model", "full_every", m.window.full_every);
  read_field(reader, "model", "full_first", m.window.full_first);
}

void read_model_flags(Reader& reader, Model& m) {
  reader.flag("gated_mlp", m.gated_mlp);
  reader.flag("biases", m.biases);
  reader.flag("qkv_biases", m.qkv_biases);
  reader.flag("layer_norm", m.layer_norm);
  reader.flag("tied_head", m.tied_head);
  reader.flag("head_bias", m.head_bias);
  reader.flag("embedding_norm", m.embedding_norm);
  reader.flag("qk_norms", m.qk_norms);
  reader.flag("parallel_blocks", m.parallel_blocks);
}

// What the shape starts from: a preset, a config.json, nothing (a whole shape
// given by hand), or the model that is already there.
void read_origin(Reader& reader, const Catalog& catalog, Model& model) {
  std::string preset;
  if (reader.text("preset", preset)) {
    if (const ModelPreset* found = catalog.model(preset)) {
      model = found->model;
    } else {
      unknown_name(reader, "preset", "model", preset, model_ids(catalog));
    }
    if (reader.has("config")) {
      reader.fail("config", Code::kInconsistent,
                  "a preset and a config.json at once", "one of the two");
    }
    reader.skip("config");
  } else if (std::optional<Reader> config = reader.object("config")) {
    model = Model{};
    read_hf_config(*config, model);
  } else if (reader.has("layers") && reader.has("hidden") &&
             reader.has("heads")) {
    model = Model{};
    model.gated_mlp = false;
  }
}

}  // namespace

void read_model(Reader reader, const Catalog& catalog, Model& model) {
  const std::size_t before_problems = reader.problems().size();
  read_origin(reader, catalog, model);
  const Model before = model;
  reader.text("id", model.id);
  reader.text("name", model.name);
  reader.skip("schema");
  reader.skip("source");
  reader.skip("as_of");
  read_field(reader, "model", "parameters", model.stated_parameters);
  read_field(reader, "model", "layers", model.layers);
  read_field(reader, "model", "hidden", model.hidden);
  read_field(reader, "model", "heads", model.heads);
  const ModelKeys given{read_field(reader, "model", "kv_heads", model.kv_heads),
                        read_field(reader, "model", "head_dim", model.head_dim),
                        read_field(reader, "model", "ffn", model.ffn)};
  read_field(reader, "model", "vocab", model.vocab);
  read_field(reader, "model", "max_positions", model.max_positions);
  read_field(reader, "model", "norms_per_layer", model.norms_per_layer);
  read_model_flags(reader, model);
  read_moe(reader, model.moe);
  read_attention(reader, model);
  reader.finish();
  if (reader.problems().size() > before_problems) return;
  if (model.layers == 0 || model.hidden == 0 || model.heads == 0) {
    reader.fail("layers", Code::kMissing, "the model has no shape",
                "a preset, or layers, hidden and heads");
    return;
  }
  derive_shape(model, before, given);
  if (!check_heads(reader, model, given)) return;
  check_moe(reader, model);
  check_latent(reader, model);
  check_window(reader, model);
}

}  // namespace meshwise
