// The text format of USD, as openusd.org documents it ("USD file formats" and the schema of UsdGeomBasisCurves).
//
// Curves are linear: straight between the nodes, as the rod of the simulation is, and every reader draws them. A cubic basis
// would look smoother, but cuts the corners of a net and needs a reader that knows pinned ends.
#include "output/usd_stage.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "assembly/end_forces.h"
#include "base/names.h"
#include "base/print_to.h"
#include "measure/node_fields.h"
#include "model/obstacle_pose.h"
#include "output/file_replacement.h"
#include "output/obstacle_surface.h"
#include "writhe/error.h"

namespace writhe::output {

namespace {

using measure::NodeFields;

// ---- values as text ----------------------------------------------------------------------------------------------------
// USD's curves are made of floats: shortest text that reads back to the same one.
void append_value(std::string& out, double value) {
  const auto narrow = static_cast<float>(value);
  if (!std::isfinite(narrow)) {
    throw Error("output.formats", fmt::format("{}", value),
                "is too large for USD, whose curves are made of floats; leave out usd");
  }
  print_to(out, "{}", narrow);
}

template <std::size_t N>
void append_value(std::string& out, const std::array<double, N>& values) {
  out += '(';
  for (std::size_t i = 0; i < N; ++i) {
    if (i > 0) out += ", ";
    append_value(out, values[i]);
  }
  out += ')';
}
void append_value(std::string& out, const Vec3& v) { append_value(out, std::array{v.x, v.y, v.z}); }
void append_value(std::string& out, const Quat& q) { append_value(out, std::array{q.w, q.x, q.y, q.z}); }

// `value_of(k)` of the first `count` nodes.
template <class ValueOf>
void append_list(std::string& out, std::size_t count, const ValueOf& value_of) {
  out += '[';
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 0) out += ", ";
    append_value(out, value_of(k));
  }
  out += ']';
}

std::string usd_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out + "\"";
}

// Without an exponent, which not every reader takes for a time.
std::string fixed(double value) {
  std::string out = fmt::format("{:.9f}", value);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out;
}

// ---- attributes that change over time ------------------------------------------------------------------------------------
struct Attribute {
  std::string_view type, name;
  bool interpolated;    // needs to be told that there is one value a point
  std::size_t numbers;  // a point
  void (*append)(std::string& out, const NodeFields& fields, std::size_t count);
};

// The box around the tube.
void append_extent(std::string& out, const NodeFields& fields, std::size_t) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Vec3 low{infinity, infinity, infinity}, high = -low;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const Vec3& x = fields.position[k];
    const double r = fields.radius[k];
    low = {std::min(low.x, x.x - r), std::min(low.y, x.y - r), std::min(low.z, x.z - r)};
    high = {std::max(high.x, x.x + r), std::max(high.y, x.y + r), std::max(high.z, x.z + r)};
  }
  append_list(out, 2, [&](std::size_t i) { return i == 0 ? low : high; });
}

template <auto Member>
void append_member(std::string& out, const NodeFields& fields, std::size_t count) {
  append_list(out, count, [&](std::size_t k) { return (fields.*Member)[k]; });
}

template <measure::Field field>
void append_scalar(std::string& out, const NodeFields& fields, std::size_t count) {
  append_list(out, count, [&](std::size_t k) { return measure::scalar_at(fields, field, k); });
}

void append_normals(std::string& out, const NodeFields& fields, std::size_t count) {
  append_list(out, count, [&](std::size_t k) { return rotate(fields.frame[k], Vec3{1, 0, 0}); });
}

void append_shear(std::string& out, const NodeFields& fields, std::size_t count) {
  append_list(out, count, [&](std::size_t k) { return std::array{fields.force[k].x, fields.force[k].y}; });
}

constexpr std::array attributes{
    Attribute{"point3f[]", "points", false, 3, append_member<&NodeFields::position>},
    Attribute{"vector3f[]", "velocities", false, 3, append_member<&NodeFields::velocity>},
    Attribute{"normal3f[]", "normals", true, 3, append_normals},
    Attribute{"float3[]", "extent", false, 0, append_extent},
    Attribute{"float[]", "primvars:tension", true, 1, append_scalar<measure::Field::tension>},
    Attribute{"float[]", "primvars:curvature", true, 1, append_scalar<measure::Field::curvature>},
    Attribute{"float[]", "primvars:twist", true, 1, append_scalar<measure::Field::twist>},
    Attribute{"float2[]", "primvars:shear", true, 2, append_shear},
    Attribute{"float3[]", "primvars:moment", true, 3, append_member<&NodeFields::moment>},
    Attribute{"float3[]", "primvars:strain", true, 3, append_member<&NodeFields::strain>},
    Attribute{"quatf[]", "primvars:frame", true, 4, append_member<&NodeFields::frame>},
};

