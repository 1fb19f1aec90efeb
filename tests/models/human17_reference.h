#pragma once

/// The person once more, by another formulation, to compare with: every body with its own position, rotation,
/// velocity and angular velocity, spherical joints as constraints on the accelerations whose forces are
/// solved for (Schur complement), explicit Runge-Kutta of order 4. Nothing of src/ is used.

#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

#include "models/human17_reference_data.h"

namespace spondyl::testing {

class ReferenceHuman {
 public:
  using V3 = Eigen::Vector3d;
  using M3 = Eigen::Matrix3d;
  static constexpr int n = 17;

  struct Plane {
    V3 point, normal;
    std::vector<int> bodies;
  };

  double gravity = 9.81;
  bool limits = true, damping = true, base_fixed = false;
  double pulse_peak = 0, pulse_duration = 1;  // a triangle along x from t = 0
  std::vector<Plane> planes;

  struct Body {
    V3 x = V3::Zero(), v = V3::Zero(), w = V3::Zero();  // w in world axes
    Eigen::Quaterniond p = Eigen::Quaterniond::Identity();
  };
  std::array<Body, n> body;
  double t = 0;

  static int number(const std::string& name) {
    for (int i = 0; i < n; ++i)
      if (name == reference_bodies[i].name) return i;
    throw std::logic_error("no body " + name);
  }
  static V3 vec(const double* a) { return {a[0], a[1], a[2]}; }
  static Eigen::Quaterniond turn(const V3& r) {
    const double angle = r.norm();
    return angle == 0 ? Eigen::Quaterniond::Identity()
                      : Eigen::Quaterniond(Eigen::AngleAxisd(angle, r / angle));
  }

  /// Puts all bodies where the joints say: rotations and relative angular velocities (child axes) by child.
  void assemble(const V3& pelvis, const V3& rotation, const V3& velocity, const V3& omega_body,
                const std::array<V3, n>& rotations, const std::array<V3, n>& omegas) {
    body[0].x = pelvis;
    body[0].p = turn(rotation);
    body[0].v = velocity;
    body[0].w = body[0].p * omega_body;
    for (int i = 1; i < n; ++i) {
      const ReferenceBody& b = reference_bodies[i];
      const Body& k = body[b.parent];
      Body& me = body[i];
      me.p = k.p * turn(rotations[i]);
      me.w = k.w + me.p * omegas[i];
      const V3 out = k.p * vec(b.joint_in_parent), in = me.p * vec(b.joint);
      me.x = k.x + out - in;
      me.v = k.v + k.w.cross(out) - me.w.cross(in);
    }
  }

  /// To `end` in equal steps, shorter where a contact begins or ends.
  void run(double end, double h) {
    touching_ = touching();
    while (t < end - 1e-12) step(std::min(h, end - t));
  }

 private:
  struct Rate {
    V3 v, w, a, alpha;
  };
  using Rates = std::array<Rate, n>;
  using Flags = std::vector<bool>;

  void step(double h) {
    const std::array<Body, n> before = body;
    const double t0 = t;
    runge_kutta(h);
    if (touching() == touching_) return;
    if (h > 1e-9) {
      // half, and half again, until the change is at the end of a tiny step
      body = before, t = t0;
      step(h / 2);
      step(h / 2);
      return;
    }
    touching_ = touching();
  }

