#include <Eigen/Dense>
#include <catch2/catch.hpp>

#include "models/human12_runs.h"

/// A second formulation, written from the definition of the model alone: centre of mass and Euler parameters
/// of each body, Newton-Euler equations, joint forces from the constraints on accelerations, Runge-Kutta 4.

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::testing::of_human12;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

struct Segment {
  const char* name;
  int parent;
  bool hinge;
  double mass;
  Vector3d inertia, in_parent, in_child;
};

const std::vector<Segment> segments{
    {"lower_torso", -1, false, 18.64, {0.22, 0.16, 0.163}, {0, 0, 0}, {0, 0, 0}},
    {"upper_torso", 0, false, 15.26, {0.209, 0.158, 0.144}, {0, 0, 0.132}, {0, 0, -0.15}},
    {"neck", 1, false, 0.863, {0.0018, 0.0018, 0.0015}, {0, 0, 0.146}, {0, 0, -0.06}},
    {"head", 2, true, 4.55, {0.0181, 0.0236, 0.0173}, {0, 0, 0.06}, {-0.02, 0, -0.055}},
    {"upper_arm_left", 1, false, 2.114, {0.01448, 0.0129, 0.00445}, {0, 0.165, 0.074}, {0, 0, 0.1676}},
    {"forearm_left", 4, true, 1.673, {0.02134, 0.02043, 0.00169}, {0, 0, -0.1228}, {0, 0, 0.1722}},
    {"upper_arm_right", 1, false, 2.114, {0.01448, 0.0129, 0.00445}, {0, -0.165, 0.074}, {0, 0, 0.1676}},
    {"forearm_right", 6, true, 1.673, {0.02134, 0.02043, 0.00169}, {0, 0, -0.1228}, {0, 0, 0.1722}},
    {"thigh_left", 0, false, 11.045, {0.2153, 0.2153, 0.0442}, {0, 0.085, -0.132}, {0, 0, 0.1738}},
    {"leg_left", 8, true, 4.446, {0.1101, 0.1146, 0.0145}, {0, 0, -0.2506}, {-0.014, 0, 0.2638}},
    {"thigh_right", 0, false, 11.045, {0.2153, 0.2153, 0.0442}, {0, -0.085, -0.132}, {0, 0, 0.1738}},
    {"leg_right", 10, true, 4.446, {0.1101, 0.1146, 0.0145}, {0, 0, -0.2506}, {-0.014, 0, 0.2638}}};
constexpr int count = 12;
const double damping[count] = {0, 16.95, 3.39, 16.95, 3.76, 3.39, 3.76, 3.39, 5.65, 5.65, 5.65, 5.65};

/// Per body: position, Euler parameters, velocity, angular velocity in outer axes.
using State13 = Eigen::Matrix<double, 13, count>;

Matrix3d skew(const Vector3d& a) {
  Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}
Matrix3d turned(const State13& s, int b) {
  return Quaterniond(s(3, b), s(4, b), s(5, b), s(6, b)).normalized().toRotationMatrix();
}

/// Gravity, and damping of the joints where asked for.
State13 rates(const State13& s, double gravity, bool damped) {
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(6 * count, 6 * count);
  Eigen::VectorXd force = Eigen::VectorXd::Zero(6 * count);
  for (int b = 0; b < count; ++b) {
    const Matrix3d A = turned(s, b), I = A * segments[b].inertia.asDiagonal() * A.transpose();
    const Vector3d w = s.block<3, 1>(10, b);
    inverse.block<3, 3>(6 * b, 6 * b) = Matrix3d::Identity() / segments[b].mass;
    inverse.block<3, 3>(6 * b + 3, 6 * b + 3) = I.inverse();
    force[6 * b + 2] -= segments[b].mass * gravity;
    force.segment<3>(6 * b + 3) -= w.cross(I * w);
    if (b == 0 || !damped) continue;
    const int p = segments[b].parent;
    const Vector3d torque = -damping[b] * (w - Vector3d(s.block<3, 1>(10, p)));
    force.segment<3>(6 * b + 3) += torque;
    force.segment<3>(6 * p + 3) -= torque;
  }
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(43, 6 * count);
  Eigen::VectorXd c = Eigen::VectorXd::Zero(43);
  int row = 0;
  for (int b = 1; b < count; ++b) {
    const int p = segments[b].parent;
    const Matrix3d Ap = turned(s, p), Ab = turned(s, b);
    const Vector3d rp = Ap * segments[b].in_parent, rb = Ab * segments[b].in_child;
    const Vector3d wp = s.block<3, 1>(10, p), wb = s.block<3, 1>(10, b);
    G.block<3, 3>(row, 6 * p) = Matrix3d::Identity();
    G.block<3, 3>(row, 6 * p + 3) = -skew(rp);
    G.block<3, 3>(row, 6 * b) = -Matrix3d::Identity();
    G.block<3, 3>(row, 6 * b + 3) = skew(rb);
    c.segment<3>(row) = wp.cross(wp.cross(rp)) - wb.cross(wb.cross(rb));
    row += 3;
    if (!segments[b].hinge) continue;
    const Vector3d y = Ab.col(1);
    for (const int axis : {0, 2}) {  // the parent's x and z stay square to the common axis
      const Vector3d e = Ap.col(axis), n = e.cross(y);
      G.block<1, 3>(row, 6 * p + 3) = n.transpose();
      G.block<1, 3>(row, 6 * b + 3) = -n.transpose();
      c[row] = wp.cross(wp.cross(e)).dot(y) + e.dot(wb.cross(wb.cross(y))) + 2 * wp.cross(e).dot(wb.cross(y));
      ++row;
    }
  }
  const Eigen::VectorXd lambda = (G * inverse * G.transpose()).ldlt().solve(-(G * (inverse * force) + c));
  const Eigen::VectorXd a = inverse * (force + G.transpose() * lambda);
  State13 r;
  for (int b = 0; b < count; ++b) {
    const Vector3d w = s.block<3, 1>(10, b);
    const Quaterniond half =
        Quaterniond(0, w.x(), w.y(), w.z()) * Quaterniond(s(3, b), s(4, b), s(5, b), s(6, b));
    r.col(b) << s.block<3, 1>(7, b), 0.5 * half.w(), 0.5 * half.x(), 0.5 * half.y(), 0.5 * half.z(),
        a.segment<3>(6 * b), a.segment<3>(6 * b + 3);
  }
  return r;
}

