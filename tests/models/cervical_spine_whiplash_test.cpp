// CervicalSpine in motion: what the paper states of the 8.5 g rear impact, and what must hold in any run.
#include <catch2/catch.hpp>

#include "math/random.h"
#include "models/cervical_spine_runs.h"
#include "solvers/count_allocations.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

std::array<double, 8> level_angles(Neck& neck) {
  std::array<double, 8> angles;
  for (int i = 0; i < 8; ++i) angles[i] = neck.level(i, "angle");
  return angles;
}

double total_energy(Neck& neck) {
  return neck.get("kinetic_energy") + neck.get("potential_energy") + neck.get("dissipated_energy") -
         neck.get("external_work");
}

double largest_energy_error(double tolerance, double solver = SolverNumber::radau) {
  Neck neck({{"pulse_shape", triangle},
             {"solver", solver},
             {"relative_tolerance", tolerance},
             {"absolute_tolerance", tolerance}});
  double largest = 0;
  for (int k = 1; k <= 500; ++k) {
    neck.go(0.01 * k);
    largest = std::max(largest, neck.get("energy_error"));
  }
  return largest;
}

}  // namespace

TEST_CASE("8.5 g: the upper levels flex while the lower extend, then all extend") {
  Neck neck(whiplash());
  const auto start = level_angles(neck);
  const auto change = [&](int i) { return neck.level(i, "angle") - start[i]; };
  neck.go(0.04);
  CHECK(change(7) > 0.005);
  CHECK(change(6) > 0.003);
  CHECK(change(0) < -0.02);
  CHECK(change(1) < -0.01);
  // from S to C
  double all_extended = 0;
  for (double t = 0.0405; all_extended == 0 && t < 0.1; t += 0.0005) {
    neck.go(t);
    bool all = true;
    for (int i = 0; i < 8; ++i) all = all && change(i) < 0;
    if (all) all_extended = t;
  }
  CHECK(all_extended > 0.050);
  CHECK(all_extended < 0.075);
}

TEST_CASE("8.5 g: the head extends most between 125 and 150 ms") {
  Neck neck(whiplash());
  const double start = neck.get("head_angle");
  double largest = 0, at = 0;
  for (int k = 1; k <= 300; ++k) {
    neck.go(1e-3 * k);
    const double extension = start - neck.get("head_angle");
    if (extension > largest) largest = extension, at = 1e-3 * k;
  }
  CHECK(at > 0.125);
  CHECK(at < 0.150);
  CHECK(largest == Approx(1.2247).epsilon(1e-3));  // 70 deg; a second formulation confirms the way there
}

TEST_CASE("8.5 g: the anterior ligament at C4C5 is pulled by tens of newtons and the interspinous pushed") {
  Neck neck(whiplash());
  double peak = 0, push = 0;
  for (int k = 1; k <= 300; ++k) {
    neck.go(1e-3 * k);
    peak = std::max(peak, neck.level(3, "ALL_force"));
    push = std::min(push, neck.level(3, "ISL_force"));
  }
  CAPTURE(peak, push);
  CHECK(peak > 35);
  CHECK(peak < 50);
  CHECK(push < -10);
}

TEST_CASE("8.5 g: the sled has gained 4.378 m/s and the head follows backwards first") {
  Neck neck(whiplash());
  neck.go(0.06);
  CHECK(neck.get("head_velocity_x") < -0.5);  // against the sled
  neck.go(0.12);
  CHECK(neck.get("sled_velocity_x") == Approx(0.5 * 0.105 * 8.5 * g).epsilon(1e-12));
  CHECK(neck.get("sled_velocity_x") == Approx(4.378).epsilon(1e-4));
  CHECK(neck.get("sled_velocity_z") == 0);
}

TEST_CASE("every pulse shape gives the sled the area under it, in either direction") {
  const double area[3] = {0.5, 2 / std::acos(-1.0), 0.75};
  for (const int shape : {2, 3, 4})
    for (const int axis : {1, 3}) {
      Neck neck({{"pulse_shape", shape},
                 {"pulse_peak", -23},
                 {"pulse_start", 0.013},
                 {"pulse_duration", 0.071},
                 {"pulse_direction", axis}});
      neck.go(0.1);
      INFO("shape " << shape << ", axis " << axis);
      CHECK(neck.get(axis == 1 ? "sled_velocity_x" : "sled_velocity_z") ==
            Approx(-23 * 0.071 * area[shape - 2]).epsilon(1e-6));
      CHECK(neck.get(axis == 1 ? "sled_velocity_z" : "sled_velocity_x") == 0);
    }
}

TEST_CASE("the relative energy error over 5 s stays far below the paper's 0.0103") {
  CHECK(largest_energy_error(1e-6) < 1e-6);
  // MEBDF, four orders below the 0.0103 that the paper has with it
  CHECK(largest_energy_error(1e-6, SolverNumber::mebdf) < 1.03e-6);
  CHECK(largest_energy_error(1e-9) < 1e-9);
}

