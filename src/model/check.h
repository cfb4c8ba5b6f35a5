// Checks of a scene: every value, every name that refers to another, every size. What is found goes to Problems.
//
// Paths are those of the scene file (rods.rope.segments, supports[0].clamp), so that a message points at its line.
#pragma once

#include <optional>
#include <string>

#include "model/problems.h"
#include "model/rod_shape.h"
#include "model/scene_index.h"
#include "writhe/scene.h"

namespace writhe {

// Everything that can be judged before any rod is divided into segments. Calls all of the below but check_frames.
void check_scene(const SceneIndex& index, Problems& problems);

void check_material(const Material& material, const std::string& path, Problems& problems);
void check_section(const Section& section, const std::string& path, Problems& problems);
void check_rod(const SceneIndex& index, const Rod& rod, const std::string& path, Problems& problems);
// Junctions, supports, loads and probes: what refers to places.
void check_attachments(const SceneIndex& index, Problems& problems);
void check_links(const SceneIndex& index, Problems& problems);
// Obstacles, and which rods touch.
void check_contact(const SceneIndex& index, Problems& problems);

void check_centreline(const Centreline& shape, bool closed, const std::string& path, Problems& problems);
// The rod exists and has the place. `rod` is its number, or -1 when no rod of that name was found.
void check_place(const Scene& scene, int rod, const Place& place, const std::string& path, Problems& problems);
// There is no rod of that name. `value`: what names it.
void unknown_rod(const Scene& scene, const std::string& rod, const std::string& value, const std::string& path,
                 Problems& problems);
void check_ramp(const Ramp& ramp, const std::string& path, Problems& problems);
void check_motion(const Scene& scene, const Support& support, const std::string& path, Problems& problems);
void check_obstacle_motion(const Scene& scene, const Motion& motion, const std::string& path, Problems& problems);
void check_closing_motion(const Scene& scene, const Track<double>& track, const std::string& path, Problems& problems);

// The points of a shape can carry frames: no segment without length, no turn straight back, d1 not along the rod. `path` is
// that of the centreline.
void check_frames(const RodShape& shape, const std::optional<Vec3>& d1, const std::string& path, const std::string& d1_path,
                  Problems& problems);

// Memory a scene needs, estimated over all its rods, and what it may need: bytes.
double memory_needed(const Scene& scene);
inline constexpr double memory_limit = 16e9;

}  // namespace writhe
