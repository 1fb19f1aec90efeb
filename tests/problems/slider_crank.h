#pragma once

#include <cmath>
#include <vector>

#include "problems/problem.h"

namespace spondyl::problems {

/// Crank, rod and slider in a plane with gravity and a spring on the slider: q = (crank angle, rod angle,
/// slider position) and two loop constraints, index 3. No friction, so the energy stays.
struct SliderCrank {
  static constexpr Sizes sizes{.positions = 3, .algebraic = 2, .index = 3};
  static constexpr double crank = 0.15, rod = 0.31, rod_centre = 0.14, crank_moment = 0.021,  // mass × arm
      crank_inertia = 0.0034, rod_mass = 0.42, rod_inertia = 0.0039, slider_mass = 0.27, stiffness = 61,
                          rest = 0.33, gravity = 9.81, start_angle = 0.6, start_rate = 31;

  template <class T>
  struct Pose {
    T s1, c1, s2, c2;  ///< of crank and rod
  };

  /// M a - f without constraints.
  template <class T>
  static void forces(const Pose<T>& p, T slider, const T* v, const T* a, T* r) {
    constexpr double coupling = rod_mass * crank * rod_centre;
    const T s = p.s1 * p.c2 - p.c1 * p.s2, c = p.c1 * p.c2 + p.s1 * p.s2;
    r[0] = (crank_inertia + rod_mass * crank * crank) * a[0] + coupling * (c * a[1] + s * v[1] * v[1]) +
           (crank_moment + rod_mass * crank) * gravity * p.c1;
    r[1] = coupling * (c * a[0] - s * v[0] * v[0]) +
           (rod_inertia + rod_mass * rod_centre * rod_centre) * a[1] + rod_mass * rod_centre * gravity * p.c2;
    r[2] = slider_mass * a[2] + stiffness * (slider - rest);
  }

  template <class T>
  void operator()(T, const T* q, const T* v, const T* a, const T* z, const T*, T* r) const {
    const auto [s1, c1] = sin_cos(q[0]);
    const auto [s2, c2] = sin_cos(q[1]);
    forces(Pose<T>{s1, c1, s2, c2}, q[2], v, a, r);
    r[0] += crank * (c1 * z[0] + s1 * z[1]);
    r[1] += rod * (c2 * z[0] + s2 * z[1]);
    r[2] += z[1];
    r[3] = crank * s1 + rod * s2;
    r[4] = q[2] - crank * c1 - rod * c2;
  }

  static double energy(const double* x) {
    const double *const q = x, *const v = x + 3;
    const double rod_x = -crank * std::sin(q[0]) * v[0] - rod_centre * std::sin(q[1]) * v[1];
    const double rod_y = crank * std::cos(q[0]) * v[0] + rod_centre * std::cos(q[1]) * v[1];
    const double stretch = q[2] - rest;
    return 0.5 * (crank_inertia * v[0] * v[0] + rod_mass * (rod_x * rod_x + rod_y * rod_y) +
                  rod_inertia * v[1] * v[1] + slider_mass * v[2] * v[2] + stiffness * stretch * stretch) +
           gravity * (crank_moment * std::sin(q[0]) +
                      rod_mass * (crank * std::sin(q[0]) + rod_centre * std::sin(q[1])));
  }
};

/// The same in the crank angle alone: rod and slider follow by the loop, the equations are projected on it.
struct SliderCrankAngle {
  static constexpr Sizes sizes{.positions = 1};

  /// Rod and slider, with first and second derivative by the crank angle.
  template <class T>
  struct Followers {
    SliderCrank::Pose<T> pose;
    T slider, rod_1, rod_2, slider_1, slider_2;

    explicit Followers(T angle) {
      constexpr double l1 = SliderCrank::crank, l2 = SliderCrank::rod;
      const auto [s1, c1] = sin_cos(angle);
      const T s2 = (-l1 / l2) * s1, c2 = sqrt(1.0 - s2 * s2);
      pose = {s1, c1, s2, c2};
      slider = l1 * c1 + l2 * c2;
      rod_1 = -l1 * c1 / (l2 * c2);
      rod_2 = (l1 * s1 + l2 * s2 * rod_1 * rod_1) / (l2 * c2);
      slider_1 = -l1 * s1 - l2 * s2 * rod_1;
      slider_2 = -l1 * c1 - l2 * (c2 * rod_1 * rod_1 + s2 * rod_2);
    }
    void move(T rate, T acceleration, T* v, T* a) const {
      v[0] = rate, v[1] = rod_1 * rate, v[2] = slider_1 * rate;
      a[0] = acceleration;
      a[1] = rod_1 * acceleration + rod_2 * rate * rate;
      a[2] = slider_1 * acceleration + slider_2 * rate * rate;
    }
  };

  template <class T>
  void operator()(T, const T* q, const T* v, const T* a, const T*, const T*, T* r) const {
    const Followers<T> f(q[0]);
    T vs[3], as[3], rs[3];
    f.move(v[0], a[0], vs, as);
    SliderCrank::forces(f.pose, f.slider, vs, as, rs);
    r[0] = rs[0] + f.rod_1 * rs[1] + f.slider_1 * rs[2];
  }

  /// x and x' of SliderCrank, multipliers included, from the angle's.
  static void expand(double angle, double rate, double acceleration, std::vector<double>& x,
                     std::vector<double>& xdot) {
    const Followers<double> f(angle);
    double v[3], a[3], r[3];
    f.move(rate, acceleration, v, a);
    SliderCrank::forces(f.pose, f.slider, v, a, r);
    const double along = -r[2];  // third row
    const double across = -(r[1] / SliderCrank::rod + f.pose.s2 * along) / f.pose.c2;
    x = {angle, std::asin(f.pose.s2), f.slider, v[0], v[1], v[2], across, along};
    xdot = {v[0], v[1], v[2], a[0], a[1], a[2], 0, 0};
  }
};

}  // namespace spondyl::problems
