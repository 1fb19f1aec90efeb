#pragma once

#include <vector>

#include "problems/problem.h"

namespace spondyl::problems {

/// y' = λ (y - cos t) - sin t with y = cos t, whatever λ (Prothero & Robinson): stiff limit and order.
struct ProtheroRobinson {
  double lambda = -50;
  static constexpr Sizes sizes{.differential = 1};
  template <class T>
  void operator()(T t, const T*, const T*, const T*, const T* z, const T* zdot, T* r) const {
    const auto [s, c] = sin_cos(t);
    r[0] = zdot[0] - (lambda * (z[0] - c) - s);
  }
};

/// Two oscillators with the left side `Law`, driven so that q = (sin ω1 t, b cos ω2 t) is the solution.
template <class Law>
struct Driven {
  static constexpr Sizes sizes{.positions = 2};
  template <class T>
  static void exact(T t, T* q, T* v, T* a) {
    constexpr double w1 = Law::first_rate, w2 = Law::second_rate, b = Law::second_amplitude;
    const auto [s1, c1] = sin_cos(w1 * t);
    const auto [s2, c2] = sin_cos(w2 * t);
    q[0] = s1, v[0] = w1 * c1, a[0] = -w1 * w1 * s1;
    q[1] = b * c2, v[1] = -b * w2 * s2, a[1] = -b * w2 * w2 * c2;
  }
  static std::vector<double> at(double t) {
    std::vector<double> x(4);
    double a[2];
    exact(t, x.data(), x.data() + 2, a);
    return x;
  }
  template <class T>
  void operator()(T t, const T* q, const T* v, const T* a, const T*, const T*, T* r) const {
    T f[2], e[2], qe[2], ve[2], ae[2];
    Law::left(q, v, a, f);
    exact(t, qe, ve, ae);
    Law::left(qe, ve, ae, e);
    for (int i = 0; i < 2; ++i) r[i] = f[i] - e[i];
  }
};

/// Coupled and nonlinear with a state-dependent mass: the second-order path with M(q), C, K and time all at
/// work.
struct NonlinearLaw {
  static constexpr double first_rate = 2, second_rate = 3, second_amplitude = 0.5;
  template <class T>
  static void left(const T* q, const T* v, const T* a, T* f) {
    f[0] = (1.3 + q[1] * q[1]) * a[0] + 0.4 * a[1] + 0.7 * v[0] * v[1] + 5.0 * q[0] + 2.0 * q[0] * q[1];
    f[1] =
        0.4 * a[0] + (0.8 + 0.2 * q[0] * q[0]) * a[1] + 0.3 * v[1] + 7.0 * q[1] * q[1] * q[1] - q[0] * v[0];
  }
};
using ManufacturedOscillators = Driven<NonlinearLaw>;

/// Coupled, damped and linear in the unknowns: Newton leaves no error, so that a tolerance loose enough to
/// keep every step at max_step shows the method's own order.
struct LinearLaw {
  static constexpr double first_rate = 1.7, second_rate = 2.3, second_amplitude = 0.6;
  template <class T>
  static void left(const T* q, const T* v, const T* a, T* f) {
    f[0] = 1.4 * a[0] + 0.3 * a[1] + 0.5 * v[0] - 0.2 * v[1] + 6.0 * q[0] + 1.5 * q[1];
    f[1] = 0.3 * a[0] + 0.8 * a[1] - 0.2 * v[0] + 0.9 * v[1] + 2.5 * q[0] + 4.0 * q[1];
  }
};
using LinearOscillators = Driven<LinearLaw>;

}  // namespace spondyl::problems
