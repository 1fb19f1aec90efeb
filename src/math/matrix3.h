#pragma once

#include "math/spatial.h"

namespace spondyl {

/// A 3 × 3 matrix by its columns.
template <class T>
struct Mat3 {
  Vec3<T> x, y, z;

  static Mat3 zero() { return {}; }
  static Mat3 diagonal(const T& a, const T& b, const T& c) {
    const T o(0);
    return {{a, o, o}, {o, b, o}, {o, o, c}};
  }
  static Mat3 scaled_identity(const T& a) { return diagonal(a, a, a); }

  friend Vec3<T> operator*(const Mat3& m, const Vec3<T>& v) { return v.x * m.x + v.y * m.y + v.z * m.z; }
  friend Mat3 operator*(const Mat3& a, const Mat3& b) { return {a * b.x, a * b.y, a * b.z}; }
  friend Mat3 operator+(const Mat3& a, const Mat3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Mat3 operator-(const Mat3& a, const Mat3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Mat3 operator-(const Mat3& a) { return {-a.x, -a.y, -a.z}; }
  friend Mat3 operator*(const T& s, const Mat3& a) { return {s * a.x, s * a.y, s * a.z}; }
  Mat3& operator+=(const Mat3& b) { return *this = *this + b; }
  Mat3& operator-=(const Mat3& b) { return *this = *this - b; }

  Mat3 transposed() const { return {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}; }
};

/// mᵀ v
template <class T>
Vec3<T> transposed_times(const Mat3<T>& m, const Vec3<T>& v) {
  return {dot(m.x, v), dot(m.y, v), dot(m.z, v)};
}

/// [a]: the matrix of the cross product, [a] b = a × b.
template <class T>
Mat3<T> cross_matrix(const Vec3<T>& a) {
  const T o(0);
  return {{o, a.z, -a.y}, {-a.z, o, a.x}, {a.y, -a.x, o}};
}

/// [a] m
template <class T>
Mat3<T> cross(const Vec3<T>& a, const Mat3<T>& m) {
  return {cross(a, m.x), cross(a, m.y), cross(a, m.z)};
}

/// a bᵀ
template <class T>
Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
  return {b.x * a, b.y * a, b.z * a};
}

/// The rotation of Euler parameters of any length (Špička, Eq. 15, over |p|²): body axes to outer axes.
template <class T>
Mat3<T> rotation(const EulerParameters<T>& p) {
  const T s = 1.0 / (p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z);
  const T t = 2.0 * s;
  const T xx = t * p.x * p.x, yy = t * p.y * p.y, zz = t * p.z * p.z;
  const T xy = t * p.x * p.y, xz = t * p.x * p.z, yz = t * p.y * p.z;
  const T wx = t * p.w * p.x, wy = t * p.w * p.y, wz = t * p.w * p.z;
  return {{1.0 - (yy + zz), xy + wz, xz - wy},
          {xy - wz, 1.0 - (xx + zz), yz + wx},
          {xz + wy, yz - wx, 1.0 - (xx + yy)}};
}

}  // namespace spondyl
