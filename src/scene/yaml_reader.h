// Reads typed values out of a tree: remembers paths, places and used keys, and collects every problem instead of the first.
//
// A struct is read by one function that names its keys once:
//   void read(const Field& field, Damping& out) {
//     Keys keys(field);
//     keys.optional("mass", out.mass);
//     keys.optional("internal", out.internal);
//   }
// Types, doubled keys, missing keys and unknown keys (with the key that was probably meant) follow from that.
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/names.h"
#include "scene/yaml_tree.h"
#include "writhe/error.h"
#include "writhe/scene.h"

namespace writhe::scene_file {

// Which keys each map of the format may have (true: must have). Names are written `*`, list indices `[]`, the kind of a load or
// support in brackets: `rods.*.centreline.line`, `loads[](force)`. Compared with docs/scene.schema.json by a test.
using KnownKeys = std::map<std::string, std::map<std::string, bool>>;

// What all fields of one reading share.
struct Reading {
  std::vector<std::string> sources;           // of Mark::source: the file, then the overrides as `--set path=value`
  std::map<std::string, Location> locations;  // of every path that was read
  KnownKeys* known_keys = nullptr;            // filled when given

  void add(Problem problem);
  // True when further problems are only counted: what they would say need not be worked out.
  bool full() const { return m_problems.size() >= max_problems; }
  bool any() const { return !m_problems.empty(); }
  const std::vector<Problem>& problems() const { return m_problems; }
  Location locate(const Mark& mark) const;
  // Throws Error when there are problems.
  void throw_problems() const;

 private:
  // A wrong list of points has as many problems as points.
  static constexpr std::size_t max_problems = 100;
  std::vector<Problem> m_problems;
  std::size_t m_left_out = 0;
};

// One value with its path.
class Field {
 public:
  Field(Reading& reading, const Value& root);

  const Value& value() const { return *m_value; }
  const std::string& path() const { return m_path; }
  Reading& reading() const { return *m_reading; }
  Location where() const { return m_reading->locate(m_mark); }

  bool is_list() const { return m_value->kind == Value::Kind::list; }
  bool is_map() const { return m_value->kind == Value::Kind::map; }
  bool is_scalar() const { return m_value->kind == Value::Kind::scalar; }

  Field key(const MapEntry& entry) const;
  // As `key`, for a map from names given by the user.
  Field named(const MapEntry& entry) const;
  Field item(std::size_t index) const;
  // As `item`, without an entry in Reading::locations: there may be a million of them.
  Field number_item(std::size_t index) const;

  void problem(std::string message) const;                            // about this value
  void expected(std::string_view what) const;                         // about its type
  void missing(std::string_view key, const std::string& what) const;  // about a key that is not there
  void incomplete(std::string message) const;                         // about what a map holds as a whole
  // The value as a message shows it.
  std::string shown() const;

 private:
  friend class Keys;
  Field child(const Value& value, const Mark& mark, const std::string& path, const std::string& pattern) const;

