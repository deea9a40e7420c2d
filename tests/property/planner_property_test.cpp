// What must hold for every model, cluster and plan, whatever the numbers.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/drill.h"
#include "meshwise/decode.h"
#include "meshwise/memory.h"
#include "meshwise/threshold.h"
#include "meshwise/training.h"

namespace meshwise {
namespace {

constexpr double kRounding = 1e-12;  // relative, of sums in another order

bool at_most(double a, double b) { return a <= b + kRounding * std::max(a, b); }

bool close(double a, double b) { return at_most(a, b) && at_most(b, a); }

// A power of two from 1 to 2^most.
int power(int most) { return 1 << *rc::gen::inRange(0, most + 1); }

Moe draw_experts(int layers) {
  Moe moe;
  moe.experts = 8 * power(3);
  moe.top_k = power(2);
  moe.expert_ffn = 512 * power(3);
  moe.shared_experts = *rc::gen::inRange(0, 3);
  moe.dense_layers = *rc::gen::inRange(0, layers);
  moe.capacity = 1.0 + 0.25 * *rc::gen::inRange(0, 3);
  return moe;
}

Model draw_model() {
  Model m;
  m.layers = 8 * *rc::gen::inRange(1, 13);
  m.kv_heads = power(4);
  m.heads = m.kv_heads * power(3);
  m.head_dim = 64 * power(1);
  m.hidden = m.heads * m.head_dim;
  m.ffn = 256 * *rc::gen::inRange(4, 100);
  m.vocab = 1000 * *rc::gen::inRange(0, 200);
  m.gated_mlp = *rc::gen::arbitrary<bool>();
  m.biases = *rc::gen::arbitrary<bool>();
  m.layer_norm = *rc::gen::arbitrary<bool>();
  m.tied_head = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) m.moe = draw_experts(m.layers);
  return m;
}

Plan draw_plan(const Model& model) {
  Plan p;
  p.dp = power(4);
  p.tp = power(3);
  p.pp = power(3);
  p.cp = power(2);
  p.ep = model.moe.experts > 0 ? power(3) : 1;
  p.zero = *rc::gen::inRange(0, 4);
  p.recompute = *rc::gen::element(Recompute::kNone, Recompute::kSelective,
                                  Recompute::kFull);
  p.micro_batch = power(2);
  p.sequence_parallel = *rc::gen::arbitrary<bool>();
  p.cp_method = *rc::gen::element(CpMethod::kRing, CpMethod::kAllGather,
                                  CpMethod::kUlysses);
  p.cp_zigzag = *rc::gen::arbitrary<bool>();
  return p;
}

// Any order of the axes, not only those that the search visits.
AxisOrder draw_order() {
  AxisOrder order = kDefaultOrder;
  const int turns = *rc::gen::inRange(0, 120);
  for (int i = 0; i < turns; ++i) {
    std::next_permutation(order.begin(), order.end());
  }
  return order;
}

struct Drawn {
  Scenario scenario;
  Plan plan;
};

// A scenario whose batch gives the plan `m` micro-batches.
void hold_micro_batches(Drawn& drawn, std::int64_t m) {
  drawn.scenario.training.global_batch =
      m * drawn.plan.dp * drawn.plan.ep * drawn.plan.micro_batch;
}

Drawn draw() {
  Drawn d;
  d.scenario.model = draw_model();
  d.plan = draw_plan(d.scenario.model);
  d.plan.order = draw_order();
  d.scenario.cluster =
      testing::drill_cluster(static_cast<int>(gpus_used(d.plan)));
  Cluster& cluster = d.scenario.cluster;
  cluster.tiers[0].gpus = std::min(power(4), cluster.gpus);
  d.scenario.training.seq = 1024 * power(6);
  d.scenario.training.fused_attention = *rc::gen::arbitrary<bool>();
  hold_micro_batches(d, power(5));
  return d;
}

StageMemory peak(const Drawn& d) {
  return peak_memory(d.scenario.model, d.scenario.training, d.plan).memory;
}

// The largest, over the stages, of what `part` takes from each.
template <class Part>
double most(const Drawn& d, Part part) {
  double out = 0.0;
  for (int i = 0; i < d.plan.pp; ++i) {
    out = std::max(out, part(stage_memory(d.scenario.model, d.scenario.training,
                                          d.plan, i)));
  }
  return out;
}

double without_gathered(const StageMemory& m) {
  return (m.total() - m.gathered).base();
}

// Doubles a degree and keeps the micro-batches.
Drawn doubled(const Drawn& d, Axis axis) {
  Drawn out = d;
  const std::int64_t m = micro_batches(d.scenario.training, d.plan);
  set_degree(out.plan, axis, 2 * degree(d.plan, axis));
  hold_micro_batches(out, m);
  return out;
}

RC_GTEST_PROP(MemoryProperty, AHigherZeroStageNeverNeedsMoreBesideGathers, ()) {
  Drawn d = draw();
  d.plan.zero = *rc::gen::inRange(0, 3);
  Drawn higher = d;
  ++higher.plan.zero;
  RC_ASSERT(at_most(most(higher, without_gathered), most(d, without_gathered)));
}

RC_GTEST_PROP(MemoryProperty, MoreDataParallelRanksNeverNeedMoreUnderZero, ()) {
  Drawn d = draw();
  d.plan.zero = *rc::gen::inRange(1, 4);
  const Drawn twice = doubled(d, Axis::kDp);
  RC_ASSERT(at_most(most(twice, without_gathered), most(d, without_gathered)));
}

RC_GTEST_PROP(MemoryProperty, MoreTensorParallelRanksNeverNeedMore, ()) {
  Drawn d = draw();
  Model& model = d.scenario.model;
  model.kv_heads = 2 * d.plan.tp * power(2);
  model.heads = model.kv_heads * power(2);
  model.hidden = model.heads * model.head_dim;
  RC_ASSERT(at_most(peak(doubled(d, Axis::kTp)).total().base(),
                    peak(d).total().base()));
}

// The first stage's input is the exception: it is kept for every micro-batch
// in flight, of which there are more with more stages.
RC_GTEST_PROP(MemoryProperty, MoreStagesNeverNeedMoreBesideTheInput, ()) {
  Drawn d = draw();
  d.plan.pp = power(2);
  const auto part = [](const StageMemory& m) {
    return (m.total() - m.embedding_output).base();
  };
  RC_ASSERT(at_most(most(doubled(d, Axis::kPp), part), most(d, part)));
}

RC_GTEST_PROP(MemoryProperty, MoreContextParallelRanksNeverNeedMore, ()) {
  const Drawn d = draw();
  const Drawn twice = doubled(d, Axis::kCp);
  RC_ASSERT(at_most(most(twice, without_gathered), most(d, without_gathered)));
}

RC_GTEST_PROP(MemoryProperty, ThePeakIsTheLargestOfAllStages, ()) {
  Drawn d = draw();
  d.plan.pp = *rc::gen::inRange(1, d.scenario.model.layers + 1);
  if (*rc::gen::arbitrary<bool>()) d.plan.virtual_stages = 2;
  const double largest =
      most(d, [](const StageMemory& m) { return m.total().base(); });
  RC_ASSERT(peak(d).total().base() == largest);
}

RC_GTEST_PROP(MemoryProperty, ThePartsSumToTheTotal, ()) {
  const StageMemory m = peak(draw());
  const Bytes sum = m.weights + m.gradients + m.optimizer + m.gathered +
                    m.activations + m.embedding_output + m.working_set +
                    m.logits;
  RC_ASSERT(close(sum.base(), m.total().base()));
}

RC_GTEST_PROP(MemoryProperty, SelectiveRecomputeNeverStoresScores, ()) {
  const Drawn d = draw();
  const Model& model = d.scenario.model;
  const Training& training = d.scenario.training;
  const LayerActivations kept =
      layer_activations(model, training, d.plan, Recompute::kSelective);
  const LayerActivations all =
      layer_activations(model, training, d.plan, Recompute::kNone);
  RC_ASSERT(kept.scores.base() == 0.0);
  RC_ASSERT(all.scores.base() > 0.0);
  RC_ASSERT(close((kept.total + all.scores).base(), all.total.base()));
}

RC_GTEST_PROP(MemoryProperty, TheKvCacheDoesNotDependOnTheQueryHeads, ()) {
  Scenario s = testing::scenario_d();
  s.model = draw_model();
  Scenario other = s;
  other.model.heads = s.model.kv_heads * power(5);
  RC_ASSERT(kv_values_per_token(s.model) == kv_values_per_token(other.model));
  Plan plan;
  plan.tp = power(3);
  const DecodeTime a = decode(s, plan);
  const DecodeTime b = decode(other, plan);
  RC_ASSERT(a.kv_bytes_per_token == b.kv_bytes_per_token);
  RC_ASSERT(a.kv_per_gpu == b.kv_per_gpu);
}

RC_GTEST_PROP(StepProperty, ThePartsSumToTheStep, ()) {
  const Drawn d = draw();
  const StepTime t = evaluate(d.scenario, d.plan).time;
  const Seconds sum = t.compute + t.tp + t.cp + t.ep + t.pp_bubble +
                      t.pp_transfer + t.dp + t.optimizer;
  RC_ASSERT(close(sum.base(), t.step.base()));
  for (const Seconds part : {t.compute, t.tp, t.cp, t.ep, t.pp_bubble,
                             t.pp_transfer, t.dp, t.optimizer}) {
    RC_ASSERT(part.base() >= 0.0);
  }
}

RC_GTEST_PROP(StepProperty, ABetterLinkNeverSlowsAStep, ()) {
  const Drawn d = draw();
  Scenario better = d.scenario;
  Link& link = better.cluster.tiers[*rc::gen::inRange<std::size_t>(0, 2)].link;
  if (*rc::gen::arbitrary<bool>()) {
    link.bandwidth = (1.0 + 0.1 * *rc::gen::inRange(1, 100)) * link.bandwidth;
  } else {
    link.latency = link.latency / (1.0 + 0.1 * *rc::gen::inRange(1, 100));
  }
  RC_ASSERT(at_most(evaluate(better, d.plan).time.step.base(),
                    evaluate(d.scenario, d.plan).time.step.base()));
}

RC_GTEST_PROP(PlanProperty, TheSpansOfAnAxisMultiplyToItsDegree, ()) {
  Plan plan;
  for (const Axis axis : kAxes) {
    set_degree(plan, axis, *rc::gen::inRange(1, 13));
  }
  plan.order = draw_order();
  Cluster cluster =
      testing::drill_cluster(static_cast<int>(gpus_used(plan)) * 24);
  cluster.tier_count = 3;
  cluster.tiers[2] = cluster.tiers[1];
  cluster.tiers[0].gpus = *rc::gen::inRange(1, 13);
  cluster.tiers[1].gpus = cluster.tiers[0].gpus * *rc::gen::inRange(1, 9);
  const Placement training = place(plan, cluster);
  const Placement serving = place_replica(plan, cluster);
  for (const Axis axis : kAxes) {
    RC_ASSERT(training.of(axis).degree() == degree(plan, axis));
    RC_ASSERT(serving.of(axis).degree() == degree(plan, axis));
  }
}

RC_GTEST_PROP(PlanProperty, TheSamePlanHasTheSameReasonsAndStep, ()) {
  Drawn d = draw();
  d.plan.tp = *rc::gen::inRange(1, 20);
  d.plan.pp = *rc::gen::inRange(1, 20);
  const Reasons reasons = shape_reasons(d.scenario, d.plan);
  const Evaluation first = evaluate(d.scenario, d.plan);
  const Evaluation second = evaluate(d.scenario, d.plan);
  RC_ASSERT(shape_reasons(d.scenario, d.plan) == reasons);
  RC_ASSERT(first.reasons == second.reasons);
  RC_ASSERT(first.time.step == second.time.step);
  RC_ASSERT((first.reasons.bits() & reasons.bits()) == reasons.bits());
}

bool same_axes(const Plan& a, const Plan& b) {
  return std::all_of(kAxes.begin(), kAxes.end(), [&](Axis axis) {
    return degree(a, axis) == degree(b, axis);
  });
}

bool differs(const Threshold& t) {
  switch (t.change) {
    case Change::kConstraint:
      return t.before.constraint != t.after.constraint;
    case Change::kBestAxes:
      return t.before.has_best != t.after.has_best ||
             !same_axes(t.before.best, t.after.best);
    case Change::kFeasibility:
      return t.before.feasible != t.after.feasible;
    case Change::kStanding:
      return t.before.standing() != t.after.standing();
  }
  return false;
}

RC_GTEST_PROP(ThresholdProperty, TheOutcomeDiffersAcrossEveryThreshold, ()) {
  Scenario s = *rc::gen::element(testing::scenario_a(), testing::scenario_b(),
                                 testing::scenario_c());
  s.cluster = testing::drill_cluster(16);
  s.training.target_speedup = *rc::gen::inRange(0, 16);
  Plan plan = testing::plan_of(1, power(3));
  plan.dp = s.cluster.gpus / plan.tp;
  plan.zero = *rc::gen::inRange(0, 4);
  ThresholdOptions options;
  options.parameters = {*rc::gen::element(
      Parameter::kSeq, Parameter::kHbm, Parameter::kInterBandwidth,
      Parameter::kAchieved, Parameter::kStateBytes)};
  options.best_axes = false;
  for (const Threshold& t : find_thresholds(s, &plan, options)) {
    RC_ASSERT(differs(t));
    RC_ASSERT((t.value > t.current) == t.upward);
  }
}

}  // namespace
}  // namespace meshwise
