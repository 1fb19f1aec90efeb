#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>

#include "injury/gravity.h"
#include "injury/sampling.h"
#include "injury/saved_state.h"

namespace spondyl::injury {

/// Lumbar spine as an oscillator (STANAG 4569, after Stech and Payne 1969).
struct DriConstants {
  double natural_frequency = 52.9;  ///< ω, rad/s
  double damping_ratio = 0.224;     ///< ζ
};

/// X'' + 2 ζ ω X' + ω² X = z'' carried over one sample period h, exactly, for z'' linear in between:
///
///   x₁ = φ0 x₀ + h φ1 b z''₀ + h φ2 b (z''₁ - z''₀),   x = (X, X'), b = (0, 1), Z = h [0 1; -ω² -2ζω],
///   φ0 = exp(Z) = I + Z φ1,   φ1 = I + Z φ2,   φ2 = Σ Z^j / (j + 2)!.
///
/// The series is used instead of sines because the closed forms of φ1 and φ2 lose half their digits at ωh =
/// 0.005, and because it holds at any damping. Thirty terms reach rounding error for all ωh below 1 (ω < 10⁴
/// rad/s) and ζ below 2.
///
/// Made once at initialisation, constant from then on.
struct DriOscillator {
  Eigen::Matrix2d motion;        ///< φ0
  Eigen::Vector2d by_first;      ///< of z''₀: h (φ1 - φ2) b
  Eigen::Vector2d by_second;     ///< of z''₁: h φ2 b
  double index_per_compression;  ///< ω² / g, 1/m

  explicit DriOscillator(const DriConstants& constants) {
    const double omega = constants.natural_frequency;
    const Eigen::Matrix2d one = Eigen::Matrix2d::Identity();
    // X counts in its own unit and X' per period, so that no entry of the matrix is large
    Eigen::Matrix2d z;
    const double angle = omega * sample_period;
    z << 0.0, 1.0, -angle * angle, -2.0 * constants.damping_ratio * angle;
    Eigen::Matrix2d phi2 = one;
    for (int divisor = 32; divisor > 2; --divisor) phi2 = one + z * phi2 / divisor;
    phi2 /= 2.0;
    const Eigen::Matrix2d phi1 = one + z * phi2;
    const Eigen::Matrix2d phi0 = one + z * phi1;

    // back to SI
    const Eigen::Vector2d to_si(1.0, 1.0 / sample_period);
    const Eigen::Vector2d b(0.0, sample_period * sample_period);
    motion = to_si.asDiagonal() * phi0 * to_si.cwiseInverse().asDiagonal();
    by_first = to_si.asDiagonal() * (phi1 - phi2) * b;
    by_second = to_si.asDiagonal() * phi2 * b;
    index_per_compression = omega * omega / standard_gravity;
  }
};

/// Dynamic response index, running maximum, for vertical shock to a seated body:
///
///   DRI = ω² X_max / g,   X the compression of the oscillator driven by the seat's upward acceleration z''.
///
/// STANAG 4569: 17.7 is a 10 % risk of serious injury (X about 62 mm). DRI of a short pulse grows with its
/// ΔV.
///
/// The oscillator starts at rest and unloaded, so z'' must be zero when nothing happens: an inertial
/// acceleration without gravity. Only compression counts. X is exact at the samples for an input that is
/// linear between them; the largest sample is below the true peak by about (ωh)²/8 of it at most, 4e-6.
struct Dri {
  static constexpr double limit = 17.7;

  double compression = 0.0;          ///< X, m
  double rate = 0.0;                 ///< X', m/s
  double last_acceleration = 0.0;    ///< z'' at the last sample, m/s²
  double largest_compression = 0.0;  ///< X_max, m
  std::int64_t begun = 0;            ///< 1 after the first sample

  /// seat_acceleration: z'' of the seat or pelvis, upward, m/s².
  void sample(const DriOscillator& oscillator, double seat_acceleration) {
    if (begun != 0) {
      const Eigen::Vector2d next = oscillator.motion * Eigen::Vector2d(compression, rate) +
                                   oscillator.by_first * last_acceleration +
                                   oscillator.by_second * seat_acceleration;
      compression = next[0];
      rate = next[1];
      largest_compression = std::max(largest_compression, compression);
    }
    begun = 1;
    last_acceleration = seat_acceleration;
  }

  double value(const DriOscillator& oscillator) const {
    return oscillator.index_per_compression * largest_compression;
  }
};

static_assert(is_saved_state<Dri, 5>);

}  // namespace spondyl::injury
