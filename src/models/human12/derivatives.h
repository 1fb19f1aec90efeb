#pragma once

/// The exact derivatives of the equations. What is polynomial (inertia, constraints, how forces and torques
/// act on elements) is differentiated by hand, laws by dual numbers in the few vectors that they depend on.

#include "models/human12/equations.h"
#include "solvers/dae.h"

namespace spondyl::human12 {

class Derivatives {
 public:
  Derivatives(const Data& d, const Settings& set, const History& history, const Inputs<double>& in,
              const Evaluation<double>& e, const Arguments<double>& x, const Jacobian& j)
      : d_(d),
        set_(set),
        history_(history),
        in_(in),
        e_(e),
        x_(x),
        j_(j),
        n_(set.positions() + set.payouts() + constraints),
        np_(set.positions()) {}

  /// Into matrices that are zero.
  void assemble(bool turning) {
    add_inertia(turning);
    add_constraints();
    for (int b = 0; b < bodies; ++b) arm_rates_[b] = d_.system.bodies()[b].arms(x_.v);
    for (int b = 1; b < bodies; ++b) add_joint(b);
    for (int b = 0; b < bodies; ++b) add_turned_torque(b, in_.moment[b], 1);
    for (std::size_t k = 0; k < set_.plane_pairs.size(); ++k) add_plane(k);
    for (std::size_t k = 0; k < set_.impactor_spheres.size(); ++k) add_impactor(k);
    for (int k = 0; k < set_.payouts(); ++k) add_belt(k);
    if (set_.base_fixed) hold_base();
  }

 private:
  using Mat3 = Eigen::Matrix3d;

  static Mat3 skew(const Vec3<double>& a) {
    Mat3 m;
    m << 0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0;
    return m;
  }
  /// Derivative of a vector by the variables first to first + 2.
  template <int N>
  static Mat3 part(const Vec3<Dual<N>>& f, int first) {
    Mat3 m;
    for (int c = 0; c < 3; ++c) {
      m(0, c) = f.x.d[first + c];
      m(1, c) = f.y.d[first + c];
      m(2, c) = f.z.d[first + c];
    }
    return m;
  }
  template <int N>
  static Vec3<Dual<N>> variable(const Vec3<double>& v, int first) {
    return {Dual<N>::variable(v.x, first), Dual<N>::variable(v.y, first + 1),
            Dual<N>::variable(v.z, first + 2)};
  }
  void add(double* matrix, int row_element, int column_element, const Mat3& m) const {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) matrix[(3 * row_element + r) * n_ + 3 * column_element + c] += m(r, c);
  }
  void add_diagonal(double* matrix, int row_element, int column_element, double x) const {
    for (int r = 0; r < 3; ++r) matrix[(3 * row_element + r) * n_ + 3 * column_element + r] += x;
  }

  void add_inertia(bool turning) const {
    Mat3 of_position, of_velocity;
    if (turning) {
      const Mat3 w = skew(in_.sled.angular_velocity);
      of_position = skew(in_.sled.angular_acceleration) + w * w;
      of_velocity = 2 * w;
    }
    const auto entry = [&](int row, int column, double mass) {
      add_diagonal(j_.of_acceleration, row, column, mass);
      if (!turning) return;
      add(j_.of_position, row, column, mass * of_position);
      add(j_.of_velocity, row, column, mass * of_velocity);
    };
    for (const NaturalSystem::MassEntry& m : d_.system.mass_entries()) entry(m.row, m.column, m.mass);
    if (set_.with_impactor) entry(impactor, impactor, set_.impactor_mass);
  }

  void add_constraints() const {
    const NaturalSystem& s = d_.system;
    const int first = np_ + set_.payouts();
    s.derivative(x_.q, true, [&](int row, int column, double g) {
      j_.of_acceleration[(first + row) * n_ + column] += g;
      j_.of_position[column * n_ + first + row] += g;
    });
    s.derivative(x_.v, false, [&](int row, int column, double g) {
      j_.of_velocity[(first + row) * n_ + column] += 2 * g;
    });
    s.derivative(x_.a, false,
                 [&](int row, int column, double g) { j_.of_position[(first + row) * n_ + column] += g; });
    s.reaction_derivative(
        x_.lambda, [&](int row, int column, double l) { add_diagonal(j_.of_position, row, column, l); });
  }

