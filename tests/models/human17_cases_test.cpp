// The named cases of the reference data: conserved quantities, and a second formulation.

#include <catch2/catch.hpp>

#include "models/human17_reference.h"
#include "models/human17_runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using V3 = ReferenceHuman::V3;

namespace {

/// The second formulation with the same settings.
ReferenceHuman reference(const Settings& s) {
  const CaseNumbers number(s.numbers);
  ReferenceHuman r;
  if (number("pulse_shape", 1) == 2)
    r.base_acceleration = [peak = number("pulse_peak"), duration = number("pulse_duration")](double t) {
      const double share = std::min(t / duration, 1.0);
      return peak * (share < 0.5 ? 2 * share : 2 - 2 * share);
    };
  r.start(number);
  for (const auto& [key, list] : s.texts) {
    const std::string name = key.substr(0, key.find('_'));
    std::string padded = "," + list + ",";
    std::erase(padded, ' ');
    ReferenceHuman::Plane plane{number.vector(name), number.vector(name + "_n"), {}};
    for (int i = 0; i < r.size(); ++i)
      if (list == "all" || padded.find("," + r.link(i).name + ",") != std::string::npos)
        plane.bodies.push_back(i);
    r.planes.push_back(plane);
  }
  return r;
}

double largest_distance(Human& human, const ReferenceHuman& r) {
  double largest = 0;
  for (int i = 0; i < 17; ++i) {
    const Vec3<double> p = human.position(reference_bodies[i].name);
    largest = std::max(largest, (V3(p.x, p.y, p.z) - r.body[i].x).norm());
  }
  return largest;
}

struct Momentum {
  V3 linear = V3::Zero(), angular = V3::Zero();
};
/// From the outputs' state, with the masses of the reference.
Momentum momentum(const Human& human) {
  const human17::Data data = human17::read(data::DataSet::embedded("Human17", "reconciled"), {1.8, 80});
  human17::Tree::Motion<double> m;
  data.tree.move(human.x().data(), human.x().data() + human17::Tree::positions, m);
  Momentum sum;
  for (int i = 0; i < 17; ++i) {
    const ReferenceBody& b = reference_bodies[i];
    const V3 x(m.position[i].x, m.position[i].y, m.position[i].z),
        v(m.velocity[i].x, m.velocity[i].y, m.velocity[i].z);
    const Vec3<double> w = transposed_times(m.rotation[i], m.omega[i]);
    const Vec3<double> spin =
        m.rotation[i] * Vec3<double>{b.inertia[0] * w.x, b.inertia[1] * w.y, b.inertia[2] * w.z};
    sum.linear += b.mass * v;
    sum.angular += b.mass * x.cross(v) + V3(spin.x, spin.y, spin.z);
  }
  return sum;
}

}  // namespace

TEST_CASE(
    "H17-a: in free flight momentum, angular momentum and energy stay, and a second formulation agrees") {
  const Settings settings = free_flight().tolerance(1e-9, 1e-9);
  Human human(settings);
  const Momentum before = momentum(human);
  const double energy = human.get("kinetic_energy");
  CHECK(energy > 50);
  human.go(0.5);
  const Momentum after = momentum(human);
  CHECK((after.linear - before.linear).norm() < 1e-9 * before.linear.norm());
  CHECK((after.angular - before.angular).norm() < 1e-9 * before.angular.norm());
  CHECK(std::abs(human.get("kinetic_energy") - energy) < 1e-9 * energy);
  CHECK(human.get("energy_error") < 1e-9);

  ReferenceHuman other = reference(settings);
  other.run(0.5, 1e-3);
  CHECK(largest_distance(human, other) < 1e-7);
}

TEST_CASE("H17-b: the fixed pelvis stays, energy stays, and a second formulation agrees") {
  const Settings settings = pendulum().tolerance(1e-9, 1e-9);
  Human human(settings);
  ReferenceHuman other = reference(settings);
  const double energy = human.get("kinetic_energy") + human.get("potential_energy");
  for (const double t : {0.4, 0.75}) {
    human.go(t);
    other.run(t, 5e-4);
    INFO("t = " << t);
    CHECK(largest_distance(human, other) < 1e-6);
    CHECK(std::abs(human.get("kinetic_energy") + human.get("potential_energy") - energy) <
          1e-7 * std::abs(energy));
  }
  CHECK(human.get("kinetic_energy") > 100);
  const Vec3<double> pelvis = human.position("pelvis");
  CHECK(std::abs(pelvis.x) + std::abs(pelvis.y) + std::abs(pelvis.z - 0.058) < 1e-15);
}

