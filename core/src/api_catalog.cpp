#include "api_parts.h"
#include "fields.h"
#include "meshwise/api.h"
#include "meshwise/constraint.h"
#include "meshwise/threshold.h"

namespace meshwise::api {
namespace {

// What only some models have: left out where it is the default.
void add_rarer_shape(Json& out, const Model& m) {
  const Model standard;
  if (m.head_bias) set(out, "head_bias", true);
  if (m.norms_per_layer != standard.norms_per_layer) {
    set(out, "norms_per_layer", m.norms_per_layer);
  }
  if (m.embedding_norm) set(out, "embedding_norm", true);
  if (m.qk_norms) set(out, "qk_norms", true);
  if (m.parallel_blocks) set(out, "parallel_blocks", true);
  if (m.latent.kv_rank > 0) {
    set(out, "q_rank", m.latent.q_rank);
    set(out, "kv_rank", m.latent.kv_rank);
    set(out, "nope_dim", m.latent.nope_dim);
    set(out, "rope_dim", m.latent.rope_dim);
    set(out, "value_dim", m.latent.value_dim);
  }
  if (m.window.tokens > 0) {
    set(out, "window", m.window.tokens);
    set(out, "full_every", m.window.full_every);
    set(out, "full_first", m.window.full_first);
  }
}

Json model_json(const ModelPreset& preset) {
  const Model& m = preset.model;
  Json out = Json::object();
  set(out, "id", m.id);
  set(out, "name", m.name);
  put(out, "parameters", count_parameters(m).total);
  set(out, "layers", m.layers);
  set(out, "hidden", m.hidden);
  set(out, "heads", m.heads);
  set(out, "kv_heads", m.kv_heads);
  set(out, "head_dim", m.head_dim);
  set(out, "ffn", m.ffn);
  set(out, "vocab", m.vocab);
  set(out, "max_positions", m.max_positions);
  set(out, "gated_mlp", m.gated_mlp);
  set(out, "biases", m.biases);
  set(out, "qkv_biases", m.qkv_biases);
  set(out, "layer_norm", m.layer_norm);
  set(out, "tied_head", m.tied_head);
  if (m.moe.experts > 0) {
    set(out, "experts", m.moe.experts);
    set(out, "top_k", m.moe.top_k);
    set(out, "expert_ffn", m.moe.expert_ffn);
    set(out, "shared_experts", m.moe.shared_experts);
    set(out, "dense_layers", m.moe.dense_layers);
    put(out, "capacity", m.moe.capacity);
    if (m.moe.router_bias) set(out, "router_bias", true);
    if (m.moe.shared_gate) set(out, "shared_gate", true);
  }
  add_rarer_shape(out, m);
  set(out, "source", preset.source);
  return out;
}

Json gpu_json(const GpuPreset& preset) {
  Json out = Json::object();
  set(out, "id", preset.id);
  set(out, "name", preset.gpu.name);
  put_rounded(out, "hbm_gib", to_gib(preset.gpu.hbm));
  put_rounded(out, "achieved_tflops", to_tflops(preset.gpu.achieved));
  put_rounded(out, "hbm_bandwidth_gbps", to_gbps(preset.gpu.hbm_bandwidth));
  set(out, "gpus_per_node", preset.gpus_per_node);
  put_rounded(out, "intra_bandwidth_gbps", to_gbps(preset.intra.bandwidth));
  put_rounded(out, "intra_latency_us", to_us(preset.intra.latency));
  put_rounded(out, "inter_bandwidth_gbps", to_gbps(preset.inter.bandwidth));
  put_rounded(out, "inter_latency_us", to_us(preset.inter.latency));
  set(out, "source", preset.source);
  set(out, "note", preset.note);
  return out;
}

// What a form needs beyond numbers: switches, and choices by name.
Json flag_field(const char* label) {
  Json out = Json::object();
  set(out, "label", label);
  set(out, "type", "boolean");
  return out;
}

Json choice_field(const char* label, const std::vector<std::string>& names) {
  Json out = Json::object();
  set(out, "label", label);
  set(out, "type", "choice");
  set(out, "choices", names);
  return out;
}

Json fields_json() {
  Json out = Json::object();
  for (const Field& f : fields()) {
    Json each = Json::object();
    set(each, "label", std::string(f.label));
    set(each, "unit", std::string(f.unit));
    set(each, "type", "number");
    put(each, "lower", f.lower);
    put(each, "upper", f.upper);
    set(each, "integral", f.integral);
    out[std::string(f.object)][f.key] = each;
  }
  out["model"]["gated_mlp"] = flag_field("Gated FFN (three matrices)");
  out["model"]["biases"] = flag_field("Biases");
  out["model"]["qkv_biases"] = flag_field("Q, K, V biases");
  out["model"]["layer_norm"] = flag_field("LayerNorm (else RMSNorm)");
  out["model"]["tied_head"] = flag_field("Head tied to the embedding");
  out["model"]["head_bias"] = flag_field("Bias on the head");
  out["model"]["embedding_norm"] = flag_field("Norm on the embedding");
  out["model"]["qk_norms"] = flag_field("Norms of queries and keys");
  out["model"]["parallel_blocks"] =
      flag_field("Attention and FFN side by side");
  out["model"]["router_bias"] = flag_field("Router bias, one an expert");
  out["model"]["shared_gate"] = flag_field("Gate on the shared experts");
  out["training"]["fused_attention"] = flag_field("Fused attention kernel");
  out["training"]["activations"] =
      choice_field("Activations counted as", {"textbook", "architecture"});
  out["training"]["fused_loss"] = flag_field("Fused loss (logits in bf16)");
  out["training"]["framework_overheads"] =
      flag_field("Framework overheads (architecture)");
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
    set(each, "id", mode.id);
    set(each, "title", mode.title);
    Json phases = Json::array();
    for (const Phase phase : mode.phases) {
      phases.push_back(phase == Phase::kServing ? "serving" : "training");
    }
    if (!phases.empty()) set(each, "phases", std::move(phases));
    out.push_back(each);
  }
  return out;
}

Json lists(const Catalog& catalog) {
  Json out = reply_of("catalog");
  set(out, "version", std::string(version()));
  Json models = Json::array();
  for (const ModelPreset& each : catalog.models) {
    models.push_back(model_json(each));
  }
  set(out, "models", std::move(models));
  Json gpus = Json::array();
  for (const GpuPreset& each : catalog.gpus) gpus.push_back(gpu_json(each));
  set(out, "gpus", std::move(gpus));
  Json clusters = Json::array();
  for (const ClusterPreset& each : catalog.clusters) {
    Json cluster = Json::object();
    set(cluster, "id", each.cluster.id);
    cluster.update(cluster_json(each.cluster));
    set(cluster, "source", each.source);
    clusters.push_back(cluster);
  }
  set(out, "clusters", std::move(clusters));
  return out;
}

}  // namespace

