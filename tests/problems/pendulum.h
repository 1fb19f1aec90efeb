#pragma once

#include <cmath>
#include <vector>

#include "problems/problem.h"

namespace spondyl::problems {

/// Pendulum of mass m and length l in Cartesian coordinates with a multiplier; the constraint at position,
/// velocity or acceleration level gives index 3, 2, 1.
template <int Index>
struct Pendulum {
  static constexpr Sizes sizes{.positions = 2, .algebraic = 1, .index = Index};
  static constexpr double mass = 1.7, length = 0.8, gravity = 9.81;
  static constexpr double start_angle = 1.1;  // at rest, from the vertical that hangs down
  template <class T>
  void operator()(T, const T* q, const T* v, const T* a, const T* z, const T*, T* r) const {
    r[0] = mass * a[0] + q[0] * z[0];
    r[1] = mass * a[1] + q[1] * z[0] + mass * gravity;
    if (Index == 3) r[2] = 0.5 * (q[0] * q[0] + q[1] * q[1] - length * length);
    if (Index == 2) r[2] = q[0] * v[0] + q[1] * v[1];
    if (Index == 1) r[2] = q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1];
  }
};

/// The same pendulum in its angle.
struct PendulumAngle {
  static constexpr Sizes sizes{.positions = 1};
  template <class T>
  void operator()(T, const T* q, const T*, const T* a, const T*, const T*, T* r) const {
    r[0] = a[0] + (Pendulum<3>::gravity / Pendulum<3>::length) * sin_cos(q[0]).sin;
  }
};

struct Elliptic {
  double sn, cn, dn;
};
/// Jacobi's elliptic functions of u for the modulus k, by the descending Landen transformation (Abramowitz &
/// Stegun 16.4).
inline Elliptic jacobi_elliptic(double u, double k) {
  double a[12], c[12];
  double b = std::sqrt(1 - k * k);
  a[0] = 1, c[0] = k;
  int n = 0;
  for (; n < 11 && std::abs(c[n]) > 1e-16; ++n) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
  }
  double phi = std::ldexp(a[n] * u, n);
  for (; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] / a[n] * std::sin(phi)));
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1 - k * k * sn * sn)};
}

/// The exact motion: sin φ/2 = k cd(ωt, k), φ' = -2 k ω √(1-k²) sn/dn with k = sin φ0/2, ω² = g/l.
struct PendulumMotion {
  double angle, rate;

  static PendulumMotion at(double t) {
    using P = Pendulum<3>;
    const double k = std::sin(P::start_angle / 2), omega = std::sqrt(P::gravity / P::length);
    const auto [sn, cn, dn] = jacobi_elliptic(omega * t, k);
    return {2 * std::asin(k * cn / dn), -2 * k * omega * std::sqrt(1 - k * k) * sn / dn};
  }

  /// Tension over length.
  double multiplier() const {
    using P = Pendulum<3>;
    return P::mass * (rate * rate + P::gravity * std::cos(angle) / P::length);
  }
  /// (q, v, λ) of the pendulum in Cartesian coordinates.
  std::vector<double> state() const {
    const double l = Pendulum<3>::length, s = std::sin(angle), c = std::cos(angle);
    return {l * s, -l * c, l * rate * c, l * rate * s, multiplier()};
  }
  /// Their rates but that of λ: accelerations of a higher-index problem are the caller's.
  std::vector<double> state_rate() const {
    const std::vector<double> x = state();
    using P = Pendulum<3>;
    return {x[2], x[3], -x[0] * x[4] / P::mass, -x[1] * x[4] / P::mass - P::gravity, 0};
  }
};

}  // namespace spondyl::problems
