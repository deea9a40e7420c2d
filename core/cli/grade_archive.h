// A learning platform's download: one zip archive with everybody's files. It
// holds what students uploaded, so nothing in it is trusted: no path of it is
// ever written to, and what it may inflate to is bounded.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace meshwise::cli {

// Bounds that no course comes near.
inline constexpr std::size_t kMaxEntries = 20000;
inline constexpr std::size_t kMaxEntryBytes = 8u << 20;      // inflated
inline constexpr std::size_t kMaxArchiveBytes = 512u << 20;  // inflated, in all

// A file of an archive, or why it cannot be read.
struct Entry {
  std::string name;  // its path inside
  std::string text;
  std::string problem;  // empty: read
  std::string hint;     // what would be accepted, may be empty
};

class Archive {
 public:
  // Opens the archive; where that fails, or it holds more than kMaxEntries,
  // problem() says why and next() gives nothing.
  explicit Archive(const std::string& path);
  ~Archive();
  Archive(Archive&&) noexcept;
  Archive& operator=(Archive&&) noexcept;

  [[nodiscard]] const std::string& problem() const { return problem_; }
  // The files in the order of their names; folders, hidden files and what a
  // platform adds (__MACOSX, submission_metadata.yml) are passed over.
  [[nodiscard]] std::optional<Entry> next();

 private:
  struct Handle;
  struct Item {
    std::string name;
    std::size_t index;
  };
  void list();
  void read(const Item& item, Entry& out);

  std::unique_ptr<Handle> handle_;
  std::vector<Item> items_;  // sorted by name
  std::size_t at_ = 0;
  std::size_t inflated_ = 0;  // bytes so far
  std::string problem_;
};

}  // namespace meshwise::cli
