// Two gradings of the same submissions: which marks differ, and why they may.
#pragma once

#include <string>

#include "session.h"

namespace meshwise::cli {

// A former `grade --format json`. UsageError where the file is none.
[[nodiscard]] Json read_grading(const std::string& path);

// meshwise.compare/1: `before` and `after` are meshwise.grade/1. Results are
// matched by source and scenario. Says whether version, rubric or a scenario
// changed, the totals, every changed criterion with both notes, and what only
// one of the two has.
[[nodiscard]] Json compare(const Json& before, const Json& after);
[[nodiscard]] std::string compare_text(const Json& comparison);

}  // namespace meshwise::cli
