// LumbarSpine: equations against differences and a second formulation, statics against published ranges, and
// what must hold in any run.
#include <catch2/catch.hpp>
#include <cstring>

#include "math/random.h"
#include "models/lumbar_spine_runs.h"
#include "models/plain_lumbar_spine.h"
#include "solvers/allocations.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

constexpr int n = 15;

/// Largest difference of a position or angle from the second formulation, whose angles count the other way.
double difference(const Lumbar& spine, const PlainLumbar& plain) {
  double largest = 0;
  for (int k = 0; k < n; ++k)
    largest = std::max(largest, std::abs(spine.x()[k] - (k % 3 == 2 ? -1 : 1) * plain.y[k]));
  return largest;
}

double total_energy(Lumbar& spine) {
  return spine.get("kinetic_energy") + spine.get("potential_energy") + spine.get("dissipated_energy") -
         spine.get("external_work");
}

/// The level angles in equilibrium under a pure moment on L1, in degrees.
std::array<double, 5> angles_under(double moment) {
  Lumbar spine({{"L1_moment_y", moment}});
  std::array<double, 5> angle;
  for (int i = 0; i < 5; ++i) angle[i] = degree * spine.level(i, "angle");
  return angle;
}

/// White & Panjabi 1990 in Table 2.2 of Morais 2011: combined flexion and extension, degrees.
constexpr double range[5][2] = {{5, 16}, {8, 18}, {6, 17}, {9, 21}, {10, 24}};

}  // namespace

// -- equations

TEST_CASE("the Jacobian of the lumbar spine agrees with differences, contacts closed and loads on") {
  Random random(71);
  int closed = 0;
  for (const double law : {1, 2, 3, 4, 5}) {
    Lumbar spine({{"start_in_equilibrium", 0},
                  {"contact_law", law},
                  {"gravity", 9.81},
                  {"trunk_mass", 3.3},
                  {"trunk_inertia", 0.04},
                  {"trunk_position_x", 0.02},
                  {"trunk_position_z", 0.11},
                  {"follower_load", 340},
                  {"L1_endplate_force_x", 33},
                  {"L1_endplate_force_z", -210},
                  {"sled_acceleration_x", 17},
                  {"sled_angular_velocity", 2.2},
                  {"sled_angular_acceleration", -31}});
    for (int i = 0; i < 5; ++i) {
      spine.set(lumbar_vertebrae[i] + "_force_x", random(-60, 60));
      spine.set(lumbar_vertebrae[i] + "_force_z", random(-60, 60));
      spine.set(lumbar_vertebrae[i] + "_moment_y", random(-4, 4));
    }
    spine.follow_inputs();
    Model& model = spine.model();
    for (int trial = 0; trial < 6; ++trial) {
      // a common turn backwards, so that most contacts are closed, and some disorder
      double x[3][n];
      for (int k = 0; k < n; ++k) {
        x[0][k] =
            spine.x()[k] + (k % 3 == 2 ? random(-0.05, 0.05) - 0.12 * (5 - k / 3) : random(-3e-3, 3e-3));
        x[1][k] = random(-0.4, 0.4);
        x[2][k] = random(-40, 40);
      }
      double gaps[10];
      model.events(Point(0, x[0], x[1], x[2], nullptr, nullptr), gaps);
      if (std::any_of(gaps, gaps + 10, [](double g) { return std::abs(g) < 1e-5; })) continue;
      closed += int(std::count_if(gaps, gaps + 10, [](double g) { return g < 0; }));
      std::array<double, n * n> jacobian[3];
      model.jacobian(Point(0, x[0], x[1], x[2], nullptr, nullptr),
                     {jacobian[0].data(), jacobian[1].data(), jacobian[2].data()});
      for (int part = 0; part < 3; ++part) {
        double scale = 0, worst = 0;
        for (const double j : jacobian[part]) scale = std::max(scale, std::abs(j));
        for (int k = 0; k < n; ++k) {
          const double width = part == 0 ? 1e-7 : part == 1 ? 1e-5 : 1, kept = x[part][k];
          double r[4][n];
          for (const int shift : {0, 1, 2, 3}) {
            x[part][k] = kept + (shift < 2 ? shift - 2 : shift - 1) * width;
            model.residual(Point(0, x[0], x[1], x[2], nullptr, nullptr), r[shift]);
          }
          x[part][k] = kept;
          for (int i = 0; i < n; ++i) {
            const double by = (8 * (r[2][i] - r[1][i]) - (r[3][i] - r[0][i])) / (12 * width);
            worst = std::max(worst, std::abs(by - jacobian[part][i * n + k]));
          }
        }
        INFO("law " << law << ", trial " << trial << ", part " << part << ", scale " << scale);
        CHECK(worst < 1e-7 * scale);
      }
    }
  }
  CHECK(closed > 60);
}

