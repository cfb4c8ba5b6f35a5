#include "output/sink_columns.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/names.h"
#include "model/at_place.h"
#include "output/csv.h"
#include "writhe/error.h"

namespace writhe::output {

namespace {

struct Quantities {
  std::string_view unit;
  std::vector<std::string> names;
};

// In the order of ProbeField.
const std::array<Quantities, probe_field_names.size()>& quantities() {
  static const std::array<Quantities, probe_field_names.size()> table{
      {{"m", {"x", "y", "z"}},
       {"m/s", {"vx", "vy", "vz"}},
       {"1", {"qw", "qx", "qy", "qz"}},
       {"N", {"tension"}},
       {"N", {"shear1", "shear2"}},
       {"N m", {"moment1", "moment2", "moment3"}},
       {"1/m", {"curvature1", "curvature2"}},
       {"rad/m", {"twist"}},
       {"N", {"reaction_x", "reaction_y", "reaction_z"}},
       {"N m", {"reaction_moment_x", "reaction_moment_y", "reaction_moment_z"}},
       {"N/m", {"contact_x", "contact_y", "contact_z"}},
       {"turns", {"total_twist"}},
       {"turns", {"writhe"}},
       {"turns", {"link"}},
       {"N", {"contact_force_x", "contact_force_y", "contact_force_z"}}}};
  return table;
}

std::size_t find_field(const std::string& name, const std::string& key, const Scene& scene) {
  const auto found = std::find(probe_field_names.begin(), probe_field_names.end(), name);
  if (found != probe_field_names.end()) return static_cast<std::size_t>(found - probe_field_names.begin());
  const std::vector<std::string> known(probe_field_names.begin(), probe_field_names.end());
  throw Error({{scene.where(key), key, name, "no such field; " + hint(name, known, "fields")}});
}

// The support at a place, or -1.
int support_at(const Model& model, const ResolvedPlace& place) {
  for (std::size_t i = 0; i < model.supports().size(); ++i)
    if (is_at(place, model.supports()[i].node)) return static_cast<int>(i);
  return -1;
}

}  // namespace

std::string Column::name() const {
  return (probe.empty() ? "" : probe + ".") + quantity + (unit.empty() ? "" : " [" + unit + "]");
}

ProbeColumns::ProbeColumns(const Model& model) : m_forces(model) {
  const Scene& scene = model.scene();
  for (std::size_t i = 0; i < scene.output.probes.size(); ++i) {
    const Probe& probe = scene.output.probes[i];
    const std::string key = "output.probes[" + std::to_string(i) + "]";
    m_gauges.emplace_back(model, model.resolve(probe.at, key + ".at"));
    const int support = support_at(model, m_gauges.back().place());
    for (const std::string& field : probe.fields) {
      const std::size_t found = find_field(field, key + ".fields", scene);
      m_readings.push_back({m_gauges.size() - 1, static_cast<ProbeField>(found), support});
      if (is_winding(m_readings.back().field)) add_wound(m_gauges.back().place().rod);
      for (const std::string& quantity : quantities()[found].names) {
        m_columns.push_back({probe.name, quantity, std::string(quantities()[found].unit)});
      }
    }
  }
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const std::string& name = model.links()[i].link.name;
    if (name.empty()) continue;
    m_links.push_back(i);
    m_columns.push_back({name, "length", "m"});
    m_columns.push_back({name, "tension", "N"});
  }
  if (!m_wound.empty()) m_joints = measure::segment_joints(model);
  for (const Obstacle& obstacle : scene.obstacles)
    for (const char* axis : {"force_x", "force_y", "force_z"}) m_columns.push_back({obstacle.name, axis, "N"});
  const bool asked =
      std::any_of(m_readings.begin(), m_readings.end(), [](const Reading& one) { return is_of_contact(one.field); });
  if (contact::Contacts::any(model) && (asked || !scene.obstacles.empty())) m_contacts.emplace(model);
}

void ProbeColumns::add_wound(int rod) {
  if (std::none_of(m_wound.begin(), m_wound.end(), [&](const WoundRod& one) { return one.rod == rod; }))
    m_wound.push_back({rod, {}});
}

