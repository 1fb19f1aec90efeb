#pragma once

#include <algorithm>

#include "injury/critical_share.h"
#include "injury/saved_state.h"

namespace spondyl::injury {

/// Intercept values of Schmitt 2001 for rear impact, as commonly quoted; not checked against the paper.
struct NkmConstants {
  double anterior = 845.0;   ///< N, shear, upper body pushed forward
  double posterior = 845.0;  ///< N, shear, upper body pushed backward
  double flexion = 88.1;     ///< N m
  double extension = 47.5;   ///< N m
};

/// Shear and bending of the upper neck (Schmitt 2001), running maximum of each of the four load cases:
///
///   Nkm = |F_x| / F_int + |M_OCy| / M_int,   limit 0.3.
///
/// Nfa, Nea, Nfp, Nep in the paper's letters: flexion or extension, anterior or posterior shear. At an
/// instant exactly one case is loaded, by the signs of force and moment; a zero load counts as positive.
/// Shear is positive where the upper body is pushed forward by the lower one.
struct Nkm {
  static constexpr double limit = 0.3;

  double anterior_flexion = 0.0;
  double anterior_extension = 0.0;
  double posterior_flexion = 0.0;
  double posterior_extension = 0.0;

  /// shear_force: N, forward positive. moment: N m about the condyles, flexion positive.
  void sample(const NkmConstants& critical, double shear_force, double moment) {
    const double load = critical_share(shear_force, critical.anterior, critical.posterior) +
                        critical_share(moment, critical.flexion, critical.extension);
    double& forward = moment >= 0.0 ? anterior_flexion : anterior_extension;
    double& backward = moment >= 0.0 ? posterior_flexion : posterior_extension;
    double& peak = shear_force >= 0.0 ? forward : backward;
    peak = std::max(peak, load);
  }

  /// Largest of the four so far.
  double value() const {
    return std::max(std::max(anterior_flexion, anterior_extension),
                    std::max(posterior_flexion, posterior_extension));
  }
};

static_assert(is_saved_state<Nkm, 4>);

}  // namespace spondyl::injury