TEST_CASE(
    "a second formulation with small steps moves the lumbar spine alike, contacts and release included") {
  struct Case {
    const char *name, *input;
    double value, PlainLumbar::*to, sign;
  };
  for (const Case& c : {Case{"flexion", "L1_moment_y", 10, &PlainLumbar::moment, -1},
                        Case{"extension", "L1_moment_y", -10, &PlainLumbar::moment, -1},
                        Case{"follower", "follower_load", 500, &PlainLumbar::tension, 1},
                        Case{"vertical", "L1_endplate_force_z", -300, &PlainLumbar::load, 1}}) {
    PlainLumbar plain;
    Lumbar spine({{"relative_tolerance", 1e-9}, {"absolute_tolerance", 1e-9}});
    CHECK(difference(spine, plain) == 0);
    plain.*c.to = c.sign * c.value;
    spine.set(c.input, c.value);
    const double h = 2e-5;
    for (int part = 1; part <= 4; ++part) {
      for (int k = 0; k < 5000; ++k) plain.advance(h);
      spine.go(0.1 * part);
      INFO(c.name << ", t = " << spine.time());
      CHECK(difference(spine, plain) < 1e-7);
      if (part != 2) continue;
      plain.*c.to = 0;
      spine.set(c.input, 0);
    }
    CHECK(spine.state().solution.statistics.events > 0);
  }
}

TEST_CASE("all solvers move the lumbar spine alike through contacts, with every contact law") {
  for (const double law : {1, 2, 3, 4, 5}) {
    const auto run = [&](double solver) {
      Lumbar spine({{"contact_law", law},
                    {"solver", solver},
                    {"relative_tolerance", 1e-8},
                    {"absolute_tolerance", 1e-8}});
      spine.set("L1_moment_y", -14);
      spine.go(0.12);
      return spine.x();
    };
    const std::vector<double> radau = run(SolverNumber::radau), mebdf = run(SolverNumber::mebdf),
                              ida = run(SolverNumber::ida);
    for (int k = 0; k < n; ++k) {
      INFO("law " << law << ", unknown " << k);
      CHECK(std::abs(radau[k] - mebdf[k]) < 1e-6);
      CHECK(std::abs(radau[k] - ida[k]) < 1e-6);
    }
  }
}

// -- statics

TEST_CASE("without load nothing moves, to the bit") {
  Lumbar spine;
  const std::vector<double> start = spine.x();
  spine.go(2);
  for (int k = 0; k < 2 * n; ++k) CHECK(spine.x()[k] == start[k]);
  for (int i = 0; i < 5; ++i) {
    CHECK(spine.level(i, "facet_gap") == Approx(0.0005));
    CHECK(spine.level(i, "spinous_gap") == Approx(0.008));
    CHECK(spine.level(i, "angle") == 0);
    CHECK(spine.level(i, "SSL_force") == 0);
  }
  CHECK(spine.get("energy_error") == 0);
  CHECK(spine.state().solution.statistics.events == 0);
}

TEST_CASE("a start in equilibrium stays there: gravity, trunk, follower load, contacts closed") {
  for (const auto& settings : {std::initializer_list<Lumbar::Setting>{{"gravity", 9.81}},
                               {{"gravity", 9.81}, {"trunk_mass", 21}},
                               {{"follower_load", 500}},
                               {{"L1_moment_y", -10}},
                               {{"L1_endplate_force_z", -500}}}) {
    Lumbar spine(settings);
    const std::vector<double> start = spine.x();
    spine.go(0.5);
    for (int k = 0; k < n; ++k) CHECK(std::abs(spine.x()[k] - start[k]) < 1e-7);
  }
}

TEST_CASE("a large load settles where the damped motion under it comes to rest") {
  for (const double load : {-300.0, -500.0, -1000.0}) {
    Lumbar settled({{"L1_endplate_force_z", load}}), moved;
    moved.set("L1_endplate_force_z", load);
    moved.go(5);
    INFO("load " << load);
    for (int k = 0; k < n; ++k) CHECK(std::abs(settled.x()[k] - moved.x()[k]) < 1e-6);
  }
}

