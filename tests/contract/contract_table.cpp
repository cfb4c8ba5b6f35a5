// The table of methods is in order: what it claims can be looked up.
#include <set>

#include "contract/contract.h"
#include "writhe/load.h"

using namespace writhe;
using namespace writhe::test;

namespace {

class Table : public testing::TestWithParam<Row> {};

TEST_P(Table, TheRowIsComplete) {
  const Row& row = GetParam();
  for (const std::string* text : {&row.name, &row.title, &row.source, &row.integrator}) EXPECT_FALSE(text->empty());
  EXPECT_TRUE(row.features.has(Feature::chains) || row.features.has(Feature::rings) || row.features.has(Feature::nets));
  const bool midpoint = std::any_of(row.integrators.begin(), row.integrators.end(),
                                    [](const IntegratorInfo& one) { return one.kind == Integrator::midpoint; });
  EXPECT_EQ(row.features.has(Feature::midpoint), midpoint);
  EXPECT_EQ(row.order, row.integrators.front().order);
  EXPECT_NE(row.integrator.find("order " + std::to_string(row.integrator_info.order)), std::string::npos) << row.integrator;
  EXPECT_GT(row.symmetry_tolerance, 0);
  EXPECT_LE(row.symmetry_tolerance, 1e-3) << "a result that depends on where the rod is";
}

TEST_P(Table, ExemptionsAreFromPropertiesThatExistAndHaveAReason) {
  std::set<std::string> seen;
  for (const Exemption& exemption : GetParam().exemptions) {
    EXPECT_NE(std::find(property_names.begin(), property_names.end(), exemption.property), property_names.end())
        << exemption.property << ": no such property (tests/contract/contract.h)";
    EXPECT_GE(exemption.reason.size(), 20U) << exemption.property << ": say why";
    EXPECT_TRUE(seen.insert(exemption.property).second) << exemption.property << ": twice";
  }
}

bool same(const SolverSettings& a, const SolverSettings& b) {
  return a.pd.weights == b.pd.weights && a.pd.coupling == b.pd.coupling && a.pd.metric == b.pd.metric &&
         a.pd.acceleration == b.pd.acceleration;
}

WRITHE_EVERY_SOLVER(Table);

TEST(Variants, AScenesKeySelectsThem) {
  for (const SolverInfo& info : solver_table())
    for (const SolverVariant& variant : info.variants) {
      SCOPED_TRACE(info.name + ": " + variant.field);
      const Scene scene = parse_scene(R"(writhe: 1
materials: {rubber: {young: 1e6, density: 1300}}
sections: {cord: {circle: {radius: 0.005}}}
rods: {cord: {section: cord, material: rubber, centreline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}, segments: 5}}
solver: {method: )" + info.name + "}\n",
                                      "scene.yaml", {variant.field + "=" + variant.value});
      EXPECT_TRUE(same(scene.solver, variant.settings)) << "the key selects something else than the settings";
      EXPECT_FALSE(same(scene.solver, SolverSettings{})) << "the key selects what is there without it";
      EXPECT_TRUE(variant.chosen(scene.solver));
      EXPECT_FALSE(variant.chosen(SolverSettings{}));
      EXPECT_TRUE(info.features.has_all(variant.features)) << "a setting adds nothing that the method has not got";
      EXPECT_FALSE(variant.title.empty());
    }
}

TEST(Variants, EveryRowOfTheSuiteHasALabelOfItsOwn) {
  std::set<std::string> labels;
  for (const Row& row : contract_rows()) EXPECT_TRUE(labels.insert(row.label).second) << row.label;
}

}  // namespace
