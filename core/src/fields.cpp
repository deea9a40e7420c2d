#include "fields.h"

#include <array>

namespace meshwise {
namespace {

constexpr Field kFields[] = {
    {"model", "parameters", "Parameters, stated", "", 1e6, 1e15, false},
    {"model", "layers", "Layers", "", 1, 10000, true},
    {"model", "hidden", "Hidden size", "", 1, 1000000, true},
    {"model", "heads", "Query heads", "", 1, 10000, true},
    {"model", "kv_heads", "KV heads", "", 1, 10000, true},
    {"model", "head_dim", "Head size", "", 1, 10000, true},
    {"model", "ffn", "FFN width", "", 1, 10000000, true},
    {"model", "vocab", "Vocabulary", "tokens", 0, 100000000, true},
    {"model", "max_positions", "Learned positions", "tokens", 0, 100000000,
     true},
    {"model", "experts", "Routed experts", "", 0, 10000, true},
    {"model", "top_k", "Experts a token", "", 0, 10000, true},
    {"model", "expert_ffn", "Expert FFN width", "", 0, 10000000, true},
    {"model", "shared_experts", "Shared experts", "", 0, 10000, true},
    {"model", "dense_layers", "Dense layers first", "", 0, 10000, true},
    {"model", "capacity", "Expert capacity factor", "x", 1, 100, false},
    {"model", "norms_per_layer", "Norms a layer", "", 1, 4, true},
    {"model", "q_rank", "Query latent (0: none)", "", 0, 1000000, true},
    {"model", "kv_rank", "KV latent (0: none)", "", 0, 1000000, true},
    {"model", "nope_dim", "Head size without position", "", 0, 10000, true},
    {"model", "rope_dim", "Head size with rotary position", "", 0, 10000, true},
    {"model", "value_dim", "Value head size", "", 0, 10000, true},
    {"model", "window", "Attention window (0: none)", "tokens", 0, 1073741824,
     true},
    {"model", "full_every", "Every n-th layer sees all (0: none)", "", 0, 10000,
     true},
    {"model", "full_first", "First layers that see all", "", 0, 10000, true},

    {"cluster", "gpus", "GPUs", "", 1, 1048576, true},
    {"cluster", "gpus_per_node", "GPUs a node", "", 1, 1048576, true},
    {"cluster", "hbm_gib", "HBM a GPU", "GiB", 0.01, 100000, false},
    {"cluster", "achieved_tflops", "Achieved bf16", "TFLOP/s", 0.001, 1000000,
     false},
    {"cluster", "hbm_bandwidth_gbps", "HBM bandwidth", "GB/s", 0.1, 1000000,
     false},
    {"cluster", "intra_bandwidth_gbps", "Intra-node bandwidth a GPU", "GB/s",
     0.001, 100000, false},
    {"cluster", "intra_latency_us", "Intra-node latency", "us", 0, 1000000,
     false},
    {"cluster", "inter_bandwidth_gbps", "Inter-node bandwidth a GPU", "GB/s",
     0.001, 100000, false},
    {"cluster", "inter_latency_us", "Inter-node latency", "us", 0, 1000000,
     false},

    {"training", "seq_tokens", "Sequence length", "tokens", 1, 1073741824,
     true},
    {"training", "global_batch", "Global batch", "sequences", 1, 16777216,
     true},
    {"training", "critical_batch_tokens", "Critical batch (0: none)", "tokens",
     0, 1e12, false},
    {"training", "target_speedup", "Wanted speed-up (0: none)", "x", 0, 1e6,
     false},
    {"training", "measured_step_ms", "Measured one-GPU step (0: none)", "ms", 0,
     1e9, false},
    {"training", "measured_seq_tokens", "Measured at sequence length", "tokens",
     1, 1073741824, true},
    {"training", "measured_micro_batch", "Measured at micro-batch", "sequences",
     1, 4096, true},
    {"training", "weight_bytes", "Weights", "bytes/parameter", 0, 16, false},
    {"training", "gradient_bytes", "Gradients", "bytes/parameter", 0, 16,
     false},
    {"training", "optimizer_bytes", "Optimizer", "bytes/parameter", 0, 64,
     false},
    {"training", "overlap", "Hideable DP time that hides", "share", 0, 1,
     false},
    {"training", "expert_imbalance", "Expert imbalance", "x", 1, 100, false},

    {"serving", "batch", "Batch", "sequences", 1, 1048576, true},
    {"serving", "batch_max", "Largest batch asked for", "sequences", 1, 1048576,
     true},
    {"serving", "context_tokens", "Context", "tokens", 1, 1073741824, true},
    {"serving", "prompt_tokens", "Prompt", "tokens", 1, 1073741824, true},
    {"serving", "slo_tpot_ms", "Time an output token (0: none)", "ms", 0, 1e6,
     false},
    {"serving", "weight_bytes", "Weights", "bytes/parameter", 0.125, 8, false},
    {"serving", "kv_bytes", "KV cache", "bytes/value", 0.125, 8, false},
    {"serving", "reserve_gib", "HBM held back", "GiB", 0, 100000, false},

    {"plan", "dp", "Data parallel", "", 1, 1048576, true},
    {"plan", "tp", "Tensor parallel", "", 1, 1048576, true},
    {"plan", "pp", "Pipeline parallel", "", 1, 1048576, true},
    {"plan", "cp", "Context parallel", "", 1, 1048576, true},
    {"plan", "ep", "Expert parallel", "", 1, 1048576, true},
    {"plan", "zero", "ZeRO stage", "", 0, 3, true},
    {"plan", "shard_group", "Shard group (0: all)", "ranks", 0, 1048576, true},
    {"plan", "micro_batch", "Micro-batch", "sequences", 1, 4096, true},
    {"plan", "virtual_stages", "Virtual stages", "", 1, 1000, true},

    {"scenario", "min_efficiency", "Share of the step to stay compute", "share",
     0.05, 0.99, false},

    {"collective", "bytes", "Message", "bytes", 1, 1e18, false},
    {"collective", "parameters", "Gradients of", "parameters", 1, 1e15, false},
    {"collective", "gpus", "GPUs", "", 1, 1048576, true},
    {"collective", "bandwidth_gbps", "Bandwidth a GPU", "GB/s", 0.001, 100000,
     false},
    {"collective", "latency_us", "Latency a hop", "us", 0, 1000000, false},
    {"collective", "step_ms", "Step", "ms", 0.000001, 1e12, false},
};

}  // namespace

std::span<const Field> fields() { return kFields; }

const Field& field(std::string_view object, std::string_view key) {
  for (const Field& each : kFields) {
    if (each.object == object && each.key == key) return each;
  }
  return kFields[0];
}

bool read_field(Reader& reader, std::string_view object, const char* key,
                double& out) {
  const Field& f = field(object, key);
  return reader.number(key, out, f.lower, f.upper);
}

bool read_field(Reader& reader, std::string_view object, const char* key,
                std::int64_t& out) {
  const Field& f = field(object, key);
  return reader.integer(key, out, static_cast<std::int64_t>(f.lower),
                        static_cast<std::int64_t>(f.upper));
}

bool read_field(Reader& reader, std::string_view object, const char* key,
                int& out) {
  const Field& f = field(object, key);
  return reader.integer(key, out, static_cast<int>(f.lower),
                        static_cast<int>(f.upper));
}

}  // namespace meshwise
