#include "solvers/newton/chain_kernel.h"

#if defined(WRITHE_PORTABLE_KERNELS)
#include <hwy/targets.h>
#endif

namespace writhe::newton {

#if defined(WRITHE_PORTABLE_KERNELS)
namespace base {
extern const ChainKernel kernel;
}
namespace avx2 {
extern const ChainKernel kernel;
}
namespace avx512 {
extern const ChainKernel kernel;
}
const ChainKernel& chain_kernel() {
  const auto targets = hwy::SupportedTargets();
  if (targets & HWY_AVX3) return avx512::kernel;
  if (targets & HWY_AVX2) return avx2::kernel;
  return base::kernel;
}
#else
namespace native {
extern const ChainKernel kernel;
}
const ChainKernel& chain_kernel() { return native::kernel; }
#endif

}  // namespace writhe::newton
