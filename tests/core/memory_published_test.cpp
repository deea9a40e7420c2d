// State against ZeRO's table 1 (Rajbhandari et al. 2020), activations and
// state against Korthikanti et al. 2022.
#include <gtest/gtest.h>

#include "core/drill.h"
#include "meshwise/memory.h"
#include "reference/papers.h"

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

// One unit of the last of three printed figures.
double last_figure(double printed) {
  if (printed >= 100) return 1.0;
  return printed >= 10 ? 0.1 : 0.01;
}

TEST(Memory, StateIsZerosTable1) {
  for (const reference::ZeroState& row : reference::kZeroTable1) {
    const double printed[] = {row.stage1_gb, row.stage2_gb, row.stage3_gb};
    for (int zero = 1; zero <= 3; ++zero) {
      Plan plan = plan_of(row.dp, 1);
      plan.zero = zero;
      const StageMemory m =
          stage_memory(sized(row.parameters), Training{}, plan, 0);
      const double gb = to_gb(m.state() - m.gathered);
      EXPECT_NEAR(gb, printed[zero - 1], last_figure(printed[zero - 1]))
          << row.parameters << " over " << row.dp << ", stage " << zero;
    }
  }
}

Model studied(const reference::ActivationStudy& s) {
  Model m = testing::gpt3_175b();
  m.layers = s.layers;
  m.hidden = s.hidden;
  m.heads = s.heads;
  m.kv_heads = s.heads;
  m.head_dim = s.hidden / s.heads;
  m.ffn = 4 * s.hidden;
  m.vocab = 51200;
  m.stated_parameters = 12.0 * s.layers * s.hidden * s.hidden;
  return m;
}

Training studied_training(const reference::ActivationStudy& s) {
  Training t;
  t.seq = 2048;
  t.global_batch = s.global_batch;
  t.state_bytes = {2, 4, 12};
  return t;
}

double first_stage_gib(const reference::ActivationStudy& s, Recompute recompute,
                       bool sequence_parallel) {
  Plan plan = plan_of(1, 8, s.pp);
  plan.micro_batch = s.micro_batch;
  plan.virtual_stages = s.virtual_stages;
  plan.recompute = recompute;
  plan.sequence_parallel = sequence_parallel;
  return to_gib(
      stage_memory(studied(s), studied_training(s), plan, 0).activations);
}

TEST(Memory, ActivationsAreThoseOfKorthikantisFigure1) {
  for (const reference::ActivationStudy& s : reference::kKorthikanti) {
    EXPECT_NEAR(first_stage_gib(s, Recompute::kNone, false), s.baseline_gib,
                1e-9)
        << s.name;
    EXPECT_NEAR(first_stage_gib(s, Recompute::kSelective, true), s.present_gib,
                1e-9)
        << s.name;
  }
}

TEST(Memory, SharesAreThoseOfKorthikantisFigure7) {
  for (const reference::ActivationStudy& s : reference::kKorthikanti) {
    const double all = first_stage_gib(s, Recompute::kNone, false) / 100;
    const double tolerance = 0.16;  // what reading off the figure allows
    EXPECT_NEAR(first_stage_gib(s, Recompute::kNone, true) / all,
                s.sequence_percent, tolerance)
        << s.name;
    EXPECT_NEAR(first_stage_gib(s, Recompute::kSelective, false) / all,
                s.selective_percent, tolerance)
        << s.name;
    EXPECT_NEAR(first_stage_gib(s, Recompute::kSelective, true) / all,
                s.both_percent, tolerance)
        << s.name;
    EXPECT_NEAR(first_stage_gib(s, Recompute::kFull, false) / all,
                s.full_percent, tolerance)
        << s.name;
  }
}

TEST(Memory, StateIsThatOfKorthikantisFigure1) {
  for (const reference::ActivationStudy& s : reference::kKorthikanti) {
    const StageMemory m = stage_memory(studied(s), studied_training(s),
                                       plan_of(1, 8, s.pp), s.pp / 2);
    EXPECT_NEAR(to_gib(m.state()), s.state_gib, 1e-9) << s.name;
  }
}

}  // namespace
}  // namespace meshwise