void ProbeColumns::append_wound(const Reading& reading, std::vector<double>& values) const {
  const int rod = m_gauges[reading.gauge].place().rod;
  const measure::RodTopology& turns =
      std::find_if(m_wound.begin(), m_wound.end(), [&](const WoundRod& one) { return one.rod == rod; })->turns;
  values.push_back(reading.field == ProbeField::link     ? turns.link()
                   : reading.field == ProbeField::writhe ? turns.writhe
                                                         : turns.total_twist);
}

void ProbeColumns::append(const Model& model, const State& state, const Reading& reading, std::vector<double>& values) const {
  const measure::Gauge& gauge = m_gauges[reading.gauge];
  const measure::RodEnds* ends = &m_forces.ends();
  switch (reading.field) {
    case ProbeField::position:
      return push(gauge.position(state), values);
    case ProbeField::velocity:
      return push(gauge.velocity(state), values);
    case ProbeField::tension:
      return values.push_back(gauge.force(model, state, ends).z);
    case ProbeField::shear: {
      const Vec3 force = gauge.force(model, state, ends);
      values.insert(values.end(), {force.x, force.y});
      return;
    }
    case ProbeField::moment:
      return push(gauge.moment(model, state, ends), values);
    case ProbeField::curvature: {
      const Vec3 strain = gauge.strain(model, state);
      values.insert(values.end(), {strain.x, strain.y});
      return;
    }
    case ProbeField::twist:
      return values.push_back(gauge.strain(model, state).z);
    case ProbeField::frame: {
      const Quat q = gauge.frame(model, state);
      values.insert(values.end(), {q.w, q.x, q.y, q.z});
      return;
    }
    case ProbeField::reaction:
      return push(m_forces.reactions()[reading.support].force, values);
    case ProbeField::reaction_moment:
      return push(m_forces.reactions()[reading.support].moment, values);
    case ProbeField::contact:
      return push(m_contacts ? m_contacts->at(gauge.place().rod, gauge.place().arclength) : Vec3{}, values);
    case ProbeField::contact_force:
      return push(m_contacts ? m_contacts->on_rod(gauge.place().rod) : Vec3{}, values);
    case ProbeField::total_twist:
    case ProbeField::writhe:
    case ProbeField::link:
      return append_wound(reading, values);
  }
}

void ProbeColumns::append(const Model& model, const State& state, std::vector<double>& values) {
  m_forces.update(state);
  if (m_contacts) m_contacts->read(state);
  for (WoundRod& one : m_wound) one.turns = measure::rod_topology(model, state, m_joints, one.rod);
  for (const Reading& reading : m_readings) append(model, state, reading, values);
  for (const std::size_t i : m_links) {
    const measure::LinkState link = measure::link_state(model.links()[i], state);
    values.insert(values.end(), {link.length, link.tension});
  }
  for (std::size_t i = 0; i < model.scene().obstacles.size(); ++i) push(m_contacts->on_obstacle(static_cast<int>(i)), values);
}

std::vector<Column> scene_columns(const Model& model) {
  std::vector<Column> out;
  for (const char* name : {"kinetic", "stretch_shear", "bend_twist", "gravity"}) out.push_back({"", name, "J"});
  if (!model.links().empty()) out.push_back({"", "links", "J"});
  if (contact::Contacts::any(model)) out.push_back({"", "contact", "J"});
  out.push_back({"", "total", "J"});
  for (const char* name : {"px", "py", "pz"}) out.push_back({"", name, "kg m/s"});
  for (const char* name : {"Lx", "Ly", "Lz"}) out.push_back({"", name, "kg m^2/s"});
  return out;
}

void append_scene(const Model& model, const State& state, std::vector<double>& values) {
  const Energies energies = measure::energies(model, state);
  values.insert(values.end(), {energies.kinetic, energies.stretch_shear, energies.bend_twist, energies.gravity});
  if (!model.links().empty()) values.push_back(energies.links);
  if (contact::Contacts::any(model)) values.push_back(energies.contact);
  values.push_back(energies.total());
  const measure::Momentum momentum = measure::momentum(model, state);
  push(momentum.linear, values);
  push(momentum.angular, values);
}

}  // namespace writhe::output
