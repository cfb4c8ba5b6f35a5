#include "contact/span_tree.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <utility>

#include "math/kernel_choice.h"
#include "writhe/vec.h"

namespace writhe::contact {

WRITHE_DEFINE_KERNEL_CHOICE(SpanKernel, span_kernel)

namespace {

constexpr int width = SpanBlocks::width, box_block = SpanBlocks::box_numbers * width,
              tube_block = SpanBlocks::tube_numbers * width;
constexpr int blocks_of_piece = 32;  // some 50 us of work
constexpr double infinity = std::numeric_limits<double>::infinity();

int blocks_of(int count) { return (count + width - 1) / width; }

// Bits of a number of 21, each followed by two zeros.
std::uint64_t spread(std::uint64_t v) {
  v = (v | v << 32) & 0x1f00000000ffffULL;
  v = (v | v << 16) & 0x1f0000ff0000ffULL;
  v = (v | v << 8) & 0x100f00f00f00f00fULL;
  v = (v | v << 4) & 0x10c30c30c30c30c3ULL;
  return (v | v << 2) & 0x1249249249249249ULL;
}

// Of where it lies between low and high; what is not a number lies low.
std::uint64_t cell(double x, double low, double scale) {
  constexpr double most = 2097151;
  const double at = (x - low) * scale;
  return static_cast<std::uint64_t>(at >= most ? most : at > 0 ? at : 0);
}

Vec3 doubled_centre(const double (&box)[6]) { return {box[0] + box[3], box[1] + box[4], box[2] + box[5]}; }

}  // namespace

void SpanTree::lay_out(int count) {
  if (static_cast<int>(m_keyed.size()) == count) return;
  m_keyed.resize(count);
  m_spare.resize(count);
  m_boxes.clear();
  m_blocks = {};
  for (int blocks = blocks_of(count);; blocks = blocks_of(blocks)) {
    m_boxes.emplace_back(static_cast<std::size_t>(blocks) * box_block);
    for (std::size_t k = 0; k < m_boxes.back().size(); ++k)
      m_boxes.back()[k] = k % box_block < box_block / 2 ? infinity : -infinity;
    m_blocks.boxes[m_blocks.levels++] = m_boxes.back().data();
    if (blocks <= 1) break;
  }
  m_tubes.assign(static_cast<std::size_t>(blocks_of(count)) * tube_block, 0);
  m_order.assign(static_cast<std::size_t>(blocks_of(count)) * width, -1);
  m_blocks.tubes = m_tubes.data();
  m_blocks.span = m_order.data();
  m_size_sorted = 0;
}

// By the digits of their keys, from the last to the first; digits that are the same everywhere are left out.
void SpanTree::sort(const std::vector<Sweep>& sweeps) {
  Vec3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
  for (const Sweep& sweep : sweeps) {
    const Vec3 at = doubled_centre(sweep.box);
    low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
    high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
  }
  const double size = std::max({high.x - low.x, high.y - low.y, high.z - low.z}), scale = size > 0 ? 2097152 / size : 0;
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    const Vec3 at = doubled_centre(sweeps[i].box);
    m_keyed[i] = {
        spread(cell(at.x, low.x, scale)) | spread(cell(at.y, low.y, scale)) << 1 | spread(cell(at.z, low.z, scale)) << 2,
        static_cast<int>(i)};
  }
  constexpr int digit_bits = 11, digits = 1 << digit_bits;
  for (int shift = 0; shift < 63; shift += digit_bits) {
    std::array<int, digits> begin{};
    const auto digit = [shift](const Keyed& keyed) { return keyed.key >> shift & (digits - 1); };
    for (const Keyed& keyed : m_keyed) ++begin[digit(keyed)];
    if (begin[digit(m_keyed[0])] == static_cast<int>(m_keyed.size())) continue;
    int sum = 0;
    for (int& count : begin) sum += std::exchange(count, sum);
    for (const Keyed& keyed : m_keyed) m_spare[begin[digit(keyed)]++] = keyed;
    m_keyed.swap(m_spare);
  }
  for (std::size_t i = 0; i < m_keyed.size(); ++i) m_order[i] = m_keyed[i].span;
}

