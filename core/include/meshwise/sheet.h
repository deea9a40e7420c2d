// The answer sheet: recommended Markdown, written for a person to fill in and
// for read_sheet() to read back without loss.
//
//   # Answer sheet
//   - Student: Ada
//   ## Scenario A: It fits, and it is too slow
//   ### 1. Binding constraint
//   - Constraint: throughput
//   - Because: 119.7 GiB of state and 17 GiB of activations fit 192 GiB
//
// A line is `- Label (guidance): value`; a value that runs over several lines
// is indented. read_sheet(render_sheet(x)) gives x's fields back, whatever
// text stands in them. A line that is none of the sheet's own is kept as
// unread, with its question.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "meshwise/reading.h"

namespace meshwise {

// Scenarios read from one sheet; headings beyond them are kept as unread.
inline constexpr std::size_t kMaxSheetAnswers = 256;

// One scenario of a sheet.
struct SheetScenario {
  std::string id;
  std::string title;
  std::string prompt;
  Phase phase = Phase::kTraining;
  std::array<std::string, 5> questions;  // their texts, may be empty
};

// The sheet for these scenarios, filled with the answers whose scenario ids
// match (none: empty).
[[nodiscard]] std::string render_sheet(
    const std::vector<SheetScenario>& scenarios,
    const std::vector<Answer>& answers);

struct Sheet {
  std::string student;
  std::vector<Answer> answers;    // in the order of the text
  std::vector<Passage> unplaced;  // text outside every scenario
  bool recognised = false;        // at least one of the sheet's own lines
  bool form = false;              // the sheet itself, not prose with labels
};

// Reads a sheet, or whatever else is given: no text is an error. An answer
// under no scenario heading has scenario "". Bytes that are no UTF-8 are kept.
[[nodiscard]] Sheet read_sheet(std::string_view text);

}  // namespace meshwise
