#pragma once

#include <array>

#include "math/matrix3.h"

namespace spondyl {

/// N rigid bodies in space, joined to a tree by spherical joints, in Euler parameters (Špička, Eq. 1-22). The
/// coordinates are the position r of the first body's centre of mass and the four parameters p_i of the
/// orientation of every body against the sled, all in sled axes: q = (r, p_0, p_1, ...). The joints need no
/// constraint, since positions follow from orientations; a body stands behind its parent in the list.
///
/// Equations. With ω, α of a body and ä(d) = α × d + ω × (ω × d) of a vector fixed to it, the force that must
/// act on body j is F_j = m_j a_j - f_j. Body i takes part in the balance of moments about its own joint,
///
///     R_i = I_i α_i + ω_i × I_i ω_i + u_i × F_i + Σ_c d_c × P_c - τ_i = 0,   P_c = Σ F_j over the branch c,
///
/// u_i its centre of mass and d_c the joint of its child c, both from its own joint; for the first body that
/// joint is its centre of mass, and P_0 = 0 is the balance of forces. These are Eq. 19 projected on the
/// virtual rotations of the bodies, which neither the joint forces nor the multiplier of the unit length
/// sees; so none of them is an unknown. The fourth equation of a body is its unit length as Eq. 3 has it:
///
///     p·p'' + p'·p' = 0.
///
/// Rotation, ω and α are taken from p/|p|, so that a length which is off by a rounding or an integration
/// error has no influence on the motion at all; `make_unit` puts it right after every step.
///
/// The residual costs O(N). For the derivatives the sums are ordered by body (augmented bodies): with b_i =
/// m_i u_i + Σ_c M_c d_c and Ĵ_i, the inertia about the joint with the branches as points at their joints,
///
///     R_i = Ĵ_i α_i + ω_i × Ĵ_i ω_i + b_i × (acceleration of joint i) + Σ_{k in branches} d_(i→k) × ä_k(b_k)
///     - ...
///
/// so that only bodies of which one carries the other are coupled.
template <int N>
class SpatialTree {
 public:
  static constexpr int positions = 3 + 4 * N;
  static constexpr int first_parameter(int body) { return 3 + 4 * body; }

  struct Body {
    int parent = -1;               ///< -1: the first body
    double mass = 0;               ///< kg
    Vec3<double> inertia;          ///< kg m², about the centre of mass, along the body's axes
    Vec3<double> joint_in_parent;  ///< m, from the parent's centre of mass, in its axes
    Vec3<double> joint;            ///< m, from the own centre of mass, in own axes; zero for the first body
  };

  SpatialTree() = default;
  explicit SpatialTree(const std::array<Body, N>& bodies) : body_(bodies) {
    for (int i = 0; i < N; ++i) branch_mass_[i] = bodies[i].mass;
    for (int i = N - 1; i > 0; --i) branch_mass_[bodies[i].parent] += branch_mass_[i];
    for (int i = 0; i < N; ++i) {
      centre_[i] = -bodies[i].joint;
      first_moment_[i] = bodies[i].mass * centre_[i];
      augmented_[i] = Mat3<double>::diagonal(bodies[i].inertia.x, bodies[i].inertia.y, bodies[i].inertia.z) +
                      point_mass(bodies[i].mass, centre_[i]);
    }
    for (int c = 1; c < N; ++c) {
      const int i = bodies[c].parent;
      link_[c] = bodies[c].joint_in_parent - bodies[i].joint;
      first_moment_[i] += branch_mass_[c] * link_[c];
      augmented_[i] += point_mass(branch_mass_[c], link_[c]);
    }
  }

  const Body& body(int i) const { return body_[i]; }
  int parent(int i) const { return body_[i].parent; }
  double mass() const { return branch_mass_[0]; }

  template <class T>
  static EulerParameters<T> parameters(const T* q, int i) {
    const T* const p = q + first_parameter(i);
    return {p[0], p[1], p[2], p[3]};
  }

