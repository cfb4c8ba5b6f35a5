// The terms of a model. Above the rooms that have one.
#pragma once

#include <memory>

#include "terms/terms.h"
#include "writhe/model.h"

namespace writhe {

// Those that the scene asks for: links.
std::shared_ptr<Terms> terms_of(const Model& model);

}  // namespace writhe
