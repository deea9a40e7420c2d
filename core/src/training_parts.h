// What a training step is made of, shared by its time, its bandwidth minima
// and the list of its collectives. Nothing here allocates.
#pragma once

#include <array>

#include "meshwise/collectives.h"
#include "meshwise/training.h"

namespace meshwise::parts {

// Time of one micro-batch of one layer on one rank, before and after overlap.
struct LayerTime {
  Seconds compute;
  Seconds attention;  // the attention core's share of compute
  Seconds tp;
  Seconds cp;  // exposed
  Seconds cp_unhidden;
  Seconds ep;
};

// The slowest stage of the pipeline and the sum over all of them, for one
// micro-batch.
struct Pipeline {
  LayerTime layer;
  Seconds head;      // the output head's compute
  Seconds transfer;  // stage to stage, exposed, one micro-batch
  int slow_layers = 0;
  bool slow_has_head = false;
  Seconds slowest;
  Seconds sum;

  [[nodiscard]] Seconds slow_compute() const {
    return static_cast<double>(slow_layers) * layer.compute +
           (slow_has_head ? head : seconds(0.0));
  }
};
[[nodiscard]] Pipeline pipeline(const Scenario& scenario, const Plan& plan,
                                const Placement& placement);

// A collective that a layer or the step runs, `calls` times.
struct Exchange {
  Axis axis = Axis::kDp;
  Operation op = Operation::kAllReduce;
  Bytes size;
  Group group;
  double calls = 0.0;

  [[nodiscard]] Seconds time() const {
    return calls * collective_time(op, size, group).total();
  }
  [[nodiscard]] Bytes volume(Algorithm algorithm) const {
    return calls * slow_tier_volume(op, algorithm, size, group);
  }
};

// Per layer and micro-batch.
[[nodiscard]] Exchange tp_exchange(const Scenario& scenario, const Plan& plan,
                                   const Placement& placement);
[[nodiscard]] Exchange cp_exchange(const Scenario& scenario, const Plan& plan,
                                   const Placement& placement);
[[nodiscard]] Exchange ep_exchange(const Scenario& scenario, const Plan& plan,
                                   const Placement& placement);
// Per micro-batch: activations forward, gradients back.
[[nodiscard]] Exchange pp_exchange(const Scenario& scenario, const Plan& plan,
                                   const Placement& placement);

// The data-parallel traffic of one step: gradients, and the gathers of the
// ZeRO stages, for shared and for expert parameters.
enum class Window : std::uint8_t {
  kBackward,       // the last micro-batch's backward pass
  kEveryBackward,  // each micro-batch's backward pass
  kForward,        // the next step's first forward pass
  kAll             // all compute
};
struct DpExchange {
  Exchange exchange;
  Window window = Window::kBackward;
};
struct DpTraffic {
  std::array<DpExchange, 8> list{};
  std::size_t count = 0;

  void add(Operation op, Bytes size, const Group& group, double calls,
           Window window);
};
[[nodiscard]] DpTraffic dp_traffic(const Scenario& scenario, const Plan& plan,
                                   const Placement& placement);

// Compute time that a window offers in one step.
[[nodiscard]] Seconds window_time(Window window, const Plan& plan,
                                  double micro_batches,
                                  Seconds micro_batch_compute);

struct Exposed {
  Seconds exposed;
  Seconds total;
};
[[nodiscard]] Exposed dp_time(const Scenario& scenario, const Plan& plan,
                              const DpTraffic& traffic, double micro_batches,
                              Seconds micro_batch_compute);

[[nodiscard]] Seconds optimizer_time(const Scenario& scenario,
                                     const Plan& plan);

}  // namespace meshwise::parts
