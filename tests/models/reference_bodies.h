#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace spondyl::testing {

/// What a case sets, by name.
class CaseNumbers {
 public:
  explicit CaseNumbers(const std::vector<std::pair<std::string, double>>& numbers) : numbers_(numbers) {}
  double operator()(const std::string& name, double otherwise = 0) const {
    for (const auto& [key, value] : numbers_)
      if (key == name) otherwise = value;
    return otherwise;
  }
  /// <name>_x, _y, _z, or <name>x, y, z of a normal.
  Eigen::Vector3d vector(const std::string& name,
                         const Eigen::Vector3d& otherwise = Eigen::Vector3d::Zero()) const {
    const std::string stem = name.ends_with("_n") ? name : name + "_";
    return {(*this)(stem + "x", otherwise[0]), (*this)(stem + "y", otherwise[1]),
            (*this)(stem + "z", otherwise[2])};
  }

 private:
  const std::vector<std::pair<std::string, double>>& numbers_;
};

/// Bodies in a tree of joints, by another formulation to compare the models with: every body with its own
/// position, Euler parameters, velocity and angular velocity, joints as constraints on the accelerations
/// whose forces are solved for, explicit Runge-Kutta of order 4. Nothing of src/ is used.
class ReferenceBodies {
 public:
  using V3 = Eigen::Vector3d;
  using M3 = Eigen::Matrix3d;

  /// A body and the joint to its parent, both seen from the centres of mass; parent -1: free. A hinge turns
  /// about y.
  struct Link {
    std::string name;
    int parent;
    bool hinge;
    double mass;
    V3 inertia, joint_in_parent, joint;
    /// The range of a spherical joint is a cone: axis, e1, e2 in the parent, the limb in the body, largest
    /// angles towards e1, e2, -e1, -e2 in degrees. That of a hinge is from the first to the second.
    V3 axis, e1, e2, limb;
    std::array<double, 4> range;
    double width, moment;  ///< degrees to the full moment, N m
    double damping;
    bool has_weight = true;
  };
  struct Body {
    V3 x = V3::Zero(), v = V3::Zero(), w = V3::Zero();  // w in world axes
    Eigen::Quaterniond p = Eigen::Quaterniond::Identity();
  };

  double gravity = 9.81;
  bool limits = true, damping = true, base_fixed = false;
  std::function<double(double)> base_acceleration = [](double) { return 0.0; };  // along x
  std::vector<Body> body;
  double t = 0;

  explicit ReferenceBodies(std::vector<Link> links) : body(links.size()), links_(std::move(links)) {
    for (int i = 0; i < size(); ++i)
      if (links_[i].parent >= 0) {
        rows_.push_back({i, row_count_, links_[i].hinge ? 5 : 3});
        row_count_ += rows_.back().count;
      }
  }
  virtual ~ReferenceBodies() = default;

  int size() const { return static_cast<int>(links_.size()); }
  const Link& link(int i) const { return links_[i]; }
  static V3 vec(const double* a) { return {a[0], a[1], a[2]}; }

  /// Switches joints and gravity and puts all bodies as a case says: the first one, and the others by their
  /// rotation vectors and angular velocities (child axes) against their parents.
  void start(const CaseNumbers& number) {
    gravity = number("gravity", 9.81);
    limits = number("joint_limits", 1) != 0;
    damping = number("joint_damping", 1) != 0;
    base_fixed = number("base_fixed") != 0;
    Body& root = body[0];
    root.x = number.vector("start_position");
    root.p = turn(number.vector("start_rotation"));
    root.v = number.vector("start_velocity");
    root.w = root.p * number.vector("start_angular_velocity");
    for (int i = 1; i < size(); ++i) {
      const Link& b = links_[i];
      if (b.parent < 0) continue;
      const auto asked = [&](const std::string& what) {
        const std::string name = "start_" + b.name + what;
        return b.hinge ? V3(0, number(name), 0) : number.vector(name);
      };
      const Body& k = body[b.parent];
      Body& me = body[i];
      me.p = k.p * turn(asked("_rotation"));
      me.w = k.w + me.p * asked("_angular_velocity");
      const V3 out = k.p * b.joint_in_parent, in = me.p * b.joint;
      me.x = k.x + out - in;
      me.v = k.v + k.w.cross(out) - me.w.cross(in);
    }
  }
  static Eigen::Quaterniond turn(const V3& r) {
    const double angle = r.norm();
    return angle == 0 ? Eigen::Quaterniond::Identity()
                      : Eigen::Quaterniond(Eigen::AngleAxisd(angle, r / angle));
  }

  /// What passes the joint of body i on it, in its axes; the moment about the joint.
  struct Section {
    V3 force, moment;
  };
  Section section(int i) {
    rates();
    const auto rows = std::find_if(rows_.begin(), rows_.end(), [&](const Rows& r) { return r.body == i; });
    Section load{lambda_.segment<3>(rows->first), joint_moment(i)};
    if (links_[i].hinge) {
      Block of_body, of_parent;
      Eigen::VectorXd unused(row_count_);
      constrain(*rows, of_body, of_parent, unused);
      load.moment += of_body.bottomRightCorner<2, 3>().transpose() * lambda_.segment<2>(rows->first + 3);
    }
    const Eigen::Quaterniond back = body[i].p.conjugate();
    return {back * load.force, back * load.moment};
  }

