#pragma once

#include <algorithm>

#include "injury/critical_share.h"
#include "injury/saved_state.h"

namespace spondyl::injury {

/// Critical values of the Hybrid III 50th percentile male in position (49 CFR 571.208).
struct NijConstants {
  double tension = 6806.0;      ///< N
  double compression = 6160.0;  ///< N
  double flexion = 310.0;       ///< N m
  double extension = 135.0;     ///< N m
};

/// Normalised upper neck load, running maximum of each of the four load cases:
///
///   Nij = |F_z| / F_critical + |M_OCy| / M_critical,   limit 1.0.
///
/// At an instant exactly one case is loaded, by the signs of force and moment; a zero load counts as
/// positive. The moment is about the occipital condyles: the moment of the joint C0-C1 in a spine model. (In
/// a Hybrid III the load cell sits higher, and M_OC = M_y - 0.01778 m F_x.)
struct Nij {
  static constexpr double limit = 1.0;

  double tension_flexion = 0.0;
  double tension_extension = 0.0;
  double compression_flexion = 0.0;
  double compression_extension = 0.0;

  /// axial_force: N, tension positive. moment: N m about the condyles, flexion positive.
  void sample(const NijConstants& critical, double axial_force, double moment) {
    const double load = critical_share(axial_force, critical.tension, critical.compression) +
                        critical_share(moment, critical.flexion, critical.extension);
    double& in_tension = moment >= 0.0 ? tension_flexion : tension_extension;
    double& in_compression = moment >= 0.0 ? compression_flexion : compression_extension;
    double& peak = axial_force >= 0.0 ? in_tension : in_compression;
    peak = std::max(peak, load);
  }

  /// Largest of the four so far.
  double value() const {
    return std::max(std::max(tension_flexion, tension_extension),
                    std::max(compression_flexion, compression_extension));
  }
};

static_assert(is_saved_state<Nij, 4>);

}  // namespace spondyl::injury
