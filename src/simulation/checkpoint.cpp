#include "simulation/checkpoint.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/bytes.h"
#include "model/scene_digest.h"
#include "writhe/error.h"

namespace writhe {

namespace {

// magic, version, contents, and a hash of all before it
constexpr std::string_view magic = "WRITHE\x1a\n";
constexpr std::uint32_t format_version = 5;
constexpr std::size_t smallest = magic.size() + sizeof(std::uint32_t) + sizeof(std::uint64_t);

[[noreturn]] void refuse(const std::string& name, const std::string& message) { throw Error("--resume", name, message); }

bool is_finite(const State& state) {
  const auto all = [](const auto& values, const auto& good) { return std::all_of(values.begin(), values.end(), good); };
  const auto vector = [](const Vec3& v) { return finite(v); };
  const auto unit = [](const Quat& q) { return std::abs(dot(q, q) - 1) < 1e-6; };
  return std::isfinite(state.time) && all(state.x, vector) && all(state.v, vector) && all(state.q, unit) &&
         all(state.w, vector) && all(state.closing, [](double angle) { return std::isfinite(angle); });
}

Checkpoint read_contents(ByteReader& in) {
  Checkpoint out;
  in.get(out.scene);
  in.get(out.method);
  in.get(out.settings);
  load(in, out.state);
  in.get(out.clock);
  out.error.load(in);
  std::uint8_t settles = 0;
  in.get(settles);
  if (settles != 0) out.settling.emplace().load(in);
  in.get(out.solver);
  out.bookmarks.resize(in.get_count(2 * sizeof(std::uint64_t)));
  for (auto& [sink, bookmark] : out.bookmarks) {
    in.get(sink);
    in.get(bookmark);
  }
  return out;
}

}  // namespace

// In the order of the file.
template <class AnyState, class Work>
static void visit(AnyState& state, const Work& work) {
  work(state.time);
  work(state.x);
  work(state.v);
  work(state.q);
  work(state.w);
  work(state.closing);
}

void save(const State& state, ByteWriter& out) {
  visit(state, [&](const auto& values) { out.put(values); });
}

void load(ByteReader& in, State& state) {
  visit(state, [&](auto& values) { in.get(values); });
}

bool same_size(const State& a, const State& b) {
  return a.x.size() == b.x.size() && a.v.size() == b.v.size() && a.q.size() == b.q.size() && a.w.size() == b.w.size() &&
         a.closing.size() == b.closing.size();
}

std::string encode(const Checkpoint& checkpoint) {
  ByteWriter out;
  for (const char c : magic) out.put(c);
  out.put(format_version);
  out.put(checkpoint.scene);
  out.put(std::string_view(checkpoint.method));
  out.put(checkpoint.settings);
  save(checkpoint.state, out);
  out.put(checkpoint.clock);
  checkpoint.error.save(out);
  out.put(static_cast<std::uint8_t>(checkpoint.settling.has_value()));
  if (checkpoint.settling) checkpoint.settling->save(out);
  out.put(std::string_view(checkpoint.solver));
  out.put(static_cast<std::uint64_t>(checkpoint.bookmarks.size()));
  for (const auto& [sink, bookmark] : checkpoint.bookmarks) {
    out.put(std::string_view(sink));
    out.put(std::string_view(bookmark));
  }
  out.put(hash_of(out.bytes()));
  return out.bytes();
}

Checkpoint decode_checkpoint(std::string_view bytes, const std::string& name) {
  if (!bytes.starts_with(magic)) refuse(name, "is not a checkpoint; give the checkpoint.writhe of a run");
  const std::string damaged = "is damaged; resume from another checkpoint, or start the run anew";
  if (bytes.size() < smallest) refuse(name, damaged);
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(std::uint64_t));
  std::uint64_t hash = 0;
  ByteReader(bytes.substr(body.size())).get(hash);
  if (hash != hash_of(body)) refuse(name, damaged);

  ByteReader in(body.substr(magic.size()));
  std::uint32_t version = 0;
  in.get(version);
  if (version != format_version)
    refuse(name, fmt::format("is of version {}, and this program reads version {}; resume with the program that wrote it",
                             version, format_version));
  try {
    Checkpoint out = read_contents(in);
    const bool settling = !out.settling || out.settling->valid();
    if (in.left() == 0 && is_finite(out.state) && out.clock.valid() && out.error.valid() && settling) return out;
  } catch (const std::out_of_range&) {
  }
  refuse(name, damaged);
}

void check_belongs(const Checkpoint& checkpoint, const Model& model, const std::string& name) {
  const State& state = checkpoint.state;
  const auto nodes = static_cast<std::size_t>(model.node_count()),
             orientations = static_cast<std::size_t>(model.orientation_count());
  const bool settling = !checkpoint.settling || checkpoint.settling->fits(state);
  const bool fits = settling && checkpoint.error.fits(state) && state.x.size() == nodes && state.v.size() == nodes &&
                    state.q.size() == orientations && state.w.size() == orientations &&
                    state.closing.size() == model.rods().size();
  if (fits && checkpoint.scene == scene_digest(model.scene())) return;
  refuse(name,
         state.x.size() == nodes
             ? "belongs to another scene: as many nodes, but rods, supports, loads, gravity or damping differ; give the scene "
               "and the --set it was made with (time, solver and output may change)"
             : fmt::format("belongs to another scene: it has {} nodes and this scene {}; give the scene and the --set it was "
                           "made with",
                           state.x.size(), nodes));
}

std::uint64_t state_hash(const State& state) {
  ByteWriter out;
  save(state, out);
  return hash_of(out.bytes());
}

}  // namespace writhe
