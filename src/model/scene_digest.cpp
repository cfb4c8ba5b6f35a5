#include "model/scene_digest.h"

#include <array>
#include <type_traits>

#include "base/bytes.h"
#include "model/rod_shape.h"
#include "model/scene_index.h"

namespace writhe {

namespace {

// Every value goes in with its size, so that no two different lists of values make the same bytes.
class Digest {
 public:
  template <class... T>
  void add(const T&... values) {
    (one(values), ...);
  }
  std::uint64_t value() const { return hash_of(m_out.bytes()); }

 private:
  void one(double value) { m_out.put(value == 0 ? 0.0 : value); }  // one zero only
  void one(int value) { m_out.put(value); }
  void one(bool value) { m_out.put(static_cast<int>(value)); }
  void one(const std::string& text) { m_out.put(std::string_view(text)); }
  void one(const Vec3& v) { add(v.x, v.y, v.z); }
  template <class T>
  requires std::is_enum_v<T>
  void one(const T& value) { m_out.put(static_cast<int>(value)); }
  void one(const std::array<int, 3>& v) { add(v[0], v[1], v[2]); }
  template <class A, class B>
  void one(const std::pair<A, B>& pair) {
    add(pair.first, pair.second);
  }
  template <class T>
  void one(const std::vector<T>& list) {
    m_out.put(static_cast<std::uint64_t>(list.size()));
    for (const T& item : list) one(item);
  }
  template <class T>
  void one(const std::optional<T>& value) {
    one(value.has_value());
    if (value) one(*value);
  }
  template <class... T>
  void one(const std::variant<T...>& value) {
    one(static_cast<int>(value.index()));
    std::visit([this](const auto& kind) { this->one(kind); }, value);
  }

  void one(const Ramp& v) { one(v.points); }
  template <class T>
  void one(const Track<T>& v) {
    one(v.keys);
  }
  void one(const Motion& v) { add(v.translate, v.axis, v.about, v.angle, v.twist, v.easing); }
  void one(const Material& v) { add(v.name, v.young, v.density, v.poisson, v.shear); }
  void one(const CircleSection& v) { add(v.radius); }
  void one(const TubeSection& v) { add(v.outer_radius, v.inner_radius); }
  void one(const RectangleSection& v) { add(v.width, v.height); }
  void one(const EllipseSection& v) { add(v.semi_axis1, v.semi_axis2); }
  void one(const DirectSection& v) {
    add(v.EA, v.GA, v.EI1, v.EI2, v.GJ, v.linear_density, v.inertia1, v.inertia2, v.inertia3, v.radius);
  }
  void one(const Section& v) { add(v.name, v.shape, v.shear_factor); }
  void one(const LineShape& v) { add(v.from, v.to); }
  void one(const PolylineShape& v) { add(v.points); }
  void one(const ArcShape& v) { add(v.centre, v.normal, v.start, v.radius, v.angle); }
  void one(const RingShape& v) { add(v.centre, v.normal, v.start, v.radius); }
  void one(const HelixShape& v) { add(v.centre, v.axis, v.start, v.radius, v.pitch, v.turns); }
  void one(const ParabolaShape& v) { add(v.from, v.to, v.up, v.sag); }
  void one(const CatenaryShape& v) { add(v.from, v.to, v.up, v.length); }
  void one(const ObjShape& v) { add(v.points); }  // what is in the file, not where it lies
  void one(const StraightRest& v) { add(v.length); }
  void one(const AsBuiltRest&) {}
  void one(const ShapeRest& v) { add(v.shape, v.d1); }
  void one(const CurvedRest& v) { add(v.curvature1, v.curvature2, v.twist, v.length); }
  void one(const Rod& v) {
    add(v.name, v.section, v.material, v.centreline, v.segments, v.rest, v.d1, twist_as_built(v), v.rest_twist, v.closed,
        v.closing_angle, v.closing_motion, v.taper);
  }
  void one(const Place& v) { add(v.rod, v.kind, v.fraction, v.node); }
  void one(const Junction& v) { add(v.places); }
  void one(const Support& v) { add(v.kind, v.at, v.axes, v.tangent, v.d1, v.motion); }
  void one(const ForceLoad& v) { add(v.at, v.force, v.follower); }
  void one(const MomentLoad& v) { add(v.at, v.moment, v.follower); }
  void one(const LineLoad& v) { add(v.rod, v.force_per_length); }
  void one(const DragLoad& v) { add(v.rod, v.normal, v.tangential, v.velocity); }
  void one(const WindLoad& v) { add(v.rod, v.velocity, v.density, v.coefficient); }
  void one(const Load& v) { add(v.kind, v.ramp); }
  void one(const Link& v) { add(v.kind, v.from, v.to, v.stiffness, v.rest_length, v.damping, v.ramp); }
  void one(const PlaneObstacle& v) { add(v.point, v.normal); }
  void one(const SphereObstacle& v) { add(v.centre, v.radius); }
  void one(const BoxObstacle& v) { add(v.centre, v.size, v.x, v.y); }
  void one(const CapsuleObstacle& v) { add(v.from, v.to, v.radius); }
  void one(const MeshObstacle& v) { add(v.points, v.triangles); }  // scaled and moved, wherever the file lies
  void one(const Obstacle& v) { add(v.shape, v.motion); }
  void one(const Contact& v) { add(v.self, v.between, v.pairs, v.thickness, v.stiffness); }
  void one(const Damping& v) { add(v.mass, v.internal); }

  ByteWriter m_out;
};

}  // namespace

std::uint64_t scene_digest(const Scene& scene) {
  Digest digest;
  digest.add(scene.gravity, scene.gravity_ramp, scene.materials, scene.sections, scene.rods, scene.joints, scene.supports,
             scene.loads, scene.links, scene.obstacles, scene.contact, scene.damping);
  // A material by the name of a preset is what the preset says, in this version of the program.
  const SceneIndex index(scene);
  for (const Rod& rod : scene.rods)
    if (const Material* material = index.material(rod.material)) digest.add(*material);
  return digest.value();
}

std::uint64_t solver_digest(const SolverSettings& v) {
  Digest digest;
  digest.add(v.method, v.integrator, v.tolerance, v.newton.max_iterations, v.pd.iterations, v.pd.weights, v.pd.coupling,
             v.pd.metric, v.pd.acceleration);
  return digest.value();
}

}  // namespace writhe
