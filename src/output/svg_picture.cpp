#include "output/svg_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "output/svg_contacts.h"
#include "output/svg_labels.h"
#include "output/svg_marks.h"
#include "output/svg_obstacles.h"
#include "output/svg_paint.h"
#include "output/svg_pieces.h"
#include "output/svg_text.h"
#include "writhe/error.h"

namespace writhe::output {

namespace {

// px
constexpr double side_margin = 56, top_margin = 62, bottom_margin = 84;
constexpr double least_width = 520, least_height = 120, most_height = 560;
constexpr double panel_gap = 36, panel_caption = 24;

void check(const Model& model, std::span<const State> states) {
  if (states.empty()) throw Error("picture", "", "there is no state to draw; give at least one");
  for (const State& state : states) {
    const bool fits = state.x.size() == static_cast<std::size_t>(model.node_count()) && state.v.size() == state.x.size() &&
                      state.q.size() == static_cast<std::size_t>(model.orientation_count());
    if (!fits) throw Error("picture", "", "the state does not belong to the model; build both from one scene");
    const bool is_finite = std::all_of(state.x.begin(), state.x.end(), [](const Vec3& x) { return finite(x); }) &&
                           std::all_of(state.q.begin(), state.q.end(), [](const Quat& q) { return finite(q); });
    if (!is_finite) throw Error("picture", time_text(state.time), "the state is not finite; try a smaller step");
    // Distances between nodes are taken by their squares.
    const bool near = std::all_of(state.x.begin(), state.x.end(), [](const Vec3& x) { return std::isfinite(16 * dot(x, x)); });
    if (!near) throw Error("picture", time_text(state.time), "the state reaches too far to be drawn; try a smaller step");
  }
}

std::vector<SectionKind> section_kinds(const Model& model) {
  std::map<std::string, bool> rectangular;
  for (const Section& section : model.scene().sections) {
    rectangular[section.name] = std::holds_alternative<RectangleSection>(section.shape);
  }
  std::map<std::string, std::string> section_of;
  for (const Rod& rod : model.scene().rods) section_of[rod.name] = rod.section;
  std::vector<SectionKind> out;
  for (const RodRange& rod : model.rods()) {
    out.push_back(rectangular[section_of[rod.name]] ? SectionKind::box : SectionKind::round);
  }
  return out;
}

// Of the box around all states, m.
double diagonal(std::span<const State> states) {
  Vec3 low = states[0].x[0], high = low;
  for (const State& state : states) {
    for (const Vec3& x : state.x) {
      low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
      high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
    }
  }
  return norm(high - low);
}

// What all states take up in the picture, m, y down.
Rect extent(const Model& model, std::span<const State> states, const Camera& camera) {
  const double inf = std::numeric_limits<double>::infinity();
  Rect out{inf, inf, -inf, -inf};
  const Segments& segments = model.segments();
  for (const State& state : states) {
    for (int s = 0; s < model.segment_count(); ++s) {
      const double half = std::max(segments.half_extent[s].x, segments.half_extent[s].y);
      out.include(camera.direction(state.x[segments.node0[s]]), half);
      out.include(camera.direction(state.x[segments.node1[s]]), half);
    }
  }
  for (const ResolvedLink& link : model.links())
    for (const LinkEnd* end : {&link.from, &link.to})
      if (!end->place) out.include(camera.direction(end->point), 0);
  const Rect rods = out;
  for (const State& state : states) {
    Rect with_obstacles = rods;
    include_obstacles(model, state.time, camera, with_obstacles);
    out.include({with_obstacles.x0, with_obstacles.y0}, 0);
    out.include({with_obstacles.x1, with_obstacles.y1}, 0);
  }
  // A rod seen end on must not fill the picture.
  const double lacking = 0.5 * (0.2 * diagonal(states) - std::max(out.width(), out.height()));
  if (lacking > 0) out = {out.x0 - lacking, out.y0 - lacking, out.x1 + lacking, out.y1 + lacking};
  // Nor must one far away, where neighbouring numbers are farther apart than it is wide, become a point.
  const double far = std::max({std::abs(out.x0), std::abs(out.x1), std::abs(out.y0), std::abs(out.y1)});
  const double narrow = 0.5 * (1e-12 * far - std::min(out.width(), out.height()));
  if (narrow > 0) out = {out.x0 - narrow, out.y0 - narrow, out.x1 + narrow, out.y1 + narrow};
  return out;
}

// Where the shapes go: one cell for all, or one a state.
struct Layout {
  int columns = 1, rows = 1;
  double scale = 1;                        // px/m
  double cell_width = 0, cell_height = 0;  // px, without gaps
  double width() const { return columns * cell_width + (columns - 1) * panel_gap; }
  double height() const { return rows * (cell_height + panel_caption) + (rows - 1) * panel_gap; }
};

Layout arrange(const Rect& extent, int cells, double most_width) {
  Layout best;
  best.scale = 0;
  for (int columns = 1; columns <= cells; ++columns) {
    Layout l;
    l.columns = columns;
    l.rows = (cells + columns - 1) / columns;
    const double width = (most_width - (columns - 1) * panel_gap) / columns;
    const double height = (most_height - (l.rows - 1) * panel_gap) / l.rows - panel_caption;
    if (width <= 20 || height <= 20) continue;
    l.scale = std::min(width / extent.width(), height / extent.height());
    l.cell_width = l.scale * extent.width();
    l.cell_height = l.scale * extent.height();
    if (l.scale > best.scale) best = l;
  }
  return best;
}

class Composition {
 public:
  Composition(const Model& model, std::span<const State> states, const PictureOptions& options)
      : m_model(model),
        m_states(states),
        m_options(options),
        m_joints(measure::segment_joints(model)),
        m_kinds(section_kinds(model)),
        m_contacts(model, states) {
    m_camera = Camera::looking(options.view);
    m_extent = extent(model, states, m_camera);
    measure_fields();
    choose_layout();
  }

