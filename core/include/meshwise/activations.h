// The tensors that one layer keeps for its backward pass, by name and shape:
// the `architecture` activations. bf16, a flash kernel, no dropout.
//
// T = s b / c tokens on a rank, t the tensor-parallel degree, a row of each
// tensor a token. Of a Llama layer with sequence parallelism, bytes a token:
//   8h                two norms' inputs, two blocks' inputs       (/t)
//   2(a + 2k) dh      queries, keys, values; a rank has at least one KV head
//   2 a dh + 4 a      attention's output, log-sum-exp in fp32      (/t)
//   6f                gate, up and their product; two matrices: 4f (/t)
// Without sequence parallelism the 8h are whole on every rank. Context
// parallelism by all-to-all keeps attention's output on both sides of it. An
// unfused kernel keeps the attention weights, 2 a s a token, unless they are
// recomputed. Latents keep their norms' inputs and outputs. Experts keep their
// inputs and FFN for top_k x capacity tokens in place of one; like their
// weights, the FFN is split over t and the input is not.
// Sources: Korthikanti et al. 2022 (arXiv:2205.05198), section 4.1, without
// its dropout masks; Dao 2023 (arXiv:2307.08691), section 3.1; what Megatron
// Core and TransformerEngine save.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "meshwise/model.h"
#include "meshwise/plan.h"
#include "meshwise/units.h"
#include "meshwise/workload.h"

namespace meshwise {

// `rows` x `columns` values of `value_bytes` each, on one rank. Rows and
// columns are not whole where a degree does not divide them.
struct SavedTensor {
  const char* name = "";
  double rows = 0.0;     // tokens
  double columns = 0.0;  // values a token
  double value_bytes = 2.0;

  [[nodiscard]] Bytes size() const {
    return bytes(rows * columns * value_bytes);
  }
};

struct SavedTensors {
  std::array<SavedTensor, 24> list{};
  std::size_t count = 0;

  void add(const char* name, double rows, double columns,
           double value_bytes = 2.0);
  [[nodiscard]] std::span<const SavedTensor> all() const {
    return {list.data(), count};
  }
  [[nodiscard]] Bytes total() const;
};

enum class LayerKind : std::uint8_t { kDense, kMoe };

// Of one layer and one micro-batch, with nothing recomputed but what a flash
// kernel does (and an unfused one under selective recompute).
[[nodiscard]] SavedTensors saved_tensors(const Model& model,
                                         const Training& training,
                                         const Plan& plan, LayerKind kind,
                                         Recompute recompute);

// What is alive for a moment in a layer's backward pass beside what was kept:
// the gradients of its input and of its FFN, T(2h + 6f/t), or 6 f_e for each
// expert that a token visits.
[[nodiscard]] Bytes backward_set(const Model& model, const Training& training,
                                 const Plan& plan, LayerKind kind);

// TransformerEngine's stand-ins for weight gradients that were summed into the
// fp32 buffers: one bf16 buffer for each shape of a layer's weights.
[[nodiscard]] Bytes gradient_stand_ins(const Model& model, const Plan& plan,
                                       LayerKind kind);

}  // namespace meshwise
