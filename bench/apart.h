// Benchmarks in processes of their own: the largest memory of one is not that of another, nor does one find a heap that another
// has torn up.
#pragma once

#include <functional>
#include <vector>

#include "harness.h"

namespace writhe::bench {

// What `work` returns, when run in a child of this process. Throws what() of what it throws, and when the child dies. The caller
// must have started no threads: they would not be there in the child.
std::vector<Row> run_apart(const std::function<std::vector<Row>()>& work);

// MB (1e6 bytes): the largest resident memory of this process so far.
double peak_memory_mb();

}  // namespace writhe::bench
