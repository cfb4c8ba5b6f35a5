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

std::vector<BlockScale> block_scales(const Model& model, const Assembly& assembly) {
  std::vector<BlockScale> out(static_cast<std::size_t>(assembly.size() / 3));
  const std::vector<double> arms = levers(model, assembly);
  for (std::size_t b = 0; b < out.size(); ++b) out[b].lever = arms[b];
  for (const auto& node : assembly.nodes()) {
    out[node.block].is_node = true;
    out[node.block].length = std::numeric_limits<double>::infinity();
  }
  const auto raise = [](double& to, double value) { to = std::max(to, value); };
  const Segments& segments = model.segments();
  for (const int s : assembly.segments()) {
    const double stretch = segment_spring(model, s);
    raise(out[assembly.block_of_orientation(s)].stretch, stretch);
    for (const int node : {segments.node0[s], segments.node1[s]}) {
      BlockScale& at = out[assembly.block_of_node(node)];
      raise(at.stretch, stretch);
      at.length = std::min(at.length, model.rods()[segments.rod[s]].length);
    }
  }
  const Joints& joints = model.joints();
  for (const int j : assembly.joints())
    for (const int side : {joints.a[j], joints.b[j]})
      if (const int at = assembly.block_of_orientation(side); at >= 0) raise(out[at].bend, joint_spring(model, j));
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
