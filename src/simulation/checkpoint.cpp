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
constexpr std::uint32_t format_version = 7;
constexpr std::size_t smallest = magic.size() + sizeof(std::uint32_t) + sizeof(std::uint64_t);

[[noreturn]] void refuse(const std::string& name, const std::string& message) { throw Error("--resume", name, message); }

bool good(double value) { return std::isfinite(value); }
bool good(const Vec3& v) { return finite(v); }
bool good(const Quat& q) { return std::abs(dot(q, q) - 1) < 1e-6; }  // unit
template <class T>
bool good(const std::vector<T>& values) {
  return std::all_of(values.begin(), values.end(), [](const T& value) { return good(value); });
}

bool is_finite(const State& state) {
  bool all = true;
  State::visit([&](const auto& field) { all = all && good(field); }, state);
  return all;
}

Checkpoint read_contents(ByteReader& in) {
  Checkpoint out;
  in.get(out.scene);
  in.get(out.method);
  in.get(out.settings);
  load(in, out.state);
  in.get(out.clock);
  out.error.load(in);
  in.get(out.left_over);
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

void save(const State& state, ByteWriter& out) {
  State::visit([&](const auto& field) { out.put(field); }, state);
}

void load(ByteReader& in, State& state) {
  State::visit([&](auto& field) { in.get(field); }, state);
}

bool same_size(const State& a, const State& b) {
  const auto sizes = [](const State& state) {
    std::vector<std::size_t> out;
    State::visit_arrays([&](const auto& array) { out.push_back(array.size()); }, state);
    return out;
  };
  return sizes(a) == sizes(b);
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
  out.put(checkpoint.left_over);
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
    if (in.left() == 0 && is_finite(out.state) && out.clock.valid() && out.error.valid() && out.left_over.valid() && settling)
      return out;
  } catch (const std::out_of_range&) {
  }
  refuse(name, damaged);
}

void check_belongs(const Checkpoint& checkpoint, const Model& model, const std::string& name) {
  const State& state = checkpoint.state;
  const bool settling = !checkpoint.settling || checkpoint.settling->fits(state);
  const bool fits = settling && checkpoint.error.fits(state) && same_size(state, model.initial_state());
  if (fits && checkpoint.scene == scene_digest(model.scene())) return;
  refuse(name,
         state.x.size() == static_cast<std::size_t>(model.node_count())
             ? "belongs to another scene: as many nodes, but rods, supports, loads, links, gravity or damping differ; give the "
               "scene "
               "and the --set it was made with (time, solver and output may change)"
             : fmt::format("belongs to another scene: it has {} nodes and this scene {}; give the scene and the --set it was "
                           "made with",
                           state.x.size(), model.node_count()));
}

// What nobody remembers leaves no trace: the hash of such a state is that of its time and arrays.
std::uint64_t state_hash(const State& state) {
  ByteWriter out;
  out.put(state.time);
  State::visit_arrays([&](const auto& array) { out.put(array); }, state);
  if (!state.memory.empty()) out.put(state.memory);
  return hash_of(out.bytes());
}

}  // namespace writhe
