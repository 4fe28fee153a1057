#pragma once

/* glibc's settings of the heap; Swift's Glibc leaves this header out. */
#include <malloc.h>
