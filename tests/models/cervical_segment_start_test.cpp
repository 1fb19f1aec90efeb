// How CervicalSegment starts: the posture of the data, equilibria under load, and what it refuses.
#include <catch2/catch.hpp>
#include <cmath>

#include "models/cervical_segment_runs.h"
#include "models/plain_segment.h"
#include "solvers/equilibrium.h"

using namespace spondyl;
using namespace spondyl::testing;

TEST_CASE("the ligaments of the segment start with the lengths of the design, without force") {
  // the lengths that the design states, and those that the paper prints (data set published)
  constexpr double length[6] = {18.367, 16.862, 15.393, 15.542, 5.848, 5.848};
  constexpr double printed[6] = {18, 17, 15, 16, 6, 6};
  Segment at_rest, published({{"data_set", 1}, {"start_in_equilibrium", 0}});
  for (int i = 0; i < 6; ++i) {
    INFO(ligament_names[i]);
    CHECK(std::abs(at_rest.get("C5C6_" + ligament_names[i] + "_strain")) < 1e-15);
    CHECK(at_rest.get("C5C6_" + ligament_names[i] + "_force") < 1e-9);
    // ε = l/l0 - 1 with the printed l0
    const double l = printed[i] * (1 + published.get("C5C6_" + ligament_names[i] + "_strain"));
    CHECK(std::abs(l - length[i]) < 6e-4);
  }
  CHECK(published.get("C5C6_ALL_force") > 1);
  CHECK(published.get("C5C6_CL_left_force") == 0);
}

TEST_CASE("the unloaded segment is at rest in the posture of the data, and stays there") {
  Segment s;
  for (const double x : s.pose()) CHECK(x == 0);
  for (const char* force : {"C5C6_force", "C5C6_moment", "C5C6_disc_force", "C5C6_disc_moment"})
    for (const double x : s.get3(force)) CHECK(x == 0);
  for (const char* side : {"left", "right"}) {
    CHECK(s.get(std::string("C5C6_facet_") + side + "_force") < 1e-9);
    CHECK(std::abs(s.get(std::string("C5C6_facet_") + side + "_penetration")) < 1e-15);
  }
  CHECK(s.get("C5_position_x") == Approx(-0.0028 - 0.0081 * std::cos(-5.2 * PlainSegment::deg)));
  CHECK(s.get("C5_position_z") == Approx(0.0174 + 0.0081 * std::sin(-5.2 * PlainSegment::deg)));
  CHECK(s.get("C5_orientation_y") == Approx(std::sin(-2.6 * PlainSegment::deg)));
  s.go(1);
  for (const double x : s.pose()) CHECK(x == 0);
  CHECK(s.get("kinetic_energy") == 0);
}

TEST_CASE("nine load cases settle in at most eight Newton iterations where a second formulation settles") {
  const PlainSegment plain;
  for (const LoadCase& c : load_cases) {
    INFO(c.name);
    PlainSegment::V6 load = PlainSegment::V6::Zero();
    load[c.direction] = c.load;
    const PlainSegment::V6 expected = plain.settle(load);
    REQUIRE(plain.imbalance(expected, load).cwiseAbs().maxCoeff() < 1e-8);

    Segment s({{load_names[c.direction], c.load}});
    const auto pose = s.pose();
    for (int k = 0; k < 3; ++k) CHECK(std::abs(pose[k] - expected[k]) < 1e-10);
    for (int k = 3; k < 6; ++k) CHECK(std::abs(pose[k] - expected[k]) < 1e-9);

    Segment from_posture({{"start_in_equilibrium", 0}, {load_names[c.direction], c.load}});
    Solution solution = from_posture.state().solution;
    const EquilibriumReport report = find_equilibrium(from_posture.model(), solution);
    CHECK(report.found);
    CHECK(report.load_steps == 1);
    CHECK(report.iterations <= 8);
  }
}

TEST_CASE("shear of 20 N displaces C5 as measured, within one standard deviation") {
  Segment anterior({{"C5_force_x", 20}}), posterior({{"C5_force_x", -20}});
  CHECK(std::abs(anterior.get("C5_translation_x") - 0.196e-3) < 0.087e-3);
  CHECK(std::abs(posterior.get("C5_translation_x") + 0.387e-3) < 0.148e-3);
  // the facets carry anterior shear, not posterior
  CHECK(anterior.get("C5C6_facet_left_force") > 5);
  CHECK(posterior.get("C5C6_facet_left_force") == 0);
}

TEST_CASE("what is loaded symmetrically stays symmetric, what is mirrored comes out mirrored") {
  for (const int direction : {0, 2, 4})
    for (const double sense : {1.0, -1.0}) {
      Segment s({{load_names[direction], sense * (direction < 3 ? 31.0 : 2.3)}});
      CHECK(std::abs(s.get("C5_translation_y")) < 1e-16);
      CHECK(std::abs(s.get("C5_rotation_x")) < 1e-15);
      CHECK(std::abs(s.get("C5_rotation_z")) < 1e-15);
      CHECK(s.get("C5C6_facet_left_force") == Approx(s.get("C5C6_facet_right_force")).margin(1e-10));
      CHECK(s.get("C5C6_CL_left_force") == Approx(s.get("C5C6_CL_right_force")).margin(1e-10));
    }
  Segment s({{"C5_force_x", 13},
             {"C5_force_y", 7},
             {"C5_moment_x", 1.1},
             {"C5_moment_y", -0.7},
             {"C5_moment_z", -1.6}});
  Segment m({{"C5_force_x", 13},
             {"C5_force_y", -7},
             {"C5_moment_x", -1.1},
             {"C5_moment_y", -0.7},
             {"C5_moment_z", 1.6}});
  constexpr double sign[6] = {1, -1, 1, -1, 1, -1};
  const auto a = s.pose(), b = m.pose();
  for (int k = 0; k < 6; ++k) CHECK(a[k] == Approx(sign[k] * b[k]).margin(1e-14));
  CHECK(s.get("C5C6_facet_left_force") == Approx(m.get("C5C6_facet_right_force")).margin(1e-9));
  CHECK(s.get("C5C6_facet_left_point_y") == Approx(-m.get("C5C6_facet_right_point_y")).margin(1e-12));
  CHECK(s.get("C5C6_facet_left_case") == m.get("C5C6_facet_right_case"));
}

