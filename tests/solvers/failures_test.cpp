#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "solvers/runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::problems;

namespace {

/// Two decays; what goes wrong after t = 0.7 is chosen by the test.
class Fragile : public Dae {
 public:
  enum class Trouble { none, not_finite, infinite, singular, wrong_matrix };
  Trouble trouble = Trouble::none;

  Sizes sizes() const override { return {.differential = 2}; }
  void residual(const Point& p, double* r) const override {
    r[0] = p.zdot[0] + 0.9 * p.z[0];
    r[1] = p.zdot[1] + 2.3 * p.z[1] - 0.4 * p.z[0];
    if (trouble == Trouble::not_finite && p.t > 0.7) r[1] = std::nan("");
    if (trouble == Trouble::infinite && p.t > 0.7) r[1] = std::numeric_limits<double>::infinity();
    if (trouble == Trouble::singular && p.t >= 0.7) r[1] = 2 * r[0] + 0.3;
    if (trouble == Trouble::wrong_matrix && p.t > 0.7) r[1] *= 4.5;  // which the matrix does not know
  }
  void jacobian(const Point& p, const Jacobian& j) const override {
    for (int i = 0; i < 4; ++i) j.of_position[i] = j.of_velocity[i] = j.of_acceleration[i] = 0;
    j.of_velocity[0] = j.of_velocity[3] = 1;
    j.of_position[0] = 0.9;
    j.of_position[2] = -0.4, j.of_position[3] = 2.3;
    if (trouble == Trouble::singular && p.t >= 0.7) {
      j.of_velocity[2] = 2, j.of_velocity[3] = 0;
      j.of_position[2] = 1.8, j.of_position[3] = 0;
    }
  }
  double next_corner(double t) const override {
    return t < 0.7 && trouble == Trouble::singular ? 0.7 : std::numeric_limits<double>::infinity();
  }
  std::string unknown_name(int i) const override { return i == 0 ? "slow" : "fast"; }
};

/// y' = y² with y = y0/(1 - y0 t)
struct BlowUp {
  static constexpr Sizes sizes{.differential = 1};
  template <class T>
  void operator()(T, const T*, const T*, const T*, const T* z, const T* zdot, T* r) const {
    r[0] = zdot[0] - z[0] * z[0];
  }
};

double slow_at(double t) { return 1.7 * std::exp(-0.9 * t); }

void check_failure(const std::string& name, Fragile::Trouble trouble, std::vector<Reason> allowed) {
  Fragile problem;
  problem.trouble = trouble;
  const auto solver = make_solver(name, problem.sizes(), {1e-7, 1e-7});
  Solution s = started(*solver, problem, {1.7, -0.6});
  const Report report = solver->advance(problem, s, 2);
  INFO(name << ": " << report.message(problem));
  REQUIRE(report.outcome == Outcome::failed);
  CHECK(std::find(allowed.begin(), allowed.end(), report.reason) != allowed.end());
  CHECK(report.t == s.t);
  // at the last accepted step before the edge, but a wrong matrix shows only when a prediction leaves
  // something to correct
  CHECK(s.t <= (trouble == Fragile::Trouble::wrong_matrix ? 1 : 0.7 + 1e-12));
  CHECK(s.t > 0.6);
  CHECK(std::abs(s.x[0] - slow_at(s.t)) < 1e-6);
  const std::string message = report.message(problem);
  CHECK(message.find("at t = 0.") != std::string::npos);
  CHECK(message.find(to_string(report.reason)) == 0);
  if (report.worst >= 0) {
    CHECK(message.find(problem.unknown_name(report.worst)) != std::string::npos);
    CHECK(problem.unknown_name(report.worst) == "fast");
  }
  // asked again, it says the same and does not move
  const double stuck = s.t;
  CHECK(solver->advance(problem, s, 2).outcome == Outcome::failed);
  CHECK(s.t - stuck < 1e-9);

  // once the trouble is over the solution goes on from there
  problem.trouble = Fragile::Trouble::none;
  solver->restart(s);
  REQUIRE(solver->advance(problem, s, 2).outcome == Outcome::reached);
  CHECK(std::abs(s.x[0] - slow_at(2)) < 1e-6);
}

}  // namespace

