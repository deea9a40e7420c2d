// Variants: the same story with other numbers. A scenario whose document has a
// "variant" object gives, for each seed from 0 to 4294967295, one more
// scenario, "A#7", whose numbers are drawn from the lists that the document
// allows and whose texts are written from those numbers. A draw that would
// change the story (another binding constraint, no plan that runs, a target
// out of reach) is thrown away and the next one is tried, so the same seed
// gives the same document on every platform.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "meshwise/result.h"

namespace meshwise {

class Catalog;            // catalog.h
struct ScenarioDocument;  // catalog.h

// Draws for one seed, after which the seed is said to give no variant.
inline constexpr int kMaxVariantTries = 400;
// Variants that a shelf keeps.
inline constexpr std::size_t kMaxShelvedVariants = 256;

// A seed as people write it: decimal digits, 0 to 4294967295.
[[nodiscard]] Result<std::uint32_t> read_seed(std::string_view text);

// The variant of a scenario for a seed. Problems: the scenario has no
// "variant" object (kMissing), the object is wrong (the reader's own codes,
// with pointers into the document), no draw keeps the story (kInconsistent).
[[nodiscard]] Result<ScenarioDocument> make_variant(
    const ScenarioDocument& base, std::uint32_t seed, const Catalog& catalog);

// Where ids become scenarios: those of the catalog, and variants, derived
// when they are first asked for and kept for the next time. What find()
// answers does not depend on what is kept.
class VariantShelf {
 public:
  // "A", "a", "A#7", "a#7". A document found stays alive as long as the
  // pointer does, and no longer than the catalog where it is one of those.
  [[nodiscard]] Result<std::shared_ptr<const ScenarioDocument>> find(
      const Catalog& catalog, std::string_view id);

 private:
  std::map<std::string, std::shared_ptr<const ScenarioDocument>> variants_;
};

}  // namespace meshwise
