#pragma once

#include <algorithm>
#include <array>

#include "math/spatial.h"

namespace spondyl {

/// How the frame moves in which a body is described: the sled, seen by inertia.
template <class T>
struct FrameMotion {
  Vec3<T> acceleration{};  ///< of the frame's origin, less gravity
  Vec3<T> angular_velocity{}, angular_acceleration{};
};

/// A symmetric tensor of inertia about the centre of mass.
struct InertiaTensor {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

  template <class T>
  Vec3<T> operator()(const Vec3<T>& w) const {
    return {xx * w.x + xy * w.y + xz * w.z, xy * w.x + yy * w.y + yz * w.z, xz * w.x + yz * w.y + zz * w.z};
  }
};

/// One rigid body in space. Coordinates: position of the centre of mass (or its displacement from a fixed
/// place, see `home`), then four Euler parameters p,
///
///     q = (x, y, z, p_x, p_y, p_z, p_w).
///
/// Only the direction of p turns the body: ω = 2 (p' ∘ p*)/|p|² and the rotation is that of p/|p|, so the
/// length of p is no part of the mechanics. Instead of a multiplier with |p| = 1 as a position constraint
/// (index 3: accelerations do not follow from F, and velocities lose order), the seventh equation lets the
/// length return to 1 by itself,
///
///     p·p'' + p'·p' + 2κ p·p' + κ² (|p|² - 1)/2 = 0,   which is  c'' + 2κ c' + κ² c = 0  for c = (|p|² -
///     1)/2
///
/// so that F(q, v, a) = 0 determines all accelerations, statics determine all positions, and normalise() may
/// take what rounding and truncation have left in it after each step without anything else changing.
///
/// The equations, in the axes of the frame, which itself may accelerate and turn (Ω):
///
///     m (r'' + a_0 + Ω'×r + Ω×(Ω×r) + 2Ω×r') = F
///     I(ω' + Ω' + Ω×ω) + (ω+Ω)×I(ω+Ω) = M            about the centre of mass, I turned with the body
class SpatialBody {
 public:
  static constexpr int coordinates = 7;
  static constexpr double return_rate = 100;  ///< κ, 1/s

  double mass = 0;
  InertiaTensor inertia;  ///< in the axes that the body has at p = (1, 0, 0, 0)
  Vec3<double> home;      ///< centre of mass at q = 0

  template <class T>
  struct Motion {
    Vec3<T> position, velocity;  ///< of the centre of mass
    EulerParameters<T> turn;     ///< of unit length
    Vec3<T> omega;               ///< in the axes of the frame
  };

  template <class T>
  Motion<T> motion(const T* q, const T* v) const {
    const EulerParameters<T> p = parameters(q);
    const T square = dot4(p, p), inverse = 1.0 / sqrt(square);
    const Vec3<T> omega = (2.0 / square) * (parameters(v) * p.conjugate()).vector();
    return {{home.x + q[0], home.y + q[1], home.z + q[2]},
            {v[0], v[1], v[2]},
            {inverse * p.w, inverse * p.x, inverse * p.y, inverse * p.z},
            omega};
  }

  /// ω' in the axes of the frame.
  template <class T>
  static Vec3<T> angular_acceleration(const T* q, const T* v, const T* a) {
    const EulerParameters<T> p = parameters(q), rate = parameters(v);
    const T square = dot4(p, p);
    // (p' ∘ p*)' = p'' ∘ p* + p' ∘ p'*, the last a pure number; |p|² changes with 2 p·p'
    return (2.0 / square) * (parameters(a) * p.conjugate()).vector() -
           (4.0 * dot4(p, rate) / (square * square)) * (rate * p.conjugate()).vector();
  }

  /// Force and moment that the motion takes.
  template <class T>
  struct Needed {
    Vec3<T> force, moment;
  };
  /// Moment about the centre of mass that the turning takes.
  template <class T>
  Vec3<T> turning(const Motion<T>& m, const Vec3<T>& alpha, const FrameMotion<T>& frame) const {
    const Vec3<T> omega = m.omega + frame.angular_velocity;
    const Vec3<T> rate = alpha + frame.angular_acceleration + cross(frame.angular_velocity, m.omega);
    return turned_inertia(m.turn, rate) + cross(omega, turned_inertia(m.turn, omega));
  }
  template <class T>
  Needed<T> needed(const Motion<T>& m, const Vec3<T>& acceleration, const Vec3<T>& alpha,
                   const FrameMotion<T>& frame) const {
    return {mass * (acceleration + transport(m, frame)), turning(m, alpha, frame)};
  }
  /// Acceleration of the centre of mass beyond that against the frame.
  template <class T>
  Vec3<T> transport(const Motion<T>& m, const FrameMotion<T>& frame) const {
    const Vec3<T>& w = frame.angular_velocity;
    return frame.acceleration + cross(frame.angular_acceleration, m.position) +
           cross(w, cross(w, m.position)) + 2.0 * cross(w, m.velocity);
  }
  /// The seventh equation.
  template <class T>
  static T length_equation(const T* q, const T* v, const T* a) {
    const EulerParameters<T> p = parameters(q), rate = parameters(v);
    return dot4(p, parameters(a)) + dot4(rate, rate) + 2.0 * return_rate * dot4(p, rate) +
           0.5 * return_rate * return_rate * (dot4(p, p) - 1.0);
  }

