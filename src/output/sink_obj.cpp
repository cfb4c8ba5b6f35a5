#include "output/sink_obj.h"

#include <algorithm>
#include <cctype>
#include <limits>

#include <fmt/format.h>

#include "base/print_to.h"
#include "output/sink_file.h"
#include "output/svg_color.h"

namespace writhe::output {

namespace {

using measure::Field;
using measure::NodeFields;

constexpr std::size_t longest_element = 1000;  // vertices of one `l`: some readers limit the length of a line

// The values that the ends of the colour map stand for, over all rods of a frame.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  double position(double value) const { return high > low ? (value - low) / (high - low) : 0; }
};

Range range_of(std::span<const NodeFields> rods, Field field) {
  Range range;
  for (const NodeFields& fields : rods) {
    for (std::size_t k = 0; k < fields.size(); ++k) {
      const double value = measure::scalar_at(fields, field, k);
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  }
  return range;
}

// A name is one word: white space and control characters would end it.
std::string word(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c <= ' ' || c == 127; }, '_');
  return name;
}

class ObjText {
 public:
  ObjText(std::string& out, Field color, const Range& range) : m_out(out), m_color(color), m_range(range) {}

  void add(const RodRange& rod, const NodeFields& fields) {
    print("o {}\n", word(rod.name));
    const std::size_t distinct = fields.size() - (rod.closed ? 1 : 0);
    for (std::size_t k = 0; k < distinct; ++k) add_vertex(fields, k);
    // The second number may be left out, says the format; some readers need it.
    for (const double s : fields.arc_length) print("vt {:.9g} 0\n", s / fields.arc_length.back());
    for (std::size_t from = 0; from + 1 < fields.size(); from += longest_element - 1) {
      m_out += "l";
      for (std::size_t k = from; k < std::min(from + longest_element, fields.size()); ++k) {
        print(" {}/{}", m_vertices + k % distinct + 1, m_coordinates + k + 1);
      }
      m_out += "\n";
    }
    m_vertices += distinct;
    m_coordinates += fields.size();
  }

 private:
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    print_to(m_out, format, std::forward<Arguments>(arguments)...);
  }

  void add_vertex(const NodeFields& fields, std::size_t k) {
    const Vec3& x = fields.position[k];
    print("v {} {} {}", x.x, x.y, x.z);  // shortest text that reads back to the same bits
    if (m_color != Field::none) {
      const Color color = viridis(m_range.position(measure::scalar_at(fields, m_color, k)));
      print(" {:.4f} {:.4f} {:.4f}", color.r, color.g, color.b);
    }
    m_out += "\n";
  }

  std::string& m_out;
  Field m_color;
  Range m_range;
  std::size_t m_vertices = 0, m_coordinates = 0;  // written so far; OBJ counts over the whole file, from 1
};

}  // namespace

void ObjSink::open(const Model& model, const State&, std::size_t count) {
  m_color = measure::parse_field(model.scene().output.picture.color, "output.picture.color");
  m_frames.keep(count);
}

void ObjSink::put(const Model& model, const Frame& frame) {
  std::string out = fmt::format("# Writhe, t = {} s; lengths in m, z up; vt: fraction of the rest length\n", frame.state.time);
  Range range;
  if (m_color != Field::none) {
    range = range_of(frame.rods, m_color);
    out += fmt::format("# colours: {}, viridis from {} to {} {}\n", measure::field_name(m_color), range.low, range.high,
                       measure::field_unit(m_color));
  }
  ObjText text(out, m_color, range);
  for (std::size_t rod = 0; rod < frame.rods.size(); ++rod) text.add(model.rods()[rod], frame.rods[rod]);
  write_file(m_frames.path(frame.index), out);
}

}  // namespace writhe::output
