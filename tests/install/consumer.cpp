// Reaches through the whole library (parser, model, solver), so that everything it uses has to be linked.
#include <cstdio>

#include <writhe/writhe.h>

int main() {
  const char* text = R"(
writhe: 1
materials: {rubber: {young: 1.0e6, poisson: 0.5, density: 1000}}
sections: {thin: {circle: {radius: 0.01}}}
rods: {rod: {centreline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}, segments: 4, material: rubber, section: thin}}
supports: [{clamp: rod.start}]
)";
  writhe::Simulation simulation(writhe::Model(writhe::parse_scene(text, "consumer.yaml")));
  const writhe::StepReport report = simulation.step(1e-3);
  std::printf("segments: %d\n", simulation.model().segment_count());
  return report.accepted() ? 0 : 1;
}
