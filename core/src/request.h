// The parts of a request, read into values: scenario, model, cluster,
// training, serving and plan, each with its defaults and its checks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json.h"
#include "meshwise/catalog.h"
#include "meshwise/plan.h"
#include "meshwise/scenario.h"
#include "meshwise/variant.h"

namespace meshwise {

// A preset, a shape, or the config.json of a published model, each with single
// values over it.
void read_model(Reader reader, const Catalog& catalog, Model& model);
void read_cluster(Reader reader, const Catalog& catalog, Cluster& cluster);
void read_training(Reader reader, Training& training);
void read_serving(Reader reader, Serving& serving);
void read_gpu(Reader& reader, GpuPreset& gpu);

// A meshwise.scenario/1 document. Problems are added with pointers under
// `pointer`. Its variant object is left for check_variant().
ScenarioDocument read_scenario_document(const Json& json, std::string pointer,
                                        const Catalog& catalog,
                                        std::vector<Problem>& problems);

// The scenario a request is about: the named one, or the drill's hardware and
// the workload's defaults, with the request's own values over it.
struct RequestScenario {
  Scenario scenario;
  std::vector<Assumption> assumptions;
  bool has_model = false;
  bool states_gpus = false;  // cluster.gpus stands in the request
};
RequestScenario read_request_scenario(Reader& request, const Catalog& catalog,
                                      VariantShelf& shelf);

// The request's plan. Degrees left out are 1, dp what is left of the GPUs.
struct RequestPlan {
  Plan plan;
  bool given = false;           // a plan object was there
  bool states_degrees = false;  // with at least one degree
  bool states_zero = false;
  bool states_recompute = false;
  bool states_micro_batch = false;
  bool states_order = false;
};
RequestPlan read_request_plan(Reader& request, const Scenario& scenario,
                              const Plan& defaults);

// Reports that `key` names nothing among `known`, with what is near it or all
// there is.
void unknown_name(Reader& reader, const char* key, const char* what,
                  const std::string& name,
                  const std::vector<std::string>& known);

// A cluster of this many GPUs: the outermost tier takes them.
void set_gpus(Cluster& cluster, int gpus);

}  // namespace meshwise