TEST_CASE("kinetic, potential and dissipated energy less the work put in stay constant") {
  Neck neck({{"pulse_shape", trapezoid},
             {"pulse_peak", 70},
             {"pulse_direction", 3},
             {"relative_tolerance", 1e-9},
             {"absolute_tolerance", 1e-9}});
  const double start = total_energy(neck);
  double largest = 0, dissipated = 0;
  for (int k = 1; k <= 60; ++k) {
    if (k == 20) neck.set("head_force_x", -37);
    if (k == 31) neck.set("C5_moment_y", 1.7);
    if (k == 40) neck.set("sled_acceleration_x", -21);
    neck.go(0.005 * k);
    CHECK(std::abs(total_energy(neck) - start) < 1e-6);
    largest = std::max(largest, neck.get("kinetic_energy"));
    CHECK(neck.get("dissipated_energy") >= dissipated);
    dissipated = neck.get("dissipated_energy");
  }
  CHECK(largest > 0.5);
  CHECK(dissipated > 0.05);
}

TEST_CASE("all solvers agree on the whiplash") {
  std::vector<double> end[3];
  for (const double solver : {SolverNumber::radau, SolverNumber::mebdf, SolverNumber::ida}) {
    Neck neck({{"pulse_shape", triangle},
               {"solver", solver},
               {"relative_tolerance", 1e-9},
               {"absolute_tolerance", 1e-9}});
    for (int k = 1; k <= 30; ++k) {
      neck.go(0.01 * k);
      for (int i = 0; i < 8; ++i) end[int(solver) - 1].push_back(neck.x()[i]);
    }
  }
  for (const int other : {1, 2}) {
    double worst = 0;
    for (std::size_t k = 0; k < end[0].size(); ++k)
      worst = std::max(worst, std::abs(end[0][k] - end[other][k]));
    CHECK(worst < 1e-7);
    CHECK(worst > 0);  // they are two solvers
  }
}

TEST_CASE("the stronger the rear impact, the further the head goes back") {
  double before = 0;
  for (const double peak : {2.5, 4.5, 6.5, 8.5}) {
    Neck neck({{"pulse_shape", triangle}, {"pulse_peak", peak * g}});
    const double start = neck.get("head_angle");
    double extension = 0;
    for (int k = 1; k <= 200; ++k) {
      neck.go(1e-3 * k);
      extension = std::max(extension, start - neck.get("head_angle"));
    }
    INFO(peak << " g: " << extension);
    CHECK(extension > before + 0.1);
    before = extension;
  }
}

TEST_CASE("random pulses of any shape, size, sense and length end well") {
  Random random(71);
  int reached = 0;
  constexpr int runs = 45;
  for (int run = 0; run < runs; ++run) {
    Neck neck({{"pulse_shape", static_cast<double>(random.integer(2, 4))},
               {"pulse_peak", random(-50 * g, 50 * g)},
               {"pulse_duration", random(0.005, 0.3)},
               {"pulse_start", random(0, 0.02)},
               {"pulse_direction", random.integer(0, 1) == 0 ? 1.0 : 3.0},
               {"ligaments_two_sided", static_cast<double>(random.integer(0, 1))},
               {"plane1_active", static_cast<double>(random.integer(0, 1))},
               {"plane1_x", -0.15}});
    const Report report = neck.advance(0.4);
    INFO("run " << run << ": " << report.message(neck.model()) << ", pulse_shape = "
                << neck.get("pulse_shape") << ", pulse_peak = " << neck.get("pulse_peak")
                << ", pulse_duration = " << neck.get("pulse_duration") << ", pulse_start = "
                << neck.get("pulse_start") << ", pulse_direction = " << neck.get("pulse_direction")
                << ", ligaments_two_sided = " << neck.get("ligaments_two_sided")
                << ", plane1_active = " << neck.get("plane1_active"));
    for (const double x : neck.x()) REQUIRE(std::isfinite(x));
    CHECK(report.t == neck.time());
    if (report.outcome == Outcome::reached) {
      ++reached;
      CHECK(neck.get("energy_error") < 1e-4);
    } else {
      CHECK(report.outcome == Outcome::failed);
      CHECK(report.reason != Reason::none);
      CHECK(report.message(neck.model()).find("at t = ") != std::string::npos);
    }
  }
  CAPTURE(reached);
  CHECK(reached == runs);
}

TEST_CASE("a head restraint takes up the head, never pulls it, and gives back less than it got") {
  Neck loose(whiplash());
  Neck held({{"pulse_shape", triangle}, {"plane1_active", 1}, {"plane1_x", -0.12}});
  double extension_loose = 0, extension_held = 0, most = 0;
  const double start = loose.get("head_angle"), energy = total_energy(held);
  for (int k = 1; k <= 300; ++k) {
    loose.go(1e-3 * k);
    held.go(1e-3 * k);
    extension_loose = std::max(extension_loose, start - loose.get("head_angle"));
    extension_held = std::max(extension_held, start - held.get("head_angle"));
    CHECK(held.get("plane1_force_x") >= 0);
    most = std::max(most, held.get("plane1_force_x"));
    CHECK(held.get("plane2_force_x") == 0);
    // friction within Coulomb's limit
    CHECK(std::abs(held.get("plane1_force_z")) <= 0.3 * held.get("plane1_force_x") + 1e-9);
    CHECK(loose.get("plane1_force_x") == 0);
  }
  CHECK(most > 100);
  CHECK(extension_held < 0.5 * extension_loose);
  // the plane's work is external work
  CHECK(std::abs(total_energy(held) - energy) < 1e-4);
  CHECK(held.get("energy_error") < 1e-5);
}

