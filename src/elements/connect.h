#pragma once

#include "math/planar.h"

namespace spondyl {

/// What a line element (ligament, cable) sees of its two anchors.
template <class T>
struct Stretch {
  T length, rate;
  Vec2<T> direction;  ///< unit vector from the first anchor to the second
};

/// Anchors seen from any point that both share.
template <class T>
Stretch<T> stretch(const PointMotion<T>& from, const PointMotion<T>& to) {
  const Vec2<T> span = to.position - from.position;
  const T length = sqrt(dot(span, span));
  const Vec2<T> direction = (1.0 / length) * span;
  return {length, dot(direction, to.velocity - from.velocity), direction};
}

/// A line element between two bodies that turn about a common pivot: with the anchors l and u seen from the
/// pivot, each in its body's axes, the law of cosines gives length and lever from the relative angle θ alone:
///
///     ξ² = l² + u² - 2 g,   g = (l·u) cos θ + (l×u) sin θ,   dξ/dθ = -g'/ξ
struct AcrossPivot {
  double squares = 0, along = 0, across = 0;  ///< l² + u², l·u, l×u

  AcrossPivot() = default;
  AcrossPivot(const Vec2<double>& lower, const Vec2<double>& upper)
      : squares(dot(lower, lower) + dot(upper, upper)),
        along(dot(lower, upper)),
        across(lower.x * upper.z - lower.z * upper.x) {}

  template <class T>
  struct Motion {
    T length, lever;  ///< ξ and dξ/dθ; the rate of ξ is lever · θ'
  };
  template <class T>
  Motion<T> motion(const SinCos<T>& theta) const {
    const T length = sqrt(squares - 2.0 * (along * theta.cos + across * theta.sin));
    return {length, (along * theta.sin - across * theta.cos) / length};
  }
};

}  // namespace spondyl
