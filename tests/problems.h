#pragma once

/// The problems that tests and benchmarks share.

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "math/dual.h"
#include "solvers/dae.h"

namespace spondyl::problems {

/// A DAE from one function template: `Equations` has `static constexpr Sizes sizes` and
/// `template <class T> void operator()(T t, const T* q, const T* v, const T* a, const T* z, const T* zdot, T*
/// r)`. The Jacobian comes from dual numbers, one column at a time.
template <class Equations>
class Problem : public Dae {
 public:
  explicit Problem(Equations equations = {}) : f_(equations), n_(f_.sizes) {}

  Sizes sizes() const override { return n_; }

  void residual(const Point& p, double* r) const override { f_(p.t, p.q, p.v, p.a, p.z, p.zdot, r); }

  void jacobian(const Point& p, const Jacobian& j) const override {
    using D = Dual<1>;
    const int nq = n_.positions, nz = n_.others(), n = n_.unknowns();
    std::vector<D> y(3 * nq + 2 * nz), r(n);
    D *q = y.data(), *v = q + nq, *a = v + nq, *z = a + nq, *zdot = z + nz;
    for (int k = 0; k < nq; ++k) q[k] = p.q[k], v[k] = p.v[k], a[k] = p.a[k];
    for (int k = 0; k < nz; ++k) z[k] = p.z[k], zdot[k] = p.zdot[k];
    const auto column = [&](D& variable, double* matrix, int k) {
      variable.d[0] = 1;
      for (D& x : r) x = 0;
      f_(D(p.t), q, v, a, z, zdot, r.data());
      variable.d[0] = 0;
      for (int i = 0; i < n; ++i) matrix[i * n + k] = r[i].d[0];
    };
    for (int k = 0; k < n * n; ++k) j.of_position[k] = j.of_velocity[k] = j.of_acceleration[k] = 0;
    for (int k = 0; k < nq; ++k) {
      column(q[k], j.of_position, k);
      column(v[k], j.of_velocity, k);
      column(a[k], j.of_acceleration, k);
    }
    for (int k = 0; k < nz; ++k) {
      column(z[k], j.of_position, nq + k);
      column(zdot[k], j.of_velocity, nq + k);
    }
  }

 protected:
  Equations f_;
  Sizes n_;
};

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

/// Two coupled nonlinear oscillators with a state-dependent mass, driven so that q = (sin 2t, 0.5 cos 3t) is
/// the solution: the second-order path with M(q), C, K and time all at work.
struct ManufacturedOscillators {
  static constexpr Sizes sizes{.positions = 2};
  template <class T>
  static void left(const T* q, const T* v, const T* a, T* f) {
    f[0] = (1.3 + q[1] * q[1]) * a[0] + 0.4 * a[1] + 0.7 * v[0] * v[1] + 5.0 * q[0] + 2.0 * q[0] * q[1];
    f[1] =
        0.4 * a[0] + (0.8 + 0.2 * q[0] * q[0]) * a[1] + 0.3 * v[1] + 7.0 * q[1] * q[1] * q[1] - q[0] * v[0];
  }
  template <class T>
  static void exact(T t, T* q, T* v, T* a) {
    const auto [s2, c2] = sin_cos(2.0 * t);
    const auto [s3, c3] = sin_cos(3.0 * t);
    q[0] = s2, v[0] = 2.0 * c2, a[0] = -4.0 * s2;
    q[1] = 0.5 * c3, v[1] = -1.5 * s3, a[1] = -4.5 * c3;
  }
  template <class T>
  void operator()(T t, const T* q, const T* v, const T* a, const T*, const T*, T* r) const {
    T f[2], e[2], qe[2], ve[2], ae[2];
    left(q, v, a, f);
    exact(t, qe, ve, ae);
    left(qe, ve, ae, e);
    for (int i = 0; i < 2; ++i) r[i] = f[i] - e[i];
  }
};

/// Pendulum of mass m and length l in Cartesian coordinates with a multiplier; the constraint at position,
/// velocity or acceleration level gives index 3, 2, 1.
template <int Index>
struct Pendulum {
  static constexpr Sizes sizes{.positions = 2, .algebraic = 1, .index = Index};
  static constexpr double mass = 1.7, length = 0.8, gravity = 9.81;
  template <class T>
  void operator()(T, const T* q, const T* v, const T* a, const T* z, const T*, T* r) const {
    r[0] = mass * a[0] + q[0] * z[0];
    r[1] = mass * a[1] + q[1] * z[0] + mass * gravity;
    if (Index == 3) r[2] = 0.5 * (q[0] * q[0] + q[1] * q[1] - length * length);
    if (Index == 2) r[2] = q[0] * v[0] + q[1] * v[1];
    if (Index == 1) r[2] = q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1];
  }
};

/// The same pendulum in its angle: the independent reference.
struct PendulumAngle {
  static constexpr Sizes sizes{.positions = 1};
  template <class T>
  void operator()(T, const T* q, const T*, const T* a, const T*, const T*, T* r) const {
    r[0] = a[0] + (Pendulum<3>::gravity / Pendulum<3>::length) * sin_cos(q[0]).sin;
  }
};

/// Van der Pol's equation, scaled in time, as a second-order problem: ε y'' = (1 - y²) y' - y.
struct VanDerPol {
  double epsilon = 1e-6;
  static constexpr Sizes sizes{.positions = 1};
  template <class T>
  void operator()(T, const T* q, const T* v, const T* a, const T*, const T*, T* r) const {
    r[0] = epsilon * a[0] - ((1.0 - q[0] * q[0]) * v[0] - q[0]);
  }
};

/// Robertson's chemical reaction, third equation replaced by conservation of mass: index-1 DAE.
struct RobertsonDae {
  static constexpr Sizes sizes{.differential = 2, .algebraic = 1, .index = 1};
  template <class T>
  void operator()(T, const T*, const T*, const T*, const T* z, const T* zdot, T* r) const {
    r[0] = zdot[0] + 0.04 * z[0] - 1e4 * z[1] * z[2];
    r[1] = zdot[1] - 0.04 * z[0] + 1e4 * z[1] * z[2] + 3e7 * z[1] * z[1];
    r[2] = z[0] + z[1] + z[2] - 1.0;
  }
};

}  // namespace spondyl::problems
