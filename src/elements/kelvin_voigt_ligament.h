#pragma once

#include "math/dual.h"

namespace spondyl {

/// A ligament as a linear spring and damper in parallel (Kelvin & Voigt), Fritzkowski 2014, Eq. 30-38:
///
///     tension = k (ξ - ξ_rest) + c ξ'      [N], positive when it pulls
///
/// ξ length [m], k stiffness [N/m], c damping [N s/m]. Two-sided as in the paper: when shorter than ξ_rest it
/// pushes. `tension_only` cuts that off: 0 while slack, never negative while stretched. Slack or stretched is
/// decided by the caller, who remembers it, because the damper makes the force jump there and a solver must
/// not step across.
struct KelvinVoigtLigament {
  double stiffness = 0, rest_length = 0, damping = 0;

  template <class T>
  T tension(const T& length, const T& rate) const {
    return stiffness * (length - rest_length) + damping * rate;
  }
  template <class T>
  T tension_only(const T& length, const T& rate, bool stretched) const {
    if (!stretched) return T(0);
    const T force = tension(length, rate);
    return force > T(0) ? force : T(0);
  }
  /// Its derivative is the static tension.
  template <class T>
  T energy(const T& length) const {
    const T stretch = length - rest_length;
    return 0.5 * stiffness * stretch * stretch;
  }
};

}  // namespace spondyl
