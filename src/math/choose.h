// A choice without a branch, so that one formula serves a number and a register of numbers (math/pack.h brings its own).
#pragma once

#include "writhe/vec.h"

namespace writhe {

// a where the condition is positive, else b.
WRITHE_FN double choose(double condition, double a, double b) { return condition > 0 ? a : b; }

}  // namespace writhe
