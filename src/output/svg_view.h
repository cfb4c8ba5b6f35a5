// From space to the picture: orthographic views.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "writhe/vec.h"

namespace writhe::output {

enum class View { xy, xz, yz, iso };
// Throws Error when there is no such view; `key` stands in the message.
View parse_view(std::string_view name, const std::string& key);

// px, x to the right, y down.
struct Point {
  double x = 0, y = 0;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }
inline double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
inline double norm(Point a) { return std::sqrt(dot(a, a)); }
inline Point normal_to(Point a) { return {-a.y, a.x}; }

struct Rect {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  double width() const { return x1 - x0; }
  double height() const { return y1 - y0; }
  bool overlaps(const Rect& o) const { return x0 < o.x1 && o.x0 < x1 && y0 < o.y1 && o.y0 < y1; }
  void include(Point p, double margin);
};

// Looks along -toward; right, up and toward are orthonormal and right-handed. xz is seen from -y, so that x runs to the right.
struct Camera {
  Vec3 right{1, 0, 0}, up{0, 0, 1}, toward{0, -1, 0};
  double scale = 1;  // px/m
  Point origin{};    // px of the origin of space

  static Camera looking(View view);
  Point direction(const Vec3& v) const { return {writhe::dot(v, right), -writhe::dot(v, up)}; }  // picture components, m
  Point at(const Vec3& x) const { return origin + scale * direction(x); }
  double depth(const Vec3& x) const { return writhe::dot(x, toward); }  // m, larger is nearer to the viewer
};

}  // namespace writhe::output
