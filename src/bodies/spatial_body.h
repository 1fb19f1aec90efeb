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

  /// Slopes of (force, moment about the centre of mass) by (position, small rotation in the axes of the
  /// frame, velocity, ω).
  struct LoadSlopes {
    std::array<std::array<double, 12>, 6> of{};

    /// A force F on a point of the body, `arm` from the centre of mass, that depends on the place and the
    /// velocity of that point: δx = δr + δθ×arm, δx' = δv + δω×arm + ω×(δθ×arm), δ(arm×F) = arm×δF +
    /// (δθ×arm)×F. Matrices by rows.
    void add_point_force(const Vec3<double>& arm, const Vec3<double>& force, const Vec3<double>& omega,
                         const Vec3<double> (&of_place)[3], const Vec3<double> (&of_velocity)[3]) {
      const auto apply = [](const Vec3<double>(&m)[3], const Vec3<double>& x) {
        return Vec3<double>{dot(m[0], x), dot(m[1], x), dot(m[2], x)};
      };
      for (int k = 0; k < 3; ++k) {
        const Vec3<double> e = unit(k), turned = cross(e, arm);
        add(k, apply(of_place, e), arm);
        add(3 + k, apply(of_place, turned) + apply(of_velocity, cross(omega, turned)), arm,
            cross(turned, force));
        add(6 + k, apply(of_velocity, e), arm);
        add(9 + k, apply(of_velocity, turned), arm);
      }
    }
    /// A change of the force on the point, and of its moment beside arm×δF, with variable k.
    void add(int k, const Vec3<double>& force, const Vec3<double>& arm, const Vec3<double>& moment = {}) {
      const Vec3<double> m = cross(arm, force) + moment;
      const double parts[6] = {force.x, force.y, force.z, m.x, m.y, m.z};
      for (int r = 0; r < 6; ++r) of[r][k] += parts[r];
    }
  };

  /// Derivatives of all seven equations for given slopes of what acts on the body, row-major 7 × 7,
  /// overwritten.
  void jacobian(const double* q, const double* v, const double* a, const FrameMotion<double>& frame,
                const LoadSlopes& load, double* of_q, double* of_v, double* of_a) const {
    std::fill_n(of_q, 49, 0.0);
    std::fill_n(of_v, 49, 0.0);
    std::fill_n(of_a, 49, 0.0);
    const EulerParameters<double> p = parameters(q), rate = parameters(v), second = parameters(a);
    const Motion<double> m = motion(q, v);
    const Vec3<double>& w = frame.angular_velocity;

    // translation
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> e = unit(k);
      add(of_q, 0, k, mass * (cross(frame.angular_acceleration, e) + cross(w, cross(w, e))));
      add(of_v, 0, k, (2 * mass) * cross(w, e));
      of_a[7 * k + k] = mass;
    }

    // moment that the turning takes, by a small rotation δθ, by ω and by ω': with I turned with the body,
    // δ(I x) = δθ×(I x) + I(x×δθ)
    const Vec3<double> total = m.omega + w;
    const Vec3<double> alpha = angular_acceleration(q, v, a) + frame.angular_acceleration + cross(w, m.omega);
    const auto turned = [&](const Vec3<double>& x) { return turned_inertia(m.turn, x); };
    const Vec3<double> spin = turned(total), change = turned(alpha);
    Vec3<double> moment_by_turn[3], moment_by_omega[3], moment_by_alpha[3];
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> e = unit(k);
      moment_by_turn[k] =
          cross(e, change) + turned(cross(alpha, e)) + cross(total, cross(e, spin) + turned(cross(total, e)));
      moment_by_alpha[k] = turned(e);
      moment_by_omega[k] = cross(e, spin) + cross(total, moment_by_alpha[k]) + turned(cross(w, e));
    }

    // chain to p, p', p'': with s = |p|², ω = 2/s (p'∘p*), ω' = 2/s (p''∘p*) - 4 (p·p')/s² (p'∘p*)
    const auto product = [](const EulerParameters<double>& x, const EulerParameters<double>& y) {
      return (x * y.conjugate()).vector();
    };
    const double square = dot4(p, p), c = dot4(p, rate), s1 = 2 / square, s2 = 4 / (square * square);
    const Vec3<double> A = product(second, p), B = product(rate, p);
    const double *const P = q + 3, *const V = v + 3;
    for (int k = 0; k < 4; ++k) {
      const EulerParameters<double> e{double(k == 3), double(k == 0), double(k == 1), double(k == 2)};
      const double pk = P[k], vk = V[k];
      const Vec3<double> E = product(e, p), Bk = product(rate, e), Ak = product(second, e);
      const Vec3<double> turn_by_p = s1 * E;  // also ω by p', ω' by p''
      const Vec3<double> omega_by_p = s1 * Bk - (s2 * pk) * B;
      const Vec3<double> alpha_by_p =
          s1 * Ak - (s2 * pk) * A - (s2 * vk) * B - (s2 * c) * Bk + (4 * s2 * c * pk / square) * B;
      const Vec3<double> alpha_by_v = -(s2 * pk) * B - (s2 * c) * E;
      add(of_q, 3, 3 + k,
          combine(moment_by_turn, turn_by_p) + combine(moment_by_omega, omega_by_p) +
              combine(moment_by_alpha, alpha_by_p));
      add(of_v, 3, 3 + k, combine(moment_by_omega, turn_by_p) + combine(moment_by_alpha, alpha_by_v));
      add(of_a, 3, 3 + k, combine(moment_by_alpha, turn_by_p));
      // loads
      for (int r = 0; r < 6; ++r) {
        const std::array<double, 12>& l = load.of[r];
        const Vec3<double> by_turn{l[3], l[4], l[5]}, by_omega{l[9], l[10], l[11]};
        of_q[7 * r + 3 + k] -= dot(by_turn, turn_by_p) + dot(by_omega, omega_by_p);
        of_v[7 * r + 3 + k] -= dot(by_omega, turn_by_p);
      }
      // length
      of_q[42 + 3 + k] = a[3 + k] + 2 * return_rate * vk + return_rate * return_rate * pk;
      of_v[42 + 3 + k] = 2 * vk + 2 * return_rate * pk;
      of_a[42 + 3 + k] = pk;
    }
    for (int r = 0; r < 6; ++r)
      for (int k = 0; k < 3; ++k) {
        of_q[7 * r + k] -= load.of[r][k];
        of_v[7 * r + k] -= load.of[r][6 + k];
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
  static Vec3<double> unit(int k) { return {double(k == 0), double(k == 1), double(k == 2)}; }
  static Vec3<double> combine(const Vec3<double> (&columns)[3], const Vec3<double>& x) {
    return x.x * columns[0] + x.y * columns[1] + x.z * columns[2];
  }
  static void add(double* matrix, int row, int column, const Vec3<double>& x) {
    matrix[7 * row + column] += x.x;
    matrix[7 * (row + 1) + column] += x.y;
    matrix[7 * (row + 2) + column] += x.z;
  }
};

}  // namespace spondyl
