// What the parameters and inputs of Human12 do, one by one.

#include <catch2/catch.hpp>

#include "models/human12/kinematics.h"
#include "models/human12_runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::testing::of_human12;

namespace {

using Settings = Body12::Settings;

/// Standing, the soles 5 mm below the ground: heels and toes have a radius of 40 mm.
Case12 standing_in_the_ground(const std::string& bodies) {
  Case12 c{{{"plane1_active", 1}}, {{"plane1_bodies", bodies}}, 0.1};
  add_vector(c.settings, "start_position", 0, 0, 1.079 - 0.005);
  return c;
}
Vec3<double> ground_force(const std::string& bodies, const Settings& more = {}) {
  Case12 c = standing_in_the_ground(bodies);
  c.settings.insert(c.settings.end(), more.begin(), more.end());
  Body12 b(c.settings, c.texts);
  return b.vector("plane1_force");
}
const double one_sphere = 2e5 * std::pow(0.005, 1.5);

/// Of the left lap belt, from the place and the turn of the lower torso.
double lap_belt_length(Body12& b) {
  const EulerParameters<double> p{b.get("lower_torso_orientation_w"), b.get("lower_torso_orientation_x"),
                                  b.get("lower_torso_orientation_y"), b.get("lower_torso_orientation_z")};
  const Vec3<double> end =
      b.vector("lower_torso_position") + rotate(p, Vec3<double>{0.1, 0.14, 0.05 - 0.132});
  return length(end - Vec3<double>{-0.2, 0.25, -0.25});
}
constexpr double lap_belt_at_rest = 0.39837617304074546;

}  // namespace

TEST_CASE("a plane touches all, named bodies, or single spheres") {
  CHECK(ground_force("all").z == Approx(4 * one_sphere));
  CHECK(ground_force("leg_left").z == Approx(2 * one_sphere));
  CHECK(ground_force("leg_left.toe").z == Approx(one_sphere));
  CHECK(ground_force("leg_left.toe, leg_right").z == Approx(3 * one_sphere));
  CHECK(ground_force("leg_left.mid,head").z == 0);
}

TEST_CASE("a surface that moves rubs and pushes what stands on it") {
  const double n = 4 * one_sphere;
  CHECK(ground_force("all", {{"plane1_vx", 0.3}}).x == Approx(0.5 * n * 0.3 / std::hypot(0.3, 0.1)));
  CHECK(
      ground_force(
          "all", {{"plane1_vy", -0.3}, {"plane1_friction_coefficient", 0.2}, {"plane1_friction_speed", 0.4}})
          .y == Approx(-0.2 * n * 0.3 / 0.5));
  // 150 N s/m for each sphere
  CHECK(ground_force("all", {{"plane1_vx", 0.3}, {"plane1_friction_law", 1}}).x == Approx(4 * 150 * 0.3));
  // what overlaps at the start has the smallest touch speed, so a surface that comes is damped in full
  CHECK(ground_force("all", {{"plane1_vz", 0.7}}).z == Approx(n * (1 + 0.75 * (1 - 0.09))));
  CHECK(ground_force("all", {{"plane1_vz", 0.04}}).z == Approx(n * (1 + 0.75 * (1 - 0.09) * 0.4)));
}

TEST_CASE("each pair remembers the speed of its own first touch") {
  // dropped from 20 mm: the force at the deepest point is elastic whatever the speed was, on the way in
  // damped
  Case12 c = standing_in_the_ground("leg_left.heel,leg_right.heel,leg_left.toe,leg_right.toe");
  add_vector(c.settings, "start_position", 0, 0, 1.079 + 0.02);
  c.settings.insert(c.settings.end(),
                    {{"start_leg_left_rotation", 0.02}, {"start_leg_right_rotation", 0.02}});
  set_tolerance(c.settings, 1e-9);
  Body12 b(c.settings, c.texts);
  // heel and toe touch at different instants: so long as only one pair of them touches, its law is seen alone
  double first = 0;
  while (b.get("plane1_force_z") == 0) b.go(b.time() + 1e-4);
  first = b.get("plane1_force_z");
  CHECK(first > 0);
  const auto low = [&](const Vec3<double>& local) {
    const EulerParameters<double> p{b.get("leg_left_orientation_w"), b.get("leg_left_orientation_x"),
                                    b.get("leg_left_orientation_y"), b.get("leg_left_orientation_z")};
    return b.get("leg_left_position_z") + rotate(p, local).z - 0.04;
  };
  const double heel = low({-0.044, 0, -0.2188}), toe = low({0.136, 0, -0.2188});
  CHECK(heel * toe < 0);  // one in, one out
  const double depth = -std::min(heel, toe);
  // just after the touch the speed is still that of the touch: 1 + 3/4 (1 - e²)
  CHECK(first == Approx(2 * 2e5 * std::pow(depth, 1.5) * 1.6825).epsilon(0.01));
}

