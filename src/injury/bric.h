#pragma once

#include <algorithm>
#include <cmath>

#include "injury/saved_state.h"

namespace spondyl::injury {

/// Critical angular velocities, rad/s: means of the strain-based sets, MPS (66.30, 53.80, 41.50) and
/// CSDM (66.20, 59.10, 44.25).
struct BricConstants {
  double x = 66.25;
  double y = 56.45;
  double z = 42.87;
};

/// Brain injury criterion (Takhounts 2013):
///
///   BrIC = sqrt( Σ (max |ω_i| / ω_ic)² ),   i = x, y, z;   limit 1.0.
///
/// ω is the angular velocity of the head in axes fixed to the head. The three maxima may fall at different
/// instants. A planar model has ω_y only.
struct Bric {
  static constexpr double limit = 1.0;

  double largest_x = 0.0;  ///< running maximum of |ω_x|, rad/s
  double largest_y = 0.0;
  double largest_z = 0.0;

  /// Angular velocity of the head in head axes, rad/s.
  void sample(double omega_x, double omega_y, double omega_z) {
    largest_x = std::max(largest_x, std::abs(omega_x));
    largest_y = std::max(largest_y, std::abs(omega_y));
    largest_z = std::max(largest_z, std::abs(omega_z));
  }

  double value(const BricConstants& critical) const {
    const double x = largest_x / critical.x;
    const double y = largest_y / critical.y;
    const double z = largest_z / critical.z;
    return std::sqrt(x * x + y * y + z * z);
  }
};

static_assert(is_saved_state<Bric, 3>);

}  // namespace spondyl::injury
