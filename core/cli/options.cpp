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
    {"--config", "model", "config", Kind::kFile,
     "a published model's config.json"},
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
     "all_reduce, reduce_scatter, all_gather,\n"
     "all_to_all, broadcast or send_receive"},
    {"--gpus", "collective", "gpus", Kind::kNumber, "GPUs in the group"},
    {"--bw", "collective", "bandwidth_gbps", Kind::kNumber,
     "bandwidth a GPU, GB/s"},
    {"--latency", "collective", "latency_us", Kind::kNumber,
     "latency a hop, microseconds"},
    {"--bytes", "collective", "bytes", Kind::kNumber, "the message, bytes"},
    {"--params", "collective", "parameters", Kind::kBillions,
     "bf16 gradients of so many billions of\nparameters"},
    {"--step-ms", "collective", "step_ms", Kind::kNumber,
     "a step to compare with, ms"},
    {"--algorithm", "collective", "algorithm", Kind::kText,
     "the row to take as default (ring)"},
};

// The text as a number in the usual notation; the flag is for the error.
double number_of(const Flag& flag, const std::string& text) {
  const bool plain =
      text.find_first_not_of("0123456789+-.eE") == std::string::npos;
  char* end = nullptr;
  const double value = plain ? std::strtod(text.c_str(), &end) : 0.0;
  if (!plain || text.empty() || *end != '\0' || !std::isfinite(value)) {
    throw UsageError{std::string(flag.name) + " " + text +
                     ": no number; accepted: a plain number such as 8 or 0.5"};
  }
  return value * (flag.kind == Kind::kBillions ? 1e9 : 1.0);
}

Json json_of(const Flag& flag, const std::vector<std::string>& texts) {
  const std::string text = texts.empty() ? "" : texts.front();
  switch (flag.kind) {
    case Kind::kNumber:
    case Kind::kBillions: {
      const double value = number_of(flag, text);
      if (value == std::floor(value) && std::fabs(value) < 9e15) {
        return static_cast<std::int64_t>(value);
      }
      return value;
    }
    case Kind::kOnOff:
      if (text == "on" || text == "off") return text == "on";
      throw UsageError{std::string(flag.name) + " " + text +
                       ": neither on nor off; accepted: on, off"};
    case Kind::kSwitch:
      return true;
    case Kind::kList:
      return texts;
    case Kind::kText:
    case Kind::kFile:
      break;
  }
  return text;
}

const char* type_name(Kind kind) {
  switch (kind) {
    case Kind::kNumber:
    case Kind::kBillions:
      return "NUMBER";
    case Kind::kOnOff:
      return "on|off";
    case Kind::kFile:
      return "FILE";
    default:
      return "NAME";
  }
}

// The document in a file that a flag names, and the file's text.
Json document_of(const std::string& flag, const std::string& file,
                 const char* accepted, const char* accepted_text,
                 std::string& text) {
  FileText read = read_file(file);
  if (!read.problem.empty()) {
    throw UsageError{flag + " " + file + ": " + read.problem +
                     "; accepted: " + accepted};
  }
  JsonText document = parse_text(read.text);
  if (!document.problem.empty()) {
    throw UsageError{place_text(file, document.place) + ": " +
                     document.problem + "; accepted: " + accepted_text};
  }
  text = std::move(read.text);
  return std::move(document.value);
}

// Where in a file a value stands that a pointer under `outer` names.
std::string file_place(const std::string& file, const std::string& text,
                       const std::string& pointer, std::size_t outer) {
  const std::string inner = pointer.substr(outer);
  return place_text(file, place_of(text, inner)) +
         (inner.empty() ? "" : ": " + inner);
}

// "/object/key" of "/object/key/3", and that it is all there.
bool is_within(const std::string& pointer, const std::string& outer) {
  return pointer.compare(0, outer.size(), outer) == 0 &&
         (pointer.size() == outer.size() || pointer[outer.size()] == '/');
}

}  // namespace

bool names_file(const std::string& name) {
  return name.find_first_of("./\\") != std::string::npos;
}

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

void Options::add(CLI::App& app, Group group) {
  for (const Flag& flag : flags_of(group)) {
    if (find(flag.name) == nullptr) add(app, flag);
  }
}

