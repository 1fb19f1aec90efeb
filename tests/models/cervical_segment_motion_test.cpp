// How CervicalSegment moves: energy, a second formulation, two solvers, saved states.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "models/cervical_segment_runs.h"
#include "models/cervical_spine_runs.h"
#include "models/plain_segment.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

/// Half-sine of 20 N or 1.8 N m in 0.1 s, held over each communication step at its middle.
double half_sine_load(int direction, double t) {
  return t < 0.1 ? (direction < 3 ? 20 : 1.8) * std::sin(std::numbers::pi * t / 0.1) : 0;
}

}  // namespace

TEST_CASE("a half-sine in each direction keeps the energy balance and the length of the Euler parameters") {
  const double step = 1e-3;
  for (int direction = 0; direction < 6; ++direction)
    for (const double sense : {1.0, -1.0}) {
      Segment s;
      double error = 0, length = 0, rate = 0, largest = 0;
      for (int k = 0; k < 120; ++k) {
        s.set(load_names[direction], sense * half_sine_load(direction, (k + 0.5) * step));
        s.go((k + 1) * step);
        error = std::max(error, s.get("energy_error"));
        largest = std::max(largest, s.get("kinetic_energy"));
        double pp = 0, pv = 0;
        for (int i = 3; i < 7; ++i) pp += s.x()[i] * s.x()[i], pv += s.x()[i] * s.x()[7 + i];
        length = std::max(length, std::abs(std::sqrt(pp) - 1));
        rate = std::max(rate, std::abs(pv));
      }
      INFO(load_names[direction] << " " << sense);
      CHECK(error < 1e-6);
      CHECK(length < 1e-14);
      CHECK(rate < 1e-14);
      CHECK(largest > 1e-8);
      // what went in is heat or still stored, but for the work that has no potential
      CHECK(s.get("external_work") + s.get("non_potential_work") ==
            Approx(s.get("kinetic_energy") + s.get("potential_energy") + s.get("dissipated_energy"))
                .epsilon(1e-6));
      CHECK(s.get("dissipated_energy") > 0);
      CHECK(std::abs(s.get("non_potential_work")) < 0.02 * s.get("external_work"));
    }
}

TEST_CASE("a second formulation with small steps moves the segment alike, on a sled that turns") {
  const PlainSegment plain;
  using V = PlainSegment::V;
  PlainSegment::Drive drive;
  drive.force = {9, -7, -13};
  drive.moment = {0.5, -0.9, 0.7};
  drive.a0 = {55, -31, 24};
  drive.W = {9, -14, 11};
  drive.Wdot = {400, 250, -700};
  Segment s({{"start_in_equilibrium", 0}, {"relative_tolerance", 1e-10}, {"absolute_tolerance", 1e-9}});
  const auto set = [&](const std::string& name, const V& x) {
    s.set(name + "_x", x.x());
    s.set(name + "_y", x.y());
    s.set(name + "_z", x.z());
  };
  set("C5_force", drive.force);
  set("C5_moment", drive.moment);
  set("sled_acceleration", drive.a0);
  set("sled_angular_velocity", drive.W);
  set("sled_angular_acceleration", drive.Wdot);
  PlainSegment::State y;
  const double h = 5e-6;
  for (int step = 0; step < 6000; ++step) {
    plain.step(y, step * h, h, [&](double) { return drive; });
    if ((step + 1) % 1000 != 0) continue;
    s.go((step + 1) * h);
    const auto pose = s.pose();
    const V phi = PlainSegment::logarithm(y.turn), arm = y.turn * plain.R0 * plain.centre;
    const V velocity = y.v + y.omega.cross(arm);
    const auto v = s.get3("C5_velocity"), w = s.get3("C5_angular_velocity");
    for (int k = 0; k < 3; ++k) {
      INFO("t = " << (step + 1) * h << ", axis " << k);
      CHECK(std::abs(pose[k] - y.t[k]) < 2e-10);
      CHECK(std::abs(pose[3 + k] - phi[k]) < 2e-9);
      CHECK(std::abs(v[k] - velocity[k]) < 1e-7);
      CHECK(std::abs(w[k] - y.omega[k]) < 1e-6);
    }
  }
  CHECK(std::abs(s.get("C5_rotation_z")) > 0.005);
}

