#include <catch2/catch.hpp>

#include "solvers/runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::problems;

TEST_CASE("Radau follows the smooth solution of a very stiff problem with large steps") {
  for (const std::string name : {"radau", "ida"}) {
    Problem<ProtheroRobinson> problem(ProtheroRobinson{-1e6});
    const Solution s = solve(name, problem, {1.0}, 9.7, {1e-7, 1e-7});
    INFO(name);
    REQUIRE(s.t == 9.7);
    CHECK(std::abs(s.x[0] - std::cos(9.7)) < 1e-6);
    CHECK(s.statistics.steps < (name == "ida" ? 400 : 100));
  }
}

TEST_CASE("a stiff transient dies out instead of ringing") {
  Problem<ProtheroRobinson> problem(ProtheroRobinson{-1e6});
  const Solution s = solve("radau", problem, {3.5}, 0.4, {1e-6, 1e-6});
  REQUIRE(s.t == 0.4);
  CHECK(std::abs(s.x[0] - std::cos(0.4)) < 1e-6);
  CHECK(s.statistics.steps < 60);
}

TEST_CASE("Van der Pol's equation at epsilon 1e-6 ends at the published value") {
  // test set for IVP solvers: y(0) = 2, y'(0) = 0
  for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
    Problem<VanDerPol> problem;
    const Solution s = solve("radau", problem, {2.0, 0.0}, 2.0, {tolerance, tolerance});
    INFO(tolerance);
    REQUIRE(s.t == 2.0);
    CHECK(std::abs(s.x[0] - 1.706167732170469) < 100 * tolerance);
    CHECK(std::abs(s.x[1] + 0.8928097010248257) < 100 * tolerance);
  }
  Problem<VanDerPol> problem;
  const Solution s = solve("ida", problem, {2.0, 0.0}, 2.0, {1e-8, 1e-8});
  REQUIRE(s.t == 2.0);
  CHECK(std::abs(s.x[0] - 1.706167732170469) < 1e-5);
}

TEST_CASE("Robertson's reaction ends at the published value after 1e11 s") {
  for (const std::string name : {"radau", "ida"}) {
    Problem<RobertsonDae> problem;
    const Solution s = solve(name, problem, {1.0, 0.0, 0.0}, 1e11, {1e-9, 1e-15});
    INFO(name);
    REQUIRE(s.t == 1e11);
    CHECK(s.x[0] == Approx(0.2083340149701255e-7).epsilon(1e-4));
    CHECK(s.x[1] == Approx(0.8333360770334713e-13).epsilon(1e-4));
    CHECK(s.x[2] == Approx(0.9999999791665050).epsilon(1e-8));
  }
}