  /// To `end` in equal steps, shorter where a touch begins or ends.
  void run(double end, double h) {
    if (!started_) begin(), touching_ = touching(), started_ = true;
    while (t < end - 1e-12) step(std::min(h, end - t));
  }

 protected:
  using Flags = std::vector<bool>;
  /// Before the first step.
  virtual void begin() {}
  /// Which pairs touch, by where the bodies are.
  virtual Flags touching() const { return {}; }
  /// A pair has begun or ceased to touch.
  virtual void touched(int /*pair*/, bool /*now*/) {}
  /// Forces other than weight and those of the joints: calls push().
  virtual void push_all() {}
  /// The flags as they were at the last change: fixed within a step.
  bool touches(int pair) const { return touching_[pair]; }

  void push(int i, const V3& at, const V3& force) {
    force_[i] += force;
    moment_[i] += (at - body[i].x).cross(force);
  }
  V3 place(int i, const V3& local) const { return body[i].x + body[i].p * local; }
  V3 speed(int i, const V3& at) const { return body[i].v + body[i].w.cross(at - body[i].x); }

 private:
  struct Rows {
    int body, first, count;
  };
  using Block = Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 6, 6>;
  struct Rate {
    V3 v, w, a, alpha;
    Eigen::Vector4d p;
  };

  void step(double h) {
    const std::vector<Body> before = body;
    const double t0 = t;
    runge_kutta(h);
    const Flags now = touching();
    if (now == touching_) return;
    if (h > 1e-9) {
      // half, and half again, until the change is at the end of a tiny step
      body = before, t = t0;
      step(h / 2);
      step(h / 2);
      return;
    }
    for (std::size_t k = 0; k < now.size(); ++k)
      if (now[k] != touching_[k]) touched(static_cast<int>(k), now[k]);
    touching_ = now;
  }

  void runge_kutta(double h) {
    const std::vector<Body> x0 = body;
    const double t0 = t;
    constexpr double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    std::vector<Body> sum = x0;
    std::vector<Rate> k;
    for (int s = 0; s < 4; ++s) {
      if (s > 0) {
        t = t0 + at[s] * h;
        for (int i = 0; i < size(); ++i) {
          body[i].x = x0[i].x + at[s] * h * k[i].v;
          body[i].v = x0[i].v + at[s] * h * k[i].a;
          body[i].w = x0[i].w + at[s] * h * k[i].alpha;
          body[i].p.coeffs() = x0[i].p.coeffs() + at[s] * h * k[i].p;
        }
      }
      k = rates();
      for (int i = 0; i < size(); ++i) {
        sum[i].x += weight[s] * h * k[i].v;
        sum[i].v += weight[s] * h * k[i].a;
        sum[i].w += weight[s] * h * k[i].alpha;
        sum[i].p.coeffs() += weight[s] * h * k[i].p;
      }
    }
    body = sum;
    for (Body& b : body) b.p.normalize();
    t = t0 + h;
  }

