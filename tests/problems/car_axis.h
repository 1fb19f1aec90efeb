#pragma once

#include "problems/problem.h"

namespace spondyl::problems {

/// The axis of a car on two springs over a bumpy road (Schneider; test set for IVP solvers, "caraxis"),
/// index 3. q = (xl, yl, xr, yr): ends of the axis.
struct CarAxis {
  static constexpr Sizes sizes{.positions = 4, .algebraic = 2, .index = 3};
  static constexpr double mass = 10, small = 1e-2, length = 1, spring = 0.5, bump = 0.1, road_rate = 10,
                          gravity = 1, inertia = mass * small * small / 2;
  template <class T>
  void operator()(T t, const T* q, const T*, const T* a, const T* z, const T*, T* r) const {
    const T yb = bump * sin_cos(road_rate * t).sin, xb = sqrt(length * length - yb * yb);
    const T left = sqrt(q[0] * q[0] + q[1] * q[1]);
    const T xr = q[2] - xb, yr = q[3] - yb, right = sqrt(xr * xr + yr * yr);
    const T of_left = (spring - left) / left, of_right = (spring - right) / right;
    const T dx = q[0] - q[2], dy = q[1] - q[3], rod = 2.0 * z[1];
    r[0] = inertia * a[0] - (of_left * q[0] + z[0] * xb + rod * dx);
    r[1] = inertia * (a[1] + gravity) - (of_left * q[1] + z[0] * yb + rod * dy);
    r[2] = inertia * a[2] - (of_right * xr - rod * dx);
    r[3] = inertia * (a[3] + gravity) - (of_right * yr - rod * dy);
    r[4] = q[0] * xb + q[1] * yb;
    r[5] = dx * dx + dy * dy - length * length;
  }
};

}  // namespace spondyl::problems
