// The numbers of resources/CervicalSpine against references that were computed apart from this code.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "data/data_set.h"

using namespace spondyl::data;

namespace {

constexpr std::array<std::string_view, 8> bodies = {"C7", "C6", "C5", "C4", "C3", "C2", "C1", "head"};
constexpr std::array<std::string_view, 8> levels = {"C7T1", "C6C7", "C5C6", "C4C5",
                                                    "C3C4", "C2C3", "C1C2", "C0C1"};

struct Point {
  double x, z;
  Point operator+(const Point& other) const { return {x + other.x, z + other.z}; }
};

Point turned(const Point& p, double tilt) {
  return {p.z * std::sin(tilt) + p.x * std::cos(tilt), p.z * std::cos(tilt) - p.x * std::sin(tilt)};
}

Point read(const Table& table, std::string_view row, const std::string& name) {
  return {table.number(row, name + "_x", Quantity::length), table.number(row, name + "_z", Quantity::length)};
}

// ligament lengths of all levels in the posture of the data
std::array<double, 8> lengths(const DataSet& data, const std::string& ligament) {
  const Table& body = data.table("bodies");
  const Table& base = data.table("base");
  Point below = read(base, "T1", "centre") +
                turned(read(base, "T1", ligament), base.number("T1", "tilt", Quantity::angle));
  Point pivot{0.0, 0.0};
  std::array<double, 8> result{};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double tilt = body.number(bodies[i], "angle", Quantity::angle);
    const Point here = pivot + turned(read(body, bodies[i], ligament), tilt);
    result[i] = std::hypot(here.x - below.x, here.z - below.z);
    below = here;
    pivot = pivot + turned(read(body, bodies[i], "next_pivot"), tilt);
  }
  return result;
}

void check_equal(const std::array<double, 8>& found, const std::array<double, 8>& expected) {
  for (std::size_t i = 0; i < 8; ++i) {
    INFO(levels[i]);
    CHECK(std::abs(found[i] - expected[i]) < 1e-12);
  }
}

}  // namespace

TEST_CASE("the tables of the cervical spine have exactly the rows of the chain, from below") {
  const DataSet data = DataSet::embedded("CervicalSpine", "reconciled");
  CHECK_NOTHROW(data.table("bodies").require_exactly(bodies));
  CHECK_NOTHROW(data.table("levels").require_exactly(levels));
  CHECK_NOTHROW(data.table("base").require_exactly({"T1"}));
  CHECK_NOTHROW(data.table("head").require_exactly({"head"}));
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(data.table("bodies").rows()[i] == bodies[i]);
    CHECK(data.table("levels").rows()[i] == levels[i]);
  }
}

TEST_CASE("masses, inertias and centres of mass of the cervical spine") {
  const Table table = DataSet::embedded("CervicalSpine", "reconciled").table("bodies");
  const std::array<double, 8> mass = {0.22, 0.24, 0.23, 0.23, 0.24, 0.25, 0.22, 4.69};
  const std::array<double, 8> inertia = {2.2e-4, 2.4e-4, 2.3e-4, 2.3e-4, 2.4e-4, 2.5e-4, 2.2e-4, 0.0236};
  const std::array<double, 8> x = {-0.0082, -0.0083, -0.0081, -0.0078, -0.0076, -0.0068, 0.0022, 0.020};
  const std::array<double, 8> z = {0.0074, 0.0068, 0.0067, 0.0068, 0.0072, 0.0079, 0.0064, 0.055};
  for (std::size_t i = 0; i < 8; ++i) {
    INFO(bodies[i]);
    CHECK(table.number(bodies[i], "mass", Quantity::mass, Range::positive()) == mass[i]);
    CHECK(table.number(bodies[i], "inertia", Quantity::inertia, Range::positive()) == inertia[i]);
    CHECK(std::abs(table.number(bodies[i], "centre_x", Quantity::length) - x[i]) < 1e-15);
    CHECK(std::abs(table.number(bodies[i], "centre_z", Quantity::length) - z[i]) < 1e-15);
  }
}

