// Bytes and seconds do not add up.
#include "meshwise/units.h"

#ifdef MESHWISE_EXPECT_OK
constexpr meshwise::Bytes kSum = meshwise::bytes(1) + meshwise::bytes(2);
#else
constexpr meshwise::Bytes kSum = meshwise::bytes(1) + meshwise::seconds(2);
#endif
static_assert(kSum == meshwise::bytes(3));
