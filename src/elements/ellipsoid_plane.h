#pragma once

#include "elements/spatial_plane.h"
#include "math/matrix3.h"

namespace spondyl {

/// What a plane feels like to an ellipsoid (Špička, Eq. 23-25): with the penetration δ, the velocity v of the
/// body's material point at the contact point against the plane, and v_t its part along the plane,
///
///     F = n max(0, Kn δ - Cn v·n) - (Kt + Ct) v_t.
///
/// Eq. 24's two terms are both viscous, since (v × n) × n = -v_t; they are the plane's friction, which can be
/// Coulomb's instead. The normal force jumps at the touch by Cn times the closing speed: whether they touch
/// is decided by the caller, who remembers it.
struct PlaneContact {
  double Kn = 0, Cn = 0;  ///< N/m, N s/m

  template <class T>
  T normal_force(const T& penetration, const T& separation_speed) const {
    const T f = Kn * penetration - Cn * separation_speed;
    return f > T(0) ? f : T(0);
  }
};

/// An ellipsoid fixed to a body, its axes along the body's.
struct Ellipsoid {
  Vec3<double> centre, semi_axes;  ///< m, centre from the body's centre of mass

  /// The foremost point against a plane with the unit normal n: c - Q n/√(n·Q n), Q = A diag(semi²) Aᵀ.
  template <class T>
  struct Foremost {
    Vec3<T> arm;  ///< from the centre of mass
    T gap;        ///< to the plane, negative when they overlap
  };
  template <class T>
  Foremost<T> foremost(const SpatialPlane<T>& plane, const Mat3<T>& rotation, const Vec3<T>& position) const {
    const Vec3<T> n = transposed_times(rotation, plane.normal);
    const Vec3<double>& s = semi_axes;
    const Vec3<T> stretched{(s.x * s.x) * n.x, (s.y * s.y) * n.y, (s.z * s.z) * n.z};
    const T reach = sqrt(dot(n, stretched));
    const Vec3<T> arm = rotation * (centre.template cast<T>() - (1.0 / reach) * stretched);
    return {arm, dot(plane.normal, position + arm - plane.point)};
  }

  template <class T>
  struct Contact {
    Vec3<T> force, moment;  ///< on the body; moment about its centre of mass
    Vec3<T> arm;
    T normal{};        ///< size of the normal force
    Vec3<T> velocity;  ///< of the material point at the contact point, against the plane
  };
  /// The two touch.
  template <class T>
  Contact<T> contact(const SpatialPlane<T>& plane, const PlaneContact& law, const Foremost<T>& at,
                     const Vec3<T>& velocity, const Vec3<T>& omega) const {
    Contact<T> c;
    c.arm = at.arm;
    c.velocity = velocity + cross(omega, at.arm) - plane.velocity;
    const T separation = dot(c.velocity, plane.normal);
    const Vec3<T> slip = c.velocity - separation * plane.normal;
    c.normal = law.normal_force(-at.gap, separation);
    c.force = c.normal * plane.normal + plane.friction.force(c.normal, slip);
    c.moment = cross(at.arm, c.force);
    return c;
  }

  /// The derivatives of force and moment by position, rotation (a small rotation vector), velocity and
  /// angular velocity of the body.
  struct Derivatives {
    Mat3<double> position, turn, velocity, rate;
    Mat3<double> moment_position, moment_turn, moment_velocity, moment_rate;
  };
  Derivatives derivatives(const SpatialPlane<double>& plane, const PlaneContact& law,
                          const Contact<double>& c, const Mat3<double>& rotation,
                          const Vec3<double>& omega) const {
    const Vec3<double>& n = plane.normal;
    const Mat3<double> one = Mat3<double>::scaled_identity(1);
    // the foremost point moves over the surface when the body turns
    const Vec3<double>& s = semi_axes;
    const Mat3<double> Q =
        rotation * Mat3<double>::diagonal(s.x * s.x, s.y * s.y, s.z * s.z) * rotation.transposed();
    const Vec3<double> stretched = Q * n;
    const double reach = std::sqrt(dot(n, stretched));
    const Mat3<double> arm_by_turn = (1 / reach) * (cross_matrix(stretched) - Q * cross_matrix(n)) -
                                     cross_matrix(rotation * centre) -
                                     (1 / (reach * reach * reach)) * outer(stretched, cross(n, stretched));
    const Mat3<double> velocity_by_turn = cross(omega, arm_by_turn), velocity_by_rate = -cross_matrix(c.arm);
    // the law: force by penetration (zero when the normal force is cut off) and by velocity
    const Mat3<double> along = one - outer(n, n);
    const Vec3<double> slip = along * c.velocity;
    const bool pressed = c.normal > 0;
    Vec3<double> by_normal = n;
    Mat3<double> by_velocity = -plane.friction.viscosity * along;
    if (plane.friction.law == SpatialFriction::Law::coulomb) {
      const auto& [coefficient, speed] = plane.friction.coulomb;
      const double r = 1 / std::sqrt(dot(slip, slip) + speed * speed);
      by_normal -= (coefficient * r) * slip;
      by_velocity = (-coefficient * c.normal * r) * (along - (r * r) * outer(slip, slip));
    }
    Vec3<double> by_gap{};
    if (pressed) {
      by_gap = -law.Kn * by_normal;
      by_velocity -= law.Cn * outer(by_normal, n);
    }
    Derivatives d;
    d.position = outer(by_gap, n);
    d.turn = outer(by_gap, cross(c.arm, n)) + by_velocity * velocity_by_turn;
    d.velocity = by_velocity;
    d.rate = by_velocity * velocity_by_rate;
    d.moment_position = cross(c.arm, d.position);
    d.moment_turn = cross(c.arm, d.turn) - cross(c.force, arm_by_turn);
    d.moment_velocity = cross(c.arm, d.velocity);
    d.moment_rate = cross(c.arm, d.rate);
    return d;
  }
};

}  // namespace spondyl
