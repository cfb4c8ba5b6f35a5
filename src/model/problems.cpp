#include "model/problems.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace writhe {

namespace {

bool at_or_below(const std::string& path, const std::string& top) {
  if (!path.starts_with(top)) return false;
  return path.size() == top.size() || path[top.size()] == '.' || path[top.size()] == '[';
}

// supports[0] of supports[0].clamp; empty at the top.
std::string parent_of(const std::string& path) {
  const std::size_t cut = path.find_last_of(".[");
  return cut == std::string::npos ? "" : path.substr(0, cut);
}

bool any_of(const std::vector<Problem>& problems, auto&& holds) {
  return std::any_of(problems.begin(), problems.end(), [&](const Problem& p) { return holds(p.field); });
}

}  // namespace

std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(int value) { return fmt::format("{}", value); }
std::string text_of(const Vec3& value) { return fmt::format("[{}, {}, {}]", value.x, value.y, value.z); }

std::string path_of(const std::string& list, const std::string& name, std::size_t index) {
  return name.empty() ? path_of(list, index) : list + "." + name;
}

std::string path_of(const std::string& list, std::size_t index) { return fmt::format("{}[{}]", list, index); }

void sort_by_place(std::vector<Problem>& problems) {
  const auto place = [](const Problem& p) { return std::pair(p.where.line, p.where.column); };
  std::stable_sort(problems.begin(), problems.end(), [&](const Problem& a, const Problem& b) { return place(a) < place(b); });
}

void Problems::add(const std::string& path, const std::string& value, const std::string& message) {
  if (follows_from_unread(path)) return;
  m_list.push_back({m_scene.where(path), path, value, message});
}

bool Problems::finite(const std::string& path, double value, const std::string& what) {
  const bool fine = std::isfinite(value);
  if (!fine) add(path, text_of(value), what + " must be a finite number");
  return fine && !unread(path);
}

bool Problems::finite(const std::string& path, const Vec3& value, const std::string& what) {
  const bool fine = writhe::finite(value);
  if (!fine) add(path, text_of(value), what + " must have three finite components");
  return fine && !unread(path);
}

bool Problems::positive(const std::string& path, double value, const std::string& what) {
  const bool fine = std::isfinite(value) && value > 0;
  if (!fine) add(path, text_of(value), what + " must be a finite number greater than 0");
  return fine && !unread(path);
}

bool Problems::not_negative(const std::string& path, double value, const std::string& what) {
  const bool fine = std::isfinite(value) && value >= 0;
  if (!fine) add(path, text_of(value), what + " must be a finite number, 0 or greater");
  return fine && !unread(path);
}

bool Problems::direction(const std::string& path, const Vec3& value, const std::string& what) {
  if (!finite(path, value, what)) return false;
  const double length = norm(value);
  if (!(length > 0))
    add(path, text_of(value), what + " must not be zero; its length does not matter");
  else if (!std::isfinite(length))
    add(path, text_of(value), what + " is too long to be computed with; give a shorter one, its length does not matter");
  return length > 0 && std::isfinite(length);
}

bool Problems::any_at(const std::string& path) const {
  const auto here = [&](const std::string& field) { return at_or_below(field, path); };
  return any_of(m_list, here) || any_of(m_unreadable, here);
}

bool Problems::unread(const std::string& path) const {
  return any_of(m_unreadable, [&](const std::string& field) { return at_or_below(field, path) || at_or_below(path, field); });
}

bool Problems::names_unread(const std::string& list, const std::vector<std::string>& names) const {
  return any_of(m_unreadable, [&](const std::string& field) {
    if (field == list) return true;
    if (names.empty() && parent_of(field).empty()) return true;  // the list may stand under a misspelt key
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return field == list + "." + name; });
  });
}

// Of a value that is not in the file: it may stand there under a misspelt key, reported beside it.
bool Problems::follows_from_unread(const std::string& path) const {
  if (m_unreadable.empty() || m_scene.locations.contains(path)) return unread(path);
  std::string map = parent_of(path);
  while (!map.empty() && !m_scene.locations.contains(map)) map = parent_of(map);
  return unread(path) || any_of(m_unreadable, [&](const std::string& field) { return parent_of(field) == map; });
}

void Problems::throw_if_any() const {
  if (!any()) return;
  std::vector<Problem> sorted = m_list;
  sort_by_place(sorted);
  throw Error(std::move(sorted));
}

}  // namespace writhe
