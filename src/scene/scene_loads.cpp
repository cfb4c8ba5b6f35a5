// What acts on rods: loads and damping.
#include "scene/scene_parts.h"

namespace writhe::scene_file {

// The value of the key that a drag or a wind has: the medium.
static void read(const Field& field, DragLoad& out) {
  Keys keys(field);
  keys.required("normal", out.normal);
  keys.required("tangential", out.tangential);
  keys.optional("velocity", out.velocity);
}

static void read(const Field& field, WindLoad& out) {
  Keys keys(field);
  keys.required("velocity", out.velocity);
  keys.optional("density", out.density);
  keys.optional("coefficient", out.coefficient);
}

void read(const Field& field, Load& out) {
  Keys keys(field);
  const std::string kind = keys.kind({"force", "moment", "force_per_length", "drag", "wind"}, true);
  if (kind.empty()) return;
  if (kind == "force") {
    auto& load = out.kind.emplace<ForceLoad>();
    keys.required("force", load.force);
    keys.required("at", load.at);
    keys.optional("follower", load.follower);
  } else if (kind == "moment") {
    auto& load = out.kind.emplace<MomentLoad>();
    keys.required("moment", load.moment);
    keys.required("at", load.at);
    keys.optional("follower", load.follower);
  } else if (kind == "force_per_length") {
    auto& load = out.kind.emplace<LineLoad>();
    keys.required("force_per_length", load.force_per_length);
    keys.optional("rod", load.rod);
  } else if (kind == "drag") {
    auto& load = out.kind.emplace<DragLoad>();
    keys.required("drag", load);
    keys.optional("rod", load.rod);
  } else {
    auto& load = out.kind.emplace<WindLoad>();
    keys.required("wind", load);
    keys.optional("rod", load.rod);
  }
  keys.optional("ramp", out.ramp);
}

void read(const Field& field, Damping& out) {
  Keys keys(field);
  keys.optional("mass", out.mass);
  keys.optional("internal", out.internal);
}

}  // namespace writhe::scene_file
