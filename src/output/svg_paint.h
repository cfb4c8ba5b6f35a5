// Paints pieces of rods from back to front.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "output/svg_color.h"
#include "output/svg_pieces.h"
#include "output/svg_shade.h"
#include "output/svg_view.h"

namespace writhe::output {

enum class SectionKind { round, box };

class Painter {
 public:
  Painter(const Camera& camera, ShadeTable& shades) : m_camera(camera), m_shades(shades) {}

  void add(const Piece& piece, SectionKind kind, const Color& color);
  // Everything added, farthest first.
  std::string painted();

 private:
  struct Item {
    double depth;  // m, larger is nearer
    std::string svg;
  };
  // A piece in the picture.
  struct Flat {
    Point a, b, along;      // px, px, unit
    double half_width;      // px, at least the visible minimum
    double slope;           // sine of the angle between the piece and the picture, positive when b is nearer
    double over_a, over_b;  // px by which it reaches over its neighbours, to close the corners between them
  };
  // Pieces of one rod that continue each other in line, drawn as one body.
  struct Run {
    Piece first, last;
    Flat flat;
    Color color;
    std::string stripes;
  };
  Flat flatten(const Piece& piece) const;
  bool continues_run(const Piece& piece, const Flat& flat, const Color& color) const;
  void close_run();
  void add_round(const Piece& piece, const Color& color);
  std::string stripe(const Piece& piece, const Flat& flat, const Color& color) const;
  void add_face(const Station& station, const Vec3& outward, const Flat& flat, const Color& color);
  void add_box(const Piece& piece, const Color& color);
  void add_box_end(const Station& station, const Vec3& outward, const Color& color);

  const Camera& m_camera;
  ShadeTable& m_shades;
  std::vector<Item> m_items;
  std::optional<Run> m_run;
};

}  // namespace writhe::output
