#include "models/spatial_variables.h"

namespace spondyl {
namespace {

template <class Declare>
void declare_axes(Vec3Variables& v, Declare declare) {
  v.x = declare("_x", ", forward");
  v.y = declare("_y", ", to the left");
  v.z = declare("_z", ", upward");
}

}  // namespace

void Vec3Variables::declare_inputs(VariableTable& t, const std::string& name, const VariableTable::Scale& s,
                                   const std::string& description) {
  declare_axes(*this, [&](const std::string& axis, const std::string& where) {
    return t.input(name + axis, s, description + where);
  });
}

void Vec3Variables::declare_parameters(VariableTable& t, const std::string& name,
                                       const VariableTable::Scale& s, const std::string& description,
                                       const Vec3<double>& start, double min, double max) {
  const double values[3] = {start.x, start.y, start.z};
  int k = 0;
  declare_axes(*this, [&](const std::string& axis, const std::string& where) {
    return t.parameter(name + axis, s, description + where, values[k++], min, max);
  });
}

void Vec3Variables::declare_outputs(VariableTable& t, const std::string& name, const VariableTable::Scale& s,
                                    const std::string& description, const std::vector<Handle>& dependencies) {
  declare_axes(*this, [&](const std::string& axis, const std::string& where) {
    return t.output(name + axis, s, description + where, dependencies);
  });
}

void SpatialSled::declare(VariableTable& t, const std::string& what) {
  acceleration.declare_inputs(t, "sled_acceleration", scale::acceleration,
                              "Acceleration of the sled (" + what + ")");
  angular_velocity.declare_inputs(t, "sled_angular_velocity", scale::angular_velocity,
                                  "Angular velocity of the sled, in its axes");
  angular_acceleration.declare_inputs(t, "sled_angular_acceleration", scale::angular_acceleration,
                                      "Angular acceleration of the sled, in its axes");
}

void SpatialLoad::declare(VariableTable& t, const std::string& body, const std::string& where) {
  force.declare_inputs(t, body + "_force", scale::force, "External force on " + body + " at " + where);
  moment.declare_inputs(t, body + "_moment", scale::moment, "External moment on " + body);
}

}  // namespace spondyl