  /// ω in sled axes from p and p', of any length: 2 E p'/|p|² with E x = (x ∘ p*)'s vector part, G = 2 E of
  /// Eq. 16.
  template <class T>
  static Vec3<T> angular_rate(const EulerParameters<T>& p, const EulerParameters<T>& rate) {
    return (2.0 / square(p)) * outer_part(rate, p);
  }

  /// Where the bodies are and how they move, against the sled and in its axes.
  template <class T>
  struct Motion {
    std::array<Mat3<T>, N> rotation;
    std::array<Vec3<T>, N> centre;  ///< u_i
    std::array<Vec3<T>, N> link;    ///< d_c, by child
    std::array<Vec3<T>, N> omega;
    std::array<Vec3<T>, N> position, velocity;  ///< of the centres of mass
  };

  template <class T>
  void move(const T* q, const T* v, Motion<T>& m) const {
    for (int i = 0; i < N; ++i) {
      const EulerParameters<T> p = parameters(q, i);
      m.rotation[i] = rotation(p);
      m.omega[i] = angular_rate(p, parameters(v, i));
    }
    m.position[0] = {q[0], q[1], q[2]};
    m.velocity[0] = {v[0], v[1], v[2]};
    m.centre[0] = m.link[0] = {};
    for (int i = 1; i < N; ++i) {
      const int k = body_[i].parent;
      m.centre[i] = m.rotation[i] * centre_[i].template cast<T>();
      m.link[i] = m.rotation[k] * link_[i].template cast<T>();
      const Vec3<T> from_parent = m.link[i] - m.centre[k];
      m.position[i] = m.position[k] + from_parent + m.centre[i];
      m.velocity[i] = m.velocity[k] + cross(m.omega[k], from_parent) + cross(m.omega[i], m.centre[i]);
    }
  }

  /// Motion of the sled in its own axes; gravity counts as an upward acceleration.
  template <class T>
  struct Frame {
    Vec3<T> acceleration, angular_velocity, angular_acceleration;
  };

  /// What acts on the bodies: force at the centre of mass, and moment, in sled axes.
  template <class T>
  struct Loads {
    std::array<Vec3<T>, N> force{}, moment{};
  };

  /// Accelerations against an inertial frame, in sled axes.
  template <class T>
  struct Inertia {
    std::array<Vec3<T>, N> omega, alpha;
    std::array<Vec3<T>, N> joint;         ///< acceleration of the joint
    std::array<Vec3<T>, N> acceleration;  ///< of the centre of mass
    std::array<Vec3<T>, N> section;       ///< P_i: through the joint on body i and all that it carries
    std::array<Vec3<T>, N> moment;        ///< R_i in sled axes
  };

  template <class T>
  void residual(const T* q, const T* v, const T* a, const Motion<T>& m, const Frame<T>& frame,
                const Loads<T>& loads, Inertia<T>& out, T* r) const {
    accelerate(q, v, a, m, frame, out);
    // from the tips inward
    std::array<Vec3<T>, N>& moment = out.moment;
    for (int i = 0; i < N; ++i) {
      const Body& b = body_[i];
      const Vec3<T> force = b.mass * out.acceleration[i] - loads.force[i];
      moment[i] = spin(m.rotation[i], b.inertia, out.omega[i], out.alpha[i]) + cross(m.centre[i], force) -
                  loads.moment[i];
      out.section[i] = force;
    }
    for (int i = N - 1; i > 0; --i) {
      const int k = body_[i].parent;
      moment[k] += cross(m.link[i], out.section[i]);
      out.section[k] += out.section[i];
    }
    store(out.section[0], r);
    for (int i = 0; i < N; ++i) {
      T* const row = r + first_parameter(i);
      store(transposed_times(m.rotation[i], moment[i]), row);
      const EulerParameters<T> p = parameters(q, i), rate = parameters(v, i), second = parameters(a, i);
      row[3] = inner(p, second) + inner(rate, rate);
    }
  }

