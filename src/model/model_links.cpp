// Links, resolved to nodes; and what can be wrong with them only now that nodes have their places.
#include "model/at_place.h"
#include "model/labels.h"
#include "model/model_builder.h"

namespace writhe {

namespace {

bool is_held(const Nodes& nodes, const LinkEnd& end) {
  if (!end.place) return true;
  const auto held = [&](int node, double weight) { return weight == 0 || nodes.fixed[node] == fixed_all; };
  return held(end.place->node0, 1 - end.place->node_weight1) && held(end.place->node1, end.place->node_weight1);
}

// The same mixture of nodes.
bool is_same(const LinkEnd& a, const LinkEnd& b) {
  if (!a.place || !b.place) return false;
  const auto weight_of = [](const ResolvedPlace& place, int node) {
    return (place.node0 == node ? 1 - place.node_weight1 : 0) + (place.node1 == node ? place.node_weight1 : 0);
  };
  for (const int node : {a.place->node0, a.place->node1, b.place->node0, b.place->node1})
    if (weight_of(*a.place, node) != weight_of(*b.place, node)) return false;
  return true;
}

}  // namespace

void ModelBuilder::resolve_links() {
  const State initial = m_model.initial_state();
  const auto resolved_end = [&](const std::variant<Place, Vec3>& end) {
    LinkEnd out;
    if (const auto* place = std::get_if<Place>(&end))
      out.place = m_model.resolve_on(m_index.rod(place->rod), *place);
    else
      out.point = std::get<Vec3>(end);
    return out;
  };
  for (std::size_t i = 0; i < m_scene.links.size(); ++i) {
    const Link& link = m_scene.links[i];
    ResolvedLink resolved{link, resolved_end(link.from), resolved_end(link.to), 0};
    const double built = norm(position_of(initial, resolved.to) - position_of(initial, resolved.from));
    resolved.rest_length = link.rest_length.value_or(built);
    const std::string path = path_of("links", i);
    const std::string ends = text_of(link.from) + " and " + text_of(link.to);
    if (is_same(resolved.from, resolved.to))
      m_problems.add(path, ends, "links a place with itself; choose two different places");
    else if (is_held(m_model.nodes(), resolved.from) && is_held(m_model.nodes(), resolved.to))
      m_problems.add(path, ends, "links two places that are held, so that it can do nothing; leave it out or free one of them");
    else if (built == 0 && resolved.rest_length > 0 && link.kind == Link::Kind::spring)
      m_problems.add(
          path, ends,
          "the places coincide, so that a spring of this rest length would not know which way to push; give rest_length: 0 "
          "or move one of them");
    m_model.m_links.push_back(std::move(resolved));
  }
  m_problems.throw_if_any();
}

}  // namespace writhe
