// The named things of a scene by their names.
#pragma once

#include <string>
#include <unordered_map>

#include "writhe/scene.h"

namespace writhe {

// Refers to the scene, which must outlive it. Of two things with one name it knows the first.
class SceneIndex {
 public:
  explicit SceneIndex(const Scene& scene) : m_scene(scene) {
    for (std::size_t i = 0; i < scene.rods.size(); ++i) m_rods.emplace(scene.rods[i].name, static_cast<int>(i));
    for (const Section& section : scene.sections) m_sections.emplace(section.name, &section);
    for (const Material& material : scene.materials) m_materials.emplace(material.name, &material);
  }

  const Scene& scene() const { return m_scene; }
  // Its number in Scene::rods, or -1.
  int rod(const std::string& name) const {
    const auto found = m_rods.find(name);
    return found == m_rods.end() ? -1 : found->second;
  }
  // Null when there is none.
  const Section* section(const std::string& name) const { return find(m_sections, name); }
  // Of the scene, or else the preset of that name.
  const Material* material(const std::string& name) const {
    const Material* own = find(m_materials, name);
    return own ? own : material_preset(name);
  }

 private:
  template <class Item>
  static const Item* find(const std::unordered_map<std::string, const Item*>& items, const std::string& name) {
    const auto found = items.find(name);
    return found == items.end() ? nullptr : found->second;
  }

  const Scene& m_scene;
  std::unordered_map<std::string, int> m_rods;
  std::unordered_map<std::string, const Section*> m_sections;
  std::unordered_map<std::string, const Material*> m_materials;
};

}  // namespace writhe
