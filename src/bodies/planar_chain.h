#pragma once

#include <array>

#include "math/planar.h"

namespace spondyl {

/// N rigid bodies in the sagittal plane, each turning about a pivot fixed to the body below; the first pivot
/// is fixed to the moving base. The coordinates are the absolute forward tilts φ_i of the bodies (Fritzkowski
/// 2014, Eq. 22-47).
///
/// With p⊥ = dp/dφ a body-fixed vector p has the acceleration α(p) = φ'' p⊥ - φ'² p, so the force that must
/// act on body i is F_i = m_i (G + Σ_{j<i} α_j(d_j) + α_i(S_i)) - f_i, and the equations of motion are
///
///     R_i = I_i φ''_i + S_i⊥·F_i + d_i⊥·Σ_{j>i} F_j - (moments on body i) = 0
///
/// d_i the next pivot and S_i the centre of mass, both from the body's own pivot; G the acceleration of the
/// base less gravity; f_i external force at the centre of mass. O(N), no mass matrix: it is Eq. 43 before its
/// sums are multiplied out. Pairs that act between neighbours (joints, ligaments) depend on the relative
/// angle alone and enter as a moment on the upper body and its opposite on the lower one.
template <int N>
class PlanarChain {
 public:
  struct Body {
    double mass = 0, inertia = 0;     ///< kg, kg m² about the centre of mass
    Vec2<double> next_pivot, centre;  ///< m, in the body's axes from its own pivot
  };

  PlanarChain() = default;
  explicit PlanarChain(const std::array<Body, N>& bodies) : body_(bodies) {
    double above = 0;
    for (int i = N - 1; i >= 0; --i) {
      mass_above_[i] = above;
      above += bodies[i].mass;
    }
  }

  const Body& body(int i) const { return body_[i]; }

  template <class T>
  struct Pose {
    std::array<SinCos<T>, N> tilt;
    std::array<Vec2<T>, N> link;    ///< d_i in sled axes
    std::array<Vec2<T>, N> centre;  ///< S_i in sled axes
  };

  template <class T>
  Pose<T> pose(const T* q) const {
    Pose<T> p;
    for (int i = 0; i < N; ++i) p.tilt[i] = sin_cos(q[i]);
    for (int i = 0; i < N; ++i) {
      p.link[i] = rotate(p.tilt[i], body_[i].next_pivot);
      p.centre[i] = rotate(p.tilt[i], body_[i].centre);
    }
    return p;
  }

  /// sin and cos of the tilt of body i against the body below (the base does not turn).
  template <class T>
  static SinCos<T> relative_tilt(const Pose<T>& p, int i) {
    const SinCos<T>& u = p.tilt[i];
    if (i == 0) return u;
    const SinCos<T>& l = p.tilt[i - 1];
    return {u.sin * l.cos - u.cos * l.sin, u.cos * l.cos + u.sin * l.sin};
  }

  /// What acts on the bodies from outside: force at the centre of mass, and moment about +y.
  template <class T>
  struct Loads {
    std::array<Vec2<T>, N> force{};
    std::array<T, N> moment{};
  };

  /// Accelerations of the centres of mass against the base and, summed from above, the total force that
  /// passes through each level.
  template <class T>
  struct Inertia {
    std::array<Vec2<T>, N> acceleration;
    std::array<Vec2<T>, N> section;  ///< Σ_{j≥i} F_j: on body i and all above, from below
  };

  /// R without the moments of neighbours, which the caller adds.
  template <class T>
  Inertia<T> residual(const Pose<T>& p, const T* v, const T* a, const Vec2<T>& base, const Loads<T>& loads,
                      T* r) const {
    Inertia<T> out;
    std::array<Vec2<T>, N> force;
    Vec2<T> pivot{};
    for (int i = 0; i < N; ++i) {
      const T square = v[i] * v[i];
      out.acceleration[i] = pivot + a[i] * perp(p.centre[i]) - square * p.centre[i];
      pivot += a[i] * perp(p.link[i]) - square * p.link[i];
      force[i] = body_[i].mass * (base + out.acceleration[i]) - loads.force[i];
    }
    Vec2<T> above{};
    for (int i = N - 1; i >= 0; --i) {
      r[i] = body_[i].inertia * a[i] + dot(perp(p.centre[i]), force[i]) + dot(perp(p.link[i]), above) -
             loads.moment[i];
      above += force[i];
      out.section[i] = above;
    }
    return out;
  }

