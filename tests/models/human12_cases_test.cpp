#include <Eigen/Dense>
#include <catch2/catch.hpp>

#include "models/human12/kinematics.h"
#include "models/human12_runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::testing::of_human12;

namespace {

const human12::Data& numbers() {
  static const human12::Data d =
      human12::read(data::DataSet::embedded("Human12", "reconciled"), human12::Variant::human);
  return d;
}

/// Largest defect of the constraints, of their values or of their rates.
double largest_defect(Body12& b, bool of_rates) {
  const double* const q = b.x().data();
  const double* const v = q + b.model().sizes().positions;
  Eigen::VectorXd c(human12::constraints);
  of_rates ? numbers().system.velocities(q, v, c.data()) : numbers().system.positions(q, c.data());
  return c.cwiseAbs().maxCoeff();
}

struct Momentum {
  Vec3<double> linear, angular;
};
Momentum momentum(const double* q, const double* v) {
  Momentum m;
  for (const NaturalSystem::MassEntry& e : numbers().system.mass_entries()) {
    const Vec3<double> share = e.mass * element(v, e.column);
    if (numbers().system.is_point(e.row)) m.linear += share;
    m.angular += cross(element(q, e.row), share);
  }
  return m;
}

}  // namespace

TEST_CASE("free flight keeps momentum, angular momentum and energy to 1e-9") {
  Case12 c = free_flight();
  set_tolerance(c.settings, 1e-10);
  Body12 b(c.settings);
  const Momentum before = momentum(b.x().data(), b.x().data() + 99);
  const double energy = b.get("kinetic_energy");
  b.go(c.t_end);
  const Momentum after = momentum(b.x().data(), b.x().data() + 99);
  CHECK(length(after.linear - before.linear) < 1e-9 * length(before.linear));
  CHECK(length(after.angular - before.angular) < 1e-9 * length(before.angular));
  CHECK(std::abs(b.get("kinetic_energy") - energy) < 1e-9 * energy);
  CHECK(b.get("energy_error") < 1e-9);
}

TEST_CASE("all solvers agree in flight, tackle and crash, and touches neither stall nor double") {
  const auto run = [](Case12 c, double t, double solver) {
    set_tolerance(c.settings, 1e-8);
    c.settings.emplace_back("solver", solver);
    Body12 b(c.settings, c.texts);
    b.go(t);
    CHECK(b.state().solution.statistics.events < 20);
    return b.x();
  };
  for (const auto& [c, t] : {std::pair{free_flight(), 0.1}, {tackle(), 0.04}, {belted(), 0.03}}) {
    const std::vector<double> radau = run(c, t, SolverNumber::radau), mebdf = run(c, t, SolverNumber::mebdf),
                              ida = run(c, t, SolverNumber::ida);
    for (int i = 0; i < 99; ++i) {
      INFO("coordinate " << i << " at " << t);
      CHECK(std::abs(mebdf[i] - radau[i]) < 1e-7);
      CHECK(std::abs(ida[i] - radau[i]) < 1e-7);
    }
  }
}

TEST_CASE("constraints hold to 1e-9 in positions and velocities, through impacts too") {
  for (const Case12& c : {free_flight(), tackle(), belted()}) {
    Body12 b(c.settings, c.texts);
    double worst = 0;
    for (int i = 1; i <= 10; ++i) {
      b.go(c.t_end * i / 10);
      worst = std::max({worst, largest_defect(b, false), largest_defect(b, true)});
    }
    CHECK(worst < 1e-9);
  }
}

TEST_CASE("the tackled athlete falls on the back; the balance of energy holds") {
  Case12 c = tackle();
  Body12 b(c.settings);
  const auto total = [&] {
    return b.get("kinetic_energy") + b.get("potential_energy") + b.get("dissipated_energy") -
           b.get("external_work") - b.get("joint_limit_work");
  };
  const double at_start = total();
  double touched = 0;
  for (int i = 1; i <= 100; ++i) {
    b.go(0.01 * i);
    if (touched == 0 && b.get("head_position_z") < 0.095) touched = b.time();
    CHECK(total() == Approx(at_start).epsilon(1e-6));
  }
  INFO("head on the ground at " << touched << " s");
  CHECK(touched > 0.6);
  CHECK(touched < 0.75);
  CHECK(b.get("energy_error") < 1e-6);
  // momentum that the impactor has lost went to the body
  CHECK(b.get("impactor_velocity_x") > -2);
}

TEST_CASE("the belted occupant is held: neck at its limit, head free, belts loaded") {
  const Case12 c = belted();
  Body12 b(c.settings, c.texts);
  double belt = 0, lean = 0, forward = 0;
  for (int i = 1; i <= 50; ++i) {
    b.go(c.t_end * i / 50);
    belt = std::max(belt, b.get("belt_lap_left_force"));
    lean = std::max(lean, b.get("neck_joint_angle_y"));
    forward = std::max(forward, b.get("lower_torso_position_x"));
  }
  CHECK(belt > 1000);
  CHECK(belt < 5000);
  CHECK(lean > 60 * std::numbers::pi / 180);
  CHECK(forward > 0.02);
  CHECK(forward < 0.2);
  CHECK(b.get("plane4_force_x") == 0);
  CHECK(b.get("energy_error") < 1e-6);
}

TEST_CASE("what is symmetric stays symmetric, and both sides remember their touch") {
  Case12 c = tackle();
  for (auto& [name, value] : c.settings)
    if (name == "start_impactor_position_y") value = 0;
  c.settings.emplace_back("start_position_z", 1.079 + 0.05);  // both feet land at the same instant
  Body12 b(c.settings);
  for (const double t : {0.05, 0.101, 0.12, 0.2, 0.3}) {
    b.go(t);
    for (const std::string name : {"forearm", "leg", "thigh"}) {
      const Vec3<double> left = b.vector(name + "_left_position"), right = b.vector(name + "_right_position");
      INFO(name << " at " << t);
      CHECK(std::abs(left.x - right.x) < 1e-9);
      CHECK(std::abs(left.y + right.y) < 1e-9);
      CHECK(std::abs(left.z - right.z) < 1e-9);
    }
    CHECK(std::abs(b.get("head_position_y")) < 1e-9);
  }
}

TEST_CASE("a saved state of Human12 repeats the run bit for bit") {
  const Case12 c = belted();
  Body12 b(c.settings, c.texts), other(c.settings, c.texts);
  b.go(0.05);
  const State saved = b.state();
  b.go(0.08);
  other.restore(saved);
  other.go(0.08);
  CHECK(other.x() == b.x());
  CHECK(other.state().memory == b.state().memory);
  b.restore(saved);
  b.go(0.08);
  CHECK(other.x() == b.x());
}

TEST_CASE("what Human12 cannot do it refuses with the reason") {
  const auto message = [](const Body12::Settings& s, const Body12::Texts& t = {}) -> std::string {
    try {
      Body12 b(s, t);
    } catch (const std::exception& e) {
      return e.what();
    }
    return "";
  };
  CHECK(message({{"start_in_equilibrium", 1}}).find("start_in_equilibrium") != std::string::npos);
  CHECK(message({}, {{"plane2_bodies", "tail"}}).find("there is no 'tail'") != std::string::npos);
  CHECK(message({{"plane1_active", 1}, {"plane1_nz", 0}}).find("plane1_nx") != std::string::npos);
}
