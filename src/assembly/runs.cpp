// What of coupled chains is eliminated before the blocks that are coupled. A chain alone is eliminated along itself and nothing
// fills in: a block has two others below it. A coupled block that waits is a third one for all that come after it along the
// chain. So chains are eliminated from both ends, where up to two coupled places on either side wait alone. Each place between
// those waits as a whole, node and segment: it parts the chain, and what lies between two such has four below it, however many
// there are.
#include <algorithm>
#include <cstdint>

#include "assembly/assembly.h"

namespace writhe::assembly {

void Assembly::find_runs(const std::vector<std::pair<int, int>>& pairs, linalg::Runs& runs) const {
  constexpr std::size_t alone = 2;  // coupled places on either side that wait alone
  std::vector<std::uint8_t> waits(static_cast<std::size_t>(m_blocks), 0);
  for (const auto& [a, b] : pairs) waits[a] = waits[b] = 1;
  runs.blocks.clear();
  runs.run_of.assign(static_cast<std::size_t>(m_blocks), -1);
  runs.count = 0;
  const auto take = [&](int block) {
    if (waits[block]) return;
    runs.blocks.push_back(block);
    runs.run_of[block] = runs.count;
  };
  // Places from `first` on, before `last`.
  const auto forward = [&](int first, int last) {
    for (int b = m_place_start[first]; b < m_place_start[last]; ++b) take(b);
  };
  const auto backward = [&](int first, int last) {
    for (int b = m_place_start[last] - 1; b >= m_place_start[first]; --b) take(b);
  };
  std::vector<int> coupled;  // places of a rod
  for (std::size_t rod = 0; rod + 1 < m_rod_start.size(); ++rod) {
    const int first = m_rod_start[rod], last = m_rod_start[rod + 1];
    coupled.clear();
    for (int p = first; p < last; ++p)
      if (std::any_of(waits.begin() + m_place_start[p], waits.begin() + m_place_start[p + 1], [](auto w) { return w != 0; }))
        coupled.push_back(p);
    int from = first, to = last;  // what is left of the rod between the two ends
    if (coupled.size() <= 2 * alone) {
      from = to = coupled.empty() ? last : coupled[coupled.size() / 2];
      forward(first, from);
    } else {
      from = coupled[alone];
      to = coupled[coupled.size() - alone - 1] + 1;
      for (std::size_t k = alone; k < coupled.size() - alone; ++k)
        std::fill(waits.begin() + m_place_start[coupled[k]], waits.begin() + m_place_start[coupled[k] + 1], 1);
      forward(first, from);
      ++runs.count;
      for (std::size_t k = alone; k + 1 < coupled.size() - alone; ++k, ++runs.count) forward(coupled[k] + 1, coupled[k + 1]);
    }
    backward(to, last);
    ++runs.count;
  }
}

}  // namespace writhe::assembly
