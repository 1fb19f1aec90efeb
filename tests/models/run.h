#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "math/spatial.h"
#include "models/simulation.h"
#include "solver_numbers.h"

namespace spondyl::testing {

/// A simulation that must get where it is sent.
class Run : public Simulation {
 public:
  using Simulation::Simulation;

  /// Throws if t is not reached.
  void go(double t) {
    const Report report = advance(t);
    if (report.outcome != Outcome::reached) throw std::runtime_error(report.message(model()));
  }
  /// The variables <name>_x, _y, _z.
  Vec3<double> vector(const std::string& name) {
    return {get(name + "_x"), get(name + "_y"), get(name + "_z")};
  }
  /// Positions, velocities, other unknowns and integrals.
  const std::vector<double>& x() const { return state().solution.x; }
};

inline bool same_bits(const State& a, const State& b) {
  const auto same = [](const std::vector<double>& x, const std::vector<double>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
  };
  return a.solution.t == b.solution.t && same(a.solution.x, b.solution.x) &&
         same(a.solution.xdot, b.solution.xdot) && same(a.solution.history, b.solution.history) &&
         same(a.memory, b.memory) && a.solution.statistics == b.solution.statistics;
}

}  // namespace spondyl::testing