  /// I α + ω × I ω in sled axes.
  template <class T>
  static Vec3<T> spin(const Mat3<T>& rotation, const Vec3<double>& inertia, const Vec3<T>& omega,
                      const Vec3<T>& alpha) {
    const auto times = [&](const Vec3<T>& x) {
      return Vec3<T>{inertia.x * x.x, inertia.y * x.y, inertia.z * x.z};
    };
    const Vec3<T> w = transposed_times(rotation, omega);
    return rotation * (times(transposed_times(rotation, alpha)) + cross(w, times(w)));
  }

  /// Kinetic energy of the motion against the sled.
  template <class T>
  T kinetic_energy(const Motion<T>& m) const {
    T twice(0);
    for (int i = 0; i < N; ++i) {
      const Vec3<double>& I = body_[i].inertia;
      const Vec3<T> w = transposed_times(m.rotation[i], m.omega[i]);
      twice += body_[i].mass * dot(m.velocity[i], m.velocity[i]) + I.x * w.x * w.x + I.y * w.y * w.y +
               I.z * w.z * w.z;
    }
    return 0.5 * twice;
  }

  /// p of unit length, p' and p'' those of a unit p, at the same rotation, ω and α.
  static void make_unit(double* q, double* v, double* a) {
    for (int i = 0; i < N; ++i) {
      EulerParameters<double> p = parameters(q, i);
      const Vec3<double> omega = angular_rate(p, parameters(v, i));
      const Vec3<double> alpha = angular_acceleration(p, parameters(v, i), parameters(a, i), omega);
      const double scale = 1 / std::sqrt(square(p));
      p = {scale * p.w, scale * p.x, scale * p.y, scale * p.z};
      set_parameters(p, omega, alpha, i, q, v, a);
    }
  }

  /// Writes p_i, p_i' and p_i'' for unit p and given ω, α in sled axes.
  static void set_parameters(const EulerParameters<double>& p, const Vec3<double>& omega,
                             const Vec3<double>& alpha, int i, double* q, double* v, double* a) {
    const EulerParameters<double> rate = EulerParameters<double>{0, omega.x, omega.y, omega.z} * p;
    const EulerParameters<double> turn = EulerParameters<double>{0, alpha.x, alpha.y, alpha.z} * p;
    const double inward = 0.25 * dot(omega, omega);
    double *const to_q = q + first_parameter(i), *const to_v = v + first_parameter(i),
                  *const to_a = a + first_parameter(i);
    const double ps[4] = {p.w, p.x, p.y, p.z}, rates[4] = {rate.w, rate.x, rate.y, rate.z},
                 turns[4] = {turn.w, turn.x, turn.y, turn.z};
    for (int c = 0; c < 4; ++c) {
      to_q[c] = ps[c];
      to_v[c] = 0.5 * rates[c];
      to_a[c] = 0.5 * turns[c] - inward * ps[c];
    }
  }

  // -- derivatives

  /// The derivatives of the residual, n × n by rows as the solver has them, n = positions. Only the blocks of
  /// coupled bodies are touched.
  class Derivatives {
   public:
    /// With loads held constant; `inertia` and `loads` as at the residual.
    Derivatives(const SpatialTree& tree, const double* q, const double* v, const double* a,
                const Motion<double>& m, const Frame<double>& frame, const Loads<double>& loads,
                const Inertia<double>& inertia, double* of_position, double* of_velocity,
                double* of_acceleration)
        : tree_(tree), motion_(m), q_(of_position), v_(of_velocity), a_(of_acceleration) {
      clear();
      for (int i = 0; i < N; ++i) differentiate_rotation(i, q, v, a, frame);
      add_inertia(frame, loads, inertia);
      for (int i = 0; i < N; ++i)
        for (int c = 0; c < 4; ++c) {
          const int row = first_parameter(i) + 3, column = first_parameter(i) + c;
          q_[row * positions + column] = a[column];
          v_[row * positions + column] = 2 * v[column];
          a_[row * positions + column] = q[column];
        }
    }

