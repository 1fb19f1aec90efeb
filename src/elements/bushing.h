#pragma once

#include "math/dual.h"

namespace spondyl {

/// An intervertebral disc as springs and dampers in three directions (bushing), Morais 2011, Eq. 4.2-4.5:
///
///     force = K d + D d',   moment = K_θ θ + D_θ θ'      [N, N m], each against its displacement
///
/// d displacement from rest [m] along the axes of the lower body, θ turn from rest [rad]. The stiffness of a
/// direction depends on the sign of the displacement (tension and compression, flexion and extension).
struct Bushing {
  struct Direction {
    double positive = 0, negative = 0;  ///< stiffness for displacements of that sign
    double damping = 0;

    template <class T>
    T spring(const T& displacement) const {
      return (displacement > T(0) ? positive : negative) * displacement;
    }
    template <class T>
    T damper(const T& rate) const {
      return damping * rate;
    }
    /// Its derivative is the spring's force.
    template <class T>
    T energy(const T& displacement) const {
      return 0.5 * spring(displacement) * displacement;
    }
    void scale(double factor) {
      positive *= factor;
      negative *= factor;
      damping *= factor;
    }
  };
  Direction x;     ///< shear, positive: upper body forward
  Direction z;     ///< axial, positive: tension
  Direction turn;  ///< positive: flexion
};

}  // namespace spondyl
