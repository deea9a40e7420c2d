// Published shapes, exact parameter counts and KV-cache sizes. Each row names
// the public file or paper that holds the shape; counts are the published
// ones where there are any, else those of the same reference.
//
// `beside` is what a model has outside the shape that Model describes: norms
// of queries and keys (Qwen3: 2 head_dim a layer), norms after each block
// (Gemma 2: 2 hidden a layer), a norm on the embedding (BLOOM: gain and bias),
// or, negative, one norm shared by attention and MLP (PaLM, Falcon 7B). Falcon
// is counted as the Hub stores it, with the tied head's copy.
#pragma once

#include <cstdint>

namespace meshwise::reference {

enum ShapeFlag : unsigned {
  kGated = 1,
  kBiases = 2,
  kQkvBiases = 4,
  kLayerNorm = 8,
  kTied = 16
};
inline constexpr unsigned kGpt = kBiases | kLayerNorm | kTied;

struct PublishedExperts {
  int experts, top_k, ffn;
};

struct PublishedModel {
  const char* name;
  int layers, hidden, heads, kv_heads, head_dim, ffn, vocab, positions;
  unsigned flags;  // of ShapeFlag
  PublishedExperts experts;
  std::int64_t beside;
  std::int64_t parameters, active;
  std::int64_t kv_bytes_per_token;  // bf16
  const char* source;
};

// clang-format off
inline constexpr PublishedModel kModels[] = {
    {"GPT-3 125M", 12, 768, 12, 12, 64, 3072, 50257, 2048,
     kGpt, {0, 0, 0}, 0, 125226240, 125226240, 36864,
     "Brown et al. 2020, table 2.1"},
    {"GPT-3 350M", 24, 1024, 16, 16, 64, 4096, 50257, 2048,
     kGpt, {0, 0, 0}, 0, 355871744, 355871744, 98304,
     "Brown et al. 2020, table 2.1"},
    {"GPT-3 760M", 24, 1536, 16, 16, 96, 6144, 50257, 2048,
     kGpt, {0, 0, 0}, 0, 760300032, 760300032, 147456,
     "Brown et al. 2020, table 2.1"},
    {"GPT-3 2.7B", 32, 2560, 32, 32, 80, 10240, 50257, 2048,
     kGpt, {0, 0, 0}, 0, 2651553280, 2651553280, 327680,
     "Brown et al. 2020, table 2.1"},
    {"GPT-3 6.7B", 32, 4096, 32, 32, 128, 16384, 50257, 2048,
     kGpt, {0, 0, 0}, 0, 6658404352, 6658404352, 524288,
     "Brown et al. 2020, table 2.1"},
    {"GPT-3 175B", 96, 12288, 96, 96, 128, 49152, 50257, 2048,
     kGpt, {0, 0, 0}, 0, 174604259328, 174604259328, 4718592,
     "Brown et al. 2020, table 2.1"},
    {"LLaMA 65B", 80, 8192, 64, 64, 128, 22016, 32000, 0,
     kGated, {0, 0, 0}, 0, 65285660672, 65285660672, 2621440,
     "cli99/llm-analysis:decapoda-research_llama-65b-hf.json"},
    {"Llama 2 7B", 32, 4096, 32, 32, 128, 11008, 32000, 0,
     kGated, {0, 0, 0}, 0, 6738415616, 6738415616, 524288,
     "microsoft/vidur:vidur/config/model_config.py"},
    {"Llama 2 13B", 40, 5120, 40, 40, 128, 13824, 32000, 0,
     kGated, {0, 0, 0}, 0, 13015864320, 13015864320, 819200,
     "GenZ-LLM-Analyzer:meta.py"},
    {"Llama 2 70B", 80, 8192, 64, 8, 128, 28672, 32000, 0,
     kGated, {0, 0, 0}, 0, 68976648192, 68976648192, 327680,
     "microsoft/vidur:vidur/config/model_config.py"},
    {"Llama 3.1 8B", 32, 4096, 32, 8, 128, 14336, 128256, 0,
     kGated, {0, 0, 0}, 0, 8030261248, 8030261248, 131072,
     "ai-dynamo/aiconfigurator:Meta-Llama-3.1-8B"},
    {"Llama 3.1 70B", 80, 8192, 64, 8, 128, 28672, 128256, 0,
     kGated, {0, 0, 0}, 0, 70553706496, 70553706496, 327680,
     "ai-dynamo/aiconfigurator:Meta-Llama-3.1-70B"},
    {"Llama 3.1 405B", 126, 16384, 128, 8, 128, 53248, 128256, 0,
     kGated, {0, 0, 0}, 0, 405853388800, 405853388800, 516096,
     "ai-dynamo/aiconfigurator:Meta-Llama-3.1-405B"},
    {"Mistral 7B v0.1", 32, 4096, 32, 8, 128, 14336, 32000, 0,
     kGated, {0, 0, 0}, 0, 7241732096, 7241732096, 131072,
     "NVIDIA/NeMo:mistral.py"},
    {"Mixtral 8x7B", 32, 4096, 32, 8, 128, 0, 32000, 0,
     kGated, {8, 2, 14336}, 0, 46702792704, 12879925248, 131072,
     "ai-dynamo/aiconfigurator:mistralai--Mixtral-8x7B-v0.1"},
    {"Mixtral 8x22B", 56, 6144, 48, 8, 128, 0, 32000, 0,
     kGated, {8, 2, 16384}, 0, 140620634112, 39152031744, 229376,
     "ai-dynamo/aiconfigurator:mistralai--Mixtral-8x22B-v0.1"},
    {"Qwen2.5-7B", 28, 3584, 28, 4, 128, 18944, 152064, 0,
     kGated | kQkvBiases, {0, 0, 0}, 0, 7615616512, 7615616512, 57344,
     "NVIDIA/NeMo:qwen2.py"},
    {"Qwen2.5-14B", 48, 5120, 40, 8, 128, 13824, 152064, 0,
     kGated | kQkvBiases, {0, 0, 0}, 0, 14770033664, 14770033664, 196608,
     "NVIDIA/NeMo:qwen2.py"},
    {"Qwen2.5-32B", 64, 5120, 40, 8, 128, 27648, 152064, 0,
     kGated | kQkvBiases, {0, 0, 0}, 0, 32763876352, 32763876352, 262144,
     "NVIDIA/NeMo:qwen2.py"},
    {"Qwen2.5-72B", 80, 8192, 64, 8, 128, 29568, 152064, 0,
     kGated | kQkvBiases, {0, 0, 0}, 0, 72706203648, 72706203648, 327680,
     "NVIDIA/NeMo:qwen2.py"},
    {"Qwen3-0.6B", 28, 1024, 16, 8, 128, 3072, 151936, 0,
     kGated | kTied, {0, 0, 0}, 7168, 596049920, 596049920, 114688,
     "ai-dynamo/aiconfigurator:Qwen--Qwen3-0.6B"},
    {"Qwen3-1.7B", 28, 2048, 16, 8, 128, 6144, 151936, 0,
     kGated | kTied, {0, 0, 0}, 7168, 1720574976, 1720574976, 114688,
     "ai-dynamo/aiconfigurator:Qwen--Qwen3-1.7B"},
    {"Qwen3-8B", 36, 4096, 32, 8, 128, 12288, 151936, 0,
     kGated, {0, 0, 0}, 9216, 8190735360, 8190735360, 147456,
     "ai-dynamo/aiconfigurator:Qwen--Qwen3-8B"},
    {"Qwen3-14B", 40, 5120, 40, 8, 128, 17408, 151936, 0,
     kGated, {0, 0, 0}, 10240, 14768307200, 14768307200, 163840,
     "GenZ-LLM-Analyzer:alibaba.py"},
    {"Qwen3-32B", 64, 5120, 64, 8, 128, 25600, 151936, 0,
     kGated, {0, 0, 0}, 16384, 32762123264, 32762123264, 262144,
     "ai-dynamo/aiconfigurator:Qwen--Qwen3-32B"},
    {"Qwen3-30B-A3B", 48, 2048, 32, 4, 128, 0, 151936, 0,
     kGated, {128, 8, 768}, 12288, 30532122624, 3353032704, 98304,
     "ai-dynamo/aiconfigurator:Qwen--Qwen3-30B-A3B"},
    {"Qwen3-235B-A22B", 94, 4096, 64, 4, 128, 0, 151936, 0,
     kGated, {128, 8, 1536}, 24064, 235093634560, 22190763520, 192512,
     "ai-dynamo/aiconfigurator:Qwen--Qwen3-235B-A22B"},
    {"Gemma-2 2B", 26, 2304, 8, 4, 256, 9216, 256000, 0,
     kGated | kTied, {0, 0, 0}, 119808, 2614341888, 2614341888, 106496,
     "NVIDIA/NeMo:gemma2.py"},
    {"Gemma-2 9B", 42, 3584, 16, 8, 256, 14336, 256000, 0,
     kGated | kTied, {0, 0, 0}, 301056, 9241705984, 9241705984, 344064,
     "NVIDIA/NeMo:gemma2.py"},
    {"Gemma-2 27B", 46, 4608, 32, 16, 128, 36864, 256000, 0,
     kGated | kTied, {0, 0, 0}, 423936, 27227128320, 27227128320, 376832,
     "NVIDIA/NeMo:gemma2.py"},
    {"OPT 6.7B", 32, 4096, 32, 32, 128, 16384, 50272, 2050,
     kGpt, {0, 0, 0}, 0, 6658473984, 6658473984, 524288,
     "cli99/llm-analysis:facebook_opt-6.7b.json"},
    {"OPT 13B", 40, 5120, 40, 40, 128, 20480, 50272, 2050,
     kGpt, {0, 0, 0}, 0, 12853473280, 12853473280, 819200,
     "cli99/llm-analysis:facebook_opt-13b.json"},
    {"OPT 66B", 64, 9216, 72, 72, 128, 36864, 50272, 2050,
     kGpt, {0, 0, 0}, 0, 65719701504, 65719701504, 2359296,
     "cli99/llm-analysis:facebook_opt-66b.json"},
    {"OPT 175B", 96, 12288, 96, 96, 128, 49152, 50272, 2050,
     kGpt, {0, 0, 0}, 0, 174604468224, 174604468224, 4718592,
     "cli99/llm-analysis:facebook_opt-175b.json"},
    {"BLOOM 176B", 70, 14336, 112, 112, 128, 57344, 250880, 0,
     kGpt, {0, 0, 0}, 28672, 176247271424, 176247271424, 4014080,
     "bigscience:tr11-176B-ml.slurm"},
    {"GPT-NeoX-20B", 44, 6144, 64, 64, 96, 24576, 50432, 0,
     kBiases | kLayerNorm, {0, 0, 0}, 0, 20554567680, 20554567680, 1081344,
     "EleutherAI/gpt-neox:configs/20B.yml"},
    {"MT-NLG 530B", 105, 20480, 128, 128, 160, 81920, 51200, 2048,
     kGpt, {0, 0, 0}, 0, 529600819200, 529600819200, 8601600,
     "calculon-ai/calculon:models/turing-530B.json"},
    {"PaLM 540B", 118, 18432, 48, 1, 256, 73728, 256000, 0,
     kGated | kTied, {0, 0, 0}, -2174976, 540356474880, 540356474880, 120832,
     "calculon-ai/calculon:models/palm-540B.json"},
    {"Falcon 7B", 32, 4544, 71, 1, 64, 18176, 65024, 0,
     kLayerNorm, {0, 0, 0}, -290816, 7217189760, 7217189760, 8192,
     "tiiuae's safetensors totals"},
    {"Falcon 180B", 80, 14848, 232, 8, 64, 59392, 65024, 0,
     kLayerNorm, {0, 0, 0}, 0, 179522565120, 179522565120, 163840,
     "tiiuae's safetensors totals"},
    {"Nemotron-4 15B", 32, 6144, 48, 8, 128, 24576, 256000, 0,
     kLayerNorm, {0, 0, 0}, 0, 15628775424, 15628775424, 131072,
     "NVIDIA/dgxc-benchmarking@1b9bb6b"},
    {"Nemotron-4 340B", 96, 18432, 96, 8, 192, 73728, 256000, 0,
     kLayerNorm, {0, 0, 0}, 0, 341029195776, 341029195776, 589824,
     "NVIDIA/dgxc-benchmarking@1b9bb6b"},
};
// clang-format on

}  // namespace meshwise::reference