TEST_CASE("at rest under load all forces on C5 are in balance about any point, and nothing moves") {
  Segment s({{"C5_force_x", -14},
             {"C5_force_y", 9},
             {"C5_force_z", -33},
             {"C5_moment_x", -0.8},
             {"C5_moment_y", -1.2},
             {"C5_moment_z", 0.9},
             {"gravity", 9.81},
             {"sled_acceleration_z", 3.1}});
  const auto force = s.get3("C5C6_force");
  CHECK(force[0] == Approx(14));
  CHECK(force[1] == Approx(-9));
  CHECK(force[2] == Approx(33 + 0.23 * (9.81 + 3.1)));
  const auto pose = s.pose();
  s.go(0.5);
  const auto later = s.pose();
  for (int k = 0; k < 6; ++k) CHECK(std::abs(later[k] - pose[k]) < 1e-12);
}

TEST_CASE("loads ten times those of the paper in any direction settle; what cannot be carried is refused") {
  Segment s({{"start_in_equilibrium", 0}});
  unsigned state = 7;
  const auto random = [&] { return (state = state * 1664525u + 1013904223u) / 2147483648.0 - 1; };
  for (int trial = 0; trial < 200; ++trial) {
    for (int k = 0; k < 6; ++k) s.set(load_names[k], (k < 3 ? 200 : 18) * random());
    s.follow_inputs();
    Solution solution = s.state().solution;
    CHECK(find_equilibrium(s.model(), solution).found);
  }
  Simulation overloaded(cervical_segment_type());
  overloaded.set("C5_moment_y", 400);
  try {
    overloaded.initialise(0);
    FAIL("400 N m were carried");
  } catch (const std::runtime_error& e) {
    const std::string message = e.what();
    INFO(message);
    CHECK(message.find("equilibrium") != std::string::npos);
    CHECK(message.find("C5_") != std::string::npos);
  }
  CHECK_FALSE(overloaded.initialised());
  overloaded.set("C5_moment_y", 4);
  overloaded.initialise(0);
  CHECK(overloaded.get("C5_rotation_y") > 0.05);
}

TEST_CASE("without equilibrium the segment starts where its parameters put it") {
  Segment s({{"start_in_equilibrium", 0},
             {"start_C5_translation_x", 1.1e-3},
             {"start_C5_translation_y", -0.4e-3},
             {"start_C5_translation_z", 0.7e-3},
             {"start_C5_rotation_x", 0.05},
             {"start_C5_rotation_y", -0.11},
             {"start_C5_rotation_z", 0.21}});
  const double expected[6] = {1.1e-3, -0.4e-3, 0.7e-3, 0.05, -0.11, 0.21};
  const auto pose = s.pose();
  for (int k = 0; k < 6; ++k) CHECK(pose[k] == Approx(expected[k]).epsilon(1e-13));
  for (const double v : s.get3("C5_velocity")) CHECK(v == 0);
  // in equilibrium they are where the search begins, and the end is the same
  Segment far({{"start_C5_rotation_y", -0.11}, {"start_C5_translation_x", 1.1e-3}, {"C5_force_x", 20}}),
      near({{"C5_force_x", 20}});
  for (int k = 0; k < 6; ++k) CHECK(std::abs(far.pose()[k] - near.pose()[k]) < 1e-13);
}

TEST_CASE("the data set published finds its own equilibrium, off the posture of the data") {
  Segment s({{"data_set", 1}});
  CHECK(std::abs(s.get("C5_translation_x")) + std::abs(s.get("C5_translation_z")) > 1e-6);
  CHECK(s.get("C5C6_LF_force") > 0.1);
  for (const double x : s.get3("C5C6_force")) CHECK(std::abs(x) < 1e-9);
}

TEST_CASE("the stiffness at rest is that of the disc alone, moved to C5's origin") {
  // ligaments have no stiffness while slack, facets none at zero penetration; the side taken at 0 is +
  Segment s;
  const double z = 0.0087, x = 0.0014;  // of C5's origin above, and of the disc's point before it
  const double kx = 62e3, kz = 68e3;
  CHECK(s.get("C5_stiffness_11") == Approx(kx));
  CHECK(s.get("C5_stiffness_22") == Approx(73e3));
  CHECK(s.get("C5_stiffness_33") == Approx(kz));
  CHECK(s.get("C5_stiffness_15") == Approx(-kx * z));
  CHECK(s.get("C5_stiffness_51") == Approx(-kx * z));
  CHECK(s.get("C5_stiffness_35") == Approx(-kz * x));
  CHECK(s.get("C5_stiffness_24") == Approx(73e3 * z));
  CHECK(s.get("C5_stiffness_55") == Approx(0.21 / PlainSegment::deg + kx * z * z + kz * x * x));
}
