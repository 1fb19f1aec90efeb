// How CervicalSpine starts: equilibrium, data sets, and what it refuses.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "models/cervical_spine_runs.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

// lengths in the tabulated posture, computed apart from this code
constexpr double length_ISL[8] = {0.017949918509250623, 0.01584054065991937,  0.015541661558765194,
                                  0.014387685028918334, 0.014274981968038818, 0.015975684648865597,
                                  0.020407284845590182, 0.019413912537147165};
constexpr double length_ALL[8] = {0.018893362504247786, 0.01935844672881655,  0.018370454516578486,
                                  0.01895825537424289,  0.018745864474942336, 0.018117187971647256,
                                  0.014899682327600087, 0.024570917768776974};
constexpr double posture_deg[8] = {20.5, 14.9, 9.7, 5.2, 2.2, 2.2, 0, 0};

double largest_residual(Neck& neck) {
  const Sizes size = neck.model().sizes();
  std::vector<double> r(size.unknowns()), still(size.states());
  neck.model().residual(Point(neck.time(), size, neck.x().data(), still.data()), r.data());
  double largest = 0;
  for (const double x : r) largest = std::max(largest, std::abs(x));
  return largest;
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

void check_refused(const std::string& name, double value, const std::vector<std::string>& parts) {
  Simulation s(cervical_spine_type());
  const double before = s.get(name);
  const std::string message = refusal([&] { s.set(name, value); });
  INFO(name << " = " << value << ": " << message);
  CHECK_FALSE(message.empty());
  CHECK(message.find(name) != std::string::npos);
  for (const std::string& part : parts) CHECK(message.find(part) != std::string::npos);
  CHECK(s.get(name) == before);
}

class Directory {
 public:
  explicit Directory(const std::string& name) : path(std::filesystem::temp_directory_path() / name) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~Directory() { std::filesystem::remove_all(path); }
  void write(const std::string& file, const std::string& text) const { std::ofstream(path / file) << text; }
  std::filesystem::path path;
};

std::string head_table(double radius, double stiffness) {
  return "body, skull_x [mm], skull_z [mm], skull_radius [mm], contact_stiffness [N/m^1.5], "
         "contact_dissipation "
         "[s/m], friction_coefficient [1], friction_speed [m/s], source, note\nhead, 13, 60, " +
         std::to_string(radius) + ", " + std::to_string(stiffness) + ", 1.0, 0.3, 0.05, a, b\n";
}

}  // namespace

TEST_CASE("the neck starts in equilibrium and nothing moves for a second") {
  Neck neck;
  CHECK(largest_residual(neck) < 1e-10);
  const std::vector<double> start = neck.x();
  for (int i = 8; i < 16; ++i) CHECK(start[i] == 0);
  neck.go(1);
  for (int i = 0; i < 8; ++i) {
    CHECK(std::abs(neck.x()[i] - start[i]) < 1e-10);
    CHECK(std::abs(neck.x()[8 + i]) < 1e-9);
  }
  CHECK(neck.get("kinetic_energy") < 1e-20);
  CHECK(neck.get("HIC15") < 1e-9);
}

TEST_CASE("the neck sags forward a little under the head's weight, by the moment that it exerts") {
  Neck neck;
  CHECK(neck.get("head_angle") > 0.005);
  CHECK(neck.get("head_angle") < 0.05);
  // moments about the lowest pivot: all weights at their centres of mass
  constexpr double mass[8] = {0.22, 0.24, 0.23, 0.23, 0.24, 0.25, 0.22, 4.69};
  double moment = 0, weight = 0;
  for (int i = 0; i < 8; ++i) {
    moment += mass[i] * g * neck.get(vertebrae[i] + "_position_x");
    weight += mass[i] * g;
  }
  CHECK(neck.get("lower_neck_section_moment") == Approx(-moment).epsilon(1e-9));
  // what passes the section carries the weight; C7 is tilted
  const double axial = neck.get("lower_neck_axial_force"), shear = neck.get("lower_neck_shear_force");
  CHECK(std::hypot(axial, shear) == Approx(weight).epsilon(1e-9));
  CHECK(axial == Approx(-weight * std::cos(neck.get("C7_angle"))).epsilon(1e-9));
}

