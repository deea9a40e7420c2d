#include "api_parts.h"
#include "fields.h"
#include "meshwise/api.h"
#include "meshwise/constraint.h"
#include "meshwise/threshold.h"

namespace meshwise::api {
namespace {

Json model_json(const ModelPreset& preset) {
  const Model& m = preset.model;
  Json out = Json::object();
  out["id"] = m.id;
  out["name"] = m.name;
  put(out, "parameters", count_parameters(m).total);
  out["layers"] = m.layers;
  out["hidden"] = m.hidden;
  out["heads"] = m.heads;
  out["kv_heads"] = m.kv_heads;
  out["head_dim"] = m.head_dim;
  out["ffn"] = m.ffn;
  out["vocab"] = m.vocab;
  out["max_positions"] = m.max_positions;
  out["gated_mlp"] = m.gated_mlp;
  out["biases"] = m.biases;
  out["qkv_biases"] = m.qkv_biases;
  out["layer_norm"] = m.layer_norm;
  out["tied_head"] = m.tied_head;
  if (m.moe.experts > 0) {
    out["experts"] = m.moe.experts;
    out["top_k"] = m.moe.top_k;
    out["expert_ffn"] = m.moe.expert_ffn;
    out["shared_experts"] = m.moe.shared_experts;
    out["dense_layers"] = m.moe.dense_layers;
    put(out, "capacity", m.moe.capacity);
  }
  out["source"] = preset.source;
  return out;
}

Json gpu_json(const GpuPreset& preset) {
  Json out = Json::object();
  out["id"] = preset.id;
  out["name"] = preset.gpu.name;
  put_rounded(out, "hbm_gib", to_gib(preset.gpu.hbm));
  put_rounded(out, "achieved_tflops", to_tflops(preset.gpu.achieved));
  put_rounded(out, "hbm_bandwidth_gbps", to_gbps(preset.gpu.hbm_bandwidth));
  out["gpus_per_node"] = preset.gpus_per_node;
  put_rounded(out, "intra_bandwidth_gbps", to_gbps(preset.intra.bandwidth));
  put_rounded(out, "intra_latency_us", to_us(preset.intra.latency));
  put_rounded(out, "inter_bandwidth_gbps", to_gbps(preset.inter.bandwidth));
  put_rounded(out, "inter_latency_us", to_us(preset.inter.latency));
  out["source"] = preset.source;
  out["note"] = preset.note;
  return out;
}

// What a form needs beyond numbers: switches, and choices by name.
Json flag_field(const char* label) {
  Json out = Json::object();
  out["label"] = label;
  out["type"] = "boolean";
  return out;
}

Json choice_field(const char* label, const std::vector<std::string>& names) {
  Json out = Json::object();
  out["label"] = label;
  out["type"] = "choice";
  out["choices"] = names;
  return out;
}

Json fields_json() {
  Json out = Json::object();
  for (const Field& f : fields()) {
    Json each = Json::object();
    each["label"] = std::string(f.label);
    each["unit"] = std::string(f.unit);
    each["type"] = "number";
    put(each, "lower", f.lower);
    put(each, "upper", f.upper);
    each["integral"] = f.integral;
    out[std::string(f.object)][f.key] = each;
  }
  out["model"]["gated_mlp"] = flag_field("Gated FFN (three matrices)");
  out["model"]["biases"] = flag_field("Biases");
  out["model"]["qkv_biases"] = flag_field("Q, K, V biases");
  out["model"]["layer_norm"] = flag_field("LayerNorm (else RMSNorm)");
  out["model"]["tied_head"] = flag_field("Head tied to the embedding");
  out["training"]["fused_attention"] = flag_field("Fused attention kernel");
  out["training"]["uneven_layers"] = flag_field("Uneven stages allowed");
  out["plan"]["recompute"] =
      choice_field("Recompute", {"none", "selective", "full"});
  out["plan"]["sequence_parallel"] = flag_field("Sequence parallel");
  out["plan"]["cp_method"] = choice_field("Context-parallel method",
                                          {"ring", "all-gather", "ulysses"});
  out["plan"]["cp_zigzag"] = flag_field("Zigzag order");
  return out;
}

Json modes_json(const GradingData& grading) {
  Json out = Json::array();
  for (const FailureMode& mode : grading.modes) {
    Json each = Json::object();
    each["id"] = mode.id;
    each["title"] = mode.title;
    Json phases = Json::array();
    for (const Phase phase : mode.phases) {
      phases.push_back(phase == Phase::kServing ? "serving" : "training");
    }
    if (!phases.empty()) each["phases"] = phases;
    out.push_back(each);
  }
  return out;
}

Json lists(const Catalog& catalog) {
  Json out = reply_of("catalog");
  out["version"] = std::string(version());
  Json models = Json::array();
  for (const ModelPreset& each : catalog.models) {
    models.push_back(model_json(each));
  }
  out["models"] = models;
  Json gpus = Json::array();
  for (const GpuPreset& each : catalog.gpus) gpus.push_back(gpu_json(each));
  out["gpus"] = gpus;
  Json clusters = Json::array();
  for (const ClusterPreset& each : catalog.clusters) {
    Json cluster = Json::object();
    cluster["id"] = each.cluster.id;
    cluster.update(cluster_json(each.cluster));
    cluster["source"] = each.source;
    clusters.push_back(cluster);
  }
  out["clusters"] = clusters;
  return out;
}

}  // namespace

Reply catalog(Call& call) {
  if (auto problem = finish(call)) return *problem;
  Json out = lists(call.catalog);
  Json scenarios = Json::array();
  for (const ScenarioDocument& each : call.catalog.scenarios) {
    Json scenario = Json::object();
    scenario["id"] = each.scenario.id;
    scenario["title"] = each.scenario.title;
    scenario["phase"] =
        each.scenario.phase == Phase::kServing ? "serving" : "training";
    scenarios.push_back(scenario);
  }
  out["scenarios"] = scenarios;
  Json operations = Json::array();
  for (int i = 0; i < kOperationCount; ++i) {
    operations.push_back(
        std::string(operation_name(static_cast<Operation>(i))));
  }
  out["operations"] = operations;
  Json algorithms = Json::array();
  for (int i = 0; i < kAlgorithmCount; ++i) {
    algorithms.push_back(
        std::string(algorithm_name(static_cast<Algorithm>(i))));
  }
  out["algorithms"] = algorithms;
  Json parameters = Json::array();
  for (int i = 0; i < kParameterCount; ++i) {
    const ParameterInfo& info = parameter_info(static_cast<Parameter>(i));
    Json each = Json::object();
    each["id"] = std::string(info.id);
    each["unit"] = std::string(info.unit);
    put(each, "lower", info.lower);
    put(each, "upper", info.upper);
    each["integral"] = info.integral;
    parameters.push_back(each);
  }
  out["parameters"] = parameters;
  Json constraints = Json::array();
  for (const Constraint c :
       {Constraint::kMemoryState, Constraint::kMemoryActivations,
        Constraint::kThroughput, Constraint::kLatency}) {
    constraints.push_back(std::string(constraint_name(c)));
  }
  out["constraints"] = constraints;
  out["failure_modes"] = modes_json(call.grading);
  out["fields"] = fields_json();
  return out;
}

}  // namespace meshwise::api
