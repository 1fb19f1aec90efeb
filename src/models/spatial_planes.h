#pragma once

#include "elements/spatial_plane.h"
#include "models/spatial_variables.h"

namespace spondyl {

/// A contact plane of a spatial model. Inputs: plane<k>_x,_y,_z, _nx,_ny,_nz, _vx,_vy,_vz, _active.
/// Parameters: plane<k>_bodies, plane<k>_friction_law, _friction_coefficient, _friction_speed.
struct SpatialPlaneInput {
  std::string name;
  Vec3Variables point, normal, velocity;
  Handle active, bodies, friction_law, friction_coefficient, friction_speed;

  /// Start values: a point of the plane and its outward normal.
  void declare_inputs(VariableTable&, int number, const Vec3<double>& point, const Vec3<double>& normal);
  /// `what`: what plane<k>_bodies may name, for the description. The friction's law and Coulomb numbers are
  /// start values.
  void declare_parameters(VariableTable&, const std::string& what, const SpatialFriction& start);
  /// All inputs that its force depends on.
  std::vector<Handle> handles() const;

  /// Throws std::invalid_argument for a normal without length. `viscosity`: of the viscous law.
  template <class T>
  SpatialPlane<T> read(const T* v, double viscosity) const {
    const Vec3<T> n = normal.read(v);
    const T square = dot(n, n);
    const bool on = value(v[active]) != 0;
    if (on && !(square > T(0))) refuse_normal();
    SpatialPlane<T> plane;
    plane.point = point.read(v);
    if (on) plane.normal = (1.0 / sqrt(square)) * n;
    plane.velocity = velocity.read(v);
    plane.active = on;
    plane.friction = {static_cast<SpatialFriction::Law>(static_cast<int>(value(v[friction_law]))),
                      viscosity,
                      {value(v[friction_coefficient]), value(v[friction_speed])}};
    return plane;
  }

 private:
  [[noreturn]] void refuse_normal() const;
};

/// Which of `names` a text parameter chooses: `all`, or names with commas between them. A name with a dot,
/// `body.part`, is also chosen by what stands before the dot. Throws std::invalid_argument for others.
std::vector<bool> chosen(const VariableTable&, const Values&, Handle parameter,
                         const std::vector<std::string>& names);

}  // namespace spondyl
