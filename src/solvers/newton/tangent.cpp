#include "solvers/newton/tangent.h"

#include <algorithm>
#include <span>

namespace writhe::newton {

namespace {
// From here on gradients take less time than a factor, which fills in as that of any solid does: rods that are solved together,
// and blocks that terms couple in other ways in every step.
constexpr int many_rods = 20, many_coupled = 300;
constexpr int most_products = 500;
constexpr double left_over = 1e-3;  // of a right-hand side

Sym3 scaled(double f, const Sym3& s) { return {f * s.xx, f * s.xy, f * s.xz, f * s.yy, f * s.yz, f * s.zz}; }
}  // namespace

Tangent::Tangent(const NetPotential& potential, int rods)
    : m_potential(&potential), m_rod_count(rods), m_matrix(potential.assembly().matrix()), m_rods(0, {}) {
  renew();
}

void Tangent::renew() {
  m_matrix.take_pattern(m_potential->assembly().matrix());
  m_nodes.clear();
  m_spins.clear();
  for (const auto& node : m_potential->nodes()) m_nodes.push_back(m_matrix.slot(node.block, node.block));
  for (const auto& spin : m_potential->spins()) m_spins.push_back(m_matrix.slot(spin.block, spin.block));
  m_is_factor_stale = true;
  m_is_many = false;
  if (m_rod_count < many_rods) return;
  m_coupled.assign(m_potential->blocks().size(), 0);
  const auto& lasting = m_potential->coupling().lasting_pairs();
  for (const auto& pair : m_potential->coupling().pairs())
    if (!std::binary_search(lasting.begin(), lasting.end(), pair)) m_coupled[pair.first] = m_coupled[pair.second] = 1;
  m_is_many = std::count(m_coupled.begin(), m_coupled.end(), 1) >= many_coupled;
  if (m_is_many) find_rods();
}

// Spans of contact reach over three nodes. What couples the same in every step (links) is no more to factor than a net is.
void Tangent::find_rods() {
  const assembly::Assembly& own = m_potential->assembly();
  if (m_rods_pairs.empty()) {
    m_rods_pairs.assign(own.own_couplings().begin(), own.own_couplings().end());
    const Segments& segments = own.model().segments();
    const Joints& joints = own.model().joints();
    const int count = own.model().segment_count();
    for (const int j : own.joints()) {
      const int a = joints.a[j], b = joints.b[j];
      if (a >= count || b >= count) continue;
      m_rods_pairs.emplace_back(own.block_of_node(segments.node0[a]), own.block_of_node(segments.node1[b]));
    }
    const auto& lasting = m_potential->coupling().lasting_pairs();
    m_rods_pairs.insert(m_rods_pairs.end(), lasting.begin(), lasting.end());
    m_rods.renew(static_cast<int>(m_potential->blocks().size()), m_rods_pairs);
    m_rods_factor.renew(m_rods);
  }
  m_copies.clear();
  const auto copy = [&](int row, int column) {
    if (m_matrix.has(row, column)) m_copies.push_back({m_matrix.slot(row, column), m_rods.slot(row, column)});
  };
  const std::span<const int> start = m_rods.column_start(), rows = m_rods.rows();
  for (int column = 0; column < static_cast<int>(start.size()) - 1; ++column)
    for (int e = start[column]; e < start[column + 1]; ++e) copy(rows[e], column);
}

void Tangent::assemble(double geometric, double inertia, NetPotential::Which which) {
  m_matrix.set_zero();
  m_potential->add_found_hessian(geometric, m_matrix, which);
  for (std::size_t i = 0; i < m_nodes.size(); ++i) m_matrix.add(m_nodes[i], scaled(inertia, m_potential->nodes()[i].matrix));
  for (std::size_t i = 0; i < m_spins.size(); ++i) {
    const NetPotential::SpinTerm& spin = m_potential->spins()[i];
    const Vec3 more = (inertia - 1) * m_potential->inv_h() * m_potential->inv_h() * spin.inertia;
    m_matrix.add(m_spins[i], m_potential->spin_hessian(spin, geometric) + Sym3{more.x, 0, 0, more.y, 0, more.z});
  }
}

// Without a potential as many right-hand sides as GMRES asks for are solved exactly.
bool Tangent::goes_by_gradients() const { return m_is_many && !m_gave_up && m_potential->has_potential(); }

bool Tangent::prepare(bool may_not) {
  if (!goes_by_gradients()) return factorise();
  if (factorise_rods()) return true;
  if (may_not) return false;
  m_gave_up = true;
  return factorise();
}

bool Tangent::factorise() {
  if (m_is_factor_stale) m_factor.renew(m_matrix, m_potential->coupling().runs());
  m_is_factor_stale = false;
  return m_factor.factorise(m_matrix, m_potential->assembly().free()) && m_factor.negative() == 0;
}

bool Tangent::factorise_rods() {
  m_rods.set_zero();
  for (const Copy& copy : m_copies) m_rods.add(copy.to, m_matrix.block(copy.from));
  return m_rods_factor.factorise(m_rods, m_potential->assembly().free()) && m_rods_factor.negative() == 0;
}

bool Tangent::solve(const Eigen::VectorXd& right, Eigen::VectorXd& out, bool must) {
  if (!goes_by_gradients()) {
    m_factor.solve(right, out);
    return true;
  }
  const Eigen::VectorXd& free = m_potential->assembly().free();
  m_masked = right.cwiseProduct(free);
  out = out.cwiseProduct(free);
  const auto multiply = [&](const Eigen::VectorXd& in, Eigen::VectorXd& to) {
    m_matrix.multiply(in, to);
    to = to.cwiseProduct(free);
  };
  const auto precondition = [&](const Eigen::VectorXd& in, Eigen::VectorXd& to) { m_rods_factor.solve(in, to); };
  if (m_gradients.solve(multiply, precondition, m_masked, out, left_over, most_products)) return true;
  if (!must || !m_gradients.is_positive()) return false;
  m_gave_up = true;
  if (!factorise()) return false;
  m_factor.solve(right, out);
  return true;
}

}  // namespace writhe::newton
