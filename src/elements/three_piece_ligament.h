#pragma once

#include <array>

#include "math/smoothstep.h"

namespace spondyl {

/// A ligament as a rope: elastic tension in three straight pieces over the strain ε = (l - l0)/l0, and a
/// damper (Kecskeméthy 2000, Fig. 2 and Table 3, after de Jager 1996):
///
///     tension = F_el(ε) + s(ε/ε_d) b l'      [N] for ε > 0, never below 0; else 0
///
/// F_el goes from (0, 0) through the corners A, B to C and on with the slope of the last piece. l length [m],
/// b damping [N s/m] on the rate of the length: the paper writes dε/dt, which its unit contradicts. s is a
/// smoothstep, so that the damper comes in without a jump when the ligament becomes taut (models without it
/// have s = 1 from ε = 0 on).
struct ThreePieceLigament {
  struct Corner {
    double strain = 0, force = 0;
  };
  std::array<Corner, 4> corner{};  ///< the origin, A, B, C
  double rest_length = 0, damping = 0;
  double damping_ramp = 0;  ///< ε_d

  template <class T>
  struct Tension {
    T strain{}, elastic{}, total{};
  };

  template <class T>
  T strain(const T& length) const {
    return (length - rest_length) / rest_length;
  }
  template <class T>
  T elastic(const T& e) const {
    if (!(e > T(0))) return T(0);
    const int k = piece(value(e));
    return corner[k].force + slope(k) * (e - corner[k].strain);
  }
  template <class T>
  Tension<T> tension(const T& length, const T& rate) const {
    Tension<T> f;
    f.strain = strain(length);
    if (!(f.strain > T(0))) return f;
    f.elastic = elastic(f.strain);
    f.total = f.elastic + damping * smoothstep(f.strain / damping_ramp) * rate;
    if (f.total < T(0)) f.total = T(0);
    return f;
  }
  /// Its derivative by the length is the elastic tension.
  template <class T>
  T energy(const T& e) const {
    if (!(e > T(0))) return T(0);
    const int k = piece(value(e));
    double below = 0;
    for (int i = 0; i < k; ++i)
      below += 0.5 * (corner[i].force + corner[i + 1].force) * (corner[i + 1].strain - corner[i].strain);
    const T beyond = e - corner[k].strain;
    return rest_length * (below + beyond * (corner[k].force + 0.5 * slope(k) * beyond));
  }

 private:
  int piece(double e) const { return e < corner[1].strain ? 0 : e < corner[2].strain ? 1 : 2; }
  double slope(int k) const {
    return (corner[k + 1].force - corner[k].force) / (corner[k + 1].strain - corner[k].strain);
  }
};

}  // namespace spondyl
