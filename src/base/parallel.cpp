#include "base/parallel.h"

#include <cstddef>
#include <optional>

#if defined(__SANITIZE_THREAD__)
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>
#else
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace writhe {

#if defined(__SANITIZE_THREAD__)

// oneTBB's library is not compiled with the thread sanitizer, which so misses its locks and sees races where there are none. It
// is to look at our work, and gets threads that it knows.
struct Threads::Pool {
  int count;
};

Threads::Threads(int count)
    : m_pool(new Pool{count > 0 ? count : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))}) {}

int Threads::count() const { return m_pool->count; }

void Threads::run(int count, Call call, const void* work) const {
  std::atomic<int> next = 0;
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto take = [&] {
    try {
      for (int i = next++; i < count; i = next++) call(work, i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      thrown = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < std::min(m_pool->count, count); ++i) others.emplace_back(take);
  take();
  for (std::thread& other : others) other.join();
  if (thrown) std::rethrow_exception(thrown);
}

#else

struct Threads::Pool {
  explicit Pool(int count) : arena(count > 0 ? count : oneapi::tbb::task_arena::automatic) {
    if (count > oneapi::tbb::info::default_concurrency())
      more.emplace(oneapi::tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count));
  }

  // More threads than cores, when asked for. Of several such limits the smallest holds, so there is none without need.
  std::optional<oneapi::tbb::global_control> more;
  oneapi::tbb::task_arena arena;
};

Threads::Threads(int count) : m_pool(std::make_shared<Pool>(count)) {}

int Threads::count() const { return m_pool->arena.max_concurrency(); }

void Threads::run(int count, Call call, const void* work) const {
  m_pool->arena.execute([&] { oneapi::tbb::parallel_for(0, count, [&](int i) { call(work, i); }); });
}

#endif

}  // namespace writhe
