// Checks of rods and of the shapes they have.
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/names.h"
#include "math/rotation.h"
#include "model/catenary.h"
#include "model/centreline.h"
#include "model/check.h"
#include "model/corners.h"
#include "model/material_presets.h"
#include "model/rod_shape.h"
#include "model/section.h"

namespace writhe {

namespace {

constexpr double parallel = 1e-6;  // sine of the angle below which two directions count as one

bool are_parallel(const Vec3& a, const Vec3& b) { return norm(cross(normalized(a), normalized(b))) < parallel; }

// ---- centrelines: each shape says what it needs to be a curve of positive length ---------------------------------------
struct ShapeCheck {
  bool closed;
  std::string path;
  Problems& problems;

  void points_of(const std::vector<Vec3>& points, const std::string& at) const {
    if (problems.unread(at)) return;
    const std::size_t least = closed ? 3 : 2;
    if (points.size() < least) {
      problems.add(at, fmt::format("{} points", points.size()), fmt::format("needs {} points or more", least));
      return;
    }
    double length = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!problems.finite(path_of(at, i), points[i], "a point (m)")) return;
      if (i > 0) length += norm(points[i] - points[i - 1]);
    }
    for (std::size_t i = 1; i < points.size(); ++i)
      if (norm(points[i] - points[i - 1]) <= 1e-12 * length)
        problems.add(path_of(at, i), text_of(points[i]), "lies on the point before it; remove one of the two");
  }

  void ends(const Vec3& from, const Vec3& to) const {
    const bool start = problems.finite(path + ".from", from, "the start (m)");
    const bool end = problems.finite(path + ".to", to, "the end (m)");
    if (start && end && from == to)
      problems.add(path + ".to", text_of(to), "lies on the start: the rod has no length; move one of them");
  }

  void circle(const Vec3& centre, const std::string& axis_name, const Vec3& axis, const Vec3& start, double radius) const {
    problems.finite(path + ".centre", centre, "the centre (m)");
    problems.positive(path + ".radius", radius, "the radius of the curve (m)");
    const bool axis_fine = problems.direction(path + "." + axis_name, axis, "the direction");
    const bool start_fine = problems.direction(path + ".start", start, "the direction from the centre to the start");
    if (axis_fine && start_fine && are_parallel(axis, start))
      problems.add(path + ".start", text_of(start), "is parallel to " + axis_name + "; give a direction across it");
  }

  void operator()(const LineShape& s) const { ends(s.from, s.to); }
  void operator()(const PolylineShape& s) const { points_of(s.points, path + ".points"); }
  void operator()(const ObjShape& s) const { points_of(s.points, path); }
  void operator()(const ArcShape& s) const {
    circle(s.centre, "normal", s.normal, s.start, s.radius);
    if (!std::isfinite(s.angle) || s.angle == 0)
      problems.add(path + ".angle", text_of(s.angle), "the angle of an arc (rad) must be finite and not 0");
  }
  void operator()(const RingShape& s) const { circle(s.centre, "normal", s.normal, s.start, s.radius); }
  void operator()(const HelixShape& s) const {
    circle(s.centre, "axis", s.axis, s.start, s.radius);
    problems.finite(path + ".pitch", s.pitch, "the pitch (m a turn)");
    if (!std::isfinite(s.turns) || s.turns == 0)
      problems.add(path + ".turns", text_of(s.turns), "the number of turns must be finite and not 0 (negative: left-handed)");
  }
  void operator()(const ParabolaShape& s) const {
    ends(s.from, s.to);
    problems.finite(path + ".sag", s.sag, "the sag (m)");
    const bool up_fine = problems.direction(path + ".up", s.up, "the direction up");
    const Vec3 span = s.to - s.from;
    if (up_fine && finite(span) && norm(span) > 0 && are_parallel(span, s.up))
      problems.add(path + ".to", text_of(s.to),
                   "lies straight above or below the start: no parabola passes there; move it aside or use a line");
  }
  void operator()(const CatenaryShape& s) const {
    const bool start = problems.finite(path + ".from", s.from, "the start (m)");
    const bool end = problems.finite(path + ".to", s.to, "the end (m)");
    problems.direction(path + ".up", s.up, "the direction up");
    if (!problems.positive(path + ".length", s.length, "the length of the cable (m)") || !start || !end) return;
    const double distance = norm(s.to - s.from);
    if (s.length < distance * (1 - taut_catenary))
      problems.add(path + ".length", text_of(s.length),
                   "is shorter than the distance of the ends, " + text_of(distance) +
                       " m; give a longer one, or stretch a line: rest: {straight: {length: " + text_of(s.length) + "}}");
  }
};

