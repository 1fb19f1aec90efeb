#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "injury/sampling.h"
#include "injury/saved_state.h"

namespace spondyl::injury {

struct NicConstants {
  double length = 0.2;           ///< m, of the neck in Boström 1996
  double window = 0.150;         ///< s after the onset in which NIC_max is taken
  double onset_threshold = 1.0;  ///< m/s², of T1: larger means that the impact has begun. Estimate: far below
                                 ///< a whiplash (30 m/s² and more), far above the settling of a posture
};

/// Neck injury criterion for rear impact (Boström 1996), m²/s², with rel = T1 minus head, x forward:
///
///   NIC = 0.2 m a_rel + v_rel |v_rel|.   Limit of NIC_max: 15 m²/s².
///
/// While the head lags behind T1 (v_rel >= 0, the retraction that the criterion is about) this is Boström's
/// 0.2 a_rel + v_rel². In rebound and in frontal impact v_rel is negative. There the plain square would count
/// as retraction; test protocols avoid this by ending at the last contact with the head restraint, which a
/// model need not have. With the sign kept, that phase lowers NIC instead.
///
/// NIC_max is the maximum from the onset to the end of the window, the onset being the first sample at which
/// the acceleration of T1 exceeds a threshold in either direction. Zero before.
///
/// v_rel is the model's own relative velocity, not an integral of filtered signals; if head and T1 already
/// move relative to each other at the start, that counts. Protocols filter (head CFC 60 or 180, T1 CFC 60);
/// here nothing is filtered.
struct Nic {
  static constexpr double limit = 15.0;  ///< m²/s², for NIC_max

  double current = 0.0;                   ///< NIC at the last sample, m²/s²
  double largest = 0.0;                   ///< NIC_max, m²/s²
  std::int64_t samples_since_onset = -1;  ///< -1 before the onset; stops counting past the window

  /// Accelerations (inertial, m/s²) and velocities (both in the same frame, m/s) along x, forward.
  void sample(const NicConstants& constants, double t1_acceleration, double head_acceleration,
              double t1_velocity, double head_velocity) {
    const double a_rel = t1_acceleration - head_acceleration;
    const double v_rel = t1_velocity - head_velocity;
    current = constants.length * a_rel + v_rel * std::abs(v_rel);

    const bool begun = samples_since_onset >= 0 || std::abs(t1_acceleration) > constants.onset_threshold;
    if (!begun || samples_since_onset >= samples_in(constants.window)) return;
    ++samples_since_onset;
    largest = std::max(largest, current);
  }

  /// False if sampling can never have led here (a state from outside may hold anything).
  bool possible() const { return samples_since_onset >= -1; }

  /// NIC at the last sample, m²/s²; may be negative.
  double value() const { return current; }

  /// NIC_max so far, m²/s².
  double maximum() const { return largest; }
};

static_assert(is_saved_state<Nic, 3>);

}  // namespace spondyl::injury
