#pragma once

#include "math/dual.h"

namespace spondyl {

/// A ligament with a toe region, after Wismans 1980 in Morais 2011, Eq. 4.6-4.11, with the strain
/// ε = (l - l0)/l0:
///
///     F_E = 0                            ε ≤ 0
///           K l0 ε²/(2 ε_T)              ε < ε_T, toe
///           K l0 (ε - ε_T/2)             ε < ε_lim, linear
///           K l0 (ε_lim - ε_T/2)         beyond: torn fibres, "continues to apply the same force"
///     tension = F_E (1 + C ε')  while it is being stretched (ε' > 0), else F_E      [N]
///
/// l length [m], K stiffness [N/m], C rate constant [s]. The slope of F_E is continuous but at ε_lim.
struct ToeLinearLigament {
  double stiffness = 0, rest_length = 0, transition_strain = 0, limit_strain = 0, rate_constant = 0;

  template <class T>
  T strain(const T& length) const {
    return (length - rest_length) / rest_length;
  }
  template <class T>
  T elastic(const T& length) const {
    const T eps = strain(length);
    const double force = stiffness * rest_length;
    if (!(eps > T(0))) return T(0);
    if (eps < T(transition_strain)) return force / (2 * transition_strain) * eps * eps;
    if (eps < T(limit_strain)) return force * (eps - 0.5 * transition_strain);
    return T(force * (limit_strain - 0.5 * transition_strain));
  }
  template <class T>
  T tension(const T& length, const T& rate) const {
    const T force = elastic(length);
    return rate > T(0) ? force * (1.0 + rate_constant / rest_length * rate) : force;
  }
  /// Its derivative is the elastic force.
  template <class T>
  T energy(const T& length) const {
    const T eps = strain(length);
    const double scale = stiffness * rest_length * rest_length, e_T = transition_strain;
    if (!(eps > T(0))) return T(0);
    if (eps < T(e_T)) return scale / (6 * e_T) * eps * eps * eps;
    if (eps < T(limit_strain)) return scale * (0.5 * eps * (eps - e_T) + e_T * e_T / 6);
    return scale * (0.5 * limit_strain * (limit_strain - e_T) + e_T * e_T / 6 +
                    (limit_strain - 0.5 * e_T) * (eps - limit_strain));
  }
};

}  // namespace spondyl
