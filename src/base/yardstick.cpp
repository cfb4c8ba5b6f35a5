#include "base/yardstick.h"

#include <algorithm>
#include <ctime>
#include <functional>

namespace writhe {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

namespace {

double smallest_ms(int repetitions, const std::function<void()>& work) {
  double best = 1e300;
  for (int i = 0; i < repetitions; ++i) {
    const double start = cpu_seconds();
    work();
    best = std::min(best, cpu_seconds() - start);
  }
  return best * 1e3;
}

constexpr int size = 64;
double left[size][size], right[size][size], product[size][size];
volatile double sink;

void dependent_chain() {
  volatile double start = 1.0;
  double x = start;
  for (int i = 0; i < 20'000'000; ++i) x = x * 0.999999 + 1e-6;
  sink = x;
}

void matrix_products() {
  for (int k = 0; k < 200; ++k) {
    for (int i = 0; i < size; ++i)
      for (int l = 0; l < size; ++l)
        for (int j = 0; j < size; ++j) product[i][j] += left[i][l] * right[l][j];
    sink = product[3][5];
  }
}

}  // namespace

Yardstick measure_yardstick() {
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      left[i][j] = i + j;
      right[i][j] = i - j;
    }
  return {smallest_ms(15, dependent_chain), smallest_ms(15, matrix_products)};
}

}  // namespace writhe