/// From the joint rates of H12-a, all bodies in the reference posture.
State13 start_of_free_flight() {
  const Vector3d relative[count] = {{0.5, -1.0, 0.8},     {-1.5, 2.68, -1.86}, {-1.92, -0.9, -1.62},
                                    {0, 1.02, 0},         {-2.31, 2.38, 2.15}, {0, -2.98, 0},
                                    {0.25, -2.36, -1.45}, {0, -0.5, 0},        {-0.28, -0.19, 2.57},
                                    {0, -1.45, 0},        {-1.87, 1.02, 2.68}, {0, 2.54, 0}};
  State13 s = State13::Zero();
  s.col(0).head<3>() = Vector3d(0, 0, 0.132);
  s.block<3, 1>(7, 0) = Vector3d(0.3, -0.2, 0.5);
  for (int b = 0; b < count; ++b) {
    s(3, b) = 1;
    s.block<3, 1>(10, b) = relative[b];
    if (b == 0) continue;
    const int p = segments[b].parent;
    const Vector3d wp = s.block<3, 1>(10, p);
    s.block<3, 1>(10, b) += wp;
    const Vector3d wb = s.block<3, 1>(10, b);
    s.block<3, 1>(0, b) = s.block<3, 1>(0, p) + segments[b].in_parent - segments[b].in_child;
    s.block<3, 1>(7, b) =
        s.block<3, 1>(7, p) + wp.cross(segments[b].in_parent) - wb.cross(segments[b].in_child);
  }
  return s;
}

State13 fly(State13 s, double t_end, int steps, double gravity, bool damped) {
  const double h = t_end / steps;
  for (int i = 0; i < steps; ++i) {
    const State13 k1 = rates(s, gravity, damped), k2 = rates(s + 0.5 * h * k1, gravity, damped),
                  k3 = rates(s + 0.5 * h * k2, gravity, damped), k4 = rates(s + h * k3, gravity, damped);
    s += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return s;
}

void compare(Case12 c, double t_end, int steps, double gravity, bool damped) {
  set_tolerance(c.settings, 1e-9);
  Body12 b(c.settings);
  b.go(t_end);
  const State13 s = fly(start_of_free_flight(), t_end, steps, gravity, damped);
  for (int k = 0; k < count; ++k) {
    const Vec3<double> at = b.vector(std::string(segments[k].name) + "_position");
    INFO(segments[k].name);
    CHECK((Vector3d(at.x, at.y, at.z) - Vector3d(s.block<3, 1>(0, k))).norm() < 1e-7);
  }
}

}  // namespace

TEST_CASE("free flight of Human12 is that of bodies in Euler parameters") {
  compare(free_flight(), 0.5, 500, 0, false);
}

TEST_CASE("damped joints and gravity act as on bodies in Euler parameters") {
  Case12 c = free_flight();
  for (auto& [name, value] : c.settings) {
    if (name == "gravity") value = 9.81;
    if (name == "joint_damping") value = 1;
  }
  compare(c, 0.2, 800, 9.81, true);
}
