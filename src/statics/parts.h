// Which unknowns belong to which part, and how large and stiff each part is. A part is what stands on its own: a component of the
// model, or an island of components that terms couple.
#pragma once

#include <span>
#include <vector>

#include "assembly/assembly.h"
#include "solvers/islands.h"
#include "writhe/model.h"

namespace writhe::statics {

struct PartScale {
  double length = 0;    // m: of the longest rod
  double mass = 0;      // kg
  double flexural = 0;  // N m^2: largest bending or torsional stiffness
  double stretch = 0;   // N/m: stiffest segment
  // 1/s^2: size of the lowest eigenvalue without loads, if the rods are alike. Rods of one segment have no joints and do not
  // bend.
  double softness() const { return (flexural > 0 ? flexural / (length * length * length) : stretch) / mass; }
};

class Parts {
 public:
  // The assembly is one of all rods.
  Parts(const Model& model, const assembly::Assembly& assembly, std::span<const Islands::Island> islands = {});

  int of_component(int component) const { return m_of_component[component]; }
  int count() const { return static_cast<int>(m_scales.size()); }
  int of_block(int block) const { return m_of_block[block]; }
  const PartScale& scale(int part) const { return m_scales[part]; }

 private:
  std::vector<int> m_of_component, m_of_block;
  std::vector<PartScale> m_scales;
};

}  // namespace writhe::statics
