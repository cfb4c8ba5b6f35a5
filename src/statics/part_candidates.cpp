#include "statics/part_candidates.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "linalg/dense.h"
#include "math/rotation.h"

namespace writhe::statics {

using assembly::block;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// Ascending, each once.
void sort_and_unite(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

ArmsByRod find_arms(const Model& model) {
  ArmsByRod out(model.rods().size());
  const Joints& joints = model.joints();
  for (int j = 0; j < model.joint_count(); ++j) {
    const bool at_b = joints.b[j] >= model.segment_count();
    if (!at_b && joints.a[j] < model.segment_count()) continue;
    const int frame = (at_b ? joints.b[j] : joints.a[j]) - model.segment_count();
    const int segment = at_b ? joints.a[j] : joints.b[j];
    out[model.segments().rod[segment]].push_back({frame, rotate(at_b ? joints.turn_b[j] : joints.turn_a[j], Vec3{0, 0, 1})});
  }
  return out;
}

PartCandidates::PartCandidates(const Model& model, const assembly::Assembly& assembly, const Component& component,
                               const ArmsByRod& arms, const State& state)
    : m_rod(component.rods.front()), m_name(model.rods()[component.rods.front()].name) {
  if (component.rods.size() > 1) m_name = fmt::format("the net of '{}'", m_name);
  std::vector<int> nodes, frames;
  for (const int rod : component.rods) {
    const RodRange& range = model.rods()[rod];
    m_length = std::max(m_length, range.length);
    for (int k = 0; k <= range.segment_count; ++k) nodes.push_back(model.node_of(rod, k));
    for (int s = range.first_segment; s < range.first_segment + range.segment_count; ++s)
      m_turns.push_back({s, assembly.block_of_orientation(s)});
    for (const Arm& arm : arms[rod]) frames.push_back(arm.frame);
  }
  sort_and_unite(nodes);
  for (const int node : nodes) {
    m_nodes.push_back({node, assembly.block_of_node(node)});
    m_centre += (1 / static_cast<double>(nodes.size())) * state.x[node];
  }
  sort_and_unite(frames);
  for (const int frame : frames) {
    const int orientation = model.segment_count() + frame;
    m_turns.push_back({orientation, assembly.block_of_orientation(orientation)});
  }
  for (std::size_t k = 0; k < m_nodes.size(); ++k) m_unknowns.push_back({m_nodes[k].block, true, k});
  for (std::size_t k = 0; k < m_turns.size(); ++k)
    if (m_turns[k].block >= 0) m_unknowns.push_back({m_turns[k].block, false, k});
  std::sort(m_unknowns.begin(), m_unknowns.end(), [](const Unknown& a, const Unknown& b) { return a.block < b.block; });
  find_spins(model, component, arms);
}

// Segments spin about d3; a frame with the rod that runs through it, which may lead on to rods that run the other way.
void PartCandidates::find_spins(const Model& model, const Component& component, const ArmsByRod& arms) {
  std::unordered_map<int, double> sign{{component.rods.front(), 1.0}};  // per rod, once it is known
  std::unordered_map<int, Vec3> axis;                                   // per frame, likewise
  for (bool changed = true; changed;) {
    changed = false;
    for (const int rod : component.rods) {
      for (const Arm& arm : arms[rod]) {
        const auto own = sign.find(rod);
        const auto met = axis.find(arm.frame);
        if ((own == sign.end()) == (met == axis.end())) continue;
        if (met == axis.end())
          axis.emplace(arm.frame, own->second * arm.d3);
        else
          sign.emplace(rod, dot(met->second, arm.d3) < 0 ? -1 : 1);
        changed = true;
      }
    }
  }
  for (const Entry& turn : m_turns) {
    const int frame = turn.index - model.segment_count();
    m_spin.push_back(frame < 0 ? sign.at(model.segments().rod[turn.index]) * Vec3{0, 0, 1} : axis.at(frame));
  }
}

Vec3 PartCandidates::node_row(const State& state, int node, int column) const {
  if (column == spin) return {};
  if (column >= translation) return axes[column - translation];
  return (1 / m_length) * cross(axes[column - rotation], state.x[node] - m_centre);
}

Vec3 PartCandidates::turn_row(const State& state, std::size_t k, int column) const {
  if (column == spin) return m_spin[k];
  if (column >= translation) return {};
  return rotate_back(state.q[m_turns[k].index], axes[column - rotation]);
}

MatrixXd PartCandidates::allowed(const State& state, const VectorXd& free) const {
  std::vector<double> rows;
  const auto add_row = [&](const auto& value) {
    for (int c = 0; c < candidates; ++c) rows.push_back(value(c));
  };
  for (const Entry& node : m_nodes) {
    const Vec3 f = block(free, node.block);
    const double held[3] = {1 - f.x, 1 - f.y, 1 - f.z};
    for (int k = 0; k < 3; ++k)
      if (held[k] > 0) add_row([&](int c) { return dot(axes[k], node_row(state, node.index, c)); });
  }
  for (std::size_t t = 0; t < m_turns.size(); ++t)
    if (m_turns[t].block < 0)
      for (const Vec3& axis : axes) add_row([&](int c) { return dot(axis, turn_row(state, t, c)); });
  if (rows.empty()) return MatrixXd::Identity(candidates, candidates);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const MatrixXd held = Eigen::Map<const RowMajor>(rows.data(), static_cast<Eigen::Index>(rows.size()) / candidates, candidates);
  return linalg::kernel(held.transpose() * held, 1e-12);  // of one size, so that squares lose nothing that matters here
}

Vec3 PartCandidates::motion_of(const State& state, const Unknown& unknown, const Eigen::Ref<const VectorXd>& c) const {
  const Vec3 turn = (1 / m_length) * Vec3{c[rotation], c[rotation + 1], c[rotation + 2]};
  if (!unknown.is_node)
    return rotate_back(state.q[m_turns[unknown.entry].index], turn) + (c[spin] / m_length) * m_spin[unknown.entry];
  return cross(turn, state.x[m_nodes[unknown.entry].index] - m_centre) +
         Vec3{c[translation], c[translation + 1], c[translation + 2]};
}

MatrixXd PartCandidates::rigid(const Vec3& about) const {
  MatrixXd out = MatrixXd::Zero(candidates, 6);
  for (int k = 0; k < 3; ++k) {
    const Vec3 moved = cross(axes[k], m_centre - about);
    out(rotation + k, k) = m_length;
    out.col(k).segment<3>(translation) << moved.x, moved.y, moved.z;
    out(translation + k, 3 + k) = 1;
  }
  return out;
}

PartCandidates::Work PartCandidates::work(const State& state, const VectorXd& forces,
                                          const Eigen::Ref<const VectorXd>& coefficients) const {
  Work out;
  for (const Unknown& unknown : m_unknowns) {
    const Vec3 motion = motion_of(state, unknown, coefficients);
    out.done += dot(block(forces, unknown.block), motion);
    out.most += norm(block(forces, unknown.block)) * size_of(unknown, motion);
  }
  return out;
}

Eigen::SparseVector<double> PartCandidates::direction(const State& state, const Eigen::Ref<const VectorXd>& coefficients,
                                                      int size) const {
  Eigen::SparseVector<double> out(size);
  out.reserve(3 * static_cast<Eigen::Index>(m_unknowns.size()));
  for (const Unknown& unknown : m_unknowns) {
    const Vec3 v = motion_of(state, unknown, coefficients);
    out.insertBack(3 * unknown.block) = v.x;
    out.insertBack(3 * unknown.block + 1) = v.y;
    out.insertBack(3 * unknown.block + 2) = v.z;
  }
  return out;
}

bool PartCandidates::moves(const State& state, const Eigen::Ref<const VectorXd>& coefficients) const {
  constexpr double nothing = 1e-6;  // m, of combinations of unit size
  return std::any_of(m_unknowns.begin(), m_unknowns.end(), [&](const Unknown& unknown) {
    return norm(motion_of(state, unknown, coefficients)) * (unknown.is_node ? 1 : m_length) > nothing;
  });
}

std::string PartCandidates::name(const Eigen::Ref<const VectorXd>& c) const {
  const auto text = [](const Vec3& v) {
    const Vec3 u = normalized(v);
    const auto tidy = [](double a) { return std::abs(a) < 1e-6 ? 0.0 : a; };
    return fmt::format("({:.3g}, {:.3g}, {:.3g})", tidy(u.x), tidy(u.y), tidy(u.z));
  };
  const Vec3 turn{c[rotation], c[rotation + 1], c[rotation + 2]}, move{c[translation], c[translation + 1], c[translation + 2]};
  if (std::abs(c[spin]) > 1e-6 && norm(turn) < 1e-6) return m_name + " spins about its own axis";
  if (norm(turn) > 1e-6) return m_name + " turns about the direction " + text(turn);
  return m_name + " moves along " + text(move);
}

}  // namespace writhe::statics
