// How stiffly elements resist what they join, as springs between points: what rounding errors and residuals are judged by.
#pragma once

#include <algorithm>

#include "writhe/model.h"

namespace writhe {

// N/m: of a segment (stiffness N), along the axis in which it is stiffest.
inline double segment_spring(const Vec3& stiffness, double length) {
  return std::max({stiffness.x, stiffness.y, stiffness.z}) / length;
}
inline double segment_spring(const Model& model, int s) {
  return segment_spring(model.segments().stiffness[s], model.segments().length[s]);
}

// N: of a joint (stiffness N m^2), as a force at the end of an arm of its length.
inline double joint_spring(const Vec3& stiffness, double length) {
  return std::max({stiffness.x, stiffness.y, stiffness.z}) / (length * length);
}
inline double joint_spring(const Model& model, int j) {
  return joint_spring(model.joints().stiffness[j], model.joints().length[j]);
}

}  // namespace writhe
