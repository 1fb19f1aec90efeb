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
