#pragma once

#include <array>
#include <cmath>
#include <concepts>

#include "math/trigonometry.h"

namespace spondyl {

/// A number with its N partial derivatives: v + Σ d[k] εk with εj εk = 0. A law written for any scalar type
/// and evaluated with Dual gives its exact derivatives from the same lines (forward differentiation).
template <int N>
struct Dual {
  double v = 0;
  std::array<double, N> d{};

  Dual() = default;
  Dual(double value) : v(value) {}  // implicit: a plain number is a constant

  /// The k-th independent variable.
  static Dual variable(double value, int k) {
    Dual x(value);
    x.d[k] = 1;
    return x;
  }

  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }

  friend Dual operator-(const Dual& a) { return chain(a, -a.v, -1); }
  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual r(a.v + b.v);
    for (int k = 0; k < N; ++k) r.d[k] = a.d[k] + b.d[k];
    return r;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual r(a.v - b.v);
    for (int k = 0; k < N; ++k) r.d[k] = a.d[k] - b.d[k];
    return r;
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual r(a.v * b.v);
    for (int k = 0; k < N; ++k) r.d[k] = a.d[k] * b.v + a.v * b.d[k];
    return r;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double inverse = 1 / b.v;
    Dual r(a.v / b.v);
    for (int k = 0; k < N; ++k) r.d[k] = (a.d[k] - r.v * b.d[k]) * inverse;
    return r;
  }
  // with a plain number: no derivative of it to carry
  friend Dual operator+(const Dual& a, double b) { return chain(a, a.v + b, 1); }
  friend Dual operator+(double a, const Dual& b) { return b + a; }
  friend Dual operator-(const Dual& a, double b) { return chain(a, a.v - b, 1); }
  friend Dual operator-(double a, const Dual& b) { return chain(b, a - b.v, -1); }
  friend Dual operator*(const Dual& a, double b) { return chain(a, a.v * b, b); }
  friend Dual operator*(double a, const Dual& b) { return b * a; }
  friend Dual operator/(const Dual& a, double b) { return a * (1 / b); }

  // decisions are taken on the value
  friend bool operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.v > b.v; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.v <= b.v; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.v >= b.v; }

  /// f(a) given its value and its slope at a.v
  friend Dual chain(const Dual& a, double value, double slope) {
    Dual r(value);
    for (int k = 0; k < N; ++k) r.d[k] = slope * a.d[k];
    return r;
  }
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.v);
    return chain(a, root, 0.5 / root);
  }
  friend Dual abs(const Dual& a) { return a.v < 0 ? -a : a; }
  friend Dual exp(const Dual& a) {
    const double e = std::exp(a.v);
    return chain(a, e, e);
  }
  friend SinCos<Dual> sin_cos(const Dual& a) {
    const auto [s, c] = sin_cos(a.v);
    return {chain(a, s, c), chain(a, c, -s)};
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double scale = 1 / (x.v * x.v + y.v * y.v);
    Dual r(std::atan2(y.v, x.v));
    for (int k = 0; k < N; ++k) r.d[k] = (x.v * y.d[k] - y.v * x.d[k]) * scale;
    return r;
  }
  friend double value(const Dual& a) { return a.v; }
};

using std::abs;
using std::atan2;
using std::exp;
using std::sqrt;

inline double value(double x) { return x; }

}  // namespace spondyl
