#include "grade_inputs.h"

#include <utility>

#include "files.h"
#include "grade_archive.h"
#include "grade_lines.h"
#include "html_text.h"

namespace meshwise::cli {
namespace {

// UTF-16 is what some editors save; the core reads UTF-8.
constexpr const char* kUtf8 = "text in UTF-8";

void take(Submission& out, std::string text, bool html) {
  const bool wide =
      text.rfind("\xFF\xFE", 0) == 0 || text.rfind("\xFE\xFF", 0) == 0;
  if (wide) {
    out.problem = {"malformed", "the text is UTF-16", kUtf8};
    return;
  }
  out.text = html ? html_text(text) : std::move(text);
}

std::string file_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

Submission read_whole(const std::string& path, const std::string& name) {
  Submission out;
  out.source = path == "-" ? "standard input" : path;
  out.name = name;
  out.owner = owner_of(name);
  FileText file = path == "-" ? read_stdin() : read_file(path);
  if (!file.problem.empty()) {
    out.problem = {"malformed", file.problem, ""};
  } else {
    take(out, std::move(file.text), is_html(path));
  }
  return out;
}

}  // namespace

Inputs::Inputs(const std::vector<std::string>& names, bool lines) {
  for (const std::string& name : names) {
    if (name != "-" && is_folder(name)) {
      add_folder(name);
    } else {
      add(name, name == "-" ? "standard-input" : file_name(name), lines);
    }
  }
  total_ = items_.size();
  for (const Item& item : items_) {
    if (item.kind == Kind::kLines || item.kind == Kind::kArchive) total_ = 0;
  }
}

Inputs::~Inputs() = default;

void Inputs::add(const std::string& path, std::string name, bool lines) {
  Kind kind = Kind::kText;
  if (is_zip(path)) {
    kind = Kind::kArchive;
  } else if (is_lines(path) || (lines && !is_submission(path))) {
    kind = Kind::kLines;
  }
  items_.push_back({path, std::move(name), kind});
}

void Inputs::add_folder(const std::string& folder) {
  const std::vector<std::string> found = submissions_in(folder);
  for (const std::string& path : found) {
    std::string name = path.substr(folder.size());
    name.erase(0, name.find_first_not_of('/'));
    add(path, std::move(name), false);
  }
  if (found.empty()) items_.push_back({folder, "", Kind::kEmpty});
}

std::optional<Submission> Inputs::next() {
  for (;;) {
    if (lines_ != nullptr) {
      if (auto out = lines_->next()) return out;
      lines_.reset();
    }
    if (archive_ != nullptr) {
      if (auto out = from_archive()) return out;
      archive_.reset();
      ++at_;
    }
    if (at_ >= items_.size()) return std::nullopt;
    if (auto out = open(items_[at_])) return out;
  }
}

// The submission of this item, or nothing where the item holds several and is
// open now.
std::optional<Submission> Inputs::open(const Item& item) {
  Submission broken;
  broken.source = item.path;
  broken.name = item.name;
  if (item.kind == Kind::kArchive) {
    archive_ = std::make_unique<Archive>(item.path);
    if (archive_->problem().empty()) return std::nullopt;
    broken.problem = {"malformed", archive_->problem(), "a zip archive"};
    archive_.reset();
    ++at_;
    return broken;
  }
  ++at_;
  if (item.kind == Kind::kEmpty) {
    broken.problem = {"malformed", "no submissions in this folder",
                      std::string(kSubmissionEndings) + ", .ndjson, .zip"};
    return broken;
  }
  if (item.kind == Kind::kText) return read_whole(item.path, item.name);
  const bool standard = item.path == "-";
  lines_ = std::make_unique<Lines>(item.path,
                                   standard ? "standard input" : item.path);
  if (lines_->problem().empty()) return std::nullopt;
  broken.problem = {"malformed", lines_->problem(), ""};
  lines_.reset();
  return broken;
}

std::optional<Submission> Inputs::from_archive() {
  std::optional<Entry> entry = archive_->next();
  if (!entry) return std::nullopt;
  const Item& item = items_[at_];
  Submission out;
  out.source = item.path + "/" + entry->name;
  out.name = entry->name;
  out.owner = owner_of(entry->name);
  if (!entry->problem.empty()) {
    out.problem = {"malformed", entry->problem, entry->hint};
  } else {
    take(out, std::move(entry->text), is_html(entry->name));
  }
  return out;
}

}  // namespace meshwise::cli
