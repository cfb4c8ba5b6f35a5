#include "statics/clusters.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "linalg/dense.h"
#include "statics/part_candidates.h"

namespace writhe::statics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

namespace {

MatrixXd stacked(const std::vector<RowVectorXd>& rows, Index least) {
  const auto count = static_cast<Index>(rows.size());
  MatrixXd out = MatrixXd::Zero(std::max(count, least), rows.front().size());
  for (Index r = 0; r < count; ++r) out.row(r) = rows[static_cast<std::size_t>(r)];
  return out;
}

// Combinations of motions on which the work is none. `moved`: columns, how each moves what the work is given for. Those of a long
// chain move one of its components almost alike (a turn about something far away is a shift), so the work is judged on what they
// can do there, not on what each does.
MatrixXd without_work(const MatrixXd& work, const MatrixXd& moved, double negligible) {
  constexpr double nothing = 1e-12;
  MatrixXd tall = MatrixXd::Zero(std::max(moved.rows(), moved.cols()), moved.cols());
  tall.topRows(moved.rows()) = moved;
  const linalg::PivotedQr local(tall);
  const Index rank = local.rank(nothing * local.largest());
  const MatrixXd basis = local.range(rank).topRows(moved.rows());
  const linalg::PivotedQr worked(work * basis);
  const MatrixXd unmoved = local.kernel(rank), free = local.preimage(worked.kernel(worked.rank(negligible)));
  MatrixXd out(moved.cols(), unmoved.cols() + free.cols());
  out << unmoved, free;
  for (Index c = 0; c < out.cols(); ++c) out.col(c).normalize();
  return out;
}

// What both sets of orthonormal columns span, as it is in the second, and the rest of the first. The motions of a whole cluster
// are known better than they are found: without this the rounding errors of all ties of a long chain would show where its ends
// meet.
MatrixXd with_known(const MatrixXd& found, const MatrixXd& known) {
  constexpr double same = 1e-8;  // rad: between both
  const MatrixXd outside = known - found * (found.transpose() * known);
  const linalg::SymmetricEigen angles = linalg::symmetric_eigen(outside.transpose() * outside);
  const auto shared = static_cast<Index>((angles.values.array() < same * same).count());
  if (shared == 0) return found;
  const MatrixXd within = known * angles.vectors.leftCols(shared);
  MatrixXd out(found.rows(), found.cols());
  out << within, found * linalg::complement(found.transpose() * within);
  return out;
}

// Components and the motions that are left to them, united tie by tie.
class Union {
 public:
  explicit Union(const std::vector<PartMotions>& parts)
      : m_parts(parts), m_root(parts.size()), m_place(parts.size()), m_clusters(parts.size()) {
    std::iota(m_root.begin(), m_root.end(), 0);
    for (std::size_t p = 0; p < parts.size(); ++p) m_clusters[p] = {{p}, MatrixXd(candidates, 0), true};
  }

  Cluster& operator[](std::size_t root) { return m_clusters[root]; }
  std::size_t root(std::size_t part) {
    while (m_root[part] != part) part = m_root[part] = m_root[m_root[part]];
    return part;
  }
  // Of the components of a tie that have motions, each once.
  std::vector<std::size_t> roots(const Tie& tie) {
    std::vector<std::size_t> out;
    for (const std::size_t part : tie.parts)
      if (const std::size_t r = root(part); m_clusters[r].motions.cols() > 0) out.push_back(r);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }
  void apply(const Tie& tie, const std::vector<std::size_t>& roots, double negligible);

