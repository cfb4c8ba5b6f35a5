// States over time in one file of equal records, frames.bin: what is composed or replayed after a run.
//
// Layout, little endian: "WRITHEFR", version and the size of the header as UInt32, then the numbers of nodes, orientations and
// rods as UInt64; records of doubles: time, x, v, q, w, closing, as in State.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "output/sink_file.h"
#include "writhe/state.h"

namespace writhe::output {

class FrameStore {
 public:
  struct Counts {
    std::uint64_t nodes = 0, orientations = 0, rods = 0;
    bool operator==(const Counts&) const = default;
  };
  static Counts counts_of(const State& state);

  // An empty store in place of whatever is there. Throws Error, as all below, when the file cannot be written.
  static FrameStore create(const std::filesystem::path& path, const Counts& counts);
  // To read and append. A record that was cut off while it was written is removed. Throws Error for any other kind of file.
  static FrameStore open(const std::filesystem::path& path);
  // To read only: the file stays as it is.
  static FrameStore open_to_read(const std::filesystem::path& path);

  const Counts& counts() const { return m_counts; }
  std::size_t count() const { return m_count; }
  // Throws Error for a state of other counts.
  void append(const State& state);
  // Hands everything to the system: it survives the end of the program.
  void flush();
  // i < count()
  void read(std::size_t i, State& out);
  // Keeps the first `count` records; count <= count()
  void truncate(std::size_t count);

 private:
  FrameStore(const std::filesystem::path& path, FilePointer file);
  void read_header();
  void seek(std::size_t record);
  void set_counts(const Counts& counts);
  template <class T>
  void put(const T* values, std::size_t count);
  template <class T>
  void get(T* values, std::size_t count);
  [[noreturn]] void fail_to_read() const;
  [[noreturn]] static void fail_to_read(const std::filesystem::path& path, const std::string& reason);

  std::filesystem::path m_path;
  FilePointer m_file;
  Counts m_counts;
  std::size_t m_record_size = 0;  // bytes
  std::size_t m_count = 0;
};

}  // namespace writhe::output
