// Whatever the bytes of a checkpoint: they are read, or refused with an Error.
#include "simulation/checkpoint.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "model/scene_digest.h"
#include "writhe/error.h"

namespace {

using namespace writhe;

void require(bool condition) {
  if (!condition) std::abort();  // the fuzzer keeps the input
}

// One segment, free: the scene of the seeds.
const Model& model() {
  static const Model one = [] {
    Scene scene;
    scene.materials = {{"rubber", 1e6, 1300, 0.5, {}}};
    scene.sections = {{"round", CircleSection{0.01}}};
    Rod rod;
    rod.name = "rod";
    rod.section = "round";
    rod.material = "rubber";
    rod.centreline = LineShape{{0, 0, 0}, {1, 0, 0}};
    rod.segments = 1;
    scene.rods = {rod};
    return Model(scene);
  }();
  return one;
}

// What claims to belong to the scene can be gone on from: nothing reads past its end.
void go_on(Checkpoint checkpoint) {
  checkpoint.scene = scene_digest(model().scene());
  try {
    check_belongs(checkpoint, model(), "checkpoint.writhe");
  } catch (const Error&) {
    return;
  }
  require(same_size(checkpoint.state, model().initial_state()));
  StepReport moving;
  moving.max_speed = 1;
  if (checkpoint.settling) checkpoint.settling->accepted({}, moving, checkpoint.state);
  checkpoint.clock.aim(checkpoint.state.time, 1e-3, checkpoint.state.time + 1);
  require(checkpoint.clock.next() >= checkpoint.state.time);
}

// What was read is written and read again as the same bytes.
void decode(std::string_view bytes) {
  try {
    const Checkpoint read = decode_checkpoint(bytes, "checkpoint.writhe");
    const std::string once = encode(read);
    require(encode(decode_checkpoint(once, "again")) == once);
    go_on(read);
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
