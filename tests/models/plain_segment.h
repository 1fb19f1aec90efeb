#pragma once

/// C5 on C6 once more, in another formulation: rotation matrices and rotation vectors, forces one by one,
/// differences instead of exact slopes, nothing of src/. Numbers and rules as the design of the model states
/// them.

#include <Eigen/Dense>
#include <array>
#include <cmath>

namespace spondyl::testing {

struct PlainSegment {
  using V = Eigen::Vector3d;
  using M = Eigen::Matrix3d;
  using V6 = Eigen::Matrix<double, 6, 1>;
  using M6 = Eigen::Matrix<double, 6, 6>;

  static constexpr double deg = 0.017453292519943295;
  struct Rope {
    V upper, lower;  // mm, in the frames of C5 and C6
    double A[2], B[2], strain, force;
  };
  const std::array<Rope, 6> ropes{
      {{{7.7, 0, 0}, {8.0, 0, 0}, {0.24, 0.11}, {0.8, 0.88}, 0.58, 111},
       {{-8.1, 0, 0}, {-8.3, 0, 0}, {0.22, 0.12}, {0.78, 0.9}, 0.45, 83},
       {{-25.4, 0, -1.7}, {-26.3, 0, -1.9}, {0.33, 0.21}, {0.77, 0.89}, 0.21, 115},
       {{-39.9, 0, -3.2}, {-47.3, 0, -4.1}, {0.33, 0.19}, {0.78, 0.87}, 0.4, 34},
       {{-15.1, 20.3, -5.1}, {-12.9, 20, 7.2}, {0.28, 0.16}, {0.78, 0.88}, 0.42, 108},
       {{-15.1, -20.3, -5.1}, {-12.9, -20, 7.2}, {0.28, 0.16}, {0.78, 0.88}, 0.42, 108}}};
  const V s0{-2.8e-3, 0, 17.4e-3};
  const M R0 = Eigen::AngleAxisd(-5.2 * deg, V::UnitY()).toRotationMatrix();
  const V n2{-std::sin(50 * deg), 0, std::cos(50 * deg)};
  const double r1 = 5.1e-3, r2 = 4.9e-3;
  const double mass = 0.23;
  const V centre{-8.1e-3, 0, 0}, moments{2.3e-4, 2.3e-4, 4.5e-4};

  double rest[6];
  V disc_C5, facet_C5[2], n1_C5;

  PlainSegment() {
    for (int i = 0; i < 6; ++i) rest[i] = (s0 + R0 * (1e-3 * ropes[i].upper) - 1e-3 * ropes[i].lower).norm();
    disc_C5 = R0.transpose() * (0.5 * s0 - s0);
    for (int i = 0; i < 2; ++i) facet_C5[i] = R0.transpose() * (facet_C6(i) - s0);
    n1_C5 = -(R0.transpose() * n2);
  }
  static V facet_C6(int i) { return 1e-3 * V(-15.1, i == 0 ? 20.15 : -20.15, 9.1); }

  static M exponential(const V& phi) {
    const double angle = phi.norm();
    return angle == 0 ? M(M::Identity()) : Eigen::AngleAxisd(angle, phi / angle).toRotationMatrix();
  }
  static V logarithm(const M& R) {
    // the axis from the skew part where that is safe
    const V skew(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
    const double sine = 0.5 * skew.norm(), cosine = 0.5 * (R.trace() - 1);
    const double angle = std::atan2(sine, cosine);
    return sine < 1e-12 ? V(0.5 * skew) : V(0.5 * angle / sine * skew);
  }
  static double smooth(double x) { return x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x); }

  static double rope_force(const Rope& r, double e) {
    const double ex[4] = {0, r.A[0] * r.strain, r.B[0] * r.strain, r.strain};
    const double fy[4] = {0, r.A[1] * r.force, r.B[1] * r.force, r.force};
    if (e <= 0) return 0;
    int k = 0;
    while (k < 2 && e >= ex[k + 1]) ++k;
    return fy[k] + (fy[k + 1] - fy[k]) / (ex[k + 1] - ex[k]) * (e - ex[k]);
  }
  static double rope_energy(const Rope& r, double e) {  // over the rest length, by the trapezoids
    double sum = 0, from = 0;
    for (const double to : {r.A[0] * r.strain, r.B[0] * r.strain, 1e9}) {
      const double end = std::min(e, to);
      if (end <= from) break;
      const double middle = 0.5 * (from + end);
      sum += (end - from) * rope_force(r, middle);
      from = to;
    }
    return sum;
  }

