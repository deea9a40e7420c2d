// What a rubric that reads well can still have wrong: criteria that the grader
// does not know or needs and does not find, marks that do not sum, part marks
// over the whole, tolerances in the wrong order.
#pragma once

#include <string>
#include <vector>

#include "json.h"
#include "meshwise/grade.h"

namespace meshwise {

// `json` is the document that `rubric` was read from without problems,
// `standard` the built-in rubric. Problems have pointers under `pointer`.
void check_rubric(const Json& json, const Rubric& rubric,
                  const Rubric& standard, const std::string& pointer,
                  std::vector<Problem>& problems);

// Marks in all of one phase's scenario.
[[nodiscard]] double rubric_marks(const Rubric& rubric, Phase phase);

}  // namespace meshwise
