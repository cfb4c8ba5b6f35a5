#include "writhe/error.h"

#include <utility>

namespace writhe {

std::string Problem::text() const {
  std::string out;
  const auto add = [&out](const std::string& part) {
    if (part.empty()) return;
    if (!out.empty()) out += ": ";
    out += part;
  };
  std::string place = where.file;
  if (where.line > 0) {
    place.append(":").append(std::to_string(where.line));
    if (where.column > 0) place.append(":").append(std::to_string(where.column));
  }
  add(place);
  add(field);
  add(value);
  add(message);
  return out;
}

namespace {
std::string all_lines(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& p : problems) {
    if (!out.empty()) out += "\n";
    out += p.text();
  }
  return out;
}
}  // namespace

Error::Error(std::vector<Problem> problems) : std::runtime_error(all_lines(problems)), m_problems(std::move(problems)) {}

Error::Error(std::string field, std::string value, std::string message)
    : Error(std::vector<Problem>{{{}, std::move(field), std::move(value), std::move(message)}}) {}

}  // namespace writhe
