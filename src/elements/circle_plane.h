#pragma once

#include "elements/contact.h"
#include "math/planar.h"

namespace spondyl {

/// A rigid plane in the sagittal view.
template <class T>
struct PlanarPlane {
  Vec2<T> point, normal, velocity;  ///< normal of unit length, out of the surface
  bool active = false;
  T stiffness_factor{1.0}, friction_factor{1.0};
};

/// A circle, fixed to a body, against a plane: Hunt & Crossley along the normal, regularised Coulomb along
/// the surface, both from the motion of the circle's foremost point.
struct CirclePlane {
  double radius = 0;
  HuntCrossley normal;
  RegularisedCoulomb friction;

  template <class T>
  struct Force {
    T gap{};          ///< from the circle to the plane, negative when they overlap
    Vec2<T> force{};  ///< on the circle's body
    T moment{};       ///< about the centre of the circle
  };

  template <class T>
  T gap(const PlanarPlane<T>& plane, const Vec2<T>& centre) const {
    return dot(plane.normal, centre - plane.point) - radius;
  }

  template <class T>
  Force<T> force(const PlanarPlane<T>& plane, const PointMotion<T>& centre, const T& omega) const {
    Force<T> f;
    f.gap = gap(plane, centre.position);
    if (!(f.gap < T(0))) return f;
    const Vec2<T> arm = -radius * plane.normal;
    const Vec2<T> slip = centre.velocity + omega * perp(arm) - plane.velocity;
    const Vec2<T> tangent = perp(plane.normal);
    const T pressure = plane.stiffness_factor * normal.force(-f.gap, -dot(plane.normal, slip));
    f.force = pressure * plane.normal +
              plane.friction_factor * friction.force(pressure, dot(tangent, slip)) * tangent;
    f.moment = dot(perp(arm), f.force);
    return f;
  }
};

}  // namespace spondyl
