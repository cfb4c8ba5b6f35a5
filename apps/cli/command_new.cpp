// writhe new FILE: a commented scene to start from.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/embedded.h"
#include "base/names.h"
#include "commands.h"
#include "messages.h"
#include "text_table.h"
#include "writhe/error.h"

namespace writhe::cli {

namespace {

constexpr std::string_view template_folder = "templates/";
constexpr std::string_view template_ending = ".yaml";

struct NewOptions {
  std::string file;
  std::string name = "cantilever";
  bool list = false;
};

std::vector<std::string> template_names() {
  std::vector<std::string> names;
  for (const std::string_view path : embedded_files()) {
    if (!path.starts_with(template_folder) || !path.ends_with(template_ending)) continue;
    names.emplace_back(path.substr(template_folder.size(), path.size() - template_folder.size() - template_ending.size()));
  }
  return names;
}

std::string_view template_text(const std::string& name) {
  return embedded_file(fmt::format("{}{}{}", template_folder, name, template_ending));
}

// Its first line says what a template shows.
std::string_view description(const std::string& name) {
  std::string_view line = template_text(name);
  line = line.substr(0, line.find('\n'));
  return line.substr(line.find_first_not_of("# "));
}

ExitStatus list_templates() {
  std::vector<TableRow> rows{{"TEMPLATE", "WHAT IT SHOWS"}};
  for (const std::string& name : template_names()) rows.push_back({name, std::string(description(name))});
  print("{}", aligned(rows));
  return done;
}

// Fails when there is something of that name, also when it has only just appeared.
void write_new_file(const std::string& path, std::string_view text) {
  const auto refuse = [&](const std::string& message) { throw Error(std::vector<Problem>{{{path, 0, 0}, "", "", message}}); };
  std::FILE* file = std::fopen(path.c_str(), "wx");
  if (!file && errno == EEXIST) refuse("exists already and is not replaced; choose another name");
  if (!file) refuse(fmt::format("cannot be written ({}); choose another place", std::strerror(errno)));
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (written && closed) return;
  std::remove(path.c_str());
  refuse("could not be written whole and was removed; is the disk full?");
}

ExitStatus make_scene(const NewOptions& options) {
  if (options.list) return list_templates();
  const std::vector<std::string> names = template_names();
  if (std::find(names.begin(), names.end(), options.name) == names.end()) {
    throw Error("--template", options.name, "there is no such template; " + hint(options.name, names, "templates"));
  }
  if (options.file.empty()) throw Error("FILE", "", "name the file to write, or give --list to see the templates");
  const std::string_view text = template_text(options.name);
  if (options.file == "-") {
    print("{}", text);
    return done;
  }
  write_new_file(options.file, text);
  print("{0}: written; edit it, then: writhe check {0} && writhe run {0}\n", options.file);
  return done;
}

}  // namespace

void add_new(const Command& app, Action& chosen) {
  const auto options = std::make_shared<NewOptions>();
  const Command command = app.add_subcommand("new", "Write a commented scene to start from; never replaces a file");
  command.add_option("FILE", options->file, "Scene file to write; - for stdout");
  command.add_option("--template", options->name, "Which scene; see --list").type_name("NAME").shows_default();
  command.add_flag("--list", options->list, "List the templates");
  command.footer("Examples:\n  writhe new rope.yaml\n  writhe new coil.yaml --template spring");
  command.callback([options, &chosen] { chosen = [options] { return make_scene(*options); }; });
}

}  // namespace writhe::cli
