// VTK's XML formats (docs.vtk.org, "VTK XML formats"). Arrays stand inline as base64, after their size in bytes as UInt64.
#include "output/sink_vtk.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/bytes.h"  // which makes sure that this machine is little endian, as the files are
#include "base/print_to.h"
#include "model/obstacle_pose.h"
#include "output/base64.h"
#include "output/sink_file.h"

namespace writhe::output {

namespace {

using measure::NodeFields;
using Names = std::vector<std::string_view>;

std::string file_start(std::string_view type) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n",
      type);
}

std::string_view vtk_type(double) { return "Float64"; }
std::string_view vtk_type(std::int64_t) { return "Int64"; }

// `components`: the names of two or more, or none for a scalar. `more`: further attributes.
template <class Number>
void append_array(std::string& out, std::string_view name, const Names& components, const std::vector<Number>& values,
                  std::string_view more = "") {
  print_to(out, "<DataArray type=\"{}\" Name=\"{}\" {}", vtk_type(Number{}), name, more);
  if (!components.empty()) print_to(out, "NumberOfComponents=\"{}\" ", components.size());
  for (std::size_t i = 0; i < components.size(); ++i) {
    print_to(out, "ComponentName{}=\"{}\" ", i, components[i]);
  }
  out += "format=\"binary\">";
  const std::uint64_t size = values.size() * sizeof(Number);
  std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);
  bytes.append(reinterpret_cast<const char*>(values.data()), size);
  append_base64(bytes, out);
  out += "</DataArray>\n";
}

// ---- points ----------------------------------------------------------------------------------------------------------
void push_numbers(std::vector<double>& values, double value) { values.push_back(value); }
void push_numbers(std::vector<double>& values, const std::array<double, 2>& v) {
  values.insert(values.end(), v.begin(), v.end());
}
void push_numbers(std::vector<double>& values, const Vec3& v) { values.insert(values.end(), {v.x, v.y, v.z}); }
void push_numbers(std::vector<double>& values, const Quat& q) { values.insert(values.end(), {q.w, q.x, q.y, q.z}); }

// Writes arrays with a value for every node of every rod, one rod after the other.
class PointArrays {
 public:
  PointArrays(std::span<const NodeFields> rods, std::string& out) : m_rods(rods), m_out(out) {}

  // `value_of(fields, k)`: what the k-th node of a rod has.
  template <class ValueOf>
  void add(std::string_view name, const Names& components, const ValueOf& value_of) {
    m_values.clear();
    for (const NodeFields& fields : m_rods) {
      for (std::size_t k = 0; k < fields.size(); ++k) push_numbers(m_values, value_of(fields, k));
    }
    append_array(m_out, name, components, m_values);
  }

 private:
  std::span<const NodeFields> m_rods;
  std::string& m_out;
  std::vector<double> m_values;
};

void append_points(std::string& out, std::span<const NodeFields> rods) {
  out += "<Points>\n";
  PointArrays(rods, out).add("Points", {"x", "y", "z"}, [](const NodeFields& f, std::size_t k) { return f.position[k]; });
  out += "</Points>\n";
}

void append_point_data(std::string& out, std::span<const NodeFields> rods, bool touches) {
  using Fields = const NodeFields&;
  const Names space{"x", "y", "z"};
  const auto axis = [](const Vec3& d) { return [d](Fields f, std::size_t k) { return rotate(f.frame[k], d); }; };
  out += "<PointData Scalars=\"tension\" Vectors=\"velocity\">\n";
  PointArrays arrays(rods, out);
  arrays.add("arc_length", {}, [](Fields f, std::size_t k) { return f.arc_length[k]; });
  arrays.add("radius", {}, [](Fields f, std::size_t k) { return f.radius[k]; });
  arrays.add("velocity", space, [](Fields f, std::size_t k) { return f.velocity[k]; });
  arrays.add("frame", {"w", "x", "y", "z"}, [](Fields f, std::size_t k) { return f.frame[k]; });
  arrays.add("d1", space, axis({1, 0, 0}));
  arrays.add("d2", space, axis({0, 1, 0}));
  arrays.add("d3", space, axis({0, 0, 1}));
  arrays.add("strain", {"shear1", "shear2", "stretch"}, [](Fields f, std::size_t k) { return f.strain[k]; });
  arrays.add("curvature", {"curvature1", "curvature2", "twist"}, [](Fields f, std::size_t k) { return f.curvature[k]; });
  arrays.add("tension", {}, [](Fields f, std::size_t k) { return f.force[k].z; });
  arrays.add("shear", {"shear1", "shear2"}, [](Fields f, std::size_t k) { return std::array{f.force[k].x, f.force[k].y}; });
  arrays.add("moment", {"moment1", "moment2", "moment3"}, [](Fields f, std::size_t k) { return f.moment[k]; });
  if (touches) arrays.add("contact", space, [](Fields f, std::size_t k) { return f.contact[k]; });
  std::vector<std::int64_t> rod;
  for (std::size_t i = 0; i < rods.size(); ++i) rod.insert(rod.end(), rods[i].size(), static_cast<std::int64_t>(i));
  append_array(out, "rod", {}, rod);
  out += "</PointData>\n";
}

