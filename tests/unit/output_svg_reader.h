// Just enough of an SVG reader to check what the pictures say: elements with their attributes and text, tags balanced.
#pragma once

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace writhe::test {

struct SvgElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // directly inside
  int depth = 0;     // of nesting
  std::string operator[](const std::string& key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? "" : found->second;
  }
};

inline std::string unescaped(const std::string& raw) {
  static const std::map<std::string, std::string> entities{{"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}};
  std::string out;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '&') {
      out += raw[i];
      continue;
    }
    const std::size_t end = raw.find(';', i);
    if (end == std::string::npos) throw std::runtime_error("bare ampersand: " + raw);
    out += entities.at(raw.substr(i + 1, end - i - 1));
    i = end;
  }
  return out;
}

// Elements in document order. Throws where the text is not well-formed.
inline std::vector<SvgElement> read_svg(const std::string& svg) {
  std::vector<SvgElement> elements;
  std::vector<std::size_t> open;
  std::size_t at = 0;
  const auto fail = [&](const std::string& what) { throw std::runtime_error(what + " at byte " + std::to_string(at)); };
  while (at < svg.size()) {
    const std::size_t tag = svg.find('<', at);
    const std::string text = svg.substr(at, tag - at);
    if (!open.empty()) elements[open.back()].text += unescaped(text);
    if (open.empty() && text.find_first_not_of(" \n") != std::string::npos) fail("text outside the root");
    if (tag == std::string::npos) break;
    // Quoted values may hold any character but a quote and '<'.
    std::size_t end = tag + 1;
    for (bool quoted = false; end < svg.size() && (quoted || svg[end] != '>'); ++end) {
      if (svg[end] == '"') quoted = !quoted;
      if (svg[end] == '<') fail("'<' inside a tag");
    }
    if (end >= svg.size()) fail("tag without an end");
    std::string body = svg.substr(tag + 1, end - tag - 1);
    at = end + 1;
    if (body[0] == '/') {
      if (open.empty() || elements[open.back()].name != body.substr(1)) fail("closing tag does not match: " + body);
      open.pop_back();
      continue;
    }
    const bool alone = body.back() == '/';
    if (alone) body.pop_back();
    SvgElement element;
    std::size_t i = body.find_first_of(" \n");
    element.name = body.substr(0, i);
    element.depth = static_cast<int>(open.size());
    while (i != std::string::npos && (i = body.find_first_not_of(" \n", i)) != std::string::npos) {
      const std::size_t equals = body.find("=\"", i);
      if (equals == std::string::npos) fail("attribute without a value: " + body);
      const std::size_t quote = body.find('"', equals + 2);
      const std::string key = body.substr(i, equals - i);
      if (!element.attributes.emplace(key, unescaped(body.substr(equals + 2, quote - equals - 2))).second) fail("twice: " + key);
      i = quote + 1;
      if (i >= body.size()) break;
    }
    if (open.empty() && !elements.empty()) fail("a second root");
    elements.push_back(element);
    if (!alone) open.push_back(elements.size() - 1);
  }
  if (!open.empty()) fail("not closed: " + elements[open.back()].name);
  return elements;
}

// All numbers in a text, in order; letters and commas separate.
inline std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> out;
  for (const char* p = text.c_str(); *p != '\0';) {
    char* end = nullptr;
    const double value = std::strtod(p, &end);
    if (end == p) {
      ++p;
    } else {
      out.push_back(value);
      p = end;
    }
  }
  return out;
}

}  // namespace writhe::test
