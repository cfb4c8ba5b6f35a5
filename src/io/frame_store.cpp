#include "io/frame_store.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <sys/types.h>

#include "base/bytes.h"  // which makes sure that this machine is little endian, as the file is
#include "writhe/error.h"

namespace writhe::io {

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

FrameStore::FrameStore(const std::filesystem::path& path, const char* mode) : m_path(path) {
  errno = 0;
  m_file.reset(std::fopen(path.c_str(), mode));
}

FrameStore FrameStore::create(const std::filesystem::path& path, const Counts& counts) {
  FrameStore store(path, "w+b");
  if (!store.m_file) throw_write_error(path, errno);
  Header header;
  header.counts = store.m_counts = counts;
  store.put(&header, 1);
  store.flush();
  return store;
}

FrameStore FrameStore::open_to_read(const std::filesystem::path& path) {
  FrameStore store(path, "rb");
  if (!store.m_file) store.fail_to_read();
  store.read_header();
  return store;
}

FrameStore FrameStore::open(const std::filesystem::path& path) {
  FrameStore store(path, "r+b");
  if (!store.m_file) store.fail_to_read();
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
  m_counts = c;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(m_path, error);
  if (error) fail_to_read();
  m_count = static_cast<std::size_t>((size - sizeof(Header)) / record_size());
}

void FrameStore::append(const State& state) {
  if (counts_of(state) != m_counts || state.v.size() != state.x.size() || state.w.size() != state.q.size()) {
    throw Error("output", m_path.string(), "holds frames of another scene; write it anew");
  }
  seek(m_count);
  put(&state.time, 1);
  put(state.x.data(), state.x.size());
  put(state.v.data(), state.v.size());
  put(state.q.data(), state.q.size());
  put(state.w.data(), state.w.size());
  put(state.closing.data(), state.closing.size());
  ++m_count;
}

void FrameStore::read(std::size_t i, State& out) {
  seek(i);
  out.x.resize(m_counts.nodes);
  out.v.resize(m_counts.nodes);
  out.q.resize(m_counts.orientations);
  out.w.resize(m_counts.orientations);
  out.closing.resize(m_counts.rods);
  get(&out.time, 1);
  get(out.x.data(), out.x.size());
  get(out.v.data(), out.v.size());
  get(out.q.data(), out.q.size());
  get(out.w.data(), out.w.size());
  get(out.closing.data(), out.closing.size());
}

void FrameStore::flush() {
  errno = 0;
  if (std::fflush(m_file.get()) != 0) throw_write_error(m_path, errno);
}

void FrameStore::truncate(std::size_t count) {
  flush();
  std::error_code error;
  std::filesystem::resize_file(m_path, sizeof(Header) + count * record_size(), error);
  if (error) throw_write_error(m_path, error.value());
  m_count = count;
}

// Always, also where the file stands there already: a stream must seek between reading and writing.
void FrameStore::seek(std::size_t record) {
  errno = 0;
  if (::fseeko(m_file.get(), static_cast<off_t>(sizeof(Header) + record * record_size()), SEEK_SET) != 0) {
    throw_write_error(m_path, errno);
  }
}

std::size_t FrameStore::record_size() const {
  return sizeof(double) * (1 + m_counts.rods) + (sizeof(Vec3) + sizeof(Vec3)) * m_counts.nodes +
         (sizeof(Quat) + sizeof(Vec3)) * m_counts.orientations;
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
  const std::string reason = errno != 0 ? std::generic_category().message(errno) : "it ends too soon";
  throw Error("output", m_path.string(), "cannot be read (" + reason + "); check that it exists and was written by this program");
}

}  // namespace writhe::io
