// The line or the triangles of a Wavefront OBJ file.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "scene/yaml_reader.h"
#include "writhe/vec.h"

namespace writhe::scene_file {

// The points of the one open line in the file, along the direction of its first `l` element; without `l` elements, all vertices
// in their order. `file` is relative to the folder of the scene. Problems go to the reading of `field`, with the line of the OBJ
// file; then no points come back.
std::vector<Vec3> read_obj_line(const Field& field, const std::string& file);

struct ObjSurface {
  std::vector<Vec3> points;                   // as they stand in the file
  std::vector<std::array<int, 3>> triangles;  // points
};
// The triangles of the file, one or more. Faces of more corners are refused. As above where something is wrong.
ObjSurface read_obj_surface(const Field& field, const std::string& file);

// The same of a text. Throw Error, with the name of the file, the line and the field.
std::vector<Vec3> obj_line(std::string_view text, const std::string& file, const std::string& field);
ObjSurface obj_surface(std::string_view text, const std::string& file, const std::string& field);

}  // namespace writhe::scene_file
