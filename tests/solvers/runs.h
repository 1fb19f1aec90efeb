#pragma once

#include <array>
#include <string>
#include <vector>

#include "problems.h"
#include "solver_list.h"
#include "solvers/dae.h"

namespace spondyl::testing {

inline std::unique_ptr<Solver> make_solver(const std::string& name, const Sizes& n,
                                           const Tolerance& tolerance) {
  return solver_named(name).make(n, tolerance);
}

/// A solution at `t` with the given x, ready to advance.
inline Solution started(Solver& solver, const Dae& dae, const std::vector<double>& x, double t = 0) {
  Solution s;
  s.resize(dae.sizes());
  s.t = t;
  std::copy(x.begin(), x.end(), s.x.begin());
  solver.start(dae, s);
  return s;
}

/// From x at t = 0 to t_end in one go. t of the result is where it came to.
inline Solution solve(const std::string& name, Dae& dae, const std::vector<double>& x, double t_end,
                      const Tolerance& tolerance) {
  const auto solver = make_solver(name, dae.sizes(), tolerance);
  Solution s = started(*solver, dae, x);
  solver->advance(dae, s, t_end);
  return s;
}

/// A problem that notes its accepted steps.
template <class Equations>
class Recorded : public problems::Problem<Equations> {
 public:
  using problems::Problem<Equations>::Problem;
  After accept(const Step& step, double* x, double* xdot) override {
    ends.push_back(step.end);
    if (on_step) on_step(step, x, xdot);
    return After::go_on;
  }
  std::vector<double> ends;
  std::function<void(const Step&, const double*, const double*)> on_step;
};

inline bool same_bits(const Solution& a, const Solution& b) {
  return a.t == b.t && a.x == b.x && a.xdot == b.xdot && a.history == b.history &&
         a.statistics == b.statistics;
}

/// Exact x of the manufactured oscillators.
inline std::vector<double> oscillators_at(double t) { return problems::ManufacturedOscillators::at(t); }

}  // namespace spondyl::testing
