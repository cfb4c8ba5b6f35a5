#include "math/kernel_choice.h"
#include "solvers/pd/bundle_kernel.h"

namespace writhe::pd {

WRITHE_DEFINE_KERNEL_CHOICE(BundleKernel, bundle_kernel)

}  // namespace writhe::pd