    /// A moment on body i, its opposite on its parent, by the rotations (as small rotation vectors) and
    /// angular velocities of both.
    struct Joint {
      Mat3<double> turn, parent_turn, rate, parent_rate;
    };
    void add_joint(int i, const Joint& moment) {
      const int k = tree_.parent(i);
      for (const int column : {i, k}) {
        const Map& by = map_[column];
        const Columns of_q = (column == i ? moment.turn : moment.parent_turn) * by.turn +
                             (column == i ? moment.rate : moment.parent_rate) * by.rate;
        const Columns of_v = (column == i ? moment.rate : moment.parent_rate) * by.turn;
        subtract(q_, i, column, of_q);
        add(q_, k, column, of_q);
        subtract(v_, i, column, of_v);
        add(v_, k, column, of_v);
      }
    }

    /// Force at the centre of mass of body i and moment on it, by its position, rotation, velocity and
    /// angular velocity.
    struct Wrench {
      Mat3<double> position, turn, velocity, rate;
      Mat3<double> moment_position, moment_turn, moment_velocity, moment_rate;
    };
    void add_wrench(int body, const Wrench& w) {
      // the first body's position
      subtract_wrench(body, w.position, w.moment_position, q_);
      subtract_wrench(body, w.velocity, w.moment_velocity, v_);
      // every body that carries it, then itself
      for (int link = body; link > 0; link = tree_.parent(link)) {
        const int k = tree_.parent(link);
        const Map& by = map_[k];
        const Vec3<double> arm = motion_.link[link];
        const Columns position = cross(arm, by.turn);  // negative
        const Columns velocity = cross(motion_.omega[k], position) + cross(arm, by.rate);
        subtract_wrench(body, k, -(w.position * position + w.velocity * velocity),
                        -(w.moment_position * position + w.moment_velocity * velocity), q_);
        subtract_wrench(body, k, -(w.velocity * position), -(w.moment_velocity * position), v_);
      }
      const Map& by = map_[body];
      const Vec3<double> arm = motion_.centre[body];
      const Columns position = cross(arm, by.turn);
      const Columns velocity = cross(motion_.omega[body], position) + cross(arm, by.rate);
      subtract_wrench(body, body,
                      w.turn * by.turn + w.rate * by.rate - (w.position * position + w.velocity * velocity),
                      w.moment_turn * by.turn + w.moment_rate * by.rate -
                          (w.moment_position * position + w.moment_velocity * velocity),
                      q_);
      subtract_wrench(body, body, w.rate * by.turn - w.velocity * position,
                      w.moment_rate * by.turn - w.moment_velocity * position, v_);
    }

    /// Moments into the axes of their bodies, as residual() has them; to be called when all is added.
    void turn_into_body_axes(const Inertia<double>& inertia) {
      for (int i = 0; i < N; ++i) {
        const Mat3<double>& A = motion_.rotation[i];
        add(q_, i, i, cross(inertia.moment[i], map_[i].turn));
        for (double* m : {q_, v_, a_}) {
          double* const row = at(m, first_parameter(i), 0);
          const auto turn = [&](int first, int count) {
            for (int c = first; c < first + count; ++c) {
              const Vec3<double> x =
                  transposed_times(A, {row[c], row[positions + c], row[2 * positions + c]});
              row[c] = x.x, row[positions + c] = x.y, row[2 * positions + c] = x.z;
            }
          };
          turn(0, 3);
          for (int k = 0; k < N; ++k)
            if (tree_.carries(i, k) || tree_.carries(k, i)) turn(first_parameter(k), 4);
        }
      }
    }

    /// The first body does not move: its equations become r'' = 0, p'' = 0.
    void fix_first() {
      for (int row = 0; row < first_parameter(1); ++row)
        for (int column = 0; column < positions; ++column) {
          const int at = row * positions + column;
          q_[at] = v_[at] = 0;
          a_[at] = row == column ? 1 : 0;
        }
    }

   private:
    /// What the four parameters of a body do to a vector.
    struct Columns {
      std::array<Vec3<double>, 4> c;

