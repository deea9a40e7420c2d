#include "files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <system_error>

namespace meshwise::cli {
namespace {

namespace fs = std::filesystem;

FileText read_stream(std::FILE* stream, std::uintmax_t most_bytes) {
  FileText out;
  char buffer[1 << 16];
  std::size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, stream)) > 0) {
    out.text.append(buffer, count);
    if (out.text.size() > most_bytes) {
      out.text.clear();
      out.problem = "larger than " + std::to_string(most_bytes >> 20) + " MiB";
      return out;
    }
  }
  if (std::ferror(stream) != 0) {
    out.text.clear();
    out.problem = std::strerror(errno);
  }
  return out;
}

// Does the name end in one of these? The case does not matter.
bool ends_in(const std::string& path,
             std::initializer_list<std::string_view> endings) {
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

std::optional<std::string> write_bytes(const std::string& path,
                                       const std::string& text,
                                       const char* mode = "wb") {
  std::FILE* stream = std::fopen(path.c_str(), mode);
  if (stream == nullptr) return std::strerror(errno);
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  const int why = errno;
  const bool closed = std::fclose(stream) == 0;
  if (written && closed) return std::nullopt;
  return std::strerror(written ? errno : why);
}

bool hidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return !name.empty() && name[0] == '.';
}

}  // namespace

FileText read_file(const std::string& path, std::uintmax_t most_bytes) {
  std::FILE* stream = std::fopen(path.c_str(), "rb");
  if (stream == nullptr) return {"", std::strerror(errno)};
  FileText out = read_stream(stream, most_bytes);
  std::fclose(stream);
  return out;
}

FileText read_stdin() { return read_stream(stdin, kMaxFileBytes); }

bool is_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::uintmax_t file_bytes(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  return error ? 0 : bytes;
}

bool is_html(const std::string& path) {
  return ends_in(path, {".html", ".htm"});
}

bool is_submission(const std::string& path) {
  return is_html(path) || ends_in(path, {".md", ".markdown", ".txt", ".json"});
}

bool is_lines(const std::string& path) {
  return ends_in(path, {".ndjson", ".jsonl"});
}

bool is_zip(const std::string& path) { return ends_in(path, {".zip"}); }

bool is_archive(const std::string& path) {
  return ends_in(path, {".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst",
                        ".7z", ".rar"});
}

std::vector<std::string> submissions_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code error;
  fs::recursive_directory_iterator it(
      folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && it != fs::recursive_directory_iterator();
       it.increment(error)) {
    std::error_code ignored;
    if (hidden(it->path())) {
      if (it->is_directory(ignored)) it.disable_recursion_pending();
      continue;
    }
    const std::string path = it->path().string();
    if (it->is_regular_file(ignored) &&
        (is_submission(path) || is_lines(path) || is_zip(path))) {
      out.push_back(path);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<std::string> write_file(const std::string& path,
                                      const std::string& text) {
  std::error_code error;
  // A link stays one: what it points to is replaced. A device or a pipe cannot
  // be replaced, only written to.
  const fs::path target = fs::weakly_canonical(path, error);
  if (error) return error.message();
  if (fs::is_directory(target, error)) return "is a folder";
  if (fs::exists(target, error) && !fs::is_regular_file(target, error)) {
    return write_bytes(target.string(), text);
  }
  const std::string beside =
      target.string() + "." + std::to_string(getpid()) + ".partial";
  if (auto problem = write_bytes(beside, text)) {
    std::remove(beside.c_str());
    return problem;
  }
  fs::rename(beside, target, error);
  if (!error) return std::nullopt;
  std::remove(beside.c_str());
  return error.message();
}

std::optional<std::string> make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (is_folder(path)) return std::nullopt;
  return error ? error.message() : "is no folder";
}

std::optional<std::string> append_file(const std::string& path,
                                       const std::string& text) {
  return write_bytes(path, text, "ab");
}

}  // namespace meshwise::cli
