#pragma once

#include <numbers>
#include <optional>
#include <string>
#include <string_view>

namespace spondyl::data {

// What a column measures. Angle and ratio are kept apart although both have dimension one: a column in
// degrees must not pass for a fraction.
enum class Quantity {
  ratio,
  length,
  area,
  angle,
  time,
  mass,
  inertia,
  density,
  mass_per_length,
  velocity,
  acceleration,
  angular_velocity,
  force,
  moment,
  pressure,
  stiffness,
  rotational_stiffness,
  damping,
  rotational_damping,
  contact_stiffness,    // k of F = k delta^1.5
  contact_dissipation,  // of a Hunt-Crossley law
};

// SI value = number * numerator / denominator. Two factors, so that powers of ten, 3.6 and 180 stay exact and
// the result carries one rounding (angles: two) besides that of the number itself.
struct Unit {
  std::string_view symbol;
  Quantity quantity;
  double numerator = 1.0;
  double denominator = 1.0;

  constexpr double to_si(double number) const { return number * numerator / denominator; }
  constexpr double from_si(double si) const { return si * denominator / numerator; }
};

// Every unit a table may use; the SI unit of a quantity comes first. `g` is the acceleration, counted as 9.81
// m/s2 like the gravity of the models (so 8.5 g are 83.385 m/s2); for masses there is only kg.
inline constexpr Unit units[] = {
    {"1", Quantity::ratio},
    {"%", Quantity::ratio, 1.0, 100.0},
    {"m", Quantity::length},
    {"cm", Quantity::length, 1.0, 100.0},
    {"mm", Quantity::length, 1.0, 1000.0},
    {"m2", Quantity::area},
    {"cm2", Quantity::area, 1.0, 1e4},
    {"mm2", Quantity::area, 1.0, 1e6},
    {"rad", Quantity::angle},
    {"deg", Quantity::angle, std::numbers::pi, 180.0},
    {"s", Quantity::time},
    {"ms", Quantity::time, 1.0, 1000.0},
    {"kg", Quantity::mass},
    {"kg.m2", Quantity::inertia},
    {"kg.cm2", Quantity::inertia, 1.0, 1e4},
    {"kg/m3", Quantity::density},
    {"kg/m", Quantity::mass_per_length},
    {"kg/cm", Quantity::mass_per_length, 100.0, 1.0},
    {"m/s", Quantity::velocity},
    {"mm/s", Quantity::velocity, 1.0, 1000.0},
    {"km/h", Quantity::velocity, 1.0, 3.6},
    {"m/s2", Quantity::acceleration},
    {"g", Quantity::acceleration, 9.81, 1.0},
    {"rad/s", Quantity::angular_velocity},
    {"deg/s", Quantity::angular_velocity, std::numbers::pi, 180.0},
    {"N", Quantity::force},
    {"kN", Quantity::force, 1000.0, 1.0},
    {"N.m", Quantity::moment},
    {"N.mm", Quantity::moment, 1.0, 1000.0},
    {"Pa", Quantity::pressure},
    {"kPa", Quantity::pressure, 1e3, 1.0},
    {"MPa", Quantity::pressure, 1e6, 1.0},
    {"N/m", Quantity::stiffness},
    {"N/mm", Quantity::stiffness, 1000.0, 1.0},
    {"kN/m", Quantity::stiffness, 1000.0, 1.0},
    {"N.m/rad", Quantity::rotational_stiffness},
    {"N.m/deg", Quantity::rotational_stiffness, 180.0, std::numbers::pi},
    {"N.s/m", Quantity::damping},
    {"N.s/mm", Quantity::damping, 1000.0, 1.0},
    {"N.m.s/rad", Quantity::rotational_damping},
    {"N.m.s/deg", Quantity::rotational_damping, 180.0, std::numbers::pi},
    {"N/m^1.5", Quantity::contact_stiffness},
    {"s/m", Quantity::contact_dissipation},
};

constexpr std::optional<Unit> find_unit(std::string_view symbol) {
  for (const Unit& unit : units) {
    if (unit.symbol == symbol) return unit;
  }
  return std::nullopt;
}

// The symbols of all units, or of those of one quantity, as an error message lists them: "m, cm, mm".
inline std::string list_units(std::optional<Quantity> quantity = std::nullopt) {
  std::string list;
  for (const Unit& unit : units) {
    if (quantity && unit.quantity != *quantity) continue;
    if (!list.empty()) list += ", ";
    list += unit.symbol;
  }
  return list;
}

}  // namespace spondyl::data
