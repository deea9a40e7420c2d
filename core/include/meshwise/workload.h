// What is to be done with a model on a cluster: training or serving, the
// numbers that come with the task, and the targets.
#pragma once

#include <cstdint>

#include "meshwise/units.h"

namespace meshwise {

enum class Phase : std::uint8_t { kTraining, kServing };

// Bytes a parameter of each kind of training state. The default is the
// textbook's 16: bf16 weights and gradients, fp32 master copy and two Adam
// moments (Rajbhandari et al. 2020, arXiv:1910.02054).
struct StateBytes {
  double weights = 2.0;
  double gradients = 2.0;
  double optimizer = 12.0;

  friend bool operator==(const StateBytes&, const StateBytes&) = default;
};

// How activations are counted: by Korthikanti's formula, or as the tensors
// that this very layer saves (activations.h).
enum class Activations : std::uint8_t { kTextbook, kArchitecture };

// A step that was measured on one GPU, from which the achieved FLOP/s of this
// model follow. `step` 0: none was measured.
struct MeasuredStep {
  Seconds step;
  std::int64_t seq = 0;          // tokens
  std::int64_t micro_batch = 1;  // sequences; selective recompute

  friend bool operator==(const MeasuredStep&, const MeasuredStep&) = default;
};

struct Training {
  std::int64_t seq = 4096;          // tokens a sequence
  std::int64_t global_batch = 512;  // sequences a step, over all ranks
  double critical_batch = 0.0;      // tokens; 0: not known, no limit
  double target_speedup = 0.0;      // over one GPU; 0: no target
  MeasuredStep measured;
  StateBytes state_bytes;
  bool fused_attention = true;  // flash kernel; false: one layer's score
                                // matrix comes back as working set
  Activations activations = Activations::kTextbook;
  bool fused_loss = false;           // the loss keeps logits in bf16, not fp32
  bool framework_overheads = false;  // architecture: count what Megatron Core
                                     // with TransformerEngine holds beside
  bool uneven_layers = false;        // allow pp that does not divide the layers
  double overlap = 1.0;              // share of the hideable DP time that hides
  double expert_imbalance = 1.0;     // slowest expert rank over the mean, >= 1

  friend bool operator==(const Training&, const Training&) = default;
};

struct Serving {
  std::int64_t batch = 1;       // sequences decoded together on one replica
  std::int64_t batch_max = 1;   // top of the range the SLO is asked for
  std::int64_t context = 2048;  // tokens already in the KV cache, a sequence
  std::int64_t prompt = 2048;   // tokens of the prefill
  Seconds slo_tpot;             // time per output token to stay under; 0: none
  double weight_bytes = 2.0;    // bytes a parameter
  double kv_bytes = 2.0;        // bytes a KV value
  Bytes reserve;                // HBM kept free a GPU

  friend bool operator==(const Serving&, const Serving&) = default;
};

}  // namespace meshwise