  Reading* m_reading;
  const Value* m_value;
  Mark m_mark;            // of the value, or of its key when the value starts in a later line
  std::string m_path;     // rods.rope.segments
  std::string m_pattern;  // rods.*.segments
};

// An angle: a number is rad, a text has a unit: "360 deg", "2 turns", "1.57 rad".
struct Angle {
  double& rad;
};

// A number in a unit that is not plain SI, and what is said of one with a unit of its own.
struct NumberIn {
  double& value;
  const char* with_unit;
};

// A name that the user chose.
struct UserName {
  std::string& text;
};

// A name that stands elsewhere in the scene: of a section, of a rod.
struct NameOf {
  std::string& text;
  const char* what;
};

// A map from names that the user chose to values; T has a `name`.
template <class T>
struct Named {
  std::vector<T>& list;
};

// What a type looks like in a scene, for messages.
constexpr std::string_view looks(const double&) { return "a number"; }
constexpr std::string_view looks(const int&) { return "a whole number"; }
constexpr std::string_view looks(const bool&) { return "true or false"; }
constexpr std::string_view looks(const NumberIn&) { return "a number"; }
constexpr std::string_view looks(const Angle&) { return "an angle, a number in rad or a text such as \"90 deg\""; }
inline std::string_view looks(const std::string&) { return "a word"; }
inline std::string_view looks(const UserName&) { return "a name"; }
inline std::string_view looks(const NameOf& name) { return name.what; }
inline std::string_view looks(const Vec3&) { return "three numbers, such as [0, 0, 1]"; }
inline std::string_view looks(const Place&) { return "a place, such as rope.start, rope.end, rope@0.25 or rope.node[12]"; }
inline std::string_view looks(const std::pair<double, double>&) { return "two numbers, such as [0, 1]"; }
inline std::string_view looks(const Ramp&) { return "a list of [time, factor]"; }
inline std::string_view looks(const Track<double>&) { return "keys, a list of [time, angle]"; }
inline std::string_view looks(const Track<Vec3>&) { return "keys, a list of [time, [x, y, z]]"; }
template <class T>
std::string_view looks(const std::vector<T>&) {
  return "a list";
}
template <class T>
std::string_view looks(const std::optional<T>&) {
  return looks(T{});
}
template <class T>
std::string_view looks(const Named<T>&) {
  return "a map from names to values, such as {rope: {...}}";
}
template <class T>
std::string_view looks(const T&) {
  return "a map of keys";
}

void read(const Field& field, double& out);
void read(const Field& field, NumberIn out);
void read(const Field& field, int& out);
void read(const Field& field, bool& out);
void read(const Field& field, std::string& out);
void read(const Field& field, Angle out);
void read(const Field& field, UserName out);
void read(const Field& field, NameOf out);
void read(const Field& field, Vec3& out);
void read(const Field& field, Place& out);
void read(const Field& field, std::pair<double, double>& out);
void read(const Field& field, Ramp& out);

template <class T>
void read(const Field& field, std::optional<T>& out) {
  read(field, out.emplace());
}

template <class T>
void read(const Field& field, std::vector<T>& out) {
  if (!field.is_list()) return field.expected(looks(out));
  out.assign(field.value().items.size(), T{});
  for (std::size_t i = 0; i < out.size(); ++i) read(field.item(i), out[i]);
}

// A word that a setting may have, and what it stands for.
template <class T>
struct Word {
  std::string name;
  T value;
};

// One of a few words; `what` says of what, in the message.
template <class T>
void read_word(const Field& field, T& out, const std::string& what, const std::vector<Word<T>>& words) {
  const std::string known = "one of " + list_of(names_of(words));
  if (!field.is_scalar()) return field.expected(known);
  for (const Word<T>& word : words)
    if (word.name == field.value().text) return void(out = word.value);
  field.problem("no such " + what + "; choose " + known);
}

// Reports a name with characters that have a meaning in paths and places.
void check_name(const Field& field, const std::string& name);
// Reports keys that are given twice.
void check_doubled_keys(const Field& map, std::string_view remedy = "remove one of them");

template <class T>
void read(const Field& field, Named<T> out) {
  if (!field.is_map()) return field.expected(looks(out));
  check_doubled_keys(field, "give one of them another name");
  for (const MapEntry& entry : field.value().entries) {
    const Field named = field.named(entry);
    check_name(named, entry.key);
    out.list.emplace_back().name = entry.key;
    read(named, out.list.back());
  }
}

// The keys of one map. Reports doubled keys at once, unknown and missing keys when it goes out of scope.
class Keys {
 public:
  explicit Keys(const Field& field);
  ~Keys();
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  template <class T>
  void required(const char* key, T&& out) {
    know(key, true);
    if (const MapEntry* entry = find(key)) {
      read(m_field.key(*entry), out);
    } else if (m_is_map) {
      m_missing.push_back({key, std::string(looks(out))});
    }
  }
  template <class T>
  void optional(const char* key, T&& out) {
    know(key, false);
    if (const MapEntry* entry = find(key)) read(m_field.key(*entry), out);
  }
  // Must be there unless the key `other` is.
  template <class T>
  void required_without(const char* other, const char* key, T&& out) {
    optional(key, out);
    if (m_is_map && !find(key) && !find(other)) m_missing.push_back({key, std::string(looks(out))});
  }
  // A value that cannot be, and why.
  void refuse(const char* key, std::string message);
  // A key that a later version will have.
  void unavailable(const char* key);
  // A key that stands in the map `into` of this one now.
  void moved(const char* key, const char* into);

  // The one of these keys that is there; reports and returns an empty string when none or several are. With `in_pattern` the
  // other keys depend on which it is.
  std::string kind(std::initializer_list<const char*> keys, bool in_pattern = false);

  // Reads the one alternative that is there; `keys` in the order of the variant.
  template <class... T>
  void one_of(std::variant<T...>& out, const std::array<const char*, sizeof...(T)>& keys) {
    const std::string chosen = kind_of(keys.data(), keys.size(), false);
    std::size_t i = 0;
    ((keys[i++] == chosen ? optional(keys[i - 1], out.template emplace<T>()) : void()), ...);
  }

 private:
  struct Missing {
    std::string key, what;
  };

  const MapEntry* find(std::string_view key) const;
  bool misspelt(const std::string& key) const;
  std::string kind_of(const char* const* keys, std::size_t count, bool in_pattern);
  void know(const char* key, bool required);
  void report(const char* key, std::string message);  // where it is given
  void report_unknown(const MapEntry& entry, const std::vector<std::string>& known) const;

  Field m_field;
  bool m_is_map;
  bool m_understood = true;  // false: which kind of map this is could not be told, so neither which keys it may have
  std::vector<std::string> m_known;
  std::vector<std::string> m_reported;  // unavailable and moved ones
  std::vector<Missing> m_missing;
};

}  // namespace writhe::scene_file
