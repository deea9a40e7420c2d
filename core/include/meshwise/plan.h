// A parallel plan: the degree of each axis and the options that decide memory
// and time, and the reasons for which a plan cannot run.
//
//   GPUs = dp x tp x pp x cp x ep
//
// The ranks of ep work on different data, as those of dp do; the routed
// experts are split over ep and replicated over dp, everything else is
// replicated over dp x ep.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace meshwise {

enum class Axis : std::uint8_t { kDp, kTp, kPp, kCp, kEp };
inline constexpr int kAxisCount = 5;
inline constexpr std::array<Axis, kAxisCount> kAxes{
    Axis::kDp, Axis::kTp, Axis::kPp, Axis::kCp, Axis::kEp};

// What the backward pass computes again instead of keeping (Korthikanti et
// al. 2022): nothing; the attention core; everything but each layer's input.
enum class Recompute : std::uint8_t { kNone, kSelective, kFull };

// How context parallelism exchanges keys and values.
enum class CpMethod : std::uint8_t { kRing, kAllGather, kUlysses };

// Axes from the innermost rank outward; a permutation of all five.
using AxisOrder = std::array<Axis, kAxisCount>;
inline constexpr AxisOrder kDefaultOrder{Axis::kTp, Axis::kCp, Axis::kEp,
                                         Axis::kDp, Axis::kPp};

struct Plan {
  int dp = 1;
  int tp = 1;
  int pp = 1;
  int cp = 1;
  int ep = 1;
  int zero = 0;         // ZeRO stage, 0 to 3
  int shard_group = 0;  // HSDP: ranks that share one shard; 0: all that can
  Recompute recompute = Recompute::kSelective;
  int micro_batch = 1;            // sequences
  int virtual_stages = 1;         // interleaved pipeline chunks a stage
  bool sequence_parallel = true;  // counts only where tp > 1
  CpMethod cp_method = CpMethod::kRing;
  bool cp_zigzag = true;  // causal work balanced over the cp ranks
  AxisOrder order = kDefaultOrder;

  friend bool operator==(const Plan&, const Plan&) = default;
};

[[nodiscard]] int degree(const Plan& plan, Axis axis);
void set_degree(Plan& plan, Axis axis, int degree);
[[nodiscard]] std::int64_t gpus_used(const Plan& plan);  // the product

[[nodiscard]] std::string_view axis_name(Axis axis);         // "dp"
[[nodiscard]] std::string_view recompute_name(Recompute r);  // "selective"
[[nodiscard]] std::string_view cp_method_name(CpMethod m);   // "all-gather"
[[nodiscard]] std::optional<Axis> axis_from_name(std::string_view name);
[[nodiscard]] std::optional<Recompute> recompute_from_name(
    std::string_view name);
[[nodiscard]] std::optional<CpMethod> cp_method_from_name(
    std::string_view name);

// Why a plan cannot run, or must not. Values are bit positions of Reasons.
enum class Reason : std::uint8_t {
  kGpus,           // the degrees do not multiply to the GPUs there are
  kHeads,          // tp (or tp x cp under Ulysses) does not divide the heads
  kKvHeads,        // tp > kv_heads and kv_heads does not divide tp
  kLayers,         // pp x virtual_stages does not divide the layers
  kSequence,       // cp (or 2 cp, zigzag) does not divide the sequence
  kBatch,          // dp x ep x micro_batch does not divide the global batch
  kInterleave,     // interleaving where pp does not divide the micro-batches
  kDenseModel,     // ep > 1 without experts
  kExperts,        // ep does not divide the experts
  kShardGroup,     // the HSDP group does not divide the sharing ranks
  kHbm,            // over the GPU's memory
  kCriticalBatch,  // over the critical batch
  kSlo,            // over the time-per-token target
};
inline constexpr int kReasonCount = 13;

// A set of reasons.
class Reasons {
 public:
  constexpr void add(Reason r) { bits_ |= bit(r); }
  [[nodiscard]] constexpr bool has(Reason r) const {
    return (bits_ & bit(r)) != 0;
  }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  [[nodiscard]] constexpr std::uint32_t bits() const { return bits_; }
  friend constexpr bool operator==(Reasons, Reasons) = default;

 private:
  static constexpr std::uint32_t bit(Reason r) {
    return 1u << static_cast<unsigned>(r);
  }
  std::uint32_t bits_ = 0;
};

[[nodiscard]] std::string_view reason_name(Reason reason);  // "heads"

}  // namespace meshwise