 private:
  const std::vector<PartMotions>& m_parts;
  std::vector<std::size_t> m_root;
  std::vector<std::size_t> m_place;  // per component: which of its cluster it is
  std::vector<Cluster> m_clusters;   // by root
};

void Union::apply(const Tie& tie, const std::vector<std::size_t>& roots, double negligible) {
  std::vector<Index> first{0};  // column of each
  for (const std::size_t r : roots) first.push_back(first.back() + m_clusters[r].motions.cols());
  MatrixXd moved = MatrixXd::Zero(candidates * static_cast<Index>(tie.parts.size()), first.back());
  for (std::size_t k = 0; k < tie.parts.size(); ++k) {
    const auto at = std::lower_bound(roots.begin(), roots.end(), root(tie.parts[k]));
    if (at == roots.end() || *at != root(tie.parts[k])) continue;
    const MatrixXd& own = m_clusters[*at].motions;
    moved.block(candidates * static_cast<Index>(k), first[static_cast<std::size_t>(at - roots.begin())], candidates, own.cols()) =
        own.middleRows(candidates * static_cast<Index>(m_place[tie.parts[k]]), candidates);
  }
  const MatrixXd left = without_work(stacked(tie.work, first.back()), moved, negligible);

  Cluster united;
  united.tied = true;
  for (const std::size_t r : roots) {
    for (const std::size_t part : m_clusters[r].parts) {
      m_place[part] = united.parts.size();
      united.parts.push_back(part);
    }
    m_root[r] = roots.front();
  }
  united.motions.resize(candidates * static_cast<Index>(united.parts.size()), left.cols());
  Index row = 0;
  for (std::size_t k = 0; k < roots.size(); ++k) {
    const MatrixXd& own = m_clusters[roots[k]].motions;
    united.motions.middleRows(row, own.rows()) = own * left.middleRows(first[k], own.cols());
    row += own.rows();
  }
  if (left.cols() > 0) {
    MatrixXd whole(united.motions.rows(), rigid_motions);
    for (std::size_t k = 0; k < united.parts.size(); ++k)
      whole.middleRows(candidates * static_cast<Index>(k), candidates) = m_parts[united.parts[k]].rigid;
    united.motions = with_known(linalg::orthonormal(united.motions), linalg::orthonormal(whole));
  }
  m_clusters[roots.front()] = std::move(united);
}

void sort_parts(Cluster& cluster) {
  std::vector<std::size_t> order(cluster.parts.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return cluster.parts[a] < cluster.parts[b]; });
  Cluster sorted{{}, MatrixXd(cluster.motions.rows(), cluster.motions.cols()), cluster.tied};
  for (const std::size_t k : order) {
    sorted.motions.middleRows(candidates * static_cast<Index>(sorted.parts.size()), candidates) =
        cluster.motions.middleRows(candidates * static_cast<Index>(k), candidates);
    sorted.parts.push_back(cluster.parts[k]);
  }
  cluster = std::move(sorted);
}

// Per component and motion: whether some term does work on it.
std::vector<std::vector<bool>> find_worked(const std::vector<PartMotions>& parts, const std::vector<Tie>& ties,
                                           double negligible) {
  std::vector<std::vector<bool>> out(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) out[p].assign(static_cast<std::size_t>(parts[p].free.cols()), false);
  for (const Tie& tie : ties)
    for (std::size_t k = 0; k < tie.parts.size(); ++k) {
      const std::size_t p = tie.parts[k];
      for (const RowVectorXd& work : tie.work) {
        const RowVectorXd done = work.segment(candidates * static_cast<Index>(k), candidates) * parts[p].free;
        for (Index c = 0; c < done.size(); ++c)
          if (std::abs(done[c]) > negligible) out[p][static_cast<std::size_t>(c)] = true;
      }
    }
  return out;
}

MatrixXd columns_of(const MatrixXd& all, const std::vector<bool>& worked, bool wanted) {
  MatrixXd out(all.rows(), std::count(worked.begin(), worked.end(), wanted));
  Index to = 0;
  for (std::size_t c = 0; c < worked.size(); ++c)
    if (worked[c] == wanted) out.col(to++) = all.col(static_cast<Index>(c));
  return out;
}

}  // namespace

// Ties are applied in rounds, in each of which a cluster meets one tie: of a chain the clusters double with every round, and no
// motion of a long one is combined more than a few times.
std::vector<Cluster> find_clusters(const std::vector<PartMotions>& parts, const std::vector<Tie>& ties, double negligible) {
  std::vector<Cluster> out;
  const std::vector<std::vector<bool>> worked = find_worked(parts, ties, negligible);
  Union united(parts);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    united[p].motions = columns_of(parts[p].free, worked[p], true);
    if (const MatrixXd idle = columns_of(parts[p].free, worked[p], false); idle.cols() > 0)
      out.push_back({{p}, linalg::orthonormal(idle), false});
  }
  std::vector<const Tie*> waiting;
  waiting.reserve(ties.size());
  for (const Tie& tie : ties) waiting.push_back(&tie);
  std::vector<std::size_t> met(parts.size(), 0);  // per root: the round in which it met a tie
  for (std::size_t round = 1; !waiting.empty(); ++round) {
    std::vector<const Tie*> later;
    for (const Tie* tie : waiting) {
      const std::vector<std::size_t> roots = united.roots(*tie);
      if (roots.empty()) continue;
      if (std::any_of(roots.begin(), roots.end(), [&](std::size_t r) { return met[r] == round; })) {
        later.push_back(tie);
        continue;
      }
      united.apply(*tie, roots, negligible);
      met[roots.front()] = round;
    }
    waiting = std::move(later);
  }
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (united.root(p) != p || united[p].motions.cols() == 0) continue;
    sort_parts(united[p]);
    out.push_back(std::move(united[p]));
  }
  return out;
}

}  // namespace writhe::statics
