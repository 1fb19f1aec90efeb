#pragma once

#include <limits>
#include <numbers>

#include "math/dual.h"

namespace spondyl {

/// The built-in acceleration pulse of the sled: what the crash is when nothing is connected.
/// Its corners are known, so that a solver can end steps on them and integrate it exactly.
struct Pulse {
  enum class Shape { none = 1, triangle, half_sine, trapezoid };
  /// A trapezoid rises and falls in this share of its duration each.
  static constexpr double ramp_share = 0.25;

  Shape shape = Shape::none;
  double peak = 0, start = 0, duration = 0;  ///< m/s², s, s

  /// The piece between corners that holds at the instant `piece`, continued to t.
  template <class T>
  T acceleration(const T& t, double piece) const {
    if (shape == Shape::none || !(piece > start) || !(piece < start + duration)) return T(0);
    const T s = (t - start) / duration;
    const double at = (piece - start) / duration;
    switch (shape) {
      case Shape::triangle:
        return at < 0.5 ? 2.0 * peak * s : 2.0 * peak * (1.0 - s);
      case Shape::half_sine:
        return peak * sin_cos(std::numbers::pi * s).sin;
      case Shape::trapezoid:
        if (at < ramp_share) return peak / ramp_share * s;
        if (at > 1 - ramp_share) return peak / ramp_share * (1.0 - s);
        return T(peak);
      case Shape::none:
        break;
    }
    return T(0);
  }

  template <class T>
  T acceleration(const T& t) const {
    return acceleration(t, value(t));
  }

  /// The first corner after t.
  double next_corner(double t) const {
    if (shape != Shape::none)
      for (const double s : {0.0,
                             shape == Shape::triangle    ? 0.5
                             : shape == Shape::trapezoid ? ramp_share
                                                         : 0.0,
                             shape == Shape::trapezoid ? 1 - ramp_share : 1.0, 1.0})
        if (start + s * duration > t) return start + s * duration;
    return std::numeric_limits<double>::infinity();
  }
};

}  // namespace spondyl
