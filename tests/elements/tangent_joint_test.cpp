#include "elements/tangent_joint.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

namespace {
constexpr TangentJoint joint{.stiffness = 600, .damping = 1.4};
}

TEST_CASE("the joint's moment is k tan(theta/2)/cos(theta/2), to the letter of Eq. 35") {
  Random random(21);
  for (int i = 0; i < 500; ++i) {
    const double theta = random(-2.9, 2.9);
    const double exact = 600 * std::tan(theta / 2) / std::cos(theta / 2);
    CHECK(joint.spring(sin_cos(theta)) == Approx(exact).epsilon(1e-12));
  }
}

TEST_CASE("the joint's stiffness at small angles is k/2") {
  CHECK(joint.spring(sin_cos(1e-5)) == Approx(300 * 1e-5).epsilon(1e-9));
  CHECK(derivative([](double t) { return joint.spring(sin_cos(t)); }, 0, 1e-4) == Approx(300).epsilon(1e-8));
}

TEST_CASE("the joint stiffens on both sides alike") {
  CHECK(joint.spring(sin_cos(-0.8)) == -joint.spring(sin_cos(0.8)));
  CHECK(joint.spring(sin_cos(0.8)) > 2 * joint.spring(sin_cos(0.4)));
}

TEST_CASE("the slope of the joint's energy is the spring's moment") {
  Random random(22);
  for (int i = 0; i < 100; ++i) {
    const double theta = random(-2, 2);
    const double slope = derivative([](double t) { return joint.energy(sin_cos(t)); }, theta);
    CHECK(slope == Approx(joint.spring(sin_cos(theta))).margin(1e-7));
  }
  CHECK(joint.energy(sin_cos(0.0)) == 0);
}

TEST_CASE("the spring's derivative through sine and cosine agrees with differences") {
  for (const double theta : {-1.1, -0.2, 0.05, 0.9}) {
    const Dual<1> moment = joint.spring(sin_cos(Dual<1>::variable(theta, 0)));
    CHECK(moment.d[0] ==
          Approx(derivative([](double t) { return joint.spring(sin_cos(t)); }, theta)).epsilon(1e-8));
  }
}

TEST_CASE("the joint's damper is linear in the rate") { CHECK(joint.damper(-3.0) == Approx(-4.2)); }
