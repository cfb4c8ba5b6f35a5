// What a scene amounts to before it runs: sizes, stiffnesses, and the few numbers that say how it will behave.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "writhe/model.h"

namespace writhe::study {

enum class EndCondition { free, pinned, clamped };

// An end of an open rod: what holds it, and what else is there.
struct RodEnd {
  EndCondition support = EndCondition::free;
  std::vector<std::string> joined_to;  // rods that share its node, in the order of the scene; its own rod if that comes by again
};

struct RodFacts {
  std::string name;
  bool closed = false;
  int segments = 0, nodes = 0;
  double length = 0;  // m, rest
  double mass = 0;    // kg
  // Means over the length, where the section varies.
  double EA = 0, GA = 0;               // N
  std::optional<double> EI1, EI2, GJ;  // N m^2; absent for a rod without joints, which cannot bend
  double radius = 0;                   // m, mean over the length
  std::optional<double> slenderness;   // length over radius; absent for a section given without a radius
  std::optional<double> load_number;   // rho g A L^3 / EI of the softer axis: deflection is small well below 1
  RodEnd start, end;                   // of a ring, which has none: as they are by default
  // s, lowest bending mode about the softer axis: of the straight rod alone, with the supports at its ends but without what
  // it is joined to, and without gravity; of a ring, its in-plane ovalling.
  std::optional<double> bending_period;
};

struct SceneFacts {
  std::vector<RodFacts> rods;
  int nodes = 0, segments = 0, joints = 0, frames = 0;
  int unknowns = 0;        // coordinates and rotations that are not prescribed
  std::size_t memory = 0;  // bytes of model and state; what a method needs besides is its own
};

SceneFacts facts_of(const Model& model);
// "free", "clamped", "joined", "pinned+joined"
std::string words_of(const RodEnd& end);

}  // namespace writhe::study
