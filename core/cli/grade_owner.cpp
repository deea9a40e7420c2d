#include "grade_owner.h"

#include <array>

namespace meshwise::cli {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - at;
}

// Moodle: "Full Name_12345_assignsubmission_file_", "..._onlinetext_", with
// the file's own name behind it where the download has no folders.
Owner moodle_owner(std::string_view part) {
  std::size_t mark = part.find("_assignsubmission_");
  if (mark == std::string_view::npos) mark = part.find("_onlinetext");
  if (mark == std::string_view::npos || mark == 0) return {};
  std::size_t first = mark;
  while (first > 0 && is_digit(part[first - 1])) --first;
  if (first == mark || first < 2) return {};
  const char gap = part[first - 1];
  if (gap != '_' && gap != ' ') return {};
  const std::string id(part.substr(first, mark - first));
  std::string name(part.substr(0, first - 1));
  // Blind marking: the name is the word "Participant" and the number.
  if (name == "Participant") name += " " + id;
  return {name, id, IdKind::kMoodle};
}

// Canvas: the name in small letters without blanks, LATE where it was, the
// user's number, the submission's, the file's own name.
Owner canvas_owner(std::string_view part) {
  constexpr std::size_t kLeastSubmission = 3;  // digits; a date has two
  const std::size_t gap = part.find('_');
  if (gap == std::string_view::npos || gap == 0) return {};
  std::size_t at = gap + 1;
  if (part.substr(at, 5) == "LATE_") at += 5;
  const std::size_t user = digits_at(part, at);
  const std::size_t next = at + user;
  if (user == 0 || next >= part.size() || part[next] != '_') return {};
  const std::size_t submission = digits_at(part, next + 1);
  const std::size_t end = next + 1 + submission;
  if (submission < kLeastSubmission || end >= part.size() || part[end] != '_') {
    return {};
  }
  return {std::string(part.substr(0, gap)), std::string(part.substr(at, user)),
          IdKind::kCanvas};
}

Owner gradescope_owner(std::string_view part) {
  constexpr std::string_view kStart = "submission_";
  if (part.substr(0, kStart.size()) != kStart) return {};
  const std::size_t length = digits_at(part, kStart.size());
  if (length == 0 || kStart.size() + length != part.size()) return {};
  return {"", std::string(part.substr(kStart.size())), IdKind::kGradescope};
}

}  // namespace

Owner owner_of(std::string_view path) {
  constexpr std::array kReaders = {moodle_owner, canvas_owner,
                                   gradescope_owner};
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    for (const auto read : kReaders) {
      Owner owner = read(part);
      if (owner.kind != IdKind::kNone) return owner;
    }
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return {};
}

}  // namespace meshwise::cli