  void runge_kutta(double h) {
    const std::array<Body, n> x0 = body;
    const double t0 = t;
    constexpr double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    std::array<Body, n> sum = x0;
    std::array<Eigen::Vector4d, n> p_sum;
    for (int i = 0; i < n; ++i) p_sum[i] = x0[i].p.coeffs();
    Rates k;
    std::array<Eigen::Vector4d, n> pdot;
    for (int s = 0; s < 4; ++s) {
      if (s > 0) {
        t = t0 + at[s] * h;
        for (int i = 0; i < n; ++i) {
          body[i].x = x0[i].x + at[s] * h * k[i].v;
          body[i].v = x0[i].v + at[s] * h * k[i].a;
          body[i].w = x0[i].w + at[s] * h * k[i].alpha;
          body[i].p.coeffs() = x0[i].p.coeffs() + at[s] * h * pdot[i];
        }
      }
      std::array<Body, n> here = body;
      for (Body& b : body) b.p.normalize();
      k = rates();
      for (int i = 0; i < n; ++i) {
        const Eigen::Quaterniond w(0, 0.5 * k[i].w[0], 0.5 * k[i].w[1], 0.5 * k[i].w[2]);
        pdot[i] = (w * here[i].p).coeffs();
        sum[i].x += weight[s] * h * k[i].v;
        sum[i].v += weight[s] * h * k[i].a;
        sum[i].w += weight[s] * h * k[i].alpha;
        p_sum[i] += weight[s] * h * pdot[i];
      }
    }
    body = sum;
    for (int i = 0; i < n; ++i) {
      body[i].p.coeffs() = p_sum[i];
      body[i].p.normalize();
    }
    t = t0 + h;
  }

  double pulse() const {
    const double s = t / pulse_duration;
    return s <= 0 || s >= 1 ? 0 : pulse_peak * (s < 0.5 ? 2 * s : 2 - 2 * s);
  }

  /// The point of body i that lies deepest in the plane.
  V3 deepest(const Plane& plane, int i) const {
    const ReferenceBody& b = reference_bodies[i];
    const M3 R = body[i].p.toRotationMatrix();
    const V3 square = vec(b.semi_axes).cwiseProduct(vec(b.semi_axes));
    const M3 S = R * square.asDiagonal() * R.transpose();
    return body[i].x + R * vec(b.ellipsoid) -
           S * plane.normal / std::sqrt(plane.normal.dot(S * plane.normal));
  }

  Flags touching() const {
    Flags flags;
    for (const Plane& plane : planes)
      for (const int i : plane.bodies)
        flags.push_back((deepest(plane, i) - plane.point).dot(plane.normal) < 0);
    return flags;
  }

  static double spline(const double* degrees, double theta) {
    // periodic cubic spline on four knots: the system for its second derivatives solved as such
    const double step = M_PI / 2, deg = M_PI / 180;
    Eigen::Matrix4d a = Eigen::Matrix4d::Zero();
    Eigen::Vector4d d;
    for (int k = 0; k < 4; ++k) {
      a(k, k) += 4;
      a(k, (k + 1) % 4) += 1;
      a(k, (k + 3) % 4) += 1;
      d[k] = 6 * deg * (degrees[(k + 1) % 4] - 2 * degrees[k] + degrees[(k + 3) % 4]) / (step * step);
    }
    const Eigen::Vector4d m = a.inverse() * d;
    if (theta < 0) theta += 2 * M_PI;
    const int k = std::min(3, int(theta / step)), next = (k + 1) % 4;
    const double u = (theta - k * step) / step;
    return deg * ((1 - u) * degrees[k] + u * degrees[next]) +
           step * step / 6 * (((1 - u) * (1 - u) * (1 - u) - (1 - u)) * m[k] + (u * u * u - u) * m[next]);
  }

  V3 limit_moment(int i) const {
    const ReferenceBody& b = reference_bodies[i];
    const Eigen::Quaterniond& k = body[b.parent].p;
    const V3 limb = body[i].p * vec(b.limb), axis = k * vec(b.axis);
    const V3 lever = limb.cross(axis);
    if (lever.norm() < 1e-9) return V3::Zero();
    const double beta = std::acos(std::clamp(limb.dot(axis), -1.0, 1.0));
    const double theta = std::atan2(limb.dot(k * vec(b.e2)), limb.dot(k * vec(b.e1)));
    const double most = std::max(spline(b.range, theta), M_PI / 180);
    const double s = std::clamp((beta - most) / (b.width * M_PI / 180), 0.0, 1.0);
    return b.moment * (3 * s * s - 2 * s * s * s) * lever.normalized();
  }