TEST_CASE("the impactor touches what it is told to, and flies freely otherwise") {
  const auto at_chest = [](const std::string& bodies) {
    Case12 c = tackle();
    c.texts.emplace_back("impactor_bodies", bodies);
    for (auto& [name, value] : c.settings)
      if (name == "start_impactor_position_z") value = 1.36;
    c.settings.insert(c.settings.end(), {{"start_impactor_velocity_y", 0.4}, {"impactor_mass", 31}});
    Body12 b(c.settings, c.texts);
    b.go(0.03);
    return b.vector("impactor_velocity");
  };
  const Vec3<double> free = at_chest("head"), stopped = at_chest("upper_torso.chest, head");
  CHECK(free.x == Approx(-3));
  CHECK(free.y == Approx(0.4));
  CHECK(free.z == 0);
  CHECK(stopped.x > -2.5);
}

TEST_CASE("momentum changes by the forces that are put out: ground, impactor, weight") {
  const Case12 c = tackle();
  Body12 b(c.settings);
  const human12::Data d =
      human12::read(data::DataSet::embedded("Human12", "reconciled"), human12::Variant::human);
  for (const double t : {0.01, 0.05, 0.55, 0.7}) {
    b.go(t);
    b.set("head_force_x", 1e-300);  // makes accelerations those of this very instant
    b.follow_inputs();
    const double* const a = b.state().solution.xdot.data() + b.model().sizes().positions;
    Vec3<double> change{0, 0, 77.869 * 9.81};
    for (const NaturalSystem::MassEntry& e : d.system.mass_entries())
      if (d.system.is_point(e.row)) change += e.mass * element(a, e.column);
    const Vec3<double> force = b.vector("plane1_force") + b.vector("impactor_force");
    INFO(t);
    CHECK(length(force) > 100);
    CHECK(length(change - force) < 1e-7 * length(force));
  }
}

TEST_CASE("a belt with slack begins to pull when it has grown by that") {
  Case12 c = belted();
  c.settings.emplace_back("belt_slack", 0.03);
  Body12 b(c.settings, c.texts);
  CHECK(lap_belt_length(b) == Approx(lap_belt_at_rest).epsilon(1e-13));
  while (b.get("belt_lap_left_force") == 0 && b.time() < 0.2) {
    CHECK(lap_belt_length(b) < lap_belt_at_rest + 0.03 + 1e-12);
    b.go(b.time() + 5e-4);
  }
  CHECK(lap_belt_length(b) == Approx(lap_belt_at_rest + 0.03).epsilon(0.01));
  CHECK(lap_belt_length(b) > lap_belt_at_rest + 0.03);
  const Case12 tight = belted();
  Body12 held(tight.settings, tight.texts);
  held.go(b.time());
  CHECK(held.get("lower_torso_position_x") < b.get("lower_torso_position_x") - 0.005);
}

TEST_CASE("a load limiter keeps the belt at its load, and what it let out stays out") {
  Case12 c = belted();
  c.settings.emplace_back("belt_load_limit", 1500);
  Body12 b(c.settings, c.texts);
  double payout = 0, largest = 0, before = lap_belt_length(b), t0 = 0;
  for (int i = 1; i <= 300; ++i) {
    b.go(5e-4 * i);
    const double force = b.get("belt_lap_left_force"), out = b.get("belt_lap_left_payout");
    CHECK(force < 1500 * (1 + 1e-12));
    CHECK(out >= payout - 1e-9);
    // spring and damper between events, seen by differences
    const double now = lap_belt_length(b), rate = (now - before) / (b.time() - t0);
    const double pull = 40000 * (now - lap_belt_at_rest - out) + 200 * rate;
    if (force > 100 && force < 1400 && out == payout) CHECK(force == Approx(pull).epsilon(0.02));
    largest = std::max(largest, force);
    payout = out, before = now, t0 = b.time();
  }
  CHECK(largest == Approx(1500));
  CHECK(payout > 0.005);
  CHECK(b.get("energy_error") < 1e-6);
}

