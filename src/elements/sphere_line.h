#pragma once

#include "elements/contact.h"
#include "math/planar.h"

namespace spondyl {

/// A sphere on the upper body against a line on the lower one, without ends (Morais 2011, Eq. 4.12-4.22).
/// All in the axes of the lower body, in which the line does not move, so that the rate of penetration is
/// exact (Eq. 4.28 leaves out that the line turns).
struct SphereLine {
  Vec2<double> begin, tangent;  ///< L, and the unit vector t from L to R
  double line_length = 0;       ///< from L to R: what the foot parameter counts in
  double radius = 0;
  ImpactLaw normal;
  RegularisedCoulomb friction;

  SphereLine() = default;
  SphereLine(const Vec2<double>& left, const Vec2<double>& right, double sphere_radius)
      : begin(left), line_length(sqrt(dot(right - left, right - left))), radius(sphere_radius) {
    tangent = (1 / line_length) * (right - left);
  }

  /// n, Eq. 4.15: from the sphere to the line.
  Vec2<double> normal_vector() const { return {tangent.z, -tangent.x}; }

  template <class T>
  T gap(const Vec2<T>& centre) const {
    const Vec2<double> n = normal_vector();
    return (begin.x - centre.x) * n.x + (begin.z - centre.z) * n.z - radius;
  }
  /// Moves the line along its normal until its gap to a sphere there is as given.
  void set_gap(const Vec2<double>& centre, double wanted) {
    begin += (wanted - gap(centre)) * normal_vector();
  }

  template <class T>
  struct Force {
    T gap{}, foot{};          ///< foot: of the sphere's centre on the line, 0 at L, 1 at R
    T rate{};                 ///< of penetration
    T pressure{}, sliding{};  ///< normal force, and speed of the sphere's surface along the line
    T drag{};                 ///< friction on the sphere along t
  };
  /// The sphere's centre and its motion seen from the lower body, turning with `omega` against it.
  /// `touch_speed` is v0, or 0 for a pair that was apart until now: it is then taken as touching just here,
  /// so that a solver that looks ahead, or grazes, feels a force.
  template <class T>
  Force<T> force(const PointMotion<T>& centre, const T& omega, double touch_speed) const {
    const Vec2<double> n = normal_vector();
    Force<T> f;
    f.gap = gap(centre.position);
    f.foot =
        ((centre.position.x - begin.x) * tangent.x + (centre.position.z - begin.z) * tangent.z) / line_length;
    f.rate = centre.velocity.x * n.x + centre.velocity.z * n.z;
    if (!(f.gap < T(0))) return f;
    f.pressure = touch_speed > 0 ? normal.force(-f.gap, f.rate, touch_speed)
                                 : normal.force(-f.gap, f.rate, normal.touch_speed(f.rate));
    if (friction.coefficient > 0) {
      // the foremost point is at R n from the centre, and (R n)⊥·t = -R
      f.sliding = centre.velocity.x * tangent.x + centre.velocity.z * tangent.z - radius * omega;
      f.drag = friction.force(f.pressure, f.sliding);
    }
    return f;
  }
};

}  // namespace spondyl
