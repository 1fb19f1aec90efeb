#pragma once

#include "math/spatial.h"

namespace spondyl {

/// An intervertebral disc as six springs and dampers in parallel, Kecskeméthy 2000, Eq. 1 (whose second line
/// is F_y):
///
///     F = -(K t + b_t v),   M = -(K_φ φ + b_φ ω)      on the upper body, in the axes of the lower
///
/// t displacement [m] and v velocity of the disc's point of the upper body against the lower, φ rotation
/// vector [rad], ω angular velocity. Along x and z, and about y, the stiffness depends on the sense. M with
/// different stiffness about different axes has no exact potential: the work of -K_φ φ along ω differs from
/// the change of ½ φ·K_φ φ in the third order of φ.
struct DiscBushing {
  struct Stiffness {
    double positive = 0, negative = 0;  ///< for a positive and a negative displacement
    template <class T>
    T operator()(const T& x) const {
      return (x < T(0) ? negative : positive) * x;
    }
  };
  Stiffness x, y, z;                    ///< N/m
  Stiffness about_x, about_y, about_z;  ///< N m/rad
  double damping = 0;                   ///< b_t, N s/m
  double rotational_damping = 0;        ///< b_φ, N m s/rad

  template <class T>
  Vec3<T> spring(const Vec3<T>& t) const {
    return {x(t.x), y(t.y), z(t.z)};
  }
  template <class T>
  Vec3<T> rotational_spring(const Vec3<T>& phi) const {
    return {about_x(phi.x), about_y(phi.y), about_z(phi.z)};
  }
  /// ½ t·K t + ½ φ·K_φ φ.
  template <class T>
  T energy(const Vec3<T>& t, const Vec3<T>& phi) const {
    return 0.5 * (dot(spring(t), t) + dot(rotational_spring(phi), phi));
  }
};

}  // namespace spondyl
