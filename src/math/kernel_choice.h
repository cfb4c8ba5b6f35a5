// The choice among the kernels of a portable build (cmake/WritheKernels.cmake), when the program runs. In a native build there is
// one.
#pragma once

#if defined(WRITHE_PORTABLE_KERNELS)
#include <hwy/targets.h>

// Defines `const Type& function()`: the best of base::kernel, avx2::kernel and avx512::kernel for this machine.
#define WRITHE_DEFINE_KERNEL_CHOICE(Type, function) \
  namespace base {                                  \
  extern const Type kernel;                         \
  }                                                 \
  namespace avx2 {                                  \
  extern const Type kernel;                         \
  }                                                 \
  namespace avx512 {                                \
  extern const Type kernel;                         \
  }                                                 \
  const Type& function() {                          \
    const auto targets = hwy::SupportedTargets();   \
    if (targets & HWY_AVX3) return avx512::kernel;  \
    if (targets & HWY_AVX2) return avx2::kernel;    \
    return base::kernel;                            \
  }
#else
#define WRITHE_DEFINE_KERNEL_CHOICE(Type, function) \
  namespace native {                                \
  extern const Type kernel;                         \
  }                                                 \
  const Type& function() { return native::kernel; }
#endif
