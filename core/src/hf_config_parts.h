// How a family reads its config.json: the values by the names that they have
// there, and the table of families.
#pragma once

#include <initializer_list>
#include <span>
#include <string>

#include "fields.h"
#include "json.h"
#include "meshwise/model.h"

namespace meshwise::hf {

// The keys that a value goes by; the first that is there counts.
using Names = std::initializer_list<const char*>;

// One config.json. null is as good as absent, as it is in transformers.
class Config {
 public:
  Config(Reader& reader, std::string type)
      : reader_(&reader), type_(std::move(type)) {}

  [[nodiscard]] bool has(const char* key) {
    const Json* json = reader_->value(key);
    return json != nullptr && !json->is_null();
  }
  // The range is that of the model's own field. `out` keeps what it has where
  // none of the names is there; need() reports that, unless it has a value.
  bool read(Names names, const char* field_key, int& out) {
    const char* key = first(names);
    return has(key) && read_at(key, field_key, out);
  }
  void need(Names names, const char* field_key, int& out) {
    const char* key = first(names);
    if (has(key)) {
      if (read_at(key, field_key, out) && out < 1) fail_range(key, field_key);
      return;
    }
    if (out > 0) return;
    const Field& f = field("model", field_key);
    fail(key, Code::kMissing, "model_type " + type_ + " needs " + key,
         range_text(f));
  }
  [[nodiscard]] bool flag(const char* key, bool standard) {
    bool out = standard;
    if (has(key)) reader_->flag(key, out);
    return out;
  }
  [[nodiscard]] int number(const char* key, int lower, int upper,
                           int standard) {
    int out = standard;
    if (has(key)) reader_->integer(key, out, lower, upper);
    return out;
  }
  // A switch that only has one position here.
  void only(const char* key, bool standard, bool accepted, const char* why) {
    if (flag(key, standard) == accepted) return;
    fail(key, Code::kOutOfRange, why, accepted ? "true" : "false");
  }
  void fail(const char* key, Code code, std::string message, std::string hint) {
    reader_->fail(key, code, std::move(message), std::move(hint));
  }
  [[nodiscard]] const char* first(Names names) {
    for (const char* name : names) {
      if (has(name)) return name;
    }
    return *names.begin();
  }
  [[nodiscard]] Reader& reader() { return *reader_; }

 private:
  static std::string range_text(const Field& f) {
    return plain_number(f.lower < 1 ? 1 : f.lower) + " to " +
           plain_number(f.upper);
  }
  bool read_at(const char* key, const char* field_key, int& out) {
    const Field& f = field("model", field_key);
    return reader_->integer(key, out, static_cast<int>(f.lower),
                            static_cast<int>(f.upper));
  }
  void fail_range(const char* key, const char* field_key) {
    fail(key, Code::kOutOfRange, std::string(key) + " = 0 is out of range",
         range_text(field("model", field_key)));
  }

  Reader* reader_;
  std::string type_;
};

inline constexpr Names kLayers = {"num_hidden_layers", "n_layer", "num_layers"};
inline constexpr Names kHidden = {"hidden_size", "n_embd", "n_embed"};
inline constexpr Names kHeads = {"num_attention_heads", "n_head"};
inline constexpr Names kKvHeads = {"num_key_value_heads", "num_kv_heads",
                                   "n_head_kv"};
inline constexpr Names kHeadDim = {"head_dim"};
inline constexpr Names kFfn = {"intermediate_size", "n_inner"};
inline constexpr Names kVocab = {"vocab_size"};
inline constexpr Names kExperts = {"num_experts", "num_local_experts",
                                   "n_routed_experts"};
inline constexpr Names kTopK = {"num_experts_per_tok"};
inline constexpr Names kExpertFfn = {"moe_intermediate_size"};
inline constexpr Names kDenseLayers = {"first_k_dense_replace"};

struct Family {
  const char* type;
  void (*read)(Config&, Model&);
};
[[nodiscard]] std::span<const Family> families();

}  // namespace meshwise::hf
