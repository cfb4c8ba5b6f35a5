#include "solvers/solver.h"

#include <algorithm>

#include <fmt/format.h>

#include "assembly/terms_of.h"
#include "base/names.h"
#include "loads/followers.h"
#include "loads/wind_term.h"
#include "solvers/newton/newton.h"
#include "solvers/pd/pd.h"

namespace writhe {

namespace {
struct Method {
  SolverInfo info;
  std::unique_ptr<Solver> (*make)(const Model&, const Threads&, std::shared_ptr<Terms>);
};
const std::vector<Method>& methods() {
  static const std::vector<Method> all = {{newton::info(), newton::make}, {pd::info(), pd::make}};
  return all;
}
// "newton or pd": those that have it.
std::string methods_with(Feature feature) {
  std::string out;
  for (const Method& method : methods())
    if (method.info.features.has(feature)) out += (out.empty() ? "" : " or ") + method.info.name;
  return out;
}
void check_features(const Model& model, const SolverInfo& info) {
  const Scene& scene = model.scene();
  std::vector<Problem> problems;
  for (const Need& need : needs_of(model)) {
    const std::string name = info_of(need.feature).name;
    if (!info.features.has(need.feature)) {
      problems.push_back({scene.where(need.field), need.field, need.value,
                          fmt::format("{} does not support {}, and {}; choose {} in solver.method", info.name, name, need.what,
                                      methods_with(need.feature))});
      continue;
    }
    for (const SolverVariant& variant : info.variants)
      if (variant.chosen(scene.solver) && !variant.features.has(need.feature))
        problems.push_back({scene.where(variant.field), variant.field, variant.value,
                            fmt::format("does not support {}, and {}; leave it out", name, need.what)});
  }
  if (!problems.empty()) throw Error(std::move(problems));
}
}  // namespace

const std::vector<SolverInfo>& solver_table() {
  static const std::vector<SolverInfo> table = [] {
    std::vector<SolverInfo> rows;
    for (const Method& method : methods()) rows.push_back(method.info);
    return rows;
  }();
  return table;
}

Followers followers_of(const Scene& scene) {
  const auto has = [](const Features& features) { return features.has(Feature::followers); };
  for (const SolverInfo& info : solver_table()) {
    if (info.name != scene.solver.method) continue;
    const bool all = has(info.features) && std::all_of(info.variants.begin(), info.variants.end(), [&](const auto& variant) {
                       return !variant.chosen(scene.solver) || has(variant.features);
                     });
    return all ? Followers::in_terms : Followers::lag;
  }
  return Followers::lag;
}

namespace {
void add_followers(const Model& model, Terms& terms) {
  if (followers_of(model.scene()) != Followers::in_terms) return;
  if (loads::FollowerTerm::is_needed(model)) terms.add(std::make_unique<loads::FollowerTerm>(model));
  if (loads::WindTerm::is_needed(model)) terms.add(std::make_unique<loads::WindTerm>(model));
}
}  // namespace

std::shared_ptr<Terms> step_terms_of(const Model& model) {
  std::shared_ptr<Terms> terms = terms_of(model);
  add_followers(model, *terms);
  return terms;
}

std::unique_ptr<Solver> make_solver(const Model& model, const Threads& threads) {
  return make_solver(model, threads, terms_of(model, threads));
}

std::unique_ptr<Solver> make_solver(const Model& model, const Threads& threads, std::shared_ptr<Terms> terms) {
  const std::string& name = model.scene().solver.method;
  std::vector<std::string> names;
  for (const Method& method : methods()) {
    if (method.info.name == name) {
      check_features(model, method.info);
      add_followers(model, *terms);
      return method.make(model, threads, std::move(terms));
    }
    names.push_back(method.info.name);
  }
  throw Error({{model.scene().where("solver.method"), "solver.method", name, "no such method; " + hint(name, names, "methods")}});
}

}  // namespace writhe
