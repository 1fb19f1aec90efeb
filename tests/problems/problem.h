#pragma once

#include <array>

#include "math/dual.h"
#include "solvers/dae.h"

namespace spondyl::problems {

/// A DAE from one function template: `Equations` has `static constexpr Sizes sizes` and
/// `template <class T> void operator()(T t, const T* q, const T* v, const T* a, const T* z, const T* zdot, T*
/// r)`. The Jacobian comes from dual numbers. An optional `static constexpr std::array nominal` gives the
/// magnitudes of x.
template <class Equations>
class Problem : public Dae {
 public:
  explicit Problem(Equations equations = {}) : f_(equations), n_(f_.sizes) {}

  Sizes sizes() const override { return n_; }

  void residual(const Point& p, double* r) const override { f_(p.t, p.q, p.v, p.a, p.z, p.zdot, r); }

  void jacobian(const Point& p, const Jacobian& j) const override {
    constexpr Sizes size = Equations::sizes;
    constexpr int nq = size.positions, nz = size.differential + size.algebraic, n = nq + nz;
    using D = Dual<3 * nq + 2 * nz>;
    std::array<D, 3 * nq + 2 * nz> y;
    std::array<D, n> r;
    // in the order q, z, v, z', a: the columns of the three matrices one after the other
    D *const q = y.data(), *const z = q + nq, *const v = z + nz, *const zdot = v + nq, *const a = zdot + nz;
    for (int k = 0; k < nq; ++k) q[k] = p.q[k], v[k] = p.v[k], a[k] = p.a[k];
    for (int k = 0; k < nz; ++k) z[k] = p.z[k], zdot[k] = p.zdot[k];
    for (std::size_t k = 0; k < y.size(); ++k) y[k].d[k] = 1;
    f_(D(p.t), q, v, a, z, zdot, r.data());
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        j.of_position[i * n + k] = r[i].d[k];
        j.of_velocity[i * n + k] = r[i].d[n + k];
        j.of_acceleration[i * n + k] = k < nq ? r[i].d[2 * n + k] : 0;
      }
  }

  void nominal(double* x) const override {
    Dae::nominal(x);
    if constexpr (requires { Equations::nominal; })
      for (std::size_t k = 0; k < Equations::nominal.size(); ++k) x[k] = Equations::nominal[k];
  }

 protected:
  Equations f_;
  Sizes n_;
};

}  // namespace spondyl::problems
