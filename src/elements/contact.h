#pragma once

#include "math/dual.h"

namespace spondyl {

/// Hunt & Crossley 1975: normal force between two bodies that touch,
///
///     F = K δ^1.5 (1 + D δ')      [N], never below 0
///
/// δ penetration [m], δ' its rate [m/s], K stiffness [N/m^1.5] (Hertz' exponent), D dissipation [s/m]. No
/// memory: a body that enters with speed v leaves with about (1 - 2/3 D v) of it for small D v.
struct HuntCrossley {
  double stiffness = 0, dissipation = 0;

  template <class T>
  T force(const T& penetration, const T& rate) const {
    if (!(penetration > T(0))) return T(0);
    const T f = stiffness * penetration * sqrt(penetration) * (1.0 + dissipation * rate);
    return f > T(0) ? f : T(0);
  }
};

/// Coulomb friction, regularised: μ N s/√(s² + s0²) against the sliding speed s. Below s0 it acts like a
/// damper.
struct RegularisedCoulomb {
  double coefficient = 0, speed = 0;

  template <class T>
  T force(const T& normal, const T& sliding) const {
    return -coefficient * normal * sliding / sqrt(sliding * sliding + speed * speed);
  }
};

}  // namespace spondyl
