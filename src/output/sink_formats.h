// The sinks of output.formats.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/format_names.h"
#include "writhe/scene.h"
#include "writhe/simulation.h"

namespace writhe::output {

// Of the formats that the scene asks for. `folder` exists; `page`: where the format html goes, replay.html of the folder when
// empty. Throws Error for an unknown format, and for html when the program was built without its page.
std::vector<std::unique_ptr<Sink>> format_sinks(const Scene& scene, const std::filesystem::path& folder,
                                                const std::filesystem::path& page = {});

// What a format leaves in the folder: names of files and of folders, first the one that no other format has. Throws Error for an
// unknown format.
std::vector<std::string> format_files(const std::string& format);
// Removes what earlier runs left of any format, and nothing else; of a link the link, not what it leads to. Throws Error when it
// cannot.
void remove_format_files(const std::filesystem::path& folder);
// A run may write or remove this file of the folder, by its name. Both paths are in the same form.
bool is_format_file(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace writhe::output
