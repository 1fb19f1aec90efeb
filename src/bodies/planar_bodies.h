#pragma once

#include <algorithm>
#include <array>

#include "math/planar.h"

namespace spondyl {

/// Where a planar body is and how it moves, against the sled and in its axes.
template <class T>
struct PlanarMotion {
  Vec2<T> position, velocity;  ///< of the origin of its frame
  SinCos<T> tilt;
  T angle, rate;
};

/// A body seen from its lower neighbour, in the axes of that neighbour.
template <class T>
struct RelativeMotion {
  Vec2<T> position, velocity;  ///< ρ and ρ', as an observer on the lower body sees them
  SinCos<T> tilt;
  T angle, rate;  ///< θ, θ'

  /// A point of the upper body, given in its own axes.
  PointMotion<T> of(const Vec2<double>& point) const {
    const Vec2<T> arm = rotate(tilt, point);
    return {position + arm, velocity + rate * perp(arm)};
  }
};

/// Force and moment on the upper body at the origin of its frame, in the axes of the lower one.
template <class T>
struct Wrench {
  Vec2<T> force{};
  T moment{};

  /// A force on a point that is `arm` away from the origin.
  void add(const Vec2<T>& arm, const Vec2<T>& f) {
    force += f;
    moment += dot(perp(arm), f);
  }
};

/// How the sled moves: acceleration of its origin (less gravity), rotation. In its own axes.
template <class T>
struct PlanarFrame {
  Vec2<T> acceleration;
  T angular_velocity{}, angular_acceleration{};
};

/// N rigid bodies in the sagittal plane in Cartesian coordinates, a column of neighbours: body i stands on
/// body i + 1, the last one on the base, which is part of the sled. The coordinates are x, z and forward tilt
/// φ of each body, in this order; the frame of a body has its origin in the centre of mass. With the forces
/// of a column the equations of motion are
///
///     R = M (a + frame) - Q = 0,   M = diag(m, m, I, ...),   frame = A + α r⊥ - Ω² r + 2 Ω v⊥   (sled)
///
/// All that acts between neighbours depends on the motion of the upper body seen from the lower one, (ρ, θ)
/// with ρ = Rᵀ(φ_l) (r_u - r_l), and on the rates of these: one wrench a level, whose power is F·ρ' + M θ'.
template <int N>
class PlanarBodies {
 public:
  static constexpr int size = 3 * N;

  struct Body {
    double mass = 0, inertia = 0;  ///< kg, kg m² about the centre of mass
  };

  PlanarBodies() = default;
  explicit PlanarBodies(const std::array<Body, N>& bodies, const Vec2<double>& base, double base_angle)
      : body_(bodies), base_{base, {}, sin_cos(base_angle), base_angle, 0} {}

  const Body& body(int i) const { return body_[i]; }

  /// Body i, or the base for i = N.
  template <class T>
  PlanarMotion<T> motion(const T* q, const T* v, int i) const {
    if (i == N)
      return {{T(base_.position.x), T(base_.position.z)},
              {},
              {T(base_.tilt.sin), T(base_.tilt.cos)},
              T(base_.angle),
              T(0)};
    return {{q[3 * i], q[3 * i + 1]},
            {v[3 * i], v[3 * i + 1]},
            sin_cos(q[3 * i + 2]),
            q[3 * i + 2],
            v[3 * i + 2]};
  }

  template <class T>
  static RelativeMotion<T> relative(const PlanarMotion<T>& upper, const PlanarMotion<T>& lower) {
    const Vec2<T> span = upper.position - lower.position;
    const SinCos<T>&u = upper.tilt, &l = lower.tilt;
    return {rotate_back(l, span),
            rotate_back(l, upper.velocity - lower.velocity - lower.rate * perp(span)),
            {u.sin * l.cos - u.cos * l.sin, u.cos * l.cos + u.sin * l.sin},
            upper.angle - lower.angle,
            upper.rate - lower.rate};
  }

  template <class T>
  struct Loads {
    std::array<Vec2<T>, N> force{};  ///< at the centre of mass
    std::array<T, N> moment{};
  };

  /// Acceleration of a point that the sled's motion adds.
  template <class T>
  static Vec2<T> frame_acceleration(const PlanarFrame<T>& frame, const Vec2<T>& position,
                                    const Vec2<T>& velocity) {
    const T& omega = frame.angular_velocity;
    return frame.acceleration + frame.angular_acceleration * perp(position) - (omega * omega) * position +
           (2.0 * omega) * perp(velocity);
  }

  /// R without what acts between neighbours, overwritten.
  template <class T>
  void residual(const T* q, const T* v, const T* a, const PlanarFrame<T>& frame, const Loads<T>& loads,
                T* r) const {
    for (int i = 0; i < N; ++i) {
      const int k = 3 * i;
      const Vec2<T> extra = frame_acceleration<T>(frame, {q[k], q[k + 1]}, {v[k], v[k + 1]});
      r[k] = body_[i].mass * (a[k] + extra.x) - loads.force[i].x;
      r[k + 1] = body_[i].mass * (a[k + 1] + extra.z) - loads.force[i].z;
      r[k + 2] = body_[i].inertia * (a[k + 2] + frame.angular_acceleration) - loads.moment[i];
    }
  }
  /// Adds the wrench between body i and the one below.
  template <class T>
  static void add(int i, const PlanarMotion<T>& upper, const PlanarMotion<T>& lower, const Wrench<T>& wrench,
                  T* r) {
    const Vec2<T> force = rotate(lower.tilt, wrench.force);
    T* const u = r + 3 * i;
    u[0] -= force.x;
    u[1] -= force.z;
    u[2] -= wrench.moment;
    if (i + 1 == N) return;
    u[3] += force.x;
    u[4] += force.z;
    u[5] += wrench.moment + dot(perp(upper.position - lower.position), force);
  }