TEST_CASE("a residual that is not finite ends the run with that reason, and can be recovered from") {
  check_failure("radau", Fragile::Trouble::not_finite, {Reason::residual_not_finite});
  check_failure("radau", Fragile::Trouble::infinite, {Reason::residual_not_finite});
  check_failure("mebdf", Fragile::Trouble::not_finite, {Reason::residual_not_finite});
  check_failure("mebdf", Fragile::Trouble::infinite, {Reason::residual_not_finite});
  check_failure("ida", Fragile::Trouble::not_finite, {Reason::residual_not_finite});
}

TEST_CASE("a matrix that becomes singular ends the run with that reason, and can be recovered from") {
  check_failure("radau", Fragile::Trouble::singular, {Reason::singular_matrix});
  check_failure("mebdf", Fragile::Trouble::singular, {Reason::singular_matrix});
  check_failure("ida", Fragile::Trouble::singular,
                {Reason::singular_matrix, Reason::newton_did_not_converge});
}

TEST_CASE(
    "a Newton iteration that cannot converge ends the run with that reason, and can be recovered from") {
  check_failure("radau", Fragile::Trouble::wrong_matrix, {Reason::newton_did_not_converge});
  check_failure("mebdf", Fragile::Trouble::wrong_matrix, {Reason::newton_did_not_converge});
  check_failure("ida", Fragile::Trouble::wrong_matrix,
                {Reason::newton_did_not_converge, Reason::step_below_minimum});
}

TEST_CASE("a failure names the component") {
  for (const std::string name : {"radau", "mebdf"}) {
    Fragile problem;
    problem.trouble = Fragile::Trouble::not_finite;
    const auto solver = make_solver(name, problem.sizes(), {1e-7, 1e-7});
    Solution s = started(*solver, problem, {1.7, -0.6});
    const Report report = solver->advance(problem, s, 2);
    INFO(name);
    CHECK(report.worst == 1);
    CHECK(report.message(problem).find("worst in fast") != std::string::npos);
  }
}

TEST_CASE("a solution that runs to infinity ends the run where it does") {
  for (const std::string name : {"radau", "mebdf", "ida"}) {
    Problem<BlowUp> problem;
    const auto solver = make_solver(name, problem.sizes(), {1e-7, 1e-7});
    Solution s = started(*solver, problem, {1.6});
    const Report report = solver->advance(problem, s, 2);
    INFO(name << ": " << report.message(problem));
    CHECK(report.outcome == Outcome::failed);
    CHECK(report.reason == Reason::step_below_minimum);
    CHECK(s.t == Approx(1 / 1.6).epsilon(1e-5));
    CHECK(std::isfinite(s.x[0]));
  }
}

TEST_CASE("a run that did not fail has no message") {
  Fragile problem;
  CHECK(Report{}.message(problem).empty());
  CHECK(Report{Outcome::failed, Reason::too_many_steps, 0.125, 0}.message(problem) ==
        "too many steps at t = 0.125 s, worst in slow");
}

TEST_CASE("a model that asks to stop is stopped at the end of that step and goes on when asked") {
  struct Stopping : Problem<ManufacturedOscillators> {
    After accept(const Step& step, double*, double*) override {
      return !asked && step.end > 1 ? (asked = true, After::stop) : After::go_on;
    }
    bool asked = false;
  };
  for (const std::string name : {"radau", "mebdf", "ida"}) {
    INFO(name);
    Stopping problem;
    const auto solver = make_solver(name, problem.sizes(), {1e-6, 1e-6});
    Solution s = started(*solver, problem, oscillators_at(0));
    const Report report = solver->advance(problem, s, 3);
    CHECK(report.outcome == Outcome::stopped);
    CHECK(report.t == s.t);
    CHECK((s.t > 1 && s.t < 3));
    CHECK(solver->advance(problem, s, 3).outcome == Outcome::reached);
    CHECK(std::abs(s.x[0] - oscillators_at(3)[0]) < 1e-4);
  }
}
