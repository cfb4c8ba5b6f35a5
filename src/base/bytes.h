// Values to bytes and back, little endian, for files that only Writhe reads: checkpoints.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace writhe {

static_assert(std::endian::native == std::endian::little, "checkpoints are little endian; other machines need a conversion here");

// FNV-1a, 64 bits: a change of any single byte changes it.
class Hash {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) m_value = (m_value ^ bytes[i]) * 0x100000001b3ULL;
  }
  std::uint64_t value() const { return m_value; }

 private:
  std::uint64_t m_value = 0xcbf29ce484222325ULL;
};

inline std::uint64_t hash_of(std::string_view bytes) {
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.value();
}

class ByteWriter {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { m_bytes.append(reinterpret_cast<const char*>(&value), sizeof(T)); }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    m_bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  template <class T>
  void put(const std::vector<std::vector<T>>& lists) {
    put(static_cast<std::uint64_t>(lists.size()));
    for (const std::vector<T>& list : lists) put(list);
  }
  void put(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    m_bytes.append(text);
  }
  const std::string& bytes() const { return m_bytes; }

 private:
  std::string m_bytes;
};

// Throws std::out_of_range rather than read past the end, and before it makes room for what is not there.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : m_bytes(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void get(T& value) { std::memcpy(&value, take(sizeof(T)), sizeof(T)); }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void get(std::vector<T>& values) {
    const std::size_t count = get_count(sizeof(T));
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), take(count * sizeof(T)), count * sizeof(T));
  }
  template <class T>
  void get(std::vector<std::vector<T>>& lists) {
    lists.resize(get_count(sizeof(std::uint64_t)));
    for (std::vector<T>& list : lists) get(list);
  }
  void get(std::string& text) {
    const std::size_t count = get_count(1);
    text.assign(take(count), count);
  }
  std::uint64_t get_count(std::size_t bytes_each) {
    std::uint64_t count = 0;
    get(count);
    if (count > left() / bytes_each) throw std::out_of_range("a count is larger than what follows");
    return count;
  }
  std::size_t left() const { return m_bytes.size() - m_at; }

 private:
  const char* take(std::size_t size) {
    if (size > left()) throw std::out_of_range("the end comes too soon");
    m_at += size;
    return m_bytes.data() + m_at - size;
  }

  std::string_view m_bytes;
  std::size_t m_at = 0;
};

}  // namespace writhe
