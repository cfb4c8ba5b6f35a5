// How a scene is solved and what is written.
#include "scene/scene_parts.h"

namespace writhe::scene_file {

static void read(const Field& field, Integrator& out) {
  read_word(field, out, "integrator", {{"euler", Integrator::euler}, {"midpoint", Integrator::midpoint}});
}

static void read(const Field& field, Weights& out) {
  read_word(field, out, "weights", {{"consistent", Weights::consistent}, {"published", Weights::published}});
}

static void read(const Field& field, Coupling& out) {
  read_word(field, out, "coupling", {{"coupled", Coupling::coupled}, {"separate", Coupling::separate}});
}

static void read(const Field& field, Metric& out) {
  read_word(field, out, "metric",
            {{"auto", Metric::automatic}, {"constant", Metric::constant}, {"refreshed", Metric::refreshed}});
}

static void read(const Field& field, Acceleration& out) {
  read_word(field, out, "acceleration", {{"anderson", Acceleration::anderson}, {"none", Acceleration::none}});
}

static void read(const Field& field, NewtonSettings& out) {
  Keys keys(field);
  keys.optional("max_iterations", out.max_iterations);
}

static void read(const Field& field, PdSettings& out) {
  Keys keys(field);
  keys.optional("iterations", out.iterations);
  keys.optional("weights", out.weights);
  keys.optional("coupling", out.coupling);
  keys.optional("metric", out.metric);
  keys.optional("acceleration", out.acceleration);
}

void read(const Field& field, SolverSettings& out) {
  Keys keys(field);
  keys.optional("method", out.method);
  keys.optional("integrator", out.integrator);
  keys.optional("tolerance", out.tolerance);
  keys.optional("newton", out.newton);
  keys.optional("pd", out.pd);
  keys.moved("max_iterations", "newton");
  for (const char* key : {"iterations", "weights", "coupling", "metric", "acceleration"}) keys.moved(key, "pd");
}

static void read(const Field& field, Probe& out) {
  Keys keys(field);
  keys.required("name", UserName{out.name});
  keys.required("at", out.at);
  keys.optional("fields", out.fields);
}

static void read(const Field& field, Picture& out) {
  Keys keys(field);
  keys.optional("view", out.view);
  keys.optional("color", out.color);
  keys.optional("frames", out.frames);
}

void read(const Field& field, Output& out) {
  Keys keys(field);
  keys.optional("interval", out.interval);
  keys.optional("formats", out.formats);
  keys.optional("frame_interval", out.frame_interval);
  keys.optional("checkpoint", out.checkpoint);
  keys.optional("probes", out.probes);
  keys.optional("picture", out.picture);
}

}  // namespace writhe::scene_file
