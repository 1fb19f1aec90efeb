#pragma once

#include "problems/problem.h"

namespace spondyl::problems {

/// Van der Pol's equation, scaled in time, as a second-order problem: ε y'' = (1 - y²) y' - y, ε = 1/μ².
struct VanDerPol {
  double epsilon = 1e-6;
  static constexpr Sizes sizes{.positions = 1};
  template <class T>
  void operator()(T, const T* q, const T* v, const T* a, const T*, const T*, T* r) const {
    r[0] = epsilon * a[0] - ((1.0 - q[0] * q[0]) * v[0] - q[0]);
  }
};

/// Not scaled, μ = 1000: y'' = μ (1 - y²) y' - y. The solution of VanDerPol with ε = 1e-6 at 1/1000 of the
/// time, but what a tolerance means for the velocity is another matter.
struct VanDerPolSlow {
  static constexpr double mu = 1000;
  static constexpr Sizes sizes{.positions = 1};
  static constexpr std::array nominal{1.0, 1e-3};
  template <class T>
  void operator()(T, const T* q, const T* v, const T* a, const T*, const T*, T* r) const {
    r[0] = a[0] - (mu * (1.0 - q[0] * q[0]) * v[0] - q[0]);
  }
};

}  // namespace spondyl::problems
