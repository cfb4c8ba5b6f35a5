#include "statics/parts.h"

#include <algorithm>

namespace writhe::statics {

Parts::Parts(const Model& model, const assembly::Assembly& assembly)
    : m_of_block(static_cast<std::size_t>(assembly.size() / 3)), m_scales(model.components().size()) {
  const Segments& segments = model.segments();
  std::vector<int> of_rod(model.rods().size());
  for (int part = 0; part < count(); ++part)
    for (const int rod : model.components()[part].rods) of_rod[rod] = part;
  for (int s = 0; s < model.segment_count(); ++s) {
    const int part = of_rod[segments.rod[s]];
    PartScale& scale = m_scales[part];
    const Vec3& C = segments.stiffness[s];
    scale.length = std::max(scale.length, model.rods()[segments.rod[s]].length);
    scale.stretch = std::max(scale.stretch, std::max(C.x, C.z) / segments.length[s]);
    for (const int block :
         {assembly.block_of_orientation(s), assembly.block_of_node(segments.node0[s]), assembly.block_of_node(segments.node1[s])})
      m_of_block[block] = part;
  }
  for (const auto& node : assembly.nodes()) m_scales[m_of_block[node.block]].mass += model.nodes().mass[node.index];
  for (const auto& turn : assembly.orientations())
    if (turn.index >= model.segment_count())
      m_of_block[turn.block] = m_of_block[assembly.block_of_node(model.frames().node[turn.index - model.segment_count()])];
  for (int j = 0; j < model.joint_count(); ++j) {
    const int a = assembly.block_of_orientation(model.joints().a[j]), b = assembly.block_of_orientation(model.joints().b[j]);
    double& flexural = m_scales[m_of_block[a >= 0 ? a : b]].flexural;
    const Vec3& K = model.joints().stiffness[j];
    flexural = std::max({flexural, K.x, K.y, K.z});
  }
}

}  // namespace writhe::statics
