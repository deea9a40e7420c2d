// Tokens compare with tokens alone.
#include "meshwise/units.h"

#ifdef MESHWISE_EXPECT_OK
static_assert(meshwise::tokens(1) < meshwise::tokens(2));
#else
static_assert(meshwise::tokens(1) < meshwise::bytes(2));
#endif
