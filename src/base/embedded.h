// Files that travel inside the program: scenes and references of the experiments, templates of scenes, the schema.
// cmake/WritheEmbed.cmake says which.
#pragma once

#include <string_view>
#include <vector>

namespace writhe {

// The text of a file, by its path in the repository: "docs/scene.schema.json". Throws Error when there is no such file.
std::string_view embedded_file(std::string_view path);
// Paths of all embedded files, sorted.
std::vector<std::string_view> embedded_files();

}  // namespace writhe
