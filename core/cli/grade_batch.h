// Many submissions on several threads, their results in the order of the
// submissions whatever the number of threads.
#pragma once

#include <cstddef>
#include <functional>

#include "grade_inputs.h"
#include "session.h"

namespace meshwise::cli {

// A submission with what it got. Its text is no longer there.
struct Graded {
  Submission submission;
  Json reply;  // meshwise.grade/1 of this submission alone: results, errors
};

// Grades one submission. A failure of any kind is an entry of the reply's
// errors; the platform's name for the student fills in where the answer gives
// none, and `student_id` and `line` are added where they are known.
[[nodiscard]] Json grade_one(Session& session, const Submission& submission,
                             const Json& options);

// Takes every submission from `inputs` and hands them to `sink`, in order and
// on this thread. A handful more than `jobs` (1 or more) are held at a time.
// What `sink` throws ends the batch.
void grade_all(Inputs& inputs, const Json& options, std::size_t jobs,
               const std::function<void(Graded&&)>& sink);

// The threads that --jobs stands for where it is not given: the cores.
[[nodiscard]] std::size_t default_jobs();

}  // namespace meshwise::cli
