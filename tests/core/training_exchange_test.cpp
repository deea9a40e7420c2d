// What each axis moves, against papers and the drill.
#include <gtest/gtest.h>

#include "core/drill.h"
#include "meshwise/training.h"

namespace meshwise {
namespace {

using testing::plan_of;
using testing::scenario_a;
using testing::scenario_b;
using testing::scenario_c;

Scenario mixture() {
  Scenario s = scenario_a();
  s.model.moe = {8, 2, 14336, 0, 0, 1.0};
  s.training.measured = {};
  return s;
}

struct Ring {
  Plan plan;
  double gb;  // a micro-batch
};

TEST(Training, RingVolumesAreThoseOfTheMarkedAnswers) {
  Scenario s = scenario_c();
  s.training.global_batch = 1;
  const Ring rings[] = {{plan_of(1, 1, 1, 64), 50.73},
                        {plan_of(1, 4, 1, 8), 11.27},
                        {plan_of(1, 8, 1, 4), 4.83}};
  for (const Ring& r : rings) {
    Scenario at = s;
    at.cluster = testing::drill_cluster(static_cast<int>(gpus_used(r.plan)));
    const Evaluation e = evaluate(at, r.plan);
    EXPECT_NEAR(to_gb(axis_minimum(at, e, Axis::kCp).volume), r.gb, 0.01);
  }
}

TEST(Training, TensorParallelVolumeOfOneMicroBatch) {
  // 32 layers x 4 all-reduces x 2(t-1)/t of 2 x 4096 x 4096 bytes; Narayanan
  // et al. 2021, section 2.3: 8bsh(t-1)/t values a layer.
  struct Case {
    int tp;
    Recompute recompute;
    double gb;
  };
  const Case cases[] = {{2, Recompute::kSelective, 4.295},
                        {8, Recompute::kSelective, 7.516},
                        {2, Recompute::kFull, 6.442}};
  for (const Case& c : cases) {
    Scenario s = scenario_a();
    s.cluster = testing::drill_cluster(c.tp);
    s.training.global_batch = 1;
    Plan plan = plan_of(1, c.tp);
    plan.recompute = c.recompute;
    const AxisMinimum m = axis_minimum(s, evaluate(s, plan), Axis::kTp);
    EXPECT_NEAR(to_gb(m.volume), c.gb, 0.001) << c.tp;
  }
}

// Gigabytes one GPU moves for data parallelism in a step, all on one tier.
double dp_gb(const Scenario& s, const Plan& plan) {
  double sum = 0.0;
  for (const PlanCollective& c : plan_collectives(s, evaluate(s, plan))) {
    if (c.axis == Axis::kDp) sum += to_gb(c.volume);
  }
  return sum;
}

TEST(Training, ZeroMovesWhatItsPaperSays) {
  // Rajbhandari et al. 2020, section 7: 2P values a step for stages 0 to 2,
  // 3P for stage 3; here (n-1)/n of them, 2 bytes each.
  Scenario s = scenario_b();
  s.cluster = testing::drill_cluster(8);
  s.training.global_batch = 8;
  const double p_gb = 2 * 65.0 * 7 / 8;
  const double values[] = {2, 2, 2, 3};
  for (int zero = 0; zero <= 3; ++zero) {
    Plan plan = plan_of(8, 1);
    plan.zero = zero;
    EXPECT_NEAR(dp_gb(s, plan), values[zero] * p_gb, 1e-6) << zero;
  }
  s.training.global_batch = 32;  // four micro-batches
  const double repeated[] = {2, 2, 5, 12};
  for (int zero = 0; zero <= 3; ++zero) {
    Plan plan = plan_of(8, 1);
    plan.zero = zero;
    EXPECT_NEAR(dp_gb(s, plan), repeated[zero] * p_gb, 1e-6) << zero;
  }
}

TEST(Training, AShardGroupKeepsTheGathersInsideTheNode) {
  Scenario s = scenario_b();
  s.training.global_batch = 64;
  Plan plan = plan_of(64, 1);
  plan.zero = 3;
  plan.shard_group = 8;
  const Evaluation e = evaluate(s, plan);
  double all_reduce_gb = 0.0;
  for (const PlanCollective& c : plan_collectives(s, e)) {
    if (c.op == Operation::kAllReduce) all_reduce_gb += to_gb(c.volume);
  }
  // 2P/8 over eight replicas: 2 x 7/8 x 16.25 GB.
  EXPECT_NEAR(all_reduce_gb, 28.4375, 1e-6);
  Plan flat = plan;
  flat.shard_group = 0;
  EXPECT_LT(e.time.dp_unhidden, evaluate(s, flat).time.dp_unhidden);
}

TEST(Training, GradientsAreDividedByTpAndPp) {
  Scenario s = scenario_b();
  const Evaluation e = evaluate(s, plan_of(4, 8, 2));
  const AxisMinimum m = axis_minimum(s, e, Axis::kDp);
  // Four ranks in as many nodes: 2 x 3/4 x 2 x 65/16 GB.
  EXPECT_NEAR(to_gb(m.volume), 1.5 * 8.125, 1e-6);
}

TEST(Training, APipelineMessageIsSplitOverTp) {
  // Forward and backward of 2 x 4096 x 8192/8 bytes, 256 micro-batches; the
  // other reading leaves out the split.
  const Scenario s = scenario_b();
  const AxisMinimum m =
      axis_minimum(s, evaluate(s, plan_of(4, 8, 2)), Axis::kPp);
  EXPECT_NEAR(to_gb(m.volume), 256 * 2 * 0.008388608, 1e-9);
  EXPECT_NEAR(m.flat_volume / m.volume, 8.0, 1e-12);
}

TEST(Training, InterleavedStagesSendOncePerChunk) {
  const Scenario s = scenario_b();
  Plan plan = plan_of(4, 8, 2);
  const Bytes once = axis_minimum(s, evaluate(s, plan), Axis::kPp).volume;
  plan.virtual_stages = 4;
  EXPECT_DOUBLE_EQ(axis_minimum(s, evaluate(s, plan), Axis::kPp).volume / once,
                   4.0);
}

TEST(Training, RingBlocksKeepOneKvHeadOnceTpExceedsThem) {
  // tp = 16 over 8 KV heads: 2 x 32768 tokens x K and V of one head of 128,
  // 32 layers x 3 passes x 3 other ranks.
  Scenario s = scenario_c();
  s.training.global_batch = 1;
  const Plan plan = plan_of(1, 16, 1, 4);
  EXPECT_NEAR(to_gb(axis_minimum(s, evaluate(s, plan), Axis::kCp).volume),
              32 * 3 * 3 * 2 * 32768.0 * 2 * 128 / 1e9, 1e-9);
}

TEST(Training, TheFullestStageExchangesTheMost) {
  // The first of four stages is dense and holds no experts.
  Scenario s = mixture();
  s.model.moe.dense_layers = 8;
  s.model.vocab = 0;
  const ParameterCount c = count_parameters(s.model);
  const double second = 8 * (c.moe_layer_shared + 8 * c.expert);
  double sizes = 0.0;
  for (const PlanCollective& each :
       plan_collectives(s, evaluate(s, plan_of(16, 1, 4)))) {
    if (each.axis == Axis::kDp) sizes += each.size.base();
  }
  EXPECT_NEAR(sizes, 2 * second, 2.0 * 4096);
}

TEST(Training, OnlyWhatCrossesTheSlowestTierCountsForIt) {
  // dp inside the node, ep across: experts are reduced inside it, the rest
  // over both.
  Scenario s = mixture();
  Plan plan = plan_of(8, 1);
  plan.ep = 8;
  plan.order = {Axis::kTp, Axis::kCp, Axis::kDp, Axis::kEp, Axis::kPp};
  const ParameterCount c = count_parameters(s.model);
  const double rest = c.total - 32 * 8 * c.expert;
  const AxisMinimum m = axis_minimum(s, evaluate(s, plan), Axis::kDp);
  EXPECT_EQ(m.tier, 0);
  EXPECT_NEAR(m.volume.base(), 2 * 7.0 / 8 * 2 * rest / 8, 1.0);
}

TEST(Training, ExposedShareSumsToTheStepsDataParallelTime) {
  Scenario s = scenario_a();
  s.cluster.tiers[1].link.bandwidth = gigabytes_per_second(1);
  for (int zero = 0; zero <= 3; ++zero) {
    Plan plan = plan_of(64, 1);
    plan.zero = zero;
    const Evaluation e = evaluate(s, plan);
    double exposed = 0.0;
    double total = 0.0;
    for (const PlanCollective& c : plan_collectives(s, e)) {
      exposed += c.exposed.base();
      total += c.total.base();
    }
    EXPECT_GT(exposed, 0.0);
    EXPECT_NEAR(exposed, e.time.dp.base(), 1e-9) << zero;
    EXPECT_NEAR(total, e.time.dp_unhidden.base(), 1e-9) << zero;
  }
}

TEST(Training, TheOptimizerMovesTwentyEightBytesAParameter) {
  Scenario s = scenario_b();
  Plan plan = plan_of(8, 8);
  EXPECT_NEAR(to_ms(evaluate(s, plan).time.optimizer), 28 * 65e9 / 8 / 4e9,
              1e-6);
  plan.zero = 1;
  EXPECT_NEAR(to_ms(evaluate(s, plan).time.optimizer), 28 * 65e9 / 64 / 4e9,
              1e-6);
  plan.shard_group = 4;
  EXPECT_NEAR(to_ms(evaluate(s, plan).time.optimizer), 28 * 65e9 / 32 / 4e9,
              1e-6);
  // A measured step contains it.
  EXPECT_EQ(evaluate(scenario_a(), plan).time.optimizer.base(), 0.0);
}

TEST(Training, TheListOfCollectivesAccountsForEveryAxisUsed) {
  const Scenario s = scenario_b();
  const Evaluation e = evaluate(s, plan_of(4, 8, 2));
  int axes = 0;
  for (const PlanCollective& c : plan_collectives(s, e)) {
    axes |= 1 << static_cast<int>(c.axis);
    EXPECT_GE(c.total.base(), c.exposed.base());
  }
  EXPECT_EQ(axes, 0b111);
}

TEST(Training, EachContextMethodMovesItsOwnVolume) {
  // 16384 tokens a rank, 8 KV and 32 query heads of 128, 32 layers, bf16.
  struct Case {
    CpMethod method;
    Recompute recompute;
    double gb;
  };
  const double kv = 2 * 16384.0 * 2 * 8 * 128 / 1e9;
  const double all_heads = 2 * 16384.0 * (2 * 32 + 2 * 8) * 128 / 1e9;
  const Case cases[] = {
      {CpMethod::kRing, Recompute::kSelective, 32 * 3 * 7 * kv},
      {CpMethod::kRing, Recompute::kFull, 32 * 4 * 7 * kv},
      {CpMethod::kAllGather, Recompute::kSelective, 32 * 3 * 7 * kv},
      {CpMethod::kUlysses, Recompute::kSelective, 32 * 2 * 7 * all_heads / 8},
  };
  Scenario s = scenario_c();
  s.cluster = testing::drill_cluster(8);
  s.training.global_batch = 1;
  for (const Case& c : cases) {
    Plan plan = plan_of(1, 1, 1, 8);
    plan.cp_method = c.method;
    plan.recompute = c.recompute;
    const AxisMinimum m = axis_minimum(s, evaluate(s, plan), Axis::kCp);
    EXPECT_NEAR(to_gb(m.volume), c.gb, 1e-6) << cp_method_name(c.method);
  }
}

TEST(Training, ExpertsAreReachedByFourAllToAlls) {
  // Dispatch and combine, forward and backward: 32 layers x 4 x 7/8 of
  // 2 x 4096 x 4096 x top-2 bytes.
  Scenario s = mixture();
  Plan plan = plan_of(8, 1);
  plan.ep = 8;
  const Evaluation e = evaluate(s, plan);
  EXPECT_TRUE(e.reasons.empty() || e.reasons.has(Reason::kHbm));
  const AxisMinimum m = axis_minimum(s, e, Axis::kEp);
  EXPECT_NEAR(to_gb(m.volume), 32 * 4 * 7.0 / 8 * 2 * 0.033554432, 1e-6);
  // Half of it where tp is 2, in a node that holds both axes, and all of it
  // again for a second micro-batch.
  Scenario wide = s;
  wide.cluster.tiers[0].gpus = 16;
  Plan split = plan_of(4, 2);
  split.ep = 8;
  EXPECT_DOUBLE_EQ(
      axis_minimum(wide, evaluate(wide, split), Axis::kEp).volume / m.volume,
      1.0);
  // Five quarters where buffers are that long, and half where half of the
  // layers are dense.
  Scenario longer = s;
  longer.model.moe.capacity = 1.25;
  EXPECT_DOUBLE_EQ(
      axis_minimum(longer, evaluate(longer, plan), Axis::kEp).volume / m.volume,
      1.25);
  Scenario half = s;
  half.model.moe.dense_layers = 16;
  EXPECT_DOUBLE_EQ(
      axis_minimum(half, evaluate(half, plan), Axis::kEp).volume / m.volume,
      0.5);
  Scenario twice = s;
  twice.training.global_batch = 128;
  EXPECT_DOUBLE_EQ(evaluate(twice, plan).time.ep.base(), 2 * e.time.ep.base());
  Scenario uneven = s;
  uneven.training.expert_imbalance = 1.5;
  EXPECT_DOUBLE_EQ(evaluate(uneven, plan).time.ep.base(),
                   1.5 * e.time.ep.base());
}

TEST(Training, ReplicatedAndExpertGradientsAreReducedApart) {
  Scenario s = mixture();
  Plan plan = plan_of(8, 1);
  plan.ep = 8;
  const ParameterCount c = count_parameters(s.model);
  const double experts = 32 * c.expert;  // one of eight, each layer
  const double rest = c.total - 32 * 8 * c.expert;
  double sizes = 0.0;
  int calls = 0;
  for (const PlanCollective& each : plan_collectives(s, evaluate(s, plan))) {
    if (each.axis != Axis::kDp) continue;
    sizes += each.size.base();
    ++calls;
  }
  EXPECT_EQ(calls, 2);
  EXPECT_NEAR(sizes, 2 * (experts + rest), 1.0);
}

TEST(Training, BlocksSideBySideSumOnceForward) {
  Scenario s = scenario_a();
  const Plan plan = plan_of(8, 8);
  const auto calls = [&](Recompute recompute) {
    Plan with = plan;
    with.recompute = recompute;
    const Evaluation e = evaluate(s, with);
    for (const PlanCollective& each : plan_collectives(s, e)) {
      if (each.axis == Axis::kTp) {
        return each.calls / static_cast<double>(e.micro_batches) / 32;
      }
    }
    return 0.0;
  };
  EXPECT_EQ(calls(Recompute::kSelective), 4.0);
  s.model.parallel_blocks = true;
  EXPECT_EQ(calls(Recompute::kSelective), 3.0);
  EXPECT_EQ(calls(Recompute::kFull), 4.0);
  s.model.norms_per_layer = 1;
  EXPECT_EQ(calls(Recompute::kSelective), 2.0);
}

TEST(Training, KeysAndValuesOfALatentTravelAsHeads) {
  Scenario s = scenario_c();
  s.training.global_batch = 1;
  const Plan plan = plan_of(1, 1, 1, 64);
  s.cluster = testing::drill_cluster(64);
  const double plain =
      axis_minimum(s, evaluate(s, plan), Axis::kCp).volume.base();
  s.model.latent = {0, 512, 128, 64, 128};
  s.model.kv_heads = s.model.heads;
  // 32 heads of 320 values for 8 of 256.
  EXPECT_NEAR(axis_minimum(s, evaluate(s, plan), Axis::kCp).volume.base(),
              plain * 32 * 320 / (8 * 256), 1.0);
}

}  // namespace
}  // namespace meshwise
