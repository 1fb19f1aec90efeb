#pragma once

#include "elements/ellipsoid_plane.h"
#include "models/spatial_variables.h"

namespace spondyl {

/// A contact plane in space: inputs plane<k>_x, _y, _z, _nx, _ny, _nz, _vx, _vy, _vz, _active, and parameters
/// for the bodies that it touches and for the contact law of Špička, Eq. 23-25, or regularised Coulomb
/// friction.
struct SpatialPlaneVariables {
  enum class FrictionLaw { viscous = 1, coulomb };

  std::string name;
  Vec3Variables point, normal, velocity;
  Handle active;
  Handle bodies;  ///< a text
  Handle Kn, Cn, Kt, Ct, friction_law, friction_coefficient, friction_speed;

  /// Start values: a point of the plane and its outward normal.
  void declare_inputs(VariableTable&, int number, const Vec3<double>& point, const Vec3<double>& normal);
  void declare_parameters(VariableTable&, const PlaneContact& start);
  /// The inputs that its force depends on.
  std::vector<Handle> handles() const;

  /// Throws std::invalid_argument for a normal without length.
  template <class T>
  SpatialPlane<T> read(const T* v) const {
    const bool on = value(v[active]) != 0;
    const Vec3<T> n = normal.read(v);
    const T size = length(n);
    if (on && !(size > T(0))) refuse_normal();
    return {point.read(v), on ? (1.0 / size) * n : n, velocity.read(v), on};
  }
  PlaneContact law(const Values&) const;
  /// Which of the named bodies it touches: `all`, or names with commas between. Throws std::invalid_argument
  /// with the list of names.
  std::vector<bool> touches(const VariableTable&, const Values&,
                            std::span<const std::string_view> names) const;

 private:
  [[noreturn]] void refuse_normal() const;
};

}  // namespace spondyl
