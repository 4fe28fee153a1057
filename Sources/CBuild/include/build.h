#ifndef BODEGA_BUILD_H
#define BODEGA_BUILD_H

/// The commit that this program was packaged from; empty in a developer's build.
const char *bodega_commit(void);

#endif
