// The data files under core/data as the build embedded them, each checked to
// be JSON and stripped of line breaks. The files are sorted by path; a path is
// relative to core/data, with slashes: "models/llama3-8b.json".
#pragma once

#include <span>
#include <string_view>

namespace meshwise {

struct EmbeddedFile {
  std::string_view path;
  std::string_view text;
};

[[nodiscard]] std::span<const EmbeddedFile> embedded_files();

}  // namespace meshwise
