// Reads and writes registers of a structure of arrays. Include only from *_kernel.cpp files, as math/pack.h.
#pragma once

#include "math/pack.h"
#include "writhe/vec.h"

namespace writhe::WRITHE_ISA {

using PVec3 = TVec3<Pack>;
using PQuat = TQuat<Pack>;
using PSym3 = TSym3<Pack>;
using PMat3 = TMat3<Pack>;

// Place: at(r, p) is where the register at place p of row r lies. A vector takes as many rows as it has components.
template <class Place>
struct PackRows : Place {
  using Place::at;
  WRITHE_FN Pack scalar(int r, int p) const { return Pack::load(at(r, p)); }
  WRITHE_FN PVec3 vec(int r, int p) const { return vec(r, p, 1); }
  WRITHE_FN PVec3 vec(int r, int p, int step) const { return {scalar(r, p), scalar(r + step, p), scalar(r + 2 * step, p)}; }
  WRITHE_FN PQuat quat(int r, int p) const { return {scalar(r, p), scalar(r + 1, p), scalar(r + 2, p), scalar(r + 3, p)}; }
  WRITHE_FN PSym3 sym(int r, int p) const {
    return {scalar(r, p), scalar(r + 1, p), scalar(r + 2, p), scalar(r + 3, p), scalar(r + 4, p), scalar(r + 5, p)};
  }
  WRITHE_FN void put(int r, int p, const Pack& v) const { v.store(at(r, p)); }
  WRITHE_FN void put(int r, int p, const PVec3& v) const {
    put(r, p, v.x);
    put(r + 1, p, v.y);
    put(r + 2, p, v.z);
  }
  WRITHE_FN void put(int r, int p, const PQuat& q) const {
    put(r, p, q.w);
    put(r + 1, p, q.x);
    put(r + 2, p, q.y);
    put(r + 3, p, q.z);
  }
  WRITHE_FN void put(int r, int p, const PSym3& s) const {
    put(r, p, s.xx);
    put(r + 1, p, s.xy);
    put(r + 2, p, s.xz);
    put(r + 3, p, s.yy);
    put(r + 4, p, s.yz);
    put(r + 5, p, s.zz);
  }
};

// The far side of a joint: `next` where there is one (condition positive), else the near side itself, so that the angle is zero
// and not one without meaning.
WRITHE_FN PQuat far_side(const Pack& condition, const PQuat& next, const PQuat& q) {
  return {choose(condition, next.w, q.w), choose(condition, next.x, q.x), choose(condition, next.y, q.y),
          choose(condition, next.z, q.z)};
}

}  // namespace writhe::WRITHE_ISA