TEST_CASE("springs and dampers of the cervical spine are those of the paper's table 1") {
  const Table table = DataSet::embedded("CervicalSpine", "reconciled").table("levels");
  for (const std::string_view level : levels) {
    CHECK(table.number(level, "ISL_stiffness", Quantity::stiffness) == 1e4);
    CHECK(table.number(level, "ALL_stiffness", Quantity::stiffness) == 3e4);
    CHECK(table.number(level, "joint_stiffness", Quantity::rotational_stiffness) == 600.0);
    CHECK(table.number(level, "ISL_damping", Quantity::damping) == 10.0);
    CHECK(table.number(level, "ALL_damping", Quantity::damping) == 10.0);
    CHECK(table.number(level, "joint_damping", Quantity::rotational_damping) == 1.0);
  }
}

TEST_CASE("the base points of the cervical spine lie where the reference has them") {
  const DataSet data = DataSet::embedded("CervicalSpine", "reconciled");
  const Table& base = data.table("base");
  const double tilt = base.number("T1", "tilt", Quantity::angle);
  const Point centre = read(base, "T1", "centre");
  const Point ISL = centre + turned(read(base, "T1", "ISL"), tilt);
  const Point ALL = centre + turned(read(base, "T1", "ALL"), tilt);
  CHECK(std::abs(ISL.x - -0.0473811069852789) < 1e-12);
  CHECK(std::abs(ISL.z - 0.00023843343326092638) < 1e-12);
  CHECK(std::abs(ALL.x - 0.003731723853700529) < 1e-12);
  CHECK(std::abs(ALL.z - -0.013665469746273735) < 1e-12);
}

TEST_CASE("the ligaments of the cervical spine are as long as in the reference") {
  const DataSet data = DataSet::embedded("CervicalSpine", "reconciled");
  check_equal(lengths(data, "ISL"),
              {0.017949918509250623, 0.01584054065991937, 0.015541661558765194, 0.014387685028918334,
               0.014274981968038818, 0.015975684648865597, 0.020407284845590182, 0.019413912537147165});
  check_equal(lengths(data, "ALL"),
              {0.018893362504247786, 0.01935844672881655, 0.018370454516578486, 0.01895825537424289,
               0.018745864474942336, 0.018117187971647256, 0.014899682327600087, 0.024570917768776974});
}

TEST_CASE("the joint angles of the cervical spine are those of the reference") {
  const DataSet data = DataSet::embedded("CervicalSpine", "reconciled");
  std::array<double, 8> angle{};
  double below = 0.0;  // the base does not turn
  for (std::size_t i = 0; i < 8; ++i) {
    const double tilt = data.table("bodies").number(bodies[i], "angle", Quantity::angle);
    angle[i] = tilt - below;
    below = tilt;
  }
  check_equal(angle, {0.35779249665883756, -0.09773843811168242, -0.09075712110370518, -0.07853981633974481,
                      -0.05235987755982988, 0.0, -0.038397243543875255, 0.0});
}

TEST_CASE("the skull lies behind the head's centre of mass as its note says") {
  const DataSet data = DataSet::embedded("CervicalSpine", "reconciled");
  const Table& head = data.table("head");
  const double back = head.number("head", "skull_x", Quantity::length) -
                      head.number("head", "skull_radius", Quantity::length, Range::positive());
  CHECK(data.table("bodies").number("head", "centre_x", Quantity::length) - back == Approx(0.102));
  const double k = head.number("head", "contact_stiffness", Quantity::contact_stiffness, Range::positive());
  CHECK(k * std::pow(0.025, 1.5) == Approx(988.0).epsilon(1e-3));

  // Hunt-Crossley: ln((1 + c v) / (1 - c e v)) = c v (1 + e)
  const double c =
      head.number("head", "contact_dissipation", Quantity::contact_dissipation, Range::not_negative());
  const double v = 2.0, e = 0.41;
  CHECK(std::log((1 + c * v) / (1 - c * e * v)) == Approx(c * v * (1 + e)).epsilon(2e-2));
  CHECK(head.number("head", "friction_coefficient", Quantity::ratio, Range::not_negative()) == 0.3);
  CHECK(head.number("head", "friction_speed", Quantity::velocity, Range::positive()) == 0.05);
}

TEST_CASE("every row of the cervical spine carries a tag that says how its numbers are known") {
  for (const char* name : {"base", "bodies", "head", "levels"}) {
    const Table table = DataSet::embedded("CervicalSpine", "reconciled").table(name);
    for (const std::string& row : table.rows()) {
      CHECK(table.text(row, "source").find('[') != std::string::npos);
      CHECK_FALSE(table.text(row, "note").empty());
    }
  }
}
