#include <catch2/catch.hpp>

#include "solvers/consistent_start.h"
#include "solvers/runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::problems;

namespace {

constexpr double length = Pendulum<3>::length, mass = Pendulum<3>::mass, gravity = Pendulum<3>::gravity;
constexpr double start_angle = 1.1, t_end = 3.3;  // from the vertical that hangs down

// the multiplier is λ = m (v² - g y)/l²: tension over length
double multiplier(double angle, double rate) {
  return mass * (length * length * rate * rate + gravity * length * std::cos(angle)) / (length * length);
}

Solution reference(double t) {
  Problem<PendulumAngle> problem;
  return solve("radau", problem, {start_angle, 0}, t, {1e-12, 1e-12});
}

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
  Solution s = started(
      *solver, problem,
      {length * std::sin(start_angle), -length * std::cos(start_angle), 0, 0, multiplier(start_angle, 0)});
  // accelerations of a higher-index problem are the caller's
  s.xdot = {0, 0, -s.x[0] * s.x[4] / mass, -s.x[1] * s.x[4] / mass - gravity, 0};
  const Report report = solver->advance(problem, s, t_end);
  INFO(name << " " << report.message(problem));
  REQUIRE(report.outcome == Outcome::reached);
  return s;
}

template <int Index>
void check_against_angle(const std::string& name, double tolerance, double allowed) {
  const Solution angle = reference(t_end), s = cartesian<Index>(name, tolerance);
  const double phi = angle.x[0], rate = angle.x[1];
  INFO(name << ", index " << Index);
  CHECK(std::abs(s.x[0] - length * std::sin(phi)) < allowed);
  CHECK(std::abs(s.x[1] + length * std::cos(phi)) < allowed);
  CHECK(std::abs(s.x[2] - length * rate * std::cos(phi)) < 4 * allowed);
  CHECK(std::abs(s.x[3] - length * rate * std::sin(phi)) < 4 * allowed);
  CHECK(s.x[4] == Approx(multiplier(phi, rate)).epsilon(Index == 3 ? 1e-3 : 1e-4));
}

}  // namespace

TEST_CASE("the reference pendulum keeps its energy") {
  const Solution s = reference(t_end);
  const double rate = s.x[1];
  CHECK(0.5 * length * rate * rate ==
        Approx(gravity * (std::cos(s.x[0]) - std::cos(start_angle))).epsilon(1e-10));
}

TEST_CASE("the pendulum with a multiplier moves as the one in its angle: index 1") {
  check_against_angle<1>("radau", 1e-8, 1e-7);
  check_against_angle<1>("ida", 1e-8, 1e-5);
}

TEST_CASE("the pendulum with a multiplier moves as the one in its angle: index 2") {
  check_against_angle<2>("radau", 1e-8, 1e-6);
}

TEST_CASE("the pendulum with a multiplier moves as the one in its angle: index 3") {
  check_against_angle<3>("radau", 1e-8, 1e-6);
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
  CHECK(s.x[4] == Approx(multiplier(phi, rate)));
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
