#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "solvers/dae.h"

namespace spondyl {

/// Finds the first change of sign of the event functions inside a step.
///
/// The sign before the step is memory (kept in the solver's history, ±1, 0 = not known yet), not the value at
/// the beginning: a step that ended on a root starts with a value of rounding size, whose sign means nothing.
class EventFinder {
 public:
  explicit EventFinder(const Sizes& n) : n_(n), g_(n.events), x_(n.states()), xdot_(n.states()) {
    fired_.reserve(n.events);
  }

  /// Signs at a point from which the functions are known to move away (start, restart).
  void initialise(const Dae& dae, const Point& p, double* signs) {
    if (n_.events == 0) return;
    dae.events(p, g_.data());
    for (int k = 0; k < n_.events; ++k) signs[k] = sign(g_[k]);
  }

  static constexpr double none = std::numeric_limits<double>::infinity();

  /// The time of the first root in (begin, end], or none. A function of unknown sign takes the sign
  /// right behind the beginning; one that is zero at the end has its root there. The root is on the dense
  /// output, to 1e-13 of the step.
  double first_root(const Dae& dae, const DenseOutput& dense, double begin, double end, double* signs) {
    if (n_.events == 0) return none;
    settle_signs(dae, dense, begin, end, signs);
    evaluate(dae, dense, end);
    double first = none;
    for (int k = 0; k < n_.events; ++k) {
      if (signs[k] == 0 || signs[k] * g_[k] > 0) continue;
      const double root = locate(dae, dense, k, signs[k], begin, std::min(first, end));
      if (root < first) first = root, first_function_ = k;
      evaluate(dae, dense, end);
    }
    return first;
  }

  /// All functions that have their root at t, to rounding: the one whose root was found first, and those that
  /// change sign within a tiny distance behind it. Their signs flip. (The first one's sign is not asked for:
  /// a step that is as short as time allows moves it by less than rounding.)
  std::span<const int> fire(const Dae& dae, const DenseOutput& dense, double t, double step, double* signs) {
    fired_.clear();
    evaluate(dae, dense, t + 1e-9 * step);
    for (int k = 0; k < n_.events; ++k)
      if (k == first_function_ || signs[k] * g_[k] < 0) {
        fired_.push_back(k);
        signs[k] = -signs[k];
      }
    return fired_;
  }

  /// An impact has sent the state back from the root: on which side the functions go on is not known.
  void turn_back(std::span<const int> fired, double* signs) const {
    for (const int k : fired) signs[k] = 0;
  }

 private:
  void settle_signs(const Dae& dae, const DenseOutput& dense, double begin, double end, double* signs) {
    if (std::find(signs, signs + n_.events, 0.0) == signs + n_.events) return;
    evaluate(dae, dense, begin + 1e-6 * (end - begin));
    for (int k = 0; k < n_.events; ++k)
      if (signs[k] == 0) signs[k] = sign(g_[k]);
  }

  static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

  double evaluate(const Dae& dae, const DenseOutput& dense, double t, int k = 0) {
    dense.evaluate(t, x_.data(), xdot_.data());
    dae.events(Point(t, n_, x_.data(), xdot_.data()), g_.data());
    return g_[k];
  }

  /// Bracketing with the Illinois variant of regula falsi, then at most bisection: cannot fail.
  double locate(const Dae& dae, const DenseOutput& dense, int k, double sign_before, double low,
                double high) {
    const double tolerance = 1e-13 * (high - low);
    double g_high = evaluate(dae, dense, high, k);
    if (sign_before * g_high > 0) return none;
    if (g_high == 0) return high;
    double g_low = evaluate(dae, dense, low, k);
    if (sign_before * g_low <= 0)
      g_low = 0;  // on the root itself: it has left it, so look for the last change
    if (g_low == 0) return bisect(dae, dense, k, sign_before, low, high, tolerance);
    int side = 0;
    for (int iteration = 0; iteration < 60 && high - low > tolerance; ++iteration) {
      double middle = (low * g_high - high * g_low) / (g_high - g_low);
      if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
      const double g = evaluate(dae, dense, middle, k);
      if (g == 0) return middle;
      if (sign_before * g < 0) {
        high = middle, g_high = g;
        if (side == -1) g_low *= 0.5;
        side = -1;
      } else {
        low = middle, g_low = g;
        if (side == 1) g_high *= 0.5;
        side = 1;
      }
    }
    return bisect(dae, dense, k, sign_before, low, high, tolerance);
  }

  double bisect(const Dae& dae, const DenseOutput& dense, int k, double sign_before, double low, double high,
                double tolerance) {
    while (high - low > tolerance) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      (sign_before * evaluate(dae, dense, middle, k) < 0 ? high : low) = middle;
    }
    return high;
  }

  Sizes n_;
  std::vector<double> g_, x_, xdot_;
  std::vector<int> fired_;
  int first_function_ = -1;  ///< of the last search that found a root
};

}  // namespace spondyl
