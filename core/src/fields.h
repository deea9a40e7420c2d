// Every number that a request may set: its key, what it is called, its unit
// and its legal range. The readers check against this table and the catalog
// reply lists it, so that a form and the checker cannot disagree.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "json.h"

namespace meshwise {

struct Field {
  std::string_view object;  // "model", "cluster", "training", "serving", "plan"
  const char* key;
  std::string_view label;
  std::string_view unit;
  double lower;
  double upper;
  bool integral;
};

[[nodiscard]] std::span<const Field> fields();

// The row of a key; the pair must exist.
[[nodiscard]] const Field& field(std::string_view object, std::string_view key);

// Reads a field of `object` within its range.
bool read_field(Reader& reader, std::string_view object, const char* key,
                double& out);
bool read_field(Reader& reader, std::string_view object, const char* key,
                int& out);
bool read_field(Reader& reader, std::string_view object, const char* key,
                std::int64_t& out);

}  // namespace meshwise
