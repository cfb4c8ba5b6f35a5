#include "assembly/crush.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/labels.h"

namespace writhe::assembly {

namespace {

// Of the gap at which a barrier begins to press: it then presses a thousand times as hard as is usual.
constexpr double closed = 0.02;

// What a rod or an obstacle does to a rod.
struct Press {
  int rod, other_rod, obstacle;
  Vec3 force{};             // N
  double left = 1;          // see Term::Meeting
  std::vector<int> held{};  // nodes of the rod that supports hold against it, where hardly anything is left
};

// Whether a node cannot go where it is pushed.
bool is_held(const Model& model, int node, const Vec3& push) {
  const int fixed = model.nodes().fixed[node];
  const double along = ((fixed & fixed_x) ? push.x * push.x : 0) + ((fixed & fixed_y) ? push.y * push.y : 0) +
                       ((fixed & fixed_z) ? push.z * push.z : 0);
  return along > 0.5 * dot(push, push);
}

std::vector<Press> presses_of(const Model& model, const Coupling& coupling, const State& at) {
  std::map<std::tuple<int, int, int>, Press> all;
  const auto add = [&](int rod, int other_rod, int obstacle, double left) -> Press& {
    Press& one = all.try_emplace({rod, other_rod, obstacle}, Press{rod, other_rod, obstacle}).first->second;
    one.left = std::min(one.left, left);
    return one;
  };
  coupling.visit_meetings(at, [&](std::span<const Dof> dofs, const Term::Meeting& meeting, const Term::Value& value) {
    if (meeting.rod == meeting.other_rod) return;
    Press& own = add(meeting.rod, meeting.other_rod, meeting.obstacle, meeting.left);
    Press* other = meeting.other_rod >= 0 ? &add(meeting.other_rod, meeting.rod, -1, meeting.left) : nullptr;
    for (int i = 0; i < static_cast<int>(dofs.size()); ++i) {
      Press& one = i < meeting.own || !other ? own : *other;
      one.force -= value.gradient[i];
      if (meeting.left < closed && is_held(model, dofs[i].index, value.gradient[i])) one.held.push_back(dofs[i].index);
    }
  });
  std::vector<Press> out;
  out.reserve(all.size());
  for (const auto& [key, one] : all) out.push_back(one);
  std::stable_sort(out.begin(), out.end(), [](const Press& a, const Press& b) { return a.left < b.left; });
  return out;
}

// What is prescribed: an obstacle, or the supports that hold some nodes.
struct Thing {
  int obstacle = -1;
  std::vector<int> held;
  bool operator==(const Thing&) const = default;
};

class Search {
 public:
  Search(const Model& model, std::vector<Press> presses) : m_model(model), m_presses(std::move(presses)) {}

  std::string run() {
    for (const Press& press : m_presses) {
      if (!(press.left < closed)) break;
      m_rods = {press.rod};
      const std::optional<Thing> first = behind(press);
      const std::optional<Thing> second = first ? beyond(press.rod, press) : std::nullopt;
      if (second && *first != *second && (moves(*first) || moves(*second))) return told(*first, *second);
    }
    return {};
  }

 private:
  // What presses, or what it stands on.
  std::optional<Thing> behind(const Press& press) {
    if (press.obstacle >= 0) return Thing{press.obstacle, {}};
    const auto back = std::find_if(m_presses.begin(), m_presses.end(),
                                   [&](const Press& one) { return one.rod == press.other_rod && one.other_rod == press.rod; });
    return beyond(press.other_rod, *back);
  }

  // Where a rod that is pressed passes the force on to.
  std::optional<Thing> beyond(int rod, const Press& by) {
    if (std::find(m_rods.begin(), m_rods.end(), rod) == m_rods.end()) m_rods.push_back(rod);
    const Press* most = nullptr;
    for (const Press& one : m_presses) {
      const bool known = one.other_rod >= 0 && std::find(m_rods.begin(), m_rods.end(), one.other_rod) != m_rods.end();
      if (one.rod != rod || known || dot(one.force, by.force) >= 0) continue;
      if (!most || dot(one.force, by.force) < dot(most->force, by.force)) most = &one;
    }
    if (!by.held.empty()) return Thing{-1, by.held};
    if (!most || !(most->left < 10 * closed)) return std::nullopt;
    return behind(*most);
  }

