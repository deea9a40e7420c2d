// JSON in files that people write: where it is wrong, by line and column.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace meshwise::cli {

using Json = nlohmann::ordered_json;

struct Place {
  std::size_t line = 1;
  std::size_t column = 1;  // in bytes
};

// "FILE:LINE:COLUMN", as compilers write it.
[[nodiscard]] std::string place_text(const std::string& file, Place place);

// A document, or why and where its text is none.
struct JsonText {
  Json value;
  std::string problem;  // empty: read
  Place place;
};
[[nodiscard]] JsonText parse_text(const std::string& text);

// Where the value that a JSON pointer names begins in a valid document; where
// it is missing, the innermost value around it.
[[nodiscard]] Place place_of(const std::string& text,
                             const std::string& pointer);

}  // namespace meshwise::cli
