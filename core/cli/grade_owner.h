// Whose hand-in a file is, as learning platforms write it into its name.
#pragma once

#include <string>
#include <string_view>

namespace meshwise::cli {

// What the id of an owner counts: each platform numbers something else.
enum class IdKind {
  kNone,
  kGiven,       // by whoever wrote the line of NDJSON
  kCanvas,      // a user, as in the gradebook's column ID
  kMoodle,      // a participant of one assignment, no user
  kGradescope,  // a submission
};

struct Owner {
  std::string name;  // empty: not known
  std::string id;    // empty: not known
  IdKind kind = IdKind::kNone;
};

// The owner that a path below an input names, part by part:
//   lastnamefirst_12345_67890_answer.md               Canvas
//   lastnamefirst_LATE_12345_67890_answer.md          Canvas
//   Full Name_12345_assignsubmission_file_/answer.md  Moodle
//   Full Name_12345_onlinetext_/onlinetext.html       Moodle
//   submission_12345/answer.md                        Gradescope
[[nodiscard]] Owner owner_of(std::string_view path);

}  // namespace meshwise::cli
