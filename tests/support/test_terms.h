// Terms that only tests have: couplings that change in every step, and a floor that nothing may pass.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "solvers/solver.h"
#include "terms/terms.h"
#include "writhe/writhe.h"

namespace writhe::test {

// Springs between nodes, chosen anew in every step: from the number of the step, which is remembered in the state. Each has the
// rest length that it starts with, so that nothing is torn apart, and lets its first node go only so far at once: another limit
// for each.
class SpringPairs : public Term {
 public:
  explicit SpringPairs(double stiffness) : m_stiffness(stiffness) {}

  void begin(const State& start, std::span<const double> remembered, const ImplicitSolve&) override {
    m_step = remembered.empty() ? 0 : remembered[0];
    m_pairs.clear();
    choose(static_cast<int>(m_step));
    for (Pair& pair : m_pairs) pair.rest = norm(start.x[pair.dofs[1].index] - start.x[pair.dofs[0].index]);
  }
  void remember(const State& /*end*/, std::vector<double>& memory) const override { memory = {m_step + 1}; }

  int element_count() const override { return static_cast<int>(m_pairs.size()); }
  std::span<const Dof> dofs(int element) const override { return m_pairs[element].dofs; }
  double stiffness(int) const override { return m_stiffness; }
  Value value(int element, const State& at) const override {
    const Pair& pair = m_pairs[element];
    const Vec3 d = at.x[pair.dofs[1].index] - at.x[pair.dofs[0].index];
    const double length = norm(d), tension = m_stiffness * (length - pair.rest);
    Value out;
    out.energy = 0.5 * tension * (length - pair.rest);
    out.force = std::abs(tension);
    out.gradient[1] = (tension / length) * d;
    out.gradient[0] = -out.gradient[1];
    return out;
  }
  void hessian(int element, const State& at, Curvature curvature, std::span<Mat3> pairs) const override {
    const Pair& pair = m_pairs[element];
    const Vec3 d = at.x[pair.dofs[1].index] - at.x[pair.dofs[0].index];
    const double length = norm(d);
    const Vec3 n = d / length;
    double across = m_stiffness * (1 - pair.rest / length);
    if (curvature != Curvature::exact) across = std::max(across, 0.0);
    if (curvature == Curvature::above) across = m_stiffness;
    const double along = m_stiffness - across;
    const Mat3 own{{across + along * n.x * n.x, along * n.x * n.y, along * n.x * n.z},
                   {along * n.x * n.y, across + along * n.y * n.y, along * n.y * n.z},
                   {along * n.x * n.z, along * n.y * n.z, across + along * n.z * n.z}};
    pairs[0] = pairs[2] = own;
    pairs[1] = {-own.r0, -own.r1, -own.r2};
  }
  double safe_part(int element, const State& from, const State& to) const override {
    const Pair& pair = m_pairs[element];
    const double way = norm(to.x[pair.dofs[0].index] - from.x[pair.dofs[0].index]);
    if (way > pair.farthest) ++m_limited;
    return way > pair.farthest ? pair.farthest / way : 1;
  }
  int limited() const { return m_limited; }  // how often a way was too far

 protected:
  void add(int a, int b, double farthest) { m_pairs.push_back({{Dof::node(a), Dof::node(b)}, 0, farthest}); }

 private:
  virtual void choose(int step) = 0;  // by `add`

  struct Pair {
    Dof dofs[2];
    double rest = 0, farthest = 0;  // m
  };
  double m_stiffness;  // N/m
  double m_step = 0;
  std::vector<Pair> m_pairs;
  mutable std::atomic<int> m_limited{0};
};

// Between nodes of different rods. The first couple each rod with the next, from another one on in each step, so that with as
// many pairs as rods all are one island. Limits are 1 to 50 times the given one (m).
class ChangingPairs final : public SpringPairs {
 public:
  ChangingPairs(const Model& model, int pairs, double stiffness, double limit)
      : SpringPairs(stiffness), m_model(&model), m_count(pairs), m_limit(limit) {}

 private:
  void choose(int step) override {
    std::uint64_t seed = static_cast<std::uint64_t>(step) * 7919 + 1;
    const auto next = [&seed](int below) {
      seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
      return static_cast<int>((seed >> 33) % static_cast<std::uint64_t>(below));
    };
    const int rods = static_cast<int>(m_model->rods().size());
    for (int k = 0; k < m_count; ++k) {
      const int a = k < rods ? (k + step) % rods : next(rods), b = k < rods ? (a + 1) % rods : (a + 1 + next(rods - 1)) % rods;
      const auto node = [&](int rod) { return m_model->node_of(rod, next(m_model->rods()[rod].segment_count + 1)); };
      const int from = node(a), to = node(b);
      add(from, to, m_limit * (1 + next(50)));
    }
  }

