// The sheet's lines: label, guidance, and the field of an Answer that the
// value belongs to. Writer and reader share this table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "meshwise/sheet.h"

namespace meshwise {

struct SheetField {
  int question = 0;
  std::string label;     // lower case, as folded by the reader
  std::string guidance;  // may be empty
  bool training = true;  // stands in an empty sheet of this phase
  bool serving = true;
  Passage Answer::*field = nullptr;  // one of these two
  Passage AxisAnswer::*axis_field = nullptr;
  int index = -1;  // of degrees or axes
  bool latency = false;
};

[[nodiscard]] std::vector<SheetField> sheet_fields();

// The passage of a field in an answer.
[[nodiscard]] Passage& passage_of(Answer& answer, const SheetField& field);

}  // namespace meshwise