  std::string draw() {
    std::string shapes;
    if (m_panels) {
      for (std::size_t k = 0; k < m_states.size(); ++k) {
        const Shape one = shape(k);
        shapes += one.behind + obstacles(k) + one.front;
      }
    } else {  // of shapes on top of each other, the obstacles of the last alone
      std::string front;
      for (std::size_t k = 0; k < m_states.size(); ++k) {
        const Shape one = shape(k);
        shapes += one.behind;
        front += one.front;
      }
      shapes += obstacles(m_states.size() - 1) + front;
    }
    shapes += captions();
    const std::string definitions = m_shades.definitions() + (colored() ? legend_gradient() : "");
    return head() + "<defs>\n" + definitions + "</defs>\n" + shapes + title() + bottom_row() + "</g>\n</svg>\n";
  }

 private:
  bool colored() const { return m_options.color != measure::Field::none; }

  void measure_fields() {
    m_scale.field = m_options.color;
    if (!colored()) return;
    for (const State& state : m_states) {
      m_fields.push_back(measure::segment_field(m_model, state, m_joints, m_options.color));
      for (const double value : m_fields.back()) m_scale.include(value);
    }
  }

  void choose_layout() {
    const double room = std::max(m_options.width, least_width) - 2 * side_margin;
    m_layout = arrange(m_extent, 1, room);
    m_panels = m_states.size() > 1 &&
               (m_options.strip == Strip::panels || (m_options.strip == Strip::automatic && !tells_shapes_apart(m_layout.scale)));
    if (m_panels) m_layout = arrange(m_extent, static_cast<int>(m_states.size()), room);
    m_camera.scale = m_layout.scale;
    m_width = std::max(m_layout.width() + 2 * side_margin, least_width);
    m_area_height = std::max(m_layout.height(), least_height);
    m_height = top_margin + m_area_height + bottom_margin;
    place_camera(0);
  }

  // Whether shapes on top of each other can be told apart: half of the moves from one to the next are larger than the rods are
  // thick.
  bool tells_shapes_apart(double scale) const {
    std::vector<double> moves;
    double thickness = 0;
    for (const Vec3& half : m_model.segments().half_extent) thickness = std::max(thickness, 2 * half.z);
    for (std::size_t k = 1; k < m_states.size(); ++k) {
      double move = 0;
      for (int i = 0; i < m_model.node_count(); ++i) {
        move = std::max(move, norm(m_camera.direction(m_states[k].x[i] - m_states[k - 1].x[i])));
      }
      moves.push_back(move);
    }
    std::nth_element(moves.begin(), moves.begin() + moves.size() / 2, moves.end());
    return scale * moves[moves.size() / 2] > std::max(8.0, 1.2 * scale * thickness);
  }

  void place_camera(int cell) {
    const int column = cell % m_layout.columns, row = cell / m_layout.columns;
    const double left = (m_width - m_layout.width()) / 2 + column * (m_layout.cell_width + panel_gap);
    const double top =
        top_margin + (m_area_height - m_layout.height()) / 2 + row * (m_layout.cell_height + panel_caption + panel_gap);
    m_camera.origin = Point{left, top} - m_layout.scale * Point{m_extent.x0, m_extent.y0};
  }

  Color color_of(std::size_t k, const Piece& piece) const {
    return colored() ? m_scale.at(m_fields[k][piece.segment]) : rod_color(piece.rod);
  }

  // Earlier shapes are paler.
  double opacity(std::size_t k) const {
    if (m_panels || m_states.size() == 1) return 1;
    const double age = static_cast<double>(k) / static_cast<double>(m_states.size() - 1);
    return 0.3 + 0.7 * std::pow(age, 1.4);
  }

  // What is to be painted before the obstacles, and after them.
  struct Shape {
    std::string behind, front;
  };