  /// ∂R/∂q, ∂R/∂v, ∂R/∂a of the residual above (loads constant), row-major, overwritten.
  void jacobian(const PlanarFrame<double>& frame, double* of_q, double* of_v, double* of_a) const {
    for (double* const m : {of_q, of_v, of_a}) std::fill_n(m, size * size, 0.0);
    const double alpha = frame.angular_acceleration, omega = frame.angular_velocity;
    for (int i = 0; i < N; ++i) {
      const int k = 3 * i;
      const double m = body_[i].mass;
      const auto at = [&](double* matrix, int row, int column) -> double& {
        return matrix[(k + row) * size + k + column];
      };
      at(of_a, 0, 0) = at(of_a, 1, 1) = m;
      at(of_a, 2, 2) = body_[i].inertia;
      at(of_q, 0, 0) = at(of_q, 1, 1) = -m * omega * omega;
      at(of_q, 0, 1) = m * alpha;
      at(of_q, 1, 0) = -m * alpha;
      at(of_v, 0, 1) = 2 * m * omega;
      at(of_v, 1, 0) = -2 * m * omega;
    }
  }

  /// A wrench with its derivatives by (ρ_x, ρ_z, θ, ρ'_x, ρ'_z, θ').
  using LevelDual = Dual<6>;
  static RelativeMotion<LevelDual> as_variables(const RelativeMotion<double>& m) {
    using D = LevelDual;
    D s(m.tilt.sin), c(m.tilt.cos);
    s.d[2] = m.tilt.cos, c.d[2] = -m.tilt.sin;
    return {{D::variable(m.position.x, 0), D::variable(m.position.z, 1)},
            {D::variable(m.velocity.x, 3), D::variable(m.velocity.z, 4)},
            {s, c},
            D::variable(m.angle, 2),
            D::variable(m.rate, 5)};
  }

  /// Adds the derivatives of what `add` adds.
  static void add_jacobian(int i, const PlanarMotion<double>& upper, const PlanarMotion<double>& lower,
                           const Wrench<LevelDual>& wrench, double* of_q, double* of_v) {
    using Column = std::array<double, 6>;  // of (ρ, θ, ρ', θ') by one of the coordinates
    const SinCos<double>& tilt = lower.tilt;
    const Vec2<double> span = upper.position - lower.position,
                       closing = upper.velocity - lower.velocity - lower.rate * perp(span);
    const Vec2<double> force = rotate(tilt, Vec2<double>{wrench.force.x.v, wrench.force.z.v});
    const auto add_column = [&](const Column& by, const Vec2<double>& span_by, bool turns_lower, int column,
                                double* matrix) {
      Vec2<double> f;
      double moment = 0;
      for (int k = 0; k < 6; ++k) {
        f.x += wrench.force.x.d[k] * by[k];
        f.z += wrench.force.z.d[k] * by[k];
        moment += wrench.moment.d[k] * by[k];
      }
      f = rotate(tilt, f);
      if (turns_lower) f += perp(force);
      double* const u = matrix + 3 * i * size + column;
      u[0] -= f.x;
      u[size] -= f.z;
      u[2 * size] -= moment;
      if (i + 1 == N) return;
      u[3 * size] += f.x;
      u[4 * size] += f.z;
      u[5 * size] += moment + dot(perp(span_by), force) + dot(perp(span), f);
    };
    const auto minus = [](Column c) {
      for (double& x : c) x = -x;
      return c;
    };
    const bool lower_moves = i + 1 < N;
    for (int axis = 0; axis < 2; ++axis) {
      const Vec2<double> unit = axis == 0 ? Vec2<double>{1, 0} : Vec2<double>{0, 1};
      const Vec2<double> by = rotate_back(tilt, unit), rate_by = rotate_back(tilt, -lower.rate * perp(unit));
      const Column q{by.x, by.z, 0, rate_by.x, rate_by.z, 0}, v{0, 0, 0, by.x, by.z, 0};
      add_column(q, unit, false, 3 * i + axis, of_q);
      add_column(v, {}, false, 3 * i + axis, of_v);
      if (!lower_moves) continue;
      add_column(minus(q), -unit, false, 3 * i + 3 + axis, of_q);
      add_column(minus(v), {}, false, 3 * i + 3 + axis, of_v);
    }
    add_column({0, 0, 1, 0, 0, 0}, {}, false, 3 * i + 2, of_q);
    add_column({0, 0, 0, 0, 0, 1}, {}, false, 3 * i + 2, of_v);
    if (!lower_moves) return;
    const Vec2<double> turned = rotate_back(tilt, -perp(span)),
                       rate_turned = rotate_back(tilt, -perp(closing));
    add_column({turned.x, turned.z, -1, rate_turned.x, rate_turned.z, 0}, {}, true, 3 * i + 5, of_q);
    add_column({0, 0, 0, turned.x, turned.z, -1}, {}, false, 3 * i + 5, of_v);
  }

 private:
  std::array<Body, N> body_{};
  PlanarMotion<double> base_{};
};

}  // namespace spondyl
