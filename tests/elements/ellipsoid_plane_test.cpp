#include "elements/ellipsoid_plane.h"

#include <catch2/catch.hpp>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::Random;
using V = Vec3<double>;

namespace {

const Ellipsoid egg{{0.02, -0.03, 0.05}, {0.11, 0.17, 0.29}};

EulerParameters<double> turned() { return from_rotation_vector({0.4, -1.1, 0.7}); }

SpatialPlane<double> slope(SpatialFriction::Law law = SpatialFriction::Law::viscous) {
  const V n{0.36, 0.48, 0.8};
  return {{0.1, 0.2, -0.3}, n, {0.3, -0.1, 0.2}, true, {law, 150, {0.45, 0.1}}};
}

}  // namespace

TEST_CASE("the foremost point is on the ellipsoid, and no other point of it is lower") {
  const Mat3<double> A = rotation(turned());
  const V x{0.3, 0.1, 0.2};
  const auto f = egg.foremost(slope(), A, x);
  const V local = transposed_times(A, f.arm) - egg.centre;
  CHECK(std::pow(local.x / 0.11, 2) + std::pow(local.y / 0.17, 2) + std::pow(local.z / 0.29, 2) == Approx(1));
  Random random(2);
  for (int k = 0; k < 200; ++k) {
    V d{random(-1, 1), random(-1, 1), random(-1, 1)};
    d = (1 / length(d)) * d;
    const V point = x + A * (egg.centre + V{0.11 * d.x, 0.17 * d.y, 0.29 * d.z});
    CHECK(dot(slope().normal, point - slope().point) >= f.gap);
  }
}

TEST_CASE("contact forces follow the paper's law, never attract, and act at the foremost point") {
  const Mat3<double> A = rotation(turned());
  const SpatialPlane<double> plane = slope();
  const V n = plane.normal;
  const PlaneContact law{.Kn = 5e4, .Cn = 300};
  const auto reach = egg.foremost(plane, A, {}).gap;
  const V x = -(reach + 0.013) * n;  // 13 mm deep
  const auto at = egg.foremost(plane, A, x);
  CHECK(at.gap == Approx(-0.013));
  const V omega{0.7, 1.9, -0.4}, v{0.2, -0.6, -0.9};
  const V slip_velocity = v + cross(omega, at.arm) - plane.velocity;
  const double normal_speed = dot(slip_velocity, n);
  const V slip = slip_velocity - normal_speed * n;

  const auto c = egg.contact(plane, law, at, v, omega);
  const double normal = 5e4 * 0.013 - 300 * normal_speed;
  CHECK(length(c.force - (normal * n - 150.0 * slip)) < 1e-9);
  CHECK(length(c.moment - cross(at.arm, c.force)) < 1e-12);
  const auto f = egg.contact(slope(SpatialFriction::Law::coulomb), law, at, v, omega);
  CHECK(length(f.force - (normal * n - (0.45 * normal / std::hypot(length(slip), 0.1)) * slip)) < 1e-9);
  // leaving fast: no normal force, never an attracting one
  const auto leaving = egg.contact(plane, law, at, 20.0 * n, {});
  CHECK(std::abs(dot(leaving.force, n)) < 1e-10);
}

TEST_CASE("the derivatives of a contact are those of differences") {
  for (const auto friction : {SpatialFriction::Law::viscous, SpatialFriction::Law::coulomb})
    for (const double speed : {-0.4, 25.0}) {  // pressed, and leaving fast
      const SpatialPlane<double> plane = slope(friction);
      const PlaneContact law{5e4, 300};
      const EulerParameters<double> p = turned();
      const V x = -(egg.foremost(plane, rotation(p), {}).gap + 0.013) * plane.normal;
      const V v = speed * plane.normal + V{0.2, -0.6, -0.1}, omega{0.7, 1.9, -0.4};
      const auto contact = [&](const V& dx, const V& turn, const V& dv, const V& dw) {
        const Mat3<double> A = rotation(from_rotation_vector(turn) * p);
        return egg.contact(plane, law, egg.foremost(plane, A, x + dx), v + dv, omega + dw);
      };
      const auto d = egg.derivatives(plane, law, contact({}, {}, {}, {}), rotation(p), omega);
      const Mat3<double>* const force[4] = {&d.position, &d.turn, &d.velocity, &d.rate};
      const Mat3<double>* const moment[4] = {&d.moment_position, &d.moment_turn, &d.moment_velocity,
                                             &d.moment_rate};
      for (int part = 0; part < 4; ++part)
        for (int axis = 0; axis < 3; ++axis) {
          const auto shifted = [&](double h) {
            V s[4]{};
            (axis == 0 ? s[part].x : axis == 1 ? s[part].y : s[part].z) = h;
            return contact(s[0], s[1], s[2], s[3]);
          };
          const auto column = [&](const Mat3<double>& m) { return axis == 0 ? m.x : axis == 1 ? m.y : m.z; };
          const auto numeric = [&](auto part_of) {
            return testing::derivative([&](double h) { return part_of(shifted(h)); }, 0, 1e-4);
          };
          INFO("part " << part << ", axis " << axis << ", friction law " << int(friction) << ", speed "
                       << speed);
          CHECK(column(*force[part]).x ==
                Approx(numeric([](const auto& c) { return c.force.x; })).epsilon(1e-7).margin(1e-5));
          CHECK(column(*force[part]).y ==
                Approx(numeric([](const auto& c) { return c.force.y; })).epsilon(1e-7).margin(1e-5));
          CHECK(column(*moment[part]).z ==
                Approx(numeric([](const auto& c) { return c.moment.z; })).epsilon(1e-7).margin(1e-5));
          CHECK(column(*moment[part]).x ==
                Approx(numeric([](const auto& c) { return c.moment.x; })).epsilon(1e-7).margin(1e-5));
        }
    }
}
