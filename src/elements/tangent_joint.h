#pragma once

#include "math/dual.h"

namespace spondyl {

/// The stiffening rotational spring and damper of an intervertebral joint, Fritzkowski 2014, Eq. 35 and 38:
///
///     moment = k tan(θ/2)/cos(θ/2) + c θ'      [N m]
///
/// θ angle from rest [rad], |θ| < π, where the moment grows without bound. For small angles the stiffness is
/// k/2, not k. The spring takes sin θ and cos θ, which a chain of bodies has at hand: with C = cos(θ/2) =
/// √((1+cos θ)/2) the spring is k sin θ/(2 C³).
struct TangentJoint {
  double stiffness = 0, damping = 0;

  template <class T>
  T spring(const SinCos<T>& angle) const {
    const T half = sqrt(0.5 * (1.0 + angle.cos));
    return 0.5 * stiffness * angle.sin / (half * half * half);
  }
  template <class T>
  T damper(const T& rate) const {
    return damping * rate;
  }
  /// Its derivative is the spring's moment.
  template <class T>
  T energy(const SinCos<T>& angle) const {
    return 2.0 * stiffness * (1.0 / sqrt(0.5 * (1.0 + angle.cos)) - 1.0);
  }
};

}  // namespace spondyl
