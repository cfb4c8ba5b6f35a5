// The same scene on a finer or coarser mesh, with shorter or longer steps.
#pragma once

#include "writhe/scene.h"

namespace writhe::study {

// Powers of two: every rod has 2^mesh times the segments of the scene, a step is 2^-time times as long.
struct Resolution {
  int mesh = 0, time = 0;
  bool operator==(const Resolution&) const = default;
  bool operator<(const Resolution& other) const { return mesh != other.mesh ? mesh < other.mesh : time < other.time; }
};

// Places named by a node stay where they are on the rod. Throws Error where a mesh cannot be so coarse: an odd number of
// segments, a place that is no longer a node.
Scene at_resolution(Scene scene, Resolution resolution);
// Whether the scene can be built so.
bool has_resolution(const Scene& scene, Resolution resolution);

int segment_count(const Scene& scene);  // of all rods

}  // namespace writhe::study
