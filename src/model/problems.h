// Collects what is wrong with a scene, so that a user sees all of it at once.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "writhe/scene.h"

namespace writhe {

// Values as a message shows them.
std::string text_of(double value);
std::string text_of(int value);
std::string text_of(const Vec3& value);

// rods.rope for the item of a list of named things, rods[3] while it has no name.
std::string path_of(const std::string& list, const std::string& name, std::size_t index);
std::string path_of(const std::string& list, std::size_t index);

// In the order of the file; what stands in none comes first.
void sort_by_place(std::vector<Problem>& problems);

class Problems {
 public:
  // `unreadable`: what was wrong with the file already. A value that could not be read has been left at its default, so nothing
  // further is said about it, nor about what follows from it only.
  explicit Problems(const Scene& scene, std::vector<Problem> unreadable = {})
      : m_scene(scene), m_unreadable(std::move(unreadable)) {}

  // `message` says what is wrong and what to do about it.
  void add(const std::string& path, const std::string& value, const std::string& message);

  // Each of these adds a problem and returns false unless the value is as the name says. `what` names the quantity with its
  // unit: "radius (m)". None accepts a NaN or an infinity, nor a value that could not be read.
  bool finite(const std::string& path, double value, const std::string& what);
  bool finite(const std::string& path, const Vec3& value, const std::string& what);
  bool positive(const std::string& path, double value, const std::string& what);
  bool not_negative(const std::string& path, double value, const std::string& what);
  bool direction(const std::string& path, const Vec3& value, const std::string& what);

  bool any() const { return !m_list.empty(); }
  bool any_at(const std::string& path) const;  // at the path or below it
  // The value there, a part of it or what it is a part of could not be read.
  bool unread(const std::string& path) const;
  // A name of a list (rods, sections, materials) may be missing here only because it could not be read. `names`: those it has.
  bool names_unread(const std::string& list, const std::vector<std::string>& names) const;
  // What was added.
  const std::vector<Problem>& list() const { return m_list; }
  // Throws Error with all of them.
  void throw_if_any() const;

 private:
  bool follows_from_unread(const std::string& path) const;

  const Scene& m_scene;
  std::vector<Problem> m_unreadable;
  std::vector<Problem> m_list;
};

}  // namespace writhe
