#include "hanging_sag.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded_scene.h"

namespace writhe::experiments {

namespace {
const std::string folder = "experiments/hanging-rod/";
}

std::string Hanging::key() const { return fmt::format("sag_r{}_E{}_d{}_m", radius_mm, young_mpa, distance_cm); }

double reference_sag(const Hanging& rod) { return embedded_reference(folder + "reference.json").at(rod.key()).get<double>(); }

std::string sag_source() { return "boundary value problem of the planar rod, " + folder + "reference.py"; }

}  // namespace writhe::experiments