// ---- the rest of a file ------------------------------------------------------------------------------------------------
// One polyline a rod.
void append_lines(std::string& out, std::span<const NodeFields> rods) {
  std::vector<std::int64_t> connectivity, offsets;
  for (const NodeFields& fields : rods) {
    for (std::size_t k = 0; k < fields.size(); ++k) connectivity.push_back(static_cast<std::int64_t>(connectivity.size()));
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
  }
  out += "<Lines>\n";
  append_array(out, "connectivity", {}, connectivity);
  append_array(out, "offsets", {}, offsets);
  out += "</Lines>\n";
}

// The time, which ParaView shows, and names: strings stand as the numbers of their bytes, each with a 0 behind.
template <class Named>
void append_field_data(std::string& out, std::string_view array, const std::vector<Named>& all, double time) {
  out += "<FieldData>\n";
  append_array(out, "TimeValue", {}, std::vector<double>{time}, "NumberOfTuples=\"1\" ");
  print_to(out, "<DataArray type=\"String\" Name=\"{}\" NumberOfTuples=\"{}\" format=\"ascii\">", array, all.size());
  for (const Named& one : all) {
    for (const char c : one.name) print_to(out, "{} ", static_cast<unsigned char>(c));
    out += "0\n";
  }
  out += "</DataArray>\n</FieldData>\n";
}

}  // namespace

void VtkSink::open(const Model& model, const State&, std::size_t count) {
  m_surfaces.clear();
  m_obstacles_move = false;
  const Ball ball = ball_of_start(model);
  for (const Obstacle& obstacle : model.scene().obstacles) {
    m_surfaces.push_back(surface_of(obstacle, ball));
    m_obstacles_move |= obstacle.motion.has_value();
  }
  m_frames.keep(count);
  m_obstacles.keep(m_surfaces.empty() ? 0 : m_obstacles_move ? count : std::min<std::size_t>(count, 1));
}

void VtkSink::put_obstacles(const Model& model, const Frame& frame) {
  if (m_surfaces.empty() || (frame.index > 0 && !m_obstacles_move)) return;
  std::vector<double> points;
  std::vector<std::int64_t> corners, offsets, obstacle;
  for (std::size_t i = 0; i < m_surfaces.size(); ++i) {
    const Pose pose = pose_of(model.scene().obstacles[i], frame.state.time);
    const auto first = static_cast<std::int64_t>(points.size() / 3);
    for (const Vec3& x : m_surfaces[i].points) push_numbers(points, pose.of_point(x));
    for (const std::array<std::int32_t, 3>& triangle : m_surfaces[i].corners) {
      for (const std::int32_t corner : triangle) corners.push_back(first + corner);
      offsets.push_back(static_cast<std::int64_t>(corners.size()));
      obstacle.push_back(static_cast<std::int64_t>(i));
    }
  }
  std::string out = file_start("PolyData") + "<PolyData>\n";
  append_field_data(out, "obstacle_names", model.scene().obstacles, frame.state.time);
  print_to(out,
           "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
           points.size() / 3, offsets.size());
  out += "<CellData>\n";
  append_array(out, "obstacle", {}, obstacle);
  out += "</CellData>\n<Points>\n";
  append_array(out, "Points", {"x", "y", "z"}, points);
  out += "</Points>\n<Polys>\n";
  append_array(out, "connectivity", {}, corners);
  append_array(out, "offsets", {}, offsets);
  write_file(m_obstacles.path(frame.index), out + "</Polys>\n</Piece>\n</PolyData>\n</VTKFile>\n");
}

void VtkSink::put(const Model& model, const Frame& frame) {
  std::size_t points = 0;
  for (const NodeFields& fields : frame.rods) points += fields.size();
  std::string out = file_start("PolyData") + "<PolyData>\n";
  append_field_data(out, "rod_names", model.rods(), frame.state.time);
  print_to(out,
           "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
           points, frame.rods.size());
  append_point_data(out, frame.rods, contact::Contacts::any(model));
  append_points(out, frame.rods);
  append_lines(out, frame.rods);
  out += "</Piece>\n</PolyData>\n</VTKFile>\n";
  write_file(m_frames.path(frame.index), out);
  put_obstacles(model, frame);
}

void VtkSink::update(std::span<const double> times) {
  std::string out = file_start("Collection") + "<Collection>\n";
  for (std::size_t i = 0; i < times.size(); ++i) {
    print_to(out, "<DataSet timestep=\"{}\" part=\"0\" file=\"vtk/{}\"/>\n", times[i], m_frames.path(i).filename().string());
    if (m_surfaces.empty()) continue;
    print_to(out, "<DataSet timestep=\"{}\" part=\"1\" file=\"vtk/{}\"/>\n", times[i],
             m_obstacles.path(m_obstacles_move ? i : 0).filename().string());
  }
  write_file(m_collection, out + "</Collection>\n</VTKFile>\n");
}

}  // namespace writhe::output