TEST_CASE("flexion and extension under 7.5 and 10 N m are within the ranges of White and Panjabi") {
  for (const double moment : {7.5, 10.0}) {
    const auto flexion = angles_under(moment), extension = angles_under(-moment);
    for (int i = 0; i < 5; ++i) {
      INFO(lumbar_levels[i] << " at " << moment << " N m: " << flexion[i] << ", " << extension[i]);
      CHECK(flexion[i] > 0);
      CHECK(extension[i] < 0);
      CHECK(flexion[i] - extension[i] > range[i][0]);
      CHECK(flexion[i] - extension[i] < range[i][1]);
    }
  }
}

TEST_CASE("facets load in extension and are free in flexion; posterior ligaments the other way round") {
  Lumbar flexed({{"L1_moment_y", 10}}), extended({{"L1_moment_y", -10}});
  for (int i = 0; i < 5; ++i) {
    CHECK(flexed.level(i, "facet_force") == 0);
    CHECK(flexed.level(i, "facet_gap") > 0.0005);
    CHECK(extended.level(i, "facet_force") > 100);
    for (const std::string ligament : {"SSL", "ISL"}) {
      CHECK(flexed.level(i, ligament + "_force") > 1);
      CHECK(extended.level(i, ligament + "_force") == 0);
    }
    CHECK(extended.level(i, "ALL_force") > 1);
    CHECK(flexed.level(i, "ALL_force") < extended.level(i, "ALL_force"));
  }
}

TEST_CASE("in equilibrium each level carries the moment from above, disc, ligaments and contacts together") {
  // without forces from outside the free body above a cut is held by a pure moment; its disc, ligaments and
  // facets sum up to it about any point. Taken about the lower disc point, from the outputs alone.
  const double moment = -10;
  Lumbar spine({{"L1_moment_y", moment}});
  PlainLumbar plain;
  for (int k = 0; k < n; ++k) plain.y[k] = (k % 3 == 2 ? -1 : 1) * spine.x()[k];
  using V = PlainLumbar::Vector;
  for (int l = 0; l < 5; ++l) {
    const V S = plain.point(plain.y, l, plain.disc[l]),
            about = plain.point(plain.y, l + 1, plain.disc[l] + 2);
    const double local[2] = {spine.level(l, "shear_force"), -spine.level(l, "axial_force")};
    V sum = plain.turned(plain.y, l + 1, local);
    double couple = (S - about).cross(sum) - spine.level(l, "moment");
    for (int k = 0; k < 6; ++k) {
      const double* const p = plain.ropes[k].points[l];
      const V U = plain.point(plain.y, l, p), D = plain.point(plain.y, l + 1, p + 2);
      const V f = (D - U) * (spine.level(l, lumbar_ligaments[k] + "_force") / (U - D).size());
      sum = sum + f;
      couple += (U - about).cross(f);
    }
    for (const int c : {l, 5 + l}) {
      V normal;
      plain.gap(plain.y, c, nullptr, &normal);
      const V f = normal * -spine.level(l, c < 5 ? "facet_force" : "spinous_force");
      sum = sum + f;
      couple += (plain.point(plain.y, l, plain.touch[c]) - about).cross(f);
    }
    INFO(lumbar_levels[l]);
    CHECK(std::abs(sum.x) < 1e-8);
    CHECK(std::abs(sum.y) < 1e-8);
    CHECK(couple ==
          Approx(moment).epsilon(1e-9));  // extension positive here: it holds against -10 of flexion
  }
}

TEST_CASE("a follower load of 500 N compresses every disc and hardly bends the spine; a dead load bends it") {
  Lumbar follower({{"follower_load", 500}}), dead({{"L1_endplate_force_z", -500}});
  double bent = 0, collapsed = 0;
  for (int i = 0; i < 5; ++i) {
    CHECK(follower.level(i, "axial_force") < -350);
    CHECK(follower.level(i, "axial_force") > -600);
    bent += std::abs(follower.level(i, "angle")), collapsed += std::abs(dead.level(i, "angle"));
  }
  CHECK(bent < 0.1);
  CHECK(collapsed > 0.5);
}

