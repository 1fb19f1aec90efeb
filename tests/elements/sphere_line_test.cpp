#include "elements/sphere_line.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

namespace {

SphereLine make_pair() {
  SphereLine pair({-0.3, 0.1}, {0.1, 0.4}, 0.05);  // t = (0.8, 0.6), n = (0.6, -0.8)
  pair.normal = {.law = ContactLaw::flores, .stiffness = 2e5, .restitution = 0.616, .smallest_speed = 0.01};
  pair.friction = {.coefficient = 0.4, .speed = 0.02};
  return pair;
}

}  // namespace

TEST_CASE("gap and foot of a sphere over a line") {
  const SphereLine pair = make_pair();
  CHECK(pair.line_length == Approx(0.5));
  // 0.2 along the line, 0.08 off it, on the side that the normal comes from
  const Vec2<double> centre{-0.3 + 0.2 * 0.8 - 0.08 * 0.6, 0.1 + 0.2 * 0.6 + 0.08 * 0.8};
  CHECK(pair.gap(centre) == Approx(0.03));
  const auto f = pair.force<double>({centre, {0.5, -0.1}}, 0.0, 0.0);
  CHECK(f.foot == Approx(0.4));
  CHECK(f.pressure == 0);
  CHECK(f.rate == Approx(0.5 * 0.6 + 0.1 * 0.8));
}

TEST_CASE("a line moved to a gap keeps its direction and its foot") {
  SphereLine pair = make_pair();
  const Vec2<double> centre{-0.2, 0.33};
  const double foot = pair.force<double>({centre, {}}, 0.0, 0.0).foot;
  pair.set_gap(centre, 0.0005);
  CHECK(pair.gap(centre) == Approx(0.0005));
  CHECK(pair.force<double>({centre, {}}, 0.0, 0.0).foot == Approx(foot));
}

TEST_CASE("a sphere in the line feels the law with the remembered speed, or with its own if none is known") {
  const SphereLine pair = make_pair();
  const Vec2<double> centre{-0.3 - 0.04 * 0.6, 0.1 + 0.04 * 0.8};  // 0.01 deep
  const Vec2<double> velocity{0.3 * 0.6, -0.3 * 0.8};              // 0.3 m/s into the line
  const double hertz = 2e5 * std::pow(0.01, 1.5), chi = 1.6 * 0.384 / 0.616;
  CHECK(pair.force<double>({centre, velocity}, 0.0, 0.5).pressure == Approx(hertz * (1 + chi * 0.6)));
  CHECK(pair.force<double>({centre, velocity}, 0.0, 0.0).pressure == Approx(hertz * (1 + chi)));
  CHECK(pair.force<double>({centre, {}}, 0.0, 0.0).pressure == Approx(hertz));
}

TEST_CASE("friction of a sphere on a line opposes sliding, and rolling does not slide") {
  const SphereLine pair = make_pair();
  Random random(44);
  for (int i = 0; i < 300; ++i) {
    const Vec2<double> centre{random(-0.4, 0.2), random(0, 0.4)}, velocity{random(-1, 1), random(-1, 1)};
    const double omega = random(-9, 9);
    const auto f = pair.force<double>({centre, velocity}, omega, 0.3);
    CHECK(f.drag * f.sliding <= 0);
    CHECK(std::abs(f.drag) <= 0.4 * f.pressure);
  }
  // forward along t with ω = speed/R: the surface point at the line stands still
  const Vec2<double> centre{-0.3 - 0.04 * 0.6, 0.1 + 0.04 * 0.8};
  const auto rolling = pair.force<double>({centre, {0.8 * 0.2, 0.6 * 0.2}}, 0.2 / 0.05, 0.3);
  CHECK(std::abs(rolling.drag) < 1e-10);
}
