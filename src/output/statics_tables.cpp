#include "output/statics_tables.h"

#include <optional>
#include <span>
#include <string>

#include "assembly/end_forces.h"
#include "contact/contacts.h"
#include "measure/node_fields.h"
#include "model/at_place.h"
#include "output/csv.h"
#include "output/sink_file.h"
#include "writhe/error.h"

namespace writhe::output {

namespace {

// Rows that begin with the name of a rod, held until the table is whole.
class RodTable {
 public:
  explicit RodTable(std::vector<Column> columns) : m_columns(std::move(columns)), m_text("rod," + csv_header(m_columns)) {}

  void add(const std::string& rod, std::span<const double> values) {
    if (const Column* bad = first_not_finite(m_columns, values))
      throw Error("output", bad->name() + " of " + rod, "is not finite; look for a load or a size out of range");
    std::string line = csv_cell(rod);
    append_csv(values, line);
    m_text += line + "\n";
  }

  void write(const std::filesystem::path& path) const { write_file(path, m_text); }

 private:
  std::vector<Column> m_columns;
  std::string m_text;
};

std::vector<Column> after_place(const std::vector<Column>& columns) {
  std::vector<Column> out{{"", "node", ""}, {"", "arc_length", "m"}, {"", "x", "m"}, {"", "y", "m"}, {"", "z", "m"}};
  out.insert(out.end(), columns.begin(), columns.end());
  return out;
}

// Rotation of the section at node k, rad, space: between two segments, their mean; at a clamp or junction, the frame's.
class TurnReader {
 public:
  TurnReader(const Model& model, const State& state) : m_model(model), m_state(state), m_frame(model.node_count(), -1) {
    for (int f = 0; f < model.frame_count(); ++f) m_frame[model.frames().node[f]] = f;
  }

  Vec3 at(const Mode& mode, int rod, int k) const {
    const auto turn = [&](int orientation) { return rotate(m_state.q[orientation], mode.turn[orientation]); };
    const RodRange& range = m_model.rods()[rod];
    const int frame = m_frame[m_model.node_of(rod, k)], n = range.segment_count;
    if (frame >= 0) return turn(m_model.segment_count() + frame);
    if (!range.closed && (k == 0 || k == n)) return turn(range.first_segment + (k == 0 ? 0 : n - 1));
    return lerp(turn(range.first_segment + (k + n - 1) % n), turn(range.first_segment + k % n), 0.5);
  }

 private:
  const Model& m_model;
  const State& m_state;
  std::vector<int> m_frame;  // per node: the frame on it, or -1
};

}  // namespace

void write_resultants(const std::filesystem::path& path, const Model& model, const State& state) {
  std::vector<Column> columns = after_place({{"", "strain_shear1", "1"},
                                             {"", "strain_shear2", "1"},
                                             {"", "stretch", "1"},
                                             {"", "curvature1", "1/m"},
                                             {"", "curvature2", "1/m"},
                                             {"", "twist", "rad/m"},
                                             {"", "shear1", "N"},
                                             {"", "shear2", "N"},
                                             {"", "tension", "N"},
                                             {"", "moment1", "N m"},
                                             {"", "moment2", "N m"},
                                             {"", "moment3", "N m"}});
  const bool touches = contact::Contacts::any(model);
  if (touches)
    for (const char* name : {"contact_x", "contact_y", "contact_z"}) columns.push_back({"", name, "N/m"});
  RodTable table(std::move(columns));
  const measure::SegmentJoints joints = measure::segment_joints(model);
  assembly::EndForces forces(model);
  forces.update(state);
  std::optional<contact::Contacts> contacts;
  if (touches) contacts.emplace(model).read(state);
  measure::NodeFields fields;
  std::vector<double> values;
  for (int rod = 0; rod < static_cast<int>(model.rods().size()); ++rod) {
    measure::node_fields(model, state, joints, rod, fields, &forces.ends(), touches ? &*contacts : nullptr);
    for (std::size_t k = 0; k < fields.size(); ++k) {
      values = {static_cast<double>(k), fields.arc_length[k]};
      for (const Vec3& v : {fields.position[k], fields.strain[k], fields.curvature[k], fields.force[k], fields.moment[k]})
        push(v, values);
      if (touches) push(fields.contact[k], values);
      table.add(model.rods()[rod].name, values);
    }
  }
  table.write(path);
}

void write_modes(const std::filesystem::path& path, const Model& model, const State& state, const std::vector<Mode>& modes) {
  std::vector<Column> columns = after_place(
      {{"", "dx", "m"}, {"", "dy", "m"}, {"", "dz", "m"}, {"", "turn_x", "rad"}, {"", "turn_y", "rad"}, {"", "turn_z", "rad"}});
  columns.insert(columns.begin(), {{"", "mode", ""}, {"", "eigenvalue", "1/s^2"}});
  RodTable table(std::move(columns));
  const TurnReader turns(model, state);
  std::vector<double> values;
  for (std::size_t m = 0; m < modes.size(); ++m) {
    for (int rod = 0; rod < static_cast<int>(model.rods().size()); ++rod) {
      double arc_length = 0;
      for (int k = 0; k <= model.rods()[rod].segment_count; ++k) {
        const int node = model.node_of(rod, k);
        values = {static_cast<double>(m + 1), modes[m].eigenvalue, static_cast<double>(k), arc_length};
        for (const Vec3& v : {state.x[node], modes[m].x[node], turns.at(modes[m], rod, k)}) push(v, values);
        table.add(model.rods()[rod].name, values);
        if (k < model.rods()[rod].segment_count) arc_length += model.segments().length[model.rods()[rod].first_segment + k];
      }
    }
  }
  table.write(path);
}

}  // namespace writhe::output
