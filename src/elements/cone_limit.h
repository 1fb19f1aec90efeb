#pragma once

#include <algorithm>
#include <array>
#include <numbers>

#include "math/matrix3.h"

namespace spondyl {

/// A periodic cubic spline through four values at 0, 90, 180 and 270 degrees.
class QuarterSpline {
 public:
  QuarterSpline() = default;
  explicit QuarterSpline(const std::array<double, 4>& values) : value_(values) {
    // M_(k-1) + 4 M_k + M_(k+1) = d_k, its circulant inverse written out
    double d[4];
    for (int k = 0; k < 4; ++k)
      d[k] = 6 / (step * step) * (values[(k + 3) % 4] - 2 * values[k] + values[(k + 1) % 4]);
    for (int k = 0; k < 4; ++k)
      second_[k] = (7 * d[k] - 2 * (d[(k + 1) % 4] + d[(k + 3) % 4]) + d[(k + 2) % 4]) / 24;
  }

  double second_derivative(int k) const { return second_[k]; }

  /// At an angle from -π to π.
  template <class T>
  T operator()(T angle) const {
    if (angle < T(0)) angle += 2 * std::numbers::pi;
    const int k = std::min(3, static_cast<int>(value(angle) / step)), next = (k + 1) % 4;
    const T right = angle - k * step, left = step - right;
    return (second_[k] * left * left * left + second_[next] * right * right * right) / (6 * step) +
           (value_[k] / step - second_[k] * step / 6) * left +
           (value_[next] / step - second_[next] * step / 6) * right;
  }

  /// Not above any value of it, and not far below: of 720 samples, less what the spline can fall between two.
  double lower_bound() const {
    constexpr int samples = 720;
    constexpr double width = 2 * std::numbers::pi / samples;
    double lowest = value_[0], bend = 0;
    for (const double m : second_) bend = std::max(bend, std::abs(m));
    for (int k = 0; k < samples; ++k) lowest = std::min(lowest, (*this)(k * width - std::numbers::pi));
    return lowest - bend * width * width / 8;
  }

 private:
  static constexpr double step = std::numbers::pi / 2;
  std::array<double, 4> value_{}, second_{};
};

/// The range of a spherical joint (Silva & Ambrósio's cone): a direction fixed to the child, the limb, may
/// lean away from an axis of the parent by β_max, which depends on the direction ϑ in which it leans. Beyond,
/// a moment turns it back,
///
///     m_p (3 s² - 2 s³) (limb × axis)/|limb × axis|,   s = (β - β_max(ϑ))/Δβ from 0 to 1,
///
/// constant for s > 1. Twist about the limb is free. Since β_max varies with ϑ the moment has no potential.
/// Zero where limb and axis are parallel, where it has no direction.
class ConeLimit {
 public:
  struct Geometry {
    Vec3<double> axis, e1, e2;  ///< in the parent's axes, orthonormal; ϑ counts from e1 towards e2
    Vec3<double> limb;          ///< in the child's axes, of unit length
  };

  ConeLimit() = default;
  /// `range`: β_max at ϑ = 0, 90, 180, 270 degrees, rad; floored at 1 degree between.
  ConeLimit(const Geometry& geometry, const std::array<double, 4>& range, double width, double moment)
      : geometry_(geometry), range_(range), width_(width), moment_(moment) {
    free_cosine_ = std::cos(std::max(floor_angle, range_.lower_bound()));
  }

  const Vec3<double>& limb() const { return geometry_.limb; }
  const QuarterSpline& range() const { return range_; }

  /// Moment on the child for the limb's direction, both in the parent's axes.
  template <class T>
  Vec3<T> moment(const Vec3<T>& limb) const {
    const Vec3<T> axis = geometry_.axis.template cast<T>();
    const T along = dot(limb, axis);
    if (moment_ == 0 || along > T(free_cosine_)) return {};
    const Vec3<T> lever = cross(limb, axis);
    const T across = sqrt(dot(lever, lever));
    if (across < T(smallest_lever)) return {};
    const T lean = atan2(across, along);
    const T direction =
        atan2(dot(limb, geometry_.e2.template cast<T>()), dot(limb, geometry_.e1.template cast<T>()));
    T bound = range_(direction);
    if (bound < T(floor_angle)) bound = T(floor_angle);
    const T s = (lean - bound) / width_;
    if (!(s > T(0))) return {};
    const T share = s < T(1) ? s * s * (3.0 - 2.0 * s) : T(1);
    return (moment_ * share / across) * lever;
  }

 private:
  static constexpr double floor_angle = std::numbers::pi / 180;  ///< rad
  static constexpr double smallest_lever = 1e-9;

  Geometry geometry_;
  QuarterSpline range_;
  double width_ = 1, moment_ = 0;
  double free_cosine_ = -2;  ///< a limb that leans less has no moment whatever its direction
};

}  // namespace spondyl
