#include "writhe/scene.h"

#include <algorithm>

#include "model/motion.h"
#include "model/piecewise_linear.h"

namespace writhe {

double Ramp::at(double time) const { return piecewise_linear(points, time); }

// s in [0, 1]: from one key to the next.
static double eased(double s, Easing easing) {
  switch (easing) {
    case Easing::smooth:
      return s * s * (3 - 2 * s);
    case Easing::smoother:
      return s * s * s * (10 + s * (6 * s - 15));
    default:
      return s;
  }
}

template <class T>
T Track<T>::at(double time, Easing easing) const {
  if (keys.empty()) return T{};
  const auto after = std::upper_bound(keys.begin(), keys.end(), time, [](double t, const auto& key) { return t < key.first; });
  if (after == keys.begin()) return keys.front().second;
  if (after == keys.end()) return keys.back().second;
  const auto& [t0, a] = *(after - 1);
  const auto& [t1, b] = *after;
  return a + eased((time - t0) / (t1 - t0), easing) * (b - a);
}

template struct Track<double>;
template struct Track<Vec3>;

double end_of(const Motion& motion) {
  double end = 0;
  const auto look = [&end](const auto& track) {
    if (!track.keys.empty()) end = std::max(end, track.keys.back().first);
  };
  look(motion.translate);
  look(motion.angle);
  look(motion.twist);
  return end;
}

double last_change(const Scene& scene) {
  double last = 0;
  const auto look = [&last](const auto& keys) {
    if (!keys.empty()) last = std::max(last, keys.back().first);
  };
  look(scene.gravity_ramp.points);
  for (const Load& load : scene.loads) look(load.ramp.points);
  for (const Rod& rod : scene.rods) look(rod.closing_motion.keys);
  for (const Support& support : scene.supports)
    if (support.motion) last = std::max(last, end_of(*support.motion));
  return last;
}

Location Scene::where(const std::string& path) const {
  std::string known = path;
  while (true) {
    if (const auto found = locations.find(known); found != locations.end()) return found->second;
    if (known.empty()) return {};
    const std::size_t cut = known.find_last_of(".[");
    known.resize(cut == std::string::npos ? 0 : cut);
  }
}

}  // namespace writhe
