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
[[nodiscard]] FileText read_file(const std::string& path,
                                 std::uintmax_t most_bytes = kMaxFileBytes);
[[nodiscard]] FileText read_stdin();

[[nodiscard]] bool is_file(const std::string& path);
[[nodiscard]] bool is_folder(const std::string& path);
// A file's size; 0 where there is none.
[[nodiscard]] std::uintmax_t file_bytes(const std::string& path);

// What a name's ending says, in any case.
inline constexpr const char* kSubmissionEndings =
    ".md, .markdown, .txt, .json, .html";
[[nodiscard]] bool is_submission(const std::string& path);
[[nodiscard]] bool is_html(const std::string& path);
[[nodiscard]] bool is_lines(const std::string& path);  // NDJSON
[[nodiscard]] bool is_zip(const std::string& path);
[[nodiscard]] bool is_archive(const std::string& path);  // of any kind

// The submissions under a folder, NDJSON and zip archives with them, at any
// depth, in the order of their names; hidden files and folders are passed over.
[[nodiscard]] std::vector<std::string> submissions_in(
    const std::string& folder);

// Writes beside the target and renames, so that no half-written file is left;
// straight into a device or a pipe.
// The problem, or nothing.
[[nodiscard]] std::optional<std::string> write_file(const std::string& path,
                                                    const std::string& text);
// Makes a folder, and those above it. The problem, or nothing.
[[nodiscard]] std::optional<std::string> make_folder(const std::string& path);
// Adds to the end of a file, as programs write into a step's summary.
[[nodiscard]] std::optional<std::string> append_file(const std::string& path,
                                                     const std::string& text);

}  // namespace meshwise::cli
