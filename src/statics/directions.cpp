#include "statics/directions.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace writhe::statics {

using Direction = Eigen::SparseVector<double>;
using Eigen::VectorXd;

namespace {

// Of which directions an unknown is part.
class Movers {
 public:
  explicit Movers(Eigen::Index unknowns) : m_first(static_cast<std::size_t>(unknowns), -1) {}

  void add(const Direction& direction, int number) {
    for (Direction::InnerIterator it(direction); it; ++it) {
      m_entries.push_back({number, m_first[it.index()]});
      m_first[it.index()] = static_cast<int>(m_entries.size()) - 1;
    }
  }
  // Numbers of those that move something that this one does, ascending.
  std::vector<int> met_by(const Direction& direction, int count) {
    std::vector<int> out;
    m_met.resize(static_cast<std::size_t>(count), false);
    for (Direction::InnerIterator it(direction); it; ++it)
      for (int e = m_first[it.index()]; e >= 0; e = m_entries[e].next)
        if (const int number = m_entries[e].number; !m_met[number]) {
          m_met[number] = true;
          out.push_back(number);
        }
    for (const int number : out) m_met[number] = false;
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  struct Entry {
    int number, next;
  };
  std::vector<int> m_first;  // per unknown: of a list; -1: none
  std::vector<Entry> m_entries;
  std::vector<bool> m_met;  // per direction; false between calls
};

}  // namespace

std::vector<Direction> orthonormal_directions(std::vector<Direction> directions, const VectorXd& mass) {
  std::stable_sort(directions.begin(), directions.end(),
                   [](const Direction& a, const Direction& b) { return a.nonZeros() < b.nonZeros(); });
  std::vector<Direction> out;
  Movers movers(mass.size());
  VectorXd own = VectorXd::Zero(mass.size());                             // one direction; zero between them
  std::vector<bool> moved(static_cast<std::size_t>(mass.size()), false);  // by it; likewise
  for (const Direction& direction : directions) {
    Direction pattern = direction;  // of what it moves once the others are taken out
    const std::vector<int> met = movers.met_by(direction, static_cast<int>(out.size()));
    for (Direction::InnerIterator it(direction); it; ++it) own[it.index()] = it.value();
    for (int twice = 0; twice < 2; ++twice)
      for (const int k : met) {
        double along = 0;
        for (Direction::InnerIterator it(out[k]); it; ++it) along += it.value() * mass[it.index()] * own[it.index()];
        for (Direction::InnerIterator it(out[k]); it; ++it) own[it.index()] -= along * it.value();
      }
    const auto mark = [&](const Direction& all) {
      for (Direction::InnerIterator it(all); it; ++it) moved[it.index()] = true;
    };
    mark(pattern);
    for (const int k : met) {
      Direction::InnerIterator it(out[k]);
      while (it && moved[it.index()]) ++it;
      if (!it) continue;
      pattern += out[k];
      mark(out[k]);
    }
    double size = 0;
    for (Direction::InnerIterator it(pattern); it; ++it) {
      it.valueRef() = std::exchange(own[it.index()], 0.0);
      moved[it.index()] = false;
      size += it.value() * mass[it.index()] * it.value();
    }
    if (!(size > 0)) continue;
    pattern /= std::sqrt(size);
    movers.add(pattern, static_cast<int>(out.size()));
    out.push_back(std::move(pattern));
  }
  return out;
}

}  // namespace writhe::statics
