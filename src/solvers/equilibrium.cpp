#include "solvers/equilibrium.h"

#include <algorithm>
#include <cmath>

#include "solvers/newton_matrix.h"

namespace spondyl {
namespace {

constexpr int max_iterations = 60, max_load_steps = 200;

class StaticNewton {
 public:
  StaticNewton(const Dae& dae, const Solution& s)
      : dae_(dae), n_(dae.sizes()), t_(s.t), x_(s.x), xdot_(s.xdot), stiffness_(n_) {
    const int n = n_.unknowns();
    std::fill_n(x_.begin() + n_.positions, n_.positions, 0.0);
    std::fill(xdot_.begin(), xdot_.end(), 0.0);
    jacobian_.resize(3 * n * n);
    for (auto* v : {&r_, &trial_, &change_, &start_residual_}) v->resize(n);
    start_residual_norm_ = norm(residual(x_, start_residual_));
  }

  /// Newton for F(q) = (1 - load) F(q_start). Keeps x on success, restores it on failure.
  bool solve(double load, double max_change, EquilibriumReport& report) {
    const int n = n_.unknowns(), nq = n_.positions;
    const std::vector<double> before = x_;
    double size = norm(imbalance(load, x_, r_));
    int stalled = 0;
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
      if (!std::isfinite(size)) break;
      ++report.iterations;
      double* const j = jacobian_.data();
      const Jacobian derivatives{j, j + n * n, j + 2 * n * n};
      dae_.jacobian(Point(t_, n_, x_.data(), xdot_.data()), derivatives);
      stiffness_.assemble(of_rest, derivatives);
      if (!stiffness_.factor()) break;
      change_ = r_;
      stiffness_.solve(change_.data());
      double largest = 0, scale = 1;
      for (double c : change_) largest = std::max(largest, std::abs(c));
      if (!std::isfinite(largest)) break;
      if (largest > max_change) scale = max_change / largest;

      // line search on |F|; close to the solution rounding decides, so the full step is taken there
      const std::vector<double> here = x_;
      double new_size = 0;
      for (int cut = 0;; ++cut, scale *= 0.5) {
        for (int k = 0; k < n; ++k) {
          const int target = k < nq ? k : nq + k;
          x_[target] = here[target] - scale * change_[k];
        }
        new_size = norm(imbalance(load, x_, trial_));
        if (new_size < size || cut == 30 || size <= rounding()) break;
      }
      stalled = new_size < 0.5 * size ? 0 : stalled + 1;
      if (std::isfinite(new_size) &&
          (largest <= 1e-15 || (new_size <= rounding() && (stalled >= 2 || new_size == 0)))) {
        if (new_size > size) x_ = here, new_size = size;
        return true;
      }
      if (stalled > 25) break;
      size = new_size;
      std::swap(r_, trial_);
    }
    x_ = before;
    return false;
  }

  /// What |F| may be for rounding alone: the terms that cancel in F are of the order of the matrix times x.
  double rounding() const { return 1e-11 * std::max(1.0, start_residual_norm_); }

  void finish(Solution& s, EquilibriumReport& report) {
    residual(x_, r_);
    report.residual = norm(r_);
    for (int k = 0; k < n_.unknowns(); ++k)
      if (std::abs(r_[k]) == report.residual) report.worst = k;
    if (!report.found) return;
    s.x = x_;
    s.xdot = xdot_;
  }

 private:
  const std::vector<double>& residual(const std::vector<double>& x, std::vector<double>& r) const {
    dae_.residual(Point(t_, n_, x.data(), xdot_.data()), r.data());
    return r;
  }
  const std::vector<double>& imbalance(double load, const std::vector<double>& x,
                                       std::vector<double>& r) const {
    residual(x, r);
    for (std::size_t k = 0; k < r.size(); ++k) r[k] -= (1 - load) * start_residual_[k];
    return r;
  }
  static double norm(const std::vector<double>& r) {
    double largest = 0;
    for (double x : r) {
      if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
      largest = std::max(largest, std::abs(x));
    }
    return largest;
  }

  const Dae& dae_;
  Sizes n_;
  double t_;
  std::vector<double> x_, xdot_, jacobian_, r_, trial_, change_, start_residual_;
  double start_residual_norm_ = 0;
  NewtonMatrix<> stiffness_;  // no structure: without masses a body alone may be free, so rows of others must
                              // be able to serve as its pivots
};

}  // namespace

EquilibriumReport find_equilibrium(const Dae& dae, Solution& s, double max_change) {
  EquilibriumReport report;
  StaticNewton newton(dae, s);
  report.found = newton.solve(1, max_change, report);
  if (!report.found) {
    // portions of the load, halved where Newton fails, doubled where it succeeds
    double reached = 0, portion = 0.125;
    report.load_steps = 0;
    while (reached < 1 && report.load_steps < max_load_steps && portion > 1e-5) {
      ++report.load_steps;
      const double next = std::min(1.0, reached + portion);
      if (newton.solve(next, max_change, report)) {
        reached = next;
        portion *= 2;
      } else {
        portion *= 0.25;
      }
    }
    report.found = reached == 1;
  }
  newton.finish(s, report);
  return report;
}

}  // namespace spondyl
