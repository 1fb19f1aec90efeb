#include "solvers/equilibrium.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "solvers/runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::problems;

namespace {

/// A bar on a stiffening spring k tan(θ/2)/cos(θ/2) under a moment, and a reading z = 3 θ - 2 of it.
struct Bar {
  double stiffness = 37, moment = 21;
  static constexpr Sizes sizes{.positions = 1, .algebraic = 1};
  template <class T>
  void operator()(T, const T* q, const T* v, const T* a, const T* z, const T*, T* r) const {
    const auto [s, c] = sin_cos(0.5 * q[0]);
    r[0] = 0.4 * a[0] + 2.2 * v[0] + stiffness * s / (c * c) - moment;
    r[1] = z[0] - 3.0 * q[0] + 2.0;
  }
  // k s/(1 - s²) = M with s = sin(θ/2)
  double exact() const {
    const double s = (-stiffness + std::sqrt(stiffness * stiffness + 4 * moment * moment)) / (2 * moment);
    return 2 * std::asin(s);
  }
};

struct FarAway {
  static constexpr Sizes sizes{.positions = 2};
  template <class T>
  void operator()(T, const T* q, const T*, const T* a, const T*, const T*, T* r) const {
    r[0] = 1.3 * a[0] + 250.0 * (q[0] - 41.0) + 70.0 * (q[1] + 3.0);
    r[1] = 0.7 * a[1] + 70.0 * (q[0] - 41.0) + 90.0 * (q[1] + 3.0);
  }
};

/// A pendulum by its angle from the top, where it does not stay.
struct Inverted {
  static constexpr Sizes sizes{.positions = 1};
  template <class T>
  void operator()(T, const T* q, const T* v, const T* a, const T*, const T*, T* r) const {
    r[0] = 0.8 * a[0] + 0.3 * v[0] - 5.0 * sin_cos(q[0]).sin;
  }
};

struct Nowhere {
  static constexpr Sizes sizes{.positions = 1};
  template <class T>
  void operator()(T, const T* q, const T*, const T* a, const T*, const T*, T* r) const {
    r[0] = 2.1 * a[0] + q[0] * q[0] + 0.7;
  }
};

}  // namespace

TEST_CASE("the equilibrium of a bar on a stiffening spring is the closed form, at rest") {
  for (const double moment : {0.3, 21.0, -400.0}) {
    const Bar bar{37, moment};
    Problem<Bar> problem(bar);
    Solution s;
    s.resize(problem.sizes());
    s.x = {0.2, 5.5, 9};  // moving, and with a wrong reading
    s.xdot = {5.5, 8, 7};
    const EquilibriumReport report = find_equilibrium(problem, s);
    REQUIRE(report.found);
    CHECK(report.residual < 1e-8);
    CHECK(s.x[0] == Approx(bar.exact()).epsilon(1e-10));
    CHECK(s.x[1] == 0);
    CHECK(s.x[2] == Approx(3 * bar.exact() - 2));
    CHECK((s.xdot[0] == 0 && s.xdot[1] == 0 && s.xdot[2] == 0));
  }
}

TEST_CASE("an equilibrium out of reach of one Newton iteration is reached by portions of the load") {
  Problem<FarAway> problem;
  Solution s;
  s.resize(problem.sizes());
  const EquilibriumReport report = find_equilibrium(problem, s);
  REQUIRE(report.found);
  CHECK(report.load_steps > 1);
  CHECK(s.x[0] == Approx(41));
  CHECK(s.x[1] == Approx(-3));
}

TEST_CASE("creeping leads to the stable equilibrium where Newton goes to the near one") {
  Problem<Inverted> problem;
  for (const double side : {1.0, -1.0}) {
    Solution s;
    s.resize(problem.sizes());
    s.x = {0.2 * side, 0.7};
    Solution near = s;
    REQUIRE(find_equilibrium(problem, near).found);
    CHECK(std::abs(near.x[0]) < 1e-12);  // on the top
    creep(problem, s, 0.02);
    CHECK(std::abs(s.x[0] - side * std::acos(-1.0)) < 1e-6);
    CHECK(s.x[1] == 0);
    REQUIRE(find_equilibrium(problem, s).found);
    CHECK(std::abs(s.x[0] - side * std::acos(-1.0)) < 1e-12);
  }
}

TEST_CASE("creeping ends where nothing holds, without an equilibrium") {
  Problem<Nowhere> problem;
  Solution s;
  s.resize(problem.sizes());
  creep(problem, s);
  CHECK(std::isfinite(s.x[0]));
  CHECK_FALSE(find_equilibrium(problem, s).found);
}

TEST_CASE("where there is no equilibrium none is found and nothing is changed") {
  Problem<Nowhere> problem;
  Solution s;
  s.resize(problem.sizes());
  s.x = {1.9, 0.4};
  s.xdot = {0.4, -3};
  const EquilibriumReport report = find_equilibrium(problem, s);
  CHECK_FALSE(report.found);
  CHECK(report.residual > 0.5);
  CHECK(report.worst == 0);
  CHECK(s.x == std::vector<double>{1.9, 0.4});
  CHECK(s.xdot == std::vector<double>{0.4, -3});
}

TEST_CASE("a residual that is not finite is no equilibrium") {
  struct NotFinite : Problem<Nowhere> {
    void residual(const Point&, double* r) const override { r[0] = std::nan(""); }
  } problem;
  Solution s;
  s.resize(problem.sizes());
  s.x = {1.9, 0.4};
  CHECK_FALSE(find_equilibrium(problem, s).found);
  CHECK(s.x == std::vector<double>{1.9, 0.4});
}
