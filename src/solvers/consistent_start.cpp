#include "solvers/consistent_start.h"

#include <algorithm>
#include <cmath>

namespace spondyl {

ConsistentStart::ConsistentStart(const Sizes& n, const Structure& structure)
    : n_(n), matrix_(n, structure), r_(n.unknowns()), jacobian_(3 * n.unknowns() * n.unknowns()) {}

bool ConsistentStart::factor(const Dae& dae, const Point& p) {
  const int n = n_.unknowns();
  const Jacobian j{jacobian_.data(), jacobian_.data() + n * n, jacobian_.data() + 2 * n * n};
  dae.jacobian(p, j);
  matrix_.assemble(
      {.positions = {.acceleration = 1}, .differential = {.velocity = 1}, .algebraic = {.position = 1}}, j);
  return matrix_.factor();
}

bool ConsistentStart::solve(const Dae& dae, double t, double* x, double* xdot, Statistics& statistics) {
  const int n = n_.unknowns(), nq = n_.positions, first_algebraic = nq + n_.differential;
  std::copy_n(x + nq, nq, xdot);
  if (n_.index > 1 && n_.algebraic > 0) return true;
  const Point p(t, n_, x, xdot);
  double before = std::numeric_limits<double>::infinity();
  double last_change = 0;
  bool outdated = true;
  for (int iteration = 0; iteration < 20; ++iteration) {
    dae.residual(p, r_.data());
    ++statistics.residuals;
    if (outdated) {
      ++statistics.jacobians;
      if (!factor(dae, p)) return false;
    }
    matrix_.solve(r_.data());
    double size = 0, change = 0;
    for (int k = 0; k < n; ++k) {
      if (!std::isfinite(r_[k])) return false;
      double& target = k < first_algebraic ? xdot[nq + k] : x[nq + k];
      target -= r_[k];
      change = std::max(change, std::abs(r_[k]));
      size = std::max(size, std::abs(target));
    }
    // done when rounding is all that is left
    if (change <= 1e-15 * size || change >= before) return true;
    before = change > 1e-10 * size ? std::numeric_limits<double>::infinity() : change;
    // F is linear in accelerations, but need not be in algebraic unknowns
    outdated = n_.algebraic > 0 && iteration > 0 && change > 0.1 * last_change;
    last_change = change;
  }
  return before < std::numeric_limits<double>::infinity();
}

}  // namespace spondyl
