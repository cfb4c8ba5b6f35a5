// writhe render RUN FILE...: pictures, meshes and pages of a run that has been computed.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "browser.h"
#include "commands.h"
#include "interrupt.h"
#include "messages.h"
#include "output/checkpoint_file.h"
#include "output/frame_store.h"
#include "output/mesh_file.h"
#include "output/replay.h"
#include "output/run_record.h"
#include "output/sink_file.h"
#include "output/svg_picture.h"
#include "output_folder.h"
#include "simulation/checkpoint.h"
#include "temporary_folder.h"
#include "writhe/error.h"
#include "writhe/load.h"
#include "writhe/model.h"

namespace writhe::cli {

namespace {

namespace fs = std::filesystem;

struct RenderOptions {
  std::string run;
  std::vector<std::string> files;
  std::optional<double> time;  // s; none: the end
  int shapes = 1;
  std::string view, color;  // empty: as the scene says
  std::string theme = "light";
  double width = 960, scale = 1;
  int sides = 16;
  bool force = false;
};

// The states of a run: all frames where it has kept them, else its last state.
class Recording {
 public:
  explicit Recording(const fs::path& folder) : m_folder(folder), m_model(scene_in(folder)) {
    std::error_code error;
    if (const fs::path frames = OutputFolder::frames_in(folder); fs::exists(frames, error)) {
      m_store = output::FrameStore::open_to_read(frames);
      if (m_store->counts() != output::FrameStore::counts_of(m_model.initial_state()) || m_store->count() == 0)
        throw Error("RUN", folder.string(), "frames.bin is not of this run; run the scene again");
      return;
    }
    const fs::path file = OutputFolder::checkpoint_in(folder);
    if (!fs::exists(file, error))
      throw Error("RUN", folder.string(), "has neither frames.bin nor checkpoint.writhe; run the scene again");
    Checkpoint checkpoint = decode_checkpoint(output::read_checkpoint(file), file.string());
    check_belongs(checkpoint, m_model, file.string());
    m_last = std::move(checkpoint.state);
  }

  const Model& model() const { return m_model; }
  std::size_t frames() const { return m_store ? m_store->count() : 1; }
  State frame(std::size_t i) {
    if (!m_store) return m_last;
    State state;
    m_store->read(i, state);
    return state;
  }
  // The one nearest to a time, s.
  std::size_t nearest(double time) {
    std::size_t best = 0;
    double distance = std::abs(frame(0).time - time);
    for (std::size_t i = 1; i < frames(); ++i) {
      const double own = std::abs(frame(i).time - time);
      if (own < distance) best = i;
      distance = std::min(distance, own);
    }
    return best;
  }
  // Throws Error where there is but one.
  output::FrameStore& store(const std::string& what) {
    if (!m_store)
      throw Error(what, m_folder.string(),
                  "the run kept its last state only; run it again with --html FILE or --set \"output.formats=[html]\"");
    return *m_store;
  }

 private:
  static Scene scene_in(const fs::path& folder) {
    std::error_code error;
    const fs::path record = OutputFolder::record_in(folder);
    if (!fs::exists(record, error))
      throw Error("RUN", folder.string(), "is not the folder of a run; `writhe run SCENE` and `writhe solve SCENE` make one");
    const output::RunRecord own = output::read_run_record(record);
    return parse_scene(own.text, own.scene, own.overrides);
  }

