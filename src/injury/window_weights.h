#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "injury/sampling.h"

namespace spondyl::injury {

/// The longest window of any HIC, in sample periods: 36 ms.
inline constexpr std::int64_t longest_window = samples_in(0.036);

/// x^0.6 for x in (0, 1), as the root y of y⁵ = x³. Newton from 1 falls monotonically on the root, and stops
/// when rounding ends the fall. std::pow is not constexpr, and its last bits differ between C libraries.
constexpr double power_three_fifths(double x) {
  const double cube = x * x * x;
  double y = 1.0;
  for (;;) {
    const double y4 = y * y * y * y;
    const double next = y - (y * y4 - cube) / (5.0 * y4);
    if (!(next < y)) return y;
    y = next;
  }
}

/// weight[k] = T_k^-0.6, s^-0.6, for a window of k sample periods (T_k = k sample_period). weight[0] is not
/// used.
inline constexpr std::array<double, longest_window + 1> window_weight = [] {
  std::array<double, longest_window + 1> weight{};
  for (std::size_t k = 1; k < weight.size(); ++k)
    weight[k] = 1.0 / power_three_fifths(static_cast<double>(k) * sample_period);
  return weight;
}();

}  // namespace spondyl::injury
