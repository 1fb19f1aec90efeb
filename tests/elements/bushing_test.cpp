#include "elements/bushing.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "math/random.h"
#include "problems.h"
#include "solvers/runs.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

namespace {

// one direction of a bushing on a body, with a constant load (Morais 2011, Section 5.1.2)
struct Body {
  Bushing::Direction law;
  double inertia, load;
  static constexpr Sizes sizes{.positions = 1};
  template <class T>
  void operator()(T, const T* q, const T* v, const T* a, const T*, const T*, T* r) const {
    r[0] = inertia * a[0] + law.spring(q[0]) + law.damper(v[0]) - load;
  }
};

struct Response {
  double peak, time, end;
};
// largest displacement in the direction of the load, when, and where it ends
Response response(const Body& body, double until) {
  problems::Problem<Body> problem(body);
  const auto solver = make_radau(problem.sizes(), {1e-10, 1e-12});
  Solution s = testing::started(*solver, problem, {0, 0});
  Response found{};
  const double h = 1e-4, sign = body.load < 0 ? -1 : 1;
  for (int k = 1; k * h < until; ++k) {
    REQUIRE(solver->advance(problem, s, k * h).outcome == Outcome::reached);
    if (sign * s.x[0] > sign * found.peak) found.peak = s.x[0], found.time = k * h;
  }
  found.end = s.x[0];
  return found;
}

}  // namespace

TEST_CASE("bushing along y: 1 kg on 1000 N/m and 30 N s/m sinks to 0.9884 m and ends at 0.9902 m") {
  // stiffer in tension: it must not be asked
  const Response r = response({{7777, 1000, 30}, 1.0, -9.81}, 2.0);
  const double omega = std::sqrt(1000.0), zeta = 30 / (2 * omega), root = std::sqrt(1 - zeta * zeta);
  CHECK(omega == Approx(31.62).epsilon(1e-4));
  CHECK(zeta == Approx(0.474).epsilon(1e-3));
  const double overshoot = std::exp(-zeta * std::acos(-1.0) / root);
  CHECK(std::abs(r.peak + 9.81e-3 * (1 + overshoot)) < 1e-8);
  CHECK(1 + r.peak == Approx(0.9884).epsilon(5e-5));
  CHECK(1 + r.end == Approx(0.9902).epsilon(5e-5));
  CHECK(std::abs(r.end + 9.81e-3) < 1e-8);
}

TEST_CASE("bushing along x: the same load along x gives the same motion") {
  Bushing bushing;
  bushing.x = {1000, 1000, 30};
  const Response r = response({bushing.x, 1.0, -9.81}, 2.0);
  CHECK(1 + r.peak == Approx(0.9884).epsilon(5e-5));
  CHECK(1 + r.end == Approx(0.9902).epsilon(5e-5));
}

TEST_CASE(
    "bushing in rotation: 0.1 kg m², 3 N m/rad, 0.5 N m s/rad turns most at 0.645 s, ends at 0.333 rad") {
  const Response r = response({{3, 99, 0.5}, 0.1, 1.0}, 8.0);
  const double omega = std::sqrt(30.0), zeta = 0.5 / (2 * std::sqrt(0.3)),
               damped = omega * std::sqrt(1 - zeta * zeta);
  CHECK(std::acos(-1.0) / damped == Approx(0.645).epsilon(1e-3));
  CHECK(std::abs(r.time - std::acos(-1.0) / damped) < 1.1e-4);
  CHECK(std::abs(r.peak - (1 + std::exp(-zeta * omega * std::acos(-1.0) / damped)) / 3) < 1e-8);
  CHECK(std::abs(r.end - 1.0 / 3) < 1e-7);
}

TEST_CASE("a bushing thrown upwards is in tension first: a quarter of the period of each side") {
  // without damping and load the two half swings last π √(m/K)
  problems::Problem<Body> problem(Body{{2.2e3, 8.8e3, 0}, 1.3, 0.0});
  const auto solver = make_radau(problem.sizes(), {1e-11, 1e-13});
  Solution s = testing::started(*solver, problem, {0, 10});
  const double period = std::acos(-1.0) * (std::sqrt(1.3 / 2.2e3) + std::sqrt(1.3 / 8.8e3));
  REQUIRE(solver->advance(problem, s, period).outcome == Outcome::reached);
  CHECK(std::abs(s.x[0]) < 1e-7);
  CHECK(s.x[1] == Approx(10).epsilon(1e-7));
}

TEST_CASE("the slope of a bushing's energy is its spring force on both sides") {
  const Bushing::Direction law{213200, 1825000, 1000};
  Random random(12);
  for (int i = 0; i < 40; ++i) {
    const double d = random(0.1, 1) * (i % 2 ? 1e-3 : -1e-3);
    CHECK(derivative([&](double x) { return law.energy(x); }, d, 1e-5) ==
          Approx(law.spring(d)).epsilon(1e-9));
    CHECK(law.spring(d) * d > 0);
  }
  CHECK(law.spring(1e-3) == Approx(213.2));
  CHECK(law.spring(-1e-3) == Approx(-1825));
  CHECK(law.damper(-0.2) == Approx(-200));
}
