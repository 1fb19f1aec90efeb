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

// balls that fly horizontally into walls; each pair remembers the speed of its touch
class Balls : public problems::Problem<Ball> {
 public:
  ImpactLaw law;
  std::vector<double> mass, touch;
  int touches = 0;

  Balls(const ImpactLaw& l, std::vector<double> masses) : law(l), mass(masses), touch(masses.size()) {
    n_ = {.positions = int(mass.size()), .events = int(mass.size())};
  }
  double force(const Point& p, int k) const {
    return touch[k] > 0 ? law.force(p.q[k], p.v[k], touch[k])
                        : law.force(p.q[k], p.v[k], law.touch_speed(p.v[k]));
  }
  void residual(const Point& p, double* r) const override {
    for (int k = 0; k < n_.positions; ++k) r[k] = mass[k] * p.a[k] + force(p, k);
  }
  void jacobian(const Point& p, const Jacobian& j) const override {
    using D = Dual<2>;
    const int n = n_.positions;
    for (int k = 0; k < n * n; ++k) j.of_position[k] = j.of_velocity[k] = j.of_acceleration[k] = 0;
    for (int k = 0; k < n; ++k) {
      const D q = D::variable(p.q[k], 0), v = D::variable(p.v[k], 1);
      const D f = touch[k] > 0 ? law.force(q, v, touch[k]) : law.force(q, v, law.touch_speed(v));
      j.of_position[k * n + k] = f.d[0];
      j.of_velocity[k * n + k] = f.d[1];
      j.of_acceleration[k * n + k] = mass[k];
    }
  }
  void events(const Point& p, double* g) const override { std::copy_n(p.q, n_.positions, g); }
  After accept(const Step& step, double* x, double*) override {
    for (const int k : step.fired) {
      touches += touch[k] == 0;
      touch[k] = touch[k] == 0 ? law.touch_speed(x[n_.positions + k]) : 0;
    }
    return step.fired.empty() ? After::go_on : After::restart;
  }
};

// speeds after the touch over those before, all balls touching at the same instant
std::vector<double> measured_rebounds(Balls& balls, const std::vector<double>& speed,
                                      const std::string& solver_name = "radau", double tolerance = 1e-11) {
  const int n = int(speed.size());
  Solution s;
  s.resize(balls.sizes());
  for (int k = 0; k < n; ++k) s.x[k] = -0.002 * speed[k], s.x[n + k] = speed[k];
  const Tolerance t{tolerance, 1e-2 * tolerance};
  const auto solver = solver_name == "ida" ? make_ida(balls.sizes(), t) : make_radau(balls.sizes(), t);
  solver->start(balls, s);
  REQUIRE(solver->advance(balls, s, 0.3).outcome == Outcome::reached);
  std::vector<double> rebound;
  for (int k = 0; k < n; ++k) {
    REQUIRE(s.x[k] < 0);  // it has left again
    CHECK(balls.touch[k] == 0);
    rebound.push_back(-s.x[n + k] / speed[k]);
  }
  return rebound;
}