TEST_CASE("H17-c: the fall onto the back agrees with a second formulation through the first impacts") {
  const Settings settings = fall().tolerance(1e-9, 1e-9);
  Human human(settings);
  ReferenceHuman other = reference(settings);
  CHECK(largest_distance(human, other) < 1e-11);
  // the lowest point of any ellipsoid is 0.5 m above the ground: nothing touches before √(2·0.5/9.81) s
  human.go(0.319);
  CHECK(human.get("plane1_force_z") == 0);
  CHECK(human.position("head").z == Approx(0.651 - 0.5 * 9.81 * 0.319 * 0.319).epsilon(1e-9));
  other.run(0.319, 1e-4);
  human.go(0.33);
  CHECK(human.get("plane1_force_z") > 1000);
  human.go(0.4);
  other.run(0.4, 8e-5);
  CHECK(largest_distance(human, other) < 1e-6);
}

TEST_CASE("H17-d: the seated pulse agrees with a second formulation, whatever the communication points") {
  const Settings settings = seated_pulse().tolerance(1e-9, 1e-9);
  ReferenceHuman other = reference(settings);
  other.run(0.0525, 8e-5);
  other.run(0.2, 8e-5);
  for (const int steps : {1, 4, 40}) {
    Human human(settings);
    for (int k = 1; k <= steps; ++k) human.go(0.2 * k / steps);
    INFO(steps << " communication steps");
    CHECK(largest_distance(human, other) < 2e-6);
    CHECK(human.get("energy_error") < 1e-9);
  }
}

TEST_CASE("forces and moments in the neck are those of a second formulation (Human17)") {
  const Settings settings = seated_pulse().tolerance(1e-9, 1e-9);
  Human human(settings);
  ReferenceHuman other = reference(settings);
  other.run(0.0525, 8e-5);
  other.run(0.07, 8e-5);
  human.go(0.07);
  human.set("head_force_x", 1e-300);  // makes accelerations those of this very instant
  human.follow_inputs();
  for (const auto& [name, joint] : {std::pair{std::string("lower_neck"), 3}, {"upper_neck", 4}}) {
    const ReferenceHuman::Section s = other.section(joint);
    INFO(name);
    CHECK(s.force.norm() > 100);
    CHECK(std::abs(s.moment.y()) > 1);
    CHECK(human.get(name + "_axial_force") == Approx(-s.force.z()).epsilon(1e-4));
    CHECK(human.get(name + "_shear_force") == Approx(s.force.x()).epsilon(1e-4));
    CHECK(human.get(name + "_section_moment") == Approx(s.moment.y()).epsilon(1e-4));
  }
}

TEST_CASE("what planes push and what bodies feel is the same, and gives the person its momentum") {
  Settings settings = seated_pulse().set("plane2_friction_law", 2).set("plane2_friction_coefficient", 0.35);
  Human human(settings);
  V3 impulse = V3::Zero();
  const V3 before = momentum(human).linear;
  const double h = 1.5e-4;  // to the peak of the pulse
  bool slides = false;
  for (int i = 1; i <= 350; ++i) {
    human.go(h * i);
    V3 by_plane = V3::Zero(), by_body = V3::Zero();
    for (const std::string k : {"1", "2", "3", "4"}) {
      const Vec3<double> f = human.vector("plane" + k + "_force");
      by_plane += V3(f.x, f.y, f.z);
    }
    for (const std::string_view name : human17::body_names) {
      const Vec3<double> f = human.vector(std::string(name) + "_contact_force");
      by_body += V3(f.x, f.y, f.z);
    }
    REQUIRE((by_plane - by_body).norm() < 1e-9 * (1 + by_plane.norm()));
    impulse += (i == 350 ? 0.5 : 1) * h * by_plane;
    // Coulomb on the seat back, viscous on the others
    const Vec3<double> back = human.vector("plane2_force");
    const double normal = 0.9396926207859084 * back.x + 0.3420201433256687 * back.z;
    const double along = std::abs(0.9396926207859084 * back.z - 0.3420201433256687 * back.x);
    CHECK(along < 0.35 * normal + 1e-9);
    slides = slides || along > 0.2 * normal + 1;
  }
  CHECK(slides);
  const double t = 0.0525, speed = 0.5 * 83.385 * t;  // of the sled
  const V3 expected = impulse - 80 * V3(speed, 0, 9.81 * t);
  CHECK((momentum(human).linear - before - expected).norm() < 0.002 * impulse.norm());
}