  std::vector<int> supports_of(const Thing& thing) const {
    std::vector<int> out;
    for (int i = 0; i < static_cast<int>(m_model.supports().size()); ++i)
      if (std::find(thing.held.begin(), thing.held.end(), m_model.supports()[i].node) != thing.held.end()) out.push_back(i);
    return out;
  }

  bool moves(const Thing& thing) const {
    if (thing.obstacle >= 0) return m_model.scene().obstacles[thing.obstacle].motion.has_value();
    const std::vector<int> held = supports_of(thing);
    return std::any_of(held.begin(), held.end(), [&](int i) { return m_model.supports()[i].support.motion.has_value(); });
  }

  std::string named(const Thing& thing) const {
    if (thing.obstacle >= 0) return fmt::format("the obstacle '{}'", m_model.scene().obstacles[thing.obstacle].name);
    const std::vector<std::string> labels = support_labels(m_model.scene());
    std::string out;
    for (const int i : supports_of(thing)) out += (out.empty() ? "what is held by " : " and ") + labels[i];
    return out;
  }

  std::string told(Thing first, Thing second) {
    std::string between;
    std::sort(m_rods.begin(), m_rods.end());
    for (const int rod : m_rods) between += (between.empty() ? "" : ", ") + m_model.rods()[rod].name;
    if (first.obstacle < 0 || (second.obstacle >= 0 && second.obstacle < first.obstacle)) std::swap(first, second);
    const auto& obstacles = m_model.scene().obstacles;
    const std::string both = second.obstacle >= 0 ? fmt::format("the obstacles '{}' and '{}'", obstacles[first.obstacle].name,
                                                                obstacles[second.obstacle].name)
                                                  : fmt::format("{} and {}", named(first), named(second));
    return fmt::format("{} {} crushed between {}", between, m_rods.size() == 1 ? "is" : "are", both);
  }

  const Model& m_model;
  std::vector<Press> m_presses;
  std::vector<int> m_rods;  // in between
};

}  // namespace

std::string crushed(const Model& model, const Coupling& coupling, const State& at) {
  return coupling.is_guarded() ? Search(model, presses_of(model, coupling, at)).run() : std::string();
}

Drawn drawn_out(const Model& model, const Coupling& coupling, const State& at, double least) {
  Drawn out;
  const auto mean = [&](int rod) {
    const RodRange& range = model.rods()[rod];
    double length = 0;
    for (int s = range.first_segment; s < range.first_segment + range.segment_count; ++s)
      length += norm(at.x[model.segments().node1[s]] - at.x[model.segments().node0[s]]);
    return length / range.length;
  };
  coupling.visit_drawn(at, least, [&](const Term::Meeting& meeting, double drawn) {
    if (!(meeting.left < closed)) return;
    const double other = meeting.other_rod >= 0 ? mean(meeting.other_rod) : 1;
    out.times = std::max(out.times, drawn);
    out.more = std::max(out.more, drawn / std::max(mean(meeting.rod), other));
  });
  return out;
}

std::string what_presses(const Model& model, const Coupling& coupling, const State& at) {
  if (!coupling.is_guarded()) return {};
  const std::vector<Press> presses = presses_of(model, coupling, at);
  if (presses.empty()) return {};
  const Press& most = presses.front();
  const std::string rod = model.rods()[most.rod].name;
  if (most.obstacle >= 0) return fmt::format("the obstacle '{}' at {}", model.scene().obstacles[most.obstacle].name, rod);
  return fmt::format("{} at {}", model.rods()[most.other_rod].name, rod);
}

}  // namespace writhe::assembly
