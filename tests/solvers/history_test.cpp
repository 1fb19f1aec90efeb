#include <catch2/catch.hpp>

#include "solvers/count_allocations.h"
#include "solvers/pendulum_tree.h"
#include "solvers/runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::problems;

namespace {

// a run to `copied`, then two continuations from the same solution: by the same solver, and by another one
template <class P>
void check_copy(const std::string& name, P problem, const std::vector<double>& x, double copied,
                const std::vector<double>& stops) {
  INFO(name << ", copied at " << copied);
  P second = problem;
  const Tolerance tolerance{1e-6, 1e-6};
  const auto solver = make_solver(name, problem.sizes(), tolerance),
             other = make_solver(name, problem.sizes(), tolerance);
  Solution s = started(*solver, problem, x);
  started(*other, second, x);  // another run, whose remains must not matter
  REQUIRE(solver->advance(problem, s, copied).outcome == Outcome::reached);
  Solution copy = s;
  other->forget();
  for (const double t : stops) {
    REQUIRE(solver->advance(problem, s, t).outcome == Outcome::reached);
    REQUIRE(other->advance(second, copy, t).outcome == Outcome::reached);
    REQUIRE(same_bits(s, copy));
  }
}

}  // namespace

TEST_CASE("a copied solution continues bit for bit in another solver, statistics included") {
  const std::vector<double> stops{1.1, 1.1000001, 1.7, 2.9};
  for (const std::string name : {"radau", "mebdf"})
    for (const double copied : {1e-4, 0.3, 0.777, 1.0}) {
      check_copy(name, Problem<ManufacturedOscillators>(), oscillators_at(0), copied, stops);
      check_copy(name, Problem<VanDerPol>(VanDerPol{0.01}), {2.0, -0.66}, copied, stops);
      check_copy(name, Problem<RobertsonDae>(), {1.0, 0.0, 0.0}, copied, stops);
      check_copy(name, BouncingBalls(2), {0.9, 0.61, 0, 0}, copied, stops);
    }
}

TEST_CASE("a solver that goes back to an older copy repeats what it did") {
  for (const std::string name : {"radau", "mebdf"}) {
    INFO(name);
    Problem<VanDerPol> problem(VanDerPol{0.003});
    const auto solver = make_solver(name, problem.sizes(), {1e-7, 1e-7});
    Solution s = started(*solver, problem, {2.0, -0.66});
    REQUIRE(solver->advance(problem, s, 0.4).outcome == Outcome::reached);
    const Solution saved = s;
    REQUIRE(solver->advance(problem, s, 1.9).outcome == Outcome::reached);
    const Solution once = s;
    s = saved;
    solver->forget();
    REQUIRE(solver->advance(problem, s, 1.9).outcome == Outcome::reached);
    CHECK(same_bits(s, once));
  }
}

TEST_CASE("IDA goes on from a copy within its tolerance") {
  Problem<ManufacturedOscillators> problem;
  const auto solver = make_ida(problem.sizes(), {1e-8, 1e-8});
  Solution s = started(*solver, problem, oscillators_at(0));
  REQUIRE(solver->advance(problem, s, 0.7).outcome == Outcome::reached);
  Solution copy = s;
  REQUIRE(solver->advance(problem, s, 2.3).outcome == Outcome::reached);
  solver->forget();
  REQUIRE(solver->advance(problem, copy, 2.3).outcome == Outcome::reached);
  for (int k = 0; k < 4; ++k) CHECK(std::abs(s.x[k] - copy.x[k]) < 2e-6);
}

TEST_CASE("nothing is allocated while a solver advances, events and restarts included") {
  for (const std::string name : {"radau", "mebdf"}) {
    BouncingBalls balls(3);
    const auto solver = make_solver(name, balls.sizes(), {1e-7, 1e-7});
    Solution s = started(*solver, balls, {0.9, 0.61, 1.3, 0, 0, 0});
    const long before = allocations;
    const Report report = solver->advance(balls, s, 1.5);
    const long after = allocations;
    REQUIRE(report.outcome == Outcome::reached);
    REQUIRE(balls.impacts.size() > 5);
    INFO(name);
    CHECK(after == before);
    // the counter does count
    CHECK(std::make_unique<double>(2.5) != nullptr);
    CHECK(allocations > after);
  }
}

TEST_CASE("Radau allocates nothing while it advances a model with a structure") {
  PendulumTree tree(PendulumTree::chain(6), PendulumTree::Uses::structure);
  const auto solver = make_radau(tree.sizes(), {1e-6, 1e-6});
  Solution s = tree.hanging(1.3);
  solver->start(tree, s);
  const long before = allocations;
  const Report report = solver->advance(tree, s, 0.4);
  const long after = allocations;
  REQUIRE(report.outcome == Outcome::reached);
  CHECK(after == before);
}
