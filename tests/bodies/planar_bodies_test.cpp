#include "bodies/planar_bodies.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::Random;

namespace {

constexpr int N = 3, n = 3 * N;
using Bodies = PlanarBodies<N>;

Bodies make_bodies() { return Bodies({{{1.3, 0.02}, {1.7, 0.011}, {0.9, 0.007}}}, {0.01, -0.02}, -0.4); }

// some smooth wrench that depends on everything
template <class T>
Wrench<T> some_wrench(const RelativeMotion<T>& m) {
  Wrench<T> w;
  const PointMotion<T> p = m.of({0.03, -0.02});
  w.add(p.position - m.position, {-300.0 * p.position.x + 4.0 * p.velocity.z * p.position.z,
                                  -700.0 * p.position.z * p.position.z - 3.0 * p.velocity.x});
  w.moment += -20.0 * m.angle * m.angle - 0.7 * m.rate * p.position.x;
  return w;
}

struct State {
  double q[n], v[n], a[n];
};
State random_state(Random& random) {
  State s;
  for (int k = 0; k < n; ++k) {
    s.q[k] = k % 3 == 2 ? random(-0.6, 0.6) : random(-0.2, 0.2);
    s.v[k] = random(-2, 2);
    s.a[k] = random(-50, 50);
  }
  return s;
}

void residual(const Bodies& bodies, const State& s, const PlanarFrame<double>& frame, double* r) {
  bodies.residual<double>(s.q, s.v, s.a, frame, {}, r);
  for (int i = 0; i < N; ++i) {
    const auto upper = bodies.motion(s.q, s.v, i), lower = bodies.motion(s.q, s.v, i + 1);
    Bodies::add(i, upper, lower, some_wrench(Bodies::relative(upper, lower)), r);
  }
}

}  // namespace

TEST_CASE("the Jacobian of planar bodies with wrenches between them agrees with differences") {
  const Bodies bodies = make_bodies();
  Random random(21);
  for (int trial = 0; trial < 10; ++trial) {
    const State s = random_state(random);
    const PlanarFrame<double> frame{{random(-30, 30), random(-30, 30)}, random(-5, 5), random(-80, 80)};
    std::array<double, n * n> jacobian[3];
    bodies.jacobian(frame, jacobian[0].data(), jacobian[1].data(), jacobian[2].data());
    for (int i = 0; i < N; ++i) {
      const auto upper = bodies.motion(s.q, s.v, i), lower = bodies.motion(s.q, s.v, i + 1);
      Bodies::add_jacobian(i, upper, lower, some_wrench(Bodies::as_variables(Bodies::relative(upper, lower))),
                           jacobian[0].data(), jacobian[1].data());
    }
    for (int part = 0; part < 3; ++part)
      for (int k = 0; k < n; ++k) {
        const double width = 1e-4;
        double f[4][n];
        for (const int shift : {0, 1, 2, 3}) {
          State moved = s;
          double* const x = part == 0 ? moved.q : part == 1 ? moved.v : moved.a;
          x[k] += (shift < 2 ? shift - 2 : shift - 1) * width;
          residual(bodies, moved, frame, f[shift]);
        }
        for (int i = 0; i < n; ++i) {
          const double by = (8 * (f[2][i] - f[1][i]) - (f[3][i] - f[0][i])) / (12 * width);
          INFO("trial " << trial << ", part " << part << ", row " << i << ", column " << k);
          CHECK(std::abs(by - jacobian[part][i * n + k]) < 2e-8 * (1 + std::abs(by)) + 2e-8);
        }
      }
  }
}

TEST_CASE("what acts between two bodies changes neither their momentum nor their moment of momentum") {
  const Bodies bodies = make_bodies();
  Random random(22);
  for (int trial = 0; trial < 20; ++trial) {
    const State s = random_state(random);
    double r[n] = {};
    const int i = trial % 2;  // not the level on the base
    const auto upper = bodies.motion(s.q, s.v, i), lower = bodies.motion(s.q, s.v, i + 1);
    const auto seen = Bodies::relative(upper, lower);
    const auto wrench = some_wrench(seen);
    Bodies::add(i, upper, lower, wrench, r);
    double force[2] = {}, moment = 0, power = 0;
    for (int k = 0; k < N; ++k) {
      force[0] -= r[3 * k], force[1] -= r[3 * k + 1];
      moment -= s.q[3 * k + 1] * r[3 * k] - s.q[3 * k] * r[3 * k + 1] + r[3 * k + 2];
      for (int c = 0; c < 3; ++c) power -= r[3 * k + c] * s.v[3 * k + c];
    }
    CHECK(std::abs(force[0]) < 1e-12);
    CHECK(std::abs(force[1]) < 1e-12);
    CHECK(std::abs(moment) < 1e-11);
    CHECK(power == Approx(dot(wrench.force, seen.velocity) + wrench.moment * seen.rate));
  }
}

TEST_CASE("the relative motion has the rates of what an observer on the lower body sees") {
  const Bodies bodies = make_bodies();
  Random random(23);
  for (int trial = 0; trial < 20; ++trial) {
    const State s = random_state(random);
    const auto at = [&](double t) {
      double q[n];
      for (int k = 0; k < n; ++k) q[k] = s.q[k] + t * s.v[k];
      return Bodies::relative(bodies.motion(q, s.v, 1), bodies.motion(q, s.v, 2));
    };
    const Vec2<double> point{0.03, -0.07};
    const PointMotion<double> now = at(0).of(point);
    CHECK(now.velocity.x ==
          Approx(testing::derivative([&](double t) { return at(t).of(point).position.x; }, 0)).margin(1e-9));
    CHECK(now.velocity.z ==
          Approx(testing::derivative([&](double t) { return at(t).of(point).position.z; }, 0)).margin(1e-9));
  }
}

TEST_CASE("a free body seen from a sled that turns and accelerates needs no force to fly straight") {
  const Bodies bodies = make_bodies();
  // the sled's origin and tilt, and the body's place, in inertial axes
  const auto sled = [](double t) { return Vec2<double>{0.3 * t + 1.7 * t * t, -0.2 * t + 0.9 * t * t}; };
  const auto tilt = [](double t) { return 0.4 + 1.3 * t + 2.2 * t * t; };
  const auto seen = [&](double t) {
    const Vec2<double> body{0.5 - 0.8 * t, 0.2 + 1.1 * t};
    return rotate_back(sin_cos(tilt(t)), body - sled(t));
  };
  const double h = 1e-3;
  const auto second = [&](auto f) {
    return (-f(2 * h) + 16 * f(h) - 30 * f(0) + 16 * f(-h) - f(-2 * h)) / (12 * h * h);
  };
  State s{};
  s.q[0] = seen(0).x, s.q[1] = seen(0).z, s.q[2] = 0.7 - tilt(0);
  s.v[0] = testing::derivative([&](double t) { return seen(t).x; }, 0);
  s.v[1] = testing::derivative([&](double t) { return seen(t).z; }, 0);
  s.v[2] = 0.6 - 1.3;
  s.a[0] = second([&](double t) { return seen(t).x; });
  s.a[1] = second([&](double t) { return seen(t).z; });
  s.a[2] = -4.4;
  const PlanarFrame<double> frame{rotate_back(sin_cos(tilt(0)), Vec2<double>{3.4, 1.8}), 1.3, 4.4};
  double r[n];
  bodies.residual<double>(s.q, s.v, s.a, frame, {}, r);
  for (int k = 0; k < 3; ++k) CHECK(std::abs(r[k]) < 1e-7);
}
