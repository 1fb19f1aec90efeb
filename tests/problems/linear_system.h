#pragma once

#include <vector>

#include "problems/problem.h"

namespace spondyl::problems {

/// x' = A x with A far from normal: a slow spiral, and decays with time constants from 1 s to 1 ms coupled
/// into it. x(t) = exp(A t) x(0), the exponential from Eigen (scaling and squaring, Higham 2005).
struct LinearSystem {
  static constexpr int n = 4;
  static constexpr Sizes sizes{.differential = n};
  static constexpr double A[n][n] = {
      {-0.2, 2.3, 5.0, 0.0}, {-2.1, -0.3, 0.0, 40.0}, {0.4, 0.0, -1.1, 300.0}, {0.0, 0.7, 0.2, -900.0}};
  static constexpr double start[n] = {1.2, -0.7, 0.4, 1.5};
  template <class T>
  void operator()(T, const T*, const T*, const T*, const T* z, const T* zdot, T* r) const {
    for (int i = 0; i < n; ++i) {
      r[i] = zdot[i];
      for (int k = 0; k < n; ++k) r[i] -= A[i][k] * z[k];
    }
  }
  static std::vector<double> at(double t);
};

}  // namespace spondyl::problems
