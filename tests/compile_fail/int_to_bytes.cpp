// A plain number does not turn into bytes without a word.
#include "meshwise/units.h"

#ifdef MESHWISE_EXPECT_OK
constexpr meshwise::Bytes kSize = meshwise::bytes(80);
#else
constexpr meshwise::Bytes kSize = 80;
#endif
static_assert(kSize.base() == 80.0);
