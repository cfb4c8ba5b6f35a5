#include "statics/limits.h"

#include <algorithm>
#include <cmath>

namespace writhe::statics {

using assembly::block;

Limits::Limits(const Model& model, const assembly::Assembly& assembly, const Parts& parts, double tolerance)
    : m_assembly(assembly), m_parts(parts), m_tolerance(tolerance), m_blocks(assembly::block_scales(model, assembly)) {}

// The loads of a part and the largest force within it; moments count by the force that makes them over the part's length.
std::vector<double> Limits::scales(const Forces& forces) const {
  const auto count = static_cast<std::size_t>(m_parts.count());
  std::vector<double> loads(count), internal(count);
  for (int b = 0; b < static_cast<int>(m_blocks.size()); ++b) {
    const int part = m_parts.of_block(b);
    const double per_force = m_blocks[b].is_node ? 1 : 1 / m_parts.scale(part).length;
    loads[part] += per_force * norm(block(forces.applied, b));
    internal[part] = std::max(internal[part], per_force * forces.sizes[b]);
  }
  for (std::size_t part = 0; part < loads.size(); ++part) loads[part] += internal[part];
  return loads;
}

Judgement Limits::judge(const State& state, const Forces& forces, const Eigen::VectorXd& free) const {
  std::vector<double> coordinates(static_cast<std::size_t>(m_parts.count()));  // m: largest of each part, known to 16 digits
  for (const auto& node : m_assembly.nodes()) {
    const Vec3& x = state.x[node.index];
    double& largest = coordinates[m_parts.of_block(node.block)];
    largest = std::max({largest, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
  }
  const std::vector<double> parts = scales(forces);
  Judgement out;
  for (int b = 0; b < static_cast<int>(m_blocks.size()); ++b) {
    const assembly::BlockScale& at = m_blocks[b];
    const int part = m_parts.of_block(b);
    const double force = norm(scale(block(forces.left, b), block(free, b))) / at.lever;
    if (force == 0) continue;
    const double coupled = forces.coupled ? (*forces.coupled)[static_cast<std::size_t>(b)].at(coordinates[part]) : 0;
    const double rounding = assembly::rounding_error(at.stretch, at.bend, coordinates[part], 1, coupled);
    const double limit = std::max(m_tolerance * parts[part], rounding);
    out.rounding = out.rounding && force <= rounding;
    if (force / limit <= out.beyond()) continue;  // false for what is not a number
    out.force = force;
    out.limit = limit;
    out.block = b;
    if (!std::isfinite(force)) return out;
  }
  return out;
}

double Limits::size_of(const Eigen::VectorXd& step) const {
  double size = 0;
  for (int b = 0; b < static_cast<int>(m_blocks.size()); ++b) size = std::max(size, norm(block(step, b)) / m_blocks[b].length);
  return size;
}

}  // namespace writhe::statics
