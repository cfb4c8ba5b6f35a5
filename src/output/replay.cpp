#include "output/replay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "assembly/end_forces.h"
#include "base/version.h"
#include "contact/contacts.h"
#include "math/rotation.h"
#include "measure/measure.h"
#include "measure/node_fields.h"
#include "output/base64.h"
#include "output/contact_scale.h"
#include "output/file_replacement.h"
#include "output/page.h"
#include "output/replay_block.h"
#include "output/replay_obstacles.h"
#include "output/rod_curve.h"
#include "output/svg_color.h"
#include "writhe/error.h"

namespace writhe::output {

namespace {

using measure::Field;
using measure::NodeFields;

constexpr std::array fields{Field::tension, Field::curvature, Field::twist, Field::speed};
constexpr std::string_view place_of_run = "<!--WRITHE-RUN-->";

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double width() const { return high - low; }
};

// All nodes of all rods, one rod after the other, frame by frame.
class FrameReader {
 public:
  FrameReader(const Model& model, FrameStore& store)
      : m_model(model), m_store(store), m_joints(measure::segment_joints(model)), m_forces(model), m_rods(model.rods().size()) {
    if (contact::Contacts::any(model)) m_contacts.emplace(model);
    for (const RodRange& rod : model.rods()) m_nodes += static_cast<std::size_t>(rod.segment_count) + 1;
  }
  std::size_t frames() const { return m_store.count(); }
  std::size_t nodes() const { return m_nodes; }
  // s; work(fields of a rod, node of it) for every node.
  template <class Work>
  double read(std::size_t frame, const Work& work) {
    m_store.read(frame, m_state);
    m_forces.update(m_state);
    if (m_contacts) m_contacts->read(m_state);
    for (std::size_t r = 0; r < m_rods.size(); ++r) {
      measure::node_fields(m_model, m_state, m_joints, static_cast<int>(r), m_rods[r], &m_forces.ends(),
                           m_contacts ? &*m_contacts : nullptr);
      for (std::size_t k = 0; k < m_rods[r].size(); ++k) work(m_rods[r], k);
    }
    return m_state.time;
  }
  const State& state() const { return m_state; }  // of the frame read last

 private:
  const Model& m_model;
  FrameStore& m_store;
  measure::SegmentJoints m_joints;
  assembly::EndForces m_forces;
  std::optional<contact::Contacts> m_contacts;  // where anything may touch
  State m_state;
  std::vector<NodeFields> m_rods;
  std::size_t m_nodes = 0;
};

// Below this a range is rounding errors, and not worth a colour: strains of 1e-9, speeds of 1e-9 m/s.
double negligible(const Model& model, Field field) {
  constexpr double strain = 1e-9;
  double stiffest = 0, thickest = 0;
  for (const Vec3& C : model.segments().stiffness) stiffest = std::max(stiffest, C.z);
  for (const Vec3& half : model.segments().half_extent) thickest = std::max(thickest, half.z);
  if (field == Field::tension) return strain * stiffest;
  return field == Field::speed ? 1e-9 : strain / thickest;
}

// Of all frames.
struct Overview {
  std::vector<double> times;      // s
  std::array<Range, 3> position;  // m
  std::array<Range, fields.size()> field;
  // Of each link: the frames in which it goes slack or taut again, in turn; before the first it is taut. Rounded positions could
  // not tell: a stiff tether is longer than at rest by less than their step.
  std::vector<std::vector<std::size_t>> slack;
  ContactScale contact;
};

void note_slack(const Model& model, const State& state, std::size_t frame, std::vector<std::vector<std::size_t>>& slack) {
  for (std::size_t i = 0; i < slack.size(); ++i) {
    const bool was = slack[i].size() % 2 == 1;
    if (measure::is_slack(model.links()[i], state) != was) slack[i].push_back(frame);
  }
}

Overview overview_of(const Model& model, FrameReader& reader) {
  Overview out;
  out.slack.resize(model.links().size());
  std::vector<double> pressing;  // N/m
  for (std::size_t f = 0; f < reader.frames(); ++f) {
    out.times.push_back(reader.read(f, [&](const NodeFields& rod, std::size_t k) {
      const Vec3& x = rod.position[k];
      out.position[0].include(x.x);
      out.position[1].include(x.y);
      out.position[2].include(x.z);
      for (std::size_t i = 0; i < fields.size(); ++i) out.field[i].include(measure::scalar_at(rod, fields[i], k));
      if (const double pressure = norm(rod.contact[k]); pressure > 0) pressing.push_back(pressure);
    }));
    note_slack(model, reader.state(), f, out.slack);
  }
  out.contact = contact_scale(pressing);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    Range& range = out.field[i];
    const double least = negligible(model, fields[i]), middle = 0.5 * (range.low + range.high);
    if (range.width() < least) range.low = range.high = std::abs(middle) < least ? 0 : middle;
  }
  return out;
}