  /// ∂R/∂q, ∂R/∂v, ∂R/∂a of the above (loads constant), row-major N × N, overwritten. `inertia` is what
  /// residual() has returned at the same point.
  void jacobian(const Pose<double>& p, const double* v, const double* a, const Inertia<double>& inertia,
                double* of_q, double* of_v, double* of_a) const {
    for (int i = 0; i < N; ++i) {
      const Vec2<double>&S = p.centre[i], &d = p.link[i];
      const double m = body_[i].mass, above = mass_above_[i];
      const double radius = m * dot(S, S) + above * dot(d, d);
      const Vec2<double> through = i + 1 < N ? inertia.section[i + 1] : Vec2<double>{};
      of_q[i * N + i] = -dot(S, inertia.section[i] - through) - dot(d, through) - v[i] * v[i] * radius;
      of_v[i * N + i] = 0;
      of_a[i * N + i] = body_[i].inertia + radius;
      // first moment of the body and of all that it carries
      const Vec2<double> b = m * S + above * d;
      for (int j = 0; j < i; ++j) {
        const double along = dot(b, p.link[j]), across = dot(perp(b), p.link[j]);
        of_q[i * N + j] = -a[j] * across - v[j] * v[j] * along;
        of_q[j * N + i] = a[i] * across - v[i] * v[i] * along;
        of_v[i * N + j] = -2 * v[j] * across;
        of_v[j * N + i] = 2 * v[i] * across;
        of_a[i * N + j] = of_a[j * N + i] = along;
      }
    }
  }

  /// A point fixed to the last body, `arm` from its pivot in sled axes: how it moves.
  template <class T>
  PointMotion<T> motion_on_last(const Pose<T>& p, const T* v, const Vec2<T>& arm) const {
    PointMotion<T> m{arm, v[N - 1] * perp(arm)};
    for (int i = 0; i + 1 < N; ++i) {
      m.position += p.link[i];
      m.velocity += v[i] * perp(p.link[i]);
    }
    return m;
  }

  /// A force on a point of the last body with its derivatives, as a law gives them.
  struct PointForce {
    Vec2<double> force;
    double moment = 0;           ///< about the point
    double of_position[3][2]{};  ///< ∂(Fx, Fz, moment)/∂(x, z)
    double of_velocity[3][3]{};  ///< ∂(Fx, Fz, moment)/∂(x', z', φ'_N)
  };
  /// R and its derivatives change by the force: R_i -= t_i·F, with t_i the motion of the point for φ'_i = 1.
  void add_jacobian(const Pose<double>& p, const double* v, const Vec2<double>& arm, const PointForce& f,
                    double* of_q, double* of_v) const {
    std::array<Vec2<double>, N> lever;  // t_i = lever⊥
    for (int i = 0; i < N; ++i) lever[i] = i + 1 < N ? p.link[i] : arm;
    for (int j = 0; j < N; ++j) {
      const Vec2<double> t = perp(lever[j]), turn = -v[j] * lever[j];
      double by_q[3], by_v[3];  // change of (Fx, Fz, moment) with φ_j and φ'_j
      for (int k = 0; k < 3; ++k) {
        by_q[k] = f.of_position[k][0] * t.x + f.of_position[k][1] * t.z + f.of_velocity[k][0] * turn.x +
                  f.of_velocity[k][1] * turn.z;
        by_v[k] =
            f.of_velocity[k][0] * t.x + f.of_velocity[k][1] * t.z + (j == N - 1 ? f.of_velocity[k][2] : 0);
      }
      for (int i = 0; i < N; ++i) {
        const Vec2<double> s = perp(lever[i]);
        of_q[i * N + j] -= s.x * by_q[0] + s.z * by_q[1] + (i == N - 1 ? by_q[2] : 0);
        of_v[i * N + j] -= s.x * by_v[0] + s.z * by_v[1] + (i == N - 1 ? by_v[2] : 0);
      }
      of_q[j * N + j] += dot(lever[j], f.force);  // -t_j turns with φ_j
    }
  }

 private:
  std::array<Body, N> body_{};
  std::array<double, N> mass_above_{};
};

}  // namespace spondyl
