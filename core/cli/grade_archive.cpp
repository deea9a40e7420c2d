#include "grade_archive.h"

#include <sys/stat.h>
#include <zip.h>

#include <algorithm>
#include <string_view>

#include "files.h"

namespace meshwise::cli {
namespace {

// The directory of a larger one would itself be a load.
constexpr std::uintmax_t kMaxPackedBytes = std::uintmax_t{1} << 30;

std::string mebibytes(std::uintmax_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

// Any part of the path is hidden, or of those that platforms add.
bool passed_over(std::string_view path) {
  if (path.empty() || path.back() == '/') return true;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    const bool hidden = part.size() > 1 && part[0] == '.' && part != "..";
    if (hidden || part == "__MACOSX" || part == "submission_metadata.yml") {
      return true;
    }
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return false;
}

// A link inside an archive holds a path, not an answer.
bool is_link(zip_t* archive, std::size_t index) {
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  if (zip_file_get_external_attributes(archive, index, 0, &system,
                                       &attributes) != 0) {
    return false;
  }
  return system == ZIP_OPSYS_UNIX && S_ISLNK(attributes >> 16);
}

std::string open_problem(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string out = zip_error_strerror(&error);
  zip_error_fini(&error);
  return "no zip archive that can be read: " + out;
}

}  // namespace

struct Archive::Handle {
  zip_t* zip = nullptr;
  ~Handle() {
    if (zip != nullptr) zip_discard(zip);
  }
};

Archive::Archive(const std::string& path) : handle_(new Handle) {
  if (file_bytes(path) > kMaxPackedBytes) {
    problem_ = "larger than " + mebibytes(kMaxPackedBytes);
    return;
  }
  int code = 0;
  handle_->zip = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (handle_->zip == nullptr) {
    problem_ = open_problem(code);
    return;
  }
  const zip_int64_t count = zip_get_num_entries(handle_->zip, 0);
  if (count > static_cast<zip_int64_t>(kMaxEntries)) {
    problem_ = "holds " + std::to_string(count) + " entries; at most " +
               std::to_string(kMaxEntries) + " are read";
    return;
  }
  list();
}

Archive::~Archive() = default;
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;

void Archive::list() {
  const zip_int64_t count = zip_get_num_entries(handle_->zip, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    const char* name = zip_get_name(handle_->zip, index, 0);
    if (name == nullptr || passed_over(name)) continue;
    items_.push_back({name, index});
  }
  std::stable_sort(
      items_.begin(), items_.end(),
      [](const Item& a, const Item& b) { return a.name < b.name; });
}

std::optional<Entry> Archive::next() {
  if (at_ >= items_.size()) return std::nullopt;
  const Item& item = items_[at_++];
  Entry out;
  out.name = item.name;
  read(item, out);
  return out;
}

// What is counted is what comes out: the sizes that an archive states of
// itself may be anything.
void Archive::read(const Item& item, Entry& out) {
  if (is_archive(item.name)) {
    out.problem = "an archive inside an archive";
    out.hint = "its files, unpacked";
    return;
  }
  if (!is_submission(item.name)) {
    out.problem = "no form that is read";
    out.hint = kSubmissionEndings;
    return;
  }
  if (is_link(handle_->zip, item.index)) {
    out.problem = "a link, not a file";
    return;
  }
  zip_file_t* file = zip_fopen_index(handle_->zip, item.index, 0);
  if (file == nullptr) {
    out.problem = zip_strerror(handle_->zip);
    return;
  }
  char buffer[1 << 14];
  zip_int64_t count = 0;
  while (out.problem.empty() &&
         (count = zip_fread(file, buffer, sizeof buffer)) > 0) {
    out.text.append(buffer, static_cast<std::size_t>(count));
    inflated_ += static_cast<std::size_t>(count);
    if (out.text.size() > kMaxEntryBytes) {
      out.problem = "larger than " + mebibytes(kMaxEntryBytes);
    } else if (inflated_ > kMaxArchiveBytes) {
      out.problem = "the archive inflates to more than " +
                    mebibytes(kMaxArchiveBytes) + "; the rest is not read";
      at_ = items_.size();
    }
  }
  if (count < 0) out.problem = zip_file_strerror(file);
  zip_fclose(file);
  if (out.problem.empty() && out.text.rfind("PK\x03\x04", 0) == 0) {
    out.problem = "an archive inside an archive";
  }
  if (!out.problem.empty()) out.text.clear();
}

}  // namespace meshwise::cli
