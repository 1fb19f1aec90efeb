#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "problems/problem.h"

namespace spondyl::problems {

/// A planet on an ellipse: q'' = -γ q/|q|³, from its perihelion.
struct Kepler {
  static constexpr Sizes sizes{.positions = 2};
  static constexpr double gamma = 1.3, axis = 1.1, eccentricity = 0.6;
  template <class T>
  void operator()(T, const T* q, const T*, const T* a, const T*, const T*, T* r) const {
    const T square = q[0] * q[0] + q[1] * q[1], pull = gamma / (square * sqrt(square));
    for (int i = 0; i < 2; ++i) r[i] = a[i] + pull * q[i];
  }
  static double period() { return 2 * std::numbers::pi * std::sqrt(axis * axis * axis / gamma); }
  /// Kepler's equation E - e sin E = 2π t/T by Newton, then the point on the ellipse.
  static std::vector<double> at(double t) {
    const double e = eccentricity, rate = 2 * std::numbers::pi / period(), mean = rate * t;
    double anomaly = mean;
    for (int i = 0; i < 50; ++i)
      anomaly -= (anomaly - e * std::sin(anomaly) - mean) / (1 - e * std::cos(anomaly));
    const double s = std::sin(anomaly), c = std::cos(anomaly), b = axis * std::sqrt(1 - e * e);
    const double speed = rate / (1 - e * c);
    return {axis * (c - e), b * s, -axis * s * speed, b * c * speed};
  }
  static double energy(const double* x) {
    return 0.5 * (x[2] * x[2] + x[3] * x[3]) - gamma / std::hypot(x[0], x[1]);
  }
  static double angular_momentum(const double* x) { return x[0] * x[3] - x[1] * x[2]; }
};

}  // namespace spondyl::problems
