// From an id to its scenario: the catalog's, or a variant derived from a seed.

#include <algorithm>

#include "json.h"
#include "meshwise/catalog.h"
#include "meshwise/variant.h"

namespace meshwise {
namespace {

bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// An id as it is written, else without regard to case.
const ScenarioDocument* stored(const Catalog& catalog, std::string_view id) {
  if (const ScenarioDocument* found = catalog.scenario(id)) return found;
  for (const ScenarioDocument& each : catalog.scenarios) {
    if (same_letters(each.scenario.id, id)) return &each;
  }
  return nullptr;
}

Problem unknown_scenario(const Catalog& catalog, std::string_view id) {
  std::vector<std::string> known;
  std::string list;
  for (const ScenarioDocument& each : catalog.scenarios) {
    known.push_back(each.scenario.id);
    list += (list.empty() ? "" : ", ") + each.scenario.id;
  }
  const std::string near = near_names(id, known);
  const std::string name(id.substr(0, 64));
  return {Code::kUnknownName, "",
          "no scenario named " + (name.empty() ? "\"\"" : name),
          near.empty() ? list : "did you mean " + near + "?"};
}

}  // namespace

Result<std::uint32_t> read_seed(std::string_view text) {
  std::uint64_t seed = 0;
  bool digits = !text.empty() && text.size() <= 20;
  for (const char c : text) {
    digits = digits && c >= '0' && c <= '9' && seed <= 0xffffffffu;
    if (digits) seed = seed * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (digits && seed <= 0xffffffffu) return static_cast<std::uint32_t>(seed);
  return Problem{Code::kOutOfRange, "",
                 "the seed \"" + std::string(text.substr(0, 32)) +
                     "\" is no whole number from 0 to 4294967295",
                 "0 to 4294967295, as in A#7"};
}

Result<std::shared_ptr<const ScenarioDocument>> VariantShelf::find(
    const Catalog& catalog, std::string_view id) {
  using Found = std::shared_ptr<const ScenarioDocument>;
  // The catalog's own is the catalog's to keep.
  if (const auto* found = stored(catalog, id)) return Found(Found(), found);
  const std::size_t mark = id.rfind('#');
  const ScenarioDocument* base = mark == std::string_view::npos
                                     ? nullptr
                                     : stored(catalog, id.substr(0, mark));
  if (base == nullptr) return unknown_scenario(catalog, id.substr(0, mark));
  const Result<std::uint32_t> seed = read_seed(id.substr(mark + 1));
  if (!seed) return seed.problem();
  const std::string key = base->scenario.id + "#" + std::to_string(*seed);
  const auto known = variants_.find(key);
  if (known != variants_.end()) return known->second;
  Result<ScenarioDocument> made = make_variant(*base, *seed, catalog);
  if (!made) {
    Problem problem = made.problem();
    problem.at.clear();  // a place in the document, not in the request
    return problem;
  }
  if (variants_.size() >= kMaxShelvedVariants) variants_.clear();
  Found shelved = std::make_shared<const ScenarioDocument>(std::move(*made));
  variants_.emplace(key, shelved);
  return shelved;
}

}  // namespace meshwise
