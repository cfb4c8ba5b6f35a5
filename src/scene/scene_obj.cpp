#include "scene/scene_obj.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text_file.h"
#include "writhe/error.h"

namespace writhe::scene_file {
namespace {

constexpr std::size_t max_obj_bytes = std::size_t{64} << 20;

// Two vertices joined by an `l` element.
struct Edge {
  int a, b;
  int line;
};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; (i = text.find_first_not_of(" \t\r", i)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(" \t\r", i), text.size());
    words.push_back(text.substr(i, end - i));
    i = end;
  }
  return words;
}

template <class Number>
std::optional<Number> number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  Number value{};
  const auto [end, ec] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (ec != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// The statements of a file, line by line: vertices here, what is made of them in what derives from it.
class ObjText {
 public:
  ObjText(std::string file, std::string field) : m_file(std::move(file)), m_field(std::move(field)) {}
  ObjText(const ObjText&) = delete;
  ObjText& operator=(const ObjText&) = delete;
  virtual ~ObjText() = default;

  void parse(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++m_line;
      parse_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

 protected:
  using Words = std::vector<std::string_view>;

  // Any other statement; false when it has no place in such a file.
  virtual bool takes(const Words& words) = 0;
  virtual const char* remedy() const = 0;

  // Does not quote the file: a scene from elsewhere may name any, and what it says is for its owner.
  [[noreturn]] void fail(int line, std::string message) const {
    throw Error(std::vector<Problem>{{{m_file, line, 0}, m_field, "", std::move(message)}});
  }

  int line() const { return m_line; }
  const std::vector<Vec3>& vertices() const { return m_vertices; }

  // OBJ counts from 1, or from -1 backwards; texture and normal indices may follow after slashes.
  int vertex_index(const Words& words, std::size_t i) const {
    const std::optional<int> given = number<int>(words[i].substr(0, words[i].find('/')));
    const int count = static_cast<int>(m_vertices.size());
    if (!given || *given == 0 || *given > count || *given < -count) {
      fail(m_line, fmt::format("number {} after `{}` is not that of a vertex above; there are {}", i, words[0], count));
    }
    return *given > 0 ? *given - 1 : count + *given;
  }

 private:
  void parse_line(std::string_view line) {
    const Words words = words_of(line.substr(0, line.find('#')));
    if (words.empty()) return;
    // Names, groups, smoothing, materials, normals and texture coordinates say nothing about a shape.
    constexpr std::string_view without_meaning[] = {"o", "g", "s", "vt", "vn", "vp", "mtllib", "usemtl"};
    if (words[0] == "v") {
      add_vertex(words);
    } else if (std::find(std::begin(without_meaning), std::end(without_meaning), words[0]) == std::end(without_meaning)) {
      if (!takes(words)) fail(m_line, remedy());
    }
  }

  void add_vertex(const Words& words) {
    std::optional<double> c[3];
    for (std::size_t i = 0; i < 3 && i + 1 < words.size(); ++i) c[i] = number<double>(words[i + 1]);
    if (!c[0] || !c[1] || !c[2] || !finite(Vec3{*c[0], *c[1], *c[2]})) {
      fail(m_line, "expected `v x y z` with three numbers");
    }
    m_vertices.push_back({*c[0], *c[1], *c[2]});
  }

  std::string m_file, m_field;
  int m_line = 0;
  std::vector<Vec3> m_vertices;
};

class ObjLine final : public ObjText {
 public:
  using ObjText::ObjText;

  std::vector<Vec3> shape() const {
    if (m_edges.empty()) return vertices();
    std::vector<Vec3> points;
    for (const int vertex : walk()) points.push_back(vertices()[static_cast<std::size_t>(vertex)]);
    return points;
  }

 private:
  using Neighbours = std::vector<std::vector<int>>;

  bool takes(const Words& words) override {
    if (words[0] != "l") return false;
    if (words.size() < 3) fail(line(), "expected `l` with two or more vertex numbers");
    for (std::size_t i = 2; i < words.size(); ++i) {
      m_edges.push_back({vertex_index(words, i - 1), vertex_index(words, i), line()});
    }
    return true;
  }
  const char* remedy() const override {
    return "only vertices (v) and lines (l) make a centreline; export the curve without faces";
  }

  // The vertices from one end of the line to the other.
  std::vector<int> walk() const {
    const Neighbours neighbours = join_edges();
    const Edge& first = m_edges.front();
    std::vector<int> path = follow(neighbours, first.b, first.a);
    std::reverse(path.begin(), path.end());
    const std::vector<int> ahead = follow(neighbours, first.a, first.b);
    path.insert(path.end(), ahead.begin(), ahead.end());
    if (path.size() != m_edges.size() + 1) fail(unreached(path), "a second line starts here; keep one line in the file");
    return path;
  }

  Neighbours join_edges() const {
    Neighbours neighbours(vertices().size());
    const auto join = [&](int from, int to, int line) {
      std::vector<int>& list = neighbours[static_cast<std::size_t>(from)];
      list.push_back(to);
      if (list.size() > 2) fail(line, fmt::format("three lines meet in vertex {}; a centreline has no branches", from + 1));
    };
    for (const Edge& edge : m_edges) {
      if (edge.a == edge.b) fail(edge.line, fmt::format("joins vertex {} to itself; remove one", edge.a + 1));
      join(edge.a, edge.b, edge.line);
      join(edge.b, edge.a, edge.line);
    }
    return neighbours;
  }

  // From `to` on, away from `from`, to the end.
  std::vector<int> follow(const Neighbours& neighbours, int from, int to) const {
    std::vector<int> path{to};
    for (int before = from, at = to;;) {
      const std::vector<int>& next = neighbours[static_cast<std::size_t>(at)];
      if (next.size() < 2) return path;
      const int after = next[0] == before ? next[1] : next[0];
      if (after == from || path.size() > m_edges.size()) {
        fail(m_edges.back().line, "the line closes on itself; remove its last edge and set `closed: true` for the rod");
      }
      before = std::exchange(at, after);
      path.push_back(at);
    }
  }

  int unreached(const std::vector<int>& path) const {
    std::vector<bool> reached(vertices().size(), false);
    for (const int vertex : path) reached[static_cast<std::size_t>(vertex)] = true;
    const auto stray =
        std::find_if(m_edges.begin(), m_edges.end(), [&](const Edge& e) { return !reached[static_cast<std::size_t>(e.a)]; });
    return stray == m_edges.end() ? 0 : stray->line;
  }

  std::vector<Edge> m_edges;
};

class ObjTriangles final : public ObjText {
 public:
  using ObjText::ObjText;

  ObjSurface shape() const {
    if (m_triangles.empty()) fail(0, "has no triangles (f), so that rods would not meet it; export the surface with its faces");
    return {vertices(), m_triangles};
  }

 private:
  bool takes(const Words& words) override {
    if (words[0] != "f") return false;
    // A face of four corners is two surfaces, by which of its diagonals divides it, where it is not flat.
    if (words.size() != 4) fail(line(), "a face of three corners is expected (`f a b c`); export the surface as triangles");
    m_triangles.push_back({vertex_index(words, 1), vertex_index(words, 2), vertex_index(words, 3)});
    return true;
  }
  const char* remedy() const override {
    return "only vertices (v) and triangles (f) make a surface; export it without lines, points and curves";
  }

  std::vector<std::array<int, 3>> m_triangles;
};

// Problems go to the reading; then what comes back is empty.
template <class Shape>
Shape read_obj(const Field& field, const std::string& file,
               Shape (*parse)(std::string_view, const std::string&, const std::string&)) {
  const std::string scene = field.reading().sources[0];
  const std::string path = (std::filesystem::path(scene).parent_path() / file).string();
  std::string text;
  try {
    text = read_text_file(path, max_obj_bytes);
  } catch (const Error& error) {
    for (const Problem& p : error.problems()) field.problem(p.message);
    return {};
  }
  try {
    return parse(text, path, field.path());
  } catch (const Error& error) {
    for (const Problem& p : error.problems()) field.reading().add(p);
    return {};
  }
}

}  // namespace

std::vector<Vec3> obj_line(std::string_view text, const std::string& file, const std::string& field) {
  ObjLine line(file, field);
  line.parse(text);
  return line.shape();
}

ObjSurface obj_surface(std::string_view text, const std::string& file, const std::string& field) {
  ObjTriangles triangles(file, field);
  triangles.parse(text);
  return triangles.shape();
}

std::vector<Vec3> read_obj_line(const Field& field, const std::string& file) { return read_obj(field, file, &obj_line); }

ObjSurface read_obj_surface(const Field& field, const std::string& file) { return read_obj(field, file, &obj_surface); }

}  // namespace writhe::scene_file