      friend Columns operator+(const Columns& a, const Columns& b) {
        return {{a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2], a.c[3] + b.c[3]}};
      }
      friend Columns operator-(const Columns& a, const Columns& b) { return a + (-b); }
      friend Columns operator-(const Columns& a) { return {{-a.c[0], -a.c[1], -a.c[2], -a.c[3]}}; }
      friend Columns operator*(const Mat3<double>& m, const Columns& a) {
        return {{m * a.c[0], m * a.c[1], m * a.c[2], m * a.c[3]}};
      }
      friend Columns operator*(double s, const Columns& a) {
        return {{s * a.c[0], s * a.c[1], s * a.c[2], s * a.c[3]}};
      }
      friend Columns cross(const Vec3<double>& v, const Columns& a) {
        return {{cross(v, a.c[0]), cross(v, a.c[1]), cross(v, a.c[2]), cross(v, a.c[3])}};
      }
      /// v pᵀ
      static Columns outer(const Vec3<double>& v, const EulerParameters<double>& p) {
        return {{p.w * v, p.x * v, p.y * v, p.z * v}};
      }
      /// E of p
      static Columns e(const EulerParameters<double>& p) {
        const Vec3<double> x = p.vector();
        return {{-x, {p.w, x.z, -x.y}, {-x.z, p.w, x.x}, {x.y, -x.x, p.w}}};
      }
    };

    /// Small rotation, ω and inertial α by p; ω by p' is `turn` as well, and so is α by p''.
    struct Map {
      Columns turn, rate, acceleration, acceleration_by_rate;
    };

    void differentiate_rotation(int i, const double* q, const double* v, const double* a,
                                const Frame<double>& frame) {
      const EulerParameters<double> p = parameters(q, i), rate = parameters(v, i), second = parameters(a, i);
      const double n = square(p), s = 1 / n, drift = 2 * s * inner(p, rate);
      const Vec3<double> omega = motion_.omega[i], plain = (2 * s) * outer_part(second, p);
      Map& m = map_[i];
      m.turn = (2 * s) * Columns::e(p);
      m.rate = -((2 * s) * (Columns::e(rate) + Columns::outer(omega, p)));
      m.acceleration = -((2 * s) * (Columns::e(second) + Columns::outer(plain - drift * omega, p) +
                                    Columns::outer(omega, rate)) +
                         drift * m.rate) +
                       cross(frame.angular_velocity, m.rate);
      m.acceleration_by_rate =
          -(drift * m.turn + (2 * s) * Columns::outer(omega, p)) + cross(frame.angular_velocity, m.turn);
    }

    /// -ä of a vector fixed to body k, by its parameters and their derivatives.
    struct Swing {
      Columns of_q, of_v, of_a;
    };
    Swing swing(int k, const Inertia<double>& inertia, const Vec3<double>& d) const {
      const Vec3<double> w = inertia.omega[k];
      const Map& by = map_[k];
      const Columns turned = cross(d, by.turn), rated = cross(d, by.rate);
      const Vec3<double> speed = cross(w, d);
      const auto by_omega = [&](const Columns& omega, const Columns& d_omega) {
        return cross(speed, omega) + cross(w, d_omega);
      };
      Swing s;
      s.of_q = cross(inertia.alpha[k], turned) + cross(w, cross(w, turned)) + by_omega(by.rate, rated) +
               cross(d, by.acceleration);
      s.of_v = by_omega(by.turn, turned) + cross(d, by.acceleration_by_rate);
      s.of_a = turned;
      return s;
    }

