#include "assembly/terms_of.h"

#include "terms/link_term.h"

namespace writhe {

std::shared_ptr<Terms> terms_of(const Model& model) {
  auto terms = std::make_shared<Terms>();
  if (!model.links().empty()) terms->add(std::make_unique<LinkTerm>(model));
  return terms;
}

}  // namespace writhe