CLI::Option* Options::add(CLI::App& app, const Flag& flag) {
  values_.push_back({flag, "", {}, false, nullptr, ""});
  Value& value = values_.back();
  value.pointer = std::string("/") + flag.object + "/" + flag.key;
  if (flag.kind == Kind::kSwitch) {
    value.option = app.add_flag(flag.name, value.on, flag.help);
  } else {
    value.option = app.add_option(flag.name, value.texts, flag.help);
    value.option->type_name(type_name(flag.kind));
    const bool list = flag.kind == Kind::kList;
    const bool word = flag.name[0] != '-';
    value.option->expected(1, list && word ? 1 << 20 : 1);
    value.option->allow_extra_args(list && word);
    if (list && !word) value.option->take_all();
  }
  return value.option;
}

void Options::add_scenario(CLI::App& app) {
  app.add_option("--scenario", scenario_,
                 "a scenario by id (A to D, or a variant such as\n"
                 "A#7) or a file: its values are the defaults")
      ->type_name("NAME");
}

void Options::add_format(CLI::App& app, std::vector<std::string> formats) {
  formats_ = std::move(formats);
  std::string all;
  for (const std::string& each : formats_) {
    all += (all.empty() ? "" : ", ") + each;
  }
  format_ = formats_.front();
  app.add_option("--format", format_, all)->type_name("NAME");
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

Json Options::request(const char* kind) {
  Json out = Json::object();
  out["kind"] = kind;
  static_cast<void>(format());
  if (!scenario_.empty()) out["scenario"] = scenario();
  for (Value& value : values_) {
    if (value.option->count() == 0) continue;
    out[value.flag.object][value.flag.key] =
        value.flag.kind == Kind::kFile ? file_value(value)
                                       : json_of(value.flag, value.texts);
  }
  return out;
}

// A scenario by id, or the document in a file.
Json Options::scenario() {
  if (!names_file(scenario_)) return scenario_;
  return document_of("--scenario", scenario_,
                     "a scenario's id such as A, or a file",
                     "a scenario as JSON", scenario_text_);
}

Json Options::file_value(Value& value) {
  return document_of(value.flag.name, value.texts.front(), "a file",
                     "a config.json", value.file_text);
}

std::string Options::flag_at(const std::string& pointer) const {
  for (const Value& value : values_) {
    if (!is_within(pointer, value.pointer)) continue;
    if (!value.file_text.empty()) {
      return file_place(value.texts.front(), value.file_text, pointer,
                        value.pointer.size());
    }
    const std::size_t index = static_cast<std::size_t>(std::atoi(
        pointer.c_str() + std::min(pointer.size(), value.pointer.size() + 1)));
    std::string name = value.flag.name;
    if (index >= value.texts.size()) return name;
    return name[0] == '-' ? name + " " + value.texts[index]
                          : value.texts[index];
  }
  return "";
}

std::string Options::place(const std::string& pointer) const {
  if (pointer.empty()) return "";
  std::string flag = flag_at(pointer);
  if (!flag.empty()) return flag;
  if (is_within(pointer, "/scenario")) {
    if (scenario_text_.empty()) return "--scenario " + scenario_;
    return file_place(scenario_, scenario_text_, pointer, 9);
  }
  // A whole part of the request: its first flag that was given, else its first.
  const Value* first = nullptr;
  for (const Value& value : values_) {
    if (!is_within(value.pointer, pointer)) continue;
    if (value.option->count() > 0) return flag_at(value.pointer);
    if (first == nullptr) first = &value;
  }
  return first == nullptr ? pointer : first->flag.name;
}

Format Options::format() const {
  const std::string name = format_name();
  std::string all;
  for (const std::string& each : formats_) {
    if (each == name) {
      return name == "json"       ? Format::kJson
             : name == "csv"      ? Format::kCsv
             : name == "markdown" ? Format::kMarkdown
                                  : Format::kText;
    }
    all += (all.empty() ? "" : ", ") + each;
  }
  if (all.empty()) return Format::kText;
  throw UsageError{"--format " + name + ": no such format; accepted: " + all};
}

}  // namespace meshwise::cli
