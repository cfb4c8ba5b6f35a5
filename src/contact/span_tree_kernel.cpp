// The search for spans that may meet: cmake/WritheKernels.cmake. What it finds of two spans depends on these two alone, not on
// where they lie in the tree.
#include "contact/span_tree_kernel.h"

#include "math/pack.h"

namespace writhe::contact::WRITHE_ISA {

namespace {

namespace hn = writhe::WRITHE_ISA::hn;
using writhe::WRITHE_ISA::Pack;
using Tag = Pack::Tag;
using Mask = hn::Mask<Tag>;

constexpr int width = SpanBlocks::width, box_numbers = SpanBlocks::box_numbers, tube_numbers = SpanBlocks::tube_numbers;
constexpr unsigned all = (1U << width) - 1;

inline unsigned bits_of(const Mask& mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(Tag(), mask, bytes);
  return bytes[0];
}

// What is asked of a block.
struct BoxQuery {
  double number[box_numbers];
  BoxQuery() = default;
  explicit BoxQuery(const double (&of)[box_numbers]) {
    for (int k = 0; k < box_numbers; ++k) number[k] = of[k];
  }
  BoxQuery(const double* block, int lane) {
    for (int k = 0; k < box_numbers; ++k) number[k] = block[k * width + lane];
  }
};
struct TubeQuery {
  double number[tube_numbers];
  TubeQuery() = default;
  explicit TubeQuery(const double (&of)[tube_numbers]) {
    for (int k = 0; k < tube_numbers; ++k) number[k] = of[k];
  }
  TubeQuery(const double* block, int lane) {
    for (int k = 0; k < tube_numbers; ++k) number[k] = block[k * width + lane];
  }
};

inline unsigned boxes_met(const double* block, const BoxQuery& box) {
  const Tag d;
  unsigned bits = 0;
  for (int lane = 0; lane < width; lane += Pack::lanes) {
    const auto low = [&](int k) { return hn::Le(hn::LoadU(d, block + k * width + lane), hn::Set(d, box.number[k + 3])); };
    const auto high = [&](int k) { return hn::Ge(hn::LoadU(d, block + (k + 3) * width + lane), hn::Set(d, box.number[k])); };
    const Mask met = hn::And(hn::And(hn::And(low(0), high(0)), hn::And(low(1), high(1))), hn::And(low(2), high(2)));
    bits |= bits_of(met) << lane;
  }
  return bits;
}

struct Lines {
  Pack x, y, z;
};
inline Pack dot(const Lines& a, const Lines& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Pack clamped(const Pack& a) { return hn::Min(hn::Max(a.v, hn::Zero(Tag())), hn::Set(Tag(), 1.0)); }

// Nearest places of two segments a + s u and b + t v, s and t in [0, 1]: Ericson, Real-Time Collision Detection (2005), 5.1.9.
// Where they are parallel to rounding any s will do to begin with; a share of the squares is left to rounding. The lower of two
// spans is the first, whichever is asked for, so that both ways end in the same bits.
inline unsigned tubes_met(const double* block, const TubeQuery& tube) {
  constexpr double rounding = 1e-10;
  const Tag d;
  const Pack tiny(1e-300), one(1.0);
  unsigned bits = 0;
  for (int lane = 0; lane < width; lane += Pack::lanes) {
    const auto number = [&](int k) { return hn::LoadU(d, block + k * width + lane); };
    const auto own = [&](int k) { return hn::Set(d, tube.number[k]); };
    const Mask swapped = hn::Lt(number(7), own(7));
    const auto first = [&](int k) { return Pack(hn::IfThenElse(swapped, number(k), own(k))); };
    const auto second = [&](int k) { return Pack(hn::IfThenElse(swapped, own(k), number(k))); };
    const Lines u{first(3), first(4), first(5)}, v{second(3), second(4), second(5)};
    const Lines w{first(0) - second(0), first(1) - second(1), first(2) - second(2)};
    const Pack uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
    const Pack free = clamped((uv * vw - vv * uw) / (max(uu * vv - uv * uv, Pack(0.0)) + tiny));
    const Pack t = clamped((uv * free + vw) * second(8)), s = clamped((uv * t - uw) * first(8));
    const Lines way{w.x + s * u.x - t * v.x, w.y + s * u.y - t * v.y, w.z + s * u.z - t * v.z};
    const Pack reach = first(6) + second(6), most = reach * reach + Pack(rounding) * (uu + vv + dot(w, w));
    bits |= bits_of(hn::Le(dot(way, way).v, most.v)) << lane;
  }
  return bits;
}

// Pairs of a block with itself and those behind it.
struct Search {
  const SpanBlocks& blocks;
  int block;
  int* found;
  int most, count = 0;
  BoxQuery box[width]{};
  TubeQuery tube[width]{};

  Search(const SpanBlocks& of, int own, int* room, int size) : blocks(of), block(own), found(room), most(size) {
    for (int k = 0; k < width; ++k) {
      box[k] = {blocks.boxes[0] + own * (box_numbers * width), k};
      tube[k] = {blocks.tubes + own * (tube_numbers * width), k};
    }
  }

  // rows: those of the own block that meet the box around the other.
  void meet(int other, unsigned rows) {
    const double *boxes = blocks.boxes[0] + other * (box_numbers * width), *tubes = blocks.tubes + other * (tube_numbers * width);
    for (; rows != 0; rows &= rows - 1) {
      const int row = __builtin_ctz(rows), own = blocks.span[block * width + row];
      unsigned bits = boxes_met(boxes, box[row]);
      if (other == block) bits &= all << (row + 1);
      if (bits != 0) bits &= tubes_met(tubes, tube[row]);
      for (; bits != 0; bits &= bits - 1) {
        const int span = blocks.span[other * width + __builtin_ctz(bits)];
        if (count < most) {
          found[2 * count] = own < span ? own : span;
          found[2 * count + 1] = own < span ? span : own;
        }
        ++count;
      }
    }
  }

  void run() {
    meet(block, all);
    if (blocks.levels == 1) return;
    const double* own = blocks.boxes[0] + block * (box_numbers * width);
    const BoxQuery around(blocks.boxes[1] + (block / width) * (box_numbers * width), block % width);
    struct Todo {
      int level, block;
    } todo[width * SpanBlocks::most_levels];
    int depth = 0;
    todo[depth++] = {blocks.levels - 1, 0};
    while (depth > 0) {
      const Todo at = todo[--depth];
      const double* boxes = blocks.boxes[at.level] + at.block * (box_numbers * width);
      for (unsigned bits = boxes_met(boxes, around); bits != 0; bits &= bits - 1) {
        const int lane = __builtin_ctz(bits), below = at.block * width + lane;
        if ((below + 1LL) << (3 * (at.level - 1)) <= block + 1LL) continue;  // all of it lies before the block, or is it
        if (at.level > 1)
          todo[depth++] = {at.level - 1, below};
        else
          meet(below, boxes_met(own, BoxQuery(boxes, lane)));
      }
    }
  }
};

int find(const SpanBlocks& blocks, int block, int* found, int most) {
  Search search(blocks, block, found, most);
  search.run();
  return search.count;
}

int choose(const Sweep* sweeps, int one, const int* others, int count, int* chosen) {
  const BoxQuery box(sweeps[one].box);
  const TubeQuery tube(sweeps[one].tube);
  alignas(64) double boxes[box_numbers * width] = {}, tubes[tube_numbers * width] = {};
  int found = 0;
  for (int begin = 0; begin < count; begin += width) {
    const int here = count - begin < width ? count - begin : width;
    for (int k = 0; k < here; ++k) {
      const Sweep& other = sweeps[others[begin + k]];
      for (int m = 0; m < box_numbers; ++m) boxes[m * width + k] = other.box[m];
      for (int m = 0; m < tube_numbers; ++m) tubes[m * width + k] = other.tube[m];
    }
    unsigned bits = boxes_met(boxes, box) & all >> (width - here);
    if (bits != 0) bits &= tubes_met(tubes, tube);
    for (; bits != 0; bits &= bits - 1) chosen[found++] = begin + __builtin_ctz(bits);
  }
  return found;
}

}  // namespace

extern const SpanKernel kernel;
const SpanKernel kernel = {find, choose};

}  // namespace writhe::contact::WRITHE_ISA
