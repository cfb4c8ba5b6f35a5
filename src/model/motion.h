// Where a support is at a time: the one home of what scene.h says of Motion.
#pragma once

#include <vector>

#include "math/rotation.h"
#include "writhe/scene.h"

namespace writhe {

class Displacement {
 public:
  // `place`: where the support is built, the default centre of the turn.
  Displacement(const Motion& motion, const Vec3& place, double time)
      : m_about(motion.about.value_or(place)),
        m_turn(about_axis(normalized(motion.axis), motion.angle.at(time, motion.easing))),
        m_twist(about_axis(Vec3{0, 0, 1}, motion.twist.at(time, motion.easing))),
        m_translate(motion.translate.at(time, motion.easing)) {}

  Vec3 of_point(const Vec3& x) const { return m_about + rotate(m_turn, x - m_about) + m_translate; }
  // q: body to space. `arm` leads from q to the frame whose d3 is the axis of the twist.
  Quat of_frame(const Quat& q, const Quat& arm) const { return m_turn * q * arm * m_twist * conj(arm); }

 private:
  Vec3 m_about;
  Quat m_turn, m_twist;
  Vec3 m_translate;
};

// rad: the most a support or a closing angle may turn in one step. Orientations at the ends of a step could not tell much more
// from less, and a joint holds no full turn.
inline constexpr double most_turn_a_step = pi / 2;

// rad: how far a support turns from one time to another, whole turns included.
inline double turned_between(const Motion& motion, double from, double to) {
  const auto change = [&](const Track<double>& track) {
    return std::abs(track.at(to, motion.easing) - track.at(from, motion.easing));
  };
  return change(motion.angle) + change(motion.twist);
}

// s, ascending, each once: the times after 0 at which a ramp, a motion or a closing angle has a key.
std::vector<double> key_times(const Scene& scene);
// s: when the motion is over.
double end_of(const Motion& motion);
// s: when the last load, support, obstacle or closing angle has come to its end. Before that a rod at rest may only be waiting.
double last_change(const Scene& scene);

}  // namespace writhe
