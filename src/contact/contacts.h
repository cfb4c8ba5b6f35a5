// What touches in a state, and how hard: for whoever looks at it. docs/theory/contact.md.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::contact {

class ContactTerm;

// A point of a rod's axis at which its surface is pressed.
struct Press {
  int rod = 0;
  double arc = 0;                     // m: rest, along the rod
  int other_rod = -1, obstacle = -1;  // one of them is what presses
  double other_arc = 0;               // m
  Vec3 at{};                          // m: the middle of the gap
  Vec3 force{};                       // N, on the rod
  double gap = 0;                     // m
};

class Contacts {
 public:
  explicit Contacts(const Model& model);
  ~Contacts();
  static bool any(const Model& model);  // whether rods of the model may touch anything

  void read(const State& state);
  double energy() const { return m_energy; }  // J
  // Of two rods, or two places of one, half of what presses comes from either side.
  std::span<const Press> presses() const { return m_presses; }
  double least_gap() const { return m_least_gap; }  // m; infinite where nothing presses
  // N: what presses a rod, added up; and what rods do to an obstacle.
  Vec3 on_rod(int rod) const { return m_on_rod[rod]; }
  Vec3 on_obstacle(int obstacle) const { return m_on_obstacle[obstacle]; }
  // N/m, of rest length: what presses a rod at its nodes, k = 0 ... segment_count, where a ring has its first node once more. A
  // press counts for the two nodes around it by how near they are; linear between the nodes, the whole is on_rod.
  std::span<const Vec3> along_rod(int rod) const;
  Vec3 at(int rod, double arc) const;  // the same at an arc length (m, rest)

  // All that two rods, or a rod and itself or an obstacle, do to each other.
  struct Meeting {
    int rod, other_rod, obstacle;  // one of the last two is -1; rod <= other_rod
    Vec3 force{};                  // N, on `rod`; of a rod with itself nothing
    double pressure = 0;           // N: sizes of all forces, added up
    double least_gap = 0;          // m
  };
  // By rod, then other rod, then obstacle.
  std::vector<Meeting> meetings() const;

 private:
  struct Along {
    std::size_t segment;  // the node of m_along at its start
    double part;          // 0 to 1
  };
  std::size_t first_of(int rod) const;
  Along segment_at(int rod, double arc) const;
  void spread(int rod, double arc, const Vec3& force);
  void spread_presses();

  const Model* m_model;
  std::unique_ptr<ContactTerm> m_term;
  double m_energy = 0, m_least_gap = 0;
  std::vector<Press> m_presses;
  std::vector<Vec3> m_on_rod, m_on_obstacle;
  // Of all rods, one after the other, segment_count + 1 each.
  std::vector<Vec3> m_along;
  std::vector<double> m_arc;  // m: rest, of these nodes
};

}  // namespace writhe::contact
