// What scenes ask of methods, by name: each method says what it has, and that is looked at in one place, before it is made.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "writhe/model.h"

namespace writhe {

enum class Feature { chains, rings, nets, links, contact, corners, followers, midpoint };

struct FeatureInfo {
  Feature feature;
  const char* name;  // as `writhe solvers` shows it
  const char* what;
};
std::span<const FeatureInfo> all_features();
const FeatureInfo& info_of(Feature feature);

// A set of them.
class Features {
 public:
  Features(std::initializer_list<Feature> features) {
    for (const Feature feature : features) m_bits |= bit(feature);
  }
  bool has(Feature feature) const { return (m_bits & bit(feature)) != 0; }
  bool has_all(const Features& others) const { return (others.m_bits & ~m_bits) == 0; }
  std::vector<std::string> names() const;

 private:
  static unsigned bit(Feature feature) { return 1U << static_cast<unsigned>(feature); }
  unsigned m_bits = 0;
};

// Something of a scene that not every method has.
struct Need {
  Feature feature;
  std::string field, value;  // where the scene asks for it
  std::string what;          // "'loop' is a ring"
};
// One a feature, at the first place that asks for it.
std::vector<Need> needs_of(const Model& model);

}  // namespace writhe
