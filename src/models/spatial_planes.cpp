#include "models/spatial_planes.h"

#include <stdexcept>

namespace spondyl {

void SpatialPlaneInput::declare_inputs(VariableTable& t, int number, const Vec3<double>& at,
                                       const Vec3<double>& out) {
  name = "plane" + std::to_string(number);
  const auto place = [&](const std::string& axis, const std::string& where, double start) {
    return t.input(name + axis, scale::length, "A point of contact plane " + name + where, start);
  };
  point = {place("_x", ", forward of the sled's origin", at.x),
           place("_y", ", to the left of the sled's origin", at.y),
           place("_z", ", above the sled's origin", at.z)};
  const auto direction = [&](const std::string& axis, const std::string& where, double start) {
    return t.input(name + axis, scale::none,
                   "Outward normal of " + name + ", " + where + " part; of any length but zero", start);
  };
  normal = {direction("_nx", "forward", out.x), direction("_ny", "left", out.y),
            direction("_nz", "upward", out.z)};
  const auto speed = [&](const std::string& axis, const std::string& where) {
    return t.input(name + axis, scale::velocity,
                   "Velocity of the surface of " + name + " against the sled, " + where);
  };
  velocity = {speed("_vx", "forward"), speed("_vy", "to the left"), speed("_vz", "upward")};
  active = t.boolean_input(name + "_active", "Bodies can touch " + name);
}

void SpatialPlaneInput::declare_parameters(VariableTable& t, const std::string& what,
                                           const SpatialFriction& start) {
  bodies = t.text(name + "_bodies",
                  "What can touch " + name + ": all, or " + what + " with commas between them", "all");
  friction_law = t.enumeration(name + "_friction_law", "FrictionLaw", {"viscous", "coulomb"},
                               "Friction on " + name + ": viscous, or Coulomb's, regularised",
                               static_cast<int>(start.law));
  friction_coefficient =
      t.parameter(name + "_friction_coefficient", scale::none, "Coefficient of Coulomb friction of " + name,
                  start.coulomb.coefficient, 0, 100);
  friction_speed = t.parameter(name + "_friction_speed", scale::velocity,
                               "Sliding speed below which Coulomb friction of " + name + " fades",
                               start.coulomb.speed, 1e-6, 1e3);
}

std::vector<Handle> SpatialPlaneInput::handles() const {
  return {point.x,  point.y,    point.z,    normal.x,   normal.y,
          normal.z, velocity.x, velocity.y, velocity.z, active};
}

void SpatialPlaneInput::refuse_normal() const {
  throw std::invalid_argument(name + "_nx, _ny, _nz = 0, 0, 0 is not allowed: a normal must have a length");
}

std::vector<bool> chosen(const VariableTable& table, const Values& values, Handle parameter,
                         const std::vector<std::string>& names) {
  const std::string& text = values.texts[table[parameter].text];
  std::vector<bool> found(names.size(), false);
  const auto trimmed = [](std::string s) {
    const auto first = s.find_first_not_of(" \t"), last = s.find_last_not_of(" \t");
    return first == std::string::npos ? std::string() : s.substr(first, last - first + 1);
  };
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    bool known = false;
    for (std::size_t k = 0; k < names.size(); ++k)
      if (item == "all" || names[k] == item || names[k].starts_with(item + ".")) known = found[k] = true;
    if (known) continue;
    std::string list;
    for (const std::string& name : names) list += ", " + name;
    throw std::invalid_argument(table[parameter].name + " = " + text + " is not allowed: there is no '" +
                                item + "', must be all or names of" + list.substr(1));
  }
  return found;
}

}  // namespace spondyl
