#pragma once

/// The equations of the person, written once for any scalar: plain numbers for the residual, dual numbers for
/// derivatives. Numbers of equations are those of Špička et al.

#include "models/human17/data.h"

namespace spondyl::human17 {

inline constexpr int planes = 4;

template <class T>
struct Inputs {
  Vec3<T> sled_acceleration, sled_angular_velocity, sled_angular_acceleration;
  Tree::Loads<T> loads;
  std::array<SpatialPlane<T>, planes> plane;
};

/// What the parameters choose.
struct Options {
  bool joint_limits = true, joint_damping = true, base_fixed = false;
  std::array<PlaneContact, planes> contact;
  std::array<std::array<bool, bodies>, planes> may_touch{};
};

/// Which bodies touch which planes: 1 or 0.
using Touching = std::array<std::array<double, bodies>, planes>;

/// Acceleration of the sled less gravity.
template <class T>
Tree::Frame<T> frame(const Inputs<T>& in, const Vec3<T>& sled_acceleration, double gravity) {
  return {sled_acceleration + Vec3<T>{T(0), T(0), T(gravity)}, in.sled_angular_velocity,
          in.sled_angular_acceleration};
}

/// Everything at one instant.
template <class T>
struct Evaluation {
  Tree::Motion<T> motion;
  std::array<Vec3<T>, bodies> limit, damper;  ///< moments on body i by its joint, opposite on its parent
  Tree::Loads<T> loads;                       ///< all that acts on the bodies
  Tree::Inertia<T> inertia;
  std::array<T, Tree::positions> residual;
};

/// The gap between body i and plane k.
template <class T>
T gap(const Data& d, const Inputs<T>& in, const Tree::Motion<T>& m, int k, int i) {
  return d.ellipsoid[i].foremost(in.plane[k], m.rotation[i], m.position[i]).gap;
}

/// Calls visit(plane, body, contact) for all that touch (Eq. 23-25).
template <class T, class Visit>
void for_each_contact(const Data& d, const Options& options, const Touching& touching, const Inputs<T>& in,
                      const Tree::Motion<T>& m, Visit visit) {
  for (int k = 0; k < planes; ++k) {
    if (!in.plane[k].active) continue;
    for (int i = 0; i < bodies; ++i) {
      if (touching[k][i] == 0 || !options.may_touch[k][i]) continue;
      const Ellipsoid& e = d.ellipsoid[i];
      visit(k, i,
            e.contact(in.plane[k], options.contact[k], e.foremost(in.plane[k], m.rotation[i], m.position[i]),
                      m.velocity[i], m.omega[i]));
    }
  }
}

/// The limb of joint i in the axes of the parent.
template <class T>
Vec3<T> limb_in_parent(const Data& d, const Tree::Motion<T>& m, int i) {
  return transposed_times(m.rotation[parents[i]], m.rotation[i] * d.joint[i].limit.limb().template cast<T>());
}

template <class T>
void evaluate(const Data& d, const Options& options, const Touching& touching, const Inputs<T>& in,
              const Tree::Frame<T>& frame, const T* q, const T* v, const T* a, Evaluation<T>& e) {
  d.tree.move(q, v, e.motion);
  const Tree::Motion<T>& m = e.motion;
  e.loads = in.loads;
  for_each_contact(d, options, touching, in, m, [&](int, int i, const Ellipsoid::Contact<T>& c) {
    e.loads.force[i] += c.force;
    e.loads.moment[i] += c.moment;
  });
  for (int i = 1; i < bodies; ++i) {
    const int k = parents[i];
    const Joint& joint = d.joint[i];
    e.limit[i] =
        options.joint_limits ? m.rotation[k] * joint.limit.moment(limb_in_parent(d, m, i)) : Vec3<T>{};
    e.damper[i] = options.joint_damping ? joint.damping * (m.omega[k] - m.omega[i]) : Vec3<T>{};
    const Vec3<T> moment = e.limit[i] + e.damper[i];
    e.loads.moment[i] += moment;
    e.loads.moment[k] -= moment;
  }
  d.tree.residual(q, v, a, m, frame, e.loads, e.inertia, e.residual.data());
  if (options.base_fixed) std::copy_n(a, Tree::first_parameter(1), e.residual.begin());
}

/// The derivatives of the residual, at what evaluate() has found.
inline void differentiate(const Data& d, const Options& options, const Touching& touching,
                          const Inputs<double>& in, const Tree::Frame<double>& frame, const double* q,
                          const double* v, const double* a, const Evaluation<double>& e, double* of_position,
                          double* of_velocity, double* of_acceleration) {
  const Tree::Motion<double>& m = e.motion;
  Tree::Derivatives derivatives(d.tree, q, v, a, m, frame, e.loads, e.inertia, of_position, of_velocity,
                                of_acceleration);
  for (int i = 1; i < bodies; ++i) {
    Tree::Derivatives::Joint by{};
    if (options.joint_limits && dot(e.limit[i], e.limit[i]) > 0) {
      using D = Dual<3>;
      const Mat3<double>& A = m.rotation[parents[i]];
      const Vec3<double> limb = limb_in_parent(d, m, i);
      const Vec3<D> t = d.joint[i].limit.moment<D>(
          {D::variable(limb.x, 0), D::variable(limb.y, 1), D::variable(limb.z, 2)});
      const Mat3<double> by_limb{
          {t.x.d[0], t.y.d[0], t.z.d[0]}, {t.x.d[1], t.y.d[1], t.z.d[1]}, {t.x.d[2], t.y.d[2], t.z.d[2]}};
      by.turn = -(A * by_limb * A.transposed() * cross_matrix(A * limb));
      // both turned together turn the moment
      by.parent_turn = -cross_matrix(e.limit[i]) - by.turn;
    }
    if (options.joint_damping) {
      by.rate = Mat3<double>::scaled_identity(-d.joint[i].damping);
      by.parent_rate = -by.rate;
    }
    derivatives.add_joint(i, by);
  }
  for_each_contact(d, options, touching, in, m, [&](int k, int i, const Ellipsoid::Contact<double>& c) {
    const Ellipsoid::Derivatives w =
        d.ellipsoid[i].derivatives(in.plane[k], options.contact[k], c, m.rotation[i], m.omega[i]);
    derivatives.add_wrench(i, {w.position, w.turn, w.velocity, w.rate, w.moment_position, w.moment_turn,
                               w.moment_velocity, w.moment_rate});
  });
  derivatives.turn_into_body_axes(e.inertia);
  if (options.base_fixed) derivatives.fix_first();
}

}  // namespace spondyl::human17
