#include "request.h"

#include <algorithm>
#include <string>

#include "fields.h"

namespace meshwise {
namespace {

template <class T>
std::vector<std::string> ids_of(const std::vector<T>& list) {
  std::vector<std::string> out;
  for (const T& each : list) {
    if constexpr (requires { each.cluster; }) {
      out.push_back(each.cluster.id);
    } else {
      out.push_back(each.id);
    }
  }
  return out;
}

void read_tier(Reader reader, Tier& tier) {
  double bandwidth = 0.0;
  double latency = 0.0;
  reader.text("name", tier.name);
  if (!read_field(reader, "cluster", "gpus", tier.gpus)) {
    if (!reader.has("gpus")) {
      reader.fail("gpus", Code::kMissing, "a tier needs its gpus");
    }
  }
  if (reader.number("bandwidth_gbps", bandwidth, 0.001, 100000)) {
    tier.link.bandwidth = gigabytes_per_second(bandwidth);
  } else if (!reader.has("bandwidth_gbps")) {
    reader.fail("bandwidth_gbps", Code::kMissing,
                "a tier needs its bandwidth_gbps");
  }
  if (reader.number("latency_us", latency, 0, 1000000)) {
    tier.link.latency = microseconds(latency);
  }
  reader.finish();
}

void read_tiers(Reader& reader, Cluster& cluster) {
  const Json* tiers = reader.value("tiers");
  if (tiers == nullptr) return;
  if (!tiers->is_array() || tiers->empty() || tiers->size() > kMaxTiers) {
    reader.fail("tiers", Code::kOutOfRange, "tiers is no list of 1 to 4 tiers",
                "innermost first: [{\"name\", \"gpus\", \"bandwidth_gbps\", "
                "\"latency_us\"}]");
    return;
  }
  cluster.tier_count = static_cast<int>(tiers->size());
  cluster.tiers = {};
  for (std::size_t i = 0; i < tiers->size(); ++i) {
    const std::string at = "tiers/" + std::to_string(i);
    if (!(*tiers)[i].is_object()) {
      reader.fail(at.c_str(), Code::kWrongType, "a tier is no object");
      continue;
    }
    Tier& tier = cluster.tiers[i];
    read_tier(
        Reader((*tiers)[i], reader.pointer(at.c_str()), reader.problems()),
        tier);
    if (i > 0 && tier.gpus % std::max(1, cluster.tiers[i - 1].gpus) != 0) {
      reader.fail((at + "/gpus").c_str(), Code::kInconsistent,
                  "a tier's gpus is no multiple of the tier's inside it");
    }
  }
}

void read_link(Reader& reader, const char* bandwidth_key,
               const char* latency_key, Link& link) {
  double bandwidth = 0.0;
  double latency = 0.0;
  if (read_field(reader, "cluster", bandwidth_key, bandwidth)) {
    link.bandwidth = gigabytes_per_second(bandwidth);
  }
  if (read_field(reader, "cluster", latency_key, latency)) {
    link.latency = microseconds(latency);
  }
}

void read_device(Reader& reader, Gpu& gpu) {
  double value = 0.0;
  if (read_field(reader, "cluster", "hbm_gib", value)) {
    gpu.hbm = gibibytes(value);
  }
  if (read_field(reader, "cluster", "achieved_tflops", value)) {
    gpu.achieved = teraflops_per_second(value);
  }
  if (read_field(reader, "cluster", "hbm_bandwidth_gbps", value)) {
    gpu.hbm_bandwidth = gigabytes_per_second(value);
  }
}

void apply_gpu(const GpuPreset& preset, Cluster& cluster) {
  cluster.gpu = preset.gpu;
  cluster.tier_count = 2;
  cluster.tiers = {};
  cluster.tiers[0] = {"intra-node", preset.gpus_per_node, preset.intra};
  cluster.tiers[1] = {"inter-node", cluster.gpus, preset.inter};
}

Tier& outermost(Cluster& cluster) {
  return cluster.tiers[static_cast<std::size_t>(cluster.tier_count - 1)];
}

}  // namespace

void unknown_name(Reader& reader, const char* key, const char* what,
                  const std::string& name,
                  const std::vector<std::string>& known) {
  const std::string near = near_names(name, known);
  std::string hint;
  if (!near.empty()) {
    hint = "did you mean " + near + "?";
  } else {
    for (const std::string& id : known) {
      hint += (hint.empty() ? "" : ", ") + id;
    }
  }
  reader.fail(key, Code::kUnknownName,
              std::string("no ") + what + " named " + name.substr(0, 64), hint);
}

void set_gpus(Cluster& cluster, int gpus) {
  cluster.gpus = gpus;
  Tier& outer = outermost(cluster);
  outer.gpus = cluster.tier_count == 1 ? gpus : std::max(gpus, 1);
}

void read_gpu(Reader& reader, GpuPreset& preset) {
  reader.text("id", preset.id);
  reader.text("name", preset.gpu.name);
  reader.text("source", preset.source);
  reader.text("note", preset.note);
  reader.skip("schema");
  reader.skip("as_of");
  read_device(reader, preset.gpu);
  read_field(reader, "cluster", "gpus_per_node", preset.gpus_per_node);
  read_link(reader, "intra_bandwidth_gbps", "intra_latency_us", preset.intra);
  read_link(reader, "inter_bandwidth_gbps", "inter_latency_us", preset.inter);
  reader.finish();
}

void read_cluster(Reader reader, const Catalog& catalog, Cluster& cluster) {
  std::string name;
  if (reader.text("preset", name)) {
    if (const ClusterPreset* found = catalog.cluster(name)) {
      cluster = found->cluster;
    } else {
      unknown_name(reader, "preset", "cluster", name, ids_of(catalog.clusters));
    }
  }
  if (reader.text("gpu", name)) {
    if (const GpuPreset* found = catalog.gpu(name)) {
      apply_gpu(*found, cluster);
    } else {
      unknown_name(reader, "gpu", "GPU", name, ids_of(catalog.gpus));
    }
  }
  reader.text("id", cluster.id);
  reader.text("name", cluster.name);
  reader.skip("schema");
  reader.skip("source");
  reader.skip("as_of");
  read_device(reader, cluster.gpu);
  read_tiers(reader, cluster);
  int gpus = cluster.gpus;
  if (read_field(reader, "cluster", "gpus", gpus)) set_gpus(cluster, gpus);
  if (cluster.tier_count > 1) {
    read_field(reader, "cluster", "gpus_per_node", cluster.tiers[0].gpus);
  } else {
    reader.skip("gpus_per_node");
  }
  read_link(reader, "intra_bandwidth_gbps", "intra_latency_us",
            cluster.tiers[0].link);
  read_link(reader, "inter_bandwidth_gbps", "inter_latency_us",
            outermost(cluster).link);
  reader.finish();
}

void read_training(Reader reader, Training& t) {
  double value = 0.0;
  read_field(reader, "training", "seq_tokens", t.seq);
  read_field(reader, "training", "global_batch", t.global_batch);
  read_field(reader, "training", "critical_batch_tokens", t.critical_batch);
  read_field(reader, "training", "target_speedup", t.target_speedup);
  if (read_field(reader, "training", "measured_step_ms", value)) {
    t.measured.step = milliseconds(value);
    if (t.measured.seq == 0) t.measured.seq = t.seq;
  }
  read_field(reader, "training", "measured_seq_tokens", t.measured.seq);
  read_field(reader, "training", "measured_micro_batch",
             t.measured.micro_batch);
  read_field(reader, "training", "weight_bytes", t.state_bytes.weights);
  read_field(reader, "training", "gradient_bytes", t.state_bytes.gradients);
  read_field(reader, "training", "optimizer_bytes", t.state_bytes.optimizer);
  reader.flag("fused_attention", t.fused_attention);
  std::size_t index = 0;
  if (reader.choice("activations", index, {"textbook", "architecture"})) {
    t.activations = static_cast<Activations>(index);
  }
  reader.flag("fused_loss", t.fused_loss);
  reader.flag("framework_overheads", t.framework_overheads);
  if (t.framework_overheads && t.activations == Activations::kTextbook) {
    reader.fail("framework_overheads", Code::kInconsistent,
                "framework overheads beside textbook activations",
                "activations \"architecture\"");
  }
  reader.flag("uneven_layers", t.uneven_layers);
  read_field(reader, "training", "overlap", t.overlap);
  read_field(reader, "training", "expert_imbalance", t.expert_imbalance);
  reader.finish();
}

void read_serving(Reader reader, Serving& s) {
  double value = 0.0;
  const bool batch = read_field(reader, "serving", "batch", s.batch);
  if (!read_field(reader, "serving", "batch_max", s.batch_max) && batch) {
    s.batch_max = std::max(s.batch_max, s.batch);
  }
  read_field(reader, "serving", "context_tokens", s.context);
  read_field(reader, "serving", "prompt_tokens", s.prompt);
  if (read_field(reader, "serving", "slo_tpot_ms", value)) {
    s.slo_tpot = milliseconds(value);
  }
  read_field(reader, "serving", "weight_bytes", s.weight_bytes);
  read_field(reader, "serving", "kv_bytes", s.kv_bytes);
  if (read_field(reader, "serving", "reserve_gib", value)) {
    s.reserve = gibibytes(value);
  }
  if (s.batch > s.batch_max) {
    reader.fail("batch_max", Code::kInconsistent,
                "batch_max is less than batch",
                "at least " + std::to_string(s.batch));
  }
  reader.finish();
}

namespace {

void read_phase(Reader& reader, Scenario& scenario) {
  std::size_t phase = 0;
  if (reader.choice("phase", phase, {"training", "serving"})) {
    scenario.phase = static_cast<Phase>(phase);
  }
  read_field(reader, "scenario", "min_efficiency", scenario.min_efficiency);
}

// Model, cluster and workload objects over what the scenario already has.
void read_parts(Reader& reader, const Catalog& catalog, Scenario& scenario) {
  if (auto part = reader.object("model")) {
    read_model(*part, catalog, scenario.model);
  }
  if (auto part = reader.object("cluster")) {
    read_cluster(*part, catalog, scenario.cluster);
  }
  if (auto part = reader.object("training")) {
    read_training(*part, scenario.training);
  }
  if (auto part = reader.object("serving")) {
    read_serving(*part, scenario.serving);
  }
}

void read_assumptions(Reader& reader, std::vector<Assumption>& out) {
  const Json* list = reader.value("assumptions");
  if (list == nullptr) return;
  if (!list->is_array()) {
    reader.fail("assumptions", Code::kWrongType, "assumptions is no list");
    return;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string at = "assumptions/" + std::to_string(i);
    if (!(*list)[i].is_object()) {
      reader.fail(at.c_str(), Code::kWrongType, "an assumption is no object",
                  "{\"id\", \"text\"}");
      continue;
    }
    Reader each((*list)[i], reader.pointer(at.c_str()), reader.problems());
    Assumption assumption;
    each.text("id", assumption.id);
    each.text("text", assumption.text);
    each.finish();
    out.push_back(assumption);
  }
}

Scenario default_scenario(const Catalog& catalog) {
  Scenario out;
  if (const ClusterPreset* drill = catalog.cluster("drill")) {
    out.cluster = drill->cluster;
  }
  return out;
}

// What only a whole scenario can be checked for.
void check_scenario(Reader& reader, const Scenario& s) {
  if (s.model.layers == 0) {
    reader.fail("model", Code::kMissing, "the scenario has no model",
                "a preset, or layers, hidden and heads");
  }
  if (s.phase == Phase::kTraining && s.training.critical_batch > 0.0 &&
      static_cast<double>(s.training.seq) > s.training.critical_batch) {
    reader.fail("training/critical_batch_tokens", Code::kInconsistent,
                "the critical batch is less than one sequence",
                "at least " + std::to_string(s.training.seq) + ", or 0");
  }
}

}  // namespace

ScenarioDocument read_scenario_document(const Json& json, std::string pointer,
                                        const Catalog& catalog,
                                        std::vector<Problem>& problems) {
  ScenarioDocument out;
  if (!json.is_object()) {
    problems.push_back(
        {Code::kWrongType, std::move(pointer), "a scenario is an object", ""});
    return out;
  }
  Reader reader(json, std::move(pointer), problems);
  out.scenario = default_scenario(catalog);
  std::string schema;
  if (reader.text("schema", schema) && schema != "meshwise.scenario/1") {
    reader.fail("schema", Code::kUnknownName,
                "the schema is no meshwise.scenario/1", "meshwise.scenario/1");
  }
  if (!reader.text("id", out.scenario.id) && !reader.has("id")) {
    reader.fail("id", Code::kMissing, "a scenario needs an id");
  }
  reader.text("title", out.scenario.title);
  reader.text("prompt", out.prompt);
  reader.text("source", out.source);
  reader.skip("as_of");
  reader.skip("variant");
  reader.texts("facts", out.facts);
  read_assumptions(reader, out.assumptions);
  read_phase(reader, out.scenario);
  const std::size_t before = problems.size();
  read_parts(reader, catalog, out.scenario);
  reader.finish();
  if (problems.size() == before) check_scenario(reader, out.scenario);
  out.text = dump_json(json);
  return out;
}

RequestScenario read_request_scenario(Reader& request, const Catalog& catalog,
                                      VariantShelf& shelf) {
  RequestScenario out;
  out.scenario = default_scenario(catalog);
  const Json* named = request.value("scenario");
  if (named != nullptr && named->is_string()) {
    const auto found = shelf.find(catalog, named->get<std::string>());
    if (found) {
      out.scenario = (*found)->scenario;
      out.assumptions = (*found)->assumptions;
    } else {
      const Problem& problem = found.problem();
      request.fail("scenario", problem.code, problem.message, problem.hint);
    }
  } else if (named != nullptr) {
    const ScenarioDocument document = read_scenario_document(
        *named, "/scenario", catalog, request.problems());
    out.scenario = document.scenario;
    out.assumptions = document.assumptions;
  }
  read_phase(request, out.scenario);
  if (const Json* cluster = request.value("cluster")) {
    out.states_gpus = cluster->is_object() && cluster->contains("gpus");
  }
  read_parts(request, catalog, out.scenario);
  out.has_model = out.scenario.model.layers > 0;
  return out;
}

namespace {

void read_order(Reader& reader, RequestPlan& out) {
  std::vector<std::string> names;
  if (!reader.texts("order", names)) return;
  AxisOrder order{};
  bool valid = names.size() == kAxisCount;
  for (std::size_t i = 0; valid && i < kAxisCount; ++i) {
    const std::optional<Axis> axis = axis_from_name(names[i]);
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(i);
    valid = axis && std::find(order.begin(), end, *axis) == end;
    if (valid) order[i] = *axis;
  }
  if (!valid) {
    reader.fail("order", Code::kOutOfRange,
                "order does not name each axis once",
                "the five axes dp, tp, pp, cp, ep, innermost first");
    return;
  }
  out.plan.order = order;
  out.states_order = true;
}

void read_plan_options(Reader& reader, RequestPlan& out) {
  Plan& plan = out.plan;
  out.states_zero = read_field(reader, "plan", "zero", plan.zero);
  read_field(reader, "plan", "shard_group", plan.shard_group);
  std::size_t index = 0;
  out.states_recompute =
      reader.choice("recompute", index, {"none", "selective", "full"});
  if (out.states_recompute) plan.recompute = static_cast<Recompute>(index);
  out.states_micro_batch =
      read_field(reader, "plan", "micro_batch", plan.micro_batch);
  read_field(reader, "plan", "virtual_stages", plan.virtual_stages);
  reader.flag("sequence_parallel", plan.sequence_parallel);
  if (reader.choice("cp_method", index, {"ring", "all-gather", "ulysses"})) {
    plan.cp_method = static_cast<CpMethod>(index);
  }
  reader.flag("cp_zigzag", plan.cp_zigzag);
  read_order(reader, out);
}

// dp takes the GPUs that the other axes leave.
void fill_dp(Reader& reader, const Scenario& scenario, Plan& plan) {
  plan.dp = 1;
  const std::int64_t inner = gpus_used(plan);
  const std::int64_t gpus = scenario.cluster.gpus;
  if (scenario.phase == Phase::kServing) {
    plan.dp = static_cast<int>(std::max<std::int64_t>(1, gpus / inner));
    return;
  }
  if (scenario.model.heads > 0 && scenario.model.heads % plan.tp != 0) {
    return;  // said by check_shape, and the nearer cause
  }
  if (inner > gpus || gpus % inner != 0) {
    reader.fail("tp", Code::kInconsistent,
                "tp x pp x cp x ep = " + std::to_string(inner) +
                    " does not divide the " + std::to_string(gpus) + " GPUs",
                "degrees whose product divides " + std::to_string(gpus));
    return;
  }
  plan.dp = static_cast<int>(gpus / inner);
}

}  // namespace

RequestPlan read_request_plan(Reader& request, const Scenario& scenario,
                              const Plan& defaults) {
  RequestPlan out;
  out.plan = defaults;
  static const Json kNothing = Json::object();
  const bool present = request.has("plan");
  std::optional<Reader> part = request.object("plan");
  if (present && !part) return out;
  Reader reader = part ? *part : Reader(kNothing, "/plan", request.problems());
  out.given = part.has_value();
  const std::size_t before = reader.problems().size();
  const bool dp = read_field(reader, "plan", "dp", out.plan.dp);
  for (const Axis axis : kAxes) {
    int degree = 1;
    if (axis == Axis::kDp) continue;
    const std::string key(axis_name(axis));
    if (read_field(reader, "plan", key.c_str(), degree)) {
      set_degree(out.plan, axis, degree);
      out.states_degrees = true;
    }
  }
  out.states_degrees = out.states_degrees || dp;
  read_plan_options(reader, out);
  int gpus = 0;
  read_field(reader, "cluster", "gpus", gpus);
  reader.finish();
  if (reader.problems().size() > before) return out;
  if (!dp) fill_dp(reader, scenario, out.plan);
  return out;
}

}  // namespace meshwise
