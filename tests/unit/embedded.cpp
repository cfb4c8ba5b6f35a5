#include "base/embedded.h"

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "base/version.h"
#include "writhe/error.h"

namespace writhe {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(Embedded, EveryFileIsTheOneInTheRepository) {
  const auto paths = embedded_files();
  ASSERT_FALSE(paths.empty());
  for (const std::string_view path : paths) {
    if (path.starts_with("web/")) continue;  // built
    EXPECT_EQ(embedded_file(path), read(std::string(WRITHE_SOURCE_DIR) + "/" + std::string(path))) << path;
  }
}

TEST(Embedded, UnknownPathIsAnErrorThatNamesIt) {
  try {
    embedded_file("experiments/nowhere.yaml");
    FAIL() << "no error";
  } catch (const Error& error) {
    ASSERT_EQ(error.problems().size(), 1u);
    EXPECT_EQ(error.problems()[0].value, "experiments/nowhere.yaml");
  }
}

TEST(Version, IsThatOfTheProject) {
  const std::string project = read(WRITHE_SOURCE_DIR "/CMakeLists.txt");
  EXPECT_NE(project.find("project(writhe VERSION " + std::string(version()) + " "), std::string::npos) << version();
}

TEST(Version, DetailsNameTheKindOfBuild) {
  const std::string details = version_details();
  EXPECT_TRUE(details.find("native") != std::string::npos || details.find("portable") != std::string::npos) << details;
}

}  // namespace
}  // namespace writhe
