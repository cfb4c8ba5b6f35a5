// A rubber rod built straight between two pins 1 m apart hangs in equilibrium once one of them has been carried in: r 3 mm,
// E 1 MPa, nu 0.5, rho 1300 kg/m^3, 990 segments. Seconds from the scene to the answer, path included, median.
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "harness.h"
#include "rubber.h"
#include "writhe/writhe.h"

namespace writhe::bench {

namespace {

struct Hanging {
  int distance_cm;  // of the pins
  double sag;       // m: experiments/hanging-rod/reference.json
};

double seconds_to_hang(const Hanging& hanging) {
  const Scene scene = carried_rod(990, 0.01 * hanging.distance_cm);
  const double start = cpu_seconds();
  Statics statics{Model(scene)};
  const StaticReport report = statics.solve();
  const double seconds = cpu_seconds() - start;
  if (!report.converged()) throw std::runtime_error("hanging: " + report.cause);
  const double sag = statics.state().x[495].z;
  if (std::abs(sag - hanging.sag) > 1e-4)  // a wrong answer has no time
    throw std::runtime_error(fmt::format("hanging: the middle hangs at {} m instead of {} m", sag, hanging.sag));
  return seconds;
}

}  // namespace

std::vector<Row> hanging(const Yardstick& yardstick) {
  std::vector<Row> rows;
  for (const Hanging& hanging : {Hanging{50, -0.397897794}, Hanging{25, -0.4547225}}) {
    const double seconds = median_of(9, [&] { return seconds_to_hang(hanging); });
    rows.push_back({fmt::format("hanging_n990_d{}", hanging.distance_cm), seconds, "s", 0.5 * yardstick.slowness(),
                    "0.5 s on a core with yardstick 25.1 ms"});
  }
  return rows;
}

}  // namespace writhe::bench