// ---- the stage -----------------------------------------------------------------------------------------------------------
// Writes the attributes of all rods in their order. Each needs every frame, so several are made in one pass over the frames: the
// first goes straight to the file, however long it gets, the others wait for it in memory.
class StageWriter {
 public:
  StageWriter(const Model& model, FrameStore& store, const std::filesystem::path& path, std::size_t memory)
      : m_model(model),
        m_store(store),
        m_memory(memory),
        m_joints(measure::segment_joints(model)),
        m_forces(model),
        m_first_forces(model),
        m_file(path) {
    const double interval = model.scene().output.frame_interval;
    m_codes_per_second = 1 / (interval > 0 ? std::min(interval, 1.0) : model.scene().dt);  // rare frames count in seconds
    std::vector<std::string> names = names_of(model.rods());
    names.emplace_back("Obstacles");
    m_names = usd_names(names);
    m_store.read(0, m_first);
    m_first_forces.update(m_first);
  }

  void write() {
    m_file.write(header());
    const std::size_t count = m_model.rods().size() * attributes.size();
    for (std::size_t first = 0; first < count;) {
      std::size_t last = first + 1, waiting = 0;
      while (last < count && (waiting += text_size(last)) <= m_memory) ++last;
      write_samples(first, last);
      first = last;
    }
    if (!m_model.scene().obstacles.empty()) write_obstacles();
    m_file.write("}\n");
    m_file.commit();
  }

 private:
  // A unit of work: an attribute of a rod.
  static const Attribute& attribute_of(std::size_t unit) { return attributes[unit % attributes.size()]; }
  static int rod_of(std::size_t unit) { return static_cast<int>(unit / attributes.size()); }

  // A ring closes by its wrap, without repeating a point.
  std::size_t points_of(int rod) const {
    const RodRange& range = m_model.rods()[rod];
    return static_cast<std::size_t>(range.segment_count) + (range.closed ? 0 : 1);
  }

  std::size_t text_size(std::size_t unit) const {  // bytes, an estimate
    constexpr std::size_t number = 14, sample = 160;
    return m_store.count() * (sample + number * attribute_of(unit).numbers * points_of(rod_of(unit)));
  }

  const NodeFields& fields_of(int rod, const State& state, const assembly::EndForces& forces) {
    measure::node_fields(m_model, state, m_joints, rod, m_fields, &forces.ends());
    return m_fields;
  }

  void write_samples(std::size_t first, std::size_t last) {
    begin_unit(first);
    std::vector<std::string> texts(last - first);
    for (std::size_t frame = 0; frame < m_store.count(); ++frame) {
      m_store.read(frame, m_state);
      m_forces.update(m_state);
      const std::string code = time_code(m_state.time);
      for (std::size_t unit = first; unit < last; ++unit) {
        const bool next_rod = unit == first || rod_of(unit) != rod_of(unit - 1);
        if (next_rod) fields_of(rod_of(unit), m_state, m_forces);
        std::string& text = texts[unit - first];
        text += "            " + code + ": ";
        attribute_of(unit).append(text, m_fields, points_of(rod_of(unit)));
        text += ",\n";
      }
      m_file.write(texts.front());
      texts.front().clear();
    }
    end_unit(first);
    for (std::size_t unit = first + 1; unit < last; ++unit) {
      begin_unit(unit);
      m_file.write(texts[unit - first]);
      end_unit(unit);
    }
  }

  // The value without a time, which carries the interpolation, is that of the first frame.
  void begin_unit(std::size_t unit) {
    const Attribute& attribute = attribute_of(unit);
    const int rod = rod_of(unit);
    std::string out = unit % attributes.size() == 0 ? rod_header(rod) : "";
    if (attribute.interpolated) {
      out += fmt::format("        {} {} = ", attribute.type, attribute.name);
      attribute.append(out, fields_of(rod, m_first, m_first_forces), points_of(rod));
      out += " (\n            interpolation = \"vertex\"\n        )\n";
    }
    m_file.write(out + fmt::format("        {} {}.timeSamples = {{\n", attribute.type, attribute.name));
  }

  void end_unit(std::size_t unit) {
    m_file.write("        }\n");
    if (unit % attributes.size() == attributes.size() - 1) m_file.write("    }\n");
  }

  void write_obstacles() {
    const std::vector<Obstacle>& obstacles = m_model.scene().obstacles;
    const std::vector<std::string> names = usd_names(names_of(obstacles));
    const Ball ball = ball_of_start(m_model);
    m_file.write(fmt::format("    def Xform \"{}\"\n    {{\n", m_names.back()));
    for (std::size_t i = 0; i < obstacles.size(); ++i) {
      m_file.write(obstacle_mesh(names[i], obstacles[i].name, surface_of(obstacles[i], ball)));
      if (obstacles[i].motion) write_poses(obstacles[i]);
      m_file.write("        }\n");
    }
    m_file.write("    }\n");
  }

