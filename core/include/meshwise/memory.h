// Memory of one GPU in training: state, activations, logits, stage by stage.
//
// State, bytes a parameter of the GPU's share (D ranks hold the same shard):
//   ZeRO 0  w + g + o      1  w + g + o/D
//   ZeRO 2  w + (g + o)/D  3  (w + g + o)/D, and the layers gathered at the
//                             moment: two layers' weights, one's gradients
// Source: Rajbhandari et al. 2020 (arXiv:1910.02054), section 5.
//
// Activations of one layer and one micro-batch, bf16, with S = s/c tokens of
// a sequence on this rank:
//   none       S b h (10 + 24/t) + 5 a S s b / t   sequence parallel: 34/t
//   selective  the same without the score matrix (5 a S s b / t)
//   full       2 S b h (sequence parallel: /t), and one layer's selective
//              activations as working set at the peak
// Source: Korthikanti et al. 2022 (arXiv:2205.05198), section 4 and table 2.
//
// The `architecture` activations are the tensors of activations.h; of full
// recompute the layer's input, 2 S b h (/t), and one layer's tensors as working
// set. On the last stage the last norm's and the head's input, 4 S b h (/t),
// stay for one micro-batch.
//
// 1F1B keeps min(p - i, m) micro-batches on stage i; interleaved with v
// chunks: min(2(p-1-i) + (v-1)p + 1, mv) / v (Narayanan et al. 2021).
#pragma once

#include <cstdint>
#include <string_view>

#include "meshwise/model.h"
#include "meshwise/plan.h"
#include "meshwise/units.h"
#include "meshwise/workload.h"

namespace meshwise {

// One stage's memory on one GPU. The parts sum to total().
struct StageMemory {
  Bytes weights;
  Bytes gradients;
  Bytes optimizer;
  Bytes gathered;          // ZeRO 3: layers whole at the moment
  Bytes activations;       // all layers and micro-batches in flight
  Bytes embedding_output;  // dropout mask of the first stage's input
  Bytes working_set;       // what recomputation needs at its peak
  Bytes logits;      // last stage: logits kept for the loss, fp32 4TV/t, or
                     // 2TV/t where it is fused
  Bytes head_input;  // architecture, last stage: last norm's and head's inputs
  // Framework overheads, where they are asked for: the stand-ins for weight
  // gradients, and a layer's gradients beyond the logits that they follow.
  Bytes stand_ins;
  Bytes backward_set;

  [[nodiscard]] Bytes state() const {
    return weights + gradients + optimizer + gathered;
  }
  [[nodiscard]] Bytes total() const {
    return state() + activations + embedding_output + working_set + logits +
           head_input + stand_ins + backward_set;
  }
};

enum class Verdict : std::uint8_t { kFits, kTight, kOver };

// over above the GPU's memory, tight above 90 % of it.
[[nodiscard]] Verdict verdict(Bytes total, Bytes capacity);
[[nodiscard]] std::string_view verdict_name(Verdict verdict);  // "fits"

// One layer's activations for one micro-batch on one rank, and the part of it
// that is the score matrix; of a model with experts, of a layer that has some.
struct LayerActivations {
  Bytes total;
  Bytes scores;
};
[[nodiscard]] LayerActivations layer_activations(const Model& model,
                                                 const Training& training,
                                                 const Plan& plan,
                                                 Recompute recompute);

// Micro-batches a step on one rank: global_batch / (dp ep micro_batch), at
// least 1; exact when the plan divides the batch.
[[nodiscard]] std::int64_t micro_batches(const Training& training,
                                         const Plan& plan);

// Micro-batches in flight on a stage; a fraction under interleaving.
[[nodiscard]] double in_flight(const Plan& plan, std::int64_t micro_batches,
                               int stage);

// Layers on a stage: L/p, the first L mod p stages one more.
[[nodiscard]] int stage_layers(const Model& model, const Plan& plan, int stage);

// From stage 0 by this step come all stages that can need the most. Layers and
// micro-batches in flight never grow along the pipeline, so these are the first
// and the last; leading dense layers before MoE layers make it every stage.
[[nodiscard]] int stage_step(const Model& model, const Plan& plan);

// Parameters of a stage that one TP rank holds, split into the routed experts
// it holds and everything else. Embedding on the first stage, head (or the
// tied copy) on the last.
struct StageParameters {
  double shared = 0.0;   // replicated over dp, cp, ep
  double experts = 0.0;  // replicated over dp, cp
};
[[nodiscard]] StageParameters stage_parameters(const Model& model,
                                               const Plan& plan, int stage);

[[nodiscard]] StageMemory stage_memory(const Model& model,
                                       const Training& training,
                                       const Plan& plan, int stage);

// The stage that needs the most, and its memory: one of those that stage_step
// visits.
struct PeakMemory {
  int stage = 0;
  StageMemory memory;
};
[[nodiscard]] PeakMemory peak_memory(const Model& model,
                                     const Training& training,
                                     const Plan& plan);

// The largest micro-batch (sequences), and the largest sequence (tokens, a
// multiple of 128 cp), at which this plan still fits; 0 where none does. The
// number of micro-batches is held.
struct Headroom {
  std::int64_t micro_batch = 0;
  std::int64_t seq = 0;
};
[[nodiscard]] Headroom headroom(const Model& model, const Training& training,
                                const Plan& plan, Bytes capacity);

}  // namespace meshwise
