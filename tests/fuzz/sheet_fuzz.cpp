// Whatever is handed in is read, and what was read is written and read again
// without loss.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "meshwise/sheet.h"

namespace {

std::vector<meshwise::SheetScenario> drill() {
  std::vector<meshwise::SheetScenario> out;
  for (const char* id : {"A", "B", "C", "D"}) {
    meshwise::SheetScenario scenario;
    scenario.id = id;
    scenario.title = "A title";
    if (scenario.id == "D") scenario.phase = meshwise::Phase::kServing;
    out.push_back(scenario);
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using meshwise::read_sheet;
  using meshwise::render_sheet;
  static const std::vector<meshwise::SheetScenario> scenarios = drill();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string once = render_sheet(scenarios, read_sheet(text).answers);
  const std::string twice = render_sheet(scenarios, read_sheet(once).answers);
  if (once != twice) std::abort();
  return 0;
}
