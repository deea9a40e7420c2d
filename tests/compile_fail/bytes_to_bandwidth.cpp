// A size is no bandwidth.
#include "meshwise/units.h"

constexpr double wanted(meshwise::BytesPerSecond bandwidth) {
  return meshwise::to_gbps(bandwidth);
}

#ifdef MESHWISE_EXPECT_OK
static_assert(wanted(meshwise::gigabytes_per_second(50)) == 50.0);
#else
static_assert(wanted(meshwise::gigabytes(50)) == 50.0);
#endif
