// Forces of contact in a picture: arrows from the rods' surfaces, in the direction in which the rod is pressed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contact/contacts.h"
#include "output/contact_scale.h"
#include "output/svg_obstacles.h"
#include "output/svg_view.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::output {

class ContactMarks {
 public:
  // Scaled by what presses in these states; nothing is drawn where nothing does.
  ContactMarks(const Model& model, std::span<const State> states);

  // But for what is hidden.
  std::string draw(const State& state, const Camera& camera, const Hiding& hiding);
  // An arrow and what it stands for; moves `x` to its right edge.
  std::string legend(double& x, double y) const;

 private:
  const Model& m_model;
  std::optional<contact::Contacts> m_contacts;  // where anything may touch
  ContactScale m_scale;
};

}  // namespace writhe::output
