// Serving: prefill and decode of one replica of tp x pp GPUs.
//
//   TPOT = max((weights + KV) / HBM bandwidth, FLOPs / achieved)
//          + 2 L all-reduces of 2 b h bytes over tp + (p - 1) hops
//
// The stages of a pipeline run one after the other for one token, so each
// GPU's weights are 2P/(tp) over the whole token whatever pp is. dp replicas
// are independent. Source: Pope et al. 2022 (arXiv:2211.05102), section 2.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "meshwise/collectives.h"
#include "meshwise/placement.h"
#include "meshwise/plan.h"
#include "meshwise/scenario.h"

namespace meshwise {

enum class DecodeBound : std::uint8_t {
  kWeights,    // reading weights
  kKv,         // reading the KV cache
  kCompute,    // FLOPs
  kCollective  // all-reduces (latency)
};
[[nodiscard]] std::string_view decode_bound_name(DecodeBound bound);

struct DecodeTime {
  // One token. weights + kv or compute (the larger), + collective + hops.
  Seconds tpot;
  Seconds weights;
  Seconds kv;
  Seconds compute;
  Seconds collective;  // 2 L all-reduces
  Seconds one_all_reduce;
  Seconds hops;   // pipeline sends
  Bytes message;  // of one all-reduce
  Algorithm algorithm = Algorithm::kRing;
  DecodeBound bound = DecodeBound::kWeights;

  Seconds ttft;  // prefill of `prompt` tokens, batch 1
  Seconds ttft_compute;
  Seconds ttft_collective;

  Bytes weights_per_gpu;
  Bytes kv_per_gpu;          // at the scenario's batch and context
  Bytes kv_bytes_per_token;  // one sequence, over the whole replica
  double max_tokens = 0.0;   // KV tokens a replica holds beside weights
  Placement placement;
  Reasons reasons;      // empty: feasible; kSlo is among them
  bool slo_met = true;  // true where there is no SLO

  [[nodiscard]] bool feasible() const { return reasons.empty(); }
};

// `algorithm` names the decode all-reduce; a flat ring is the course's
// default. An algorithm that does not apply to the group falls back to ring.
[[nodiscard]] DecodeTime decode(const Scenario& scenario, const Plan& plan,
                                Algorithm algorithm = Algorithm::kRing);

// Largest per-hop latency of the slowest tier spanned at which TPOT still
// meets the SLO, for the named algorithm; nullopt when even zero misses it or
// there is no SLO or tp is 1.
[[nodiscard]] std::optional<Seconds> latency_limit(const Scenario& scenario,
                                                   const Plan& plan,
                                                   Algorithm algorithm);

// Largest batch at the scenario's context, and the largest context at its
// batch, at which the SLO is met and the KV cache fits; 0 where none.
struct DecodeHeadroom {
  std::int64_t batch = 0;
  std::int64_t context = 0;
};
[[nodiscard]] DecodeHeadroom decode_headroom(const Scenario& scenario,
                                             const Plan& plan,
                                             Algorithm algorithm);

// All serving plans (tp, pp, replicas) for one algorithm, best TPOT first.
// Ties are ordered by fewer GPUs a replica, then tp.
struct DecodePlan {
  Plan plan;
  DecodeTime time;
};
[[nodiscard]] std::vector<DecodePlan> decode_plans(const Scenario& scenario,
                                                   Algorithm algorithm);

}  // namespace meshwise
