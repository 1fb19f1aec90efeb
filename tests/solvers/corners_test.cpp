#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "solvers/runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::problems;

namespace {

/// y' = a(t) with a of straight pieces between corners: y is exactly known, to rounding if no step crosses
/// one.
struct Sawtooth {
  std::vector<double> corners;
  static constexpr Sizes sizes{.differential = 1};
  template <class T>
  void operator()(T t, const T*, const T*, const T*, const T*, const T* zdot, T* r) const {
    r[0] = zdot[0] - rate(value(t), value(t));
  }
  double rate(double t, double piece) const {
    double a = 0.5, sign = 3;
    for (const double c : corners) {
      if (piece > c) a += sign * (t - c);
      sign = -1.6 * sign;
    }
    return a;
  }
  double exact(double t) const {
    double y = 0.5 * t, sign = 3;
    for (const double c : corners) {
      if (t > c) y += 0.5 * sign * (t - c) * (t - c);
      sign = -1.6 * sign;
    }
    return y;
  }
};

struct WithCorners : Recorded<Sawtooth> {
  explicit WithCorners(std::vector<double> corners) : Recorded<Sawtooth>(Sawtooth{std::move(corners)}) {}
  double next_corner(double t) const override {
    for (const double c : f_.corners)
      if (c > t) return c;
    return std::numeric_limits<double>::infinity();
  }
  void residual(const Point& p, double* r) const override { r[0] = p.zdot[0] - f_.rate(p.t, p.piece); }
  double exact(double t) const { return f_.exact(t); }
};

bool contains(const std::vector<double>& times, double t) {
  return std::find(times.begin(), times.end(), t) != times.end();
}

}  // namespace

TEST_CASE("steps end exactly on corners and so lose nothing there") {
  for (const std::string name : {"radau", "mebdf", "ida"}) {
    INFO(name);
    WithCorners problem({0.1, 0.37, 0.37 + 1.0 / 3, 1.9});
    const Solution s = solve(name, problem, {0.0}, 2.3, {1e-4, 1e-4});
    REQUIRE(s.t == 2.3);
    for (const double corner : {0.1, 0.37, 0.37 + 1.0 / 3, 1.9}) CHECK(contains(problem.ends, corner));
    CHECK(problem.ends.back() == 2.3);
    if (name != "ida") CHECK(std::abs(s.x[0] - problem.exact(2.3)) < 1e-13);
    CHECK(std::abs(s.x[0] - problem.exact(2.3)) < 1e-3);
  }
}

TEST_CASE("corners and communication points one unit in the last place apart do not stall") {
  for (const std::string name : {"radau", "mebdf", "ida"}) {
    INFO(name);
    const double corner = 0.7, next = std::nextafter(corner, 1), before = std::nextafter(corner, 0);
    WithCorners problem({before, corner, next, 1.1});
    const auto solver = make_solver(name, problem.sizes(), {1e-6, 1e-6});
    Solution s = started(*solver, problem, {0.0});
    for (const double t : {before, corner, next, std::nextafter(next, 1), std::nextafter(1.1, 0),
                           std::nextafter(1.1, 2), 1.5}) {
      const Report report = solver->advance(problem, s, t);
      REQUIRE(report.outcome == Outcome::reached);
      REQUIRE(s.t == t);
    }
    CHECK(std::abs(s.x[0] - problem.exact(1.5)) < (name == "ida" ? 1e-4 : 1e-12));
    CHECK(s.statistics.steps < 500);
  }
}

TEST_CASE("corners and ends one unit apart do not stall far from t = 0 either") {
  for (const std::string name : {"radau", "mebdf", "ida"}) {
    INFO(name);
    const double corner = 1e4 + 0.7;
    WithCorners problem({corner, std::nextafter(corner, 1e9)});
    const auto solver = make_solver(name, problem.sizes(), {1e-6, 1e-6});
    Solution s = started(*solver, problem, {5000.0}, 1e4);
    for (const double t :
         {std::nextafter(corner, 0), std::nextafter(std::nextafter(corner, 1e9), 1e9), 1e4 + 1}) {
      REQUIRE(solver->advance(problem, s, t).outcome == Outcome::reached);
      REQUIRE(s.t == t);
    }
    CHECK(std::abs(s.x[0] - problem.exact(1e4 + 1)) < (name == "ida" ? 0.05 : 1e-9));
    CHECK(s.statistics.steps < 500);
  }
}
