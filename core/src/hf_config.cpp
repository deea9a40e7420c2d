#include "hf_config.h"

#include <algorithm>

#include "hf_config_parts.h"

namespace meshwise {
namespace {

using hf::Config;
using hf::Family;

const Family* family_of(const std::string& type) {
  for (const Family& each : hf::families()) {
    if (type == each.type) return &each;
  }
  return nullptr;
}

// Of an unknown family: what it has not of what any of them needs.
std::string lacks_text(Config& config) {
  std::string out;
  for (const hf::Names names :
       {hf::kLayers, hf::kHidden, hf::kHeads, hf::kFfn, hf::kVocab}) {
    const char* key = config.first(names);
    if (config.has(key)) continue;
    out += (out.empty() ? "; it lacks " : ", ") + std::string(key);
  }
  return out;
}

void check_heads(Config& config, const Model& m) {
  const bool own_size = m.latent.kv_rank > 0 || config.has("head_dim") ||
                        m.head_dim * m.heads == m.hidden;
  if (!own_size && m.hidden % m.heads != 0) {
    config.fail(config.first(hf::kHeads), Code::kInconsistent,
                std::to_string(m.heads) + " heads do not divide the hidden " +
                    "size of " + std::to_string(m.hidden),
                "heads that divide it, or head_dim");
  }
  if (m.kv_heads > m.heads || m.heads % m.kv_heads != 0) {
    config.fail(config.first(hf::kKvHeads), Code::kInconsistent,
                std::to_string(m.kv_heads) + " KV heads do not divide the " +
                    std::to_string(m.heads) + " query heads",
                "a divisor of the heads");
  }
}

void check_experts(Config& config, const Model& m) {
  if (m.moe.top_k > m.moe.experts) {
    config.fail(config.first(hf::kTopK), Code::kInconsistent,
                "a token visits " + std::to_string(m.moe.top_k) + " of " +
                    std::to_string(m.moe.experts) + " experts",
                "1 to " + std::to_string(m.moe.experts));
  }
  if (m.moe.dense_layers > m.layers) {
    config.fail(config.first(hf::kDenseLayers), Code::kInconsistent,
                "more dense layers than layers",
                "0 to " + std::to_string(m.layers));
  }
}

bool follows(const Model& m, const std::vector<bool>& full) {
  for (int i = 0; i < m.layers; ++i) {
    if (sees_all(m, i) != full[static_cast<std::size_t>(i)]) return false;
  }
  return true;
}

// Every n-th layer, or the first ones, see all: sets the window so, if that is
// what the list says.
bool find_pattern(Model& m, const std::vector<bool>& full) {
  const int tokens = m.window.tokens;
  const auto window = std::find(full.begin(), full.end(), false);
  m.window = {tokens, 0, static_cast<int>(window - full.begin())};
  if (follows(m, full)) return true;
  const auto first = std::find(full.begin(), full.end(), true);
  m.window = {tokens, static_cast<int>(first - full.begin()) + 1, 0};
  return follows(m, full);
}

// The kinds of attention, layer by layer, where the file lists them.
void read_layer_types(Config& config, Model& m) {
  if (!config.has("layer_types")) return;
  std::vector<std::string> names;
  if (!config.reader().value("layer_types")->is_array()) {
    config.fail("layer_types", Code::kWrongType, "layer_types is no list",
                "one of full_attention, sliding_attention for each layer");
    return;
  }
  if (!config.reader().texts("layer_types", names)) return;
  std::vector<bool> full;
  for (const std::string& name : names) {
    if (name != "full_attention" && name != "sliding_attention") break;
    full.push_back(name == "full_attention");
  }
  if (full.size() != names.size()) {
    const std::string at = "layer_types/" + std::to_string(full.size());
    config.fail(at.c_str(), Code::kUnknownName, "an unknown kind of attention",
                "full_attention, sliding_attention");
  } else if (full.size() != static_cast<std::size_t>(m.layers)) {
    config.fail("layer_types", Code::kInconsistent,
                std::to_string(full.size()) + " kinds of attention for " +
                    std::to_string(m.layers) + " layers",
                "one for each layer");
  } else if (std::find(full.begin(), full.end(), false) == full.end()) {
    m.window = {};
  } else if (m.window.tokens == 0) {
    config.fail("sliding_window", Code::kMissing,
                "layers with a window need its size", "1 to 1073741824");
  } else if (!find_pattern(m, full)) {
    config.fail("layer_types", Code::kInconsistent,
                "the kinds of attention follow no pattern that is read",
                "every n-th layer full_attention, or the first ones");
  }
}

void read_family(Reader& reader, const Family& family, Model& model) {
  const std::size_t before = reader.problems().size();
  Config config(reader, family.type);
  family.read(config, model);
  if (reader.problems().size() > before) return;
  read_layer_types(config, model);
  model.window.full_first = std::min(model.window.full_first, model.layers);
  check_heads(config, model);
  check_experts(config, model);
}

}  // namespace

std::string hf_model_types() {
  std::string out;
  for (const Family& each : hf::families()) {
    out += (out.empty() ? "" : ", ") + std::string(each.type);
  }
  return out;
}

void read_hf_config(Reader& reader, Model& model) {
  const Json* named = reader.value("model_type");
  if (named == nullptr || !named->is_string()) {
    const bool missing = named == nullptr || named->is_null();
    reader.fail("model_type", missing ? Code::kMissing : Code::kWrongType,
                missing ? "a config.json needs its model_type"
                        : "model_type is not text",
                hf_model_types());
    return;
  }
  const std::string type = named->get<std::string>();
  const Family* family = family_of(type);
  if (family == nullptr) {
    Config config(reader, type);
    reader.fail("model_type", Code::kUnknownName,
                "model_type " + type.substr(0, 64) + " is not read" +
                    lacks_text(config),
                hf_model_types());
    return;
  }
  model.name = "config.json of " + type;
  const Json* text = type == "gemma3" ? reader.value("text_config") : nullptr;
  if (text == nullptr || text->is_null()) {
    read_family(reader, *family, model);
  } else if (text->is_object()) {
    Reader part(*text, reader.pointer("text_config"), reader.problems());
    read_family(part, *family, model);
  } else {
    reader.fail("text_config", Code::kWrongType, "text_config is no object",
                "the text model's own config as an object");
  }
}

}  // namespace meshwise
