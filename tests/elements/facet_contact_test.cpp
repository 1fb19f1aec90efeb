#include "elements/facet_contact.h"

#include <catch2/catch.hpp>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

namespace {

constexpr FacetContact contact{.radius1 = 5.1e-3,
                               .radius2 = 4.9e-3,
                               .blending = 60,
                               .fade = 1e-3,
                               .transition_penetration = 3e-4,
                               .transition_force = 180,
                               .damping = 300,
                               .damping_ramp = 5e-5};
using V = Vec3<double>;

/// Disc 2 lies in the plane z = 0 and looks up; disc 1 above it looks down, tilted by the angle about y so
/// that its side at +x is lower.
FacetContact::Geometry<double> over(const V& c1, double tilt) {
  return contact.geometry(c1, V{-std::sin(tilt), 0, -std::cos(tilt)}, V{}, V{0, 0, 1});
}

}  // namespace

TEST_CASE("the contact law is the printed one: 2e9 u² up to 0.3 mm, then 180 N and 1.2e6 N/m") {
  CHECK(contact.elastic(1e-4) == Approx(20));
  CHECK(contact.elastic(3e-4) == Approx(180));
  CHECK(contact.elastic(5e-4) == Approx(180 + 1.2e6 * 2e-4));
  CHECK(contact.elastic(-1e-5) == 0);
  for (const double u : {0.7e-4, 2.9e-4, 3.1e-4, 8e-4})
    CHECK(derivative([](double x) { return contact.energy(x); }, u, 1e-6) == Approx(contact.elastic(u)));
}

TEST_CASE("parallel discs touch in the middle of what they share") {
  CHECK(over({0.1e-3, 0, -2e-4}, 0).point.x == Approx(0).margin(1e-15));  // disc 2 within disc 1: its centre
  const auto g = over({-3e-3, 0, -2e-4}, 0);
  // disc 1 from -8.1 to 2.1 mm, disc 2 from -4.9 to 4.9 mm
  CHECK(g.point.x == Approx(0.5 * (-4.9e-3 + 2.1e-3)));
  CHECK(g.point.z == Approx(-1e-4));
  CHECK(g.penetration == Approx(2e-4));
  CHECK(g.flatness == 1);
}

TEST_CASE("tilted discs touch on an edge of one over the face of the other, or where both edges cross") {
  const double tilt = 0.3;  // so far that the blending is over
  const double w_x = std::cos(tilt / 2), w_z = -std::sin(tilt / 2);
  // the contact point is on the line through P along the mean normal (-w_z, 0, w_x)
  const auto off_line = [&](const FacetContact::Geometry<double>& g, double x, double z) {
    return std::abs((g.point.x - x) * w_x + (g.point.z - z) * w_z);
  };
  // leaning towards +x, disc 1 shifted to -x: its lower edge is over disc 2
  const auto edge1 = over({-3e-3, 0, 1.4e-3}, tilt);
  CHECK(edge1.touching == FacetCase::edge1_on_face2);
  CHECK(off_line(edge1, -3e-3 + 5.1e-3 * w_x, 1.4e-3 + 5.1e-3 * w_z) < 1e-9);
  CHECK(edge1.penetration > 0);
  CHECK(over({-3e-3, 0, 1.7e-3}, tilt).penetration < 0);
  // shifted to +x: its lower edge is beyond disc 2, whose edge touches its face
  const auto edge2 = over({3e-3, 0, 0.4e-3}, tilt);
  CHECK(edge2.touching == FacetCase::edge2_on_face1);
  CHECK(off_line(edge2, 4.9e-3 * w_x, 4.9e-3 * w_z) < 1e-9);
  // shifted across the lean
  const auto both = over({0, 6e-3, 0}, tilt);
  CHECK(both.touching == FacetCase::edge_on_edge);
  const double a = (36e-6 + 5.1e-3 * 5.1e-3 - 4.9e-3 * 4.9e-3) / 12e-3;
  const double h = std::sqrt(5.1e-3 * 5.1e-3 - a * a);
  CHECK(both.point.y == Approx(6e-3 - a).epsilon(1e-6));
  CHECK(off_line(both, h * w_x, h * w_z) < 1e-9);
  CHECK(both.penetration > 0);
}

TEST_CASE("the force fades over the last millimetre of overlap and there is none beyond") {
  const auto force = [](double shift) {
    const auto g = over({shift, 0, -2e-4}, 0);
    return contact.force(g, 0.0).total;
  };
  CHECK(force(8.9e-3) == Approx(80));
  CHECK(force(9.5e-3) == Approx(40));
  CHECK(force(9.999e-3) < 1e-3);
  CHECK(force(10.001e-3) == 0);
}

TEST_CASE("the damper of a facet comes in over its ramp, and the contact never pulls") {
  const auto force = [](double depth, double closing) {
    return contact.force(over({0, 0, -depth}, 0), closing).total;
  };
  CHECK(force(1e-4, 0.02) == Approx(20 + 6));
  CHECK(force(2.5e-5, 0.02) == Approx(1.25 + 3));
  CHECK(force(1e-4, -1.0) == 0);
  CHECK(force(-1e-5, 1.0) == 0);
}

TEST_CASE("derivatives of the contact are finite where discs are parallel and concentric") {
  using D = Dual<6>;
  Vec3<D> c1{D::variable(0, 0), D::variable(0, 1), D::variable(-1e-4, 2)};
  Vec3<D> n1{D::variable(0, 3), D::variable(0, 4), D::variable(-1, 5)};
  const auto g = contact.geometry(c1, n1, Vec3<D>{}, Vec3<D>{D(0), D(0), D(1)});
  const auto f = contact.force(g, D(0));
  CHECK(f.total.v == Approx(20));
  CHECK(f.total.d[2] == Approx(-4e9 * 1e-4));
  for (const D* part : {&g.point.x, &g.point.y, &g.point.z, &g.penetration, &f.total})
    for (const double slope : part->d) CHECK(std::isfinite(slope));
  // the contact point runs from the centre with -C r Δn
  CHECK(g.point.x.d[3] == Approx(-60 * 4.9e-3).epsilon(1e-3));
}