  struct Contact {
    double u = -1, share = 0;
    V n = V::Zero(), point = V::Zero();
    int where = 0;  // 1, 2: edge of that disc; 3: both
  };
  Contact contact(const V& c1, const V& n1, const V& c2) const {
    Contact out;
    out.n = (n2 - n1).normalized();
    const V dn = n1 + n2, d = c2 - c1, c = d - d.dot(out.n) * out.n;
    const double length = c.norm(), lean = dn.norm();
    if (length >= r1 + r2) return out;
    const V M_ = length <= r2 - r1   ? c1
                 : length <= r1 - r2 ? c2
                                     : V(c1 + 0.5 * (length + r1 - r2) * c / length);
    V x = M_;
    if (lean > 0) {
      const V w = -dn / lean;
      V P;
      if (w.dot(c) >= (length * length + r1 * r1 - r2 * r2) / (2 * r1)) {
        P = c1 + r1 * w;
        out.where = 1;
      } else if (-w.dot(c) >= (length * length + r2 * r2 - r1 * r1) / (2 * r2)) {
        P = c2 + r2 * w;
        out.where = 2;
      } else {
        const V along = c / length;
        const double a = (length * length + r1 * r1 - r2 * r2) / (2 * length);
        V e = out.n.cross(along);
        if (e.dot(w) < 0) e = -e;
        P = c1 + a * along + std::sqrt(std::max(0.0, r1 * r1 - a * a)) * e;
        out.where = 3;
      }
      x = M_ + (P - M_) * (1 - std::exp(-60 * lean * std::sqrt(1 - lean * lean / 4)));
    }
    out.u = (c1.dot(n1) + c2.dot(n2) - x.dot(dn)) / out.n.dot(n2);
    // where a line along n over x meets the two faces
    const double t1 = (c1 - x).dot(n1) / out.n.dot(n1), t2 = (c2 - x).dot(n2) / out.n.dot(n2);
    out.point = x + 0.5 * (t1 + t2) * out.n;
    out.share = smooth((r1 + r2 - length) / 1e-3);
    return out;
  }
  static double facet_force(double u) {
    return u <= 0 ? 0 : u <= 3e-4 ? 2e9 * u * u : 180 + 1.2e6 * (u - 3e-4);
  }
  static double facet_energy(double u) {
    return u <= 0      ? 0
           : u <= 3e-4 ? 2e9 / 3 * u * u * u
                       : 0.018 + 180 * (u - 3e-4) + 0.6e6 * (u - 3e-4) * (u - 3e-4);
  }

  struct Result {
    V force = V::Zero(), moment = V::Zero();  // on C5, about its origin
    V disc = V::Zero(), disc_moment = V::Zero();
    double rope[6] = {}, facet[2] = {};
    Contact contact[2];
    V disc_point;
    double energy = 0;
  };
  /// C5's origin at s0 + t, turned by phi from the start; moving with v (origin) and omega.
  Result forces(const V& t, const M& turn, const V& v = V::Zero(), const V& omega = V::Zero()) const {
    Result out;
    const M R = turn * R0;
    const V s = s0 + t;
    const auto act = [&](const V& at, const V& f) {
      out.force += f;
      out.moment += (at - s).cross(f);
    };
    const auto speed = [&](const V& at) { return V(v + omega.cross(at - s)); };

    const V D = s + R * disc_C5, b = D - 0.5 * s0, bv = speed(D), phi = logarithm(turn);
    out.disc_point = D;
    const V k(b.x() >= 0 ? 62e3 : 50e3, 73e3, b.z() >= 0 ? 68e3 : 492e3);
    const V kphi(0.33 / deg, (phi.y() >= 0 ? 0.21 : 0.32) / deg, 0.42 / deg);
    out.disc = -k.cwiseProduct(b) - 1000 * bv;
    out.disc_moment = -kphi.cwiseProduct(phi) - 1.5 * omega;
    act(D, out.disc);
    out.moment += out.disc_moment;
    out.energy += 0.5 * (k.cwiseProduct(b).dot(b) + kphi.cwiseProduct(phi).dot(phi));

    for (int i = 0; i < 6; ++i) {
      const V upper = s + R * (1e-3 * ropes[i].upper), span = upper - 1e-3 * ropes[i].lower;
      const double l = span.norm(), e = l / rest[i] - 1, rate = span.dot(speed(upper)) / l;
      if (e <= 0) continue;
      out.rope[i] = std::max(0.0, rope_force(ropes[i], e) + smooth(e / 0.01) * 300 * rate);
      act(upper, -out.rope[i] * span / l);
      out.energy += rest[i] * rope_energy(ropes[i], e);
    }
    for (int i = 0; i < 2; ++i) {
      const Contact c = out.contact[i] = contact(s + R * facet_C5[i], R * n1_C5, facet_C6(i));
      if (c.u <= 0) continue;
      const double closing = -c.n.dot(speed(c.point));
      out.facet[i] = c.share * std::max(0.0, facet_force(c.u) + smooth(c.u / 5e-5) * 300 * closing);
      act(c.point, out.facet[i] * c.n);
      out.energy += c.share * facet_energy(c.u);
    }
    return out;
  }

