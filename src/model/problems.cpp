#include "model/problems.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace writhe {

std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(int value) { return fmt::format("{}", value); }
std::string text_of(const Vec3& value) { return fmt::format("[{}, {}, {}]", value.x, value.y, value.z); }

std::string path_of(const std::string& list, const std::string& name, std::size_t index) {
  return name.empty() ? path_of(list, index) : list + "." + name;
}

std::string path_of(const std::string& list, std::size_t index) { return fmt::format("{}[{}]", list, index); }

void Problems::add(const std::string& path, const std::string& value, const std::string& message) {
  m_list.push_back({m_scene.where(path), path, value, message});
}

bool Problems::finite(const std::string& path, double value, const std::string& what) {
  const bool fine = std::isfinite(value);
  if (!fine) add(path, text_of(value), what + " must be a finite number");
  return fine;
}

bool Problems::finite(const std::string& path, const Vec3& value, const std::string& what) {
  const bool fine = writhe::finite(value);
  if (!fine) add(path, text_of(value), what + " must have three finite components");
  return fine;
}

bool Problems::positive(const std::string& path, double value, const std::string& what) {
  const bool fine = std::isfinite(value) && value > 0;
  if (!fine) add(path, text_of(value), what + " must be a finite number greater than 0");
  return fine;
}

bool Problems::not_negative(const std::string& path, double value, const std::string& what) {
  const bool fine = std::isfinite(value) && value >= 0;
  if (!fine) add(path, text_of(value), what + " must be a finite number, 0 or greater");
  return fine;
}

bool Problems::direction(const std::string& path, const Vec3& value, const std::string& what) {
  if (!finite(path, value, what)) return false;
  const bool fine = norm(value) > 0;
  if (!fine) add(path, text_of(value), what + " must not be zero; its length does not matter");
  return fine;
}

bool Problems::any_at(const std::string& path) const {
  return std::any_of(m_list.begin(), m_list.end(), [&](const Problem& p) {
    if (!p.field.starts_with(path)) return false;
    return p.field.size() == path.size() || p.field[path.size()] == '.' || p.field[path.size()] == '[';
  });
}

void Problems::throw_if_any() const {
  if (any()) throw Error(m_list);
}

}  // namespace writhe
