// A wish from outside that what is computed end before its time.
#pragma once

#include <functional>
#include <utility>

namespace writhe {

class Stop {
 public:
  // wanted: asked by any thread that computes, often.
  void when(std::function<bool()> wanted) { m_wanted = std::move(wanted); }
  bool wanted() const { return m_wanted && m_wanted(); }

 private:
  std::function<bool()> m_wanted;
};

}  // namespace writhe
