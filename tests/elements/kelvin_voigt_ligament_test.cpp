#include "elements/kelvin_voigt_ligament.h"

#include <catch2/catch.hpp>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

namespace {
constexpr KelvinVoigtLigament ligament{.stiffness = 3e4, .rest_length = 0.019, .damping = 12};
}

TEST_CASE("a ligament of 30 kN/m stretched by 2 mm pulls with 60 N, and with its damper more") {
  CHECK(ligament.tension(0.021, 0.0) == Approx(60));
  CHECK(ligament.tension(0.021, 0.5) == Approx(66));
  CHECK(ligament.tension(0.021, -0.5) == Approx(54));
}

TEST_CASE("a two-sided ligament pushes when it is short") {
  CHECK(ligament.tension(0.018, 0.0) == Approx(-30));
}

TEST_CASE("the slope of a ligament's energy is its static tension") {
  Random random(11);
  for (int i = 0; i < 50; ++i) {
    const double length = random(0.01, 0.03);
    const double slope = derivative([](double l) { return ligament.energy(l); }, length, 1e-4);
    CHECK(slope == Approx(ligament.tension(length, 0.0)).margin(1e-8));
  }
  CHECK(ligament.energy(ligament.rest_length) == 0);
}

TEST_CASE("a tension-only ligament never pushes and is the two-sided one while it pulls") {
  Random random(12);
  bool cut = false;
  for (int i = 0; i < 500; ++i) {
    const double length = random(0.015, 0.025), rate = random(-20, 20);
    const double two_sided = ligament.tension(length, rate);
    CHECK(ligament.tension_only(length, rate, false) == 0);
    const double found = ligament.tension_only(length, rate, true);
    CHECK(found == (two_sided > 0 ? two_sided : 0));
    cut = cut || (found == 0 && length > ligament.rest_length);
  }
  CHECK(cut);  // the damper's push was among the cases
}

TEST_CASE("the derivatives of the tension are stiffness and damping") {
  using D = Dual<2>;
  const D f = ligament.tension(D::variable(0.022, 0), D::variable(-0.3, 1));
  CHECK(f.d[0] == 3e4);
  CHECK(f.d[1] == 12);
  const D slack = ligament.tension_only(D::variable(0.022, 0), D::variable(-30, 1), true);
  CHECK((slack.v == 0 && slack.d[0] == 0 && slack.d[1] == 0));
}
