#include "models/planar_variables.h"

#include <stdexcept>

namespace spondyl {

void PlanarSled::declare(VariableTable& t, const std::string& what) {
  x = t.input("sled_acceleration_x", scale::acceleration, "Acceleration of the sled (" + what + ") forward");
  z = t.input("sled_acceleration_z", scale::acceleration, "Acceleration of the sled (" + what + ") upward");
}

void PlanarLoad::declare(VariableTable& t, const std::string& body) {
  force_x = t.input(body + "_force_x", scale::force,
                    "External force on " + body + " at its centre of mass, forward");
  force_z = t.input(body + "_force_z", scale::force,
                    "External force on " + body + " at its centre of mass, upward");
  moment_y = t.input(body + "_moment_y", scale::moment, "External moment on " + body + ", flexion positive");
}

void PlanarPlaneInput::declare_inputs(VariableTable& t, int number, const std::string& body,
                                      const Vec2<double>& point, const Vec2<double>& normal) {
  name = "plane" + std::to_string(number);
  x = t.input(name + "_x", scale::length,
              "A point of contact plane " + name + ", forward of the sled's origin", point.x);
  z = t.input(name + "_z", scale::length, "A point of contact plane " + name + ", above the sled's origin",
              point.z);
  nx = t.input(name + "_nx", scale::none,
               "Outward normal of " + name + ", forward part; of any length but zero", normal.x);
  nz = t.input(name + "_nz", scale::none,
               "Outward normal of " + name + ", upward part; of any length but zero", normal.z);
  vx = t.input(name + "_vx", scale::velocity,
               "Velocity of the surface of " + name + " against the sled, forward");
  vz = t.input(name + "_vz", scale::velocity,
               "Velocity of the surface of " + name + " against the sled, upward");
  active = t.boolean_input(name + "_active", "The " + body + " can touch " + name);
}

void PlanarPlaneInput::declare_parameters(VariableTable& t) {
  stiffness_factor =
      t.tunable(name + "_stiffness_factor", scale::none,
                "Stiffness of " + name + " against the data's contact_stiffness", 1, 1e-6, 1e6);
  friction_factor = t.tunable(name + "_friction_factor", scale::none,
                              "Friction of " + name + " against the data's friction_coefficient", 1, 0, 1e3);
}

std::vector<Handle> PlanarPlaneInput::handles() const {
  return {x, z, nx, nz, vx, vz, active, stiffness_factor, friction_factor};
}

void PlanarPlaneInput::refuse_normal() const {
  throw std::invalid_argument(name + "_nx, _nz = 0, 0 is not allowed: a normal must have a length");
}

}  // namespace spondyl