Reply catalog(Call& call) {
  if (auto problem = finish(call)) return *problem;
  Json out = lists(call.catalog);
  Json scenarios = Json::array();
  for (const ScenarioDocument& each : call.catalog.scenarios) {
    Json scenario = Json::object();
    set(scenario, "id", each.scenario.id);
    set(scenario, "title", each.scenario.title);
    set(scenario, "phase",
        each.scenario.phase == Phase::kServing ? "serving" : "training");
    scenarios.push_back(scenario);
  }
  set(out, "scenarios", std::move(scenarios));
  Json operations = Json::array();
  for (int i = 0; i < kOperationCount; ++i) {
    operations.push_back(
        std::string(operation_name(static_cast<Operation>(i))));
  }
  set(out, "operations", std::move(operations));
  Json algorithms = Json::array();
  for (int i = 0; i < kAlgorithmCount; ++i) {
    algorithms.push_back(
        std::string(algorithm_name(static_cast<Algorithm>(i))));
  }
  set(out, "algorithms", std::move(algorithms));
  Json parameters = Json::array();
  for (int i = 0; i < kParameterCount; ++i) {
    const ParameterInfo& info = parameter_info(static_cast<Parameter>(i));
    Json each = Json::object();
    set(each, "id", std::string(info.id));
    set(each, "unit", std::string(info.unit));
    put(each, "lower", info.lower);
    put(each, "upper", info.upper);
    set(each, "integral", info.integral);
    parameters.push_back(each);
  }
  set(out, "parameters", std::move(parameters));
  Json constraints = Json::array();
  for (const Constraint c :
       {Constraint::kMemoryState, Constraint::kMemoryActivations,
        Constraint::kThroughput, Constraint::kLatency}) {
    constraints.push_back(std::string(constraint_name(c)));
  }
  set(out, "constraints", std::move(constraints));
  set(out, "failure_modes", modes_json(call.grading));
  set(out, "fields", fields_json());
  return out;
}

}  // namespace meshwise::api
