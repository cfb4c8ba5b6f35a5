// Checks of what moves: keys of supports, of obstacles and of closing angles.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/check.h"
#include "model/motion.h"

namespace writhe {

namespace {

bool is_zero(double value) { return value == 0; }
bool is_zero(const Vec3& value) { return value.x == 0 && value.y == 0 && value.z == 0; }

// What moves, in words.
struct Mover {
  const char* what;
  const char* ways;    // in which it can
  const char* place;   // from where its motion counts
  const char* remedy;  // where that does not begin with 0
};
constexpr Mover support_mover{"the support", "translate, rotate or twist", "where the rod is built", "build the rod there"};
constexpr Mover obstacle_mover{"the obstacle", "translate or rotate", "where it stands in the scene", "put it there"};

// A motion begins where the scene has it: one that did not would throw the rod there in the first step.
template <class T>
void check_start(const Track<T>& track, Easing easing, const Mover& mover, const std::string& path, Problems& problems) {
  if (problems.any_at(path) || problems.unread(path)) return;
  const T start = track.at(0, easing);
  if (is_zero(start)) return;
  problems.add(path_of(path, 0), text_of(start),
               fmt::format("is where {} would be at time 0, but a motion counts from {}; start with 0, or {}", mover.what,
                           mover.place, mover.remedy));
}

template <class T>
void check_track(const Track<T>& track, Easing easing, const Mover& mover, const std::string& path, const std::string& what,
                 Problems& problems) {
  if (track.keys.empty()) return;
  for (std::size_t i = 0; i < track.keys.size(); ++i) {
    const auto& [time, value] = track.keys[i];
    const std::string here = path_of(path, i);
    const bool fine = problems.finite(here, time, "the time of a key (s)");
    problems.finite(here, value, what);
    if (fine && i > 0 && time <= track.keys[i - 1].first && !problems.unread(path_of(path, i - 1)))
      problems.add(here, text_of(time),
                   "times of keys must increase; this one follows " + text_of(track.keys[i - 1].first) + " s");
  }
  check_start(track, easing, mover, path, problems);
}

// A translation along a coordinate that is not held would be ignored.
void check_held(const Support& support, const std::string& path, Problems& problems) {
  const Track<Vec3>& track = support.motion->translate;
  for (std::size_t i = 0; i < track.keys.size(); ++i) {
    const Vec3& to = track.keys[i].second;
    for (const auto& [axis, value] : {std::pair{'x', to.x}, std::pair{'y', to.y}, std::pair{'z', to.z}}) {
      if (value == 0 || support.axes.find(axis) != std::string::npos) continue;
      problems.add(path_of(path + ".motion.translate", i), text_of(to),
                   fmt::format("moves along {0}, which this support does not hold; add {0} to axes, or leave it at 0", axis));
      return;
    }
  }
}

// A turn is no motion of a pin that lies on the axis, and along a coordinate that is not held it would be ignored.
void check_turn(const Support& support, const std::string& path, Problems& problems) {
  const Motion& motion = *support.motion;
  const std::string here = path + ".motion.rotate";
  if (motion.angle.keys.empty() || problems.any_at(here) || problems.unread(here)) return;
  if (!motion.about) {
    if (support.kind == Support::Kind::pin)
      problems.add(here, "", "a pin that turns about itself stays where it is; give about, a point of the axis");
    return;
  }
  const Vec3 axis = normalized(motion.axis);
  for (const auto& [name, along] : {std::pair{'x', axis.x}, std::pair{'y', axis.y}, std::pair{'z', axis.z}}) {
    if (std::abs(along) > 1 - 1e-12 || support.axes.find(name) != std::string::npos) continue;
    problems.add(here, "",
                 fmt::format("moves along {0}, which this support does not hold; add {0} to axes, or turn about {0}", name));
    return;
  }
}

// rad/s, between any two keys: what an easing adds to the mean rate is its steepest slope.
double fastest(const Track<double>& track, Easing easing) {
  const double slope = easing == Easing::linear ? 1 : easing == Easing::smooth ? 1.5 : 1.875;
  double rate = 0;
  for (std::size_t i = 1; i < track.keys.size(); ++i) {
    const auto& [t0, a] = track.keys[i - 1];
    const auto& [t1, b] = track.keys[i];
    rate = std::max(rate, slope * std::abs(b - a) / (t1 - t0));
  }
  return rate;
}

// Which the simulation would refuse in the middle of the run (Drive::check_turns).
void check_rate(const Scene& scene, const Track<double>& track, Easing easing, const std::string& path, Problems& problems) {
  if (problems.any_at(path) || problems.unread(path) || problems.unread("time") || scene.halves_steps() || !(scene.dt > 0))
    return;
  const double rate = fastest(track, easing);
  if (rate * scene.dt <= most_turn_a_step) return;
  problems.add(
      path, fmt::format("{:.3g} turns/s", rate / (2 * pi)),
      fmt::format("turns by {:.3g} turns in one step, and a quarter is the most; take a time.dt of {:.2g} s or less, set "
                  "time.adaptive: true, or let it turn more slowly (angles without a unit are in rad)",
                  rate * scene.dt / (2 * pi), most_turn_a_step / rate));
}

// What every motion keeps to; `here`: its path.
void check_tracks(const Scene& scene, const Motion& motion, const Mover& mover, const std::string& here, Problems& problems) {
  if (motion.translate.keys.empty() && motion.angle.keys.empty() && motion.twist.keys.empty() && !problems.unread(here))
    problems.add(here, "", fmt::format("moves nothing; give {}, or leave it out", mover.ways));
  check_track(motion.translate, motion.easing, mover, here + ".translate", "the translation (m)", problems);
  check_track(motion.angle, motion.easing, mover, here + ".rotate.angle", "the angle (rad)", problems);
  check_track(motion.twist, motion.easing, mover, here + ".twist", "the twist (rad)", problems);
  if (!motion.angle.keys.empty()) problems.direction(here + ".rotate.axis", motion.axis, "the axis");
  if (motion.about) problems.finite(here + ".rotate.about", *motion.about, "the point of the axis (m)");
  check_rate(scene, motion.angle, motion.easing, here + ".rotate.angle", problems);
  check_rate(scene, motion.twist, motion.easing, here + ".twist", problems);
}

}  // namespace

void check_motion(const Scene& scene, const Support& support, const std::string& path, Problems& problems) {
  const Motion& motion = *support.motion;
  const std::string here = path + ".motion";
  if (support.kind == Support::Kind::pin && !motion.twist.keys.empty())
    problems.add(here + ".twist", "", "a pin does not twist the rod; use a clamp or leave it out");
  check_tracks(scene, motion, support_mover, here, problems);
  check_held(support, path, problems);
  check_turn(support, path, problems);
}

void check_obstacle_motion(const Scene& scene, const Motion& motion, const std::string& path, Problems& problems) {
  if (!motion.twist.keys.empty())
    problems.add(path + ".twist", "", "an obstacle has no direction of its own to be twisted about; use rotate");
  check_tracks(scene, motion, obstacle_mover, path, problems);
}

void check_closing_motion(const Scene& scene, const Track<double>& track, const std::string& path, Problems& problems) {
  check_track(track, Easing::linear, support_mover, path, "the closing angle (rad)", problems);
  check_rate(scene, track, Easing::linear, path, problems);
}

}  // namespace writhe