TEST_CASE("a plane out of reach does nothing") {
  Neck loose(whiplash());
  Neck far({{"pulse_shape", triangle}, {"plane1_active", 1}, {"plane1_x", -1.3}});
  loose.go(0.15);
  far.go(0.15);
  CHECK(std::abs(loose.get("head_angle") - far.get("head_angle")) < 1e-12);
}

TEST_CASE("tension-only ligaments never push, and let the neck bend further") {
  Neck two_sided(whiplash()), tension_only({{"pulse_shape", triangle}, {"ligaments_two_sided", 0}});
  double pushed = 0;
  std::int64_t slack = 0;
  double extension[2] = {};
  const double start[2] = {two_sided.get("head_angle"), tension_only.get("head_angle")};
  for (int k = 1; k <= 250; ++k) {
    two_sided.go(1e-3 * k);
    tension_only.go(1e-3 * k);
    for (int i = 0; i < 8; ++i)
      for (const char* force : {"ISL_force", "ALL_force"}) {
        pushed = std::min(pushed, two_sided.level(i, force));
        CHECK(tension_only.level(i, force) >= 0);
        slack += tension_only.level(i, force) == 0;
      }
    extension[0] = std::max(extension[0], start[0] - two_sided.get("head_angle"));
    extension[1] = std::max(extension[1], start[1] - tension_only.get("head_angle"));
  }
  CHECK(pushed < -20);
  CHECK(slack > 500);
  CHECK(extension[1] > extension[0] + 0.01);
  CHECK(tension_only.get("energy_error") < 1e-5);
}

TEST_CASE("results do not depend on the communication step") {
  Neck once(whiplash()), often(whiplash());
  once.go(0.3);
  for (int k = 1; k <= 300; ++k) often.go(1e-3 * k);
  CHECK(std::abs(once.get("head_angle") - often.get("head_angle")) < 1e-5);
  for (const char* name : {"HIC15", "HIC36", "head_a3ms", "NIC_max", "Nij", "Nkm", "LNL", "BrIC"}) {
    INFO(name);
    CHECK(once.get(name) > 0);
    CHECK(once.get(name) == Approx(often.get(name)).epsilon(1e-3));
  }
}

TEST_CASE("a run that starts at another time is the same run") {
  Neck now(whiplash());
  Neck later({{"pulse_shape", triangle}, {"pulse_start", 12.5}}, 12.5);
  Neck early({{"pulse_shape", triangle}, {"pulse_start", -3.25}}, -3.25);
  now.go(0.14);
  later.go(12.5 + 0.14);
  early.go(-3.25 + 0.14);
  CHECK(std::abs(now.get("head_angle") - later.get("head_angle")) < 1e-5);
  CHECK(std::abs(now.get("head_angle") - early.get("head_angle")) < 1e-5);
  CHECK(now.get("HIC36") == Approx(later.get("HIC36")).epsilon(1e-3));
}

TEST_CASE("a copy of the state continues bit for bit, whatever is between") {
  Random random(81);
  for (int run = 0; run < 12; ++run) {
    const double two_sided = random.integer(0, 1), peak = random(-120, 120), solver_step = random(1e-4, 3e-2);
    const auto make = [&] {
      return Neck({{"pulse_shape", triangle},
                   {"pulse_peak", peak},
                   {"ligaments_two_sided", two_sided},
                   {"plane1_active", 1},
                   {"plane1_x", -0.14}});
    };
    Neck first = make(), second = make();
    first.go(random(1e-3, 0.15));
    const State saved = first.state();
    // the second has been elsewhere
    second.go(random(1e-3, 0.2));
    second.restore(saved);
    double t = first.time();
    std::vector<double> stops;
    for (int k = 0; k < 12; ++k) stops.push_back(t += random(1e-6, solver_step));
    for (const double stop : stops) {
      first.go(stop);
      second.go(stop);
      REQUIRE(same_bits(first.state(), second.state()));
      REQUIRE(first.get("HIC15") == second.get("HIC15"));
    }
    // and the first, taken back, repeats itself
    first.restore(saved);
    for (const double stop : stops) first.go(stop);
    CHECK(same_bits(first.state(), second.state()));
  }
}

TEST_CASE("the cervical spine allocates nothing while it advances") {
  Neck neck(
      {{"pulse_shape", triangle}, {"plane1_active", 1}, {"plane1_x", -0.12}, {"ligaments_two_sided", 0}});
  const long before = allocations;
  const Report report = neck.advance(0.2);
  const long after = allocations;
  REQUIRE(report.outcome == Outcome::reached);
  CHECK(after == before);
}
