#include "math/kernel_choice.h"
#include "solvers/newton/chain_kernel.h"

namespace writhe::newton {

WRITHE_DEFINE_KERNEL_CHOICE(ChainKernel, chain_kernel)

}  // namespace writhe::newton