TEST_CASE("the tabulated posture has the ligament lengths of the reference and no ligament force") {
  Neck neck({{"start_in_equilibrium", 0}, {"data_set", 2}});
  Neck published({{"data_set", 1}});
  for (int i = 0; i < 8; ++i) {
    CHECK(neck.get(vertebrae[i] + "_angle") == Approx(posture_deg[i] * std::acos(-1.0) / 180).margin(1e-15));
    for (const std::string ligament : {"ISL", "ALL"}) {
      CHECK(std::abs(neck.level(i, ligament + "_elongation")) < 1e-15);
      CHECK(std::abs(neck.level(i, ligament + "_force")) < 1e-10);
    }
  }
  // energy of springs without rest length: Σ k ξ²/2, and of joints 2 k (1/cos(θ/2) - 1)
  constexpr double theta[8] = {0.35779249665883756,   -0.09773843811168242,
                               -0.09075712110370518,  -0.07853981633974481,
                               -0.05235987755982988,  0.0,
                               -0.038397243543875255, 0.0};
  double energy = 0;
  for (int i = 0; i < 8; ++i)
    energy += 0.5 * (1e4 * length_ISL[i] * length_ISL[i] + 3e4 * length_ALL[i] * length_ALL[i]) +
              2 * 600 * (1 / std::cos(theta[i] / 2) - 1);
  CHECK(published.get("potential_energy") - neck.get("potential_energy") == Approx(energy).epsilon(1e-10));
}

TEST_CASE("the published data start in the tabulated posture and are not at rest") {
  Neck neck({{"data_set", 1}});
  for (int i = 0; i < 8; ++i) {
    CHECK(neck.get(vertebrae[i] + "_angle") == Approx(posture_deg[i] * std::acos(-1.0) / 180).margin(1e-15));
    CHECK(neck.x()[8 + i] == 0);
    // outputs are the change from the tabulated length
    CHECK(std::abs(neck.level(i, "ALL_force")) < 1e-9);
  }
  CHECK(largest_residual(neck) > 1);
  CHECK(std::abs(neck.get("head_angular_acceleration")) > 1);
  // what the pivot of C7T1 carries beyond the section is the pull of the two ligaments: k ξ each, along
  // themselves, from the base's anchors to those of C7
  const double tilt = 20.5 * std::acos(-1.0) / 180, c = std::cos(tilt), si = std::sin(tilt);
  const double anchors[2][4] = {{-0.0473811069852789, 0.00023843343326092638, -0.047, 0.0014},
                                {0.003731723853700529, -0.013665469746273735, 0.0082, 0.0074}};
  double pull_x = 0, pull_z = 0;
  for (const int side : {0, 1}) {
    const double* const a = anchors[side];
    const double x = a[3] * si + a[2] * c - a[0], z = a[3] * c - a[2] * si - a[1];
    const double tension = side == 0 ? 1e4 * length_ISL[0] : 3e4 * length_ALL[0];
    pull_x += tension * x / std::hypot(x, z), pull_z += tension * z / std::hypot(x, z);
  }
  CHECK(3e4 * length_ALL[0] == Approx(567).epsilon(0.001));  // N of preload
  CHECK(neck.get("lower_neck_axial_force") - neck.level(0, "axial_force") ==
        Approx(pull_x * si + pull_z * c).epsilon(1e-9));
  CHECK(neck.level(0, "shear_force") - neck.get("lower_neck_shear_force") ==
        Approx(pull_x * c - pull_z * si).epsilon(1e-9));
  neck.go(0.01);
  CHECK(neck.get("kinetic_energy") > 1e-4);
}

TEST_CASE("an external moment on the head bends it forward when positive, by the joint's law") {
  Neck neck({{"gravity", 0}}), flexed({{"gravity", 0}, {"head_moment_y", 2.5}}),
      extended({{"gravity", 0}, {"head_moment_y", -2.5}});
  CHECK(std::abs(neck.get("head_angle")) < 1e-12);
  CHECK(flexed.get("head_angle") > 0.02);
  CHECK(extended.get("head_angle") < -0.02);
  for (int i = 0; i < 8; ++i) {
    CHECK(flexed.level(i, "angle") > 0);
    // joint and ligaments together carry exactly the moment: at the ends of the chain it is an output
    CHECK(flexed.level(i, "moment") < 0);
  }
  CHECK(flexed.get("upper_neck_section_moment") == Approx(-2.5));
  CHECK(flexed.get("lower_neck_section_moment") == Approx(-2.5));
}

