// The placeholders of a variant's texts.

#include <cmath>

#include "meshwise/constraint.h"
#include "variant_parts.h"

namespace meshwise {
namespace {

class Values {
 public:
  explicit Values(const Scenario& scenario) : s_(scenario) {}

  std::vector<TextValue> run() {
    model();
    cluster();
    if (s_.phase == Phase::kServing) {
      serving();
    } else {
      training();
    }
    return std::move(out_);
  }

 private:
  void add(std::string_view name, std::string text) {
    out_.push_back({name, std::move(text)});
  }
  void add(std::string_view name, double value) {
    add(name, short_number(value));
  }
  void add(std::string_view name, std::int64_t value) {
    add(name, static_cast<double>(value));
  }
  void add(std::string_view name, int value) {
    add(name, static_cast<double>(value));
  }
  // A value that went through a change of unit and back.
  void add_measure(std::string_view name, double value) {
    add(name, plain_number(value));
  }

  void model() {
    const Model& m = s_.model;
    const double parameters = count_parameters(m).total;
    add("model_name", m.name);
    add("model_size", fixed(parameters / 1e9, 0) + "B");
    add("parameters", parameters);
    add("layers", m.layers);
    add("hidden", m.hidden);
    add("heads", m.heads);
    add("kv_heads", m.kv_heads);
    if (m.moe.experts == 0) return;
    add("experts", m.moe.experts);
    add("top_k", m.moe.top_k);
    add("active_size", fixed(count_parameters(m).active / 1e9, 0) + "B");
  }

  void cluster() {
    const Cluster& c = s_.cluster;
    const Link& inner = c.tiers[0].link;
    add("gpus", c.gpus);
    add("hbm_gib", short_number(to_gib(c.gpu.hbm)));
    add_measure("achieved_tflops", to_tflops(c.gpu.achieved));
    add("hbm_bandwidth_tbps", fixed(to_gbps(c.gpu.hbm_bandwidth) / 1e3, 1));
    add_measure("hbm_bandwidth_gbps", to_gbps(c.gpu.hbm_bandwidth));
    add("gpus_per_node", c.tiers[0].gpus);
    add_measure("intra_bandwidth_gbps", to_gbps(inner.bandwidth));
    add_measure("intra_latency_us", to_us(inner.latency));
    if (c.tier_count < 2) return;
    const Link& outer =
        c.tiers[static_cast<std::size_t>(c.tier_count - 1)].link;
    add("nodes", c.gpus / c.tiers[0].gpus);
    add_measure("inter_bandwidth_gbps", to_gbps(outer.bandwidth));
    add_measure("inter_latency_us", to_us(outer.latency));
  }

  void training() {
    const Training& t = s_.training;
    const Binding binding = binding_constraint(s_);
    const auto seq = static_cast<double>(t.seq);
    add("seq_tokens", t.seq);
    add("global_batch", t.global_batch);
    add("global_batch_tokens", seq * static_cast<double>(t.global_batch));
    add("state_gib", fixed(to_gib(binding.state), 0));
    add("state_times", fixed(binding.state / binding.capacity, 0));
    if (t.critical_batch > 0.0) {
      add("critical_batch_tokens", t.critical_batch);
      // 2^21 tokens are spoken of as 2M.
      add("critical_batch_about", fixed(t.critical_batch / 1048576.0, 0) + "M");
      add("critical_batch_sequences", std::floor(t.critical_batch / seq));
    }
    if (t.target_speedup > 0.0) add("target_speedup", t.target_speedup);
    if (t.measured.step <= seconds(0.0)) return;
    add_measure("measured_step_ms", to_ms(t.measured.step));
    add("measured_seq_tokens", t.measured.seq);
    add("measured_micro_batch", t.measured.micro_batch);
  }

  void serving() {
    const Serving& v = s_.serving;
    const Binding binding = binding_constraint(s_);
    add("batch", v.batch);
    add("batch_max", v.batch_max);
    add("context_tokens", v.context);
    add("prompt_tokens", v.prompt);
    if (v.slo_tpot > seconds(0.0)) add_measure("slo_ms", to_ms(v.slo_tpot));
    add("weights_gib", fixed(to_gib(binding.state), 0));
    add("weights_times", fixed(binding.state / binding.capacity, 1));
  }

  const Scenario& s_;
  std::vector<TextValue> out_;
};

}  // namespace

std::vector<TextValue> text_values(const Scenario& scenario) {
  return Values(scenario).run();
}

std::string fill_text(std::string& text, const std::vector<TextValue>& values) {
  std::string out;
  std::size_t at = 0;
  for (;;) {
    const std::size_t open = text.find('{', at);
    out += text.substr(at, open - at);
    if (open == std::string::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) return "{";
    const std::string name = text.substr(open + 1, close - open - 1);
    const TextValue* found = nullptr;
    for (const TextValue& each : values) {
      if (each.name == name) found = &each;
    }
    if (found == nullptr) return name.empty() ? "{}" : name;
    out += found->text;
    at = close + 1;
  }
  text = std::move(out);
  return "";
}

}  // namespace meshwise
