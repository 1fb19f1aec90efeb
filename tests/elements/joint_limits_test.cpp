#include "elements/joint_limits.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

namespace {

constexpr double deg = std::numbers::pi / 180;
const std::array<double, 4> hip{10 * deg, 120 * deg, 50 * deg, 45 * deg};
const ConeLimit cone{FourPointSpline(hip), 11.5 * deg, 452};

Vec3<double> unit(Random& random) {
  const Vec3<double> v{random(-1, 1), random(-1, 1), random(-1, 1)};
  return (1 / length(v)) * v;
}

/// Axes of a rotated cone, and a limb at given latitude and longitude.
struct Pose {
  Vec3<double> axis, e1, e2, limb;
  Pose(Random& random, double latitude, double longitude) {
    axis = unit(random);
    const Vec3<double> side = cross(axis, unit(random));
    e1 = (1 / length(side)) * side;
    e2 = cross(axis, e1);
    limb = std::cos(latitude) * axis +
           std::sin(latitude) * (std::cos(longitude) * e1 + std::sin(longitude) * e2);
  }
};

}  // namespace

TEST_CASE("the spline goes through its four values and has continuous first and second derivatives") {
  const FourPointSpline spline(hip);
  for (int i = -2; i < 2; ++i) {
    const double at = i * 90 * deg, h = 1e-4;
    CHECK(spline(at) == Approx(hip[(i + 4) % 4]).epsilon(1e-14));
    if (i == -2) continue;
    const auto slope = [&](double x) { return (spline(x + 1e-6) - spline(x - 1e-6)) / 2e-6; };
    CHECK(slope(at + h) - slope(at - h) ==
          Approx(2 * h * spline.second_derivatives()[(i + 4) % 4]).margin(1e-6));
    // one-sided second differences from both sides
    const auto second = [&](double x, double side) {
      return (spline(x) - 2 * spline(x + side * h) + spline(x + 2 * side * h)) / (h * h);
    };
    CHECK(second(at, 1) == Approx(second(at, -1)).margin(2e-3));
  }
  CHECK(spline(std::numbers::pi) == Approx(hip[2]));
  CHECK(spline(-std::numbers::pi) == Approx(hip[2]));
}

TEST_CASE("the spline's second derivatives solve the periodic equations") {
  const FourPointSpline spline(hip);
  const auto& m = spline.second_derivatives();
  const double h = 90 * deg;
  for (int i = 0; i < 4; ++i)
    CHECK(4 * m[i] + m[(i + 1) % 4] + m[(i + 3) % 4] ==
          Approx(6 / (h * h) * (hip[(i + 1) % 4] - 2 * hip[i] + hip[(i + 3) % 4])));
  CHECK(m[0] == Approx(2.6525823848649224).epsilon(1e-14));  // by an independent spline code
  CHECK(m[3] == Approx(-1.4323944878270585).epsilon(1e-14));
}

TEST_CASE("inside its cone a limb is free") {
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const double longitude = random(-3.1, 3.1);
    const Pose p(random, random(0, 0.999) * FourPointSpline(hip)(longitude), longitude);
    CHECK(length(cone.torque(p.axis, p.e1, p.e2, p.limb)) == 0);
  }
}

TEST_CASE("outside its cone a limb is turned back to the axis with the torque of Eq. 26") {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const double longitude = random(-3.1, 3.1), limit = FourPointSpline(hip)(longitude);
    const double share = random(0.01, 1.4), latitude = limit + share * cone.transition;
    if (latitude > 3.1) continue;
    const Pose p(random, latitude, longitude);
    const Vec3<double> torque = cone.torque(p.axis, p.e1, p.e2, p.limb);
    const double s = std::min(share, 1.0);
    CHECK(length(torque) == Approx(452 * (3 * s * s - 2 * s * s * s)).epsilon(1e-9));
    CHECK(dot(torque, p.limb) == Approx(0).margin(1e-9));
    CHECK(dot(torque, p.axis) == Approx(0).margin(1e-9));
    CHECK(dot(cross(torque, p.limb), p.axis) > 0);  // turns the limb towards the axis
  }
}

TEST_CASE("a limb along the axis, or against it, gets no torque") {
  Random random(6);
  for (const double latitude : {0.0, std::numbers::pi}) {
    const Pose p(random, latitude, 0.4);
    CHECK(length(cone.torque(p.axis, p.e1, p.e2, p.limb)) == 0);
  }
}

TEST_CASE("the derivatives of the cone's torque are those of its values") {
  Random random(7);
  for (int i = 0; i < 50; ++i) {
    const double longitude = random(-3, 3), share = random(0.05, 0.95);
    const Pose p(random, FourPointSpline(hip)(longitude) + share * cone.transition, longitude);
    const Vec3<double> along = unit(random);
    const auto torque = [&](double x) { return cone.torque(p.axis, p.e1, p.e2, p.limb + x * along).y; };
    using D = Dual<1>;
    Vec3<D> limb = p.limb.cast<D>();
    limb.x.d[0] = along.x, limb.y.d[0] = along.y, limb.z.d[0] = along.z;
    const Vec3<D> d = cone.torque(p.axis.cast<D>(), p.e1.cast<D>(), p.e2.cast<D>(), limb);
    CHECK(d.y.d[0] == Approx(derivative(torque, 0, 1e-5)).epsilon(1e-6).margin(1e-5));
  }
}

TEST_CASE("a hinge is free in its range and pushed back outside") {
  const HingeLimit knee{0, 135 * deg, 11.5 * deg, 226};
  CHECK(knee.torque(0.0) == 0);
  CHECK(knee.torque(70 * deg) == 0);
  CHECK(knee.torque(135 * deg) == 0);
  CHECK(knee.torque(135 * deg + 0.5 * knee.transition) == Approx(-113));
  CHECK(knee.torque(-0.5 * knee.transition) == Approx(113));
  CHECK(knee.torque(-0.25 * knee.transition) == Approx(226 * (3.0 / 16 - 2.0 / 64)));
  CHECK(knee.torque(-40 * deg) == 226);
  CHECK(knee.torque(178 * deg) == -226);
}

TEST_CASE("friction of a joint opposes the motion and is bounded") {
  const JointFriction friction{11.5, 0.1};
  const Vec3<double> omega{3, -4, 12};
  const Vec3<double> torque = friction.torque(omega);
  CHECK(torque.x == Approx(-11.5 * 3 / std::sqrt(169.01)));
  CHECK(length(torque) < 11.5);
  CHECK(length(friction.torque(0.01 / 13 * omega)) == Approx(11.5 * 0.01 / std::hypot(0.01, 0.1)));
}
