// What the cantilever experiments share: settle a clamped rod on finer and finer meshes and compare its tip with a reference.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "study/experiment.h"
#include "writhe/simulation.h"

namespace writhe::experiments {

// One entry of a reference.json, see heavy_cantilever.py. The tip is relative to the clamp, in rod lengths.
struct TipReference {
  double length = 0;  // m
  double tip_x = 0, tip_z = 0;
};
TipReference tip_reference(const std::string& embedded_json, const std::string& entry);

// The override that makes the scene's rod a straight line of this length (m) along x.
std::string line_of_length(double length);

// The tip of the only rod, relative to its start and divided by its length.
Vec3 tip_of(const Simulation& simulation);

// The same rod on several meshes, coarse to fine.
struct MeshStudy {
  std::vector<int> segments;
  std::vector<Vec3> tips;
  std::vector<double> errors;  // distance of the tip (x, z) from the reference, rod lengths
  std::optional<Simulation> finest;

  double order_of_three_finest() const;
  double largest_out_of_plane() const;  // |y|, rod lengths
};
// `overrides` is given the number of segments; empty: none. Throws Error when a rod does not come to rest.
using Overrides = std::function<std::vector<std::string>(int segments)>;
MeshStudy refine_cantilever(const std::string& scene_file, const Overrides& overrides, const TipReference& reference,
                            const std::vector<int>& segments, const study::Context& context);

// tip_x_<label>_n<segments> and tip_z_... of every mesh, order_<label>.
void measure_tips(study::Result& result, const MeshStudy& mesh_study, const std::string& label);

// A rod of the experiment, for its plots: shapes on the finest mesh with the tips of the reference, and errors.
struct Cantilever {
  std::string name;
  TipReference reference;
  MeshStudy mesh_study;
};
void plot_cantilevers(study::Result& result, const std::vector<Cantilever>& rods);

}  // namespace writhe::experiments
