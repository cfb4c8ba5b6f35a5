#include "model/material_presets.h"

#include <algorithm>
#include <optional>

namespace writhe {

namespace {

// Name, Young's modulus (Pa), density (kg/m^3), and one of Poisson's ratio and shear modulus (Pa).
Material isotropic(const char* name, double young, double density, double poisson) {
  return {name, young, density, poisson, std::nullopt};
}
Material fibre(const char* name, double young, double density, double shear) {
  return {name, young, density, std::nullopt, shear};
}

}  // namespace

const std::vector<MaterialPreset>& material_presets() {
  static const std::vector<MaterialPreset> presets{
      {isotropic("steel", 210e9, 7850, 0.3), "structural carbon steel",
       "EN 1993-1-1:2005, 3.2.6 (moduli); EN 1991-1-1:2002, table A.4 (density)", "stainless steel 304: 193 GPa"},
      {isotropic("copper", 130e9, 8960, 0.343), "pure copper, polycrystalline",
       "Dowling, Mechanical Behavior of Materials, 4th ed. (2012), table 5.2 (moduli); CRC Handbook of Chemistry and Physics "
       "(density)",
       "commercial copper (C11000) is often given as 115 GPa"},
      {isotropic("nylon", 2.7e9, 1140, 0.41), "polyamide 66, dry, unfilled",
       "Dowling, Mechanical Behavior of Materials, 4th ed. (2012), table 5.2 (moduli); Callister, Materials Science and "
       "Engineering, table B.1 (density)",
       "softer in moist air, about half as stiff when saturated"},
      {isotropic("silicone", 1.32e6, 1030, 0.5), "silicone rubber (PDMS, Sylgard 184), cured at 25 C",
       "Johnston et al., J. Micromech. Microeng. 24 (2014) 035017 (Young's modulus); data sheet of the maker (density)",
       "2.97 MPa when cured at 200 C; other silicones differ by more than ten times; taken as incompressible"},
      {isotropic("suture", 4.03e9, 905, 0.42), "polypropylene monofilament suture",
       "Nindhia et al., Int. J. Appl. Pharm. 13, special issue 1 (2021) (Young's modulus); Callister, Materials Science and "
       "Engineering, table B.1 (density)",
       "Poisson's ratio is that of high-density polyethylene (Dowling, table 5.2); silk sutures: 8.7 GPa (Naleway et al., J. "
       "Biomed. Mater. Res. B 103 (2015) 735)"},
      {fibre("hair", 3.89e9, 1320, 0.89e9), "human scalp hair in room air",
       "Robbins, Chemical and Physical Behavior of Human Hair, 3rd ed. (1994), appendix (moduli) and text (density)",
       "a fibre: its shear modulus is less than that of an isotropic material; wet hair is softer"},
  };
  return presets;
}

std::vector<std::string> material_preset_names() {
  std::vector<std::string> names;
  for (const MaterialPreset& preset : material_presets()) names.push_back(preset.material.name);
  return names;
}

const Material* material_preset(const std::string& name) {
  const std::vector<MaterialPreset>& presets = material_presets();
  const auto found =
      std::find_if(presets.begin(), presets.end(), [&](const MaterialPreset& preset) { return preset.material.name == name; });
  return found == presets.end() ? nullptr : &found->material;
}

}  // namespace writhe
