#pragma once

#include "elements/contact.h"
#include "math/spatial.h"

namespace spondyl {

/// Friction on a plane, against the sliding velocity v_t: viscous, -c v_t, or Coulomb, regularised,
/// -μ N v_t/√(v_t² + s0²).
struct SpatialFriction {
  enum class Law { viscous = 1, coulomb };
  Law law = Law::coulomb;
  double viscosity = 0;          ///< c, N s/m
  RegularisedCoulomb coulomb{};  ///< μ and s0

  template <class T>
  Vec3<T> force(const T& normal, const Vec3<T>& sliding) const {
    if (law == Law::viscous) return -viscosity * sliding;
    const T speed = sqrt(dot(sliding, sliding) + coulomb.speed * coulomb.speed);
    return (-coulomb.coefficient * normal / speed) * sliding;
  }
};

/// A rigid plane in space.
template <class T>
struct SpatialPlane {
  Vec3<T> point, normal, velocity;  ///< normal of unit length, out of the surface
  bool active = false;
  SpatialFriction friction;

  /// Distance of a place from the surface, negative behind it.
  T height(const Vec3<T>& place) const { return dot(normal, place - point); }
};

}  // namespace spondyl
