#include "io/sink_columns.h"

#include <array>
#include <string_view>

#include "base/names.h"
#include "writhe/error.h"

namespace writhe::io {

namespace {

struct Field {
  std::string_view name, unit;
  std::vector<std::string> quantities;
};

// In the order of ProbeColumns::Quantity.
const std::array<Field, 6>& fields() {
  static const std::array<Field, 6> table{{{"position", "m", {"x", "y", "z"}},
                                           {"velocity", "m/s", {"vx", "vy", "vz"}},
                                           {"tension", "N", {"tension"}},
                                           {"shear", "N", {"shear1", "shear2"}},
                                           {"moment", "N m", {"moment1", "moment2", "moment3"}},
                                           {"frame", "1", {"qw", "qx", "qy", "qz"}}}};
  return table;
}

std::size_t find_field(const std::string& name, const std::string& key, const Scene& scene) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < fields().size(); ++i) {
    if (fields()[i].name == name) return i;
    known.emplace_back(fields()[i].name);
  }
  throw Error({{scene.where(key), key, name, "no such field; " + hint(name, known, "fields")}});
}

void push(const Vec3& v, std::vector<double>& values) { values.insert(values.end(), {v.x, v.y, v.z}); }

}  // namespace

std::string Column::name() const { return (probe.empty() ? "" : probe + ".") + quantity + " [" + unit + "]"; }

ProbeColumns::ProbeColumns(const Model& model) {
  const Scene& scene = model.scene();
  for (std::size_t i = 0; i < scene.output.probes.size(); ++i) {
    const Probe& probe = scene.output.probes[i];
    const std::string key = "output.probes[" + std::to_string(i) + "]";
    m_gauges.emplace_back(model, model.resolve(probe.at, key + ".at"));
    for (const std::string& field : probe.fields) {
      const std::size_t found = find_field(field, key + ".fields", scene);
      m_readings.push_back({m_gauges.size() - 1, static_cast<Quantity>(found)});
      for (const std::string& quantity : fields()[found].quantities) {
        m_columns.push_back({probe.name, quantity, std::string(fields()[found].unit)});
      }
    }
  }
}

void ProbeColumns::append(const Model& model, const State& state, std::vector<double>& values) const {
  for (const Reading& reading : m_readings) {
    const measure::Gauge& gauge = m_gauges[reading.gauge];
    switch (reading.quantity) {
      case Quantity::position:
        push(gauge.position(state), values);
        break;
      case Quantity::velocity:
        push(gauge.velocity(state), values);
        break;
      case Quantity::tension:
        values.push_back(gauge.force(model, state).z);
        break;
      case Quantity::shear: {
        const Vec3 force = gauge.force(model, state);
        values.insert(values.end(), {force.x, force.y});
        break;
      }
      case Quantity::moment:
        push(gauge.moment(model, state), values);
        break;
      case Quantity::frame: {
        const Quat q = gauge.frame(state);
        values.insert(values.end(), {q.w, q.x, q.y, q.z});
        break;
      }
    }
  }
}

std::vector<Column> energy_columns() {
  std::vector<Column> out;
  for (const char* name : {"kinetic", "stretch_shear", "bend_twist", "gravity", "total"}) out.push_back({"", name, "J"});
  return out;
}

void append(const Energies& energies, std::vector<double>& values) {
  values.insert(values.end(),
                {energies.kinetic, energies.stretch_shear, energies.bend_twist, energies.gravity, energies.total()});
}

}  // namespace writhe::io
