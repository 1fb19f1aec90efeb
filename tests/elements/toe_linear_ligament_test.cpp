#include "elements/toe_linear_ligament.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "math/random.h"
#include "problems.h"
#include "solvers/runs.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

namespace {

constexpr ToeLinearLigament ligament{.stiffness = 33900,
                                     .rest_length = 0.0139,
                                     .transition_strain = 0.261,
                                     .limit_strain = 0.655,
                                     .rate_constant = 0.4};

double at(double strain) { return ligament.rest_length * (1 + strain); }

// a body of 1 kg that falls on the ligament of Section 5.1.1 (Morais 2011): q is the length
struct Hanging {
  ToeLinearLigament law{
      .stiffness = 50, .rest_length = 1, .transition_strain = 0.2, .limit_strain = 0.5, .rate_constant = 0.1};
  static constexpr Sizes sizes{.positions = 1};
  static constexpr double gravity = 9.81;
  template <class T>
  void operator()(T, const T* q, const T* v, const T* a, const T*, const T*, T* r) const {
    r[0] = a[0] + law.tension(q[0], v[0]) - gravity;
  }
};

}  // namespace

TEST_CASE("the pieces of a ligament's law have the values of Eq. 4.7 and 4.9 and join") {
  const double scale = 33900 * 0.0139;
  CHECK(ligament.elastic(at(-0.1)) == 0);
  CHECK(ligament.elastic(at(0.1)) == Approx(scale * 0.01 / (2 * 0.261)));
  CHECK(ligament.elastic(at(0.5)) == Approx(scale * (0.5 - 0.1305)));
  CHECK(ligament.elastic(at(0.655)) == Approx(scale * (0.655 - 0.1305)));
  CHECK(ligament.elastic(at(1.4)) == Approx(scale * (0.655 - 0.1305)));
  for (const double joint : {0.0, 0.261, 0.655}) {
    CHECK(ligament.elastic(at(joint - 1e-9)) == Approx(ligament.elastic(at(joint + 1e-9))).margin(1e-5));
    CHECK(ligament.energy(at(joint - 1e-9)) == Approx(ligament.energy(at(joint + 1e-9))).margin(1e-9));
  }
  // slope continuous from toe to linear
  using D = Dual<1>;
  CHECK(ligament.elastic(D::variable(at(0.261 - 1e-9), 0)).d[0] == Approx(33900).epsilon(1e-6));
  CHECK(ligament.elastic(D::variable(at(0.261 + 1e-9), 0)).d[0] == Approx(33900).epsilon(1e-6));
}

TEST_CASE("a ligament resists stretching more, shortening no less, and never pushes") {
  Random random(13);
  for (int i = 0; i < 200; ++i) {
    const double length = at(random(-0.5, 1.2)), rate = random(0.001, 0.3), still = ligament.elastic(length);
    CHECK(ligament.tension(length, -rate) == still);
    CHECK(ligament.tension(length, rate) == Approx(still * (1 + 0.4 * rate / 0.0139)));
    CHECK(still >= 0);
  }
}

TEST_CASE("the slope of the energy of a toe-linear ligament is its elastic force") {
  for (const double strain : {-0.2, 0.05, 0.21, 0.3, 0.6, 0.7, 1.1})
    CHECK(derivative([](double l) { return ligament.energy(l); }, at(strain), 1e-5) ==
          Approx(ligament.elastic(at(strain))).margin(1e-7).epsilon(1e-9));
}

TEST_CASE("a body falls on a ligament as far as energy allows, and comes back without loss") {
  for (const double constant : {0.0, 0.1}) {
    Hanging hanging;
    hanging.law.rate_constant = constant;
    problems::Problem<Hanging> problem(hanging);
    const auto solver = make_radau(problem.sizes(), {1e-10, 1e-12});
    Solution s = testing::started(*solver, problem, {1, 0});
    const auto energy = [&] { return 0.5 * s.x[1] * s.x[1] + hanging.law.energy(s.x[0]) - 9.81 * s.x[0]; };
    double longest = 0, at_longest = 0, last = 0, first_up = 0;
    for (int k = 1; k <= 2000; ++k) {
      REQUIRE(solver->advance(problem, s, 1e-3 * k).outcome == Outcome::reached);
      if (s.x[0] > longest) longest = s.x[0], at_longest = energy();
      if (s.x[1] >= 0 && first_up == 0) continue;  // on the way down
      if (s.x[1] >= 0 || s.x[0] < 1.02) break;     // all the way up
      if (first_up == 0) first_up = energy();
      last = energy();
    }
    CAPTURE(constant, longest);
    if (constant == 0) {
      // beyond the limit the force stays at 20 N: 9.81 x = E(0.5) + 20 (x - 0.5)
      const double limit_energy = hanging.law.energy(1.5);
      CHECK(limit_energy == Approx(50 * (0.5 * 0.5 * 0.3 + 0.04 / 6)));
      CHECK(longest - 1 == Approx((10 - limit_energy) / (20 - 9.81)).margin(2e-5));
      CHECK(std::abs(last - -9.81) < 1e-7);
    } else {
      CHECK(longest - 1 < (10 - hanging.law.energy(1.5)) / (20 - 9.81) - 0.01);
      CHECK(at_longest < -9.81 - 0.05);         // lost on the way down
      CHECK(std::abs(last - first_up) < 1e-7);  // nothing on the way up
    }
  }
}
