// Reads and writes registers of a structure of arrays. Include only from *_kernel.cpp files, as math/pack.h.
#pragma once

#include "math/pack.h"
#include "writhe/vec.h"

namespace writhe::WRITHE_ISA {

using PVec3 = TVec3<Pack>;
using PQuat = TQuat<Pack>;
using PSym3 = TSym3<Pack>;
using PMat3 = TMat3<Pack>;

// Arrays: row(r) is where row r begins. A vector takes as many rows as it has components; p counts numbers within a row.
template <class Arrays>
struct PackRows {
  const Arrays& a;
  WRITHE_FN Pack scalar(int r, int p) const { return Pack::load(a.row(r) + p); }
  WRITHE_FN PVec3 vec(int r, int p) const { return {scalar(r, p), scalar(r + 1, p), scalar(r + 2, p)}; }
  WRITHE_FN PQuat quat(int r, int p) const { return {scalar(r, p), scalar(r + 1, p), scalar(r + 2, p), scalar(r + 3, p)}; }
  WRITHE_FN PSym3 sym(int r, int p) const {
    return {scalar(r, p), scalar(r + 1, p), scalar(r + 2, p), scalar(r + 3, p), scalar(r + 4, p), scalar(r + 5, p)};
  }
  WRITHE_FN void put(int r, int p, const Pack& v) const { v.store(a.row(r) + p); }
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
};

// The far side of a joint: `next` where there is one (condition positive), else the near side itself, so that the angle is zero
// and not one without meaning.
WRITHE_FN PQuat far_side(const Pack& condition, const PQuat& next, const PQuat& q) {
  return {choose(condition, next.w, q.w), choose(condition, next.x, q.x), choose(condition, next.y, q.y),
          choose(condition, next.z, q.z)};
}

}  // namespace writhe::WRITHE_ISA
