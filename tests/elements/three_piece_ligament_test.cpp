#include "elements/three_piece_ligament.h"

#include <catch2/catch.hpp>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

namespace {
constexpr ThreePieceLigament ligament{.corner = {{{0, 0}, {0.13, 12}, {0.46, 97}, {0.58, 111}}},
                                      .rest_length = 0.018,
                                      .damping = 300,
                                      .damping_ramp = 0.01};
constexpr double at(double strain) { return 0.018 * (1 + strain); }
}  // namespace

TEST_CASE("a ligament in three pieces passes its corners and goes on with the last slope") {
  CHECK(ligament.tension(at(0.065), 0.0).total == Approx(6));
  CHECK(ligament.tension(at(0.13), 0.0).total == Approx(12));
  CHECK(ligament.tension(at(0.46), 0.0).total == Approx(97));
  CHECK(ligament.tension(at(0.58), 0.0).total == Approx(111));
  CHECK(ligament.tension(at(0.70), 0.0).total == Approx(125));
  CHECK(ligament.tension(at(-0.2), 0.0).total == 0);
}

TEST_CASE("its damper comes in over the ramp, and never makes it push") {
  CHECK(ligament.tension(at(0.2), 0.05).total - ligament.tension(at(0.2), 0.0).total == Approx(15));
  CHECK(ligament.tension(at(0.005), 0.05).total == Approx(0.005 / 0.13 * 12 + 7.5));
  CHECK(ligament.tension(at(1e-9), 0.05).total < 1e-6);
  CHECK(ligament.tension(at(0.2), -3.0).total == 0);
  CHECK(ligament.tension(at(-0.01), 5.0).total == 0);
}

TEST_CASE("the slope of its energy is its elastic tension, and its derivatives are those of the tension") {
  Random random(31);
  for (int k = 0; k < 200; ++k) {
    const double length = at(random(-0.1, 0.8)), rate = random(-0.02, 0.05);
    const auto energy = [](double l) { return ligament.energy(ligament.strain(l)); };
    CHECK(derivative(energy, length, 1e-7) ==
          Approx(ligament.tension(length, 0.0).elastic).epsilon(1e-4).margin(1e-6));
    const auto f = ligament.tension(Dual<2>::variable(length, 0), Dual<2>::variable(rate, 1)).total;
    const double by_length =
        derivative([&](double l) { return ligament.tension(l, rate).total; }, length, 1e-9);
    const double by_rate =
        derivative([&](double r) { return ligament.tension(length, r).total; }, rate, 1e-6);
    CHECK(f.d[0] == Approx(by_length).epsilon(1e-4).margin(0.1));
    CHECK(f.d[1] == Approx(by_rate).epsilon(1e-6).margin(1e-6));
  }
}
