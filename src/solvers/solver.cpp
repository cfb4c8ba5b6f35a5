#include "solvers/solver.h"

#include "base/names.h"
#include "solvers/newton/newton.h"
#include "solvers/pd/pd.h"

namespace writhe {

namespace {
struct Method {
  SolverInfo info;
  std::unique_ptr<Solver> (*make)(const Model&, int);
};
const std::vector<Method>& methods() {
  static const std::vector<Method> all = {{newton::info(), newton::make}, {pd::info(), pd::make}};
  return all;
}
void check_integrator(const Scene& scene, const SolverInfo& info) {
  for (const IntegratorInfo& integrator : info.integrators)
    if (integrator.kind == scene.solver.integrator) return;
  throw Error({{scene.where("solver.integrator"), "solver.integrator",
                scene.solver.integrator == Integrator::midpoint ? "midpoint" : "euler",
                "is not an integrator of " + info.name + "; leave it out, or choose another method"}});
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

std::unique_ptr<Solver> make_solver(const Model& model, int threads) {
  const std::string& name = model.scene().solver.method;
  std::vector<std::string> names;
  for (const Method& method : methods()) {
    if (method.info.name == name) {
      check_integrator(model.scene(), method.info);
      return method.make(model, threads);
    }
    names.push_back(method.info.name);
  }
  throw Error({{model.scene().where("solver.method"), "solver.method", name, "no such method; " + hint(name, names, "methods")}});
}

}  // namespace writhe
