#include "options.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "files.h"

namespace meshwise::cli {
namespace {

const std::vector<Flag> kModel{
    {"--preset", "model", "preset", Kind::kText,
     "model by name, e.g. llama3-8b"},
    {"--params", "model", "parameters", Kind::kBillions,
     "parameters, in billions"},
    {"--layers", "model", "layers", Kind::kNumber, "layers"},
    {"--hidden", "model", "hidden", Kind::kNumber, "hidden size"},
    {"--heads", "model", "heads", Kind::kNumber, "query heads"},
    {"--kv-heads", "model", "kv_heads", Kind::kNumber, "KV heads"},
    {"--ffn", "model", "ffn", Kind::kNumber, "FFN width"},
    {"--vocab", "model", "vocab", Kind::kNumber, "vocabulary, tokens"},
    {"--head-dim", "model", "head_dim", Kind::kNumber, "head size"},
};

const std::vector<Flag> kCluster{
    {"--gpus", "cluster", "gpus", Kind::kNumber, "GPUs in all"},
    {"--gpu", "cluster", "gpu", Kind::kText,
     "GPU by name: fills memory, speed and links"},
    {"--cluster", "cluster", "preset", Kind::kText,
     "cluster by name (default: drill)"},
    {"--hbm", "cluster", "hbm_gib", Kind::kNumber, "memory of a GPU, GiB"},
    {"--tflops", "cluster", "achieved_tflops", Kind::kNumber,
     "achieved bf16 of a GPU, TFLOP/s"},
    {"--hbm-bw", "cluster", "hbm_bandwidth_gbps", Kind::kNumber,
     "memory bandwidth of a GPU, GB/s"},
    {"--gpus-per-node", "cluster", "gpus_per_node", Kind::kNumber,
     "GPUs in a node"},
    {"--intra-bw", "cluster", "intra_bandwidth_gbps", Kind::kNumber,
     "in a node, a GPU, GB/s"},
    {"--intra-latency", "cluster", "intra_latency_us", Kind::kNumber,
     "in a node, a hop, microseconds"},
    {"--inter-bw", "cluster", "inter_bandwidth_gbps", Kind::kNumber,
     "between nodes, a GPU, GB/s"},
    {"--inter-latency", "cluster", "inter_latency_us", Kind::kNumber,
     "between nodes, a hop, microseconds"},
};

const std::vector<Flag> kTraining{
    {"--seq", "training", "seq_tokens", Kind::kNumber, "tokens a sequence"},
    {"--global-batch", "training", "global_batch", Kind::kNumber,
     "sequences a step"},
    {"--critical-batch", "training", "critical_batch_tokens", Kind::kNumber,
     "critical batch, tokens (0: none)"},
    {"--target-speedup", "training", "target_speedup", Kind::kNumber,
     "wanted over one GPU (0: none)"},
    {"--measured-step-ms", "training", "measured_step_ms", Kind::kNumber,
     "measured one-GPU step, ms"},
};

const std::vector<Flag> kPlan{
    {"--dp", "plan", "dp", Kind::kNumber,
     "data parallel (default: what is left)"},
    {"--tp", "plan", "tp", Kind::kNumber, "tensor parallel"},
    {"--pp", "plan", "pp", Kind::kNumber, "pipeline parallel"},
    {"--cp", "plan", "cp", Kind::kNumber, "context parallel"},
    {"--ep", "plan", "ep", Kind::kNumber, "expert parallel"},
    {"--zero", "plan", "zero", Kind::kNumber, "ZeRO stage, 0 to 3"},
    {"--recompute", "plan", "recompute", Kind::kText,
     "none, selective or full"},
    {"--micro-batch", "plan", "micro_batch", Kind::kNumber,
     "sequences a micro-batch"},
    {"--virtual-stages", "plan", "virtual_stages", Kind::kNumber,
     "interleaved chunks a stage"},
    {"--sequence-parallel", "plan", "sequence_parallel", Kind::kOnOff,
     "on or off (on where tp > 1)"},
};

const std::vector<Flag> kServing{
    {"--batch", "serving", "batch", Kind::kNumber,
     "sequences decoded together"},
    {"--batch-max", "serving", "batch_max", Kind::kNumber,
     "largest batch asked for"},
    {"--context", "serving", "context_tokens", Kind::kNumber,
     "tokens in the cache, a sequence"},
    {"--prompt", "serving", "prompt_tokens", Kind::kNumber,
     "tokens of the prompt"},
    {"--slo-ms", "serving", "slo_tpot_ms", Kind::kNumber,
     "wanted time an output token, ms"},
};

const std::vector<Flag> kCollective{
    {"--op", "collective", "op", Kind::kText,
     "all_reduce, reduce_scatter, all_gather, all_to_all, broadcast or "
     "send_receive"},
    {"--gpus", "collective", "gpus", Kind::kNumber, "GPUs in the group"},
    {"--bw", "collective", "bandwidth_gbps", Kind::kNumber,
     "bandwidth a GPU, GB/s"},
    {"--latency", "collective", "latency_us", Kind::kNumber,
     "latency a hop, microseconds"},
    {"--bytes", "collective", "bytes", Kind::kNumber, "the message, bytes"},
    {"--params", "collective", "parameters", Kind::kBillions,
     "bf16 gradients of so many billions of parameters"},
    {"--step-ms", "collective", "step_ms", Kind::kNumber,
     "a step to compare with, ms"},
    {"--algorithm", "collective", "algorithm", Kind::kText,
     "the row to take as default (ring)"},
};

Json json_of(const Flag& flag, const std::string& text) {
  switch (flag.kind) {
    case Kind::kNumber:
    case Kind::kBillions: {
      const double value = number_of(flag.name, text) *
                           (flag.kind == Kind::kBillions ? 1e9 : 1.0);
      if (value == std::floor(value) && std::fabs(value) < 9e15) {
        return static_cast<std::int64_t>(value);
      }
      return value;
    }
    case Kind::kOnOff:
      if (text == "on" || text == "off") return text == "on";
      throw UsageError{std::string(flag.name) + " " + text +
                       ": neither on nor off; accepted: on, off"};
    default:
      return text;
  }
}

// A scenario by id, or a document from a file.
Json scenario_of(const std::string& name) {
  if (!is_file(name)) return name;
  const FileText file = read_file(name);
  if (!file.problem.empty()) {
    throw UsageError{name + ": " + file.problem};
  }
  const Json document = Json::parse(file.text, nullptr, false);
  if (document.is_discarded()) {
    throw UsageError{name + ": no valid JSON; `meshwise scenario check " +
                     name + "` says where"};
  }
  return document;
}

}  // namespace

const std::vector<Flag>& flags_of(Group group) {
  switch (group) {
    case Group::kModel:
      return kModel;
    case Group::kCluster:
      return kCluster;
    case Group::kTraining:
      return kTraining;
    case Group::kPlan:
      return kPlan;
    case Group::kServing:
      return kServing;
    case Group::kCollective:
      return kCollective;
  }
  return kModel;
}

double number_of(const std::string& flag, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) {
    throw UsageError{flag + " " + text +
                     ": no number; accepted: a plain number such as 8 or 0.5"};
  }
  return value;
}

