#include "solvers/equilibrium.h"

#include <algorithm>
#include <cmath>

#include "solvers/newton_matrix.h"

namespace spondyl {
namespace {

constexpr int max_iterations = 60, max_load_steps = 200, max_cuts = 10;
constexpr double converged = 1e-13;  ///< estimated distance from the solution, in units of the nominal values
constexpr double close = 1e-8;       ///< so close that rounding may end the progress

class StaticNewton {
 public:
  StaticNewton(const Dae& dae, const Solution& s)
      : dae_(dae), n_(dae.sizes()), t_(s.t), x_(s.x), xdot_(s.xdot), stiffness_(n_) {
    const int n = n_.unknowns();
    std::fill_n(x_.begin() + n_.positions, n_.positions, 0.0);
    std::fill(xdot_.begin(), xdot_.end(), 0.0);
    nominal_.resize(n_.states());
    dae.nominal(nominal_.data());
    jacobian_.resize(3 * n * n);
    for (auto* v : {&r_, &change_, &start_residual_}) v->resize(n);
    residual(x_, start_residual_);
  }

  /// Newton for F(q) = (1 - load) F(q_start). Keeps x on success, restores it on failure.
  ///
  /// Progress is measured by corrections, not by |F|, whose rows have different units: a step x - λ J⁻¹F(x)
  /// is taken if |J⁻¹F(x_new)| ≤ (1 - λ/4) |J⁻¹F(x)|, J that of x (natural monotonicity, Deuflhard
  /// 2004, 3.3.2).
  bool solve(double load, double max_change, EquilibriumReport& report) {
    before_ = x_;
    imbalance(load);
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
      ++report.iterations;
      if (!factor()) break;
      change_ = r_;
      stiffness_.solve(change_.data());
      const double distance = size(change_);
      if (!std::isfinite(distance)) break;
      double largest = 0;
      for (const double c : change_) largest = std::max(largest, std::abs(c));

      here_ = x_;
      double step = std::min(1.0, max_change / largest), left = 0;
      for (int cut = 0;; ++cut, step *= 0.5) {
        move(step);
        imbalance(load);
        correction_ = r_;
        stiffness_.solve(correction_.data());
        left = size(correction_);
        if (left <= (1 - step / 4) * distance || distance <= close) break;
        if (cut == max_cuts) {
          x_ = before_;
          return false;
        }
      }
      if (left <= converged) return true;
      if (distance <= close && left >= 0.5 * distance) {  // rounding is all that is left
        if (left > distance) x_ = here_;
        return true;
      }
    }
    x_ = before_;
    return false;
  }

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
  /// r = F(x) - (1 - load) F(x_start)
  void imbalance(double load) {
    residual(x_, r_);
    for (std::size_t k = 0; k < r_.size(); ++k) r_[k] -= (1 - load) * start_residual_[k];
  }
  bool factor() {
    const int n = n_.unknowns();
    double* const j = jacobian_.data();
    const Jacobian derivatives{j, j + n * n, j + 2 * n * n};
    dae_.jacobian(Point(t_, n_, x_.data(), xdot_.data()), derivatives);
    stiffness_.assemble(of_rest, derivatives);
    return stiffness_.factor();
  }
  /// Where unknown k is in x.
  int place(int k) const { return k < n_.positions ? k : n_.positions + k; }
  void move(double step) {
    for (int k = 0; k < n_.unknowns(); ++k) x_[place(k)] = here_[place(k)] - step * change_[k];
  }
  /// Largest part of a correction in units of the nominal values.
  double size(const std::vector<double>& correction) const {
    double largest = 0;
    for (int k = 0; k < n_.unknowns(); ++k) {
      if (!std::isfinite(correction[k])) return std::numeric_limits<double>::infinity();
      largest = std::max(largest, std::abs(correction[k]) / nominal_[place(k)]);
    }
    return largest;
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
  std::vector<double> x_, xdot_, jacobian_, nominal_, start_residual_;
  std::vector<double> r_, change_, correction_, before_, here_;
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

void creep(const Dae& dae, Solution& s, double max_change) {
  constexpr int max_creeps = 2000;
  constexpr double first_step = 1e-6, last_step = 1e6;  // s; a step beyond the last is Newton's
  const Sizes n = dae.sizes();
  const int nq = n.positions;
  std::fill_n(s.x.begin() + nq, nq, 0.0);
  std::fill(s.xdot.begin(), s.xdot.end(), 0.0);
  std::vector<double> jacobian(3 * nq * nq), change(nq);
  const Jacobian j{jacobian.data(), jacobian.data() + nq * nq, jacobian.data() + 2 * nq * nq};
  RealLu<0> matrix(nq);
  double h = first_step;
  for (int count = 0; count < max_creeps && h < last_step; ++count) {
    dae.residual(s.point(n), change.data());
    dae.jacobian(s.point(n), j);
    for (int i = 0; i < nq; ++i)
      for (int k = 0; k < nq; ++k)
        matrix(i, k) = j.of_acceleration[i * nq + k] / h + j.of_position[i * nq + k];
    double largest = std::numeric_limits<double>::infinity();
    if (matrix.factor()) {
      matrix.solve(change.data());
      largest = 0;
      for (const double c : change) largest = std::isfinite(c) ? std::max(largest, std::abs(c)) : HUGE_VAL;
    }
    if (largest > max_change) {
      h *= 0.25;
      if (h < 1e-12) return;  // nothing holds it
      continue;
    }
    for (int k = 0; k < nq; ++k) s.x[k] -= change[k];
    if (largest < 0.5 * max_change) h *= 2;
  }
}

}  // namespace spondyl
