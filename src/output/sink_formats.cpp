#include "output/sink_formats.h"

#include <algorithm>
#include <utility>

#include "base/names.h"
#include "output/replay.h"
#include "output/sink_file.h"
#include "output/sink_obj.h"
#include "output/sink_store.h"
#include "output/sink_vtk.h"
#include "output/usd_stage.h"
#include "writhe/error.h"

namespace writhe::output {

namespace {

constexpr const char *stage_file = "rods.usda", *page_file = "replay.html";

bool wanted(const Scene& scene, const std::string& format) {
  const std::vector<std::string>& formats = scene.output.formats;
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

// What is composed of the frames when the run has ended.
std::vector<StoreSink::Compose> composed(const Scene& scene, const std::filesystem::path& folder,
                                         const std::filesystem::path& page) {
  std::vector<StoreSink::Compose> out;
  if (wanted(scene, "usd"))
    out.emplace_back(
        [path = folder / stage_file](const Model& model, FrameStore& store) { write_usd_stage(model, store, path); });
  if (wanted(scene, "html")) {
    check_replay_page();
    out.emplace_back([path = page.empty() ? folder / page_file : page](const Model& model, FrameStore& store) {
      write_replay(model, store, path);
    });
  }
  return out;
}

}  // namespace

std::vector<std::unique_ptr<Sink>> format_sinks(const Scene& scene, const std::filesystem::path& folder,
                                                const std::filesystem::path& page) {
  for (const std::string& name : scene.output.formats) format_files(name);  // all of them exist
  std::vector<std::unique_ptr<Sink>> sinks;
  if (wanted(scene, "vtk")) sinks.push_back(std::make_unique<VtkSink>(folder));
  if (wanted(scene, "obj")) sinks.push_back(std::make_unique<ObjSink>(folder));
  if (std::vector<StoreSink::Compose> results = composed(scene, folder, page); !results.empty())
    sinks.push_back(std::make_unique<StoreSink>(folder, std::move(results)));
  return sinks;
}

std::vector<std::string> format_files(const std::string& format) {
  if (format == "vtk") return {"rods.pvd", "vtk"};
  if (format == "usd") return {stage_file, "frames.bin"};
  if (format == "obj") return {"obj"};
  if (format == "html") return {page_file, "frames.bin"};
  throw Error("output.formats", format, "no such format; " + hint(format, format_names(), "formats"));
}

void remove_format_files(const std::filesystem::path& folder) {
  for (const std::string& format : format_names()) {
    for (const std::string& name : format_files(format)) {
      std::error_code error;
      if (std::filesystem::is_directory(std::filesystem::symlink_status(folder / name, error))) continue;
      std::filesystem::remove(folder / name, error);
      if (error) throw_write_error(folder / name, error.value());
    }
  }
  VtkSink::obstacles_in(folder).clear();
  VtkSink::frames_in(folder).clear();
  ObjSink::frames_in(folder).clear();
}

bool is_format_file(const std::filesystem::path& folder, const std::filesystem::path& file) {
  for (const FrameFolder& frames : {VtkSink::frames_in(folder), VtkSink::obstacles_in(folder), ObjSink::frames_in(folder)})
    if (frames.is_frame(file)) return true;
  for (const std::string& format : format_names())
    for (const std::string& name : format_files(format))
      if (file == folder / name) return true;
  return false;
}

}  // namespace writhe::output
