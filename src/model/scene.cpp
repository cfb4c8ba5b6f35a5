#include "writhe/scene.h"

#include <algorithm>

#include "model/motion.h"
#include "model/piecewise_linear.h"

namespace writhe {

double Ramp::at(double time) const { return piecewise_linear(points, time); }
double Ramp::mean(double from, double to) const { return piecewise_linear_mean(points, from, to); }
double Ramp::mean_by_square(double from, double to) const { return piecewise_linear_mean_by_square(points, from, to); }

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

template <class See>
static void for_each_key(const Motion& motion, const See& see) {
  for (const auto& key : motion.translate.keys) see(key.first);
  for (const auto& key : motion.angle.keys) see(key.first);
  for (const auto& key : motion.twist.keys) see(key.first);
}

double end_of(const Motion& motion) {
  double end = 0;
  for_each_key(motion, [&end](double time) { end = std::max(end, time); });
  return end;
}

std::vector<double> key_times(const Scene& scene) {
  std::vector<double> out;
  const auto see = [&out](double time) {
    if (time > 0) out.push_back(time);
  };
  const auto see_all = [&see](const auto& keys) {
    for (const auto& key : keys) see(key.first);
  };
  see_all(scene.gravity_ramp.points);
  for (const Load& load : scene.loads) see_all(load.ramp.points);
  for (const Link& link : scene.links) see_all(link.ramp.points);
  for (const Rod& rod : scene.rods) see_all(rod.closing_motion.keys);
  for (const Support& support : scene.supports)
    if (support.motion) for_each_key(*support.motion, see);
  for (const Obstacle& obstacle : scene.obstacles)
    if (obstacle.motion) for_each_key(*obstacle.motion, see);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

double last_change(const Scene& scene) {
  const std::vector<double> times = key_times(scene);
  return times.empty() ? 0 : times.back();
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
