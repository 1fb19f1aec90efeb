#pragma once

#include <algorithm>

#include "math/dual.h"

namespace spondyl {

/// A vector in space: x forward, y left, z up.
template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  template <class S>
  friend Vec3 operator*(const S& s, const Vec3& a) {
    return {s * a.x, s * a.y, s * a.z};
  }
  Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  Vec3& operator-=(const Vec3& b) { return *this = *this - b; }

  /// Constants become any scalar.
  template <class S>
  Vec3<S> cast() const {
    return {S(x), S(y), S(z)};
  }
};

template <class T>
T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
T length(const Vec3<T>& a) {
  return sqrt(dot(a, a));
}

/// Euler parameters: a rotation by the angle α about the unit axis n is (cos α/2, n sin α/2). Of unit length
/// in all that follows, unless said otherwise.
template <class T>
struct EulerParameters {
  T w{1.0}, x{}, y{}, z{};

  Vec3<T> vector() const { return {x, y, z}; }
  /// The inverse rotation.
  EulerParameters conjugate() const { return {w, -x, -y, -z}; }
  /// First b, then a.
  friend EulerParameters operator*(const EulerParameters& a, const EulerParameters& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  }
};

/// A body-fixed vector in the outer axes: A(p) v with A quadratic in p, so that it stretches by |p|² when p
/// is not of unit length.
template <class T>
Vec3<T> rotate(const EulerParameters<T>& p, const Vec3<T>& v) {
  const Vec3<T> e = p.vector();
  return (p.w * p.w - dot(e, e)) * v + (2.0 * dot(e, v)) * e + (2.0 * p.w) * cross(e, v);
}

/// An outer vector in body axes.
template <class T>
Vec3<T> rotate_back(const EulerParameters<T>& p, const Vec3<T>& v) {
  return rotate(p.conjugate(), v);
}

/// p' = ½ p ∘ (0, ω), ω in body axes.
template <class T>
EulerParameters<T> rate_of(const EulerParameters<T>& p, const Vec3<T>& omega) {
  const EulerParameters<T> r = p * EulerParameters<T>{T(0), omega.x, omega.y, omega.z};
  return {0.5 * r.w, 0.5 * r.x, 0.5 * r.y, 0.5 * r.z};
}

/// ω in body axes = 2 (p* ∘ p')'s vector part; for unit p and p·p' = 0.
template <class T>
Vec3<T> angular_velocity(const EulerParameters<T>& p, const EulerParameters<T>& rate) {
  return 2.0 * (p.conjugate() * rate).vector();
}

/// The rotation by |r| about r.
inline EulerParameters<double> from_rotation_vector(const Vec3<double>& r) {
  const double angle = length(r);
  const double s = angle > 1e-8 ? std::sin(angle / 2) / angle : 0.5 - angle * angle / 48;
  return {std::cos(angle / 2), s * r.x, s * r.y, s * r.z};
}

/// 2 asin(√y)/√y for 0 ≤ y < 1: the angle of a rotation over the sine of its half, y the square of that sine.
/// Smooth in y, also at 0.
template <class T>
T angle_per_sine(const T& y) {
  if (value(y) < 1e-4)
    return 2.0 + y * (1.0 / 3 + y * (3.0 / 20 + y * (5.0 / 56 + y * (35.0 / 576 + y * (63.0 / 1408)))));
  if constexpr (std::same_as<T, double>) {
    const double sine = std::sqrt(y);
    return 2 * std::atan2(sine, std::sqrt(1 - y)) / sine;
  } else {
    const auto f = angle_per_sine(y.v);
    return chain(y, f, (1.0 / sqrt(1.0 - y.v) - 0.5 * f) / y.v);
  }
}

/// The vector r of which p is the rotation, |r| < π: the inverse of the above, for any scalar. r has the
/// direction of p's vector part (or that of -p, which is the same rotation, if w < 0).
template <class T>
Vec3<T> rotation_vector(const EulerParameters<T>& p) {
  const Vec3<T> e = value(p.w) < 0 ? -p.vector() : p.vector();
  return angle_per_sine(dot(e, e)) * e;
}

}  // namespace spondyl