  Rates rates() const {
    std::array<V3, n> force, moment;
    std::array<M3, n> inertia_inverse;
    for (int i = 0; i < n; ++i) {
      const ReferenceBody& b = reference_bodies[i];
      const M3 R = body[i].p.toRotationMatrix();
      const M3 I = R * vec(b.inertia).asDiagonal() * R.transpose();
      inertia_inverse[i] = R * vec(b.inertia).cwiseInverse().asDiagonal() * R.transpose();
      force[i] = b.mass * V3(-pulse(), 0, -gravity);
      moment[i] = -body[i].w.cross(I * body[i].w);
    }
    for (int i = 1; i < n; ++i) {
      const int k = reference_bodies[i].parent;
      V3 m = V3::Zero();
      if (limits) m += limit_moment(i);
      if (damping) m -= reference_bodies[i].damping * (body[i].w - body[k].w);
      moment[i] += m;
      moment[k] -= m;
    }
    std::size_t flag = 0;
    for (const Plane& plane : planes)
      for (const int i : plane.bodies) {
        if (!touching_[flag++]) continue;
        const V3 C = deepest(plane, i), arm = C - body[i].x, v = body[i].v + body[i].w.cross(arm),
                 &nn = plane.normal;
        const double normal = std::max(0.0, -5e4 * (C - plane.point).dot(nn) - 300 * v.dot(nn));
        const V3 f = normal * nn - (100 + 50) * (v - v.dot(nn) * nn);
        force[i] += f;
        moment[i] += arm.cross(f);
      }

    // constraints on the accelerations of the two sides of every joint: C a = g, a = M⁻¹ (f + Cᵀ λ)
    const int base = base_fixed ? 2 : 0;  // blocks of three rows that hold the pelvis
    const int rows = 3 * (n - 1 + base);
    Eigen::MatrixXd C = Eigen::MatrixXd::Zero(rows, 6 * n);
    Eigen::VectorXd g(rows);
    const auto skew = [](const V3& a) {
      M3 m;
      m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
      return m;
    };
    for (int i = 1; i < n; ++i) {
      const ReferenceBody& b = reference_bodies[i];
      const int k = b.parent, row = 3 * (i - 1);
      const V3 out = body[k].p * vec(b.joint_in_parent), in = body[i].p * vec(b.joint);
      C.block<3, 3>(row, 6 * i) = M3::Identity();
      C.block<3, 3>(row, 6 * i + 3) = -skew(in);
      C.block<3, 3>(row, 6 * k) = -M3::Identity();
      C.block<3, 3>(row, 6 * k + 3) = skew(out);
      g.segment<3>(row) = body[k].w.cross(body[k].w.cross(out)) - body[i].w.cross(body[i].w.cross(in));
    }
    if (base_fixed) {
      C.block<6, 6>(3 * (n - 1), 0).setIdentity();
      g.tail<6>().setZero();
    }
    Eigen::VectorXd free(6 * n);
    Eigen::MatrixXd weighted(6 * n, rows);  // M⁻¹ Cᵀ
    for (int i = 0; i < n; ++i) {
      free.segment<3>(6 * i) = force[i] / reference_bodies[i].mass;
      free.segment<3>(6 * i + 3) = inertia_inverse[i] * moment[i];
      weighted.middleRows<3>(6 * i) = C.middleCols<3>(6 * i).transpose() / reference_bodies[i].mass;
      weighted.middleRows<3>(6 * i + 3) = inertia_inverse[i] * C.middleCols<3>(6 * i + 3).transpose();
    }
    const Eigen::VectorXd lambda = (C * weighted).ldlt().solve(g - C * free);
    const Eigen::VectorXd a = free + weighted * lambda;
    Rates r;
    for (int i = 0; i < n; ++i) r[i] = {body[i].v, body[i].w, a.segment<3>(6 * i), a.segment<3>(6 * i + 3)};
    return r;
  }

  Flags touching_;
};

}  // namespace spondyl::testing