TEST_CASE("removing an element lets the spine bend further, and its neighbours take over") {
  const auto angle = [](std::initializer_list<Lumbar::Setting> settings, int i) {
    return Lumbar(settings).level(i, "angle");
  };
  // posterior ligaments hold flexion, facets extension
  CHECK(angle({{"L1_moment_y", 10}, {"L4L5_SSL_factor", 0}}, 3) > angle({{"L1_moment_y", 10}}, 3) + 1e-3);
  CHECK(angle({{"L1_moment_y", 10}, {"L2L3_LF_factor", 0}}, 1) > angle({{"L1_moment_y", 10}}, 1) + 1e-4);
  CHECK(angle({{"L1_moment_y", -10}, {"L4L5_facet_factor", 0}}, 3) < angle({{"L1_moment_y", -10}}, 3) - 1e-3);
  CHECK(angle({{"L1_moment_y", -10}, {"L3L4_ALL_factor", 0}}, 2) < angle({{"L1_moment_y", -10}}, 2) - 1e-3);
  CHECK(angle({{"L1_moment_y", 10}, {"L1L2_disc_factor", 2}}, 0) < angle({{"L1_moment_y", 10}}, 0) - 1e-3);
  Lumbar intact({{"L1_moment_y", 10}}), cut({{"L1_moment_y", 10}, {"L4L5_SSL_factor", 0}});
  CHECK(cut.level(3, "SSL_force") == 0);
  CHECK(cut.level(3, "ISL_force") > intact.level(3, "ISL_force"));
  CHECK(std::abs(cut.level(0, "angle") - intact.level(0, "angle")) <
        1e-9);  // a pure moment: others feel nothing
}

TEST_CASE("the data set published starts as printed: contacts far away, one ligament taut") {
  Lumbar spine({{"data_set", 1}});
  CHECK(spine.level(0, "facet_gap") == Approx(0.013037366066539874));
  CHECK(spine.level(4, "spinous_gap") == Approx(0.029740718015992214));
  // SSL at L5-S1: 35.9 mm long, 26.0 mm printed
  const double strain = 0.0358944525571405 / 0.02596 - 1;
  CHECK(spine.level(4, "SSL_force") == Approx(23700 * 0.02596 * (strain - 0.271 / 2)).epsilon(1e-9));
  CHECK(spine.level(0, "ALL_force") == 0);
  spine.go(0.05);
  CHECK(spine.get("kinetic_energy") > 1e-5);
}

// -- motion

TEST_CASE("energy balances below 1e-6 at tolerance 1e-6 through all contact phases") {
  for (const double law : {1, 2, 3, 4, 5}) {
    Lumbar spine({{"contact_law", law}});
    spine.set("L1_moment_y", -30);  // facets and spinous processes
    double worst = 0, spinous = 0;
    for (int k = 1; k <= 60; ++k) {
      spine.go(0.01 * k);
      worst = std::max(worst, spine.get("energy_error"));
      for (int i = 0; i < 5; ++i) spinous = std::max(spinous, spine.level(i, "spinous_force"));
      if (k == 20) spine.set("L1_moment_y", 10);
      if (k == 40) spine.set("L1_moment_y", 0);
    }
    INFO("law " << law);
    CHECK(worst < 1e-6);
    CHECK(spinous > 10);
    CHECK(spine.state().solution.statistics.events >= 10);
  }
}

TEST_CASE("kinetic, potential and dissipated energy less the work put in stay constant in the lumbar spine") {
  Lumbar spine({{"gravity", 9.81},
                {"trunk_mass", 6},
                {"trunk_position_z", 0.08},
                {"pulse_shape", 2},
                {"pulse_direction", 3},
                {"pulse_peak", 70},
                {"pulse_duration", 0.06},
                {"relative_tolerance", 1e-9},
                {"absolute_tolerance", 1e-9}});
  const double start = total_energy(spine);
  spine.set("sled_angular_velocity", 0.9);
  spine.set("sled_angular_acceleration", 14);
  spine.set("follower_load", 220);
  spine.set("L3_force_x", -35);
  spine.set("L1_endplate_force_x", 21);
  double largest = 0;
  for (int k = 1; k <= 15; ++k) {
    spine.go(0.01 * k);
    CHECK(std::abs(total_energy(spine) - start) < 1e-6);
    largest = std::max(largest, spine.get("kinetic_energy"));
  }
  CHECK(largest > 0.1);
  CHECK(spine.get("dissipated_energy") > 0.01);
}

