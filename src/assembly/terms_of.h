// The terms of a model. Above the rooms that have one.
#pragma once

#include <memory>

#include "base/parallel.h"
#include "terms/terms.h"
#include "writhe/model.h"

namespace writhe {

// Those that the scene asks for: links.
// threads: those on which a term finds what it acts on.
std::shared_ptr<Terms> terms_of(const Model& model, const Threads& threads = Threads(1));

}  // namespace writhe