// Boxes around the blocks of the level below. The sum of their sizes, m.
double SpanTree::enclose(int level, const Threads& threads) {
  const std::vector<double>& below = m_boxes[level - 1];
  std::vector<double>& boxes = m_boxes[level];
  const int count = static_cast<int>(below.size()) / box_block;
  threads.for_each_chunk(count, [&](int begin, int end) {
    for (int m = begin; m < end; ++m) {
      double* to = &boxes[(m / width) * box_block + m % width];
      const double* from = &below[m * box_block];
      for (int k = 0; k < 6; ++k) {
        double all = from[k * width];
        for (int i = 1; i < width; ++i) all = k < 3 ? std::min(all, from[k * width + i]) : std::max(all, from[k * width + i]);
        to[k * width] = all;
      }
    }
  });
  double size = 0;
  for (int m = 0; m < count; ++m) {
    const double* box = &boxes[(m / width) * box_block + m % width];
    size += box[3 * width] - box[0] + box[4 * width] - box[width] + box[5 * width] - box[2 * width];
  }
  return size;
}

void SpanTree::build(const std::vector<Sweep>& sweeps, const Threads& threads) {
  constexpr double grown = 1.3;  // by how much blocks may grow until spans are put in order once more
  const int count = static_cast<int>(sweeps.size());
  lay_out(count);
  if (count == 0) return;
  const auto fill = [&] {
    threads.for_each_chunk(count, [&](int begin, int end) {
      for (int place = begin; place < end; ++place) {
        const Sweep& sweep = sweeps[m_order[place]];
        for (int k = 0; k < 6; ++k) m_boxes[0][(place / width) * box_block + k * width + place % width] = sweep.box[k];
        for (int k = 0; k < SpanBlocks::tube_numbers; ++k)
          m_tubes[(place / width) * tube_block + k * width + place % width] = sweep.tube[k];
      }
    });
    m_size = m_blocks.levels > 1 ? enclose(1, threads) : 0;
  };
  if (m_size_sorted > 0) fill();
  if (!(m_size_sorted > 0) || m_size > grown * m_size_sorted) {
    sort(sweeps);
    fill();
    m_size_sorted = std::max(m_size, std::numeric_limits<double>::min());
  }
  for (int level = 2; level < m_blocks.levels; ++level) enclose(level, threads);
}

void SpanTree::search(int p) {
  Piece& piece = m_pieces[p];
  const int blocks = blocks_of(static_cast<int>(m_keyed.size())), end = std::min(blocks, (p + 1) * blocks_of_piece);
  piece.count = 0;
  for (int block = p * blocks_of_piece; block < end; ++block) {
    const auto room = [&] { return static_cast<int>(piece.pairs.size()) / 2 - piece.count; };
    const auto look = [&] { return span_kernel().find(m_blocks, block, piece.pairs.data() + 2 * piece.count, room()); };
    int count = look();
    if (count > room()) {
      piece.pairs.resize(2 * std::max(2 * piece.count, piece.count + count));
      count = look();
    }
    piece.count += count;
  }
}

// Pieces give pairs in the order of the tree; they are counted and put where they belong by their lower spans. In which order
// threads do that does not matter: each list is sorted afterwards. (Counts that threads share took 7 of 44 ms on 80,000 spans:
// alone there is no need.)
void SpanTree::find(const Threads& threads) {
  const int spans = static_cast<int>(m_keyed.size()), pieces = (blocks_of(spans) + blocks_of_piece - 1) / blocks_of_piece;
  const bool alone = threads.count() == 1;
  const auto next = [alone](int& count) {
    return alone ? count++ : std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed);
  };
  m_pieces.resize(static_cast<std::size_t>(pieces));
  m_begin.assign(static_cast<std::size_t>(spans) + 2, 0);
  threads.for_each(pieces, [&](int p) {
    search(p);
    for (int k = 0; k < m_pieces[p].count; ++k) next(m_begin[m_pieces[p].pairs[2 * k] + 2]);
  });
  for (int i = 2; i < spans + 2; ++i) m_begin[i] += m_begin[i - 1];
  m_behind.resize(static_cast<std::size_t>(m_begin[spans + 1]));
  threads.for_each(pieces, [&](int p) {
    const int* pair = m_pieces[p].pairs.data();
    for (int k = 0; k < m_pieces[p].count; ++k, pair += 2) m_behind[next(m_begin[pair[0] + 1])] = pair[1];
  });
  threads.for_each_chunk(spans, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) std::sort(m_behind.begin() + m_begin[i], m_behind.begin() + m_begin[i + 1]);
  });
}

}  // namespace writhe::contact
