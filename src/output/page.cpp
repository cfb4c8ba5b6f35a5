#include "output/page.h"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/embedded.h"
#include "output/file_replacement.h"
#include "writhe/error.h"

namespace writhe::output {

namespace {

constexpr std::string_view place_of_data = "<!--WRITHE-DATA-->";

}  // namespace

std::string_view page(const std::string& name, const std::string& field) {
  const std::string file = "web/" + name + ".html";
  const std::vector<std::string_view> files = embedded_files();
  if (std::find(files.begin(), files.end(), file) == files.end())
    throw Error(field, "", "this program was built without its pages; build it with -D WRITHE_WEB=ON");
  return embedded_file(file);
}

std::string text_of(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string text_in_page(const nlohmann::ordered_json& json) {
  std::string out;
  for (const char c : text_of(json, -1)) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

void write_page(const std::string& name, const nlohmann::ordered_json& data, const std::filesystem::path& path) {
  const std::string_view text = page(name, path.filename().string());
  const std::size_t place = text.find(place_of_data);
  FileReplacement file(path);
  file.write(text.substr(0, place));
  file.write(R"(<script id="writhe-data" type="application/json">)");
  file.write(text_in_page(data));
  file.write("</script>");
  file.write(text.substr(place + place_of_data.size()));
  file.commit();
}

}  // namespace writhe::output