TEST_CASE("a plane pushes the skull by the contact law from the first touch on") {
  // centre of the skull in the tabulated posture: the pivots of all vertebrae, then 13 and 60 mm
  constexpr double pivots[7][2] = {{-1.34, 19.08}, {-2.2, 17.53},  {-2.27, 18.07}, {-2.13, 17.76},
                                   {-3.0, 18.15},  {-8.37, 15.12}, {-1.4, 20.0}};
  double x = 0.013, z = 0.060;
  for (int i = 0; i < 7; ++i) {
    const double tilt = posture_deg[i] * std::acos(-1.0) / 180, c = std::cos(tilt), si = std::sin(tilt);
    x += 1e-3 * (pivots[i][1] * si + pivots[i][0] * c);
    z += 1e-3 * (pivots[i][1] * c - pivots[i][0] * si);
  }
  const double nx = 0.6, nz = -0.8, radius = 0.095;
  for (const double depth : {-1e-5, 3e-4, 0.012}) {
    Neck neck({{"start_in_equilibrium", 0},
               {"plane2_active", 1},
               {"plane2_x", x - nx * (radius - depth)},
               {"plane2_z", z - nz * (radius - depth)},
               {"plane2_nx", 2.5 * nx},
               {"plane2_nz", 2.5 * nz},
               {"plane2_vx", 0.2 * nx - 0.07 * nz},  // 0.2 m/s towards the head, 0.07 m/s along the surface
               {"plane2_vz", 0.2 * nz + 0.07 * nx},
               {"plane2_stiffness_factor", 1.7},
               {"plane2_friction_factor", 0.6}});
    const double normal = depth > 0 ? 1.7 * 250000 * std::pow(depth, 1.5) * (1 + 1.0 * 0.2) : 0;
    // the surface drags the skull along
    const double friction = 0.6 * 0.3 * normal * 0.07 / std::hypot(0.07, 0.05);
    INFO("depth " << depth);
    CHECK(neck.get("plane2_force_x") == Approx(normal * nx - friction * nz).epsilon(1e-8));
    CHECK(neck.get("plane2_force_z") == Approx(normal * nz + friction * nx).epsilon(1e-8));
    CHECK(neck.get("plane1_force_x") == 0);
  }
}

TEST_CASE("loads that are set before the start belong to its equilibrium") {
  Neck neck({{"head_force_x", -18}, {"C5_moment_y", 1.3}, {"sled_acceleration_x", 2.2}});
  CHECK(largest_residual(neck) < 1e-10);
  const double angle = neck.get("head_angle");
  neck.go(0.3);
  CHECK(std::abs(neck.get("head_angle") - angle) < 1e-9);
}

TEST_CASE("a load that the neck cannot carry is refused with its size and its place") {
  Simulation s(cervical_spine_type());
  s.set("head_force_z", -1e9);
  s.set("C3_moment_y", 1e9);
  const std::string message = refusal([&] { s.initialise(0); });
  INFO(message);
  CHECK(message.find("equilibrium") != std::string::npos);
  CHECK(message.find("_angle") != std::string::npos);
  CHECK_FALSE(s.initialised());
  // usable again
  s.set("head_force_z", 0);
  s.set("C3_moment_y", 0);
  s.initialise(0);
  CHECK(s.advance(0.01).outcome == Outcome::reached);
}