void check_closes(const Centreline& shape, const std::string& path, Problems& problems) {
  if (std::holds_alternative<CatenaryShape>(shape))
    return problems.add(path, "",
                        "a catenary hangs between two ends, so the rod cannot be closed; use a ring or leave out closed");
  const bool polyline = std::holds_alternative<PolylineShape>(shape) || std::holds_alternative<ObjShape>(shape);
  if (polyline || is_loop(shape)) return;
  problems.add(path, "",
               "its end does not lie on its start, so the rod cannot be closed; use a ring or a polyline, or leave out closed");
}

// ---- parts of a rod ----------------------------------------------------------------------------------------------------
void unknown_section(const Scene& scene, const Rod& rod, const std::string& path, Problems& problems) {
  const std::vector<std::string> known = names_of(scene.sections);
  if (problems.names_unread("sections", known)) return;
  problems.add(path + ".section", rod.section, "there is no such section; " + hint(rod.section, known, "sections"));
}

// "those of the scene: rubber; presets: steel, copper, ..."
std::string known_materials(const Scene& scene) {
  const std::string presets = "presets: " + list_of(material_preset_names());
  return scene.materials.empty() ? presets : "those of the scene: " + list_of(names_of(scene.materials)) + "; " + presets;
}

void unknown_material(const Scene& scene, const Rod& rod, const std::string& path, Problems& problems) {
  std::vector<std::string> known = names_of(scene.materials);
  if (problems.names_unread("materials", known)) return;
  const std::vector<std::string> presets = material_preset_names();
  known.insert(known.end(), presets.begin(), presets.end());
  const std::string near = nearest(rod.material, known);
  problems.add(path + ".material", rod.material,
               "there is no such material; " + (near.empty() ? known_materials(scene) : "did you mean '" + near + "'?"));
}

void check_references(const SceneIndex& index, const Rod& rod, const std::string& path, Problems& problems) {
  const Section* section = index.section(rod.section);
  if (!section) unknown_section(index.scene(), rod, path, problems);
  const bool has_dimensions = section && !is_direct(*section) && !problems.unread("sections." + rod.section);
  if (rod.material.empty()) {
    if (has_dimensions)
      problems.add(path + ".material", "",
                   "a section given by its dimensions needs a material; name one; " + known_materials(index.scene()));
  } else if (!index.material(rod.material)) {
    unknown_material(index.scene(), rod, path, problems);
  }
}

void check_segments(const Rod& rod, const std::string& path, Problems& problems) {
  const int least = is_closed(rod) ? 3 : 1;
  if (rod.segments < least)
    problems.add(path + ".segments", text_of(rod.segments),
                 fmt::format("{} rod needs {} or more segments", least == 3 ? "a closed" : "a", least));
}

// A curve whose turns the segments do not show would be another one without a word.
void check_turns(const Rod& rod, const Centreline& shape, const std::string& path, const std::string& key, Problems& problems) {
  if (problems.any_at(path + key) || problems.any_at(path + ".segments")) return;
  const double turns = turns_of(shape), most = 0.25 * (1 + 1e-12);  // of a segment
  if (turns <= most * rod.segments) return;
  problems.add(path + ".segments", text_of(rod.segments),
               fmt::format("too few for the {}: each would turn by {:.0f} degrees; use at least {:.10g} segments, a quarter turn "
                           "each",
                           key.substr(1), 360 * turns / rod.segments, std::ceil(4 * turns * (1 - 1e-12))));
}

// Two equal segments reach every end but the start, one only what is as far away as it is long.
void check_slack(const Rod& rod, const Centreline& shape, const std::string& path, const std::string& key, Problems& problems) {
  const auto* cable = std::get_if<CatenaryShape>(&shape);
  if (!cable || problems.any_at(path + key) || problems.any_at(path + ".segments")) return;
  const double distance = norm(cable->to - cable->from);
  const int least = cable->length <= distance * (1 + taut_catenary) ? 1 : distance <= 1e-12 * cable->length ? 3 : 2;
  if (rod.segments >= least) return;
  problems.add(path + ".segments", text_of(rod.segments),
               fmt::format("too few for the slack of the {}; use at least {} segments, and some ten for a good shape",
                           key.substr(1), least));
}

void check_twist(const Rod& rod, const std::string& key, double twist, const std::string& path, Problems& problems) {
  if (!problems.finite(path + key, twist, "the twist over the whole rod (rad)") || rod.segments < 1) return;
  if (problems.unread(path + ".segments")) return;
  if (std::abs(twist) < pi * rod.segments) return;
  problems.add(path + key, text_of(twist),
               fmt::format("is half a turn or more for every segment; use at least {:.0f} segments",
                           std::floor(std::abs(twist) / pi) + 1));
}

