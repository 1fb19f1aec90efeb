#pragma once

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

  /// The time of the first root in (begin, end], or a negative number if there is none. The root is on the
  /// dense output, to 1e-13 of the step.
  double first_root(const Dae& dae, const DenseOutput& dense, double begin, double end, double* signs) {
    if (n_.events == 0) return -1;
    settle(dae, dense, begin, end, signs);
    evaluate(dae, dense, end);
    double first = -1;
    for (int k = 0; k < n_.events; ++k) {
      if (signs[k] * g_[k] >= 0) continue;
      const double root = locate(dae, dense, k, signs[k], begin, first < 0 ? end : first);
      if (root >= 0 && (first < 0 || root < first)) first = root;
      evaluate(dae, dense, end);
    }
    return first;
  }

  /// All functions that have their root at t, to rounding: those that change sign within a tiny distance
  /// behind it. Their signs flip.
  std::span<const int> fire(const Dae& dae, const DenseOutput& dense, double t, double step, double* signs) {
    fired_.clear();
    evaluate(dae, dense, t + 1e-9 * step);
    for (int k = 0; k < n_.events; ++k)
      if (signs[k] * g_[k] < 0) {
        fired_.push_back(k);
        signs[k] = -signs[k];
      }
    return fired_;
  }

 private:
  /// A function of unknown sign, which starts on its root, takes the sign that it has as soon as it has left
  /// it.
  void settle(const Dae& dae, const DenseOutput& dense, double begin, double end, double* signs) {
    for (const double share : {1e-6, 1.0}) {
      bool unknown = false;
      for (int k = 0; k < n_.events; ++k) unknown = unknown || signs[k] == 0;
      if (!unknown) return;
      evaluate(dae, dense, begin + share * (end - begin));
      for (int k = 0; k < n_.events; ++k)
        if (signs[k] == 0) signs[k] = sign(g_[k]);
    }
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
    if (sign_before * g_high >= 0) return -1;
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
};

}  // namespace spondyl
