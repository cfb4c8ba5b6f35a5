// The numbers a scene's probes, its obstacles and its links with names give, in order: what probes.csv and summary.json both
// write.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assembly/end_forces.h"
#include "contact/contacts.h"
#include "measure/measure.h"
#include "measure/topology.h"
#include "model/probe_fields.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::output {

struct Column {
  std::string probe;         // name of the probe, link, support or load; empty for what concerns the whole scene
  std::string quantity;      // x, vy, tension, moment1, ...
  std::string unit;          // empty for counts and names
  std::string name() const;  // "tip.x [m]"
};

class ProbeColumns {
 public:
  // Throws Error for a place or a field that does not exist.
  explicit ProbeColumns(const Model& model);

  const std::vector<Column>& columns() const { return m_columns; }
  // Appends one value a column.
  void append(const Model& model, const State& state, std::vector<double>& values);

 private:
  struct Reading {
    std::size_t gauge;
    ProbeField field;
    int support;  // of Model::supports: what holds the place; -1: nothing, and no reaction is asked for
  };
  // Of a rod whose twist, writhe or link is asked for: found once a row, whatever number of fields has it.
  struct WoundRod {
    int rod;
    measure::RodTopology turns;
  };
  void add_wound(int rod);
  void append_wound(const Reading& reading, std::vector<double>& values) const;
  void append(const Model& model, const State& state, const Reading& reading, std::vector<double>& values) const;

  assembly::EndForces m_forces;
  std::vector<measure::Gauge> m_gauges;
  std::vector<Reading> m_readings;
  std::vector<WoundRod> m_wound;
  measure::SegmentJoints m_joints;              // where there are wound rods
  std::vector<std::size_t> m_links;             // of Model::links, those with names
  std::optional<contact::Contacts> m_contacts;  // where there are obstacles, or it is asked for
  std::vector<Column> m_columns;
};

// Of the whole scene: kinetic, stretch_shear, bend_twist, gravity, links and contact (where there may be any), total [J];
// momentum px, py, pz [kg m/s]; angular momentum about the origin Lx, Ly, Lz [kg m^2/s].
std::vector<Column> scene_columns(const Model& model);
void append_scene(const Model& model, const State& state, std::vector<double>& values);

}  // namespace writhe::output
