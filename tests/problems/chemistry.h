#pragma once

#include "problems/problem.h"

namespace spondyl::problems {

/// Robertson's chemical reaction (1966) as three rates, to 1e11 s.
struct Robertson {
  static constexpr Sizes sizes{.differential = 3};
  static constexpr std::array nominal{1e-8, 1e-13, 1.0};  // where the run ends
  template <class T>
  void operator()(T, const T*, const T*, const T*, const T* z, const T* zdot, T* r) const {
    r[0] = zdot[0] + 0.04 * z[0] - 1e4 * z[1] * z[2];
    r[1] = zdot[1] - 0.04 * z[0] + 1e4 * z[1] * z[2] + 3e7 * z[1] * z[1];
    r[2] = zdot[2] - 3e7 * z[1] * z[1];
  }
};

/// The same, third equation replaced by conservation of mass: index-1 DAE.
struct RobertsonDae {
  static constexpr Sizes sizes{.differential = 2, .algebraic = 1, .index = 1};
  static constexpr std::array nominal = Robertson::nominal;
  template <class T>
  void operator()(T, const T*, const T*, const T*, const T* z, const T* zdot, T* r) const {
    Robertson{}(T(0), z, z, z, z, zdot, r);
    r[2] = z[0] + z[1] + z[2] - 1.0;
  }
};

/// Photomorphogenesis with eight reactants (Schäfer 1975), "high irradiance response".
struct Hires {
  static constexpr Sizes sizes{.differential = 8};
  static constexpr std::array nominal{1e-4, 1e-4, 1e-4, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3};  // where the run ends
  template <class T>
  void operator()(T, const T*, const T*, const T*, const T* y, const T* ydot, T* r) const {
    constexpr double k1 = 1.71, k2 = 0.43, k3 = 8.32, k4 = 0.69, k5 = 0.035, k6 = 8.32, k7 = 280, k8 = 0.69,
                     k9 = 0.69, supply = 0.0007;
    const T bound = k7 * y[5] * y[7];
    r[0] = ydot[0] - (-k1 * y[0] + k2 * y[1] + k6 * y[2] + supply);
    r[1] = ydot[1] - (k1 * y[0] - (k2 + k3) * y[1]);
    r[2] = ydot[2] - (-(k1 + k6) * y[2] + k2 * y[3] + k5 * y[4]);
    r[3] = ydot[3] - (k3 * y[1] + k1 * y[2] - (k2 + k4) * y[3]);
    r[4] = ydot[4] - (-(k1 + k5) * y[4] + k2 * (y[5] + y[6]));
    r[5] = ydot[5] - (-bound + k8 * y[3] + k1 * y[4] - k2 * y[5] + k9 * y[6]);
    r[6] = ydot[6] - (bound - (k2 + k8 + k9) * y[6]);
    r[7] = ydot[7] + (bound - (k2 + k8 + k9) * y[6]);
  }
};

}  // namespace spondyl::problems
