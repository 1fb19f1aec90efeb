#pragma once

#include "math/planar.h"

namespace spondyl {

/// Where an anchor is and how fast it moves, against any point that both anchors of an element share.
template <class T>
struct AnchorMotion {
  Vec2<T> position, velocity;
};

/// What a line element (ligament, cable) sees of its two anchors.
template <class T>
struct Stretch {
  T length, rate;
  Vec2<T> direction;  ///< unit vector from the first anchor to the second
};

template <class T>
Stretch<T> stretch(const AnchorMotion<T>& from, const AnchorMotion<T>& to) {
  const Vec2<T> span = to.position - from.position;
  const T length = sqrt(dot(span, span));
  const Vec2<T> direction = (1.0 / length) * span;
  return {length, dot(direction, to.velocity - from.velocity), direction};
}

}  // namespace spondyl
