#include "io/sink_formats.h"

#include <algorithm>

#include "base/names.h"
#include "io/sink_file.h"
#include "io/sink_obj.h"
#include "io/sink_usd.h"
#include "io/sink_vtk.h"
#include "writhe/error.h"

namespace writhe::io {

namespace {

struct Format {
  std::vector<std::string> files;
  std::unique_ptr<Sink> (*make)(const std::filesystem::path& folder);
};

template <class FormatSink>
std::unique_ptr<Sink> make(const std::filesystem::path& folder) {
  return std::make_unique<FormatSink>(folder);
}

Format format_of(const std::string& name) {
  if (name == "vtk") return {{"rods.pvd", "vtk"}, make<VtkSink>};
  if (name == "usd") return {{"rods.usda", "frames.bin"}, make<UsdSink>};
  if (name == "obj") return {{"obj"}, make<ObjSink>};
  throw Error("output.formats", name, "no such format; " + hint(name, format_names(), "formats"));
}

}  // namespace

std::vector<std::unique_ptr<Sink>> format_sinks(const Scene& scene, const std::filesystem::path& folder) {
  const std::vector<std::string>& wanted = scene.output.formats;
  for (const std::string& name : wanted) format_of(name);
  std::vector<std::unique_ptr<Sink>> sinks;
  for (const std::string& name : format_names()) {
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) sinks.push_back(format_of(name).make(folder));
  }
  return sinks;
}

std::vector<std::string> format_files(const std::string& format) { return format_of(format).files; }

void remove_format_files(const std::filesystem::path& folder) {
  for (const std::string& format : format_names()) {
    for (const std::string& name : format_files(format)) {
      std::error_code error;
      if (std::filesystem::is_directory(folder / name, error)) continue;
      std::filesystem::remove(folder / name, error);
      if (error) throw_write_error(folder / name, error.value());
    }
  }
  VtkSink::frames_in(folder).clear();
  ObjSink::frames_in(folder).clear();
}

}  // namespace writhe::io