  template <class T>
  T kinetic_energy(const Motion<T>& m) const {
    return 0.5 * (mass * dot(m.velocity, m.velocity) + dot(m.omega, turned_inertia(m.turn, m.omega)));
  }

  /// Derivatives of all seven equations for given derivatives of what acts on the body, row-major 7 × 7,
  /// overwritten. `load` is (force, moment about the centre of mass) by (position, small rotation in the axes
  /// of the frame, velocity, ω).
  using LoadSlopes = std::array<std::array<double, 12>, 6>;
  void jacobian(const double* q, const double* v, const double* a, const FrameMotion<double>& frame,
                const LoadSlopes& load, double* of_q, double* of_v, double* of_a) const {
    std::fill_n(of_q, 49, 0.0);
    std::fill_n(of_v, 49, 0.0);
    std::fill_n(of_a, 49, 0.0);
    // small rotation by p_k, the same for ω by p'_k; and ω by p_k
    const EulerParameters<double> p = parameters(q), rate = parameters(v);
    const double square = dot4(p, p);
    const Vec3<double> omega = (2 / square) * (rate * p.conjugate()).vector();
    Vec3<double> turn_by[4], omega_by[4];
    for (int k = 0; k < 4; ++k) {
      const EulerParameters<double> unit{double(k == 3), double(k == 0), double(k == 1), double(k == 2)};
      turn_by[k] = (2 / square) * (unit * p.conjugate()).vector();
      omega_by[k] = (2 / square) * (rate * unit.conjugate()).vector() - (2 * dot4(p, unit) / square) * omega;
    }
    for (int r = 0; r < 6; ++r) {
      const std::array<double, 12>& l = load[r];
      const Vec3<double> by_turn{l[3], l[4], l[5]}, by_omega{l[9], l[10], l[11]};
      for (int k = 0; k < 3; ++k) {
        of_q[7 * r + k] = -l[k];
        of_v[7 * r + k] = -l[6 + k];
      }
      for (int k = 0; k < 4; ++k) {
        of_q[7 * r + 3 + k] = -dot(by_turn, turn_by[k]) - dot(by_omega, omega_by[k]);
        of_v[7 * r + 3 + k] = -dot(by_omega, turn_by[k]);
      }
    }
    // inertia: translation by hand
    const auto column = [](int k) { return Vec3<double>{double(k == 0), double(k == 1), double(k == 2)}; };
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> e = column(k), &w = frame.angular_velocity;
      add(of_q, k, mass * (cross(frame.angular_acceleration, e) + cross(w, cross(w, e))));
      add(of_v, k, (2 * mass) * cross(w, e));
      of_a[7 * k + k] = mass;
    }
    // rotation and length of p by dual numbers in p, p', p''
    using D = Dual<12>;
    D x[3][7];
    const double* const from[3] = {q, v, a};
    for (int part = 0; part < 3; ++part)
      for (int k = 0; k < 7; ++k)
        x[part][k] = k < 3 ? D(from[part][k]) : D::variable(from[part][k], 4 * part + k - 3);
    const FrameMotion<D> moving{frame.acceleration.cast<D>(), frame.angular_velocity.cast<D>(),
                                frame.angular_acceleration.cast<D>()};
    const Vec3<D> moment = turning(motion(x[0], x[1]), angular_acceleration(x[0], x[1], x[2]), moving);
    const D row[4] = {moment.x, moment.y, moment.z, length_equation(x[0], x[1], x[2])};
    for (int r = 0; r < 4; ++r)
      for (int k = 0; k < 4; ++k) {
        of_q[7 * (3 + r) + 3 + k] += row[r].d[k];
        of_v[7 * (3 + r) + 3 + k] += row[r].d[4 + k];
        of_a[7 * (3 + r) + 3 + k] += row[r].d[8 + k];
      }
  }

  /// |p| = 1 with its first and second derivative, to rounding; nothing that the body does changes.
  static void normalise(double* q, double* v, double* a) {
    double *const p = q + 3, *const rate = v + 3, *const second = a + 3;
    const auto product = [](const double* x, const double* y) {
      return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3];
    };
    // of p/|p| = p s: s, s', s'' with s = |p|^-1
    const double n = product(p, p), n1 = 2 * product(p, rate),
                 n2 = 2 * (product(rate, rate) + product(p, second));
    const double s = 1 / std::sqrt(n), s1 = -0.5 * s * n1 / n,
                 s2 = s * (0.75 * n1 * n1 / (n * n) - 0.5 * n2 / n);
    for (int k = 0; k < 4; ++k) {
      second[k] = second[k] * s + 2 * rate[k] * s1 + p[k] * s2;
      rate[k] = rate[k] * s + p[k] * s1;
      p[k] *= s;
    }
  }

 private:
  template <class T>
  static EulerParameters<T> parameters(const T* q) {
    return {q[6], q[3], q[4], q[5]};
  }
  template <class T>
  static T dot4(const EulerParameters<T>& a, const EulerParameters<T>& b) {
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  }
  template <class T>
  Vec3<T> turned_inertia(const EulerParameters<T>& turn, const Vec3<T>& w) const {
    return rotate(turn, inertia(rotate_back(turn, w)));
  }
  static void add(double* matrix, int column, const Vec3<double>& x) {
    matrix[column] += x.x;
    matrix[7 + column] += x.y;
    matrix[14 + column] += x.z;
  }
};

}  // namespace spondyl
