#include "build.h"

// scripts/package sets it. In C, where it costs a small file and the link: a Swift module has no flags
// with values, and a generated source would leave every working copy changed.
#ifndef BODEGA_COMMIT
#define BODEGA_COMMIT ""
#endif

const char *bodega_commit(void) { return BODEGA_COMMIT; }
