// Each part of a stage's memory, and the drill's own figures.
#include "meshwise/memory.h"

#include <gtest/gtest.h>

#include "core/drill.h"

namespace meshwise {
namespace {

using testing::plan_of;

Model sized(double parameters) {
  Model m;
  m.layers = 1;
  m.hidden = 128;
  m.heads = 1;
  m.kv_heads = 1;
  m.head_dim = 128;
  m.ffn = 512;
  m.stated_parameters = parameters;
  return m;
}

Model mixtral_8x7b() {
  Model m = testing::llama3_8b();
  m.vocab = 32000;
  m.moe = {8, 2, 14336, 0, 0, 1.0};
  return m;
}

TEST(Memory, EachZeroStageSplitsOneMorePart) {
  struct Row {
    int zero;
    double weights, gradients, optimizer;  // bytes a parameter over 8 ranks
  };
  const Row rows[] = {
      {0, 2, 2, 12}, {1, 2, 2, 1.5}, {2, 2, 0.25, 1.5}, {3, 0.25, 0.25, 1.5}};
  for (const Row& row : rows) {
    Plan plan = plan_of(4, 1, 1, 2);  // the ranks of cp share the shard too
    plan.zero = row.zero;
    const StageMemory m = stage_memory(sized(1e9), Training{}, plan, 0);
    EXPECT_DOUBLE_EQ(m.weights.base(), row.weights * 1e9) << row.zero;
    EXPECT_DOUBLE_EQ(m.gradients.base(), row.gradients * 1e9) << row.zero;
    EXPECT_DOUBLE_EQ(m.optimizer.base(), row.optimizer * 1e9) << row.zero;
  }
}

TEST(Memory, AShardGroupTakesThePlaceOfAllRanks) {
  Plan plan = plan_of(64, 1);
  plan.zero = 3;
  plan.shard_group = 8;
  const StageMemory m = stage_memory(sized(8e9), Training{}, plan, 0);
  EXPECT_DOUBLE_EQ((m.state() - m.gathered).base(), 16e9);
}

TEST(Memory, ZeroThreeGathersTwoLayersAndOneLayersGradients) {
  Plan plan = plan_of(64, 1);
  plan.zero = 3;
  const Model m = testing::model_65b();
  const double layer = 65e9 / 80;
  EXPECT_NEAR(stage_memory(m, Training{}, plan, 0).gathered.base(),
              (2 * 2 + 2) * layer, 1.0);
  EXPECT_EQ(stage_memory(m, Training{}, plan_of(64, 1), 0).gathered.base(), 0);
  // A stage of one layer has no second one to gather.
  EXPECT_EQ(stage_memory(sized(1e9), Training{}, plan, 0).gathered.base(),
            (2 + 2) * 1e9);
  plan = plan_of(1, 1);
  plan.zero = 3;  // nobody to gather from
  EXPECT_EQ(stage_memory(m, Training{}, plan, 0).gathered.base(), 0);
}

TEST(Memory, TheDrillsFirstCheckComesOutAsPrinted) {
  Training training;
  training.global_batch = 1;
  const Plan plan = plan_of(1, 1);
  const StageMemory m = stage_memory(testing::llama3_8b(), training, plan, 0);
  EXPECT_NEAR(to_gib(m.state()), 119.66, 0.005);
  EXPECT_NEAR(to_gib(m.activations), 17.0, 1e-9);
  EXPECT_NEAR(to_gib(m.embedding_output), 1.0 / 64, 1e-12);
  EXPECT_NEAR(to_gib(m.logits), 1.957, 0.0005);
  EXPECT_EQ(m.working_set.base(), 0.0);
  EXPECT_NEAR(to_gib(m.total()), 138.63, 0.005);
  const LayerActivations layer = layer_activations(
      testing::llama3_8b(), training, plan, Recompute::kSelective);
  EXPECT_NEAR(to_gib(layer.total), 0.531, 0.0005);
}

TEST(Memory, TheDrillsSecondCheckIs969GibOfState) {
  const StageMemory m =
      stage_memory(testing::model_65b(), Training{}, plan_of(1, 1), 0);
  EXPECT_NEAR(to_gib(m.state()), 968.6, 0.05);
}

TEST(Memory, AtALongSequenceTheScoreMatrixIsNearlyAll) {
  Training training;
  training.seq = 131072;
  const Model m = testing::llama3_8b();
  const Plan plan = plan_of(1, 1);
  const auto gib = [&](Recompute r) {
    return to_gib(layer_activations(m, training, plan, r).total);
  };
  EXPECT_NEAR(gib(Recompute::kNone), 2577, 0.5);
  EXPECT_NEAR(
      to_gib(layer_activations(m, training, plan, Recompute::kNone).scores),
      2560, 1e-9);
  EXPECT_NEAR(gib(Recompute::kSelective), 17.0, 1e-9);
  EXPECT_NEAR(gib(Recompute::kFull), 1.0, 1e-9);
  Plan full = plan;
  full.recompute = Recompute::kFull;
  EXPECT_NEAR(to_gib(stage_memory(m, training, full, 0).working_set), 17.0,
              1e-9);
}

TEST(Memory, SequenceParallelismSplitsWhatTpAloneReplicates) {
  // Korthikanti et al., table 2: sbh(10 + 24/t) against 34 sbh/t.
  Training training;
  const Model m = testing::model_65b();
  Plan plan = plan_of(1, 8);
  const double sbh = 4096.0 * 8192;
  const auto layer = [&](Recompute r) {
    return layer_activations(m, training, plan, r).total.base();
  };
  EXPECT_NEAR(layer(Recompute::kSelective), 34 * sbh / 8, 1.0);
  EXPECT_NEAR(layer(Recompute::kFull), 2 * sbh / 8, 1.0);
  plan.sequence_parallel = false;
  EXPECT_NEAR(layer(Recompute::kSelective), sbh * (10 + 24.0 / 8), 1.0);
  EXPECT_NEAR(layer(Recompute::kFull), 2 * sbh, 1.0);
  // 5as/(ht) = 5 x 64 x 4096/(8192 x 8) = 20.
  EXPECT_NEAR(layer(Recompute::kNone), sbh * (10 + 24.0 / 8 + 20), 1.0);
}

TEST(Memory, ContextParallelismSplitsTokensAndKeepsAllKeys) {
  Training training;
  training.seq = 8192;
  const Model m = testing::llama3_8b();
  const Plan plan = plan_of(1, 1, 1, 4);
  const LayerActivations layer =
      layer_activations(m, training, plan, Recompute::kNone);
  EXPECT_NEAR(layer.scores.base(), 5.0 * 32 * 2048 * 8192, 1.0);
  EXPECT_NEAR((layer.total - layer.scores).base(), 34.0 * 2048 * 4096, 1.0);
}

TEST(Memory, WithoutAFusedKernelOneLayersScoresComeBack) {
  Training training;
  training.fused_attention = false;
  const Model m = testing::llama3_8b();
  Plan plan = plan_of(1, 2, 1, 2);
  const double scores = 5.0 * 32 * 2048 * 4096 / 2;
  EXPECT_NEAR(stage_memory(m, training, plan, 0).working_set.base(), scores, 1);
  plan.recompute = Recompute::kFull;
  EXPECT_NEAR(stage_memory(m, training, plan, 0).working_set.base(),
              scores + 34.0 * 2048 * 4096 / 2, 1);
  plan.recompute = Recompute::kNone;  // they are stored, and counted there
  EXPECT_EQ(stage_memory(m, training, plan, 0).working_set.base(), 0.0);
}

struct InFlight {
  int pp, virtual_stages;
  int micro_batches;
  int stage;
  double expected;
};

TEST(Memory, InFlightMicroBatchesFollowTheSchedule) {
  const InFlight cases[] = {
      {8, 1, 64, 0, 8},
      {8, 1, 64, 3, 5},
      {8, 1, 64, 7, 1},
      {8, 1, 3, 0, 3},  // fewer micro-batches than stages
      {8, 1, 3, 5, 3},
      {8, 1, 3, 6, 2},
      {1, 1, 64, 0, 1},
      // 2(p-1-i) + (v-1)p + 1 chunks of 1/v: p(1 + (p-1)/(pv)) at the first.
      {8, 2, 64, 0, 11.5},
      {8, 2, 64, 7, 4.5},
      {8, 3, 64, 0, 31.0 / 3},
      {8, 3, 64, 4, 23.0 / 3},
      {8, 3, 8, 0, 8},  // no more than there are
  };
  for (const InFlight& c : cases) {
    Plan plan = plan_of(1, 1, c.pp);
    plan.virtual_stages = c.virtual_stages;
    EXPECT_DOUBLE_EQ(in_flight(plan, c.micro_batches, c.stage), c.expected)
        << c.pp << " stages of " << c.virtual_stages << ", " << c.micro_batches
        << " micro-batches, stage " << c.stage;
  }
}

TEST(Memory, TheFirstStageKeepsItsInputsMaskForEachInFlight) {
  // Korthikanti et al., section 4.3: s b h p/t.
  Training training;
  Plan plan = plan_of(1, 8, 4);
  const Model m = testing::llama3_8b();
  const double mask = 4096.0 * 4096 * 4 / 8;
  EXPECT_EQ(stage_memory(m, training, plan, 0).embedding_output.base(), mask);
  EXPECT_EQ(stage_memory(m, training, plan, 1).embedding_output.base(), 0);
  plan.sequence_parallel = false;
  EXPECT_EQ(stage_memory(m, training, plan, 0).embedding_output.base(),
            8 * mask);
}

TEST(Memory, LogitsAreTheLastStagesAndSplitOverTpAndCp) {
  Training training;
  Plan plan = plan_of(1, 4, 2, 2);
  plan.micro_batch = 3;
  const Model m = testing::llama3_8b();
  EXPECT_EQ(stage_memory(m, training, plan, 0).logits.base(), 0.0);
  EXPECT_EQ(stage_memory(m, training, plan, 1).logits.base(),
            4.0 * 4096 * 3 / 2 * 128256 / 4);
}

TEST(Memory, LogitsCanMakeTheLastStageThePeak) {
  Training training;
  Plan plan = plan_of(1, 1, 8);
  plan.micro_batch = 8;
  plan.recompute = Recompute::kFull;
  EXPECT_EQ(peak_memory(testing::llama3_8b(), training, plan).stage, 7);
  plan.recompute = Recompute::kSelective;
  EXPECT_EQ(peak_memory(testing::llama3_8b(), training, plan).stage, 0);
}

TEST(Memory, MicroBatchesShareTheBatchOverDataAndExpertRanks) {
  Training training;
  training.global_batch = 96;
  Plan plan = plan_of(4, 8, 2, 2);
  plan.ep = 2;
  plan.micro_batch = 3;
  EXPECT_EQ(micro_batches(training, plan), 4);
  plan.dp = 64;
  EXPECT_EQ(micro_batches(training, plan), 1);
}

TEST(Memory, UnevenLayersGoToTheFirstStages) {
  Model m = testing::llama3_8b();
  m.layers = 126;
  const Plan plan = plan_of(1, 1, 4);
  EXPECT_EQ(stage_layers(m, plan, 0), 32);
  EXPECT_EQ(stage_layers(m, plan, 1), 32);
  EXPECT_EQ(stage_layers(m, plan, 2), 31);
  EXPECT_EQ(stage_layers(m, plan, 3), 31);
}

TEST(Memory, StagesShareTheLayersAndTheEndsHoldEmbeddingAndHead) {
  const Model m = testing::llama3_8b();
  const ParameterCount c = count_parameters(m);
  const Plan plan = plan_of(1, 1, 4);
  double sum = 0.0;
  for (int i = 0; i < 4; ++i) sum += stage_parameters(m, plan, i).shared;
  EXPECT_EQ(sum, c.total);
  EXPECT_EQ(
      stage_parameters(m, plan, 0).shared - stage_parameters(m, plan, 1).shared,
      c.embedding);
}

TEST(Memory, ATiedHeadIsHeldAtBothEndsOfAPipeline) {
  Model m = testing::llama3_8b();
  m.tied_head = true;
  const double total = count_parameters(m).total;
  EXPECT_EQ(stage_parameters(m, plan_of(1, 1), 0).shared, total);
  const Plan plan = plan_of(1, 1, 2);
  EXPECT_EQ(
      stage_parameters(m, plan, 0).shared + stage_parameters(m, plan, 1).shared,
      total + 128256.0 * 4096);
}

TEST(Memory, KvHeadsReplicateOnceTpExceedsThem) {
  const Model m = testing::llama3_8b();
  // (8030261248 - 268435456)/16 of all but K and V, 268435456/8 of those.
  EXPECT_EQ(stage_parameters(m, plan_of(1, 16), 0).shared, 518668544.0);
  EXPECT_EQ(stage_parameters(m, plan_of(1, 8), 0).shared, 8030261248.0 / 8);
}

TEST(Memory, ExpertsAreSplitOverEpAndTheRestIsReplicated) {
  const Model m = mixtral_8x7b();
  const ParameterCount c = count_parameters(m);
  Plan plan = plan_of(2, 1);
  plan.ep = 4;
  plan.zero = 1;
  const StageParameters held = stage_parameters(m, plan, 0);
  EXPECT_EQ(held.experts, 32 * 2 * c.expert);
  EXPECT_EQ(held.shared, c.total - 32 * 8 * c.expert);
  Plan split = plan;
  split.tp = 2;
  EXPECT_EQ(stage_parameters(m, split, 0).experts, 32 * c.expert);
  // The optimizer of the rest is shared by eight ranks, an expert's by two.
  EXPECT_DOUBLE_EQ(stage_memory(m, Training{}, plan, 0).optimizer.base(),
                   12 * (held.shared / 8 + held.experts / 2));
}

TEST(Memory, ZeroThreeGathersTheLargestNeighbours) {
  // Stage 0 of four: seven dense layers of 14336 and one of two small experts.
  Model m = mixtral_8x7b();
  m.moe = {2, 1, 256, 0, 7, 1.0};
  const ParameterCount c = count_parameters(m);
  Plan plan = plan_of(2, 1, 4);
  plan.zero = 3;
  EXPECT_EQ(stage_memory(m, Training{}, plan, 0).gathered.base(),
            (2 * 2 + 2) * c.dense_layer);
  // One dense layer, beside a smaller mixture layer.
  m.moe.dense_layers = 1;
  const double mixed = c.moe_layer_shared + 2 * c.expert;
  EXPECT_EQ(stage_memory(m, Training{}, plan, 0).gathered.base(),
            2 * (c.dense_layer + mixed) + 2 * c.dense_layer);
  EXPECT_EQ(stage_memory(m, Training{}, plan, 1).gathered.base(),
            (2 * 2 + 2) * mixed);
}

TEST(Memory, ZeroThreeGathersOnlyWhatIsSharded) {
  // Over ep alone an expert has one holder, and everything else eight.
  const Model m = mixtral_8x7b();
  Plan plan = plan_of(1, 1);
  plan.ep = 8;
  plan.zero = 3;
  EXPECT_EQ(stage_memory(m, Training{}, plan, 0).gathered.base(),
            (2 * 2 + 2) * count_parameters(m).moe_layer_shared);
  plan.shard_group = 1;
  EXPECT_EQ(stage_memory(m, Training{}, plan, 0).gathered.base(), 0.0);
}

TEST(Memory, LeadingDenseLayersFillTheFirstStages) {
  Model m = mixtral_8x7b();
  m.moe.dense_layers = 12;
  const ParameterCount c = count_parameters(m);
  const Plan plan = plan_of(1, 1, 4);  // eight layers each
  const StageParameters first = stage_parameters(m, plan, 0);
  EXPECT_EQ(first.experts, 0.0);
  EXPECT_EQ(first.shared, 8 * c.dense_layer + c.embedding);
  const StageParameters second = stage_parameters(m, plan, 1);
  EXPECT_EQ(second.experts, 4 * 8 * c.expert);
  EXPECT_EQ(second.shared, 4 * c.dense_layer + 4 * c.moe_layer_shared);
  EXPECT_EQ(stage_parameters(m, plan, 2).experts, 8 * 8 * c.expert);
}

TEST(Memory, LeadingDenseLayersCanPutThePeakOnAMiddleStage) {
  Training training;
  training.global_batch = 4;
  Model m = mixtral_8x7b();
  m.vocab = 0;
  m.moe.dense_layers = 8;
  EXPECT_EQ(peak_memory(m, training, plan_of(1, 1, 4)).stage, 1);
}

TEST(Memory, MixtureModelsHoldAllExpertsNotTheActiveOnes) {
  const StageMemory m =
      stage_memory(mixtral_8x7b(), Training{}, plan_of(1, 1), 0);
  EXPECT_DOUBLE_EQ(m.state().base(), 16.0 * 46702792704);
}

TEST(Memory, TheLargestSequenceThatFitsIsTheLast) {
  Training training;
  training.global_batch = 1;
  const Model m = testing::llama3_8b();
  const Plan plan = plan_of(1, 1);
  const Headroom room = headroom(m, training, plan, gibibytes(192));
  Training at = training;
  at.seq = room.seq;
  EXPECT_LE(peak_memory(m, at, plan).memory.total(), gibibytes(192));
  at.seq = room.seq + 128;
  EXPECT_GT(peak_memory(m, at, plan).memory.total(), gibibytes(192));
}

TEST(Memory, TheLargestMicroBatchThatFitsIsTheLast) {
  // (192 - 119.66)/(17 + 1/64 + 1.957) GiB = 3.8 sequences.
  Training training;
  training.global_batch = 8;
  const Model m = testing::llama3_8b();
  EXPECT_EQ(headroom(m, training, plan_of(1, 1), gibibytes(192)).micro_batch,
            3);
  EXPECT_EQ(headroom(m, training, plan_of(1, 1), gibibytes(100)).micro_batch,
            0);
  EXPECT_EQ(headroom(m, training, plan_of(1, 1), gibibytes(100)).seq, 0);
}

TEST(Memory, HeadroomHoldsTheNumberOfMicroBatches) {
  // Stage 0 of four holds 33.83 GiB of state and four micro-batches of eight
  // layers, 17 + 1/16 GiB a sequence: (192 - 33.83)/17.06 = 9.3 sequences.
  Training training;
  training.global_batch = 4;
  EXPECT_EQ(
      headroom(testing::llama3_8b(), training, plan_of(1, 1, 4), gibibytes(192))
          .micro_batch,
      9);
}

TEST(Memory, TheVerdictIsTightFromNineTenths) {
  EXPECT_EQ(verdict(gibibytes(90), gibibytes(100)), Verdict::kFits);
  EXPECT_EQ(verdict(gibibytes(91), gibibytes(100)), Verdict::kTight);
  EXPECT_EQ(verdict(gibibytes(100), gibibytes(100)), Verdict::kTight);
  EXPECT_EQ(verdict(gibibytes(101), gibibytes(100)), Verdict::kOver);
}

TEST(Memory, ProjectionsToALatentAreWholeOnEveryRank) {
  Model m = testing::llama3_8b();
  m.kv_heads = m.heads;
  m.latent = {1536, 512, 128, 64, 128};
  const ParameterCount count = count_parameters(m);
  const double one = stage_parameters(m, testing::plan_of(1, 1), 0).shared;
  const double eight = stage_parameters(m, testing::plan_of(1, 8), 0).shared;
  EXPECT_GT(count.latent, 0.0);
  EXPECT_NEAR(eight, one / 8 + 32 * count.latent * (1.0 - 1.0 / 8), 1e-3);
}

}  // namespace
}  // namespace meshwise