TEST_CASE("values that are not allowed are refused with name, value and range") {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  check_refused("relative_tolerance", 0, {"0 is not allowed", "1e-13", "0.1"});
  check_refused("relative_tolerance", 0.5, {"0.5", "1e-13"});
  check_refused("absolute_tolerance", -1e-6, {"-1e-06", "1e-15"});
  check_refused("max_step", 0, {"from 1e-09", " s"});
  check_refused("gravity", -9.81, {"-9.81", "m/s2"});
  check_refused("pulse_peak", 1e6, {"10000"});
  check_refused("pulse_duration", 0, {"from 1e-06"});
  check_refused("pulse_shape", 5, {"1 (none), 2 (triangle), 3 (half_sine), 4 (trapezoid)"});
  check_refused("pulse_shape", 2.5, {"2.5"});
  check_refused("solver", 0, {"1 (radau), 2 (mebdf), 3 (ida)"});
  check_refused("data_set", 4, {"published"});
  check_refused("plane1_active", 2, {"from 0 to 1"});
  check_refused("plane2_stiffness_factor", 0, {"from 1e-06"});
  for (const char* name :
       {"sled_acceleration_x", "head_moment_y", "C6_force_z", "plane2_vx", "gravity", "NIC_length"})
    for (const double value : {nan, infinity, -infinity}) check_refused(name, value, {"finite"});
}

TEST_CASE("a variable that does not exist is refused by name") {
  Simulation s(cervical_spine_type());
  CHECK(refusal([&] { s.set("haed_moment_y", 2); }).find("haed_moment_y") != std::string::npos);
  CHECK(refusal([&] { s.get("T1_angle"); }).find("CervicalSpine") != std::string::npos);
}

TEST_CASE("what only the model can refuse is refused at the start, and the simulation stays usable") {
  struct Case {
    const char* name;
    double bad, good;
    const char* part;
  };
  for (const Case& c :
       {Case{"pulse_direction", 2, 3, "pulse_direction = 2"}, Case{"data_set", 3, 2, "data_path"}}) {
    Simulation s(cervical_spine_type());
    s.set(c.name, c.bad);
    const std::string message = refusal([&] { s.initialise(0); });
    INFO(message);
    CHECK(message.find(c.part) != std::string::npos);
    s.set(c.name, c.good);
    s.initialise(0);
    CHECK(s.advance(0.01).outcome == Outcome::reached);
  }
  Simulation s(cervical_spine_type());
  s.set("plane1_active", 1);
  s.set("plane1_nx", 0);
  CHECK(refusal([&] { s.initialise(0); }).find("plane1_nx") != std::string::npos);
  s.set("plane1_nx", 0.3);
  s.initialise(0);
  CHECK(s.advance(0.01).outcome == Outcome::reached);
}

TEST_CASE("a failed initialisation leaves a running simulation as it was") {
  Neck neck(whiplash());
  neck.go(0.05);
  const double angle = neck.get("head_angle");
  neck.set("pulse_direction", 2);
  CHECK_THROWS(neck.initialise(0));
  CHECK(neck.time() == 0.05);
  neck.set("pulse_direction", 1);
  CHECK(neck.get("head_angle") == angle);
  neck.go(0.06);
  Neck other(whiplash());
  other.go(0.05);
  other.go(0.06);
  CHECK(std::abs(neck.get("head_angle") - other.get("head_angle")) < 1e-6);
}

TEST_CASE("a user's own table replaces the one of that name") {
  const Directory directory("spondyl_neck_custom");
  directory.write("head.csv", head_table(120, 250000));
  Simulation s(cervical_spine_type());
  s.set("data_set", 3);
  s.set_text(s.variables().find("data_path"), directory.path.string());
  // the larger skull reaches a plane that the default one does not
  for (const auto& [name, value] : {std::pair{"plane1_active", 1.0},
                                    {"plane1_x", -0.09},
                                    {"gravity", 0.0},
                                    {"start_in_equilibrium", 0.0}})
    s.set(name, value);
  s.initialise(0);
  Neck standard({{"plane1_active", 1}, {"plane1_x", -0.09}, {"gravity", 0}, {"start_in_equilibrium", 0}});
  CHECK(standard.get("plane1_force_x") == 0);
  CHECK(s.get("plane1_force_x") > 10);

  // and what is wrong in it is refused by file and place
  directory.write("head.csv", head_table(-120, 250000));
  Simulation wrong(cervical_spine_type());
  wrong.set("data_set", 3);
  wrong.set_text(wrong.variables().find("data_path"), directory.path.string());
  const std::string message = refusal([&] { wrong.initialise(0); });
  INFO(message);
  CHECK(message.find("head.csv") != std::string::npos);
  CHECK(message.find("skull_radius") != std::string::npos);
}