ImpactLaw impact(ContactLaw law, double restitution) {
  return {.law = law,
          .stiffness = 2.5e5,
          .restitution = restitution,
          .linear_stiffness = 3.1e4,
          .linear_damping = 44,
          .smallest_speed = 0.01};
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

TEST_CASE("each impact law gives back what its exact relation says, whatever speed and mass") {
  for (const double c : {0.9, 0.616, 0.3})
    for (const ContactLaw law :
         {ContactLaw::hunt_crossley, ContactLaw::lankarani_nikravesh, ContactLaw::flores}) {
      const ImpactLaw l = impact(law, c);
      Balls balls(l, {0.7, 1.9});
      const double exact = exact_rebound(l.damping_factor());
      for (const double measured : measured_rebounds(balls, {2.2, 0.31})) {
        INFO("law " << int(law) << ", c_r " << c << ": " << measured << ", exact " << exact);
        CHECK(std::abs(measured - exact) < 1e-6);
      }
    }
}

TEST_CASE("the rebounds of the laws for 0.9 and 0.616 are those of the literature's formula") {
  const auto rebound = [](ContactLaw law, double c) {
    return exact_rebound(impact(law, c).damping_factor());
  };
  CHECK(std::abs(rebound(ContactLaw::lankarani_nikravesh, 0.9) - 0.91318) < 5e-6);
  CHECK(std::abs(rebound(ContactLaw::flores, 0.9) - 0.89392) < 5e-6);
  CHECK(std::abs(rebound(ContactLaw::hunt_crossley, 0.9) - 0.90902) < 5e-6);
  CHECK(std::abs(rebound(ContactLaw::lankarani_nikravesh, 0.616) - 0.76187) < 5e-6);
  CHECK(std::abs(rebound(ContactLaw::flores, 0.616) - 0.59428) < 5e-6);
  CHECK(std::abs(rebound(ContactLaw::hunt_crossley, 0.616) - 0.72040) < 5e-6);
  CHECK(std::abs(rebound(ContactLaw::lankarani_nikravesh, 0.3) - 0.684) < 5e-4);
}

TEST_CASE("Hertz gives back all, Kelvin and Voigt exp(-2 ζ acos ζ / √(1 - ζ²))") {
  Balls hertz(impact(ContactLaw::hertz, 0.4), {0.7});
  CHECK(std::abs(measured_rebounds(hertz, {2.2})[0] - 1) < 1e-6);
  const ImpactLaw l = impact(ContactLaw::kelvin_voigt, 0.4);
  Balls balls(l, {0.7, 2.3});
  const std::vector<double> measured = measured_rebounds(balls, {2.2, 0.4});
  for (const int k : {0, 1}) {
    const double zeta = l.linear_damping / (2 * std::sqrt(l.linear_stiffness * balls.mass[k]));
    CHECK(std::abs(measured[k] - std::exp(-2 * zeta * std::acos(zeta) / std::sqrt(1 - zeta * zeta))) < 1e-6);
  }
}

TEST_CASE("two touches at the same instant remember each its own speed, with every solver") {
  for (const std::string solver : {"radau", "ida"}) {
    Balls both(impact(ContactLaw::flores, 0.616), {0.7, 0.7, 0.7});
    const double tolerance = solver == "ida" ? 1e-9 : 1e-11;
    const std::vector<double> e = measured_rebounds(both, {2.2, 0.31, 2.2}, solver, tolerance);
    CHECK(both.touches == 3);
    CHECK(e[0] == e[2]);  // alike to the bit
    for (const int k : {0, 1}) {
      INFO(solver << " " << k << ": " << e[k]);
      CHECK(std::abs(e[k] - exact_rebound(1.6 * 0.384 / 0.616)) < (solver == "ida" ? 1e-5 : 1e-6));
    }
  }
}

TEST_CASE("an impact law with a cap counts no approach faster than the touch") {
  ImpactLaw l = impact(ContactLaw::lankarani_nikravesh, 0.3);
  l.largest_ratio = 1;
  l.smallest_speed = 0.1;
  const double chi = 0.75 * (1 - 0.09);
  CHECK(l.touch_speed(0.04) == 0.1);
  CHECK(l.touch_speed(0.4) == 0.4);
  CHECK(l.force(0.02, 0.9, 0.4) == Approx(2.5e5 * std::pow(0.02, 1.5) * (1 + chi)));
  CHECK(l.force(0.02, 0.2, 0.4) == Approx(2.5e5 * std::pow(0.02, 1.5) * (1 + chi * 0.5)));
  CHECK(l.force(0.02, -0.3, 0.4) == Approx(2.5e5 * std::pow(0.02, 1.5) * (1 - chi * 0.75)));
}

TEST_CASE("no impact law attracts or divides by a touch at rest, and energy is what the elastic force does") {
  Random random(43);
  for (const int number : {1, 2, 3, 4, 5}) {
    const ImpactLaw l = impact(static_cast<ContactLaw>(number), 0.616);
    CHECK(std::isfinite(l.force(0.01, 0.0, l.touch_speed(0.0))));
    CHECK(l.force(0.01, 0.0, l.touch_speed(0.0)) == Approx(l.elastic(0.01)));
    for (int i = 0; i < 500; ++i) {
      const double depth = random(-0.01, 0.03);
      CHECK(l.force(depth, random(-6, 6), random(0.01, 3)) >= 0);
      if (depth > 1e-3)
        CHECK(derivative([&](double x) { return l.energy(x); }, depth, 1e-2 * depth) ==
              Approx(l.elastic(depth)).epsilon(1e-7));
      else if (depth < 0)
        CHECK((l.elastic(depth) == 0 && l.energy(depth) == 0));
    }
  }
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
