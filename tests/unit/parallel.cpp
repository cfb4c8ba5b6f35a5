#include "base/parallel.h"

#include <cstddef>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace writhe {
namespace {

TEST(Parallel, CallsEveryIndexOnceForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 5}) {
    const Threads team(threads);
    std::vector<int> calls(1000, 0);
    for (int repetition = 0; repetition < 3; ++repetition)
      team.for_each(1000, [&](int i) { ++calls[static_cast<std::size_t>(i)]; });
    EXPECT_EQ(calls, std::vector<int>(1000, 3)) << threads << " threads";
  }
}

TEST(Parallel, ChunksCoverARangeOnce) {
  for (const int count : {1, 8192, 8193, 100000}) {
    std::vector<int> calls(static_cast<std::size_t>(count), 0);
    Threads(3).for_each_chunk(count, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) ++calls[static_cast<std::size_t>(i)];
    });
    EXPECT_EQ(calls, std::vector<int>(static_cast<std::size_t>(count), 1)) << count;
  }
}

TEST(Parallel, HasTheThreadsAskedFor) {
  EXPECT_EQ(Threads(5).count(), 5);
  EXPECT_GE(Threads().count(), 1);
}

TEST(Parallel, DoesNothingForAnEmptyRange) {
  Threads(2).for_each(0, [](int) { FAIL() << "called"; });
  Threads(2).for_each_chunk(0, [](int, int) { FAIL() << "called"; });
}

TEST(Parallel, AnExceptionOfTheWorkReachesTheCaller) {
  const auto work = [](int i) {
    if (i == 57) throw std::runtime_error("57");
  };
  EXPECT_THROW(Threads(2).for_each(100, work), std::runtime_error);
}

}  // namespace
}  // namespace writhe
