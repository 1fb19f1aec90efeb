// The numbers of resources/LumbarSpine against references that were computed apart from this code.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "data/data_set.h"

using namespace spondyl::data;

namespace {

constexpr std::array<std::string_view, 6> bodies = {"L1", "L2", "L3", "L4", "L5", "S1"};
constexpr std::array<std::string_view, 5> levels = {"L1L2", "L2L3", "L3L4", "L4L5", "L5S1"};

struct Point {
  double x, z;
  Point operator+(const Point& b) const { return {x + b.x, z + b.z}; }
  Point operator-(const Point& b) const { return {x - b.x, z - b.z}; }
};

Point read(const Table& table, std::string_view row, const std::string& name) {
  return {table.number(row, name + "_x", Quantity::length), table.number(row, name + "_z", Quantity::length)};
}

// a point of a body in the axes of the sled, and a vector of the sled in those of a body
Point on(const Table& body, std::size_t i, const Point& p) {
  const double phi = body.number(bodies[i], "angle", Quantity::angle), c = std::cos(phi), s = std::sin(phi);
  return read(body, bodies[i], "position") + Point{c * p.x - s * p.z, s * p.x + c * p.z};
}
Point seen_from(const Table& body, std::size_t i, const Point& v) {
  const double phi = body.number(bodies[i], "angle", Quantity::angle), c = std::cos(phi), s = std::sin(phi);
  return {c * v.x + s * v.z, c * v.z - s * v.x};
}

}  // namespace

TEST_CASE("the ligaments of the lumbar spine are as long as in the reference") {
  const DataSet data = DataSet::embedded("LumbarSpine", "reconciled");
  const struct {
    const char* name;
    double length[5];
  } expected[] = {{"CL",
                   {0.013861439888570222, 0.012849854259166483, 0.016486363130499813, 0.012261563271305963,
                    0.014764456479086427}},
                  {"ISL",
                   {0.02704189233039273, 0.02491182602651579, 0.025128944297903227, 0.018509394835877758,
                    0.028504096958273512}},
                  {"LF",
                   {0.03316892844977975, 0.03344328581596322, 0.03219634864026557, 0.02729203965958693,
                    0.033603461802878376}},
                  {"ALL",
                   {0.007824643130133986, 0.011773162607827405, 0.017868632166733435, 0.018066654676849196,
                    0.015014101769957763}},
                  {"PLL",
                   {0.009616996886822236, 0.011115002128762704, 0.012532182676374156, 0.009989336901409605,
                    0.007980950243265644}},
                  {"SSL",
                   {0.03514867402273254, 0.03058113076783823, 0.029186194794658088, 0.017556241862202046,
                    0.0358944525571405}}};
  const Table &body = data.table("bodies"), &ligament = data.table("ligaments");
  for (const auto& e : expected)
    for (std::size_t i = 0; i < 5; ++i) {
      const std::string row = std::string(levels[i]) + "_" + e.name;
      const Point span =
          on(body, i, read(ligament, row, "upper")) - on(body, i + 1, read(ligament, row, "lower"));
      INFO(row);
      CHECK(std::abs(std::hypot(span.x, span.z) - e.length[i]) < 1e-14);
      CHECK(ligament.number(row, "rest_from_posture", Quantity::ratio) == 1);
      CHECK(ligament.number(row, "rate_constant", Quantity::time) == 0.4);
    }
}

