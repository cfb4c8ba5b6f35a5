// Names given by a user: which known name was probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace writhe {

// The number of letters to insert, delete, replace or swap with their neighbour to turn `a` into `b`.
// Letters that differ only in case count as equal.
int edit_distance(std::string_view a, std::string_view b);

// The candidate most like `name`, or an empty string when none is near enough to be a likely slip
// (at most one change for every three letters, and one for shorter names). The first of equals wins.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

// "a, b and c", or "none" for an empty list. Long lists are cut after `limit` names with a count of the rest,
// which is two or more.
std::string list_of(const std::vector<std::string>& names, std::size_t limit = 12);

// The names of a list of named things.
template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

// What to say about an unknown name: "did you mean 'rope'?" when one is near, else "known <plural>: rope, net and hair".
std::string hint(std::string_view name, const std::vector<std::string>& known, std::string_view plural);

}  // namespace writhe
