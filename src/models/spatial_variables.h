#pragma once

#include "math/spatial.h"
#include "models/common_variables.h"

/// Groups of variables of the spatial models: declared together, read together.
namespace spondyl {

/// <name>_x, _y, _z.
struct Vec3Variables {
  Handle x, y, z;

  void declare_inputs(VariableTable&, const std::string& name, const VariableTable::Scale&,
                      const std::string& description);
  void declare_parameters(VariableTable&, const std::string& name, const VariableTable::Scale&,
                          const std::string& description, const Vec3<double>& start, double min, double max);
  void declare_outputs(VariableTable&, const std::string& name, const VariableTable::Scale&,
                       const std::string& description, const std::vector<Handle>& dependencies = {});

  template <class T>
  Vec3<T> read(const T* values) const {
    return {values[x], values[y], values[z]};
  }
  Vec3<double> read(const Values& values) const { return read(values.numbers.data()); }
  template <class T>
  void write(const Vec3<T>& v, T* values) const {
    values[x] = v.x;
    values[y] = v.y;
    values[z] = v.z;
  }
};

/// Motion of the sled: sled_acceleration_*, sled_angular_velocity_*, sled_angular_acceleration_*, in sled
/// axes.
struct SpatialSled {
  Vec3Variables acceleration, angular_velocity, angular_acceleration;

  void declare(VariableTable&, const std::string& what);
};

/// <body>_force_*, <body>_moment_*.
struct SpatialLoad {
  Vec3Variables force, moment;

  void declare(VariableTable&, const std::string& body, const std::string& where);
};

}  // namespace spondyl
