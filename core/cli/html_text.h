// A learning platform's online text: the words of an HTML fragment.
#pragma once

#include <string>
#include <string_view>

namespace meshwise::cli {

// Plain text: tags dropped, blocks and <br> as line ends, list items as "- ",
// headings as "## ", table cells set apart by " | ", entities decoded, scripts,
// styles and comments left out. Takes any bytes, in linear time.
[[nodiscard]] std::string html_text(std::string_view html);

}  // namespace meshwise::cli
