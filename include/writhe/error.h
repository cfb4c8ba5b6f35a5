// What Writhe throws when something it was given cannot be used: every problem found, each with a remedy.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace writhe {

// Where in a file a value stands; lines and columns count from 1, 0 means unknown.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

// One thing that is wrong. Prints as `file:line:column: field: value: message`; empty parts are left out.
struct Problem {
  Location where;
  std::string field;    // path of the value: rods.rope.segments
  std::string value;    // what was given, as written
  std::string message;  // what is wrong and what to do about it
  std::string text() const;
};

class Error : public std::runtime_error {
 public:
  explicit Error(std::vector<Problem> problems);
  Error(std::string field, std::string value, std::string message);
  const std::vector<Problem>& problems() const { return m_problems; }

 private:
  std::vector<Problem> m_problems;
};

}  // namespace writhe
