#include "data/units.h"

#include <catch2/catch.hpp>

using namespace spondyl::data;

namespace {
double si(const char* symbol, double number) { return find_unit(symbol).value().to_si(number); }
}  // namespace

TEST_CASE("units convert to SI") {
  CHECK(si("mm", 12.3) == Approx(0.0123).epsilon(1e-15));
  CHECK(si("cm", 12.3) == Approx(0.123).epsilon(1e-15));
  CHECK(si("deg", 30.0) == Approx(0.52359877559829887).epsilon(1e-15));
  CHECK(si("N/mm", 62.5) == 62500.0);
  CHECK(si("N.m/deg", 3.88) == Approx(222.30762442).epsilon(1e-9));
  CHECK(si("N.m.s/deg", 0.2) == Approx(11.459155903).epsilon(1e-9));
  CHECK(si("kg.cm2", 236.0) == Approx(0.0236).epsilon(1e-15));
  CHECK(si("g", 8.5) == Approx(83.385).epsilon(1e-15));
  CHECK(si("km/h", 36.0) == 10.0);
  CHECK(si("ms", 52.5) == Approx(0.0525).epsilon(1e-15));
  CHECK(si("%", 15.0) == Approx(0.15).epsilon(1e-15));
  CHECK(si("MPa", 2.5) == 2.5e6);
}

TEST_CASE("the first unit of every quantity is the SI unit, and no symbol occurs twice") {
  for (const Unit& unit : units) {
    for (const Unit& first : units) {
      if (first.quantity != unit.quantity) continue;
      CHECK(first.to_si(7.3) == 7.3);
      break;
    }
    int count = 0;
    for (const Unit& other : units) count += other.symbol == unit.symbol;
    CHECK(count == 1);
    CHECK(unit.from_si(unit.to_si(7.3)) == Approx(7.3).epsilon(1e-15));
  }
}

TEST_CASE("unknown units are not found and known ones are listed") {
  CHECK_FALSE(find_unit("stone"));
  CHECK_FALSE(find_unit(""));
  CHECK_FALSE(find_unit("MM"));
  CHECK(list_units(Quantity::length) == "m, cm, mm");
  CHECK(list_units().find("N.m.s/rad") != std::string::npos);
}
