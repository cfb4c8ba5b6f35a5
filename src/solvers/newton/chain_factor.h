// The Hessian of a chain or ring, factored once and kept, to be solved with as often as wanted: where a chain is part of a larger
// system (docs/theory/rod.md, "A factor that is kept"). Plain pointers only, as in chain_kernel.h.
#pragma once

namespace writhe::newton {

// Numbers that one elimination of 3 unknowns keeps: P^-1 (xx xy xz yy yz zz), A P^-1 and C P^-1 (by rows), of the pivot block P
// and its panel of A over C. A ring adds P^-1 B^T (by columns), with the panel B to the border: to 6 unknowns of it while the two
// ends are apart, to all 9 in the middle.
inline constexpr int kept_block_size = 24;
inline constexpr int kept_end_panel_size = 18;
inline constexpr int kept_whole_panel_size = 27;

// Right-hand sides that are solved for side by side: what the widest register holds. The number is the same on every machine, so
// that memory can be laid out without asking.
inline constexpr int chain_several = 8;

struct ChainFactor {
  int segments = 0;
  int stride = 0;  // of a row of a right-hand side and of a solution; that of ChainArrays, if they are rows of it
  bool ring = false;
  // [steps][node, orientation], a step being one segment from either end, its numbers in turn of the near and of the far one
  double* blocks = nullptr;
  double* panels = nullptr;  // of a ring: the same
  // Where the ends meet, one number each: the first of two segments if their number is even (node, orientation), the middle
  // (node, orientation, node), the border of a ring (node, two orientations)
  double* centre = nullptr;
  double* centre_panels = nullptr;  // of a ring, of all of these but the border

  // The sizes above given: how many numbers there are in all, and their places in memory of that many, 16-byte aligned.
  long numbers() const { return block_numbers() + panel_numbers() + centre_numbers + (ring ? centre_panel_numbers : 0); }
  void lay_out(double* memory) {
    blocks = memory;
    panels = blocks + block_numbers();
    centre = panels + panel_numbers();
    centre_panels = centre + centre_numbers;
  }

 private:
  static constexpr long centre_numbers = 8L * kept_block_size, centre_panel_numbers = 5L * kept_whole_panel_size;
  long steps() const { return (segments - 1) / 2 - ring; }  // the first segments of a ring are the border's
  long block_numbers() const { return steps() * (4L * kept_block_size); }
  long panel_numbers() const { return ring ? steps() * (4L * kept_end_panel_size) : 0; }
};

// What the pivots of a factor say.
struct ChainPivots {
  int negative = 0;  // by Sylvester's law as many as the matrix has negative eigenvalues; without meaning if there is no factor
  int broken = -1;   // the first segment met, from either end, of which a pivot block is singular or not finite; -1: none
  bool good() const { return broken < 0; }
};

}  // namespace writhe::newton
