#include <catch2/catch.hpp>

#include "solvers/consistent_start.h"
#include "solvers/runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::problems;

namespace {

constexpr double length = Pendulum<3>::length, mass = Pendulum<3>::mass, gravity = Pendulum<3>::gravity;
constexpr double t_end = 3.3;

// the same equation twice
struct Singular {
  static constexpr Sizes sizes{.differential = 2};
  template <class T>
  void operator()(T, const T*, const T*, const T*, const T*, const T* zdot, T* r) const {
    r[0] = zdot[0] + 2.5 * zdot[1] - 3.0;
    r[1] = 2.0 * r[0];
  }
};

template <int Index>
Solution cartesian(const std::string& name, double tolerance, double* drift = nullptr) {
  Recorded<Pendulum<Index>> problem;
  if (drift)
    problem.on_step = [drift](const Step&, const double* x, const double*) {
      *drift = std::max(*drift, std::abs(std::hypot(x[0], x[1]) - length));
    };
  const auto solver = make_solver(name, problem.sizes(), {tolerance, tolerance});
  const PendulumMotion start = PendulumMotion::at(0);
  Solution s = started(*solver, problem, start.state());
  s.xdot = start.state_rate();
  const Report report = solver->advance(problem, s, t_end);
  INFO(name << " " << report.message(problem));
  REQUIRE(report.outcome == Outcome::reached);
  return s;
}

}  // namespace

TEST_CASE("the closed form of the pendulum keeps its energy and is what a solver finds in the angle") {
  const PendulumMotion start = PendulumMotion::at(0), end = PendulumMotion::at(t_end);
  CHECK(start.angle == Approx(Pendulum<3>::start_angle).epsilon(1e-14));
  CHECK(start.rate == Approx(0).margin(1e-14));
  CHECK(0.5 * length * end.rate * end.rate ==
        Approx(gravity * (std::cos(end.angle) - std::cos(start.angle))).epsilon(1e-12));
  for (const ListedSolver& listed : all_solvers) {
    Problem<PendulumAngle> problem;
    const Solution s = solve(listed.name, problem, {start.angle, 0}, t_end, {1e-11, 1e-11});
    INFO(listed.name);
    CHECK(s.x[0] == Approx(end.angle).margin(1e-9));
    CHECK(s.x[1] == Approx(end.rate).margin(1e-9));
  }
}

TEST_CASE("position constraints hold far below the tolerance in index 3, and drift slowly else") {
  double drift = 0;
  cartesian<3>("radau", 1e-6, &drift);
  CHECK(drift < 1e-7);
  drift = 0;
  cartesian<2>("radau", 1e-6, &drift);
  CHECK(drift < 1e-5);
  drift = 0;
  cartesian<1>("radau", 1e-6, &drift);
  CHECK(drift < 1e-4);
}

TEST_CASE("a consistent start finds accelerations and multiplier of index 1") {
  Problem<Pendulum<1>> problem;
  const double phi = 0.7, rate = -2.3;
  Solution s;
  s.resize(problem.sizes());
  s.x = {length * std::sin(phi), -length * std::cos(phi), length * rate * std::cos(phi),
         length * rate * std::sin(phi), -123.0};
  s.xdot = {9, 9, 9, 9, 9};
  REQUIRE(ConsistentStart(problem.sizes()).solve(problem, 0, s.x.data(), s.xdot.data(), s.statistics));
  // φ'' = -g/l sin φ
  const double turn = -gravity / length * std::sin(phi);
  CHECK(s.xdot[0] == s.x[2]);
  CHECK(s.xdot[1] == s.x[3]);
  CHECK(s.xdot[2] == Approx(length * (turn * std::cos(phi) - rate * rate * std::sin(phi))));
  CHECK(s.xdot[3] == Approx(length * (turn * std::sin(phi) + rate * rate * std::cos(phi))));
  CHECK(s.x[4] == Approx(PendulumMotion{phi, rate}.multiplier()));
}

TEST_CASE("a consistent start leaves a higher index to the caller") {
  Problem<Pendulum<3>> problem;
  Solution s;
  s.resize(problem.sizes());
  s.x = {0.3, -0.7, 0.2, 0.1, 5.5};
  s.xdot = {0, 0, 3.25, 4.5, 0};
  REQUIRE(ConsistentStart(problem.sizes()).solve(problem, 0, s.x.data(), s.xdot.data(), s.statistics));
  CHECK(s.x[4] == 5.5);
  CHECK(s.xdot[2] == 3.25);
  CHECK(s.xdot[3] == 4.5);
  CHECK(s.xdot[0] == 0.2);
}

TEST_CASE("a consistent start says when there is none") {
  struct NotFinite : Problem<ProtheroRobinson> {
    void residual(const Point&, double* r) const override { r[0] = std::nan(""); }
  } not_finite;
  Problem<Singular> singular;
  double x[2] = {1.5, 2.5}, xdot[2] = {};
  Statistics statistics;
  CHECK_FALSE(ConsistentStart(singular.sizes()).solve(singular, 0, x, xdot, statistics));
  CHECK_FALSE(ConsistentStart(not_finite.sizes()).solve(not_finite, 0, x, xdot, statistics));
}
