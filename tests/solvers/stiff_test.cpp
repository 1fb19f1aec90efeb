#include <catch2/catch.hpp>

#include "solvers/runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::problems;

TEST_CASE("Radau follows the smooth solution of a very stiff problem with large steps") {
  for (const std::string name : {"radau", "mebdf", "ida"}) {
    Problem<ProtheroRobinson> problem(ProtheroRobinson{-1e6});
    const Solution s = solve(name, problem, {1.0}, 9.7, {1e-7, 1e-7});
    INFO(name);
    REQUIRE(s.t == 9.7);
    CHECK(std::abs(s.x[0] - std::cos(9.7)) < 1e-6);
    CHECK(s.statistics.steps < (name == "ida" ? 400 : 150));
  }
}

TEST_CASE("a stiff transient dies out instead of ringing") {
  Problem<ProtheroRobinson> problem(ProtheroRobinson{-1e6});
  const Solution s = solve("radau", problem, {3.5}, 0.4, {1e-6, 1e-6});
  REQUIRE(s.t == 0.4);
  CHECK(std::abs(s.x[0] - std::cos(0.4)) < 1e-6);
  CHECK(s.statistics.steps < 60);
}