  fs::path m_folder;
  Model m_model;
  std::optional<output::FrameStore> m_store;
  State m_last;
};

bool is_mesh(const std::string& ending) { return ending == ".stl" || ending == ".obj" || ending == ".ply"; }

// All of them, before anything is written.
void check_files(const RenderOptions& options) {
  for (const fs::path file : options.files) {
    const std::string ending = file.extension().string();
    std::error_code error;
    if (!is_mesh(ending) && ending != ".svg" && ending != ".png" && ending != ".html")
      throw Error("FILE", file.string(), "has no known ending; choose .svg, .png, .html, .stl, .obj or .ply");
    if (fs::exists(fs::symlink_status(file, error)) && !options.force)
      throw Error("FILE", file.string(), "exists; choose another name, or add --force to replace it");
    if (ending == ".html" || ending == ".png") output::check_replay_page();
    if (ending == ".png") find_browser();
  }
}

output::PictureOptions picture_options(const Recording& run, const RenderOptions& options) {
  Scene look = run.model().scene();
  if (!options.view.empty()) look.output.picture.view = options.view;
  if (!options.color.empty()) look.output.picture.color = options.color;
  output::PictureOptions out = output::picture_options(look);
  out.width = options.width;
  return out;
}

// The last one is that of the time asked for; the others lie evenly before it.
std::vector<State> shapes(Recording& run, const RenderOptions& options) {
  const std::size_t last = options.time ? run.nearest(*options.time) : run.frames() - 1;
  const std::size_t count = std::min(static_cast<std::size_t>(options.shapes), last + 1);
  std::vector<State> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(run.frame(count == 1 ? last : i * last / (count - 1)));
  return out;
}

// The page with this one state, seen by a browser. False when it was stopped.
bool write_png(const Model& model, const State& state, const RenderOptions& options, const fs::path& file,
               const InterruptGuard& interrupt) {
  const TemporaryFolder folder;
  output::FrameStore store = output::FrameStore::create(folder / "frames.bin", output::FrameStore::counts_of(state));
  store.append(state);
  store.flush();
  output::write_replay(model, store, folder / "page.html");
  const Picture& look = model.scene().output.picture;
  const std::string address = fmt::format("file://{}#still&color={}&view={}&theme={}", (folder / "page.html").string(),
                                          options.color.empty() ? look.color : options.color,
                                          options.view.empty() ? look.view : options.view, options.theme);
  const int width = static_cast<int>(options.width);
  return take_screenshot(find_browser(), address, file, {width, width * 5 / 8}, [&] { return !interrupt.raised(); });
}

// Of these shapes, by the ending of the file. False when it was stopped.
bool write(Recording& run, const std::vector<State>& states, const output::PictureOptions& look, const RenderOptions& options,
           const fs::path& file, const InterruptGuard& interrupt) {
  const std::string ending = file.extension().string();
  if (ending == ".png") return write_png(run.model(), states.back(), options, file, interrupt);
  if (ending == ".svg")
    output::write_file(file, output::draw_svg(run.model(), states, look));
  else if (ending == ".html")
    output::write_replay(run.model(), run.store("FILE"), file);
  else
    output::write_mesh(output::tube_mesh(run.model(), states.back(), {.sides = options.sides}), file, options.scale);
  return true;
}

ExitStatus render(const RenderOptions& options) {
  Recording run(options.run);
  const output::PictureOptions look = picture_options(run, options);  // throws for a view or colour that does not exist
  check_files(options);
  if (options.shapes > 1) run.store("--shapes");
  if (options.time) run.store("--time");
  const std::vector<State> states = shapes(run, options);
  const InterruptGuard interrupt("writhe: stopped at once; the files that were named are whole\n");
  for (const fs::path file : options.files) {
    if (interrupt.raised() || !write(run, states, look, options, file, interrupt)) {
      tell("writhe: stopped; {} was not written\n", file.string());
      return failed;
    }
    print("{}: t = {:.6g} s\n", file.string(), states.back().time);
  }
  return done;
}

}  // namespace

void add_render(const Command& app, Action& chosen) {
  const auto options = std::make_shared<RenderOptions>();
  const Command command = app.add_subcommand("render", "Make pictures, tube meshes and pages of a run");
  command.add_option("RUN", options->run, "Folder of results, of `writhe run` or `writhe solve`").required();
  command.add_option("FILE", options->files, "What to write, by its ending: .svg, .png (with Chromium), .html, .stl, .obj, .ply")
      .required();
  command.add_option("--time", options->time, "Take the frame nearest to this time (default: the last one)").type_name("SECONDS");
  command.add_option("--shapes", options->shapes, "Shapes in an SVG picture, from the first frame to that one")
      .within(1, 1000)
      .type_name("N");
  command.add_option("--view", options->view, "Of a picture: xy, xz, yz or iso (default: the scene's)").type_name("VIEW");
  command.add_option("--color", options->color, "Of a picture: none, tension, curvature, twist or speed (default: the scene's)")
      .type_name("FIELD");
  command.add_option("--theme", options->theme, "Of a PNG picture: light or dark").one_of({"light", "dark"});
  command.add_option("--width", options->width, "Of a picture, px").within(100.0, 20000.0).type_name("PX");
  command.add_option("--sides", options->sides, "Of a round tube in a mesh").within(3, 512).type_name("N");
  command.add_option("--scale", options->scale, "Units of a mesh in a metre: 1000 for printers, which count in millimetres")
      .positive()
      .type_name("N");
  command.add_flag("--force", options->force, "Replace files that exist");
  command.footer(
      "Examples:\n"
      "  writhe render out/ring ring.stl --scale 1000             the end of a run, to print\n"
      "  writhe render out/ring strip.svg --shapes 6 --view iso   its motion (needs frames: writhe run ... --html FILE)\n"
      "  writhe render out/ring ring.png --view iso --width 1600  shaded, by Chromium\n"
      "  writhe render out/ring replay.html                       a page that plays it\n");
  command.callback([options, &chosen] { chosen = [options] { return render(*options); }; });
}

}  // namespace writhe::cli