    void add_inertia(const Frame<double>& frame, const Loads<double>& loads, const Inertia<double>& in) {
      const Mat3<double> turning = cross_matrix(frame.angular_velocity);
      const Mat3<double> of_r = cross_matrix(frame.angular_acceleration) + turning * turning,
                         of_speed = 2.0 * turning, one = Mat3<double>::scaled_identity(1);
      const double mass = tree_.mass();
      set_base(q_, mass * of_r);
      set_base(v_, mass * of_speed);
      set_base(a_, mass * one);
      for (int i = 0; i < N; ++i) {
        const Mat3<double>& A = motion_.rotation[i];
        const Vec3<double> b = A * tree_.first_moment_[i], w = in.omega[i], alpha = in.alpha[i];
        const Map& by = map_[i];
        // the base's acceleration
        add_base(q_, i, cross(b, of_r));
        add_base(v_, i, cross(b, of_speed));
        add_base(a_, i, cross(b, one));
        // itself
        const Mat3<double> J = A * tree_.augmented_[i] * A.transposed();
        Mat3<double> turn = J * cross_matrix(alpha) - cross_matrix(J * alpha) +
                            cross(w, J * cross_matrix(w) - cross_matrix(J * w)) +
                            cross(in.joint[i], cross_matrix(b)) -
                            cross(loads.force[i], cross_matrix(motion_.centre[i]));
        for (int c = i + 1; c < N; ++c)
          if (tree_.parent(c) == i)
            turn += cross(in.section[c] - tree_.branch_mass_[c] * in.joint[c], cross_matrix(motion_.link[c]));
        const Mat3<double> rate = cross(w, J) - cross_matrix(J * w);
        add(q_, i, i, turn * by.turn + rate * by.rate + J * by.acceleration);
        add(v_, i, i, rate * by.turn + J * by.acceleration_by_rate);
        add(a_, i, i, J * by.turn);
        // bodies that carry it, and the base's balance of forces: they feel b swing
        const Swing own = swing(i, in, b);
        subtract_base_row(q_, i, own.of_q);
        subtract_base_row(v_, i, own.of_v);
        subtract_base_row(a_, i, own.of_a);
        for (int link = i; link > 0; link = tree_.parent(link)) {
          const int k = tree_.parent(link);
          const Vec3<double>& d = motion_.link[link];
          subtract(q_, k, i, cross(d, own.of_q));
          subtract(v_, k, i, cross(d, own.of_v));
          subtract(a_, k, i, cross(d, own.of_a));
        }
      }
      // bodies that are carried feel the joint swing
      for (int link = 1; link < N; ++link) {
        const int k = tree_.parent(link);
        const Swing s = swing(k, in, motion_.link[link]);
        for (int i = link; i < N; ++i) {
          if (!tree_.carries(link, i)) continue;
          const Vec3<double> b = motion_.rotation[i] * tree_.first_moment_[i];
          subtract(q_, i, k, cross(b, s.of_q));
          subtract(v_, i, k, cross(b, s.of_v));
          subtract(a_, i, k, cross(b, s.of_a));
        }
      }
    }

    // -- blocks

    void clear() {
      for (double* m : {q_, v_, a_}) {
        for (int row = 0; row < 3; ++row) std::fill_n(m + row * positions, positions, 0.0);
        for (int i = 0; i < N; ++i)
          for (int row = first_parameter(i); row < first_parameter(i) + 4; ++row) {
            std::fill_n(m + row * positions, 3, 0.0);
            for (int k = 0; k < N; ++k)
              if (tree_.carries(i, k) || tree_.carries(k, i))
                std::fill_n(m + row * positions + first_parameter(k), 4, 0.0);
          }
      }
    }

    static double* at(double* m, int row, int column) { return m + row * positions + column; }
    static void add_columns(double* to, const Columns& c, double sign) {
      for (int k = 0; k < 4; ++k) {
        to[k] += sign * c.c[k].x;
        to[positions + k] += sign * c.c[k].y;
        to[2 * positions + k] += sign * c.c[k].z;
      }
    }
    static void add_matrix(double* to, const Mat3<double>& m, double sign) {
      const Vec3<double>* const columns[3] = {&m.x, &m.y, &m.z};
      for (int k = 0; k < 3; ++k) {
        to[k] += sign * columns[k]->x;
        to[positions + k] += sign * columns[k]->y;
        to[2 * positions + k] += sign * columns[k]->z;
      }
    }
    static void add(double* m, int i, int k, const Columns& c) {
      add_columns(at(m, first_parameter(i), first_parameter(k)), c, 1);
    }
    static void subtract(double* m, int i, int k, const Columns& c) {
      add_columns(at(m, first_parameter(i), first_parameter(k)), c, -1);
    }
    static void subtract_base_row(double* m, int k, const Columns& c) {
      add_columns(at(m, 0, first_parameter(k)), c, -1);
    }
    static void add_base(double* m, int i, const Mat3<double>& c) {
      add_matrix(at(m, first_parameter(i), 0), c, 1);
    }
    static void set_base(double* m, const Mat3<double>& c) { add_matrix(m, c, 1); }