  /// What a torque on a body does to the residual when the body's arms turn.
  void add_turned_torque(int b, const Vec3<double>& torque, double sign) const {
    const NaturalBody& body = d_.system.bodies()[b];
    const Mat3 half = (-0.5 * sign) * skew(torque);
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 4; ++k)
        add(j_.of_position, body.number(i), body.number(k), body.turning(i, k) * half);
  }
  /// A torque's own change by one element.
  void add_changed_torque(double* matrix, int b, const Mat3& change, int column_element) const {
    const NaturalBody& body = d_.system.bodies()[b];
    for (int i = 0; i < 4; ++i) {
      const Vec3<double> half = 0.5 * e_.arms[b][i];
      double* to = matrix + 3 * body.number(i) * n_ + 3 * column_element;
      for (int c = 0; c < 3; ++c, ++to) {
        const Vec3<double> turned = cross(half, {change(0, c), change(1, c), change(2, c)});
        to[0] += turned.x, to[n_] += turned.y, to[2 * n_] += turned.z;
      }
    }
  }

  void add_joint(int b) const {
    const Joint& j = d_.joint[b];
    const int p = parent[b];
    const NaturalBody &inner = d_.system.bodies()[p], &outer = d_.system.bodies()[b];
    const Vec3<double> torque = e_.limit[b] + e_.damper[b];
    Mat3 of_rate = Mat3::Zero(), of_direction[4];
    const bool limited = dot(e_.limit[b], e_.limit[b]) > 0;
    if (limited) {
      using D = Dual<12>;
      const std::array<Vec3<double>, 4> s = joint_directions(d_, b, x_.q);
      const Vec3<D> t = limit_torque<D>(
          j, is_hinge(b),
          {variable<12>(s[0], 0), variable<12>(s[1], 3), variable<12>(s[2], 6), variable<12>(s[3], 9)});
      for (int k = 0; k < 4; ++k) of_direction[k] = part(t, 3 * k);
    }
    if (set_.joint_damping) {
      of_rate = -j.damping * Mat3::Identity();
      if (j.friction.moment != 0)
        of_rate += part(j.friction.torque(variable<3>(e_.omega[b] - e_.omega[p], 0)), 0);
    }
    for (int i = 0; i < 4; ++i) {
      // of the outer body's elements, then of the inner one's, with the opposite angular velocity
      Mat3 by_position = -0.5 * of_rate * skew(arm_rates_[b][i]);
      if (limited) by_position += j.on_child[i] * of_direction[3];
      Mat3 by_velocity = 0.5 * of_rate * skew(e_.arms[b][i]);
      const auto both = [&](int column) {
        add_changed_torque(j_.of_position, b, by_position, column);
        add_changed_torque(j_.of_position, p, -by_position, column);
        add_changed_torque(j_.of_velocity, b, by_velocity, column);
        add_changed_torque(j_.of_velocity, p, -by_velocity, column);
      };
      both(outer.number(i));
      by_position = 0.5 * of_rate * skew(arm_rates_[p][i]);
      if (limited)
        for (int k = 0; k < 3; ++k) by_position += j.on_parent[k][i] * of_direction[k];
      by_velocity = -0.5 * of_rate * skew(e_.arms[p][i]);
      both(inner.number(i));
    }
    add_turned_torque(b, torque, 1);
    add_turned_torque(p, torque, -1);
  }

  void add_plane(std::size_t k) const {
    const auto [number, which] = set_.plane_pairs[k];
    const SpatialPlane<double>& plane = in_.plane[number];
    if (!plane.active) return;
    const Sphere& s = d_.spheres[which];
    const NaturalBody& body = d_.system.bodies()[s.body];
    const Vec3<double> centre = body.combine(s.centre, x_.q);
    if (!(plane.height(centre) < s.radius)) return;
    using D = Dual<9>;
    SpatialPlane<D> surface;
    surface.point = plane.point.cast<D>();
    surface.normal = plane.normal.cast<D>();
    surface.velocity = plane.velocity.cast<D>();
    surface.friction = plane.friction;
    const Touch<D> t =
        touch_plane<D>(d_.contact, surface, s.radius, history_.touch_speed[k], variable<9>(centre, 0),
                       variable<9>(body.combine(s.centre, x_.v), 3), variable<9>(e_.omega[s.body], 6));
    const Mat3 of_place = part(t.force, 0), of_speed = part(t.force, 3), of_rate = part(t.force, 6);
    const Mat3 arm = skew(-s.radius * plane.normal);
    const Vec3<double> torque{t.torque.x.v, t.torque.y.v, t.torque.z.v};
    for (int c = 0; c < 4; ++c) {
      const Mat3 by_position = s.centre[c] * of_place - 0.5 * of_rate * skew(arm_rates_[s.body][c]);
      const Mat3 by_velocity = s.centre[c] * of_speed + 0.5 * of_rate * skew(e_.arms[s.body][c]);
      for (int r = 0; r < 4; ++r) {
        add(j_.of_position, body.number(r), body.number(c), -s.centre[r] * by_position);
        add(j_.of_velocity, body.number(r), body.number(c), -s.centre[r] * by_velocity);
      }
      add_changed_torque(j_.of_position, s.body, arm * by_position, body.number(c));
      add_changed_torque(j_.of_velocity, s.body, arm * by_velocity, body.number(c));
    }
    add_turned_torque(s.body, torque, 1);
  }

  void add_impactor(std::size_t k) const {
    const Sphere& s = d_.spheres[set_.impactor_spheres[k]];
    const NaturalBody& body = d_.system.bodies()[s.body];
    const Vec3<double> apart = body.combine(s.centre, x_.q) - element(x_.q, impactor);
    const double reach = s.radius + set_.impactor_radius;
    if (!(dot(apart, apart) < reach * reach)) return;
    using D = Dual<6>;
    const Touch<D> t = touch_sphere<D>(
        d_.contact, reach, history_.touch_speed[set_.plane_pairs.size() + k], variable<6>(apart, 0),
        variable<6>(body.combine(s.centre, x_.v) - element(x_.v, impactor), 3));
    double* const matrix[2] = {j_.of_position, j_.of_velocity};
    for (int m = 0; m < 2; ++m) {
      const Mat3 change = part(t.force, 3 * m);
      // elements of the body with their weights, and the impactor with weight -1
      for (int r = 0; r <= 4; ++r)
        for (int c = 0; c <= 4; ++c)
          add(matrix[m], r < 4 ? body.number(r) : impactor, c < 4 ? body.number(c) : impactor,
              -(r < 4 ? s.centre[r] : -1.0) * (c < 4 ? s.centre[c] : -1.0) * change);
    }
  }

  void add_belt(int k) const {
    const Belt& belt = d_.belt[k];
    const NaturalBody& body = d_.system.bodies()[belt.body];
    using D = Dual<7>;
    const BeltForce<D> f =
        belt_force<D>(belt, set_.belt_rest[k], set_.belt_limit, history_.taut[k] != 0,
                      variable<7>(body.combine(belt.point, x_.q) - set_.anchor[k], 0),
                      variable<7>(body.combine(belt.point, x_.v), 3), D::variable(x_.payout[k], 6));
    const int row = np_ + k;
    j_.of_velocity[row * n_ + row] += 1;
    j_.of_position[row * n_ + row] -= f.payout_rate.d[6];
    double* const matrix[2] = {j_.of_position, j_.of_velocity};
    const D* const parts[3] = {&f.force.x, &f.force.y, &f.force.z};
    for (int c = 0; c < 4; ++c) {
      for (int m = 0; m < 2; ++m) {
        for (int r = 0; r < 4; ++r)
          add(matrix[m], body.number(r), body.number(c),
              -belt.point[r] * belt.point[c] * part(f.force, 3 * m));
        for (int axis = 0; axis < 3; ++axis)
          matrix[m][row * n_ + 3 * body.number(c) + axis] -= belt.point[c] * f.payout_rate.d[3 * m + axis];
      }
      for (int axis = 0; axis < 3; ++axis)
        j_.of_position[(3 * body.number(c) + axis) * n_ + row] -= belt.point[c] * parts[axis]->d[6];
    }
  }

  void hold_base() const {
    const auto clear = [&](int row) {
      for (double* matrix : {j_.of_position, j_.of_velocity, j_.of_acceleration})
        std::fill_n(matrix + row * n_, n_, 0.0);
    };
    for (int i = 0; i < coordinates; ++i)
      if (d_.element_owner[i / 3] == lower_torso) {
        clear(i);
        j_.of_acceleration[i * n_ + i] = 1;
      }
    for (int k = 0; k < constraints; ++k)
      if (d_.constraint_owner[k] == lower_torso) {
        const int row = np_ + set_.payouts() + k;
        clear(row);
        j_.of_position[row * n_ + row] = 1;
      }
  }

  const Data& d_;
  const Settings& set_;
  const History& history_;
  const Inputs<double>& in_;
  const Evaluation<double>& e_;
  const Arguments<double>& x_;
  const Jacobian& j_;
  const int n_, np_;
  std::array<std::array<Vec3<double>, 4>, bodies> arm_rates_;
};

}  // namespace spondyl::human12
