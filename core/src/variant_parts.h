// A document's "variant" object as values, and its texts' placeholders.
#pragma once

#include <string>
#include <vector>

#include "json.h"
#include "meshwise/catalog.h"
#include "meshwise/plan.h"
#include "meshwise/variant.h"

namespace meshwise {

// A range that a ratio has to stay in, ends included.
struct RatioRange {
  double least = 0.0;
  double most = 0.0;
  bool given = false;
};

// What has to hold for a draw beyond what every draw needs.
struct VariantStory {
  std::vector<Axis> leading;     // the best plan's greatest degree is one of
                                 // these; none: any
  std::vector<Axis> used;        // axes that the best plan has over 1
  RatioRange state_times;        // state (serving: weights) over one GPU's HBM
  RatioRange activations_times;  // activations over one GPU's HBM, training
  bool inside_node = false;      // the best serving plan spans one node
};

struct VariantBlock {
  std::vector<std::vector<Json>> choices;  // one option of each is drawn
  VariantStory story;
  std::string title;  // texts with placeholders; empty: the base's
  std::string prompt;
  std::vector<std::string> facts;
  std::vector<Assumption> assumptions;
};

// The object alone: shapes, types and ranges.
[[nodiscard]] VariantBlock read_variant_block(const Json& json,
                                              std::string pointer,
                                              std::vector<Problem>& problems);

// Everything that can be wrong with a document's variant object: its own
// shape, each option put over the document, the placeholders, and the first
// seeds, which must give variants. The document itself has been read without
// problems.
void check_variant(const Json& document, const ScenarioDocument& base,
                   const Catalog& catalog, std::vector<Problem>& problems);

// A placeholder's name and what stands in its place, e.g. {gpus} "64".
struct TextValue {
  std::string_view name;
  std::string text;
};
// Those that the scenario has.
[[nodiscard]] std::vector<TextValue> text_values(const Scenario& scenario);

// Puts the values into `text`. The first placeholder that there is not comes
// back, "{" for one that is not closed, "" where all is well.
[[nodiscard]] std::string fill_text(std::string& text,
                                    const std::vector<TextValue>& values);

}  // namespace meshwise
