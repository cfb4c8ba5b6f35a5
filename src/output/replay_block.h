// How the frames of a replay are packed: numbers of few bits, differences along time, compressed. web/replay/src/data.ts reads
// it.
//
// A block is channel after channel. A channel has one number a frame and node, frame after frame; of 16 bits, first the low bytes
// of all its numbers, then the high bytes. In place of a number stands its difference, modulo the range of the channel, from what
// was to be expected: in the first frame the node before; in the second the frame before; later what goes on as in the two
// frames before. Differences are folded, 0, -1, 1, -2, ... to 0, 1, 2, 3, ..., so that small ones have small bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "writhe/vec.h"

namespace writhe::output {

inline constexpr int replay_block_frames = 16;

// The numbers of a block: values[(frame * nodes) + node].
struct ReplayChannel {
  int bits = 16;  // 8 or 16
  std::vector<std::uint16_t> values;
};

// A zlib stream (RFC 1950) of all channels, which have as many values each.
std::string packed_block(std::span<const ReplayChannel> channels, std::size_t nodes);

// A number of `bits` bits for a value in [low, high]; 0 where the two are the same.
std::uint16_t quantised(double value, double low, double high, int bits);

// A direction as a point of the octahedron |x| + |y| + |z| = 1, whose lower half is folded outwards: 8 bits each.
struct OctahedralDirection {
  std::uint16_t u = 0, v = 0;
};
OctahedralDirection octahedral(const Vec3& direction);

}  // namespace writhe::output
