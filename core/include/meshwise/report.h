// The formula behind a number: in symbols, with the numbers put in, and where
// it comes from. What the page shows one step away from each headline number.
#pragma once

#include <string>
#include <vector>

#include "meshwise/collectives.h"
#include "meshwise/decode.h"
#include "meshwise/scenario.h"
#include "meshwise/training.h"

namespace meshwise {

struct Explanation {
  std::string id;       // "state", "tp", ...
  std::string label;    // "Training state"
  std::string formula;  // in the symbols of docs/model.md
  std::string numbers;  // the same with the numbers put in
  double value = 0.0;   // in `unit`
  std::string unit;     // "GiB", "ms", ...
  std::string source;   // paper and section
};

// Parameters, state, activations a layer and in all, logits, the total.
[[nodiscard]] std::vector<Explanation> explain_memory(
    const Scenario& scenario, const Evaluation& evaluation);

// Every part of the step that is not zero, the step, tokens/s, the speed-up,
// and the least bandwidth of each axis.
[[nodiscard]] std::vector<Explanation> explain_step(
    const Scenario& scenario, const Evaluation& evaluation);

// The default algorithm's time, its parts and the crossover.
[[nodiscard]] std::vector<Explanation> explain_collective(Operation op,
                                                          Algorithm algorithm,
                                                          Bytes size,
                                                          const Group& group);

// TPOT's parts, TTFT, KV a token, the cache's capacity.
[[nodiscard]] std::vector<Explanation> explain_decode(const Scenario& scenario,
                                                      const Plan& plan,
                                                      const DecodeTime& time);

}  // namespace meshwise
