/// Correct digits of every solver on every problem of the library, and what the motions keep.

#include <catch2/catch.hpp>
#include <random>

#include "solvers/runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::problems;

namespace {

/// The tightest tolerance at which a solver claims a problem, where that is not 1e-10: where it was seen to
/// miss. The reasons are estimates.
struct Limit {
  std::string solver, problem;  ///< empty: all solvers
  double tightest;
};
const std::vector<Limit> limits{
    // likely rounding: the two terms of y1' cancel to 2e-10 of their size at the end; 8.0 to 8.5 digits
    {"", "Robertson", 1e-8},
    {"", "Robertson, DAE", 1e-8},
    // likely rounding of time: the jumps last 1e-12 s, and steps fall below the spacing of t
    {"ida", "Van der Pol, mu 1e6", 1e-8},
    // likely the errors of 3500 steps that add up: 8.9 digits
    {"ida", "Kepler", 1e-8},
    // likely drift from the constraint, which index 1 does not hold: 8.3 digits
    {"ida", "pendulum, index 1", 1e-8},
};

double tightest(const std::string& solver, const std::string& problem) {
  for (const Limit& limit : limits)
    if (limit.problem == problem && (limit.solver.empty() || limit.solver == solver)) return limit.tightest;
  return 1e-10;
}

Solution run(const ListedSolver& listed, Dae& dae, const Case& c, double tolerance) {
  const auto solver = listed.make(dae.sizes(), {tolerance, tolerance});
  Solution s = started(*solver, dae, c.x);
  if (!c.xdot.empty()) s.xdot = c.xdot;
  const Report report = solver->advance(dae, s, c.t_end);
  INFO(report.message(dae));
  REQUIRE(report.outcome == Outcome::reached);
  return s;
}

}  // namespace

TEST_CASE("every solver gives the asked digits less one on every problem that it claims") {
  for (const Case& c : all_cases())
    for (const ListedSolver& listed : all_solvers)
      for (const int asked : {4, 6, 8, 10}) {
        const auto dae = c.make();
        const double tolerance = std::pow(10.0, -asked);
        if (!listed.claims(dae->sizes()) || tolerance < 0.99 * tightest(listed.name, c.name)) continue;
        INFO(listed.name << " on " << c.name << " at " << tolerance);
        CHECK(correct_digits(c, run(listed, *dae, c, tolerance).x) >= asked - 1);
      }
}

TEST_CASE("velocities and multipliers of higher index converge, with fewer digits") {
  // Of index 3, multipliers converge with the order 2 where positions do with 5 (H&W II, VII.7): four more
  // digits of positions are 1.6 of multipliers.
  for (const Case& c : all_cases())
    for (const ListedSolver& listed : all_solvers) {
      const auto dae = c.make();
      const Sizes n = dae->sizes();
      if (n.algebraic == 0 || n.index == 1 || !listed.claims(n)) continue;
      INFO(listed.name << " on " << c.name);
      const double loose = correct_digits(c, run(listed, *dae, c, 1e-6).x, false);
      const double tight = correct_digits(c, run(listed, *dae, c, 1e-10).x, false);
      CHECK(tight >= 3);
      CHECK(tight - loose >= 1.2);
    }
}

TEST_CASE("the start of every problem satisfies its equations") {
  for (const Case& c : all_cases()) {
    const auto dae = c.make();
    const Sizes n = dae->sizes();
    if (c.xdot.empty()) continue;  // x' is the solver's
    std::vector<double> r(n.unknowns());
    dae->residual(Point(0, n, c.x.data(), c.xdot.data()), r.data());
    INFO(c.name);
    for (const double residual : r) CHECK(std::abs(residual) < 1e-12);
  }
}

TEST_CASE("the Jacobian of every problem agrees with finite differences") {
  std::mt19937 random(7);
  const auto wobble = [&] { return 0.3 * (static_cast<double>(random()) / 4294967296.0 - 0.5); };
  for (const Case& c : all_cases()) {
    INFO(c.name);
    const auto dae = c.make();
    const Sizes n = dae->sizes();
    const int nq = n.positions, nz = n.others(), size = n.unknowns();
    for (int trial = 0; trial < 5; ++trial) {
      std::vector<double> y(3 * nq + 2 * nz);  // q, z, v, z', a as the columns of the three matrices
      for (int k = 0; k < nq; ++k) y[k] = c.x[k] + wobble(), y[size + k] = c.x[nq + k] + wobble();
      for (int k = 0; k < nz; ++k) y[nq + k] = c.x[2 * nq + k] + wobble(), y[size + nq + k] = wobble();
      for (int k = 0; k < nq; ++k) y[2 * size + k] = wobble();
      const Point p(0.37, y.data(), y.data() + size, y.data() + 2 * size, y.data() + nq,
                    y.data() + size + nq);
      std::vector<double> exact(3 * size * size), low(size), high(size);
      dae->jacobian(p, {exact.data(), exact.data() + size * size, exact.data() + 2 * size * size});
      for (std::size_t column = 0; column < y.size(); ++column) {
        const double kept = y[column], h = 1e-5 * std::max(1e-1, std::abs(kept));
        y[column] = kept + h;
        dae->residual(p, high.data());
        y[column] = kept - h;
        dae->residual(p, low.data());
        y[column] = kept;
        const std::size_t part = column / size, k = column % size;
        for (int i = 0; i < size; ++i) {
          const double slope = (high[i] - low[i]) / (2 * h), given = exact[(part * size + i) * size + k];
          const double rounding = 1e-15 * std::max(std::abs(high[i]), std::abs(low[i])) / h;
          INFO("part " << part << " row " << i << " column " << k);
          CHECK(std::abs(slope - given) <= 1e-7 * std::abs(given) + 1e-8 + 10 * rounding);
        }
      }
    }
  }
}