// ---- what does not change with time ------------------------------------------------------------------------------------
// One number where all are the same.
nlohmann::ordered_json list_or_number(const std::vector<double>& values) {
  const bool same = std::all_of(values.begin(), values.end(), [&](double v) { return v == values[0]; });
  return same ? nlohmann::ordered_json(values[0]) : nlohmann::ordered_json(values);
}

nlohmann::ordered_json rod_header(const Model& model, int r) {
  const RodRange& rod = model.rods()[r];
  const std::vector<Vec3>& half = model.segments().half_extent;
  std::vector<double> half1, half2;
  for (int k = 0; k <= rod.segment_count; ++k) {
    const Vec3 &before = half[rod.first_segment + std::max(k - 1, 0)],
               &after = half[rod.first_segment + std::min(k, rod.segment_count - 1)];
    half1.push_back(0.5 * (before.x + after.x));
    half2.push_back(0.5 * (before.y + after.y));
  }
  return {{"name", rod.name},
          {"nodes", rod.segment_count + 1},
          {"closed", rod.closed},
          {"color", rod_color(r).hex()},
          {"shape", is_rectangular(model, r) ? "rectangle" : "ellipse"},
          {"half1", list_or_number(half1)},
          {"half2", list_or_number(half2)}};
}

// Nodes as the page counts them: those of all rods, one rod after the other, shared ones with each of them.
nlohmann::ordered_json end_header(const Model& model, const LinkEnd& end) {
  if (!end.place) return {{"point", {end.point.x, end.point.y, end.point.z}}};
  const ResolvedPlace& place = *end.place;  // in one of its two segments
  const int segment = model.segments().node0[place.segment0] == place.node0 ? place.segment0 : place.segment1;
  const int node = segment + place.rod;  // every rod before has one node more than segments
  return {{"nodes", {node, node + 1}}, {"weight", place.node_weight1}};
}

nlohmann::ordered_json link_header(const Model& model, const ResolvedLink& link, const std::vector<std::size_t>& slack) {
  return {{"name", link.link.name},
          {"kind", link.link.kind == Link::Kind::spring ? "spring" : "tether"},
          {"ends", {end_header(model, link.from), end_header(model, link.to)}},
          {"slack", slack}};
}

Ball ball_around(const std::array<Range, 3>& box) {
  const auto middle = [&](int c) { return 0.5 * (box[c].low + box[c].high); };
  return {{middle(0), middle(1), middle(2)}, 0.5 * std::hypot(box[0].width(), box[1].width(), box[2].width())};
}

