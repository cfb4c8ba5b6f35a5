// How a scene is solved and what is written.
#include "io/scene_parts.h"

namespace writhe::io {

static void read(const Field& field, Integrator& out) {
  std::string name;
  read(field, name);
  if (name == "euler") out = Integrator::euler;
  if (name == "midpoint") out = Integrator::midpoint;
  if (!name.empty() && name != "euler" && name != "midpoint") field.problem("no such integrator; choose euler or midpoint");
}

void read(const Field& field, SolverSettings& out) {
  Keys keys(field);
  keys.optional("method", out.method);
  keys.optional("integrator", out.integrator);
  keys.optional("tolerance", out.tolerance);
  keys.optional("max_iterations", out.max_iterations);
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

}  // namespace writhe::io
