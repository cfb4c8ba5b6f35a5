#include "solvers/pd/bundle_kernel.h"

#if defined(WRITHE_PORTABLE_KERNELS)
#include <hwy/targets.h>
#endif

namespace writhe::pd {

#if defined(WRITHE_PORTABLE_KERNELS)
namespace base {
extern const BundleKernel kernel;
}
namespace avx2 {
extern const BundleKernel kernel;
}
namespace avx512 {
extern const BundleKernel kernel;
}
const BundleKernel& bundle_kernel() {
  const auto targets = hwy::SupportedTargets();
  if (targets & HWY_AVX3) return avx512::kernel;
  if (targets & HWY_AVX2) return avx2::kernel;
  return base::kernel;
}
#else
namespace native {
extern const BundleKernel kernel;
}
const BundleKernel& bundle_kernel() { return native::kernel; }
#endif

}  // namespace writhe::pd
