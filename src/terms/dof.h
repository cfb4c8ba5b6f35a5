// What a term of the incremental potential acts on, named so that it holds in any assembly.
#pragma once

#include <compare>
#include <cstdint>

#include "writhe/vec.h"

namespace writhe {

// Three unknowns: the position of a node (m, space), or the turn of an orientation (rad, body components: q -> q exp(delta/2)).
struct Dof {
  enum class Kind : std::uint8_t { node, orientation } kind = Kind::node;
  int index = 0;  // of a node or an orientation of the model

  static Dof node(int index) { return {Kind::node, index}; }
  static Dof orientation(int index) { return {Kind::orientation, index}; }
  friend auto operator<=>(const Dof&, const Dof&) = default;
};

// A part of a tangent: the derivative of the gradient (less the force) at `row` by the unknowns of `column`.
struct TangentBlock {
  Dof row, column;
  Mat3 value;
};

}  // namespace writhe