nlohmann::ordered_json header(const Model& model, const Overview& all) {
  constexpr int colors = 32, position_steps = (1 << 16) - 1;
  const Scene& scene = model.scene();
  nlohmann::ordered_json out = {{"format", 1},
                                {"title", scene.title},
                                {"method", scene.solver.method},
                                {"program", fmt::format("{} ({})", version(), version_details())},
                                {"times", all.times},
                                {"view", scene.output.picture.view},
                                {"color", scene.output.picture.color},
                                {"up", {0, 0, 1}},
                                {"rods", nlohmann::ordered_json::array()},
                                {"links", nlohmann::ordered_json::array()},
                                {"fields", nlohmann::ordered_json::array()},
                                {"colormap", nlohmann::ordered_json::array()},
                                {"obstacles", obstacles_header(model, ball_around(all.position), all.times)},
                                {"blocks", nlohmann::ordered_json::array()}};
  for (int r = 0; r < static_cast<int>(model.rods().size()); ++r) out["rods"].push_back(rod_header(model, r));
  for (std::size_t i = 0; i < all.slack.size(); ++i) out["links"].push_back(link_header(model, model.links()[i], all.slack[i]));
  if (all.contact.most > 0) out["contact"] = {{"unit", "N/m"}, {"high", all.contact.most}, {"usual", all.contact.usual}};
  for (const Range& range : all.position) {
    out["position"]["low"].push_back(range.low);
    out["position"]["step"].push_back(range.width() / position_steps);
  }
  for (std::size_t i = 0; i < fields.size(); ++i)
    out["fields"].push_back({{"name", measure::field_name(fields[i])},
                             {"unit", measure::field_unit(fields[i])},
                             {"low", all.field[i].low},
                             {"high", all.field[i].high}});
  for (int i = 0; i < colors; ++i) out["colormap"].push_back(viridis(static_cast<double>(i) / (colors - 1)).hex());
  for (std::size_t f = 0; f < all.times.size(); f += replay_block_frames)
    out["blocks"].push_back({{"frames", std::min<std::size_t>(replay_block_frames, all.times.size() - f)}});
  return out;
}

// ---- what does -----------------------------------------------------------------------------------------------------------
// x, y, z; d1; the fields; and where anything presses, the force of contact: its size and its direction.
std::string block(FrameReader& reader, std::size_t first, std::size_t end, const Overview& all) {
  constexpr std::size_t directions = 3, scalars = 5, contact = scalars + fields.size();
  const bool touches = all.contact.most > 0;
  std::vector<ReplayChannel> channels(contact + (touches ? 3 : 0));
  for (std::size_t c = 0; c < channels.size(); ++c) {
    channels[c].bits = c < directions || c == contact ? 16 : 8;
    channels[c].values.reserve((end - first) * reader.nodes());
  }
  for (std::size_t f = first; f < end; ++f) {
    reader.read(f, [&](const NodeFields& rod, std::size_t k) {
      const Vec3& x = rod.position[k];
      const double place[3] = {x.x, x.y, x.z};
      for (std::size_t c = 0; c < directions; ++c)
        channels[c].values.push_back(quantised(place[c], all.position[c].low, all.position[c].high, 16));
      const OctahedralDirection d1 = octahedral(rotate(rod.frame[k], {1, 0, 0}));
      channels[directions].values.push_back(d1.u);
      channels[directions + 1].values.push_back(d1.v);
      for (std::size_t i = 0; i < fields.size(); ++i)
        channels[scalars + i].values.push_back(
            quantised(measure::scalar_at(rod, fields[i], k), all.field[i].low, all.field[i].high, 8));
      if (!touches) return;
      const double pressure = norm(rod.contact[k]);
      const OctahedralDirection way = pressure > 0 ? octahedral((1 / pressure) * rod.contact[k]) : OctahedralDirection{};
      channels[contact].values.push_back(quantised(pressure, 0, all.contact.most, 16));
      channels[contact + 1].values.push_back(way.u);
      channels[contact + 2].values.push_back(way.v);
    });
  }
  return packed_block(channels, reader.nodes());
}

}  // namespace

void check_replay_page() { page("replay", "--html"); }

void write_replay(const Model& model, FrameStore& store, const std::filesystem::path& path) {
  const std::string_view page_text = page("replay", "--html");
  const std::size_t place = page_text.find(place_of_run);
  FrameReader reader(model, store);
  const Overview all = overview_of(model, reader);
  FileReplacement file(path);
  file.write(page_text.substr(0, place));
  file.write(R"(<script id="writhe-run" type="application/json">)");
  file.write(text_in_page(header(model, all)));
  file.write(R"(</script><script id="writhe-data" type="text/plain">)");
  std::string line;
  for (std::size_t f = 0; f < reader.frames(); f += replay_block_frames) {
    line = f > 0 ? "\n" : "";
    append_base64(block(reader, f, std::min(f + replay_block_frames, reader.frames()), all), line);
    file.write(line);
  }
  file.write("</script>");
  file.write(page_text.substr(place + place_of_run.size()));
  file.commit();
}

}  // namespace writhe::output
