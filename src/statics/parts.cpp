#include "statics/parts.h"

#include <algorithm>
#include <numeric>

#include "model/springs.h"

namespace writhe::statics {

Parts::Parts(const Model& model, const assembly::Assembly& assembly, std::span<const Islands::Island> islands)
    : m_of_component(model.components().size(), -1), m_of_block(static_cast<std::size_t>(assembly.size() / 3)) {
  std::vector<int> first(m_of_component.size());  // of the island to which a component belongs
  std::iota(first.begin(), first.end(), 0);
  for (const Islands::Island& island : islands)
    for (const int component : island.components) first[component] = island.components.front();
  for (std::size_t c = 0; c < first.size(); ++c) {
    const bool own = first[c] == static_cast<int>(c);
    m_of_component[c] = own ? count() : m_of_component[first[c]];
    if (own) m_scales.emplace_back();
  }
  const Segments& segments = model.segments();
  std::vector<int> of_rod(model.rods().size());
  for (std::size_t c = 0; c < first.size(); ++c)
    for (const int rod : model.components()[c].rods) of_rod[rod] = m_of_component[c];
  for (int s = 0; s < model.segment_count(); ++s) {
    const int part = of_rod[segments.rod[s]];
    PartScale& scale = m_scales[part];
    scale.length = std::max(scale.length, model.rods()[segments.rod[s]].length);
    scale.stretch = std::max(scale.stretch, segment_spring(model, s));
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
