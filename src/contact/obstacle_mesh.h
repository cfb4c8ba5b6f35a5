// A surface of triangles as contact knows it: triangles, edges and corners, each with a weight, so that the sum of what they do
// does not depend on how the surface is cut into triangles. docs/theory/contact.md, "Meshes".
#pragma once

#include <array>
#include <vector>

#include "contact/box_tree.h"
#include "contact/span.h"
#include "contact/touch.h"
#include "writhe/scene.h"

namespace writhe::contact {

class ObstacleMesh {
 public:
  // Points at one place are one. Triangles with two corners at one place, and those that repeat another, are left out.
  explicit ObstacleMesh(const MeshObstacle& mesh);

  // Features are those of a weight other than 0: triangles, then edges, then corners.
  int feature_count() const { return corner_begin() + static_cast<int>(m_corners.size()); }
  double weight(int feature) const { return m_weight[feature]; }
  Touch touch(int feature, const Vec3& point) const;

  // Appends, in ascending order, those whose boxes meet the box; triangles whose planes do not meet it are left out.
  void find(const Box& box, std::vector<int>& features) const;
  // m, of the surface, on either side; infinite without triangles.
  double distance(const Vec3& point) const;
  Box bounds() const { return m_tree.bounds(); }

  // Whether every edge has an even number of triangles: then there is an inside.
  bool is_closed() const { return m_open_edges == 0 && !m_faces.empty(); }
  // Inside, whatever the orientation of the triangles; never for a surface that is open. Within rounding of the surface it may be
  // either.
  bool contains(const Vec3& point) const;

  // What is worth a warning.
  int open_edges() const { return m_open_edges; }
  int left_out() const { return m_left_out; }  // triangles
  int thin() const { return m_thin; }          // triangles without an area that count by their edges alone

 private:
  struct Face {
    std::array<int, 3> point;
    Vec3 normal;  // unit; zero where the triangle is too thin to have one, and only its edges count
  };
  using Edge = std::array<int, 2>;

  void merge(const MeshObstacle& mesh);
  void weigh();
  void plant();
  int edge_begin() const { return static_cast<int>(m_faces.size()); }
  int corner_begin() const { return edge_begin() + static_cast<int>(m_edges.size()); }
  Box box_of_feature(int feature) const;
  Touch touch_of_face(const Face& face, const Vec3& point) const;
  bool plane_meets(const Face& face, const Box& box) const;
  bool is_odd_along(int axis, const Vec3& point) const;

  std::vector<Vec3> m_points;  // m
  std::vector<Face> m_faces;
  std::vector<Edge> m_edges;  // of a weight other than 0, as the corners
  std::vector<int> m_corners;
  std::vector<double> m_weight;
  BoxTree m_tree, m_face_tree;
  int m_open_edges = 0, m_left_out = 0, m_thin = 0;
};

}  // namespace writhe::contact
