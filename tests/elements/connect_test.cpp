#include "elements/connect.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

TEST_CASE("stretch of a known span") {
  const Stretch<double> s =
      stretch<double>({{0.5, -0.25}, {2, 7}}, {{0.5 + 0.3, -0.25 + 0.4}, {2 + 1.5, 7 - 3}});
  CHECK(s.length == Approx(0.5));
  CHECK(s.direction.x == Approx(0.6));
  CHECK(s.direction.z == Approx(0.8));
  CHECK(s.rate == Approx(0.6 * 1.5 - 0.8 * 3));
}

TEST_CASE("the rate of a stretch is the derivative of its length along any motion") {
  Random random(31);
  for (int i = 0; i < 50; ++i) {
    const Vec2<double> p{random(-1, 1), random(-1, 1)}, q{random(2, 3), random(-1, 1)};
    const Vec2<double> v{random(-3, 3), random(-3, 3)}, w{random(-3, 3), random(-3, 3)};
    const auto length = [&](double t) { return stretch<double>({p + t * v, v}, {q + t * w, w}).length; };
    CHECK(stretch<double>({p, v}, {q, w}).rate == Approx(derivative(length, 0)).margin(1e-9));
  }
}

TEST_CASE("exchanging the anchors of a stretch turns only its direction") {
  const PointMotion<double> a{{0.1, 0.7}, {-3, 2}}, b{{-0.4, 0.2}, {1.7, 0.3}};
  const Stretch<double> there = stretch(a, b), back = stretch(b, a);
  CHECK(there.length == back.length);
  CHECK(there.rate == Approx(back.rate));
  CHECK(there.direction.x == -back.direction.x);
  CHECK(there.direction.z == -back.direction.z);
}
