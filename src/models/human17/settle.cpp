#include "models/human17/settle.h"

#include <Eigen/LU>
#include <stdexcept>

#include "models/variables.h"

namespace spondyl::human17 {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

constexpr int max_steps = 4000;
constexpr double longest_way = 5;                           // m
constexpr double largest_move = 0.01, largest_turn = 0.02;  // of one step: m, rad
constexpr double radius = 0.3;                              // m: what a turn counts against a move
constexpr double balanced = 1e-10;                          // of the weight

void add(Matrix6& m, int row, int column, const Mat3<double>& b) {
  const Vec3<double>* const columns[3] = {&b.x, &b.y, &b.z};
  for (int k = 0; k < 3; ++k) {
    m(row, column + k) += columns[k]->x;
    m(row + 1, column + k) += columns[k]->y;
    m(row + 2, column + k) += columns[k]->z;
  }
}

/// Force and moment about the pelvis's centre of mass on the person as one piece at rest, and their
/// derivatives by its position and rotation.
struct Balance {
  Vector6 force = Vector6::Zero();
  Matrix6 stiffness = Matrix6::Zero();

  void act(const Vec3<double>& f, const Vec3<double>& moment, const Vec3<double>& arm) {
    const Vec3<double> m = moment + cross(arm, f);
    force += Vector6(f.x, f.y, f.z, m.x, m.y, m.z);
    add(stiffness, 3, 3, cross(f, cross_matrix(arm)));  // the arm turns, the force does not
  }
};

Balance balance(const Data& d, const Options& options, const Inputs<double>& in,
                const Tree::Frame<double>& frame, const double* q) {
  constexpr double rest[Tree::positions] = {};
  Tree::Motion<double> m;
  d.tree.move(q, rest, m);
  Touching touching{};
  for (int k = 0; k < planes; ++k)
    for (int i = 0; in.plane[k].active && i < bodies; ++i) touching[k][i] = gap(d, in, m, k, i) < 0;
  Balance b;
  for (int i = 0; i < bodies; ++i) {
    const Vec3<double> x = m.position[i];
    const Vec3<double> acceleration = frame.acceleration + cross(frame.angular_acceleration, x) +
                                      cross(frame.angular_velocity, cross(frame.angular_velocity, x));
    b.act(in.loads.force[i] - d.tree.body(i).mass * acceleration, in.loads.moment[i], x - m.position[0]);
  }
  for_each_contact(d, options, touching, in, m, [&](int k, int i, const Ellipsoid::Contact<double>& c) {
    const Vec3<double> arm = m.position[i] - m.position[0];
    const Ellipsoid::Derivatives w =
        d.ellipsoid[i].derivatives(in.plane[k], options.contact[k], c, m.rotation[i], {});
    const Mat3<double> turn = w.turn - w.position * cross_matrix(arm),
                       moment_turn = w.moment_turn - w.moment_position * cross_matrix(arm);
    b.act(c.force, c.moment, arm);
    add(b.stiffness, 0, 0, w.position);
    add(b.stiffness, 0, 3, turn);
    add(b.stiffness, 3, 0, w.moment_position + cross(arm, w.position));
    add(b.stiffness, 3, 3, moment_turn + cross(arm, turn));
  });
  return b;
}

void displace(const Vector6& change, double* q) {
  for (int k = 0; k < 3; ++k) q[k] += change[k];
  const EulerParameters<double> turn = from_rotation_vector({change[3], change[4], change[5]});
  for (int i = 0; i < bodies; ++i) {
    const EulerParameters<double> p = turn * Tree::parameters(q, i);
    double* const to = q + Tree::first_parameter(i);
    to[0] = p.w, to[1] = p.x, to[2] = p.y, to[3] = p.z;
  }
}

}  // namespace

void settle(const Data& d, const Options& options, const Inputs<double>& in, const Tree::Frame<double>& frame,
            double* q) {
  // as through honey: D q' = force(q) by implicit steps that grow while the force falls, until they are
  // Newton steps (pseudo-transient continuation)
  const double weight = std::max(1.0, d.tree.mass() * length(frame.acceleration));
  const auto size = [&](const Vector6& f) {
    return std::sqrt(f.head<3>().squaredNorm() + f.tail<3>().squaredNorm() / (radius * radius)) / weight;
  };
  Vector6 drag;
  drag << 1, 1, 1, radius * radius, radius * radius, radius * radius;
  drag *= d.tree.mass();
  double step = 1e-3, way = 0;
  Balance b = balance(d, options, in, frame, q);
  for (int count = 0; count < max_steps && way < longest_way; ++count) {
    if (size(b.force) < balanced) return;
    Matrix6 matrix = -b.stiffness;
    matrix.diagonal() += drag / step;
    Vector6 change = matrix.partialPivLu().solve(b.force);
    const double excess =
        std::max(change.head<3>().norm() / largest_move, change.tail<3>().norm() / largest_turn);
    if (!(excess < 1e6)) break;
    if (excess > 1) change /= excess;
    displace(change, q);
    way += change.head<3>().norm();
    const double before = size(b.force);
    b = balance(d, options, in, frame, q);
    step *= std::clamp(before / std::max(size(b.force), 1e-300), 0.2, excess > 1 ? 1.0 : 4.0);
    step = std::clamp(step, 1e-5, 1e9);
  }
  throw std::runtime_error(
      "the person does not settle on the active planes: a force of " + to_text(b.force.head<3>().norm()) +
      " N and a moment of " + to_text(b.force.tail<3>().norm()) +
      " N.m are left; put planes under the posture, or set start_in_equilibrium to false");
}

}  // namespace spondyl::human17
