#include "elements/cone_limit.h"

#include <catch2/catch.hpp>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::Random;

namespace {

constexpr double deg = std::numbers::pi / 180;
const ConeLimit::Geometry upright{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

Vec3<double> leaning(double lean, double direction) {
  return {std::sin(lean) * std::cos(direction), std::sin(lean) * std::sin(direction), std::cos(lean)};
}

}  // namespace

TEST_CASE("the spline goes through its four values, is periodic and smooth") {
  const QuarterSpline s({1.1, 0.3, 0.8, 0.5});
  const double quarter = std::numbers::pi / 2;
  CHECK(s(0.0) == Approx(1.1));
  CHECK(s(quarter) == Approx(0.3));
  CHECK(s(2 * quarter) == Approx(0.8));
  CHECK(s(-2 * quarter) == Approx(0.8));
  CHECK(s(-quarter) == Approx(0.5));
  for (const double knot : {-quarter, 0.0, quarter}) {
    const double h = 1e-3;
    const auto slope = [&](double x) { return (s(x + 1e-6) - s(x - 1e-6)) / 2e-6; };
    CHECK(slope(knot - 2e-6) == Approx(slope(knot + 2e-6)).margin(1e-4));
    CHECK((slope(knot + h) - slope(knot)) / h == Approx((slope(knot) - slope(knot - h)) / h).margin(1e-2));
  }
  // the reference data prints the second derivatives of the elbow
  const QuarterSpline elbow({90 * deg, 10 * deg, 45 * deg, 10 * deg});
  CHECK(elbow.second_derivative(0) == Approx(-2.917840623351415));
  CHECK(elbow.second_derivative(1) == Approx(2.440375794075729));
  CHECK(elbow.second_derivative(2) == Approx(-1.962910964800043));
  CHECK(elbow.lower_bound() < 8.237311385459533 * deg);
  CHECK(elbow.lower_bound() > 8.23 * deg);
}

TEST_CASE("a limb beyond its range is turned back by the law, in every direction") {
  const ConeLimit limit(upright, {40 * deg, 25 * deg, 15 * deg, 33 * deg}, 12 * deg, 226);
  for (const double direction : {0.0, 0.7, 1.9, -2.2, 3.1}) {
    const double bound = limit.range()(direction);
    CHECK(length(limit.moment(leaning(bound - 0.001, direction))) == 0);
    for (const double s : {0.2, 0.5, 0.9}) {
      const Vec3<double> limb = leaning(bound + s * 12 * deg, direction), moment = limit.moment(limb);
      CHECK(length(moment) == Approx(226 * (3 * s * s - 2 * s * s * s)).epsilon(1e-9));
      // about an axis across the limb, towards the cone's axis
      CHECK(std::abs(dot(moment, limb)) < 1e-10);
      CHECK(dot(cross(moment, limb), Vec3<double>{0, 0, 1}) > 0);
    }
    CHECK(length(limit.moment(leaning(bound + 14 * deg, direction))) == Approx(226));
    CHECK(length(limit.moment(leaning(bound + 80 * deg, direction))) == Approx(226));
  }
  CHECK(length(limit.moment(Vec3<double>{0, 0, 1})) == 0);
  CHECK(length(limit.moment(Vec3<double>{0, 0, -1})) == 0);
}

TEST_CASE("a range below one degree counts as one degree") {
  const ConeLimit limit(upright, {0.2 * deg, 0.2 * deg, 0.2 * deg, 0.2 * deg}, 10 * deg, 50);
  CHECK(length(limit.moment(leaning(0.99 * deg, 0.4))) == 0);
  CHECK(length(limit.moment(leaning(6 * deg, 0.4))) == Approx(25).epsilon(1e-9));
}

TEST_CASE("the limit's derivatives are those of differences") {
  const ConeLimit limit(upright, {40 * deg, 25 * deg, 15 * deg, 33 * deg}, 12 * deg, 226);
  Random random(7);
  for (int k = 0; k < 5; ++k) {
    const double direction = random(-3, 3);
    const Vec3<double> limb = leaning(limit.range()(direction) + random(0.02, 0.18), direction);
    using D = Dual<3>;
    const Vec3<D> m =
        limit.moment<D>({D::variable(limb.x, 0), D::variable(limb.y, 1), D::variable(limb.z, 2)});
    const auto along = [&](int axis) {
      return testing::derivative(
          [&](double h) {
            Vec3<double> l = limb;
            (axis == 0 ? l.x : axis == 1 ? l.y : l.z) += h;
            return limit.moment(l).x;
          },
          0, 1e-4);
    };
    for (int axis = 0; axis < 3; ++axis) CHECK(m.x.d[axis] == Approx(along(axis)).margin(1e-4));
  }
}
