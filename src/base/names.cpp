#include "base/names.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <numeric>

namespace writhe {

namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

}  // namespace

// Optimal string alignment (Damerau 1964, Levenshtein 1966) with three rows of the table: the one being filled and two before it.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = above[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  const int allowed = std::max(1, static_cast<int>(name.size()) / 3);
  int best = std::numeric_limits<int>::max();
  std::string found;
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(name, candidate);
    // A one-letter name is one change away from every other one: that is no likeness.
    const bool alike = distance <= allowed && distance < static_cast<int>(std::max(name.size(), candidate.size()));
    if (alike && distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

std::string list_of(const std::vector<std::string>& names, std::size_t limit) {
  if (names.empty()) return "none";
  std::string out;
  const std::size_t shown = names.size() <= limit + 1 ? names.size() : limit;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += i + 1 == names.size() ? " and " : ", ";
    out += names[i];
  }
  if (shown < names.size()) out += " and " + std::to_string(names.size() - shown) + " more";
  return out;
}

std::string hint(std::string_view name, const std::vector<std::string>& known, std::string_view plural) {
  const std::string near = nearest(name, known);
  if (!near.empty()) return "did you mean '" + near + "'?";
  return "known " + std::string(plural) + ": " + list_of(known);
}

}  // namespace writhe