// Whole turns are in the frames along the rod, and nowhere else: those of the angle must be those of initial_twist, where both
// are given.
void check_closing_angle(const Rod& rod, const std::string& path, Problems& problems) {
  if (rod.initial_twist || !is_closed(rod))  // else it is the twist, and checked as that
    if (!problems.finite(path, rod.closing_angle, "the closing angle (rad)")) return;
  const bool loses_turns = rod.initial_twist && std::abs(rod.closing_angle) > pi &&
                           std::abs(rod.closing_angle - *rod.initial_twist) > pi * (1 + 1e-12);
  if (!loses_turns || !is_closed(rod)) return;
  problems.add(path, text_of(rod.closing_angle),
               fmt::format("is more than half a turn from initial_twist ({}), and a joint holds no whole turns; leave "
                           "initial_twist out, or give it as many turns",
                           text_of(*rod.initial_twist)));
}

void check_taper(const SceneIndex& index, const Rod& rod, const std::string& path, Problems& problems) {
  const Section* section = index.section(rod.section);
  if (!rod.taper.empty() && section && is_direct(*section))
    problems.add(path + ".taper", "",
                 "a section with stiffnesses given directly has no dimensions to taper; give its dimensions instead");
  for (std::size_t i = 0; i < rod.taper.size(); ++i) {
    const auto& [fraction, factor] = rod.taper[i];
    const std::string here = path_of(path + ".taper", i);
    if (!(fraction >= 0 && fraction <= 1))
      problems.add(here, text_of(fraction), "the fraction of the length must lie between 0 and 1");
    if (i > 0 && fraction <= rod.taper[i - 1].first && !problems.unread(path_of(path + ".taper", i - 1)))
      problems.add(here, text_of(fraction), "fractions must increase; this one follows " + text_of(rod.taper[i - 1].first));
    problems.positive(here, factor, "the factor on the section");
  }
}

// Dimensions can be positive and still too small or too large for their products to be numbers.
void check_properties(const SceneIndex& index, const Rod& rod, const std::string& path, Problems& problems) {
  const Section* section = index.section(rod.section);
  const Material* material = index.material(rod.material);
  if (!section || (!material && !is_direct(*section)) || problems.any_at(path + ".taper")) return;
  if (problems.any_at("sections." + rod.section) || problems.any_at("materials." + rod.material)) return;
  const auto usable = [](const Vec3& v) { return finite(v) && v.x > 0 && v.y > 0 && v.z > 0; };
  const auto fine_at = [&](double factor) {
    const SectionProperties p = section_properties(*section, material, factor);
    return usable(p.stretch) && usable(p.bend) && usable(p.inertia) && std::isfinite(p.linear_density) && p.linear_density > 0;
  };
  bool fine = fine_at(1);
  for (const auto& point : rod.taper) fine = fine && fine_at(point.second);
  if (!fine)
    problems.add(path + ".section", rod.section,
                 "with this material it has a stiffness or a mass that is 0 or infinite in double precision; check the units (m, "
                 "Pa, kg/m^3)");
}

// Segments that turn too far would be a polygon that does not look like the curve; twists of half a turn a segment, another
// twist.
void check_curved_rest(const Rod& rod, const CurvedRest& rest, const std::string& path, Problems& problems) {
  const std::string at = path + ".rest.curvature";
  bool fine = !problems.unread(path + ".rest") && !problems.any_at(path + ".segments") && !problems.unread(path + ".segments");
  fine = problems.finite(at, rest.curvature1, "the curvature about d1 (1/m)") && fine;
  fine = problems.finite(at, rest.curvature2, "the curvature about d2 (1/m)") && fine;
  fine = problems.finite(path + ".rest.twist", rest.twist, "the twist (rad/m)") && fine;
  if (rest.length) fine = problems.positive(path + ".rest.length", *rest.length, "the rest length (m)") && fine;
  if (rod.rest_twist != 0)
    problems.add(path + ".rest_twist", text_of(rod.rest_twist),
                 "the rest shape has a twist of its own; leave this out and give rest.twist (rad/m)");
  if (!fine || (!rest.length && (problems.any_at(path + ".centreline") || problems.unread(path + ".centreline")))) return;
  const double length = rest.length.value_or(centreline_length(rod.centreline, is_closed(rod)));
  const double bend = std::hypot(rest.curvature1, rest.curvature2) * length, twist = std::abs(rest.twist) * length;
  const double curvature = std::hypot(rest.curvature1, rest.curvature2);
  if (bend > pi / 2 * rod.segments * (1 + 1e-12))
    problems.add(at, text_of(curvature) + " 1/m in all",
                 fmt::format("turns the rod by {:.0f} degrees a segment; use at least {:.0f} segments, a quarter turn each",
                             bend / rod.segments * 180 / pi, std::ceil(bend / (pi / 2) * (1 - 1e-12))));
  if (twist >= pi * rod.segments)
    problems.add(
        path + ".rest.twist", text_of(rest.twist),
        fmt::format("is half a turn or more for every segment; use at least {:.0f} segments", std::floor(twist / pi) + 1));
}

