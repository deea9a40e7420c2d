// The drill's hardware, models and scenarios, built by hand: what the tests of
// the lower floors are about, whatever the data files say.
#pragma once

#include "meshwise/plan.h"
#include "meshwise/scenario.h"

namespace meshwise::testing {

inline Cluster drill_cluster(int gpus = 64) {
  Cluster c;
  c.id = "drill";
  c.gpus = gpus;
  c.gpu = {"drill", gibibytes(192), teraflops_per_second(400),
           gigabytes_per_second(4000)};
  c.tier_count = 2;
  c.tiers[0] = {"intra-node", 8, {gigabytes_per_second(300), microseconds(5)}};
  c.tiers[1] = {
      "inter-node", gpus, {gigabytes_per_second(50), microseconds(15)}};
  return c;
}

inline Model llama3_8b() {
  Model m;
  m.id = "llama3-8b";
  m.layers = 32;
  m.hidden = 4096;
  m.heads = 32;
  m.kv_heads = 8;
  m.head_dim = 128;
  m.ffn = 14336;
  m.vocab = 128256;
  return m;
}

inline Model model_65b() {
  Model m;
  m.layers = 80;
  m.hidden = 8192;
  m.heads = 64;
  m.kv_heads = 64;
  m.head_dim = 128;
  m.ffn = 22016;
  m.vocab = 32000;
  m.stated_parameters = 65e9;
  return m;
}

inline Model gpt3_175b() {
  Model m;
  m.layers = 96;
  m.hidden = 12288;
  m.heads = 96;
  m.kv_heads = 96;
  m.head_dim = 128;
  m.ffn = 49152;
  m.vocab = 50257;
  m.max_positions = 2048;
  m.gated_mlp = false;
  m.biases = true;
  m.layer_norm = true;
  m.tied_head = true;
  return m;
}

inline Scenario scenario_a() {
  Scenario s;
  s.id = "A";
  s.model = llama3_8b();
  s.cluster = drill_cluster();
  s.training.seq = 4096;
  s.training.global_batch = 64;
  s.training.critical_batch = 2097152;
  s.training.target_speedup = 40;
  s.training.measured = {milliseconds(700), 4096, 1};
  return s;
}

inline Scenario scenario_b() {
  Scenario s;
  s.id = "B";
  s.model = model_65b();
  s.cluster = drill_cluster();
  s.training.seq = 4096;
  s.training.global_batch = 1024;
  return s;
}

inline Scenario scenario_c() {
  Scenario s;
  s.id = "C";
  s.model = llama3_8b();
  s.cluster = drill_cluster();
  s.training.seq = 131072;
  s.training.global_batch = 16;
  s.training.critical_batch = 2097152;
  return s;
}

inline Scenario scenario_d() {
  Scenario s;
  s.id = "D";
  s.phase = Phase::kServing;
  s.model = gpt3_175b();
  s.model.stated_parameters = 175e9;
  s.cluster = drill_cluster();
  s.serving.batch = 1;
  s.serving.batch_max = 8;
  s.serving.context = 2048;
  s.serving.prompt = 2048;
  s.serving.slo_tpot = milliseconds(25);
  return s;
}

inline Plan plan_of(int dp, int tp, int pp = 1, int cp = 1) {
  Plan p;
  p.dp = dp;
  p.tp = tp;
  p.pp = pp;
  p.cp = cp;
  return p;
}

}  // namespace meshwise::testing
