#include "scene/yaml_reader.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include "base/names.h"
#include "base/text_file.h"
#include "model/problems.h"
#include "scene/yaml_number.h"

namespace writhe::scene_file {

// ---- problems ----------------------------------------------------------------------------------------------------

void Reading::add(Problem problem) {
  if (full()) {
    ++m_left_out;
  } else {
    m_problems.push_back(std::move(problem));
  }
}

Location Reading::locate(const Mark& mark) const {
  const std::string& source = sources[static_cast<std::size_t>(mark.source)];
  return mark.source == 0 ? Location{source, mark.line, mark.column} : Location{source, 0, 0};
}

void Reading::throw_problems() const {
  if (m_problems.empty()) return;
  std::vector<Problem> sorted = m_problems;
  sort_by_place(sorted);
  if (m_left_out > 0) sorted.push_back({{sources[0], 0, 0}, "", "", fmt::format("and {} more problems", m_left_out)});
  throw Error(std::move(sorted));
}

// ---- fields ------------------------------------------------------------------------------------------------------

Field::Field(Reading& reading, const Value& root) : m_reading(&reading), m_value(&root), m_mark(root.mark) {}

Field Field::child(const Value& value, const Mark& mark, const std::string& path, const std::string& pattern) const {
  Field field(*m_reading, value);
  const bool later_line = value.mark.source == mark.source && value.mark.line != mark.line;
  if (later_line) field.m_mark = mark;
  field.m_path = path;
  field.m_pattern = pattern;
  return field;
}

Field Field::key(const MapEntry& entry) const {
  const std::string dot = m_path.empty() ? "" : ".";
  Field field = child(entry.value, entry.mark, m_path + dot + entry.key, m_pattern + dot + entry.key);
  m_reading->locations.emplace(field.m_path, field.where());
  return field;
}

Field Field::named(const MapEntry& entry) const {
  Field field = child(entry.value, entry.mark, m_path + "." + entry.key, m_pattern + ".*");
  m_reading->locations.emplace(field.m_path, field.where());
  return field;
}

Field Field::item(std::size_t index) const {
  Field field = number_item(index);
  m_reading->locations.emplace(field.m_path, field.where());
  return field;
}

Field Field::number_item(std::size_t index) const {
  const Value& value = m_value->items[index];
  return child(value, value.mark, fmt::format("{}[{}]", m_path, index), m_pattern + "[]");
}

void Field::problem(std::string message) const { m_reading->add({where(), m_path, shown(), std::move(message)}); }

void Field::expected(std::string_view what) const { problem(fmt::format("expected {}", what)); }

void Field::missing(std::string_view key, const std::string& what) const {
  const std::string path = m_path.empty() ? std::string(key) : fmt::format("{}.{}", m_path, key);
  m_reading->add({where(), path, "", "missing; give " + what});
}

void Field::incomplete(std::string message) const { m_reading->add({where(), m_path, "", std::move(message)}); }

std::string Field::shown() const {
  switch (m_value->kind) {
    case Value::Kind::scalar:
      return m_value->quoted ? fmt::format("\"{}\"", printable(m_value->text)) : printable(m_value->text);
    case Value::Kind::list:
      return fmt::format("a list of {}", m_value->items.size());
    case Value::Kind::map:
      return "a map";
    case Value::Kind::nothing:
      break;
  }
  return "nothing";
}

// ---- values ------------------------------------------------------------------------------------------------------

void read(const Field& field, NumberIn out) {
  if (!field.is_scalar()) return field.expected(looks(out));
  if (field.value().quoted) return field.problem("expected a number; write it without quotes");
  const ParsedNumber number = parse_number(field.value().text, out.with_unit);
  if (!number.problem.empty()) return field.problem(number.problem);
  out.value = number.value;
}

void read(const Field& field, double& out) { read(field, NumberIn{out, ""}); }

void read(const Field& field, int& out) {
  if (!field.is_scalar() || field.value().quoted) return field.expected(looks(out));
  const std::string& text = field.value().text;
  const ParsedNumber parsed = parse_number(text);
  if (parsed.problem == not_a_number) return field.expected(looks(out));
  if (!parsed.problem.empty()) return field.problem(parsed.problem);
  const char* first = text.data() + (text[0] == '+' ? 1 : 0);
  const auto [end, ec] = std::from_chars(first, text.data() + text.size(), out);
  if (end != text.data() + text.size()) return field.expected("a whole number, in digits only");
  if (ec == std::errc::result_out_of_range) return field.problem("too large for a whole number");
}

void read(const Field& field, bool& out) {
  const std::string& text = field.value().text;
  if (!field.is_scalar() || field.value().quoted || (text != "true" && text != "false")) return field.expected(looks(out));
  out = text == "true";
}

void read(const Field& field, std::string& out) {
  if (!field.is_scalar()) return field.expected(looks(out));
  out = field.value().text;
}

void read(const Field& field, UserName out) {
  if (!field.is_scalar()) return field.expected(looks(out));
  out.text = field.value().text;
  check_name(field, out.text);
}

void read(const Field& field, NameOf out) {
  if (!field.is_scalar()) return field.expected(looks(out));
  out.text = field.value().text;
}

void read(const Field& field, Angle out) {
  if (!field.is_scalar()) return field.expected(looks(out));
  const ParsedNumber angle = parse_angle(field.value().text, field.value().quoted);
  if (!angle.problem.empty()) return field.problem(angle.problem);
  out.rad = angle.value;
}

namespace {
// Reads a list of exactly so many numbers.
template <std::size_t N>
bool read_numbers(const Field& field, std::array<double, N>& out, std::string_view what) {
  if (!field.is_list() || field.value().items.size() != N) {
    field.expected(what);
    return false;
  }
  for (std::size_t i = 0; i < N; ++i) read(field.number_item(i), out[i]);
  return true;
}
}  // namespace

void read(const Field& field, Vec3& out) {
  std::array<double, 3> a{};
  if (read_numbers(field, a, looks(out))) out = {a[0], a[1], a[2]};
}

void read(const Field& field, std::pair<double, double>& out) {
  std::array<double, 2> a{};
  if (read_numbers(field, a, looks(out))) out = {a[0], a[1]};
}

void read(const Field& field, Ramp& out) {
  if (!field.is_list()) return field.expected(looks(out));
  if (field.value().items.empty())
    return field.problem("has no points; give some, such as [[0, 0], [2, 1]], or leave it out for 1 at all times");
  read(field, out.points);
}

void read(const Field& field, Place& out) {
  if (!field.is_scalar()) return field.expected(looks(out));
  try {
    out = Place::parse(field.value().text);
  } catch (const Error& error) {
    for (const Problem& p : error.problems()) field.problem(p.message);
  }
}

void check_name(const Field& field, const std::string& name) {
  constexpr std::string_view special = " \t\r\n.@[](){}=:,;/\\\"'#";
  if (!name.empty() && name.find_first_of(special) == std::string::npos) return;
  field.reading().add({field.where(), field.path(), printable(name),
                       "a name is one word without any of . @ [ ] ( ) { } = : , ; / \\ # and quotes"});
}

void check_doubled_keys(const Field& map, std::string_view remedy) {
  std::unordered_map<std::string_view, int> line_of;
  for (const MapEntry& entry : map.value().entries) {
    const auto [first, is_new] = line_of.emplace(entry.key, entry.mark.line);
    if (is_new) continue;
    const Field again = map.key(entry);
    again.reading().add({again.reading().locate(entry.mark), again.path(), again.shown(),
                         fmt::format("given twice, first in line {}; {}", first->second, remedy)});
  }
}

// ---- keys --------------------------------------------------------------------------------------------------------

namespace {
constexpr std::string_view merge_key = "<<";

bool among(const std::vector<std::string>& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::string about_unknown_key(const std::string& key, const std::vector<std::string>& known) {
  if (key == merge_key) return "merging maps is not supported; repeat the keys";
  // {radius: 0,005} is a radius of 0 and a key 005.
  if (key.find_first_not_of("0123456789") == std::string::npos) {
    return "unknown key; a comma ends a value in braces, so write decimals with a point";
  }
  return "unknown key; " + hint(key, known, "keys");
}
}  // namespace

Keys::Keys(const Field& field) : m_field(field), m_is_map(field.is_map()) {
  if (m_is_map) {
    check_doubled_keys(field);
  } else {
    field.expected("a map of keys");
  }
}

Keys::~Keys() {
  if (!m_is_map) return;
  for (const Missing& missing : m_missing) {
    if (!misspelt(missing.key)) m_field.missing(missing.key, missing.what);
  }
  if (!m_understood) return;
  for (const MapEntry& entry : m_field.value().entries) {
    if (!among(m_known, entry.key) && !among(m_reported, entry.key)) report_unknown(entry, m_known);
  }
}

// Another key is reported that was probably meant as this one, or that would have brought it.
bool Keys::misspelt(const std::string& key) const {
  if (m_field.reading().full()) return false;
  const std::vector<MapEntry>& entries = m_field.value().entries;
  return std::any_of(entries.begin(), entries.end(), [&](const MapEntry& entry) {
    return !among(m_known, entry.key) && (entry.key == merge_key || nearest(printable(entry.key), m_known) == key);
  });
}

void Keys::refuse(const char* key, std::string message) {
  if (const MapEntry* entry = find(key)) m_field.key(*entry).problem(std::move(message));
}

void Keys::unavailable(const char* key) { report(key, "not available in this version yet; remove it"); }

void Keys::moved(const char* key, const char* into) {
  report(key, fmt::format("has moved to {0}.{1}.{2}; write {1}: {{{2}: ...}}", m_field.path(), into, key));
}

void Keys::report(const char* key, std::string message) {
  m_reported.emplace_back(key);
  const MapEntry* entry = find(key);
  if (entry) m_field.reading().add({m_field.reading().locate(entry->mark), m_field.key(*entry).path(), "", std::move(message)});
}

std::string Keys::kind(std::initializer_list<const char*> keys, bool in_pattern) {
  return kind_of(std::data(keys), keys.size(), in_pattern);
}

std::string Keys::kind_of(const char* const* keys, std::size_t count, bool in_pattern) {
  if (!m_is_map) return "";
  const std::vector<std::string> all(keys, keys + count);
  std::vector<std::string> present;
  std::copy_if(all.begin(), all.end(), std::back_inserter(present), [&](const std::string& key) { return find(key); });
  if (!in_pattern) {
    for (const std::string& key : all) know(key.c_str(), false);
  }
  if (present.size() == 1) {
    if (in_pattern) m_field.m_pattern += "(" + present[0] + ")";
    return present[0];
  }
  m_understood = !in_pattern;
  if (present.size() > 1) {
    m_field.incomplete("only one of " + list_of(present) + " can be given; remove the others");
    return "";
  }
  bool slip = false;
  for (const MapEntry& entry : m_field.value().entries) {
    if (m_field.reading().full() || nearest(printable(entry.key), all).empty()) continue;
    report_unknown(entry, all);
    m_reported.push_back(entry.key);
    slip = true;
  }
  if (!slip) m_field.incomplete("give one of " + list_of(all));
  return "";
}

const MapEntry* Keys::find(std::string_view key) const {
  if (!m_is_map) return nullptr;
  const std::vector<MapEntry>& entries = m_field.value().entries;
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const MapEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

void Keys::know(const char* key, bool required) {
  if (!among(m_known, key)) m_known.emplace_back(key);
  if (m_field.reading().known_keys) (*m_field.reading().known_keys)[m_field.m_pattern][key] = required;
}

void Keys::report_unknown(const MapEntry& entry, const std::vector<std::string>& known) const {
  const std::string path = m_field.path().empty() ? entry.key : m_field.path() + "." + entry.key;
  std::string message;
  // The key is cut, because a likeness takes time that grows with the length.
  if (!m_field.reading().full()) message = about_unknown_key(printable(entry.key), known);
  m_field.reading().add({m_field.reading().locate(entry.mark), printable(path), "", message});
}

}  // namespace writhe::scene_file
