#pragma once

#include <cstdint>

namespace spondyl::injury {

/// Period of the grid on which every criterion is sampled, s: 10 kHz, the rate of SAE J211 for crash
/// channels. The grid starts at the start time and is filled from dense output, so no result depends on the
/// communication step of the importer.
inline constexpr double sample_period = 1e-4;

/// Sample periods in `duration` (s, not negative), rounded to the nearest.
constexpr std::int64_t samples_in(double duration) {
  return static_cast<std::int64_t>(duration / sample_period + 0.5);
}

}  // namespace spondyl::injury
