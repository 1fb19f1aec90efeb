#include "elements/joint_limits.h"

#include <catch2/catch.hpp>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::Random;

namespace {

constexpr double deg = std::numbers::pi / 180;
const JointCone::Geometry upright{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

Vec3<double> leaning(double lean, double direction) {
  return {std::sin(lean) * std::cos(direction), std::sin(lean) * std::sin(direction), std::cos(lean)};
}

}  // namespace

TEST_CASE("the spline of the elbow has the second derivatives that the reference data prints") {
  const FourPointSpline elbow({90 * deg, 10 * deg, 45 * deg, 10 * deg});
  CHECK(elbow.second_derivatives()[0] == Approx(-2.917840623351415));
  CHECK(elbow.second_derivatives()[1] == Approx(2.440375794075729));
  CHECK(elbow.second_derivatives()[2] == Approx(-1.962910964800043));
  CHECK(elbow.lower_bound() < 8.237311385459533 * deg);
  CHECK(elbow.lower_bound() > 8.23 * deg);
}

TEST_CASE("a limb beyond its range is turned back by the law, in every direction") {
  const JointCone limit(upright, {FourPointSpline({40 * deg, 25 * deg, 15 * deg, 33 * deg}), 12 * deg, 226});
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
  const JointCone limit(upright,
                        {FourPointSpline({0.2 * deg, 0.2 * deg, 0.2 * deg, 0.2 * deg}), 10 * deg, 50});
  CHECK(length(limit.moment(leaning(0.99 * deg, 0.4))) == 0);
  CHECK(length(limit.moment(leaning(6 * deg, 0.4))) == Approx(25).epsilon(1e-9));
}

TEST_CASE("the limit's derivatives are those of differences") {
  const JointCone limit(upright, {FourPointSpline({40 * deg, 25 * deg, 15 * deg, 33 * deg}), 12 * deg, 226});
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
