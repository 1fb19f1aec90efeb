#pragma once

#include "elements/circle_plane.h"
#include "models/common_variables.h"

/// Groups of variables of the planar models: declared together, read together.
namespace spondyl {

/// sled_acceleration_x, _z.
struct PlanarSled {
  Handle x, z;

  void declare(VariableTable&, const std::string& what);
  template <class T>
  Vec2<T> read(const T* values) const {
    return {values[x], values[z]};
  }
};

/// <body>_force_x, _z, <body>_moment_y.
struct PlanarLoad {
  Handle force_x, force_z, moment_y;

  void declare(VariableTable&, const std::string& body);
};

/// plane<k>_x, _z, _nx, _nz, _vx, _vz, _active, and the tunable factors of its contact laws.
struct PlanarPlaneInput {
  std::string name;
  Handle x, z, nx, nz, vx, vz, active, stiffness_factor, friction_factor;

  /// Start values: a point of the plane and its outward normal.
  void declare_inputs(VariableTable&, int number, const std::string& body, const Vec2<double>& point,
                      const Vec2<double>& normal);
  void declare_parameters(VariableTable&);
  /// All that its force depends on.
  std::vector<Handle> handles() const;

  /// Throws std::invalid_argument for a normal without length.
  template <class T>
  PlanarPlane<T> read(const T* v) const {
    const T length = sqrt(v[nx] * v[nx] + v[nz] * v[nz]);
    const bool on = value(v[active]) != 0;
    if (on && !(length > T(0))) refuse_normal();
    return {{v[x], v[z]},      {v[nx] / length, v[nz] / length}, {v[vx], v[vz]}, on, v[stiffness_factor],
            v[friction_factor]};
  }

 private:
  [[noreturn]] void refuse_normal() const;
};

/// plane<k>_force_x, _z.
struct PlanarForceOutput {
  Handle x, z;
};

}  // namespace spondyl