TEST_CASE("the discs of the lumbar spine start with the offsets of the reference") {
  const DataSet data = DataSet::embedded("LumbarSpine", "reconciled");
  constexpr double offset[5][2] = {{-0.0004469729988153229, 0.008726319624458629},
                                   {-0.0011586371254844055, 0.01143669780002257},
                                   {-0.0013415983977400742, 0.014357649906154525},
                                   {8.006180475359707e-05, 0.014155207545211447},
                                   {-0.000294892524611541, 0.011461614168387285}};
  constexpr double flexion[5] = {44, 15, 15, 15, 15}, extension[5] = {82, 75, 70, 15, 15};
  const Table &body = data.table("bodies"), &disc = data.table("discs");
  const Table published = DataSet::embedded("LumbarSpine", "published").table("discs");
  for (std::size_t i = 0; i < 5; ++i) {
    const Point span =
        on(body, i, read(disc, levels[i], "upper")) - on(body, i + 1, read(disc, levels[i], "lower"));
    const Point d = seen_from(body, i + 1, span);
    CHECK(std::abs(d.x - offset[i][0]) < 1e-15);
    CHECK(std::abs(d.z - offset[i][1]) < 1e-15);
    CHECK(disc.number(levels[i], "flexion_stiffness", Quantity::rotational_stiffness) == flexion[i]);
    CHECK(disc.number(levels[i], "extension_stiffness", Quantity::rotational_stiffness) == extension[i]);
    CHECK(published.number(levels[i], "flexion_stiffness", Quantity::rotational_stiffness) == 3.88);
    CHECK(published.number(levels[i], "extension_stiffness", Quantity::rotational_stiffness) == 5.88);
  }
}

TEST_CASE("the contacts of the lumbar spine are as far apart as printed, and closer when reconciled") {
  const DataSet data = DataSet::embedded("LumbarSpine", "reconciled");
  constexpr double facet[5] = {0.013037366066539874, 0.011255231288886858, 0.014650673215963337,
                               0.010246011809757462, 0.011564889727119942};
  constexpr double spinous[5] = {0.025069270932484535, 0.024586169111754704, 0.024192707020246507,
                                 0.013654356289844646, 0.029740718015992214};
  const Table &body = data.table("bodies"), &contact = data.table("contacts");
  for (std::size_t i = 0; i < 5; ++i)
    for (const bool is_facet : {true, false}) {
      const std::string row = std::string(levels[i]) + (is_facet ? "_facet" : "_spinous");
      const Point L = on(body, i + 1, read(contact, row, "left")),
                  R = on(body, i + 1, read(contact, row, "right"));
      const Point t{(R - L).x / std::hypot((R - L).x, (R - L).z),
                    (R - L).z / std::hypot((R - L).x, (R - L).z)};
      const Point b = on(body, i, read(contact, row, "sphere")) - L;
      const double gap = -(b.x * t.z - b.z * t.x) - contact.number(row, "radius", Quantity::length);
      INFO(row);
      CHECK(std::abs(gap - (is_facet ? facet[i] : spinous[i])) < 1e-14);
      CHECK(contact.number(row, "gap", Quantity::length) == (is_facet ? 0.0005 : 0.008));
      CHECK(contact.number(row, "stiffness", Quantity::contact_stiffness) == 1.4e8);
      CHECK(contact.number(row, "restitution", Quantity::ratio) == 0.616);
      CHECK(contact.number(row, "smallest_touch_speed", Quantity::velocity) == 0.01);
    }
}

TEST_CASE("Kelvin and Voigt's numbers of the lumbar contacts do what their note says") {
  const Table contact = DataSet::embedded("LumbarSpine", "reconciled").table("contacts");
  const double k = contact.number("L3L4_facet", "linear_stiffness", Quantity::stiffness);
  const double d = contact.number("L3L4_facet", "linear_damping", Quantity::damping);
  CHECK(k * 1e-4 == Approx(1.4e8 * std::pow(1e-4, 1.5)));
  const double zeta = d / (2 * std::sqrt(k * 0.75));
  CHECK(std::exp(-2 * zeta * std::acos(zeta) / std::sqrt(1 - zeta * zeta)) == Approx(0.616).epsilon(0.01));
}

TEST_CASE("every row of the lumbar spine carries a tag that says how its numbers are known") {
  for (const char* name : {"bodies", "endplate", "discs", "ligaments", "contacts"}) {
    const Table table = DataSet::embedded("LumbarSpine", "reconciled").table(name);
    for (const std::string& row : table.rows()) {
      CHECK(table.text(row, "source").find('[') != std::string::npos);
      CHECK_FALSE(table.text(row, "note").empty());
    }
  }
}
