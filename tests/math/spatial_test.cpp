#include "math/spatial.h"

#include <catch2/catch.hpp>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::Random;

namespace {

Vec3<double> random_vector(Random& random) { return {random(-2, 2), random(-2, 2), random(-2, 2)}; }

void check_equal(const Vec3<double>& a, const Vec3<double>& b) {
  CHECK(a.x == Approx(b.x).margin(1e-14));
  CHECK(a.y == Approx(b.y).margin(1e-14));
  CHECK(a.z == Approx(b.z).margin(1e-14));
}

}  // namespace

TEST_CASE("a rotation vector turns by Rodrigues' formula") {
  Random random(1);
  for (int k = 0; k < 50; ++k) {
    const Vec3<double> r = random_vector(random), v = random_vector(random);
    const double angle = length(r);
    const Vec3<double> n = (1 / angle) * r;
    check_equal(rotate(from_rotation_vector(r), v), std::cos(angle) * v + std::sin(angle) * cross(n, v) +
                                                        ((1 - std::cos(angle)) * dot(n, v)) * n);
  }
  const EulerParameters<double> small = from_rotation_vector({1e-9, -2e-9, 0});
  CHECK(small.x == Approx(0.5e-9).epsilon(1e-14));
  CHECK(from_rotation_vector({0, 0, 0}).w == 1);
}

TEST_CASE("products of Euler parameters turn one after the other, conjugates turn back") {
  Random random(2);
  for (int k = 0; k < 50; ++k) {
    const auto a = from_rotation_vector(random_vector(random)),
               b = from_rotation_vector(random_vector(random));
    const Vec3<double> v = random_vector(random);
    check_equal(rotate(a * b, v), rotate(a, rotate(b, v)));
    check_equal(rotate_back(a, rotate(a, v)), v);
  }
}

TEST_CASE("rates of Euler parameters move a body-fixed vector by the angular velocity") {
  using D = Dual<1>;
  Random random(3);
  for (int k = 0; k < 50; ++k) {
    const auto p = from_rotation_vector(random_vector(random));
    const Vec3<double> omega = random_vector(random), v = random_vector(random);
    const EulerParameters<double> rate = rate_of(p, omega);
    check_equal(angular_velocity(p, rate), omega);
    const auto moving = [](double value, double slope) {
      D d(value);
      d.d[0] = slope;
      return d;
    };
    const EulerParameters<D> q{moving(p.w, rate.w), moving(p.x, rate.x), moving(p.y, rate.y),
                               moving(p.z, rate.z)};
    const Vec3<D> turned = rotate(q, v.cast<D>());
    check_equal({turned.x.d[0], turned.y.d[0], turned.z.d[0]}, rotate(p, cross(omega, v)));
  }
}

TEST_CASE("the rotation vector of Euler parameters is the one they were made from") {
  Random random(4);
  for (int k = 0; k < 200; ++k) {
    // from tiny to nearly half a turn
    const Vec3<double> direction = random_vector(random);
    const double angle = k < 100 ? std::pow(10, random(-12, 0)) : random(0, 3.1);
    const Vec3<double> r = (angle / length(direction)) * direction;
    const EulerParameters<double> p = from_rotation_vector(r);
    const Vec3<double> same = rotation_vector(p),
                       opposite = rotation_vector(EulerParameters<double>{-p.w, -p.x, -p.y, -p.z});
    CHECK(length(same - r) < 1e-13 * angle / std::abs(p.w) / std::abs(p.w));
    CHECK(length(opposite - same) == 0);
  }
  CHECK(length(rotation_vector(EulerParameters<double>{})) == 0);
}

TEST_CASE("derivatives of the rotation vector are those of the inverse, also at no rotation") {
  using D = Dual<1>;
  Random random(5);
  for (int k = 0; k < 60; ++k) {
    const Vec3<double> r = (k == 0   ? 0
                            : k < 30 ? 0.01
                                     : 0.6) *
                           random_vector(random),
                       d = random_vector(random);
    // p along r + s d, by differences
    const double h = 1e-5;
    const auto p = from_rotation_vector(r), up = from_rotation_vector(r + h * d),
               down = from_rotation_vector(r - h * d);
    const auto moving = [&](double value, double a, double b) {
      D x(value);
      x.d[0] = (a - b) / (2 * h);
      return x;
    };
    const Vec3<D> back =
        rotation_vector(EulerParameters<D>{moving(p.w, up.w, down.w), moving(p.x, up.x, down.x),
                                           moving(p.y, up.y, down.y), moving(p.z, up.z, down.z)});
    CHECK(back.x.d[0] == Approx(d.x).epsilon(1e-7).margin(1e-8));
    CHECK(back.y.d[0] == Approx(d.y).epsilon(1e-7).margin(1e-8));
    CHECK(back.z.d[0] == Approx(d.z).epsilon(1e-7).margin(1e-8));
  }
}
