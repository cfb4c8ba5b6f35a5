// Whatever the bytes of a checkpoint: they are read, or refused with an Error.
#include "simulation/checkpoint.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "writhe/error.h"

namespace {

using namespace writhe;

void require(bool condition) {
  if (!condition) std::abort();  // the fuzzer keeps the input
}

// What was read is written and read again as the same bytes.
void decode(std::string_view bytes) {
  try {
    const std::string once = encode(decode_checkpoint(bytes, "checkpoint.writhe"));
    require(encode(decode_checkpoint(once, "again")) == once);
  } catch (const Error& error) {
    require(error.problems().size() == 1 && !error.problems()[0].message.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  decode(bytes);
  // A change nearly always ends at the hash that closes the file. With a hash that fits, what stands before it is read.
  const std::string_view body = bytes.substr(0, size - std::min(size, sizeof(std::uint64_t)));
  const std::uint64_t hash = hash_of(body);
  decode(std::string(body).append(reinterpret_cast<const char*>(&hash), sizeof hash));
  return 0;
}
