#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/spatial.h"

/// The passive torques of a joint that has reached the end of its range (Ambrósio, "Biomechanical model using
/// multibody dynamics for human body impact", Eq. 20-26).
namespace spondyl {

/// The penalty of Eq. 26, 3 s² - 2 s³, of the share s of the way from the limit to the full torque: 0 before
/// it, 1 beyond; continuous with its slope.
template <class T>
T limit_penalty(const T& s) {
  if (!(s > T(0))) return T(0);
  if (s > T(1)) return T(1);
  return s * s * (3.0 - 2.0 * s);
}

/// A periodic cubic spline through four values at 0, 90, 180 and 270 degrees.
class FourPointSpline {
 public:
  FourPointSpline() = default;
  explicit FourPointSpline(const std::array<double, 4>& value) : value_(value) {
    // 4 M_i + M_(i-1) + M_(i+1) = b_i for the second derivatives; the inverse of that circulant matrix is
    // known
    std::array<double, 4> b;
    for (int i = 0; i < 4; ++i)
      b[i] = 6 / (step * step) * (value[(i + 1) % 4] - 2 * value[i] + value[(i + 3) % 4]);
    for (int i = 0; i < 4; ++i)
      curvature_[i] = (7 * b[i] - 2 * (b[(i + 1) % 4] + b[(i + 3) % 4]) + b[(i + 2) % 4]) / 24;
  }

  /// At an angle in [-π, π].
  template <class T>
  T operator()(const T& angle) const {
    const double turns = std::floor(value(angle) / step);
    const int i = (static_cast<int>(turns) + 4) % 4, next = (i + 1) % 4;
    const T along = angle / step - turns, back = 1.0 - along;
    return back * value_[i] + along * value_[next] +
           step * step / 6 *
               ((back * back * back - back) * curvature_[i] +
                (along * along * along - along) * curvature_[next]);
  }

  const std::array<double, 4>& second_derivatives() const { return curvature_; }

  /// Not above any value of it, and not far below: of 720 samples, less what the spline can fall between two.
  double lower_bound() const {
    constexpr int samples = 720;
    constexpr double width = 2 * std::numbers::pi / samples;
    double lowest = value_[0], bend = 0;
    for (const double m : curvature_) bend = std::max(bend, std::abs(m));
    for (int k = 0; k < samples; ++k) lowest = std::min(lowest, (*this)(k * width - std::numbers::pi));
    return lowest - bend * width * width / 8;
  }

 private:
  static constexpr double step = std::numbers::pi / 2;
  std::array<double, 4> value_{}, curvature_{};
};

/// The cone of feasible motion of a spherical joint: the limb's direction may lean from the cone's axis by an
/// angle that depends on where it leans to. Twist about the limb is free.
struct ConeLimit {
  FourPointSpline limit;  ///< rad, of the longitude from e1 (0) over e2 (90 deg)
  double transition = 1;  ///< Δβ, from the limit to the full torque, rad
  double moment = 0;      ///< m_p, N m
  static constexpr double floor = std::numbers::pi / 180;  ///< the limit never goes below this
  static constexpr double parallel = 1e-9;  ///< |limb × axis| below which there is no direction to push

  /// Torque on the limb's body, its opposite on the other. All vectors of unit length: the cone's axis and
  /// the directions of longitudes 0 and 90 deg, fixed to the one body, and the limb, fixed to the other.
  template <class T>
  Vec3<T> torque(const Vec3<T>& axis, const Vec3<T>& e1, const Vec3<T>& e2, const Vec3<T>& limb) const {
    const Vec3<T> normal = cross(limb, axis);
    const T square = dot(normal, normal);
    if (!(square > T(parallel * parallel))) return {};
    const T sine = sqrt(square);
    const T penalty = limit_penalty(excess(sine, axis, e1, e2, limb));
    if (!(penalty > T(0))) return {};
    return (moment * penalty / sine) * normal;
  }

  /// How far beyond its limit the limb leans, as a share of the transition.
  template <class T>
  T excess(const T& sine, const Vec3<T>& axis, const Vec3<T>& e1, const Vec3<T>& e2,
           const Vec3<T>& limb) const {
    const T latitude = atan2(sine, dot(limb, axis)), longitude = atan2(dot(limb, e2), dot(limb, e1));
    T largest = limit(longitude);
    if (largest < T(floor)) largest = T(floor);
    return (latitude - largest) / transition;
  }
};

/// A cone with its place: the axes fixed to the parent, the limb fixed to the child.
class JointCone {
 public:
  struct Geometry {
    Vec3<double> axis, e1, e2;  ///< in the parent's axes, orthonormal; longitudes count from e1 towards e2
    Vec3<double> limb;          ///< in the child's axes, of unit length
  };

  JointCone() = default;
  JointCone(const Geometry& geometry, const ConeLimit& cone)
      : geometry_(geometry),
        cone_(cone),
        free_cosine_(std::cos(std::max(ConeLimit::floor, cone.limit.lower_bound()))) {}

  const Vec3<double>& limb() const { return geometry_.limb; }
  const FourPointSpline& range() const { return cone_.limit; }

  /// Moment on the child for the limb's direction, both in the parent's axes.
  template <class T>
  Vec3<T> moment(const Vec3<T>& limb) const {
    const Vec3<T> axis = geometry_.axis.template cast<T>();
    if (cone_.moment == 0 || dot(limb, axis) > T(free_cosine_)) return {};
    return cone_.torque(axis, geometry_.e1.template cast<T>(), geometry_.e2.template cast<T>(), limb);
  }

 private:
  Geometry geometry_;
  ConeLimit cone_;
  double free_cosine_ = -2;  ///< a limb that leans less has no moment whatever its direction
};

/// The range of a hinge.
struct HingeLimit {
  double low = 0, high = 0;  ///< rad
  double transition = 1;     ///< rad
  double moment = 0;         ///< N m

  /// Torque along the hinge's axis on the body that has turned by `angle`, its opposite on the other.
  template <class T>
  T torque(const T& angle) const {
    if (angle > T(high)) return -moment * limit_penalty((angle - high) / transition);
    if (angle < T(low)) return moment * limit_penalty((low - angle) / transition);
    return T(0);
  }
};

/// Dry friction of a joint (Eq. 21), regularised: -m ω/√(ω² + ω0²) on the body whose relative angular
/// velocity is ω.
struct JointFriction {
  double moment = 0, speed = 1;  ///< N m, rad/s

  template <class T>
  Vec3<T> torque(const Vec3<T>& omega) const {
    if (moment == 0) return {};
    return (-moment / sqrt(dot(omega, omega) + speed * speed)) * omega;
  }
};

}  // namespace spondyl
