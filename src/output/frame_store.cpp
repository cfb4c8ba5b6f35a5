#include "output/frame_store.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <sys/types.h>
#include <unistd.h>

#include "base/bytes.h"  // which makes sure that this machine is little endian, as the file is
#include "writhe/error.h"

namespace writhe::output {

namespace {

struct Header {
  std::array<char, 8> magic{'W', 'R', 'I', 'T', 'H', 'E', 'F', 'R'};
  std::uint32_t version = 1;
  std::uint32_t size = sizeof(Header);
  FrameStore::Counts counts;
};
static_assert(sizeof(Header) == 40 && sizeof(Vec3) == 24 && sizeof(Quat) == 32);

constexpr std::uint64_t largest_count = std::uint64_t{1} << 40;  // keeps the size of a record from overflowing

}  // namespace

FrameStore::Counts FrameStore::counts_of(const State& state) { return {state.x.size(), state.q.size(), state.closing.size()}; }

FrameStore::FrameStore(const std::filesystem::path& path, FilePointer file) : m_path(path), m_file(std::move(file)) {}

FrameStore FrameStore::create(const std::filesystem::path& path, const Counts& counts) {
  std::string reason;
  FrameStore store(path, create_file(path, reason));
  if (!store.m_file) throw_write_error(path, reason);
  Header header;
  header.counts = counts;
  store.set_counts(counts);
  store.put(&header, 1);
  store.flush();
  return store;
}

FrameStore FrameStore::open_to_read(const std::filesystem::path& path) {
  std::string reason;
  FrameStore store(path, writhe::open_to_read(path, reason));
  if (!store.m_file) fail_to_read(path, reason);
  store.read_header();
  return store;
}

FrameStore FrameStore::open(const std::filesystem::path& path) {
  std::string reason;
  FrameStore store(path, open_to_change(path, reason));
  if (!store.m_file) fail_to_read(path, reason);
  store.read_header();
  store.truncate(store.m_count);
  return store;
}

void FrameStore::read_header() {
  Header header;
  get(&header, 1);
  const Header expected;
  const bool ours = header.magic == expected.magic && header.version == expected.version && header.size == expected.size;
  const Counts& c = header.counts;
  if (!ours || c.nodes > largest_count || c.orientations > largest_count || c.rods > largest_count) {
    throw Error("output", m_path.string(), "is not a file of frames of this version; write it anew");
  }
  set_counts(c);
  errno = 0;
  if (::fseeko(m_file.get(), 0, SEEK_END) != 0) fail_to_read();
  const auto size = static_cast<std::uint64_t>(::ftello(m_file.get()));
  m_count = static_cast<std::size_t>((size - sizeof(Header)) / m_record_size);
}

void FrameStore::append(const State& state) {
  if (counts_of(state) != m_counts || state.v.size() != state.x.size() || state.w.size() != state.q.size()) {
    throw Error("output", m_path.string(), "holds frames of another scene; write it anew");
  }
  seek(m_count);
  put(&state.time, 1);
  State::visit_arrays([&](const auto& array) { put(array.data(), array.size()); }, state);
  ++m_count;
}

void FrameStore::read(std::size_t i, State& out) {
  seek(i);
  out.resize(m_counts.nodes, m_counts.orientations, m_counts.rods);
  get(&out.time, 1);
  State::visit_arrays([&](auto& array) { get(array.data(), array.size()); }, out);
}

void FrameStore::flush() {
  errno = 0;
  if (std::fflush(m_file.get()) != 0) throw_write_error(m_path, errno);
}

void FrameStore::truncate(std::size_t count) {
  flush();
  errno = 0;
  if (ftruncate(fileno(m_file.get()), static_cast<off_t>(sizeof(Header) + count * m_record_size)) != 0)
    throw_write_error(m_path, errno);
  m_count = count;
}

// Always, also where the file stands there already: a stream must seek between reading and writing.
void FrameStore::seek(std::size_t record) {
  errno = 0;
  if (::fseeko(m_file.get(), static_cast<off_t>(sizeof(Header) + record * m_record_size), SEEK_SET) != 0) {
    throw_write_error(m_path, errno);
  }
}

void FrameStore::set_counts(const Counts& counts) {
  m_counts = counts;
  State one;
  one.resize(1, 0, 0);
  const auto bytes_each = [](const State& state) {
    std::size_t bytes = 0;
    State::visit_arrays([&](const auto& array) { bytes += array.size() * sizeof(array[0]); }, state);
    return bytes;
  };
  m_record_size = sizeof one.time + counts.nodes * bytes_each(one);
  one.resize(0, 1, 0);
  m_record_size += counts.orientations * bytes_each(one);
  one.resize(0, 0, 1);
  m_record_size += counts.rods * bytes_each(one);
}

template <class T>
void FrameStore::put(const T* values, std::size_t count) {
  errno = 0;
  if (count > 0 && std::fwrite(values, sizeof(T), count, m_file.get()) != count) throw_write_error(m_path, errno);
}

template <class T>
void FrameStore::get(T* values, std::size_t count) {
  errno = 0;
  if (count > 0 && std::fread(values, sizeof(T), count, m_file.get()) != count) fail_to_read();
}

void FrameStore::fail_to_read() const {
  fail_to_read(m_path, errno != 0 ? std::generic_category().message(errno) : "it ends too soon");
}

void FrameStore::fail_to_read(const std::filesystem::path& path, const std::string& reason) {
  throw Error("output", path.string(), "cannot be read (" + reason + "); check that it exists and was written by this program");
}

}  // namespace writhe::output
