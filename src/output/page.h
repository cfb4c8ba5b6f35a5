// The pages of web/, built when Writhe is, with data put inside.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace writhe::output {

// The text of web/<name>.html. Throws Error when the program was built without its pages (WRITHE_WEB); `field` names what asked
// for it.
std::string_view page(const std::string& name, const std::string& field);

// For a file, indented. Bytes that are not UTF-8, which a path may have, are replaced.
std::string text_of(const nlohmann::ordered_json& json, int indent);
// JSON as text inside a page: nothing in it ends the element it stands in.
std::string text_in_page(const nlohmann::ordered_json& json);

// The page `name` with the data at its place, in a file that is replaced when it is whole.
void write_page(const std::string& name, const nlohmann::ordered_json& data, const std::filesystem::path& path);

}  // namespace writhe::output
