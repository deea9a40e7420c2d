// The config.json that Hugging Face's transformers keeps beside a model's
// weights, read into a shape.
//
// `model_type` names the family; each family's own keys, and the defaults that
// the family's configuration class has for keys that are left out or null, are
// those of transformers 4.57. Everything that does not change a shape (rotary
// base, initialisation, tokens by name) is passed over. What a text model has
// beside its own layers is not counted: a vision tower, DeepSeek-V3's layers
// that predict a second token.
#pragma once

#include <string>

#include "json.h"
#include "meshwise/model.h"

namespace meshwise {

// Fills `model` from the object. Every value that is missing, of another type,
// out of range or at odds with another one is a problem at its own pointer,
// with what would be accepted; `model` is then not to be used.
void read_hf_config(Reader& reader, Model& model);

// The model types that are read, "bloom, deepseek_v2, ...".
[[nodiscard]] std::string hf_model_types();

}  // namespace meshwise
