#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "solvers/runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::problems;

namespace {

constexpr Tolerance fixed_step(double h) { return {0.1, 1e3, h}; }

double slope(double coarse, double fine) { return std::log2(coarse / fine); }

double first_order_error(double h) {
  Problem<ProtheroRobinson> problem(ProtheroRobinson{-1.3});
  // off the smooth solution, so that the transient exp(λ t) counts too
  const Solution s = solve("radau", problem, {1.8}, 2.4, fixed_step(h));
  REQUIRE(s.t == 2.4);
  return std::abs(s.x[0] - std::cos(2.4) - 0.8 * std::exp(-1.3 * 2.4));
}

std::array<double, 2> second_order_error(double h) {
  Problem<LinearOscillators> problem;
  const Solution s = solve("radau", problem, LinearOscillators::at(0), 2.4, fixed_step(h));
  REQUIRE(s.t == 2.4);
  const std::vector<double> x = LinearOscillators::at(2.4);
  return {std::hypot(s.x[0] - x[0], s.x[1] - x[1]), std::hypot(s.x[2] - x[2], s.x[3] - x[3])};
}

double worst_error(const std::string& solver, double tolerance) {
  Problem<ManufacturedOscillators> problem;
  const Solution s = solve(solver, problem, oscillators_at(0), 6.3, {tolerance, tolerance});
  REQUIRE(s.t == 6.3);
  const std::vector<double> exact = oscillators_at(6.3);
  double worst = 0;
  for (int k = 0; k < 4; ++k) worst = std::max(worst, std::abs(s.x[k] - exact[k]));
  return worst;
}

}  // namespace

TEST_CASE("Radau has order 5 on a first-order problem") {
  const double coarse = first_order_error(0.12), middle = first_order_error(0.06),
               fine = first_order_error(0.03);
  CHECK(slope(coarse, middle) == Approx(5).margin(0.3));
  CHECK(slope(middle, fine) == Approx(5).margin(0.2));
}

TEST_CASE("Radau has order 5 in positions and velocities of a second-order problem") {
  const auto coarse = second_order_error(0.12), middle = second_order_error(0.06),
             fine = second_order_error(0.03);
  for (const int part : {0, 1}) {
    CHECK(slope(coarse[part], middle[part]) == Approx(5).margin(0.35));
    CHECK(slope(middle[part], fine[part]) == Approx(5).margin(0.25));
  }
}

TEST_CASE("the error of a nonlinear problem with a changing mass follows the tolerance") {
  for (const std::string name : {"radau", "mebdf", "ida"})
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      INFO(name << " at " << tolerance);
      CHECK(worst_error(name, tolerance) < (name == "ida" ? 100 : 5) * tolerance);
    }
}

TEST_CASE("quadratures are integrated to the order of the method") {
  struct WithQuadrature : Problem<ManufacturedOscillators> {
    WithQuadrature() { n_.quadratures = 2; }
    void quadratures(const Point& p, double* rate) const override {
      rate[0] = p.v[0] * p.q[0];  // ½ q0²
      rate[1] = p.a[1] + 2.5;     // v1 + 2.5 t
    }
  } problem;
  std::vector<double> x = oscillators_at(0);
  for (const std::string name : {"radau", "mebdf", "ida"}) {
    const Solution s = solve(name, problem, x, 3.7, {1e-9, 1e-9});
    const std::vector<double> end = oscillators_at(3.7);
    INFO(name);
    CHECK(std::abs(s.x[4] - 0.5 * (end[0] * end[0] - x[0] * x[0])) < 1e-7);
    CHECK(std::abs(s.x[5] - (end[3] - x[3] + 2.5 * 3.7)) < 1e-7);
  }
}

TEST_CASE("a hundred random subdivisions of the interval stay within tolerance") {
  const std::vector<double> exact = oscillators_at(2.9);
  std::mt19937 engine(99);
  for (int run = 0; run < 200; ++run) {
    Problem<ManufacturedOscillators> problem;
    const auto solver = make_solver(run % 2 == 0 ? "radau" : "mebdf", problem.sizes(), {1e-6, 1e-6});
    Solution s = started(*solver, problem, oscillators_at(0));
    std::vector<double> stops(1 + engine() % 60);
    for (double& t : stops) t = 2.9 * static_cast<double>(engine()) / 4294967296.0;
    std::sort(stops.begin(), stops.end());
    stops.push_back(2.9);
    for (const double t : stops)
      if (t > s.t) {
        REQUIRE(solver->advance(problem, s, t).outcome == Outcome::reached);
        REQUIRE(s.t == t);
      }
    double worst = 0;
    for (int k = 0; k < 4; ++k) worst = std::max(worst, std::abs(s.x[k] - exact[k]));
    CHECK(worst < (run % 2 == 0 ? 5e-6 : 1e-5));
  }
}

TEST_CASE("dense output is as good as the steps, and its velocity is the derivative of its position") {
  for (const std::string name : {"radau", "mebdf", "ida"}) {
    INFO(name);
    Recorded<ManufacturedOscillators> problem;
    double worst_position = 0, worst_velocity = 0, worst_consistency = 0, worst_end = 0;
    problem.on_step = [&](const Step& step, const double* x_end, const double*) {
      double x[4], xdot[4], before[4], after[4], ignored[4];
      const double h = step.end - step.begin;
      for (const double share : {0.0, 0.17, 0.5, 0.83, 1.0}) {
        const double t = step.begin + share * h;
        step.dense.evaluate(t, x, xdot);
        const std::vector<double> exact = oscillators_at(t);
        for (int k = 0; k < 2; ++k) {
          worst_position = std::max(worst_position, std::abs(x[k] - exact[k]));
          worst_velocity = std::max(worst_velocity, std::abs(x[2 + k] - exact[2 + k]));
          CHECK(xdot[k] == x[2 + k]);
        }
        if (share == 0 || share == 1 || name == "ida") continue;
        step.dense.evaluate(t - 1e-3 * h, before, ignored);
        step.dense.evaluate(t + 1e-3 * h, after, ignored);
        for (int k = 0; k < 4; ++k)
          worst_consistency =
              std::max(worst_consistency, std::abs((after[k] - before[k]) / (2e-3 * h) - xdot[k]));
      }
      step.dense.evaluate(step.end, x, xdot);
      for (int k = 0; k < 4; ++k) worst_end = std::max(worst_end, std::abs(x[k] - x_end[k]));
    };
    const Solution s = solve(name, problem, oscillators_at(0), 4, {1e-8, 1e-8, 0.1});
    REQUIRE(s.t == 4);
    CHECK(problem.ends.size() > 30);
    CHECK(worst_position < 1e-6);
    CHECK(worst_velocity < 1e-6);
    CHECK(worst_consistency < 1e-6);
    CHECK(worst_end < 1e-14);
  }
}
