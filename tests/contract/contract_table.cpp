// The table of methods is in order: what it claims can be looked up.
#include <set>

#include "contract/contract.h"

using namespace writhe;
using namespace writhe::test;

namespace {

class Table : public testing::TestWithParam<Row> {};

TEST_P(Table, TheRowIsComplete) {
  const Row& row = GetParam();
  for (const std::string* text : {&row.name, &row.title, &row.source, &row.integrator}) EXPECT_FALSE(text->empty());
  EXPECT_TRUE(row.chains || row.rings || row.nets);
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

WRITHE_EVERY_SOLVER(Table);

}  // namespace
