// Floating-point operations of a training step and of inference.
//
// A token's forward and backward pass through the matrices costs 6 per
// parameter (2 forward, 4 backward). The attention core, per layer and token,
// in units of a dh s:
//
//                     forward  backward  kernel
//   causal, flash         2        5     recomputes the scores (one of its
//                                        two products) in the backward pass
//   unfused               4        8     the whole square; selective
//                                        recompute repeats the forward: 4
//
// A layer whose queries see the last w tokens makes w s - w^2/2 pairs in place
// of the causal s^2/2: it counts as a sequence of 2w - w^2/s tokens; an unfused
// kernel still computes the whole square. With keys and values from a latent,
// dh stands for the mean of d_n + d_r (scores) and d_v (values) in training and
// prefill; a decoded token multiplies by the latent itself, so that there dh is
// r_kv + d_r/2 (DeepSeek-V2, arXiv:2405.04434, section 2.1 and appendix C).
// Stages are given the mean layer.
//
// Full recompute repeats every layer's forward, not the head's. Model FLOPs
// for MFU use a named convention: `full` 12 (most published figures), or
// `causal` 6. Sources: Narayanan et al. 2021, appendix; Korthikanti et al.
// 2022, appendix A; Dao 2023 (arXiv:2307.08691), section 4.1.
#pragma once

#include "meshwise/model.h"
#include "meshwise/plan.h"
#include "meshwise/units.h"
#include "meshwise/workload.h"

namespace meshwise {

enum class AttentionConvention : std::uint8_t { kFull, kCausal };

// FLOPs a token that one stage executes, forward, backward and recomputed
// together, before division by t and c.
struct StageFlops {
  FlopsPerToken matmul;
  FlopsPerToken attention;

  [[nodiscard]] FlopsPerToken total() const { return matmul + attention; }
};

// `layers` layers of the model with the head's matrix when `with_head`.
[[nodiscard]] StageFlops stage_flops(const Model& model,
                                     const Training& training,
                                     Recompute recompute, int layers,
                                     bool with_head);

// Whole model, one token: what MFU divides by.
[[nodiscard]] FlopsPerToken model_flops(const Model& model, std::int64_t seq,
                                        AttentionConvention convention);

// Whole model, one token, as executed.
[[nodiscard]] FlopsPerToken executed_flops(const Model& model,
                                           const Training& training,
                                           Recompute recompute);

// Inference: a prompt of `tokens` (causal attention among themselves), and
// one decoded token against `context` cached ones.
[[nodiscard]] Flops prefill_flops(const Model& model, std::int64_t tokens);
[[nodiscard]] Flops decode_flops(const Model& model, std::int64_t context);

}  // namespace meshwise
