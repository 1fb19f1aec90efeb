#include "models/spatial_planes.h"

#include <algorithm>
#include <stdexcept>

namespace spondyl {

void SpatialPlaneVariables::declare_inputs(VariableTable& t, int number, const Vec3<double>& at,
                                           const Vec3<double>& out) {
  name = "plane" + std::to_string(number);
  const auto axes = [&](Vec3Variables& v, const std::string& letter, const VariableTable::Scale& s,
                        const std::string& text, const Vec3<double>& start) {
    v.x = t.input(name + "_" + letter + "x", s, text + ", forward", start.x);
    v.y = t.input(name + "_" + letter + "y", s, text + ", to the left", start.y);
    v.z = t.input(name + "_" + letter + "z", s, text + ", upward", start.z);
  };
  axes(point, "", scale::length, "A point of contact plane " + name + ", from the sled's origin", at);
  axes(normal, "n", scale::none, "Outward normal of " + name + ", of any length but zero", out);
  axes(velocity, "v", scale::velocity, "Velocity of the surface of " + name + " against the sled", {});
  active = t.boolean_input(name + "_active", "The bodies in " + name + "_bodies can touch " + name);
}

void SpatialPlaneVariables::declare_parameters(VariableTable& t, const PlaneContact& start) {
  bodies = t.text(name + "_bodies", "Bodies that can touch " + name + ": all, or names with commas between",
                  "all");
  const VariableTable::Scale stiffness{"N/m", "", 1e4}, damping{"N.s/m", "", 100};
  Kn = t.parameter(name + "_Kn", stiffness, "Normal stiffness of " + name, start.Kn, 0, 1e9);
  Cn = t.parameter(name + "_Cn", damping, "Normal damping of " + name, start.Cn, 0, 1e7);
  Kt = t.parameter(name + "_Kt", damping,
                   "Tangential coefficient K_t of " + name + " (a damping, viscous law)", start.Kt, 0, 1e7);
  Ct = t.parameter(name + "_Ct", damping, "Tangential coefficient C_t of " + name + " (viscous law)",
                   start.Ct, 0, 1e7);
  friction_law =
      t.enumeration(name + "_friction_law", "FrictionLaw", {"viscous", "coulomb"},
                    "viscous: -(Kt + Ct) times the sliding velocity; coulomb: regularised Coulomb friction",
                    int(start.coulomb ? FrictionLaw::coulomb : FrictionLaw::viscous));
  friction_coefficient =
      t.parameter(name + "_friction_coefficient", scale::none,
                  "Friction coefficient of " + name + " (coulomb law)", start.coefficient, 0, 100);
  friction_speed =
      t.parameter(name + "_friction_speed", scale::velocity,
                  "Sliding speed below which friction on " + name + " fades to zero (coulomb law)",
                  start.speed, 1e-6, 100);
}

std::vector<Handle> SpatialPlaneVariables::handles() const {
  return {point.x,  point.y,    point.z,    normal.x,   normal.y,
          normal.z, velocity.x, velocity.y, velocity.z, active};
}

PlaneContact SpatialPlaneVariables::law(const Values& v) const {
  return {v[Kn],
          v[Cn],
          v[Kt],
          v[Ct],
          static_cast<FrictionLaw>(int(v[friction_law])) == FrictionLaw::coulomb,
          v[friction_coefficient],
          v[friction_speed]};
}

std::vector<bool> SpatialPlaneVariables::touches(const VariableTable& t, const Values& v,
                                                 std::span<const std::string_view> names) const {
  const std::string_view list = v.texts[t[bodies].text];
  if (list == "all") return std::vector<bool>(names.size(), true);
  std::vector<bool> found(names.size(), false);
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    std::string_view word = list.substr(begin, comma - begin);
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    const auto at = std::find(names.begin(), names.end(), word);
    if (at == names.end()) {
      std::string allowed;
      for (const std::string_view& one : names) allowed += (allowed.empty() ? "" : ", ") + std::string(one);
      throw std::invalid_argument(name + "_bodies names '" + std::string(word) +
                                  "', which is no body: must be all, or some of " + allowed +
                                  " with commas between");
    }
    found[at - names.begin()] = true;
    begin = comma + 1;
  }
  return found;
}

void SpatialPlaneVariables::refuse_normal() const {
  throw std::invalid_argument(name + "_nx, _ny, _nz = 0, 0, 0 is not allowed: a normal must have a length");
}

}  // namespace spondyl
