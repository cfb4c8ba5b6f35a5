// A scene as the user states it: SI units, names, nothing derived yet. `load_scene` reads one from a file,
// a program may fill one by hand; `Model` turns it into arrays and checks every value.
//
// docs/scene.md documents the same keys for the file.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "writhe/error.h"
#include "writhe/vec.h"

namespace writhe {

// A factor over time, linear between the points (time s, factor), constant before the first and after the last.
struct Ramp {
  std::vector<std::pair<double, double>> points;  // empty: 1 at all times
  double at(double time) const;
  // Over the time between: the exact integral divided by it. Where it is constant there, that value to the bit.
  double mean(double from, double to) const;
  // Likewise the c of which c|c| is the mean of what the ramp's value times its size is: for a load that goes by its square.
  double mean_by_square(double from, double to) const;
};

// How a value goes from one key to the next: evenly; with no speed at the keys (cubic); with neither speed nor acceleration
// there (quintic).
enum class Easing { linear, smooth, smoother };

// A value over time by its keys (time s, value), eased between them, constant before the first and after the last.
template <class T>
struct Track {
  std::vector<std::pair<double, T>> keys;  // empty: zero at all times
  T at(double time, Easing easing) const;
};

// How a support moves from where it is built. The whole place is turned first and translated then: a node goes to
// about + R (x - about) + translate, and a clamp's frame to R q S, with R the turn by `angle` about `axis` and S the twist about
// the frame's own d3. Angles are not reduced: two turns are not none.
struct Motion {
  Track<Vec3> translate;      // m, space
  Vec3 axis{0, 0, 1};         // direction, space; right-handed
  std::optional<Vec3> about;  // m, a point of the axis; default: the place that is held
  Track<double> angle;        // rad
  Track<double> twist;        // rad, clamps only
  Easing easing = Easing::linear;
};

// ---- materials and sections --------------------------------------------------------------------------------------
struct Material {
  std::string name;
  double young = 0;               // Pa
  double density = 0;             // kg/m^3
  std::optional<double> poisson;  // one of poisson and shear; poisson 0.5 is incompressible
  std::optional<double> shear;    // Pa
};
// A material with numbers of its own: steel, copper, nylon, silicone, suture, hair. Null when there is none of that name. A rod
// may name one that the scene does not have. `writhe materials` tells where the numbers come from.
const Material* material_preset(const std::string& name);

struct CircleSection {
  double radius = 0;  // m
};
struct TubeSection {
  double outer_radius = 0, inner_radius = 0;  // m
};
struct RectangleSection {
  double width = 0, height = 0;  // m, along d1 and along d2
};
struct EllipseSection {
  double semi_axis1 = 0, semi_axis2 = 0;  // m, along d1 and along d2
};
// Stiffnesses given directly; needs no material.
struct DirectSection {
  double EA = 0, GA = 0;                            // N
  double EI1 = 0, EI2 = 0, GJ = 0;                  // N m^2; EI1 resists turning about d1
  double linear_density = 0;                        // kg/m
  double inertia1 = 0, inertia2 = 0, inertia3 = 0;  // kg m: rotational inertia per length about d1, d2, d3
  double radius = 0;                                // m, for drawing, wind and contact
};
struct Section {
  std::string name;
  std::variant<CircleSection, TubeSection, RectangleSection, EllipseSection, DirectSection> shape;
  double shear_factor = 1;  // GA = shear_factor * G * A
};

// ---- centrelines -------------------------------------------------------------------------------------------------
struct LineShape {
  Vec3 from{}, to{};
};
struct PolylineShape {
  std::vector<Vec3> points;
};
// Part of a circle: starts at `centre + radius * start` (start is a direction) and turns by `angle` (rad) about `normal`.
struct ArcShape {
  Vec3 centre{}, normal{0, 0, 1}, start{1, 0, 0};
  double radius = 0, angle = 0;
};
// A full circle; the rod that has it is closed.
struct RingShape {
  Vec3 centre{}, normal{0, 0, 1}, start{1, 0, 0};
  double radius = 0;
};
// Starts at `centre + radius * start`, turns about `axis` and climbs `pitch` (m) a turn; right-handed for turns > 0, left-handed
// for turns < 0. `start` is made orthogonal to `axis`, here and for arc and ring to `normal`.
struct HelixShape {
  Vec3 centre{}, axis{0, 0, 1}, start{1, 0, 0};
  double radius = 0, pitch = 0, turns = 0;
};
// Hangs between two points with the given sag (m) in the middle, along -up.
struct ParabolaShape {
  Vec3 from{}, to{}, up{0, 0, 1};
  double sag = 0;
};
// A heavy cable of the given length (m) that hangs between two points, `up` being against gravity; at least as long as their
// distance, then a straight line.
struct CatenaryShape {
  Vec3 from{}, to{}, up{0, 0, 1};
  double length = 0;
};
// The polyline of a Wavefront OBJ file with one `l` element (or just its vertices in order).
struct ObjShape {
  std::string file;
  std::vector<Vec3> points;  // as read
};
using Centreline =
    std::variant<LineShape, PolylineShape, ArcShape, RingShape, HelixShape, ParabolaShape, ObjShape, CatenaryShape>;

// The stress-free shape.
struct StraightRest {
  std::optional<double> length;  // m; default: the length as built
};
struct AsBuiltRest {};
struct ShapeRest {
  Centreline shape;
  std::optional<Vec3> d1;  // direction of the section's first axis at the start of the rest shape
};
// Of constant curvature and twist along the rod: part of a circle or of a helix, or a straight rod that is twisted.
struct CurvedRest {
  double curvature1 = 0, curvature2 = 0;  // 1/m, about d1 and about d2: d3 turns towards -d2 and towards d1
  double twist = 0;                       // rad/m, right-handed about d3
  std::optional<double> length;           // m; default: the length as built
};
using Rest = std::variant<StraightRest, AsBuiltRest, ShapeRest, CurvedRest>;

struct Rod {
  std::string name;
  std::string section, material;  // names; a direct section needs no material
  Centreline centreline;          // initial shape
  int segments = 0;
  Rest rest = StraightRest{};
  std::optional<Vec3> d1;  // direction of the section's first axis at the start; made orthogonal to the rod
  // rad over the whole rod, right-handed about d3, beyond the twist-free frame, evenly spread; default: closing_angle
  std::optional<double> initial_twist;
  double rest_twist = 0;  // rad over the whole rod: the twist of the stress-free rod; 0 with a CurvedRest, which has its own
  bool closed = false;    // joins the end to the start
  // rad, of a closed rod: the closing joint sees the first frame turned by this about d3; 0 closes the twist-free frame without
  // twist. A rotation knows no whole turns: they are in the frames along the rod. Without initial_twist the ring starts with this
  // twist, evenly spread and whole turns included; with one, the closing joint has what is missing modulo a turn, half a turn at
  // most.
  double closing_angle = 0;
  Track<double> closing_motion;                  // rad, added to closing_angle over time, not reduced; linear between the keys
  std::vector<std::pair<double, double>> taper;  // (fraction of length, factor on every dimension of the section)
  Vec3 velocity{};                               // m/s: of all of it at the start, but for what supports hold
};

// ---- places ------------------------------------------------------------------------------------------------------
// `rope.start`, `rope.end`, `rope@0.25`, `rope.node[12]`.
struct Place {
  std::string rod;
  enum class Kind { start, end, fraction, node } kind = Kind::start;
  double fraction = 0;
  int node = 0;
  std::string text() const;
  // Throws Error when the text is not a place.
  static Place parse(const std::string& text);
};

// Rods that meet: the nodes at these places become one node with one free frame. They must coincide.
struct Junction {
  std::string name;
  std::vector<Place> places;
};

struct Support {
  enum class Kind { pin, clamp } kind = Kind::pin;
  Place at;
  std::string axes = "xyz";         // coordinates of the node that are held
  std::optional<Vec3> tangent, d1;  // clamp: direction of the rod and of the section's first axis; default as built
  std::optional<Motion> motion;     // of what is held; absent: it stays
};

// ---- loads -------------------------------------------------------------------------------------------------------
struct ForceLoad {
  Place at;
  Vec3 force{};  // N; space components, or d1, d2, d3 components for a follower
  bool follower = false;
};
struct MomentLoad {
  Place at;
  Vec3 moment{};  // N m; as for a force
  bool follower = false;
};
struct LineLoad {
  std::string rod;          // empty: every rod
  Vec3 force_per_length{};  // N/m, per rest length, space components
};
// Linear drag of a medium: force per length -normal * v_normal - tangential * v_tangential, v relative to the medium.
struct DragLoad {
  std::string rod;
  double normal = 0, tangential = 0;  // N s/m^2
  Vec3 velocity{};                    // m/s, of the medium
};
// Quadratic drag of a wind across the rod: 1/2 * density * coefficient * width * |v_n| * v_n per length.
struct WindLoad {
  std::string rod;
  Vec3 velocity{};           // m/s
  double density = 1.204;    // kg/m^3, air at 20 C
  double coefficient = 1.0;  // drag coefficient of the section across the flow
};
struct Load {
  std::variant<ForceLoad, MomentLoad, LineLoad, DragLoad, WindLoad> kind;
  Ramp ramp;  // scales the load (for wind: the wind's velocity)
};

// ---- links -------------------------------------------------------------------------------------------------------
// A straight link between two places, or a place and a fixed point: a spring, or a tether, which pulls when it is longer than at
// rest and else does nothing. It has no mass and turns freely about its ends.
struct Link {
  enum class Kind { spring, tether } kind = Kind::spring;
  std::string name;                    // of its columns in probes.csv; empty: it has none
  std::variant<Place, Vec3> from, to;  // a point: m, space
  double stiffness = 0;                // N/m
  std::optional<double> rest_length;   // m; default: the distance as built
  double damping = 0;                  // N s/m, along the link
  Ramp ramp;                           // factor on the rest length over time
};

// ---- contact -----------------------------------------------------------------------------------------------------
// What rods cannot enter. Each moves as a whole by its motion, a point x of it to about + R (x - about) + translate; the default
// of `about` is its centre (of a plane its point, of a capsule the middle of its axis, of a mesh the middle of its bounding box).
struct PlaneObstacle {
  Vec3 point{}, normal{0, 0, 1};  // a half space: rods stay on the side to which the normal points
};
struct SphereObstacle {
  Vec3 centre{};
  double radius = 0;  // m
};
struct BoxObstacle {
  Vec3 centre{}, size{};        // m: whole edges along x, y and their cross product
  Vec3 x{1, 0, 0}, y{0, 1, 0};  // directions; y is made orthogonal to x
};
struct CapsuleObstacle {
  Vec3 from{}, to{};
  double radius = 0;  // m
};
// Triangles of a Wavefront OBJ file; an open surface acts on both sides.
struct MeshObstacle {
  std::string file;
  double scale = 1;                           // on what the file has, then `translate`
  Vec3 translate{};                           // m
  std::vector<Vec3> points;                   // m, as they stand in the scene
  std::vector<std::array<int, 3>> triangles;  // points
};
struct Obstacle {
  std::string name;
  std::variant<PlaneObstacle, SphereObstacle, BoxObstacle, CapsuleObstacle, MeshObstacle> shape;
  std::optional<Motion> motion;  // without twist
};

// Which rods touch which; obstacles always act.
struct Contact {
  bool self = false;  // every rod itself
  enum class Between { none, all, pairs } between = Between::none;
  std::vector<std::pair<std::string, std::string>> pairs;  // of rods, with Between::pairs
  std::optional<double> thickness;  // m: distance of axes at which rods touch; default: of round sections the sum of both radii
  // N/m^2: force per length over the depth, where the gap is half of what contact begins with; default: from loads and speeds
  std::optional<double> stiffness;
  bool rods_touch() const { return self || between != Between::none; }
};

struct Damping {
  double mass = 0;      // 1/s: force -mass * m * v, moment -mass * J * w
  double internal = 0;  // s: retardation time of the strains (Kelvin-Voigt); leaves rigid motion alone
};

// ---- how to run and what to write ----------------------------------------------------------------------------------
// How a step goes through time. euler: first order, damps whatever is faster than the step. midpoint: second order, keeps energy
// and momentum; what is faster than the step goes on ringing.
enum class Integrator { euler, midpoint };

// Weights of the constant matrix and the local step. consistent: derived from the energy. published: as the paper has them;
// a rod then bends too stiffly.
enum class Weights { consistent, published };

// Whether the constant matrix couples neighbouring orientations. separate, as the paper has it: bend and twist travel one
// segment an iteration.
enum class Coupling { coupled, separate };

// The matrix of the global step. constant: factored once. refreshed: made anew in each step, positions and turns together; it
// costs a few iterations and saves many where a rod is thin and stiff. automatic: refreshed for such rods, else constant.
enum class Metric { automatic, constant, refreshed };

// What is done with the iterates of a step. anderson: combined into a better one, kept only where that helps.
enum class Acceleration { anderson, none };

struct NewtonSettings {
  int max_iterations = 100;  // of a step; one that has used them up fails
};

struct PdSettings {
  int iterations = 10;  // of a step, at most; one that has used them up is accepted
  Weights weights = Weights::consistent;
  Coupling coupling = Coupling::coupled;
  Metric metric = Metric::automatic;
  Acceleration acceleration = Acceleration::anderson;
};

// Each method looks at its own settings only, so that one scene runs on every method; the integrator must be one it has.
struct SolverSettings {
  std::string method = "newton";
  Integrator integrator = Integrator::euler;
  double tolerance = 1e-6;  // residual force over (weight + largest internal force) of a rod
  NewtonSettings newton;
  PdSettings pd;
};

struct Probe {
  std::string name;
  Place at;
  std::vector<std::string> fields{"position"};  // position velocity frame tension shear moment twist
};

struct Picture {
  std::string view = "xz";     // xy, xz, yz or iso
  std::string color = "none";  // none, tension, curvature, twist, speed
  int frames = 8;              // shapes in the time strip
};

struct Output {
  double interval = 0;               // s between rows of probes.csv; 0: every step
  std::vector<std::string> formats;  // of the shapes over time: vtk, usd, obj
  double frame_interval = 0.04;      // s between those shapes; 0: every step
  double checkpoint = 10;            // s of computing between checkpoints; 0: at the start and the end only
  std::vector<Probe> probes;
  Picture picture;
};

struct Scene {
  std::string title;
  Vec3 gravity{0, 0, -9.81};  // m/s^2
  Ramp gravity_ramp;
  std::vector<Material> materials;
  std::vector<Section> sections;
  std::vector<Rod> rods;
  std::vector<Junction> joints;
  std::vector<Support> supports;
  std::vector<Load> loads;
  std::vector<Link> links;
  std::vector<Obstacle> obstacles;
  Contact contact;
  Damping damping;
  double dt = 1e-3;    // s
  double until = 1.0;  // s
  // Whether a step that fails is halved, up to ten times, before the run gives up; default: where its method knows that it helps.
  std::optional<bool> adaptive;
  // The error in node positions that one step may make, over the length of the longest rod; a step with more is halved like one
  // that fails. Absent: errors are not looked at.
  std::optional<double> step_tolerance;
  SolverSettings solver;
  Output output;

  // Steps shorter than dt are taken where they are needed.
  bool halves_steps() const { return adaptive.value_or(false) || step_tolerance.has_value(); }

  // Where each value stood in its file, by path (`rods.rope.segments`, `supports[0].clamp`), so that a check far from the
  // parser can still point at the line. Empty for scenes built in code.
  std::map<std::string, Location> locations;
  Location where(const std::string& path) const;  // of the path or its nearest known parent
};

}  // namespace writhe
