// Under the thread sanitizer (make tsan) these also show that it knows the order of writes around a loop.
#include "base/parallel.h"

#include <cstddef>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace writhe {
namespace {

TEST(Parallel, CallsEveryIndexOnceForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 5}) {
    oneapi::tbb::task_arena arena(threads);
    std::vector<int> calls(1000, 0);
    for (int repetition = 0; repetition < 3; ++repetition)
      parallel_for(arena, 1000, [&](int i) { ++calls[static_cast<std::size_t>(i)]; });
    EXPECT_EQ(calls, std::vector<int>(1000, 3)) << threads << " threads";
  }
}

TEST(Parallel, DoesNothingForAnEmptyRange) {
  oneapi::tbb::task_arena arena(2);
  parallel_for(arena, 0, [](int) { FAIL() << "called"; });
}

TEST(Parallel, AnExceptionOfTheWorkReachesTheCaller) {
  oneapi::tbb::task_arena arena(2);
  const auto work = [](int i) {
    if (i == 57) throw std::runtime_error("57");
  };
  EXPECT_THROW(parallel_for(arena, 100, work), std::runtime_error);
}

}  // namespace
}  // namespace writhe
