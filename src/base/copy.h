// Copies of long arrays, on threads.
#pragma once

#include <algorithm>
#include <vector>

#include "base/parallel.h"

namespace writhe {

// What is no array is copied here and now.
template <class T>
void copy(const T& from, T& to, const Threads&) {
  to = from;
}

template <class T>
void copy(const std::vector<T>& from, std::vector<T>& to, const Threads& threads) {
  to.resize(from.size());
  threads.for_each_chunk(static_cast<int>(from.size()),
                         [&](int begin, int end) { std::copy(from.begin() + begin, from.begin() + end, to.begin() + begin); });
}

}  // namespace writhe