  // Double sided: a sheet is met from both sides.
  static std::string obstacle_mesh(const std::string& name, const std::string& own_name, const ObstacleSurface& surface) {
    std::string out = fmt::format(
        "        def Mesh \"{}\" (\n"
        "            customData = {{\n                string name = {}\n            }}\n"
        "            displayName = {}\n"
        "        )\n        {{\n"
        "            uniform token subdivisionScheme = \"none\"\n"
        "            uniform bool doubleSided = 1\n"
        "            point3f[] points = ",
        name, usd_string(own_name), usd_string(own_name));
    append_list(out, surface.points.size(), [&](std::size_t k) { return surface.points[k]; });
    out += "\n            int[] faceVertexCounts = [";
    for (std::size_t t = 0; t < surface.corners.size(); ++t) out += t > 0 ? ", 3" : "3";
    out += "]\n            int[] faceVertexIndices = [";
    for (std::size_t t = 0; t < surface.corners.size(); ++t)
      print_to(out, "{}{}, {}, {}", t > 0 ? ", " : "", surface.corners[t][0], surface.corners[t][1], surface.corners[t][2]);
    return out + "]\n";
  }

  // x -> orient x + translate: the order of the two, the outer one first.
  void write_poses(const Obstacle& obstacle) {
    std::string translate, orient;
    for (std::size_t frame = 0; frame < m_store.count(); ++frame) {
      m_store.read(frame, m_state);
      const Pose pose = pose_of(obstacle, m_state.time);
      for (std::string* const text : {&translate, &orient}) *text += "                " + time_code(m_state.time) + ": ";
      append_value(translate, pose.shift);
      append_value(orient, pose.turn);
      for (std::string* const text : {&translate, &orient}) *text += ",\n";
    }
    m_file.write("            float3 xformOp:translate.timeSamples = {\n" + translate + "            }\n");
    m_file.write("            quatf xformOp:orient.timeSamples = {\n" + orient + "            }\n");
    m_file.write("            uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n");
  }

  std::string time_code(double time) const { return fixed(time * m_codes_per_second); }

  std::string header() {
    m_store.read(m_store.count() - 1, m_state);
    return fmt::format(
        "#usda 1.0\n(\n"
        "    defaultPrim = \"Rods\"\n"
        "    doc = {}\n"
        "    endTimeCode = {}\n"
        "    framesPerSecond = {}\n"
        "    metersPerUnit = 1\n"
        "    startTimeCode = {}\n"
        "    timeCodesPerSecond = {}\n"
        "    upAxis = \"Z\"\n"
        ")\n\ndef Xform \"Rods\"\n{{\n",
        usd_string("Elastic rods over time, by Writhe. SI units."), time_code(m_state.time), fixed(m_codes_per_second),
        time_code(m_first.time), fixed(m_codes_per_second));
  }

  std::string rod_header(int rod) {
    const RodRange& range = m_model.rods()[rod];
    const NodeFields& fields = fields_of(rod, m_first, m_first_forces);
    const std::size_t points = points_of(rod);
    std::string out = fmt::format(
        "    def BasisCurves \"{}\" (\n"
        "        customData = {{\n            string name = {}\n        }}\n"
        "        displayName = {}\n"
        "    )\n    {{\n"
        "        uniform token type = \"linear\"\n"
        "        uniform token wrap = \"{}\"\n"
        "        int[] curveVertexCounts = [{}]\n",
        m_names[static_cast<std::size_t>(rod)], usd_string(range.name), usd_string(range.name),
        range.closed ? "periodic" : "nonperiodic", points);
    append_constant(out, "widths", points, [&](std::size_t k) { return 2 * fields.radius[k]; });
    append_constant(out, "primvars:arc_length", points, [&](std::size_t k) { return fields.arc_length[k]; });
    return out;
  }

  template <class ValueOf>
  static void append_constant(std::string& out, std::string_view name, std::size_t points, const ValueOf& value_of) {
    out += fmt::format("        float[] {} = ", name);
    append_list(out, points, value_of);
    out += " (\n            interpolation = \"vertex\"\n        )\n";
  }

  const Model& m_model;
  FrameStore& m_store;
  std::size_t m_memory;
  measure::SegmentJoints m_joints;
  assembly::EndForces m_forces, m_first_forces;  // of m_state, of m_first
  FileReplacement m_file;
  double m_codes_per_second;
  std::vector<std::string> m_names;  // of the rods, and what the obstacles are in
  State m_first, m_state;
  NodeFields m_fields;
};

std::string usd_name(const std::string& name) {
  std::string out;
  for (const char c : name)
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128 ? c : '_';
  if (out.empty() || (out[0] >= '0' && out[0] <= '9')) out.insert(0, "_");
  return out;
}

}  // namespace

std::vector<std::string> usd_names(const std::vector<std::string>& names) {
  std::set<std::string> taken;
  std::vector<std::string> out;
  for (const std::string& name : names) {
    const std::string base = usd_name(name);
    std::string unique = base;
    for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}_{}", base, i);
    out.push_back(unique);
  }
  return out;
}

void write_usd_stage(const Model& model, FrameStore& store, const std::filesystem::path& path, std::size_t memory) {
  StageWriter(model, store, path, memory).write();
}

}  // namespace writhe::output