  Shape shape(std::size_t k) {
    if (m_panels) place_camera(static_cast<int>(k));
    const State& state = m_states[k];
    const bool last = m_panels || k + 1 == m_states.size();
    const Hiding hiding(m_model, (last ? state : m_states.back()).time, m_camera);
    Painter behind(m_camera, m_shades), front(m_camera, m_shades);
    const int budget = m_options.pieces / static_cast<int>(m_states.size());
    for (const Piece& piece : cut_into_pieces(m_model, state, m_joints, m_camera, budget)) {
      Painter& painter = hiding.hides(0.5 * (piece.a.x + piece.b.x)) ? behind : front;
      painter.add(piece, m_kinds[piece.rod], color_of(k, piece));
    }
    const std::string group = fmt::format(
        "<g class=\"shape\" opacity=\"{}\" stroke-width=\"0.8\" stroke-linejoin=\"round\" fill=\"none\">\n", px(opacity(k)));
    const std::string hidden = behind.painted();
    return {hidden.empty() ? "" : group + hidden + "</g>\n",
            group + supports(k) + draw_links(m_model, state, m_camera) + front.painted() +
                (last ? m_contacts.draw(state, m_camera, hiding) : "") + "</g>\n"};
  }

  std::string obstacles(std::size_t k) const {
    if (m_model.scene().obstacles.empty()) return "";
    constexpr double beyond = 8;  // px
    const Point low = m_camera.origin + m_layout.scale * Point{m_extent.x0, m_extent.y0};
    const Point high = m_camera.origin + m_layout.scale * Point{m_extent.x1, m_extent.y1};
    return "<g fill=\"none\" stroke-linejoin=\"round\">\n" +
           draw_obstacles(m_model, m_states[k].time, m_camera,
                          {low.x - beyond, low.y - beyond, high.x + beyond, high.y + beyond}) +
           "</g>\n";
  }

  // A support that stays where it is is drawn once.
  std::string supports(std::size_t k) const {
    const std::vector<SupportMark> marks = support_marks(m_model, m_states[k], m_camera);
    const std::vector<SupportMark> last = support_marks(m_model, m_states.back(), m_camera);
    std::string out;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const bool moved = norm(marks[i].at - last[i].at) > 3 ||
                         dot(marks[i].outward, last[i].outward) < 0.98 * dot(last[i].outward, last[i].outward);
      if (m_panels || k + 1 == m_states.size() || moved) out += draw_support(marks[i]);
    }
    return out;
  }

  std::string captions() {
    std::string out = "<g fill=\"#5a606a\">\n";
    if (m_panels) {
      for (std::size_t k = 0; k < m_states.size(); ++k) {
        place_camera(static_cast<int>(k));
        const Point below = m_camera.origin + m_layout.scale * Point{(m_extent.x0 + m_extent.x1) / 2, m_extent.y1};
        out += text_at(below + Point{0, panel_caption - 4}, time_text(m_states[k].time), 12, Anchor::middle);
      }
    } else if (m_states.size() > 1) {
      out += draw_time_labels(m_model, m_states, m_camera, {6, top_margin - 16, m_width - 6, m_height - bottom_margin + 26});
    }
    return out + "</g>\n";
  }

  std::string head() const {
    const std::string name = escaped(m_options.title.empty() ? "Elastic rods" : m_options.title);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\">\n<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"#fff\"/>\n"
        "<g font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" fill=\"#2b2f36\">\n",
        px(std::ceil(m_width)), px(std::ceil(m_height)), name);
  }

  std::string title() const {
    const std::string time = m_states.size() == 1 ? time_text(m_states[0].time) : "";
    const double room = m_width - 2 * 24 - text_width(time, 13) - 16;
    const std::string text = shortened(m_options.title, 17, room);
    return "<g font-weight=\"bold\">" + text_at({24, 32}, text, 17, Anchor::start) + "</g>" +
           (time.empty() ? "" : text_at({m_width - 24, 32}, time, 13, Anchor::end));
  }

  std::string bottom_row() const {
    const double y = m_height - 26;
    double x = 22;
    std::string out = "<g fill=\"none\">" + draw_axes(m_camera, x, y) + "</g>";
    x += 18;
    out += draw_scale_bar(m_camera, x, y);
    x += 18;
    if (m_options.gravity) out += draw_gravity(m_camera, m_model.scene().gravity, x, y);
    x += 18;
    out += m_contacts.legend(x, y);
    if (colored()) out += draw_legend(m_scale, m_width - 32, y - 4);
    return out;
  }

  const Model& m_model;
  std::span<const State> m_states;
  const PictureOptions& m_options;
  measure::SegmentJoints m_joints;
  std::vector<SectionKind> m_kinds;
  ContactMarks m_contacts;
  Camera m_camera;
  Rect m_extent;  // m
  Layout m_layout;
  bool m_panels = false;
  double m_width = 0, m_height = 0, m_area_height = 0;  // px
  ColorScale m_scale;
  std::vector<std::vector<double>> m_fields;  // per state, per segment
  ShadeTable m_shades;
};

}  // namespace

PictureOptions picture_options(const Scene& scene) {
  PictureOptions options;
  options.view = parse_view(scene.output.picture.view, "output.picture.view");
  options.color = measure::parse_field(scene.output.picture.color, "output.picture.color");
  options.title = scene.title;
  return options;
}

std::string draw_svg(const Model& model, std::span<const State> states, const PictureOptions& options) {
  check(model, states);
  return Composition(model, states, options).draw();
}

}  // namespace writhe::output