    /// Change of a force on `body` and of its moment with the parameters of body `column`, in all rows.
    void subtract_wrench(int body, int column, const Columns& force, const Columns& moment, double* m) {
      subtract_base_row(m, column, force);
      subtract(m, body, column, moment + cross(motion_.centre[body], force));
      for (int link = body; link > 0; link = tree_.parent(link))
        subtract(m, tree_.parent(link), column, cross(motion_.link[link], force));
    }
    /// The same with the first body's position.
    void subtract_wrench(int body, const Mat3<double>& force, const Mat3<double>& moment, double* m) {
      add_matrix(m, force, -1);
      add_matrix(at(m, first_parameter(body), 0), moment + cross(motion_.centre[body], force), -1);
      for (int link = body; link > 0; link = tree_.parent(link))
        add_matrix(at(m, first_parameter(tree_.parent(link)), 0), cross(motion_.link[link], force), -1);
    }

    const SpatialTree& tree_;
    const Motion<double>& motion_;
    double *const q_, *const v_, *const a_;
    std::array<Map, N> map_;
  };

  /// Is body k the body i, or carried by it?
  bool carries(int i, int k) const {
    while (k > i) k = body_[k].parent;
    return k == i;
  }

 private:
  template <class T>
  static T inner(const EulerParameters<T>& a, const EulerParameters<T>& b) {
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  }
  template <class T>
  static T square(const EulerParameters<T>& p) {
    return inner(p, p);
  }
  /// E(p) x
  template <class T>
  static Vec3<T> outer_part(const EulerParameters<T>& x, const EulerParameters<T>& p) {
    return p.w * x.vector() - x.w * p.vector() + cross(p.vector(), x.vector());
  }
  template <class T>
  static Vec3<T> angular_acceleration(const EulerParameters<T>& p, const EulerParameters<T>& rate,
                                      const EulerParameters<T>& second, const Vec3<T>& omega) {
    const T s = 2.0 / square(p);
    return s * (outer_part(second, p) - inner(p, rate) * omega);
  }
  template <class T>
  static void store(const Vec3<T>& x, T* to) {
    to[0] = x.x, to[1] = x.y, to[2] = x.z;
  }
  static Mat3<double> point_mass(double mass, const Vec3<double>& at) {
    return mass * (Mat3<double>::scaled_identity(dot(at, at)) - outer(at, at));
  }

  template <class T>
  void accelerate(const T* q, const T* v, const T* a, const Motion<T>& m, const Frame<T>& frame,
                  Inertia<T>& out) const {
    const auto swing = [&](int i, const Vec3<T>& d) {
      return cross(out.alpha[i], d) + cross(out.omega[i], cross(out.omega[i], d));
    };
    const Vec3<T>&turning = frame.angular_velocity, &r = m.position[0];
    for (int i = 0; i < N; ++i) {
      out.omega[i] = m.omega[i] + turning;
      out.alpha[i] = angular_acceleration(parameters(q, i), parameters(v, i), parameters(a, i), m.omega[i]) +
                     frame.angular_acceleration + cross(turning, m.omega[i]);
    }
    out.joint[0] = out.acceleration[0] =
        frame.acceleration + Vec3<T>{a[0], a[1], a[2]} + cross(frame.angular_acceleration, r) +
        cross(turning, cross(turning, r)) + 2.0 * cross(turning, m.velocity[0]);
    for (int i = 1; i < N; ++i) {
      const int k = body_[i].parent;
      out.joint[i] = out.joint[k] + swing(k, m.link[i]);
      out.acceleration[i] = out.joint[i] + swing(i, m.centre[i]);
    }
  }

  std::array<Body, N> body_{};
  std::array<double, N> branch_mass_{};
  std::array<Vec3<double>, N> centre_{}, link_{}, first_moment_{};  ///< in body axes
  std::array<Mat3<double>, N> augmented_{};
};

}  // namespace spondyl