void check_rest(const Rod& rod, const std::string& path, Problems& problems) {
  if (const auto* straight = std::get_if<StraightRest>(&rod.rest); straight && straight->length)
    problems.positive(path + ".rest.straight.length", *straight->length, "the rest length (m)");
  if (const auto* own = std::get_if<ShapeRest>(&rod.rest)) {
    check_centreline(own->shape, false, path + ".rest.shape", problems);
    check_turns(rod, own->shape, path, ".rest.shape", problems);
    check_slack(rod, own->shape, path, ".rest.shape", problems);
    if (own->d1) problems.direction(path + ".rest.d1", *own->d1, "the direction d1");
  }
  if (const auto* curved = std::get_if<CurvedRest>(&rod.rest)) check_curved_rest(rod, *curved, path, problems);
}

}  // namespace

void check_centreline(const Centreline& shape, bool closed, const std::string& path, Problems& problems) {
  const char* const kinds[] = {"line", "polyline", "arc", "ring", "helix", "parabola", "obj", "catenary"};
  std::visit(ShapeCheck{closed, path + "." + kinds[shape.index()], problems}, shape);
  if (problems.any_at(path)) return;
  const double length = centreline_length(shape, closed);
  if (!std::isfinite(length) || length < 1e-100)
    problems.add(path, text_of(length) + " m", "is not a usable length; check the units (m)");
  else if (closed)
    check_closes(shape, path, problems);
}

void check_rod(const SceneIndex& index, const Rod& rod, const std::string& path, Problems& problems) {
  check_references(index, rod, path, problems);
  check_segments(rod, path, problems);
  check_centreline(rod.centreline, is_closed(rod), path + ".centreline", problems);
  check_turns(rod, rod.centreline, path, ".centreline", problems);
  check_slack(rod, rod.centreline, path, ".centreline", problems);
  check_rest(rod, path, problems);
  check_corners(rod, path, problems);
  if (rod.d1) problems.direction(path + ".d1", *rod.d1, "the direction d1");
  check_twist(rod, rod.initial_twist ? ".initial_twist" : ".closing_angle", twist_as_built(rod), path, problems);
  check_twist(rod, ".rest_twist", rod.rest_twist, path, problems);
  check_closing_angle(rod, path + ".closing_angle", problems);
  const bool known_open = !is_closed(rod) && !problems.unread(path + ".closed") && !problems.unread(path + ".centreline");
  if (rod.closing_angle != 0 && known_open)
    problems.add(path + ".closing_angle", text_of(rod.closing_angle),
                 "only a closed rod has one; set closed: true or leave it out");
  check_closing_motion(index.scene(), rod.closing_motion, path + ".closing_motion", problems);
  if (!rod.closing_motion.keys.empty() && known_open)
    problems.add(path + ".closing_motion", "", "only a closed rod has one; set closed: true or leave it out");
  check_taper(index, rod, path, problems);
  problems.finite(path + ".velocity", rod.velocity, "the velocity (m/s)");
  check_properties(index, rod, path, problems);
}

void check_frames(const RodShape& shape, const std::optional<Vec3>& d1, const std::string& path, const std::string& d1_path,
                  Problems& problems) {
  const std::vector<Vec3>& points = shape.points;
  const std::vector<double> chord = chord_lengths(points);
  const std::size_t n = chord.size();
  const double mean = std::accumulate(chord.begin(), chord.end(), 0.0) / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (chord[i] > 1e-9 * mean) continue;
    problems.add(path, fmt::format("segment {}", i),
                 fmt::format("has no length: the curve returns to where the segment began; use other than {} segments", n));
    return;
  }
  for (std::size_t i = shape.loop ? 0 : 1; i < n; ++i) {
    const std::size_t before = (i + n - 1) % n;
    const double cosine = dot(points[i + 1] - points[i], points[before + 1] - points[before]) / (chord[i] * chord[before]);
    if (cosine > -1 + 1e-9) continue;
    problems.add(path, fmt::format("node {} at {}", i, text_of(points[i])),
                 "the rod turns straight back on itself here; give it a bend with some width");
    return;
  }
  if (d1 && are_parallel(*d1, points[1] - points[0]))
    problems.add(d1_path, text_of(*d1), "is parallel to the rod at its start; give a direction across it");
}

}  // namespace writhe