TEST_CASE("a planet keeps its energy and its angular momentum to the tolerance") {
  const std::vector<double> start = Kepler::at(0);
  const double energy = Kepler::energy(start.data()), momentum = Kepler::angular_momentum(start.data());
  // of the closed form itself, at any time
  CHECK(Kepler::energy(Kepler::at(2.9).data()) == Approx(energy).epsilon(1e-13));
  CHECK(energy == Approx(-Kepler::gamma / (2 * Kepler::axis)).epsilon(1e-14));
  for (const ListedSolver& listed : all_solvers)
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      Recorded<Kepler> problem;
      double worst_energy = 0, worst_momentum = 0;
      problem.on_step = [&](const Step&, const double* x, const double*) {
        worst_energy = std::max(worst_energy, std::abs(Kepler::energy(x) - energy));
        worst_momentum = std::max(worst_momentum, std::abs(Kepler::angular_momentum(x) - momentum));
      };
      solve(listed.name, problem, start, 3 * Kepler::period(), {tolerance, tolerance});
      INFO(listed.name << " at " << tolerance);
      CHECK(worst_energy < 10 * tolerance);
      CHECK(worst_momentum < 10 * tolerance);
    }
}

TEST_CASE("the slider crank in its angle keeps its energy, and gives the reference with two solvers") {
  const Case c = [] {
    for (Case& each : all_cases())
      if (each.name == "slider crank, index 3") return each;
    throw std::logic_error("no slider crank");
  }();
  const double energy = SliderCrank::energy(c.x.data());
  CHECK(SliderCrank::energy(c.end.data()) == Approx(energy).epsilon(1e-11));
  for (const ListedSolver& listed : all_solvers) {
    Problem<SliderCrankAngle> problem;
    const Solution s = solve(listed.name, problem, {SliderCrank::start_angle, SliderCrank::start_rate},
                             c.t_end, {1e-11, 1e-11});
    INFO(listed.name);
    CHECK(s.x[0] == Approx(c.end[0]).epsilon(1e-10));
    CHECK(s.x[1] == Approx(c.end[3]).epsilon(1e-10));
  }
}

TEST_CASE("Van der Pol's equation at mu = 1e6 ends where two solvers agree") {
  for (const ListedSolver& listed : all_solvers) {
    Problem<VanDerPol> problem(VanDerPol{1e-12});
    const Solution s = solve(listed.name, problem, {2.0, 0.0}, 2.0, {1e-8, 1e-8});
    INFO(listed.name);
    CHECK(s.x[0] == Approx(1.70554621753).margin(1e-8));
    CHECK(s.x[1] == Approx(-0.89347636255).margin(1e-8));
    // on the slow manifold after the jumps: (1 - y²) y' = y but for ε, to the tolerance
    CHECK((1 - s.x[0] * s.x[0]) * s.x[1] == Approx(s.x[0]).epsilon(1e-8));
  }
}

TEST_CASE("a bouncing ball hits the floor at the exact times, to the tolerance") {
  const double height = 1.37;
  for (const ListedSolver& listed : all_solvers)
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      INFO(listed.name << " at " << tolerance);
      BouncingBalls ball(1);
      const auto solver = listed.make(ball.sizes(), {tolerance, tolerance});
      Solution s = started(*solver, ball, {height, 0});
      REQUIRE(solver->advance(ball, s, BouncingBalls::impact_time(height, 8) + 0.01).outcome ==
              Outcome::reached);
      REQUIRE(ball.impacts.size() == 9);
      for (int k = 0; k < 9; ++k)
        CHECK(std::abs(ball.impacts[k].t - BouncingBalls::impact_time(height, k)) <
              std::max(tolerance, 1e-11));
    }
}