  /// What is out of balance under a force at the disc's point and a moment.
  V6 imbalance(const V6& x, const V6& load) const {
    const V t = x.head<3>();
    Result f = forces(t, exponential(x.tail<3>()));
    V6 r;
    r.head<3>() = f.force + load.head<3>();
    r.tail<3>() = f.moment + load.tail<3>() + (f.disc_point - s0 - t).cross(V(load.head<3>()));
    return r;
  }

  /// Newton with differences, damped; throws nothing, returns where it ended.
  V6 settle(const V6& load) const {
    V6 x = V6::Zero();
    const double width[6] = {1e-8, 1e-8, 1e-8, 1e-7, 1e-7, 1e-7};
    for (int iteration = 0; iteration < 80; ++iteration) {
      const V6 r = imbalance(x, load);
      M6 J;
      for (int k = 0; k < 6; ++k) {
        V6 up = x, down = x;
        up[k] += width[k], down[k] -= width[k];
        J.col(k) = (imbalance(up, load) - imbalance(down, load)) / (2 * width[k]);
      }
      const Eigen::PartialPivLU<M6> lu(J);
      const V6 dx = lu.solve(r);
      const auto size = [](const V6& d) {
        return std::max(1e3 * d.head<3>().cwiseAbs().maxCoeff(), 10 * d.tail<3>().cwiseAbs().maxCoeff());
      };
      double step = 1;
      while (step > 1e-4 && size(lu.solve(imbalance(x - step * dx, load))) > (1 - step / 4) * size(dx))
        step /= 2;
      if (size(dx) < 1e-12) break;
      x -= step * dx;
    }
    return x;
  }

  /// y = (origin, velocity of the origin) with the rotation and ω, moved by classical Runge-Kutta. The sled
  /// accelerates by `a0` and turns with W, W'.
  struct State {
    V t = V::Zero(), v = V::Zero(), omega = V::Zero();
    M turn = M::Identity();
  };
  struct Drive {
    V force = V::Zero(), moment = V::Zero(), a0 = V::Zero(), W = V::Zero(), Wdot = V::Zero();
  };
  struct Rate {
    V t, v, omega;
    M turn;
  };
  static M skew(const V& w) {
    M s;
    s << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
    return s;
  }
  /// Newton and Euler in an inertial frame that coincides with the sled now: unknown are the accelerations of
  /// C5's origin and of its angular velocity against the sled.
  Rate rate(const State& y, const Drive& d) const {
    const Result f = forces(y.t, y.turn, y.v, y.omega);
    const M R = y.turn * R0;
    const V arm = R * centre, s = s0 + y.t;  // arm: from the origin to the centre of mass
    const M I = R * moments.asDiagonal() * R.transpose();
    const V force = f.force + d.force;
    const V moment = f.moment + d.moment + (f.disc_point - s).cross(d.force) - arm.cross(force);
    const V total = y.omega + d.W;
    const V alpha = I.inverse() * (moment - total.cross(I * total));  // inertial
    const V alpha_relative = alpha - d.Wdot - d.W.cross(y.omega);
    const V a_centre = force / mass;  // inertial
    const V r = s + arm, vr = y.v + y.omega.cross(arm);
    const V a_relative = a_centre - d.a0 - d.Wdot.cross(r) - d.W.cross(d.W.cross(r)) - 2 * d.W.cross(vr);
    const V a_origin = a_relative - alpha_relative.cross(arm) - y.omega.cross(y.omega.cross(arm));
    return {y.v, a_origin, alpha_relative, skew(y.omega) * y.turn};
  }
  template <class DriveAt>
  void step(State& y, double t, double h, DriveAt drive) const {
    const auto moved = [&](const Rate& k, double by) {
      State z = y;
      z.t += by * k.t, z.v += by * k.v, z.omega += by * k.omega, z.turn += by * k.turn;
      return z;
    };
    const Rate k1 = rate(y, drive(t)), k2 = rate(moved(k1, h / 2), drive(t + h / 2)),
               k3 = rate(moved(k2, h / 2), drive(t + h / 2)), k4 = rate(moved(k3, h), drive(t + h));
    y.t += h / 6 * (k1.t + 2 * k2.t + 2 * k3.t + k4.t);
    y.v += h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v);
    y.omega += h / 6 * (k1.omega + 2 * k2.omega + 2 * k3.omega + k4.omega);
    y.turn += h / 6 * (k1.turn + 2 * k2.turn + 2 * k3.turn + k4.turn);
  }
};

}  // namespace spondyl::testing
