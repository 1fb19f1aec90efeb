#include "elements/contact.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "math/random.h"
#include "problems/problem.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

namespace {

// a ball that flies horizontally into a wall
struct Ball {
  HuntCrossley law;
  double mass = 0.7;
  static constexpr Sizes sizes{.positions = 1};
  template <class T>
  void operator()(T, const T* q, const T* v, const T* a, const T*, const T*, T* r) const {
    r[0] = mass * a[0] + law.force(q[0], v[0]);
  }
};

double measured_rebound(double dissipation, double speed) {
  problems::Problem<Ball> ball(Ball{{.stiffness = 2.5e5, .dissipation = dissipation}});
  Solution s;
  s.resize(ball.sizes());
  s.x = {-0.001, speed};
  const auto solver = make_radau(ball.sizes(), {1e-11, 1e-13});
  solver->start(ball, s);
  REQUIRE(solver->advance(ball, s, 0.3).outcome == Outcome::reached);
  REQUIRE(s.x[0] < 0);  // it has left again
  return -s.x[1] / speed;
}

// d (1 + e) = ln((1 + d)/(1 - d e)) for e, by bisection
double exact_rebound(double d) {
  double low = 0, high = std::min(1.0, 1 / d);
  for (int i = 0; i < 200; ++i) {
    const double e = 0.5 * (low + high);
    (d * (1 + e) < std::log((1 + d) / (1 - d * e)) ? high : low) = e;
  }
  return low;
}

}  // namespace

TEST_CASE("Hunt-Crossley contact of known penetration") {
  const HuntCrossley law{.stiffness = 250000, .dissipation = 1.3};
  CHECK(law.force(0.025, 0.0) == Approx(250000 * std::pow(0.025, 1.5)));
  CHECK(law.force(0.025, 0.4) == Approx(250000 * std::pow(0.025, 1.5) * 1.52));
}

TEST_CASE("Hunt-Crossley contact is continuous at the touch, whatever the speed") {
  const HuntCrossley law{.stiffness = 250000, .dissipation = 1.3};
  for (const double rate : {-5.0, -0.1, 0.3, 8.0}) {
    CHECK(law.force(0.0, rate) == 0);
    CHECK(law.force(-0.02, rate) == 0);
    CHECK(law.force(1e-10, rate) < 1e-8);
  }
}

TEST_CASE("Hunt-Crossley contact never attracts") {
  const HuntCrossley law{.stiffness = 250000, .dissipation = 1.3};
  Random random(41);
  int held = 0;
  for (int i = 0; i < 2000; ++i) {
    const double force = law.force(random(-0.01, 0.03), random(-6, 6));
    CHECK(force >= 0);
    held += force == 0;
  }
  CHECK(held > 700);  // apart, or torn apart faster than the surface follows
}

TEST_CASE("the derivatives of a contact force agree with differences") {
  const HuntCrossley law{.stiffness = 250000, .dissipation = 1.3};
  using D = Dual<2>;
  for (const double rate : {-0.5, 0.2, 1.7}) {
    const D f = law.force(D::variable(0.012, 0), D::variable(rate, 1));
    const double by_depth = derivative([&](double x) { return law.force(x, rate); }, 0.012, 1e-4);
    CHECK(f.d[0] == Approx(by_depth).epsilon(1e-8));
    CHECK(f.d[1] == Approx(derivative([&](double x) { return law.force(0.012, x); }, rate)).epsilon(1e-8));
  }
}

TEST_CASE("a ball rebounds from Hunt-Crossley contact as the exact relation says") {
  const double speed = 2.2;
  for (const double d : {0.04, 0.15, 0.576, 2.9}) {
    INFO("D v0 = " << d);
    CHECK(std::abs(measured_rebound(d / speed, speed) - exact_rebound(d)) < 1e-6);
  }
}

TEST_CASE("Hunt and Crossley's own factor gives 0.90902 for 0.9 and 0.72040 for 0.616") {
  const double speed = 3.1;
  CHECK(std::abs(measured_rebound(1.5 * (1 - 0.9) / speed, speed) - 0.90902) < 6e-6);
  CHECK(std::abs(measured_rebound(1.5 * (1 - 0.616) / speed, speed) - 0.72040) < 6e-6);
}

TEST_CASE("regularised friction is opposite to sliding and saturates at the coefficient") {
  const RegularisedCoulomb law{.coefficient = 0.3, .speed = 0.05};
  CHECK(law.force(80.0, 1e4) == Approx(-24));
  CHECK(law.force(80.0, -1e4) == Approx(24));
  CHECK(law.force(80.0, 0.0) == 0);
  CHECK(law.force(80.0, 0.05) == Approx(-24 / std::sqrt(2.0)));
  // far below the regularising speed: a damper of mu N / s0
  CHECK(law.force(80.0, 1e-7) == Approx(-24 * 1e-7 / 0.05));
}

TEST_CASE("regularised friction never does positive work and never exceeds Coulomb's") {
  const RegularisedCoulomb law{.coefficient = 0.3, .speed = 0.05};
  Random random(42);
  for (int i = 0; i < 500; ++i) {
    const double normal = random(0, 900), sliding = random(-0.4, 0.4), force = law.force(normal, sliding);
    CHECK(force * sliding <= 0);
    CHECK(std::abs(force) <= 0.3 * normal);
  }
}