TEST_CASE("all solvers move the segment alike") {
  const auto run = [](double solver) {
    Segment s({{"solver", solver},
               {"relative_tolerance", 1e-8},
               {"absolute_tolerance", 1e-8},
               {"pulse_shape", half_sine},
               {"pulse_peak", 300},
               {"pulse_duration", 0.04},
               {"pulse_direction", 2}});
    s.set("C5_force_x", 16);
    s.set("C5_moment_z", -1.1);
    s.go(0.05);
    return s.pose();
  };
  const auto radau = run(SolverNumber::radau), mebdf = run(SolverNumber::mebdf), ida = run(SolverNumber::ida);
  for (int k = 0; k < 6; ++k) {
    INFO(k);
    CHECK(std::abs(radau[k] - mebdf[k]) < (k < 3 ? 1e-9 : 1e-8));
    CHECK(std::abs(radau[k] - ida[k]) < (k < 3 ? 1e-9 : 1e-8));
  }
  CHECK(std::abs(radau[1]) > 1e-5);
}

TEST_CASE("a saved state of the segment is repeated bit for bit") {
  const double solver = GENERATE(SolverNumber::radau, SolverNumber::mebdf);
  Segment s({{"solver", solver}, {"pulse_shape", triangle}, {"pulse_peak", -400}, {"pulse_duration", 0.03}});
  s.set("C5_moment_x", 1.2);
  s.go(0.011);
  const State saved = s.state();
  s.go(0.02);
  s.set("C5_moment_x", -0.4);
  s.go(0.03);
  const State end = s.state();
  s.set("C5_force_z", -60);
  s.go(0.04);
  s.restore(saved);
  s.go(0.02);
  s.set("C5_moment_x", -0.4);
  s.go(0.03);
  CHECK(same_bits(s.state(), end));
  // and in an instance of its own
  Simulation other(cervical_segment_type());
  other.restore(saved);
  REQUIRE(other.advance(0.02).outcome == Outcome::reached);
  other.set("C5_moment_x", -0.4);
  REQUIRE(other.advance(0.03).outcome == Outcome::reached);
  CHECK(same_bits(other.state(), end));
}

TEST_CASE("accelerations follow a load at once, as mass and inertia say") {
  Segment s;
  s.set("C5_force_y", 2.3);
  s.set("sled_acceleration_x", 40);
  s.follow_inputs();
  // inertial: the sled pulls the segment only through displacements
  CHECK(s.get("C5_acceleration_y") == Approx(10).epsilon(1e-9));
  CHECK(std::abs(s.get("C5_acceleration_x")) < 1e-6);
  s.set("C5_force_y", 0);
  s.set("C5_moment_y", 0.46);
  s.follow_inputs();
  CHECK(s.get("C5_angular_acceleration_y") == Approx(2000).epsilon(1e-9));
}

TEST_CASE("output rates of the moving segment agree with differences along the motion") {
  Segment s({{"relative_tolerance", 1e-11}, {"absolute_tolerance", 1e-10}});
  s.set("C5_force_x", 15);
  s.set("C5_moment_z", 1.3);
  s.go(0.004);
  const VariableTable& table = s.variables();
  std::vector<double> rates(table.size());
  s.output_rates(rates);
  const State here = s.state();
  const double h = 2e-6;
  s.go(0.004 + h);
  std::vector<double> first, second;
  for (const Handle v : table.of(Causality::output)) first.push_back(s.get(v));
  s.go(0.004 + 2 * h);
  for (const Handle v : table.of(Causality::output)) second.push_back(s.get(v));
  s.restore(here);
  int k = 0;
  for (const Handle v : table.of(Causality::output)) {
    const double zero = s.get(v), difference = (-3 * zero + 4 * first[k] - second[k]) / (2 * h);
    const std::string& name = table[v].name;
    ++k;
    if (name.starts_with("solver_") || name == "energy_error") continue;
    INFO(name);
    CHECK(difference == Approx(rates[v]).epsilon(2e-3).margin(1e-4 * table[v].nominal));
  }
}