TEST_CASE("stiffness, damping and friction belong to a plane of their own") {
  // lying with the thorax 1 cm deep in plane 1, sliding and sinking
  const auto force = [](const Settings& s) {
    Settings all = fall().set("start_position", 0, 0, 0.109).set("start_velocity", 0.4, 0, -0.2);
    all.text("plane1_bodies", "thorax");
    for (const auto& [name, value] : s.numbers) all.set(name, value);
    return Human(all).vector("plane1_force");
  };
  CHECK(force({}).z == Approx(5e4 * 0.01 + 300 * 0.2));
  CHECK(force({}).x == Approx(-150 * 0.4));
  CHECK(force(Settings().set("plane1_Kn", 7e4)).z == Approx(7e4 * 0.01 + 300 * 0.2));
  CHECK(force(Settings().set("plane1_Cn", 450)).z == Approx(5e4 * 0.01 + 450 * 0.2));
  CHECK(force(Settings().set("plane1_Kt", 30)).x == Approx(-80 * 0.4));
  CHECK(force(Settings().set("plane1_Ct", 0)).x == Approx(-100 * 0.4));
  CHECK(force(Settings().set("plane2_Kn", 7e4)).z == Approx(5e4 * 0.01 + 300 * 0.2));
  const Vec3<double> rubbed = force(Settings()
                                        .set("plane1_friction_law", 2)
                                        .set("plane1_friction_coefficient", 0.3)
                                        .set("plane1_friction_speed", 0.3));
  CHECK(rubbed.x == Approx(-0.3 * rubbed.z * 0.4 / 0.5));
  // a surface that moves along is not felt, one that comes is
  CHECK(std::abs(force(Settings().set("plane1_vx", 0.4)).x) < 1e-9);
  CHECK(force(Settings().set("plane1_vz", 0.5)).z == Approx(5e4 * 0.01 + 300 * 0.7));
}

TEST_CASE("DRI is that of the pelvis's upward acceleration") {
  // the pelvis held on a sled that is pushed up by a half sine
  const double peak = 90, duration = 0.08;
  Human human(Settings()
                  .set("base_fixed", 1)
                  .set("pulse_shape", 3)
                  .set("pulse_peak", peak)
                  .set("pulse_duration", duration)
                  .set("pulse_direction", 3));
  human.go(0.12);
  // x'' + 2 ζ ω x' + ω² x = z'' in small steps
  const double omega = 52.9, zeta = 0.224, h = 1e-6;
  double x = 0, v = 0, largest = 0;
  for (double t = 0; t < 0.12; t += h) {
    const double push = t < duration ? peak * std::sin(M_PI * t / duration) : 0;
    v += h * (push - 2 * zeta * omega * v - omega * omega * x);
    x += h * v;
    largest = std::max(largest, x);
  }
  CHECK(human.get("DRI") == Approx(omega * omega * largest / 9.80665).epsilon(1e-3));
}

TEST_CASE("a symmetric case stays symmetric to rounding, contacts on both sides included") {
  for (const Settings& settings : {fall(), seated_pulse()}) {
    Human human(settings);
    human.go(0.2);
    for (const std::string body : {"hand", "forearm", "foot", "calf"}) {
      for (const double t : {0.2, 0.45}) {
        if (t > human.time()) human.go(t);
        const Vec3<double> left = human.position(body + "_left"), right = human.position(body + "_right");
        INFO(body << " at " << t);
        CHECK(std::abs(left.x - right.x) < 1e-10);
        CHECK(std::abs(left.y + right.y) < 1e-10);
        CHECK(std::abs(left.z - right.z) < 1e-10);
      }
    }
    CHECK(std::abs(human.position("head").y) < 1e-10);
  }
}

TEST_CASE("all solvers find the same fall") {
  Human radau(fall().tolerance(1e-8, 1e-8));
  radau.go(0.45);
  for (const double solver : {SolverNumber::mebdf, SolverNumber::ida}) {
    Human other(fall().tolerance(1e-8, 1e-8).set("solver", solver));
    other.go(0.45);
    for (const std::string body : {"head", "hand_left", "foot_right"}) {
      INFO(body << " with solver " << solver);
      CHECK(length(radau.position(body) - other.position(body)) < 1e-5);
    }
  }
}