TEST_CASE("the whole spine falls with the sled when nothing holds it back: momentum balance") {
  // force on the bodies = m (a_inertial): from outputs of L1 alone, whose neighbours are cut away
  Lumbar spine({{"start_in_equilibrium", 0},
                {"gravity", 9.81},
                {"L1L2_disc_factor", 0},
                {"L1L2_ALL_factor", 0},
                {"L1L2_PLL_factor", 0},
                {"L1L2_LF_factor", 0},
                {"L1L2_ISL_factor", 0},
                {"L1L2_SSL_factor", 0},
                {"L1L2_CL_factor", 0},
                {"L1L2_facet_factor", 0},
                {"L1L2_spinous_factor", 0},
                {"L1_force_x", 14.86},
                {"L1_moment_y", 0.48538}});
  spine.set("sled_acceleration_x", 3);
  spine.set("sled_acceleration_z", -5);
  spine.go(0.05);
  CHECK(spine.get("L1_acceleration_x") == Approx(10));
  CHECK(spine.get("L1_acceleration_z") == Approx(-9.81));
  CHECK(spine.get("L1_angular_acceleration") == Approx(20));
  CHECK(spine.get("L1_velocity_x") == Approx(7 * 0.05));
  CHECK(spine.get("L1_velocity_z") == Approx(-4.81 * 0.05));
  CHECK(spine.get("L1_position_x") == Approx(-0.00155 + 0.5 * 7 * 0.0025));
}

TEST_CASE("contact events neither stall nor double, and closed contacts cost less than three times as much") {
  const auto cost = [](double moment) {
    Lumbar spine({{"L1_moment_y", moment}});
    spine.set("L1_moment_y", moment + 2.5);
    spine.go(0.3);
    return spine.state().solution.statistics;
  };
  const Statistics open = cost(5), closed = cost(-140);
  Lumbar all({{"L1_moment_y", -140}});
  for (int i = 0; i < 5; ++i) {
    CHECK(all.level(i, "facet_force") > 0);
    CHECK(all.level(i, "spinous_force") > 0);
  }
  CHECK(open.events == 0);
  CAPTURE(open.residuals, closed.residuals, closed.events, open.jacobians, closed.jacobians);
  CHECK(closed.residuals < 3 * open.residuals);
  CHECK(closed.factorisations < 3 * open.factorisations);

  // a pair closes and opens in turn: no event twice
  Lumbar spine;
  spine.set("L1_moment_y", -10);
  const Handle gap = spine.variables().find("L4L5_facet_gap");
  std::int64_t last = 0;
  for (int k = 1; k <= 400; ++k) {
    if (k == 200) spine.set("L1_moment_y", 10);
    spine.go(1e-3 * k);
    CHECK(std::isfinite(spine.get(gap)));
    CHECK(spine.state().solution.statistics.events - last <= 10);
    last = spine.state().solution.statistics.events;
  }
  CHECK(last < 40);
}

TEST_CASE("a copy of the lumbar spine's state continues bit for bit, contact memory included") {
  const double solver = GENERATE(SolverNumber::radau, SolverNumber::mebdf);
  Lumbar spine({{"solver", solver}});
  spine.set("L1_moment_y", -12);
  spine.go(0.06);  // facets closed
  CHECK(spine.level(3, "facet_force") > 0);
  const State saved = spine.state();
  spine.go(0.09);
  spine.go(0.2);
  const State end = spine.state();

  Lumbar other({{"L1_moment_y", 3}, {"solver", solver}});
  other.go(0.01);
  other.restore(saved);
  other.go(0.09);
  other.go(0.2);
  CHECK(same_bits(other.state(), end));
  spine.set("L1_moment_y", 11);
  spine.go(0.3);
  spine.restore(saved);
  spine.go(0.09);
  spine.go(0.2);
  CHECK(same_bits(spine.state(), end));

  // without the memory it goes elsewhere
  State forgotten = saved;
  std::fill_n(forgotten.memory.begin(), 10, 0.0);
  spine.restore(forgotten);
  spine.go(0.09);
  spine.go(0.2);
  CHECK_FALSE(spine.x() == end.solution.x);
}

TEST_CASE("the lumbar spine's motion does not depend on the communication step beyond the tolerance") {
  const auto run = [](int steps) {
    Lumbar spine({{"relative_tolerance", 1e-8}, {"absolute_tolerance", 1e-8}});
    spine.set("L1_moment_y", -10);
    for (int k = 1; k <= steps; ++k) spine.go(0.15 * k / steps);
    return spine.x();
  };
  const std::vector<double> once = run(1), often = run(300);
  for (int k = 0; k < n; ++k) CHECK(std::abs(once[k] - often[k]) < 1e-7);
}

