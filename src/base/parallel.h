// Loops over threads. The one place that talks to oneTBB's loops.
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace writhe {

// Tells the thread sanitizer what a loop guarantees: the caller's writes are seen by the work, the work's writes by the caller.
// It cannot see that itself, because oneTBB's library is not compiled with it. Nothing outside such a build.
namespace loop_order {
#if defined(__SANITIZE_THREAD__)
// Only their addresses count; outside the caller's stack, because a pointer to that is itself handed over.
inline char loop_entry, loop_exit;
inline void before_loop() { __tsan_release(&loop_entry); }
inline void before_work() { __tsan_acquire(&loop_entry); }
inline void after_work() { __tsan_release(&loop_exit); }
inline void after_loop() { __tsan_acquire(&loop_exit); }
#else
inline void before_loop() {}
inline void before_work() {}
inline void after_work() {}
inline void after_loop() {}
#endif
}  // namespace loop_order

// Calls work(i) for i = 0 ... count - 1 on the threads of the arena, in any order. What work(i) writes must belong to i alone:
// then the result does not depend on the number of threads. An exception of a call reaches the caller.
template <class Work>
void parallel_for(oneapi::tbb::task_arena& arena, int count, const Work& work) {
  const auto body = [&work](int i) {
    loop_order::before_work();
    work(i);
    loop_order::after_work();
  };
  arena.execute([&] {
    loop_order::before_loop();
    oneapi::tbb::parallel_for(0, count, body);
    loop_order::after_loop();
  });
}

}  // namespace writhe
