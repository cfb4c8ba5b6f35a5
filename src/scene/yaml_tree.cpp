#include "scene/yaml_tree.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "base/text_file.h"
#include "writhe/error.h"

namespace writhe::scene_file {
namespace {

// Puts the tree together from what yaml-cpp reports, and stops it when the tree grows too deep or too large.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& text, const std::string& name, int source) : m_text(text), m_name(name), m_source(source) {
    m_root.mark.source = source;  // stays when the text is empty
  }

  Value take() { return std::move(m_root); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (m_documents++ > 0) fail(mark, "", "a second document starts here; keep one scene in a file");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(make(mark, Value::Kind::nothing), mark, anchor); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& text) override {
    check_tag(mark, tag);
    Value value = make(mark, Value::Kind::scalar);
    value.quoted = tag == "!";
    value.text = text;
    if (value.quoted) check_closed(mark);
    if (const std::optional<std::string> bad = control_character(text)) {
      fail(mark, printable(text), "contains the control character " + *bad + "; remove it");
    }
    add(std::move(value), mark, anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = m_anchors.find(anchor);
    if (found == m_anchors.end()) fail(mark, "", "an alias inside its own anchor never ends; write the value out");
    count(found->second.size, mark);
    place(Value(found->second.value), found->second.size, mark);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Value::Kind::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Value::Kind::map);
  }
  void OnMapEnd() override { close(); }

  [[noreturn]] void fail(const YAML::Mark& mark, std::string value, std::string message) const {
    const Location where = m_source == 0 ? Location{m_name, mark.line + 1, mark.column + 1} : Location{m_name, 0, 0};
    throw Error(std::vector<Problem>{{where, "", std::move(value), std::move(message)}});
  }

 private:
  // A list or map whose end has not come yet.
  struct Open {
    Value value;
    YAML::Mark mark;
    YAML::anchor_t anchor;
    std::size_t size = 1;  // values in it so far
    bool has_key = false;  // the next value belongs to the last entry
  };
  struct Anchored {
    Value value;
    std::size_t size;
  };

  Value make(const YAML::Mark& mark, Value::Kind kind) {
    count(1, mark);
    Value value;
    value.kind = kind;
    value.mark = to_mark(mark);
    return value;
  }

  Mark to_mark(const YAML::Mark& mark) const { return {m_source, mark.line + 1, mark.column + 1}; }

  void count(std::size_t values, const YAML::Mark& mark) {
    m_count += values;
    if (m_count > max_values) {
      fail(mark, "", "more than " + std::to_string(max_values) + " values; put long lists of points into an OBJ file");
    }
  }

  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag != "?" && tag != "!" && !tag.empty()) fail(mark, printable(tag), "tags have no meaning in a scene; remove it");
  }

  // yaml-cpp takes the end of the file for a missing closing quote.
  void check_closed(const YAML::Mark& mark) const {
    const std::size_t start = byte_order_mark_size(m_text) + static_cast<std::size_t>(mark.pos);
    if (start >= m_text.size()) return;
    const char quote = m_text[start];
    if (quote != '"' && quote != '\'') return;  // a block of text (| or >), or an anchor before the quote
    std::size_t i = start + 1;
    for (; i < m_text.size() && m_text[i] != quote; ++i) {
      if (quote == '"' && m_text[i] == '\\') ++i;
    }
    if (i >= m_text.size()) fail(mark, "", std::string("the text that starts here has no closing ") + quote);
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Value::Kind kind) {
    check_tag(mark, tag);
    if (m_open.size() >= static_cast<std::size_t>(max_depth)) {
      fail(mark, "", "lists and maps are nested more than " + std::to_string(max_depth) + " deep; no scene needs that");
    }
    m_open.push_back({make(mark, kind), mark, anchor});
  }

  void close() {
    Open done = std::move(m_open.back());
    m_open.pop_back();
    remember(done.anchor, done.value, done.size, done.mark);
    place(std::move(done.value), done.size, done.mark);
  }

  void add(Value value, const YAML::Mark& mark, YAML::anchor_t anchor) {
    remember(anchor, value, 1, mark);
    place(std::move(value), 1, mark);
  }

  // The copy that is kept counts too: anchors inside anchors would multiply unseen.
  void remember(YAML::anchor_t anchor, const Value& value, std::size_t size, const YAML::Mark& mark) {
    if (anchor == 0) return;
    count(size, mark);
    m_anchors[anchor] = {value, size};
  }

  void place(Value value, std::size_t size, const YAML::Mark& mark) {
    if (m_open.empty()) {
      m_root = std::move(value);
      return;
    }
    Open& parent = m_open.back();
    parent.size += size;
    if (parent.value.kind == Value::Kind::list) {
      parent.value.items.push_back(std::move(value));
    } else if (parent.has_key) {
      parent.value.entries.back().value = std::move(value);
      parent.has_key = false;
    } else {
      if (value.kind != Value::Kind::scalar) fail(mark, "", "a key must be a word; write `key: value`");
      parent.value.entries.push_back({std::move(value.text), to_mark(mark), {}});
      parent.has_key = true;
    }
  }

  const std::string& m_text;
  const std::string& m_name;
  int m_source;
  int m_documents = 0;
  std::size_t m_count = 0;
  Value m_root;
  std::vector<Open> m_open;
  std::unordered_map<YAML::anchor_t, Anchored> m_anchors;
};

// Blanks and tabs at the start of a line, lines counted from 0.
std::string_view indentation(std::string_view text, int line) {
  for (; line > 0 && !text.empty(); --line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find_first_not_of(" \t"));
}

// What yaml-cpp finds, in the words of someone who writes a scene.
std::string explain(const YAML::Exception& e, std::string_view text) {
  struct Explanation {
    std::string_view found, said;
  };
  static constexpr Explanation explanations[] = {
      {"end of sequence flow not found", "a list that begins with [ is not closed with ] before this"},
      {"end of map flow not found",
       "a map that begins with { is not closed with } before this; inside braces, write \"rope.node[3]\" with quotes"},
      {"illegal flow end", "this bracket closes none that is open; give every [ its ] and every { its }"},
      {"end of map not found", "this line does not stand under the keys that it follows; indent the keys of a map alike"},
      {"end of sequence not found", "this line does not stand under the items that it follows; indent the items of a list alike"},
      {"illegal map value",
       "no key can stand here; put text with a colon into quotes, and a blank after the colon of the key before it"},
      {"illegal block entry", "no item of a list can stand here; begin a line with its dash"},
      {"the referenced anchor is not defined", "this alias (*) has no anchor (&) before it"},
  };
  if (e.mark.line >= 0 && indentation(text, e.mark.line).find('\t') != std::string_view::npos) {
    return "this line is indented with a tab; use blanks";
  }
  const auto known = std::find_if(std::begin(explanations), std::end(explanations),
                                  [&](const Explanation& explanation) { return e.msg == explanation.found; });
  if (known != std::end(explanations)) return std::string(known->said);
  return e.msg + "; check brackets, quotes and indentation";
}

}  // namespace

Value parse_yaml(const std::string& text, const std::string& name, int source) {
  if (std::optional<Problem> problem = find_not_text(text, name)) {
    if (source != 0) problem->where = {name, 0, 0};
    throw Error(std::vector<Problem>{*problem});
  }
  std::istringstream stream(text);
  TreeBuilder builder(text, name, source);
  try {
    YAML::Parser parser(stream);
    // Asked twice only: for some texts yaml-cpp reports empty documents for ever.
    if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& e) {
    builder.fail(e.mark, "", "not YAML: " + explain(e, text));
  }
  return builder.take();
}

}  // namespace writhe::scene_file
