#include "assembly/terms_of.h"

#include "contact/contact_term.h"
#include "terms/link_term.h"

namespace writhe {

std::shared_ptr<Terms> terms_of(const Model& model, const Threads& threads) {
  auto terms = std::make_shared<Terms>();
  if (!model.links().empty()) terms->add(std::make_unique<LinkTerm>(model));
  if (contact::ContactTerm::is_needed(model)) terms->add(std::make_unique<contact::ContactTerm>(model, threads));
  return terms;
}

}  // namespace writhe