  const Model* m_model;
  int m_count;
  double m_limit;
};

// Always between the same two pairs of nodes of the first two rods, so that the pattern stays; in turn three on the one and one
// on the other.
class UnevenPairs final : public SpringPairs {
 public:
  UnevenPairs(const Model& model, double stiffness, double farthest = 1)
      : SpringPairs(stiffness), m_model(&model), m_farthest(farthest) {}

 private:
  void choose(int step) override {
    for (int k = 0; k < 4; ++k) {
      const int along = k < (step % 2 == 0 ? 3 : 1) ? 1 : m_model->rods()[0].segment_count;
      add(m_model->node_of(0, along), m_model->node_of(1, along), m_farthest);
    }
  }

  const Model* m_model;
  double m_farthest;  // m
};

// A floor at z = 0 with a smooth barrier: energy -strength (z - reach)^2 log(z/reach) for z < reach, as contact will have it. It
// counts how often it was asked about a node below, which may never be.
class BarrierFloor final : public Term {
 public:
  BarrierFloor(const Model& model, double reach, double strength) : m_reach(reach), m_strength(strength) {
    for (int i = 0; i < model.node_count(); ++i) m_all.push_back(Dof::node(i));
  }

  // Nodes that may come near in this step.
  void begin(const State& start, std::span<const double>, const ImplicitSolve& solve) override {
    m_near.clear();
    const double dt = solve.dt;
    const bool moving = std::isfinite(dt);
    for (const Dof& dof : m_all)
      if (start.x[dof.index].z < (moving ? 20 : 2) * m_reach + (moving ? 2 * dt * norm(start.v[dof.index]) + 20 * dt * dt : 0))
        m_near.push_back(dof);
  }
  int element_count() const override { return static_cast<int>(m_near.size()); }
  std::span<const Dof> dofs(int element) const override { return std::span(m_near).subspan(element, 1); }
  double stiffness(int) const override { return m_strength; }
  Value value(int element, const State& at) const override {
    const double z = at.x[m_near[element].index].z;
    Value out;
    if (!(z > 0)) {
      ++m_passed;
      out.energy = std::numeric_limits<double>::infinity();
      return out;
    }
    if (z >= m_reach) return out;
    const double e = z - m_reach, log = std::log(z / m_reach);
    out.energy = -m_strength * e * e * log;
    out.gradient[0].z = -m_strength * (2 * e * log + e * e / z);
    out.force = std::abs(out.gradient[0].z);
    return out;
  }
  void hessian(int element, const State& at, Curvature curvature, std::span<Mat3> pairs) const override {
    const double z = at.x[m_near[element].index].z;
    pairs[0] = {};
    if (!(z > 0)) ++m_passed;
    if (!(z > 0) || z >= m_reach) return;
    const double e = z - m_reach;
    const double own = -m_strength * (2 * std::log(z / m_reach) + 4 * e / z - e * e / (z * z));  // positive
    pairs[0].r2.z = curvature == Curvature::above ? 4 * own : own;
  }
  double safe_part(int element, const State& from, const State& to) const override {
    const double a = from.x[m_near[element].index].z, b = to.x[m_near[element].index].z;
    return b > 0 ? 1 : a / (a - b);
  }
  int passed() const { return m_passed; }

 private:
  double m_reach, m_strength;  // m, N/m
  std::vector<Dof> m_all, m_near;
  mutable std::atomic<int> m_passed{0};
};

// ---- methods that take terms
// ---------------------------------------------------------------------------------------------------
struct Method {
  std::string name;
  Integrator integrator;
};
inline const Method methods[] = {{"newton", Integrator::euler}, {"newton", Integrator::midpoint}, {"pd", Integrator::euler}};
inline std::string label(const Method& method) {
  return method.name + (method.integrator == Integrator::midpoint ? " midpoint" : "");
}

template <class MakeTerm>
Simulation with_term(Scene scene, const Method& method, int threads, const MakeTerm& make_term) {
  scene.solver.method = method.name;
  scene.solver.integrator = method.integrator;
  const auto make = [&](const Model& model, const Threads& own) {
    auto terms = std::make_shared<Terms>();
    terms->add(make_term(model));
    return make_solver(model, own, terms);
  };
  return {Model(scene), make, {.threads = threads}};
}

}  // namespace writhe::test
