// Loops over threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>

namespace writhe {

// A number of threads that share loops; copies are the same threads.
class Threads {
 public:
  // 0: as many as the machine has. More than it has are allowed.
  Threads(int count = 0);  // NOLINT(google-explicit-constructor): a number of threads says it all
  int count() const;

  // Calls work(i) for i = 0 ... count - 1, in any order. What work(i) writes must belong to i alone: then the result does not
  // depend on the number of threads. An exception of a call reaches the caller.
  template <class Work>
  void for_each(int count, const Work& work) const {
    if (count == 1 || this->count() == 1)
      for (int i = 0; i < count; ++i) work(i);
    else
      run(
          count, [](const void* what, int i) { (*static_cast<const Work*>(what))(i); }, &work);
  }

  // The same for work that is quick: work(begin, end) of pieces of the range, large enough to be worth a thread.
  template <class Work>
  void for_each_chunk(int count, const Work& work) const {
    constexpr int chunk = 8192;  // some 10 us of work on one number, which is what waking a thread costs
    const auto one = [&](int i) { work(i * chunk, std::min(count, (i + 1) * chunk)); };
    for_each((count + chunk - 1) / chunk, one);
  }

  // The largest of work(begin, end) over the pieces of a range, and no less than 0; what is not a number does not count.
  template <class Work>
  double largest(int count, const Work& work) const {
    std::atomic<double> all = 0;
    for_each_chunk(count, [&](int begin, int end) {
      const double own = work(begin, end);
      for (double seen = all; own > seen && !all.compare_exchange_weak(seen, own);) {
      }
    });
    return all;
  }

 private:
  using Call = void (*)(const void* work, int i);
  void run(int count, Call call, const void* work) const;

  struct Pool;
  std::shared_ptr<Pool> m_pool;
};

}  // namespace writhe
