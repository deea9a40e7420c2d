// Tensors that a layer saves: shapes by hand, and what follows from them.
#include "meshwise/activations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "core/drill.h"
#include "meshwise/catalog.h"
#include "meshwise/memory.h"

namespace meshwise {
namespace {

using testing::llama3_8b;
using testing::plan_of;

Training training_of(std::int64_t seq) {
  Training t;
  t.seq = seq;
  t.activations = Activations::kArchitecture;
  return t;
}

SavedTensors of(const Model& model, const Plan& plan,
                LayerKind kind = LayerKind::kDense,
                Recompute recompute = Recompute::kSelective) {
  return saved_tensors(model, training_of(4096), plan, kind, recompute);
}

double size_of(const SavedTensors& saved, std::string_view name) {
  for (const SavedTensor& each : saved.all()) {
    if (name == each.name) return each.size().base();
  }
  return -1.0;
}

// T/t (8h + 2(a + 2k) dh + 2 a dh + 6f + 4a), docs/model.md.
TEST(Activations, ALlamaLayerIsTheSumOfItsTensors) {
  const double token = 8.0 * 4096 + 2.0 * (32 + 16) * 128 + 2.0 * 32 * 128 +
                       6.0 * 14336 + 4.0 * 32;
  for (const int tp : {1, 2, 8}) {
    EXPECT_EQ(of(llama3_8b(), plan_of(1, tp)).total().base(), 4096 * token / tp)
        << tp;
  }
}

TEST(Activations, WithoutSequenceParallelismTheStreamIsWhole) {
  Plan plan = plan_of(1, 8);
  const double split = of(llama3_8b(), plan).total().base();
  plan.sequence_parallel = false;
  EXPECT_EQ(of(llama3_8b(), plan).total().base() - split,
            4096 * 8.0 * 4096 * (1.0 - 1.0 / 8));
}

TEST(Activations, ARankKeepsAtLeastOneKvHead) {
  EXPECT_EQ(size_of(of(llama3_8b(), plan_of(1, 8)), "keys"), 4096 * 256.0);
  EXPECT_EQ(size_of(of(llama3_8b(), plan_of(1, 32)), "keys"), 4096 * 256.0);
}

TEST(Activations, ContextParallelismByAllToAllKeepsTheOutputTwice) {
  Plan plan = plan_of(1, 1, 1);
  plan.cp = 4;
  const double ring = of(llama3_8b(), plan).total().base();
  plan.cp_method = CpMethod::kUlysses;
  EXPECT_EQ(of(llama3_8b(), plan).total().base() - ring,
            4096 / 4 * 2.0 * 32 * 128);
}

TEST(Activations, OnlyAnUnfusedKernelKeepsTheWeightsOfAttention) {
  Training t = training_of(4096);
  t.fused_attention = false;
  const Plan plan = plan_of(1, 1);
  const SavedTensors none =
      saved_tensors(llama3_8b(), t, plan, LayerKind::kDense, Recompute::kNone);
  const SavedTensors selective = saved_tensors(
      llama3_8b(), t, plan, LayerKind::kDense, Recompute::kSelective);
  EXPECT_EQ((none.total() - selective.total()).base(),
            2.0 * 32 * 4096.0 * 4096);
  EXPECT_EQ(size_of(of(llama3_8b(), plan, LayerKind::kDense, Recompute::kNone),
                    "attention weights"),
            -1.0);
}

TEST(Activations, TwoMatricesKeepTwoTensorsOfTheFfn) {
  const SavedTensors saved = of(testing::gpt3_175b(), plan_of(1, 8));
  EXPECT_EQ(size_of(saved, "gate"), -1.0);
  EXPECT_EQ(size_of(saved, "FFN before its activation"),
            4096 * 2.0 * 49152 / 8);
}

TEST(Activations, BlocksSideBySideShareTheirInput) {
  Model m = testing::gpt3_175b();
  const double stream = 4096 * 2.0 * 12288;
  const double all = of(m, plan_of(1, 1)).total().base();
  m.parallel_blocks = true;
  EXPECT_EQ(all - of(m, plan_of(1, 1)).total().base(), stream);
  m.norms_per_layer = 1;
  EXPECT_EQ(all - of(m, plan_of(1, 1)).total().base(), 2 * stream);
  m.parallel_blocks = false;
  m.norms_per_layer = 4;
  EXPECT_EQ(of(m, plan_of(1, 1)).total().base() - all, 2 * stream);
}

TEST(Activations, ExpertsKeepTheirTokensOfTopKTimesTheCapacity) {
  const Result<Catalog> catalog = Catalog::load();
  Model m = catalog->model("deepseek-v3")->model;
  const SavedTensors saved = of(m, plan_of(1, 1), LayerKind::kMoe);
  EXPECT_EQ(size_of(saved, "tokens of experts"), 4096 * 8 * 2.0 * 7168);
  EXPECT_EQ(size_of(saved, "expert gate"), 4096 * 8 * 2.0 * 2048);
  EXPECT_EQ(size_of(saved, "gate"), 4096 * 2.0 * 2048);
  EXPECT_EQ(size_of(saved, "queries"), 4096 * 128 * 2.0 * 192);
  EXPECT_EQ(size_of(saved, "values"), 4096 * 128 * 2.0 * 128);
  EXPECT_EQ(size_of(saved, "KV latent"), 4096 * 2.0 * 512);
  m.moe.capacity = 1.5;
  EXPECT_EQ(size_of(of(m, plan_of(1, 1), LayerKind::kMoe), "expert gate"),
            4096 * 12 * 2.0 * 2048);
}

TEST(Activations, NoModelHasMoreTensorsThanThereIsRoomFor) {
  Model m = testing::llama3_8b();
  m.norms_per_layer = 4;
  m.qk_norms = true;
  m.moe = {8, 2, 14336, 1, 0, 1.0};
  m.latent = {1536, 512, 128, 64, 128};
  Plan plan = plan_of(1, 1);
  plan.cp = 2;
  plan.cp_method = CpMethod::kUlysses;
  const SavedTensors saved = of(m, plan, LayerKind::kMoe);
  EXPECT_LE(saved.count, saved.list.size());
  EXPECT_GE(saved.count, 20u);
}

TEST(Activations, AStageKeepsItsLayersAndItsHead) {
  const Model m = llama3_8b();
  Training t = training_of(4096);
  t.global_batch = 8;
  t.fused_loss = true;
  const Plan plan = plan_of(1, 2, 2);
  const double layer = of(m, plan).total().base();
  const StageMemory first = stage_memory(m, t, plan, 0);
  const StageMemory last = stage_memory(m, t, plan, 1);
  EXPECT_EQ(first.activations.base(), 16 * 2 * layer);
  EXPECT_EQ(last.activations.base(), 16 * layer);
  EXPECT_EQ(first.logits.base(), 0.0);
  EXPECT_EQ(last.logits.base(), 2.0 * 4096 * 128256 / 2);
  EXPECT_EQ(last.head_input.base(), 4.0 * 4096 * 4096 / 2);
  EXPECT_EQ(first.embedding_output.base(), 0.0);
}

TEST(Activations, FullRecomputeKeepsInputsAndOneLayerComesBack) {
  const Model m = llama3_8b();
  Plan plan = plan_of(1, 2);
  plan.recompute = Recompute::kFull;
  const StageMemory memory = stage_memory(m, training_of(4096), plan, 0);
  EXPECT_EQ(memory.activations.base(), 32 * 2.0 * 4096 * 4096 / 2);
  EXPECT_EQ(memory.working_set.base(), of(m, plan).total().base());
}

TEST(Activations, OverheadsAreNamedRowsAndZeroUnlessAskedFor) {
  const Model m = llama3_8b();
  Training t = training_of(4096);
  const Plan plan = plan_of(1, 1);
  const StageMemory bare = stage_memory(m, t, plan, 0);
  EXPECT_EQ(bare.stand_ins.base(), 0.0);
  EXPECT_EQ(bare.backward_set.base(), 0.0);
  t.framework_overheads = true;
  const StageMemory full = stage_memory(m, t, plan, 0);
  // A layer's matrices without its norms, and the head's.
  EXPECT_EQ(full.stand_ins.base(),
            2.0 * (218112000 - 2 * 4096) + 2.0 * 128256 * 4096);
  const double set = 2.0 * 4096 * (4096 + 3.0 * 14336);
  EXPECT_EQ(full.backward_set.base(), std::max(set - full.logits.base(), 0.0));
  EXPECT_EQ((full.total() - bare.total()).base(),
            (full.stand_ins + full.backward_set).base());
}

}  // namespace
}  // namespace meshwise
