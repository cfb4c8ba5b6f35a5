#include "assembly/scales.h"

namespace writhe::assembly {

std::vector<double> levers(const Model& model, const Assembly& assembly) {
  std::vector<double> out(static_cast<std::size_t>(assembly.size() / 3), std::numeric_limits<double>::infinity());
  for (const auto& node : assembly.nodes()) out[node.block] = 1;
  const auto shorten = [&](int orientation, double length) {
    if (const int at = assembly.block_of_orientation(orientation); at >= 0) out[at] = std::min(out[at], length);
  };
  for (const int s : assembly.segments()) shorten(s, model.segments().length[s]);
  for (const int j : assembly.joints())
    for (const int side : {model.joints().a[j], model.joints().b[j]})
      if (side >= model.segment_count()) shorten(side, 2 * model.joints().length[j]);
  return out;
}

Residual largest_force(const Eigen::VectorXd& gradient, const Eigen::VectorXd& free, const std::vector<double>& levers) {
  Residual out;
  for (int i = 0; i < static_cast<int>(levers.size()); ++i) {
    const double force = norm(scale(block(gradient, i), block(free, i))) / levers[i];
    if (force <= out.force) continue;  // false for what is not a number
    out = {force, i};
    if (!std::isfinite(force)) return out;
  }
  return out;
}

Culprit culprit(const Model& model, const Assembly& assembly, int block) {
  const Segments& segments = model.segments();
  for (const int s : assembly.segments()) {
    const int node = s - model.rods()[segments.rod[s]].first_segment;
    if (assembly.block_of_orientation(s) == block || assembly.block_of_node(segments.node0[s]) == block)
      return {segments.rod[s], node};
    if (assembly.block_of_node(segments.node1[s]) == block) return {segments.rod[s], node + 1};
  }
  for (const auto& turn : assembly.orientations())
    if (turn.block == block && turn.index >= model.segment_count())
      return culprit(model, assembly, assembly.block_of_node(model.frames().node[turn.index - model.segment_count()]));
  return {};
}

}  // namespace writhe::assembly
