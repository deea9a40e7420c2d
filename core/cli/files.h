// Reading submissions and writing results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshwise::cli {

inline constexpr std::uintmax_t kMaxFileBytes = 32u << 20;

// A file's bytes, or why there are none.
struct FileText {
  std::string text;
  std::string problem;  // empty: read
};
[[nodiscard]] FileText read_file(const std::string& path);
[[nodiscard]] FileText read_stdin();

[[nodiscard]] bool is_file(const std::string& path);
[[nodiscard]] bool is_folder(const std::string& path);

// The submissions under a folder (.md .markdown .txt .json), at any depth, in
// the order of their names; hidden files and folders are passed over.
[[nodiscard]] std::vector<std::string> submissions_in(
    const std::string& folder);

// Writes beside the target and renames, so that no half-written file is left;
// straight into a device or a pipe.
// The problem, or nothing.
[[nodiscard]] std::optional<std::string> write_file(const std::string& path,
                                                    const std::string& text);

}  // namespace meshwise::cli
