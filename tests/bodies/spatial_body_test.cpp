#include "bodies/spatial_body.h"

#include <Eigen/Geometry>
#include <catch2/catch.hpp>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::Random;

namespace {

constexpr int n = SpatialBody::coordinates;
using Row = std::array<double, n>;

SpatialBody some_body() {
  SpatialBody body;
  body.mass = 0.37;
  body.inertia = {2.1e-4, 3.3e-4, 4.7e-4, 0.3e-4, -0.4e-4, 0.2e-4};
  body.home = {0.02, -0.01, 0.05};
  return body;
}

struct Sample {
  Row q, v, a;
};
Sample random_sample(Random& random) {
  Sample s;
  for (int k = 0; k < n; ++k) s.q[k] = random(-1, 1), s.v[k] = random(-3, 3), s.a[k] = random(-50, 50);
  return s;
}
FrameMotion<double> random_frame(Random& random) {
  const auto vector = [&](double size) {
    return Vec3<double>{random(-size, size), random(-size, size), random(-size, size)};
  };
  return {vector(20), vector(5), vector(80)};
}

Eigen::Vector3d eigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

}  // namespace

TEST_CASE("only the direction of the Euler parameters turns a body") {
  Random random(41);
  const SpatialBody body = some_body();
  for (int trial = 0; trial < 50; ++trial) {
    Sample s = random_sample(random), unit = s;
    SpatialBody::normalise(unit.q.data(), unit.v.data(), unit.a.data());
    double pp = 0, pv = 0, second = 0;
    for (int k = 3; k < n; ++k) {
      pp += unit.q[k] * unit.q[k];
      pv += unit.q[k] * unit.v[k];
      second += unit.q[k] * unit.a[k] + unit.v[k] * unit.v[k];
    }
    CHECK(pp == Approx(1).epsilon(1e-14));
    CHECK(std::abs(pv) < 1e-12);
    CHECK(std::abs(second) < 1e-9);
    CHECK(std::abs(SpatialBody::length_equation(unit.q.data(), unit.v.data(), unit.a.data())) < 1e-9);
    const auto m = body.motion(s.q.data(), s.v.data()), same = body.motion(unit.q.data(), unit.v.data());
    CHECK((eigen(m.omega) - eigen(same.omega)).norm() < 1e-12 * (1 + eigen(m.omega).norm()));
    const auto alpha = SpatialBody::angular_acceleration(s.q.data(), s.v.data(), s.a.data()),
               equal = SpatialBody::angular_acceleration(unit.q.data(), unit.v.data(), unit.a.data());
    CHECK((eigen(alpha) - eigen(equal)).norm() < 1e-11 * (1 + eigen(alpha).norm()));
  }
}

TEST_CASE("the moment that turning takes is the change of the moment of momentum seen from outside") {
  Random random(42);
  const SpatialBody body = some_body();
  Eigen::Matrix3d inertia;
  inertia << 2.1e-4, 0.3e-4, -0.4e-4, 0.3e-4, 3.3e-4, 0.2e-4, -0.4e-4, 0.2e-4, 4.7e-4;
  for (int trial = 0; trial < 20; ++trial) {
    const Sample s = random_sample(random);
    const FrameMotion<double> frame = random_frame(random);
    const Eigen::Vector3d W = eigen(frame.angular_velocity), Wdot = eigen(frame.angular_acceleration),
                          a0 = eigen(frame.acceleration);
    // the sled's orientation and origin near now, to third order; the body's coordinates likewise
    const auto world = [&](double t) {
      const Eigen::Vector3d turn = t * W + 0.5 * t * t * Wdot;
      const double angle = turn.norm();
      const Eigen::Matrix3d S =
          angle > 0 ? Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() : Eigen::Matrix3d::Identity();
      Eigen::Vector3d r(body.home.x, body.home.y, body.home.z);
      Eigen::Vector4d p;
      for (int k = 0; k < n; ++k) {
        const double x = s.q[k] + t * s.v[k] + 0.5 * t * t * s.a[k];
        if (k < 3)
          r[k] += x;
        else
          p[k - 3] = x;
      }
      const Eigen::Matrix3d R =
          S * Eigen::Quaterniond(p[3], p[0], p[1], p[2]).normalized().toRotationMatrix();
      return std::pair<Eigen::Vector3d, Eigen::Matrix3d>{0.5 * t * t * a0 + S * r, R};
    };
    // moment of momentum and momentum from differences of that motion
    const double h = 1e-5;
    const auto momentum = [&](double t) {
      const auto [r1, R1] = world(t + h);
      const auto [r0, R0] = world(t - h);
      const auto R = world(t).second;
      const Eigen::Matrix3d spin = (R1 - R0) / (2 * h) * R.transpose();
      const Eigen::Vector3d omega(0.5 * (spin(2, 1) - spin(1, 2)), 0.5 * (spin(0, 2) - spin(2, 0)),
                                  0.5 * (spin(1, 0) - spin(0, 1)));
      return std::pair<Eigen::Vector3d, Eigen::Vector3d>{body.mass * (r1 - r0) / (2 * h),
                                                         R * inertia * R.transpose() * omega};
    };
    const auto after = momentum(h), before = momentum(-h);
    const Eigen::Vector3d force = (after.first - before.first) / (2 * h),
                          moment = (after.second - before.second) / (2 * h);
    const auto m = body.motion(s.q.data(), s.v.data());
    const auto needed =
        body.needed(m, {s.a[0], s.a[1], s.a[2]},
                    SpatialBody::angular_acceleration(s.q.data(), s.v.data(), s.a.data()), frame);
    INFO("trial " << trial);
    CHECK((force - eigen(needed.force)).norm() < 1e-3 * (1 + force.norm()));
    CHECK((moment - eigen(needed.moment)).norm() < 1e-4 * (0.01 + moment.norm()));
  }
}

TEST_CASE("the derivatives of a body's equations agree with differences") {
  Random random(43);
  const SpatialBody body = some_body();
  for (int trial = 0; trial < 20; ++trial) {
    const Sample s = random_sample(random);
    const FrameMotion<double> frame = random_frame(random);
    const SpatialBody::LoadSlopes none;
    const auto residual = [&](const Sample& at) {
      const auto m = body.motion(at.q.data(), at.v.data());
      const auto needed =
          body.needed(m, {at.a[0], at.a[1], at.a[2]},
                      SpatialBody::angular_acceleration(at.q.data(), at.v.data(), at.a.data()), frame);
      return Row{needed.force.x,
                 needed.force.y,
                 needed.force.z,
                 needed.moment.x,
                 needed.moment.y,
                 needed.moment.z,
                 SpatialBody::length_equation(at.q.data(), at.v.data(), at.a.data())};
    };
    std::array<double, n * n> j[3];
    body.jacobian(s.q.data(), s.v.data(), s.a.data(), frame, none, j[0].data(), j[1].data(), j[2].data());
    Row Sample::*const parts[3] = {&Sample::q, &Sample::v, &Sample::a};
    for (int part = 0; part < 3; ++part)
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i) {
          const auto f = [&](double x) {
            Sample moved = s;
            (moved.*parts[part])[k] = x;
            return residual(moved)[i];
          };
          const double by = spondyl::testing::derivative(f, (s.*parts[part])[k], part == 0 ? 1e-4 : 1e-2);
          INFO("part " << part << ", row " << i << ", column " << k);
          CHECK(j[part][i * n + k] == Approx(by).epsilon(1e-6).margin(1e-6));
        }
  }
}
