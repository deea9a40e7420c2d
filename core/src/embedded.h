// The data files that the build embeds: models, GPUs, clusters, scenarios,
// the rubric and the catalogues, as JSON text by their path under core/data.
#pragma once

#include <span>
#include <string_view>

namespace meshwise {

struct EmbeddedFile {
  std::string_view path;  // "scenarios/A.json"
  std::string_view text;
};

[[nodiscard]] std::span<const EmbeddedFile> embedded_files();

}  // namespace meshwise
