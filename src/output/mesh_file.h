// Triangle meshes as files: STL for printing, OBJ and PLY for renderers.
#pragma once

#include <filesystem>
#include <string>

#include "output/tube_mesh.h"

namespace writhe::output {

// By the ending of the path: .stl (binary, floats), .obj (text, one object a rod) or .ply (binary, little endian, floats).
// `scale`: units of the file in a metre; 1000 for printers, which take numbers for millimetres. Throws Error for another ending,
// when a coordinate does not fit into a float, and when the file cannot be written.
void write_mesh(const TubeMesh& mesh, const std::filesystem::path& path, double scale = 1);

}  // namespace writhe::output
