#include "models/human12_reference.h"

#include <catch2/catch.hpp>

#include "models/human12_runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::testing::of_human12;
using V3 = ReferenceHuman::V3;

namespace {

/// The second formulation with the same settings.
ReferenceHuman reference(const Case12& c) {
  const CaseNumbers number(c.settings);
  ReferenceHuman r = number("impactor_active") != 0
                         ? ReferenceHuman(number("impactor_mass", 75), number("impactor_radius", 0.15))
                         : ReferenceHuman();
  r.belted = number("belt_active") != 0;
  if (number("pulse_shape", 1) == 3)
    r.base_acceleration = [peak = number("pulse_peak"), duration = number("pulse_duration")](double t) {
      return t < duration ? peak * std::sin(M_PI * t / duration) : 0.0;
    };
  r.start(number);
  if (number("impactor_active") != 0) {
    r.striker().x = number.vector("start_impactor_position");
    r.striker().v = number.vector("start_impactor_velocity", {-3, 0, 0});
  }
  for (int k = 1; k <= 4; ++k) {
    const std::string name = "plane" + std::to_string(k);
    if (number(name + "_active") == 0) continue;
    std::string list = "all";
    for (const auto& [key, text] : c.texts)
      if (key == name + "_bodies") list = text;
    ReferenceHuman::Plane plane{number.vector(name), number.vector(name + "_n", {0, 0, 1}), {}};
    for (std::size_t s = 0; s < reference_spheres.size(); ++s)
      if (list == "all" || list.find(r.link(reference_spheres[s].body).name + "." +
                                     reference_spheres[s].name) != std::string::npos)
        plane.spheres.push_back(static_cast<int>(s));
    r.planes.push_back(plane);
  }
  return r;
}

double largest_distance(Body12& b, const ReferenceHuman& r) {
  double largest = 0;
  for (int i = 0; i < r.size(); ++i) {
    const Vec3<double> at =
        b.vector(r.link(i).name == "striker" ? "impactor_position" : r.link(i).name + "_position");
    largest = std::max(largest, (V3(at.x, at.y, at.z) - r.body[i].x).norm());
  }
  return largest;
}

/// The largest difference at these times, at tolerance 1e-9.
double largest_difference(Case12 c, const std::vector<double>& times, double step) {
  set_tolerance(c.settings, 1e-9);
  Body12 b(c.settings, c.texts);
  ReferenceHuman r = reference(c);
  CHECK(largest_distance(b, r) < 1e-14);
  double largest = 0;
  for (const double t : times) {
    b.go(t);
    r.run(t, step);
    largest = std::max(largest, largest_distance(b, r));
  }
  return largest;
}

}  // namespace

TEST_CASE("H12-a: in free flight a second formulation agrees") {
  CHECK(largest_difference(free_flight(), {0.25, 0.5}, 1e-3) < 1e-8);
}

TEST_CASE("damped joints and gravity act as in a second formulation") {
  Case12 c = free_flight();
  for (auto& [name, value] : c.settings) {
    if (name == "gravity") value = 9.81;
    if (name == "joint_damping") value = 1;
  }
  CHECK(largest_difference(c, {0.2}, 2.5e-4) < 1e-7);
}

TEST_CASE("H12-b: the tackle agrees with a second formulation through all impacts to the end") {
  CHECK(largest_difference(tackle(), {0.05, 0.3, 0.6, 0.7, 0.8, 1}, 2e-4) < 1e-6);
}

TEST_CASE("forces and moments in the neck are those of a second formulation") {
  Case12 c = belted();
  set_tolerance(c.settings, 1e-8);
  Body12 b(c.settings, c.texts);
  ReferenceHuman r = reference(c);
  b.go(0.15);
  r.run(0.15, 4e-4);
  b.set("head_force_x", 1e-300);  // makes accelerations and reactions those of this very instant
  b.follow_inputs();
  for (const auto& [name, joint] : {std::pair{std::string("lower_neck"), 2}, {"upper_neck", 3}}) {
    const ReferenceHuman::Section s = r.section(joint);
    INFO(name);
    const auto check = [&](const std::string& what, double expected) {
      INFO(what);
      CHECK(b.get(name + what) == Approx(expected).epsilon(1e-4).margin(0.01));
    };
    CHECK(s.force.norm() > 100);
    CHECK(s.moment.norm() > 10);
    check("_axial_force", -s.force.z());
    check("_shear_force", s.force.x());
    check("_lateral_force", s.force.y());
    check("_lateral_moment", s.moment.x());
    check("_section_moment", s.moment.y());
    check("_twist_moment", s.moment.z());
  }
}

TEST_CASE("H12-c: the belted occupant agrees with a second formulation to the end") {
  CHECK(largest_difference(belted(), {0.05, 0.1, 0.15, 0.2, 0.25}, 2e-4) < 1e-6);
  // a belt at rest is as long as the definition says
  const ReferenceHuman r = reference(belted());
  for (int k = 0; k < 4; ++k)
    CHECK(r.belt_length(k) == Approx(reference_belts[k].rest_length).epsilon(1e-14));
}