void Options::add(CLI::App& app, Group group) {
  for (const Flag& flag : flags_of(group)) {
    if (find(flag.name) != nullptr) continue;
    values_.push_back({flag, "", nullptr});
    Value& value = values_.back();
    value.option = app.add_option(flag.name, value.text, flag.help);
  }
}

void Options::add_scenario(CLI::App& app) {
  app.add_option("--scenario", scenario_,
                 "a scenario by id (A to D) or a file: its values are the "
                 "defaults");
}

void Options::add_format(CLI::App& app) {
  app.add_option("--format", format_, "text, json, csv or markdown")
      ->check(CLI::IsMember({"text", "json", "csv", "markdown"}));
  app.add_flag("--json", json_, "short for --format json");
}

const Options::Value* Options::find(const std::string& flag) const {
  const auto it =
      std::find_if(values_.begin(), values_.end(),
                   [&](const Value& v) { return v.flag.name == flag; });
  return it == values_.end() ? nullptr : &*it;
}

bool Options::given(const std::string& flag) const {
  if (flag == "--scenario") return !scenario_.empty();
  const Value* value = find(flag);
  return value != nullptr && value->option->count() > 0;
}

Json Options::request(const char* kind) const {
  Json out = Json::object();
  out["kind"] = kind;
  if (!scenario_.empty()) out["scenario"] = scenario_of(scenario_);
  for (const Value& value : values_) {
    if (value.option->count() == 0) continue;
    out[value.flag.object][value.flag.key] = json_of(value.flag, value.text);
  }
  return out;
}

std::string Options::flag_at(const std::string& pointer) const {
  if (pointer == "/scenario" && !scenario_.empty()) {
    return "--scenario " + scenario_;
  }
  for (const Value& value : values_) {
    if (value.option->count() == 0) continue;
    if (pointer ==
        std::string("/") + value.flag.object + "/" + value.flag.key) {
      return std::string(value.flag.name) + " " + value.text;
    }
  }
  return "";
}

Format Options::format() const {
  if (json_ || format_ == "json") return Format::kJson;
  if (format_ == "csv") return Format::kCsv;
  return format_ == "markdown" ? Format::kMarkdown : Format::kText;
}

}  // namespace meshwise::cli
