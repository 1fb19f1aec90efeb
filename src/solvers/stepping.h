#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "solvers/dae.h"

/// What our own solvers have in common: when an iteration ends, what counts as an error, how short a step is.
namespace spondyl {

/// How a Newton iteration ended.
enum class Newton { converged, failed, not_finite, singular };

/// Why a run ended whose steps became too short, by the last trouble with Newton.
inline Reason reason_of(Newton trouble) {
  switch (trouble) {
    case Newton::converged:
      break;
    case Newton::failed:
      return Reason::newton_did_not_converge;
    case Newton::not_finite:
      return Reason::residual_not_finite;
    case Newton::singular:
      return Reason::singular_matrix;
  }
  return Reason::step_below_minimum;
}

inline constexpr double eps = std::numeric_limits<double>::epsilon();
inline constexpr std::int64_t max_steps_per_call = 10'000'000;
inline constexpr int max_event_refinements = 12;
/// Of a call's interval: corner and communication point differ by rounding.
inline constexpr double same_instant = 1e-10;

/// Far from t = 0 rounding of t decides.
inline double shortest_step(double t) { return std::max(16 * eps * std::abs(t), 1e-18); }

inline bool has_position_constraints(const Sizes& n) { return n.algebraic > 0 && n.index == 3; }

/// Inverse error weights of q, v, z. Components of higher index count with a power of h (Hairer & Wanner II,
/// VII.7.3); a multiplier of a mechanical system is of the rank of an acceleration and therefore counts with
/// h at least.
class ErrorScale {
 public:
  ErrorScale(const Sizes& n, double relative, double absolute)
      : n_(n), relative_(relative), absolute_(absolute), nominal_(n.states(), 1), inverse_(size()) {}

  /// Components that count: all but the quadratures.
  int size() const { return 2 * n_.positions + n_.others(); }
  double operator[](int i) const { return inverse_[i]; }
  const double* data() const { return inverse_.data(); }

  void start(const Dae& dae) { dae.nominal(nominal_.data()); }

  void set(const Solution& s, double h) {
    const int nq = n_.positions;
    const double of_velocity = has_position_constraints(n_) ? h : 1;
    const double of_algebraic = n_.index == 3 ? h * h : n_.index == 2 || nq > 0 ? h : 1;
    const auto fill = [&](int first, int last, double power) {
      for (int i = first; i < last; ++i)
        inverse_[i] = power / (absolute_ * nominal_[i] + relative_ * std::abs(s.x[i]));
    };
    fill(0, nq, 1);
    fill(nq, 2 * nq, of_velocity);
    fill(2 * nq, 2 * nq + n_.differential, 1);
    fill(2 * nq + n_.differential, size(), of_algebraic);
  }

  /// Root mean square, and the unknown with the largest share.
  double norm(const double* e, int& worst) const {
    double sum = 0, largest = -1;
    for (int i = 0; i < size(); ++i) {
      const double share = (e[i] * inverse_[i]) * (e[i] * inverse_[i]);
      sum += share;
      if (share > largest) largest = share, worst = i < n_.positions ? i : i - n_.positions;
    }
    return std::sqrt(sum / size());
  }

  double norm(const double* e) const {
    int ignored;
    return norm(e, ignored);
  }

  /// A first step in which x changes by `share` of its size (H&W II.4), within reason for the interval.
  double first_step(const Solution& s, double t_end, double share, double max_step) {
    double length = 0, speed = 0;
    set(s, 1);
    for (int i = 0; i < size(); ++i) {
      length += (s.x[i] * inverse_[i]) * (s.x[i] * inverse_[i]);
      speed += (s.xdot[i] * inverse_[i]) * (s.xdot[i] * inverse_[i]);
    }
    length = std::sqrt(length), speed = std::sqrt(speed);
    const double interval = t_end - s.t;
    const double guess = length < 1e-5 || speed < 1e-5 ? 0.1 * share * interval : share * length / speed;
    return std::min({guess, 0.1 * interval, max_step});
  }

 private:
  Sizes n_;
  double relative_, absolute_;
  std::vector<double> nominal_, inverse_;
};

}  // namespace spondyl
