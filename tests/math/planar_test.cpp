#include "math/planar.h"

#include <catch2/catch.hpp>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

TEST_CASE("a forward tilt of a quarter turn brings up to forward and forward to down") {
  const Vec2<double> p = rotate(sin_cos(1.5707963267948966), {0.3, 0.7});
  CHECK(p.x == Approx(0.7));
  CHECK(p.z == Approx(-0.3));
}

TEST_CASE("rotation keeps lengths and angles and composes") {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Vec2<double> p{random(-2, 2), random(-2, 2)}, q{random(-2, 2), random(-2, 2)};
    const double a = random(-4, 4), b = random(-4, 4);
    CHECK(dot(rotate(sin_cos(a), p), rotate(sin_cos(a), q)) == Approx(dot(p, q)).margin(1e-14));
    const Vec2<double> twice = rotate(sin_cos(a), rotate(sin_cos(b), p)), once = rotate(sin_cos(a + b), p);
    CHECK(twice.x == Approx(once.x).margin(1e-14));
    CHECK(twice.z == Approx(once.z).margin(1e-14));
  }
}

TEST_CASE("perp is the derivative of a body-fixed vector by the tilt") {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const Vec2<double> p{random(-2, 2), random(-2, 2)};
    const double tilt = random(-4, 4);
    const Vec2<double> found = perp(rotate(sin_cos(tilt), p));
    CHECK(found.x ==
          Approx(derivative([&](double t) { return rotate(sin_cos(t), p).x; }, tilt)).margin(1e-11));
    CHECK(found.z ==
          Approx(derivative([&](double t) { return rotate(sin_cos(t), p).z; }, tilt)).margin(1e-11));
  }
}

TEST_CASE("vectors add, subtract, scale and project by components") {
  Vec2<double> a{1.5, -2.5};
  const Vec2<double> b{0.25, 4};
  CHECK(dot(a, b) == 1.5 * 0.25 - 2.5 * 4);
  a += b;
  CHECK((a.x == 1.75 && a.z == 1.5));
  a -= 3.0 * b;
  CHECK((a.x == 1.0 && a.z == -10.5));
  const Vec2<double> c = -(a - b);
  CHECK((c.x == -0.75 && c.z == 14.5));
}
