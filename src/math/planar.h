#pragma once

#include "math/dual.h"

namespace spondyl {

/// A vector in the sagittal plane: x forward, z up. Angles are forward tilts, about +y (left).
template <class T>
struct Vec2 {
  T x{}, z{};

  friend Vec2 operator+(const Vec2& a, const Vec2& b) { return {a.x + b.x, a.z + b.z}; }
  friend Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.z - b.z}; }
  friend Vec2 operator-(const Vec2& a) { return {-a.x, -a.z}; }
  template <class S>
  friend Vec2 operator*(const S& s, const Vec2& a) {
    return {s * a.x, s * a.z};
  }
  Vec2& operator+=(const Vec2& b) { return *this = *this + b; }
  Vec2& operator-=(const Vec2& b) { return *this = *this - b; }
};

template <class T>
T dot(const Vec2<T>& a, const Vec2<T>& b) {
  return a.x * b.x + a.z * b.z;
}

/// Where a point is and how fast it moves.
template <class T>
struct PointMotion {
  Vec2<T> position, velocity;
};

/// Derivative of a body-fixed vector with respect to the body's forward tilt.
template <class T>
Vec2<T> perp(const Vec2<T>& p) {
  return {p.z, -p.x};
}

/// A body-fixed vector in sled axes (Eq. 24, Fritzkowski 2014).
template <class T, class S = double>
Vec2<T> rotate(const SinCos<T>& tilt, const Vec2<S>& p) {
  return {p.z * tilt.sin + p.x * tilt.cos, p.z * tilt.cos - p.x * tilt.sin};
}

/// A vector in sled axes seen from the body.
template <class T, class S = double>
Vec2<T> rotate_back(const SinCos<T>& tilt, const Vec2<S>& p) {
  return {p.x * tilt.cos - p.z * tilt.sin, p.x * tilt.sin + p.z * tilt.cos};
}

}  // namespace spondyl
