#include "output/replay_block.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <zlib.h>

namespace writhe::output {

namespace {

// Modulo 2^bits, folded.
std::uint16_t folded(int difference, int bits) {
  const int range = 1 << bits, half = range / 2;
  int d = difference & (range - 1);
  if (d >= half) d -= range;
  return static_cast<std::uint16_t>(d >= 0 ? 2 * d : -2 * d - 1);
}

void append_channel(std::string& out, const ReplayChannel& channel, std::size_t nodes) {
  const std::vector<std::uint16_t>& v = channel.values;
  const std::size_t start = out.size(), count = v.size();
  out.resize(start + count * (channel.bits == 16 ? 2 : 1));
  for (std::size_t i = 0; i < count; ++i) {
    int expected = 0;
    if (i >= 2 * nodes)
      expected = 2 * v[i - nodes] - v[i - 2 * nodes];
    else if (i >= nodes)
      expected = v[i - nodes];
    else if (i > 0)
      expected = v[i - 1];
    const std::uint16_t code = folded(v[i] - expected, channel.bits);
    out[start + i] = static_cast<char>(code & 255);
    if (channel.bits == 16) out[start + count + i] = static_cast<char>(code >> 8);
  }
}

}  // namespace

std::string packed_block(std::span<const ReplayChannel> channels, std::size_t nodes) {
  std::string plain;
  for (const ReplayChannel& channel : channels) append_channel(plain, channel, nodes);
  uLongf size = compressBound(plain.size());
  std::string out(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(plain.data()),
                               plain.size(), Z_DEFAULT_COMPRESSION);
  if (status != Z_OK) throw std::runtime_error("zlib: out of memory");
  out.resize(size);
  return out;
}

std::uint16_t quantised(double value, double low, double high, int bits) {
  if (!(high > low)) return 0;
  const double most = (1 << bits) - 1;
  return static_cast<std::uint16_t>(std::lround(std::clamp((value - low) / (high - low), 0.0, 1.0) * most));
}

OctahedralDirection octahedral(const Vec3& d) {
  const double sum = std::abs(d.x) + std::abs(d.y) + std::abs(d.z);
  double a = d.x / sum, b = d.y / sum;
  if (d.z < 0) {
    const double folded_a = (1 - std::abs(b)) * (a < 0 ? -1 : 1), folded_b = (1 - std::abs(a)) * (b < 0 ? -1 : 1);
    a = folded_a;
    b = folded_b;
  }
  return {quantised(a, -1, 1, 8), quantised(b, -1, 1, 8)};
}

}  // namespace writhe::output