TEST_CASE("no allocation while the lumbar spine steps through contacts") {
  Lumbar spine;
  spine.set("L1_moment_y", -20);
  spine.go(0.01);
  const long before = allocations;
  const Report report = spine.advance(0.3);
  const long after = allocations;
  CHECK(after == before);
  CHECK(report.outcome == Outcome::reached);
  CHECK(spine.state().solution.statistics.events > 3);
}

TEST_CASE("a vertical pulse gives the dynamic response index of its oscillator") {
  Lumbar spine({{"gravity", 9.81},
                {"follower_load", 300},
                {"pulse_shape", 3},
                {"pulse_direction", 3},
                {"pulse_peak", 120},
                {"pulse_duration", 0.08}});
  CHECK(spine.get("DRI") == 0);
  spine.go(0.2);
  // the same oscillator by small steps
  double x = 0, v = 0, largest = 0;
  const double h = 1e-6, w = 52.9, zeta = 0.224;
  for (int k = 0; k < 200000; ++k) {
    const double t = (k + 0.5) * h, a = t < 0.08 ? 120 * std::sin(std::acos(-1.0) * t / 0.08) : 0;
    v += h * (a - 2 * zeta * w * v - w * w * x);
    x += h * v;
    largest = std::max(largest, x);
  }
  CHECK(spine.get("DRI") == Approx(w * w * largest / 9.80665).epsilon(1e-4));
  CHECK(spine.get("sled_velocity_z") == Approx(120 * 0.08 * 2 / std::acos(-1.0)).epsilon(1e-6));
}

TEST_CASE("a sled that turns about its origin throws L1 outward as a turntable does") {
  Lumbar spine({{"start_in_equilibrium", 0}});
  spine.set("sled_angular_velocity", 8);
  spine.follow_inputs();
  // nothing moves against the sled yet: the inertial acceleration is that of the forces, none
  CHECK(std::abs(spine.get("L1_acceleration_x")) < 1e-9);
  CHECK(std::abs(spine.get("L1_acceleration_z")) < 1e-9);
  spine.go(0.02);
  CHECK(spine.get("L1_velocity_z") > 0.01);  // outward is up
  // rest against a turning sled needs the inward acceleration Ω² r
  Lumbar settled({{"sled_angular_velocity", 8}});
  CHECK(settled.get("L1_acceleration_x") == Approx(-64 * settled.get("L1_position_x")).epsilon(1e-9));
  CHECK(settled.get("L1_acceleration_z") == Approx(-64 * settled.get("L1_position_z")).epsilon(1e-9));
}

TEST_CASE("a trunk on L1 weighs what it weighs, and outputs stay those of the vertebra") {
  Lumbar plain({{"gravity", 9.81}}),
      trunk({{"gravity", 9.81}, {"trunk_mass", 1e-9}, {"trunk_position_x", 0.3}, {"trunk_position_z", 0.4}});
  for (const char* name : {"L1_position_x", "L1_position_z", "L1_angle", "L3_angle"})
    CHECK(trunk.get(name) == Approx(plain.get(name)).margin(1e-7));
  // a weight at the centre of the endplate acts as a force there
  Lumbar carried({{"gravity", 9.81}, {"trunk_mass", 12}}),
      pressed({{"gravity", 9.81}, {"L1_endplate_force_z", -12 * 9.81}});
  for (const char* name : {"L1_position_x", "L1_position_z", "L1_angle", "L4L5_facet_force"})
    CHECK(carried.get(name) == Approx(pressed.get(name)).margin(1e-8));
}

TEST_CASE("what LumbarSpine cannot do is refused with a reason") {
  Simulation s(lumbar_spine_type());
  CHECK_THROWS_WITH(s.set("contact_law", 6), Catch::Contains("contact_law") && Catch::Contains("5 (flores)"));
  CHECK_THROWS_WITH(s.set("L4L5_ALL_factor", -1),
                    Catch::Contains("L4L5_ALL_factor") && Catch::Contains("from 0"));
  CHECK_THROWS_WITH(s.set("trunk_mass", -2), Catch::Contains("kg"));
  CHECK_THROWS_WITH(s.set("follower_load", std::nan("")), Catch::Contains("finite"));
  s.set("pulse_direction", 2);
  CHECK_THROWS_WITH(s.initialise(0), Catch::Contains("pulse_direction"));
  s.set("pulse_direction", 3);
  s.set("L1_force_z", 1e9);
  CHECK_THROWS_WITH(s.initialise(0), Catch::Contains("no static equilibrium"));
  s.set("L1_force_z", 0);
  s.initialise(0);
  CHECK(s.advance(0.01).outcome == Outcome::reached);
}
