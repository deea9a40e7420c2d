// The project's licence, for what the command hands on.
#pragma once

#include <string_view>

namespace meshwise::cli {

[[nodiscard]] std::string_view license_text();

}  // namespace meshwise::cli
