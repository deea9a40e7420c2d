#include "meshwise/cluster.h"

namespace meshwise {

Span combine(const Span& a, const Span& b) {
  Span out;
  for (std::size_t i = 0; i < kMaxTiers; ++i) {
    out.ranks[i] = a.ranks[i] * b.ranks[i];
  }
  return out;
}

}  // namespace meshwise
