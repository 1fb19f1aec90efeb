#pragma once

#include <algorithm>
#include <cmath>

#include "injury/saved_state.h"

namespace spondyl::injury {

/// Critical values of the lower neck load index, as commonly quoted; not checked against the primary source.
struct LnlConstants {
  double moment = 15.0;        ///< N m
  double shear_force = 250.0;  ///< N
  double axial_force = 900.0;  ///< N
};

/// Lower neck load index at C7-T1, running maximum:
///
///   LNL = |M_y| / 15 N m + |F_x| / 250 N + |F_z| / 900 N,   limit about 3.
///
/// All loads at the same instant; their directions do not matter.
struct Lnl {
  static constexpr double limit = 3.0;

  double largest = 0.0;

  /// Loads of the joint C7-T1: N, N, N m.
  void sample(const LnlConstants& critical, double shear_force, double axial_force, double moment) {
    const double load = std::abs(moment) / critical.moment + std::abs(shear_force) / critical.shear_force +
                        std::abs(axial_force) / critical.axial_force;
    largest = std::max(largest, load);
  }

  double value() const { return largest; }
};

static_assert(is_saved_state<Lnl, 1>);

}  // namespace spondyl::injury
