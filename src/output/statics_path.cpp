#include "output/statics_path.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "measure/measure.h"
#include "model/at_place.h"
#include "model/labels.h"
#include "output/csv.h"
#include "writhe/error.h"

namespace writhe::output {

namespace {

using Values = std::vector<double>;

void add_columns(const std::string& of, std::initializer_list<const char*> quantities, const char* unit,
                 std::vector<Column>& columns) {
  for (const char* quantity : quantities) columns.push_back({of, quantity, unit});
}

PathReading whole() {
  PathReading out;
  out.columns = {{"", "load", "1"},    {"", "time", "s"},    {"", "iterations", ""}, {"", "residual", "N"},
                 {"", "negative", ""}, {"", "elastic", "J"}, {"", "gravity", "J"}};
  out.append = [](const PathSample& s, Values& values) {
    values.insert(values.end(), {s.point.load, s.point.time, static_cast<double>(s.point.iterations), s.point.residual,
                                 static_cast<double>(s.point.negative), s.energies.elastic(), s.energies.gravity});
  };
  return out;
}

// ---- supports ------------------------------------------------------------------------------------------------------
Reaction reaction_of(int support, const std::vector<Reaction>& reactions) {
  const auto own = std::find_if(reactions.begin(), reactions.end(), [&](const Reaction& r) { return r.support == support; });
  return own == reactions.end() ? Reaction{} : *own;
}

// About the axis of the clamp, d3 of the rod it holds.
double torque_of(const PathSample& sample, const ResolvedSupport& clamp, const Reaction& reaction) {
  const Quat frame = sample.state.q[sample.model.segment_count() + clamp.frame];
  return dot(reaction.moment, rotate(frame * clamp.arm, Vec3{0, 0, 1}));
}

PathReading support_reading(const Model& model, int index, const std::string& name) {
  const Support& support = model.supports()[index].support;
  const bool clamp = support.kind == Support::Kind::clamp;
  const bool turned = support.motion && !support.motion->angle.keys.empty();
  const bool twisted = clamp && support.motion && !support.motion->twist.keys.empty();
  PathReading out;
  add_columns(name, {"x", "y", "z"}, "m", out.columns);
  add_columns(name, {"force_x", "force_y", "force_z"}, "N", out.columns);
  if (clamp) add_columns(name, {"moment_x", "moment_y", "moment_z"}, "N m", out.columns);
  if (turned) add_columns(name, {"angle"}, "rad", out.columns);
  if (twisted) add_columns(name, {"twist"}, "rad", out.columns);
  if (twisted) add_columns(name, {"torque"}, "N m", out.columns);
  out.append = [=](const PathSample& sample, Values& values) {
    const ResolvedSupport& own = sample.model.supports()[index];
    const Reaction reaction = reaction_of(index, sample.reactions);
    push(sample.state.x[own.node], values);
    push(reaction.force, values);
    if (clamp) push(reaction.moment, values);
    const auto angle = [&](const Track<double>& track) { return track.at(sample.point.time, own.support.motion->easing); };
    if (turned) values.push_back(angle(own.support.motion->angle));
    if (twisted) values.insert(values.end(), {angle(own.support.motion->twist), torque_of(sample, own, reaction)});
  };
  return out;
}

// ---- loads ---------------------------------------------------------------------------------------------------------
// A force or moment as it acts: space components.
Vec3 present(const PathSample& sample, const ResolvedLoad& resolved, const Vec3& given, bool follower) {
  const double factor = sample.point.load * resolved.load.ramp.at(sample.point.time);
  return factor * (follower ? rotate(frame_at(sample.state, resolved.at), given) : given);
}

Vec3 present(const PathSample& sample, const ResolvedLoad& resolved) {
  if (const auto* load = std::get_if<ForceLoad>(&resolved.load.kind))
    return present(sample, resolved, load->force, load->follower);
  const auto& load = std::get<MomentLoad>(resolved.load.kind);
  return present(sample, resolved, load.moment, load.follower);
}

PathReading load_reading(const Model& model, std::size_t index, const std::string& name) {
  const ResolvedLoad& load = model.loads()[index];
  PathReading out;
  add_columns(name, {"dx", "dy", "dz"}, "m", out.columns);
  if (std::holds_alternative<ForceLoad>(load.load.kind))
    add_columns(name, {"force_x", "force_y", "force_z"}, "N", out.columns);
  else
    add_columns(name, {"moment_x", "moment_y", "moment_z"}, "N m", out.columns);
  const measure::Gauge gauge(model, load.at);
  out.append = [index, gauge, initial = gauge.position(model.initial_state())](const PathSample& sample, Values& values) {
    push(gauge.position(sample.state) - initial, values);
    push(present(sample, sample.model.loads()[index]), values);
  };
  return out;
}

bool at_a_place(const Load& load) {
  return std::holds_alternative<ForceLoad>(load.kind) || std::holds_alternative<MomentLoad>(load.kind);
}

// ---- rings ---------------------------------------------------------------------------------------------------------
PathReading closing_reading(const Model& model, int rod) {
  const std::vector<int>& closes = model.joints().closes;
  const int joint = static_cast<int>(std::find(closes.begin(), closes.end(), rod) - closes.begin());
  PathReading out;
  const std::string& name = model.rods()[rod].name;
  out.columns = {{name, "closing_angle", "rad"}, {name, "closing_torque", "N m"}};
  out.append = [rod, joint](const PathSample& sample, Values& values) {
    values.push_back(sample.model.scene().rods[rod].closing_angle + sample.state.closing[rod]);
    values.push_back(dot(measure::joint_moment(sample.model, sample.state, joint), sample.model.rods()[rod].closing_axis));
  };
  return out;
}

// ---- links ---------------------------------------------------------------------------------------------------------
PathReading energy_of_links() {
  PathReading out;
  out.columns = {{"", "links", "J"}};
  out.append = [](const PathSample& sample, Values& values) { values.push_back(sample.energies.links); };
  return out;
}

PathReading link_reading(std::size_t index, const std::string& name) {
  PathReading out;
  out.columns = {{name, "length", "m"}, {name, "tension", "N"}};
  out.append = [index](const PathSample& sample, Values& values) {
    const measure::LinkState now = measure::link_state(sample.model.links()[index], sample.state);
    values.insert(values.end(), {now.length, now.tension});
  };
  return out;
}

}  // namespace

std::vector<PathReading> path_readings(const Model& model) {
  const Scene& scene = model.scene();
  std::vector<PathReading> out{whole()};
  const std::vector<std::string> supports = support_labels(scene), loads = load_labels(scene);
  for (std::size_t i = 0; i < supports.size(); ++i) out.push_back(support_reading(model, static_cast<int>(i), supports[i]));
  for (std::size_t i = 0; i < loads.size(); ++i)
    if (at_a_place(scene.loads[i])) out.push_back(load_reading(model, i, loads[i]));
  for (std::size_t rod = 0; rod < scene.rods.size(); ++rod)
    if (!scene.rods[rod].closing_motion.keys.empty()) out.push_back(closing_reading(model, static_cast<int>(rod)));
  if (!scene.links.empty()) out.push_back(energy_of_links());
  for (std::size_t i = 0; i < scene.links.size(); ++i)
    if (!scene.links[i].name.empty()) out.push_back(link_reading(i, scene.links[i].name));
  return out;
}

PathFile::PathFile(const std::filesystem::path& path, const Model& model)
    : m_readings(path_readings(model)), m_columns{{"", "point", ""}} {
  for (const PathReading& reading : m_readings) m_columns.insert(m_columns.end(), reading.columns.begin(), reading.columns.end());
  m_file = GrowingFile(path, csv_header(m_columns));
}

void PathFile::add(const PathSample& sample) {
  m_values = {static_cast<double>(++m_points)};
  for (const PathReading& reading : m_readings) reading.append(sample, m_values);
  if (const Column* bad = first_not_finite(m_columns, m_values))
    throw Error("path.csv", bad->name(),
                fmt::format("is not finite at load {}, t = {} s; look for a load or a size out of range", sample.point.load,
                            sample.point.time));
  m_line.clear();
  append_csv(m_values, m_line);
  m_file.put(m_line += "\n");
  m_file.flush();  // points are few and dear
}

}  // namespace writhe::output
