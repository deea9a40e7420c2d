// Numbers as people read them. Only plain decimal text: the same bytes on
// every platform and in every locale.
#pragma once

#include <string>

namespace meshwise {

// At most six significant digits, whole numbers in full.
[[nodiscard]] std::string plain_number(double value);

// A fixed number of digits after the point, e.g. fixed(119.658, 2) "119.66".
[[nodiscard]] std::string fixed(double value, int digits);

// A whole number with thousands set apart: "8,030,261,248".
[[nodiscard]] std::string grouped(double value);

// Three significant digits or more, never fewer than the whole part:
// "0.531", "17.0", "2577".
[[nodiscard]] std::string short_number(double value);

}  // namespace meshwise