  /// Periodic cubic spline on four knots: the system for its second derivatives solved as such.
  static double spline(const std::array<double, 4>& degrees, double theta) {
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

  static double penalty(double beyond, double width) {
    const double s = std::clamp(beyond / (width * M_PI / 180), 0.0, 1.0);
    return 3 * s * s - 2 * s * s * s;
  }

  V3 limit_moment(int i) const {
    const Link& b = links_[i];
    const Eigen::Quaterniond& k = body[b.parent].p;
    if (b.hinge) {
      const Eigen::Quaterniond relative = k.conjugate() * body[i].p;
      const double angle = 2 * std::atan2(relative.y(), relative.w()), deg = M_PI / 180;
      const double along =
          penalty(b.range[0] * deg - angle, b.width) - penalty(angle - b.range[1] * deg, b.width);
      return b.moment * along * (k * V3::UnitY());
    }
    const V3 limb = body[i].p * b.limb, axis = k * b.axis;
    const V3 lever = limb.cross(axis);
    if (lever.norm() < 1e-9) return V3::Zero();
    const double beta = std::acos(std::clamp(limb.dot(axis), -1.0, 1.0));
    const double theta = std::atan2(limb.dot(k * b.e2), limb.dot(k * b.e1));
    const double most = std::max(spline(b.range, theta), M_PI / 180);
    return b.moment * penalty(beta - most, b.width) * lever.normalized();
  }

  /// Of range and damping, on body i.
  V3 joint_moment(int i) const {
    V3 m = V3::Zero();
    if (limits) m += limit_moment(i);
    if (damping) m -= links_[i].damping * (body[i].w - body[links_[i].parent].w);
    return m;
  }

  static M3 skew(const V3& a) {
    M3 m;
    m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
    return m;
  }

  /// Accelerations of the two sides of a joint are the same: J_parent a_parent + J_body a_body = g.
  void constrain(const Rows& rows, Block& of_body, Block& of_parent, Eigen::VectorXd& g) const {
    const Link& b = links_[rows.body];
    const Body &me = body[rows.body], &k = body[b.parent];
    const V3 out = k.p * b.joint_in_parent, in = me.p * b.joint;
    of_body.setZero(rows.count, 6);
    of_parent.setZero(rows.count, 6);
    of_body.topLeftCorner<3, 3>().setIdentity();
    of_body.topRightCorner<3, 3>() = -skew(in);
    of_parent.topLeftCorner<3, 3>() = -M3::Identity();
    of_parent.topRightCorner<3, 3>() = skew(out);
    g.segment<3>(rows.first) = k.w.cross(k.w.cross(out)) - me.w.cross(me.w.cross(in));
    if (!b.hinge) return;
    const V3 y = me.p * V3::UnitY();
    for (int c = 0; c < 2; ++c) {  // the parent's x and z stay square to the common axis
      const V3 e = k.p * (c == 0 ? V3::UnitX() : V3::UnitZ()), n = e.cross(y);
      of_parent.block<1, 3>(3 + c, 3) = n.transpose();
      of_body.block<1, 3>(3 + c, 3) = -n.transpose();
      g[rows.first + 3 + c] = -(k.w.cross(k.w.cross(e)).dot(y) + e.dot(me.w.cross(me.w.cross(y))) +
                                2 * k.w.cross(e).dot(me.w.cross(y)));
    }
  }

  std::vector<Rate> rates() {
    const int n = size();
    std::vector<Rate> r(n);
    for (int i = 0; i < n; ++i) {
      const Eigen::Quaterniond half(0, 0.5 * body[i].w[0], 0.5 * body[i].w[1], 0.5 * body[i].w[2]);
      r[i].p = (half * body[i].p).coeffs();
      body[i].p.normalize();
    }
    force_.resize(n);
    moment_.resize(n);
    std::vector<M3> inverse(n);
    for (int i = 0; i < n; ++i) {
      const Link& b = links_[i];
      const M3 R = body[i].p.toRotationMatrix();
      inverse[i] = R * b.inertia.cwiseInverse().asDiagonal() * R.transpose();
      force_[i] = b.mass * V3(-base_acceleration(t), 0, b.has_weight ? -gravity : 0);
      moment_[i] = -body[i].w.cross(R * b.inertia.asDiagonal() * R.transpose() * body[i].w);
    }
    for (const Rows& rows : rows_) {
      const V3 m = joint_moment(rows.body);
      moment_[rows.body] += m;
      moment_[links_[rows.body].parent] -= m;
    }
    push_all();

    // J a = g with a = M⁻¹ (f + Jᵀ λ); J by the bodies that it belongs to
    const int held = base_fixed ? 6 : 0;
    Eigen::VectorXd g = Eigen::VectorXd::Zero(row_count_ + held);
    struct Part {
      int first;
      Block J, weighted;  // J, J M⁻¹
    };
    std::vector<std::vector<Part>> parts(n);
    const auto add = [&](int i, int first, const Block& J) {
      Part part{first, J, J};
      part.weighted.leftCols<3>() /= links_[i].mass;
      part.weighted.rightCols<3>() *= inverse[i];
      parts[i].push_back(part);
    };
    for (const Rows& rows : rows_) {
      Block of_body, of_parent;
      constrain(rows, of_body, of_parent, g);
      add(rows.body, rows.first, of_body);
      add(links_[rows.body].parent, rows.first, of_parent);
    }
    if (base_fixed) add(0, row_count_, Block::Identity(6, 6));
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(g.size(), g.size());
    for (int i = 0; i < n; ++i) {
      r[i].a = force_[i] / links_[i].mass;
      r[i].alpha = inverse[i] * moment_[i];
      for (const Part& a : parts[i]) {
        g.segment(a.first, a.J.rows()) -= a.J.leftCols<3>() * r[i].a + a.J.rightCols<3>() * r[i].alpha;
        for (const Part& b : parts[i])
          S.block(a.first, b.first, a.J.rows(), b.J.rows()).noalias() +=
              a.weighted.lazyProduct(b.J.transpose());
      }
    }
    lambda_ = S.llt().solve(g);
    for (int i = 0; i < n; ++i) {
      for (const Part& part : parts[i]) {
        const Eigen::Matrix<double, 6, 1> a =
            part.weighted.transpose() * lambda_.segment(part.first, part.J.rows());
        r[i].a += a.head<3>();
        r[i].alpha += a.tail<3>();
      }
      r[i].v = body[i].v;
      r[i].w = body[i].w;
    }
    return r;
  }

  std::vector<Link> links_;
  std::vector<Rows> rows_;
  int row_count_ = 0;
  bool started_ = false;
  Flags touching_;
  std::vector<V3> force_, moment_;
  Eigen::VectorXd lambda_;  ///< force and torque on the body of each joint
};

}  // namespace spondyl::testing
