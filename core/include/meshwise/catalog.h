// The data that the build embeds, as values: models, GPUs, clusters and
// scenarios by id. Every value was checked when it was read; a file that does
// not pass is a Problem whose message names it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "meshwise/result.h"
#include "meshwise/scenario.h"

namespace meshwise {

struct GpuPreset {
  std::string id;
  Gpu gpu;
  int gpus_per_node = 8;
  Link intra;
  Link inter;
  std::string source;
  std::string note;
};

struct ModelPreset {
  Model model;
  std::string source;
};

struct ClusterPreset {
  Cluster cluster;
  std::string source;
};

// Something the numbers rest on beyond the input.
struct Assumption {
  std::string id;
  std::string text;
};

struct ScenarioDocument {
  Scenario scenario;
  std::string prompt;
  std::vector<std::string> facts;
  std::vector<Assumption> assumptions;
  std::string source;
  std::string text;  // the document as JSON, as it was given
};

class Catalog {
 public:
  // Reads the embedded data.
  [[nodiscard]] static Result<Catalog> load();

  // Null where there is none of that id.
  [[nodiscard]] const ModelPreset* model(std::string_view id) const;
  [[nodiscard]] const GpuPreset* gpu(std::string_view id) const;
  [[nodiscard]] const ClusterPreset* cluster(std::string_view id) const;
  [[nodiscard]] const ScenarioDocument* scenario(std::string_view id) const;

  std::vector<ModelPreset> models;
  std::vector<GpuPreset> gpus;
  std::vector<ClusterPreset> clusters;
  std::vector<ScenarioDocument> scenarios;
};

}  // namespace meshwise
