// Turns a checked scene into the arrays of a Model. Used once, by Model's constructor.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/problems.h"
#include "model/rod_shape.h"
#include "model/scene_index.h"
#include "writhe/model.h"

namespace writhe {

class ModelBuilder {
 public:
  explicit ModelBuilder(Model& model);
  // Throws Error with every problem of the scene.
  void build();

 private:
  // A node of a rod, numbered along the rod; of a ring 0 ... segments - 1.
  struct RodNode {
    int rod = 0;
    int node = 0;
    auto operator<=>(const RodNode&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 misreads it
  };
  // A frame to be: a clamp of one node, or a junction of several.
  struct Hub {
    std::vector<RodNode> places;
    bool junction = false;
    std::string path;                // for messages
    const Support* clamp = nullptr;  // that prescribes the frame
    RodNode clamped;                 // the node it names
    int node = -1;                   // number in the model
    int frame = -1;                  // number in the model
  };

  // Before the arrays: geometry of every rod that is fine, and what is attached to which node.
  void shape_rods();
  std::vector<std::vector<const Place*>> joined_places() const;
  void find_junctions();
  void find_supports();
  void check_reactions();
  std::optional<RodNode> node_at(const Place& place, const std::string& path);
  void add_junction(const Junction& junction, const std::string& path);
  void add_support(const Support& support, const std::string& path);
  void check_meeting(const Hub& hub, const RodNode& other, const std::string& path);
  void check_clamp_axes(const Support& support, const RodNode& at, const std::string& path);
  Hub* hub_at(const RodNode& at);

  // The arrays, rod by rod.
  void number_nodes(int rod);
  void add_segments(int rod);
  void add_joints(int rod);
  void resolve_supports();
  void find_components();
  void resolve_loads();
  ResolvedPlace place_of_load(const Place& place);
  void resolve_links();
  void check_contact_sizes();

  int model_node(const RodNode& at) const { return m_node_number[at.rod][at.node]; }
  const RodShape& initial(int rod) const { return m_geometry[rod]->initial; }
  int open_frame(Hub& hub);
  Quat frame_orientation(const Hub& hub) const;
  Quat turn_to(const Hub& hub, int rod, int node) const;
  void add_full_joint(int rod, int node);
  void add_corner(int rod, int node, int before, int after);
  void add_half_before(Hub& hub, int rod, int node);
  void add_half_after(Hub& hub, int rod, int node);
  void add_joint(int a, int b, double length, const Vec3& stiffness, const Quat& rest, const Quat& turn_a, const Quat& turn_b,
                 int closes = -1);

  Model& m_model;
  const Scene& m_scene;
  SceneIndex m_index;
  Problems m_problems;
  std::vector<std::optional<RodGeometry>> m_geometry;  // per rod; empty where the rod has problems
  std::vector<Hub> m_hubs;
  std::map<RodNode, int> m_hub_of;                 // hubs by each of their nodes
  std::map<RodNode, const Support*> m_support_of;  // nodes that are held; of a junction its first place
  std::vector<std::vector<int>> m_node_number;     // per rod, per node along it
  std::vector<Vec3> m_bend;                        // per segment: EI1, EI2, GJ
};

}  // namespace writhe
