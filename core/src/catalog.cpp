#include "meshwise/catalog.h"

#include "embedded.h"
#include "json.h"
#include "request.h"

namespace meshwise {
namespace {

bool in_folder(const EmbeddedFile& file, std::string_view folder) {
  return file.path.substr(0, folder.size()) == folder;
}

// Turns problems found in a file into one that names it.
std::optional<Problem> first_problem(const EmbeddedFile& file,
                                     const std::vector<Problem>& problems) {
  if (problems.empty()) return std::nullopt;
  Problem out = problems.front();
  out.message = std::string(file.path) + ": " + out.message;
  return out;
}

std::optional<Problem> add_file(Catalog& catalog, const EmbeddedFile& file) {
  const Result<Json> json = parse_json(file.text);
  if (!json) return first_problem(file, {json.problem()});
  std::vector<Problem> problems;
  if (!json->is_object()) {
    return first_problem(file, {{Code::kWrongType, "", "no JSON object", ""}});
  }
  Reader reader(*json, "", problems);
  if (in_folder(file, "models/")) {
    ModelPreset preset;
    reader.text("source", preset.source);
    read_model(reader, catalog, preset.model);
    catalog.models.push_back(preset);
  } else if (in_folder(file, "gpus/")) {
    GpuPreset preset;
    read_gpu(reader, preset);
    catalog.gpus.push_back(preset);
  } else if (in_folder(file, "clusters/")) {
    ClusterPreset preset;
    reader.text("source", preset.source);
    read_cluster(reader, catalog, preset.cluster);
    catalog.clusters.push_back(preset);
  } else if (in_folder(file, "scenarios/")) {
    catalog.scenarios.push_back(
        read_scenario_document(*json, "", catalog, problems));
  }
  return first_problem(file, problems);
}

}  // namespace

Result<Catalog> Catalog::load() {
  Catalog catalog;
  // Clusters name GPUs, scenarios name models and clusters.
  for (const std::string_view folder :
       {"models/", "gpus/", "clusters/", "scenarios/"}) {
    for (const EmbeddedFile& file : embedded_files()) {
      if (!in_folder(file, folder)) continue;
      if (std::optional<Problem> problem = add_file(catalog, file)) {
        return *problem;
      }
    }
  }
  return catalog;
}

const ModelPreset* Catalog::model(std::string_view id) const {
  for (const ModelPreset& each : models) {
    if (each.model.id == id) return &each;
  }
  return nullptr;
}

const GpuPreset* Catalog::gpu(std::string_view id) const {
  for (const GpuPreset& each : gpus) {
    if (each.id == id) return &each;
  }
  return nullptr;
}

const ClusterPreset* Catalog::cluster(std::string_view id) const {
  for (const ClusterPreset& each : clusters) {
    if (each.cluster.id == id) return &each;
  }
  return nullptr;
}

const ScenarioDocument* Catalog::scenario(std::string_view id) const {
  for (const ScenarioDocument& each : scenarios) {
    if (each.scenario.id == id) return &each;
  }
  return nullptr;
}

}  // namespace meshwise
