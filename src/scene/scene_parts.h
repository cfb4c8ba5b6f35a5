// One reader for each part of a scene. docs/scene.md documents the keys, docs/scene.schema.json must agree with them.
#pragma once

#include <optional>

#include "scene/yaml_reader.h"
#include "writhe/scene.h"

namespace writhe::scene_file {

void read(const Field& field, Track<double>& out);  // angles
void read(const Field& field, Track<Vec3>& out);

// How something moves, with or without a twist.
struct MotionOf {
  std::optional<Motion>& motion;
  bool twists;
};
void read(const Field& field, MotionOf out);

void read(const Field& field, Material& out);
void read(const Field& field, Section& out);
void read(const Field& field, Rod& out);
void read(const Field& field, Junction& out);
void read(const Field& field, Support& out);
void read(const Field& field, Load& out);
void read(const Field& field, Link& out);
void read(const Field& field, Obstacle& out);
void read(const Field& field, Contact& out);
void read(const Field& field, Damping& out);
void read(const Field& field, SolverSettings& out);
void read(const Field& field, Output& out);
void read(const Field& field, Scene& out);

// What writhe/load.h does; `known_keys`, when given, learns which keys the maps of this scene may have.
Scene parse_scene(const std::string& text, const std::string& name, const std::vector<std::string>& overrides,
                  KnownKeys* known_keys);

}  // namespace writhe::scene_file
