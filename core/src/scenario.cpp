#include "meshwise/scenario.h"

#include "meshwise/compute.h"

namespace meshwise {

FlopsPerSecond achieved_flops(const Scenario& scenario) {
  const MeasuredStep& measured = scenario.training.measured;
  if (scenario.phase != Phase::kTraining || measured.step <= seconds(0.0)) {
    return scenario.cluster.gpu.achieved;
  }
  Training as_measured = scenario.training;
  as_measured.seq = measured.seq;
  const FlopsPerToken each =
      executed_flops(scenario.model, as_measured, Recompute::kSelective);
  const Tokens count = tokens(static_cast<double>(measured.seq) *
                              static_cast<double>(measured.micro_batch));
  return each * count / measured.step;
}

}  // namespace meshwise
