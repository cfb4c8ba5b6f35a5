// Before a short loop whose bounds are known when compiling: every round of it written out. Left alone, compilers make small
// vector loops of such loops, with sums across the lanes, which take several times as long.
#pragma once

#ifdef __clang__
#define WRITHE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define WRITHE_UNROLL _Pragma("GCC unroll 8")
#endif
