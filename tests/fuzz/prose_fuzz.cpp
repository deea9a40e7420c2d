// Whatever is handed in is read, and every field says where it stands.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "grade_data.h"
#include "meshwise/prose.h"

namespace {

void check(const meshwise::Passage& passage, std::size_t size) {
  if (passage.begin > passage.end || passage.end > size) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static const auto grading = meshwise::load_grading_data();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const meshwise::ProseDocument document =
      meshwise::read_prose(text, grading.value().lexicon, {"A", "B", "C", "D"});
  for (const meshwise::Answer& answer : document.answers) {
    check(answer.constraint, size);
    check(answer.threshold, size);
    for (const auto& degree : answer.degrees) check(degree, size);
    for (const auto& axis : answer.axes) check(axis.minimum, size);
    (void)meshwise::read_claims(answer, grading.value().lexicon);
  }
  return 0;
}