TEST_CASE("belts hang where their anchors are") {
  Case12 c = belted();
  add_vector(c.settings, "belt_lap_left_anchor", 0.08, 0.25, -0.3);
  Body12 moved(c.settings, c.texts);
  c.settings = belted().settings;
  Body12 b(c.settings, c.texts);
  moved.go(0.06), b.go(0.06);
  // straight down from the hip it holds less
  CHECK(moved.get("belt_lap_left_force") < 0.8 * b.get("belt_lap_left_force"));
  c.settings.emplace_back("belt_active", 0);
  Body12 loose(c.settings, c.texts);
  loose.go(0.06);
  CHECK(loose.get("belt_lap_left_force") == 0);
  CHECK(loose.get("lower_torso_position_x") > b.get("lower_torso_position_x") + 0.02);
}

TEST_CASE("joints of the dummy hold what those of the man let fall") {
  // both arms level, forward; half the weight that the joints of the arm hold
  const auto fallen = [](double variant, double gravity) {
    Settings s{{"variant", variant}, {"gravity", gravity}, {"base_fixed", 1}};
    for (const std::string side : {"left", "right"})
      s.emplace_back("start_upper_arm_" + side + "_rotation_y", -1.3);
    Body12 b(s);
    const double before = b.get("forearm_left_position_z");
    b.go(0.3);
    return before - b.get("forearm_left_position_z");
  };
  CHECK(fallen(1, 4.9) > 0.05);
  CHECK(fallen(2, 4.9) < 0.015);
  CHECK(fallen(2, 19.6) > 0.05);  // more than they hold
}

TEST_CASE("what the vehicle does to the occupant is what an inertia force does") {
  Case12 by_sled = tackle(), by_force = tackle();
  for (Case12* c : {&by_sled, &by_force}) {
    c->settings.emplace_back("impactor_active", 0);
    c->settings.emplace_back("gravity", 0);
    set_tolerance(c->settings, 1e-9);
  }
  add_vector(by_sled.settings, "sled_acceleration", 3.1, -1.7, 9.2);
  const human12::Data d =
      human12::read(data::DataSet::embedded("Human12", "reconciled"), human12::Variant::human);
  for (int b = 0; b < human12::bodies; ++b) {
    const double m = d.system.bodies()[b].mass();
    add_vector(by_force.settings, body12_names[b] + "_force", -3.1 * m, 1.7 * m, -9.2 * m);
  }
  Body12 sled(by_sled.settings), force(by_force.settings);
  sled.go(0.2);
  force.go(0.2);
  for (const std::string& name : body12_names)
    CHECK(length(sled.vector(name + "_position") - force.vector(name + "_position")) < 1e-7);
  const Vec3<double> difference = sled.vector("head_acceleration") - force.vector("head_acceleration");
  CHECK(length(difference - Vec3<double>{3.1, -1.7, 9.2}) < 1e-4);
}

TEST_CASE("a man at rest in space turns backwards in the eyes of a turning vehicle") {
  const double rate = 1.9, t = 0.31, angle = rate * t;
  Settings s{{"gravity", 0}, {"joint_limits", 0}, {"sled_angular_velocity_z", rate}};
  add_vector(s, "start_position", 0.7, 0.2, 0.3);
  add_vector(s, "start_velocity", 0.2 * rate, -0.7 * rate, 0);
  add_vector(s, "start_angular_velocity", 0, 0, -rate);
  set_tolerance(s, 1e-9);
  Body12 b(s);
  b.go(t);
  CHECK(b.get("lower_torso_position_x") ==
        Approx(0.7 * std::cos(angle) + 0.2 * std::sin(angle)).epsilon(1e-8));
  CHECK(b.get("lower_torso_position_y") ==
        Approx(0.2 * std::cos(angle) - 0.7 * std::sin(angle)).epsilon(1e-8));
  CHECK(b.get("head_orientation_z") == Approx(-std::sin(angle / 2)).epsilon(1e-8));
  CHECK(length(b.vector("head_acceleration")) < 1e-6);
  CHECK(b.get("HIC36") < 1e-12);
}

TEST_CASE("injury criteria of the belted occupant are plausible, and zero for a body at rest in space") {
  const Case12 c = belted();
  Body12 crash(c.settings, c.texts), rest({{"gravity", 0}, {"joint_limits", 0}});
  crash.go(0.2);
  rest.go(0.05);
  for (const std::string name : {"HIC15", "HIC36", "head_a3ms", "BrIC", "Nij", "Nkm", "LNL", "NIC_max"}) {
    INFO(name);
    CHECK(crash.get(name) > 1e-3);
    CHECK(crash.get(name) < 1e3);
    CHECK(std::abs(rest.get(name)) < 1e-9);
  }
}
