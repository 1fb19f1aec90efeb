#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "injury/gravity.h"
#include "injury/sampling.h"
#include "injury/saved_state.h"
#include "injury/window_weights.h"

namespace spondyl::injury {

/// Head injury criterion, running maximum over all windows t1 < t2 that are not longer than the limit:
///
///   HIC = max (t2 - t1) [1/(t2 - t1) ∫ a dt]^2.5,   a = resultant acceleration of the head's centre, in g.
///
/// 49 CFR 571.208: window 15 ms, limit 700; window 36 ms, limit 1000.
///
/// The integral is the trapezoid rule on the sample grid, t1 and t2 are grid points. With V the integral of a
/// from the start and T_k = k sample_period, HIC^0.4 = max (V_n - V_{n-k}) / T_k^0.6: this root is what is
/// kept, so neither a power nor a root is taken while sampling.
///
/// Which samples need no search. Let r be the root after sample n-1 and assume that a window of k periods
/// ending at n beats it, while the one of k-1 periods ending at n-1 did not:
///
///   V_n - V_{n-k} > r T_k^0.6,   V_{n-1} - V_{n-k} <= r T_{k-1}^0.6.
///
/// The difference is a condition on the last trapezoid alone:
///
///   V_n - V_{n-1} > r (T_k^0.6 - T_{k-1}^0.6) >= r (T_K^0.6 - T_{K-1}^0.6),   K the longest window,
///
/// the last step because T^0.6 is concave. This is the sampled form of 'the acceleration at the end of the
/// best window is at least 0.6 of its mean'. That rule on a(t_n) itself would be wrong on a grid: after a
/// spike at n-1 the last trapezoid still gains, however small a(t_n) is.
///
/// Limits: no channel filter is applied (the motion of a multibody model carries no sensor noise). Contact
/// times are not used; the criterion counts from the start time.
template <std::int64_t window_samples>
struct Hic {
  static_assert(1 < window_samples && window_samples <= longest_window);
  static constexpr std::int64_t ring_size = window_samples + 1;

  std::array<double, ring_size> velocity{};  ///< V of the last ring_size samples, m/s
  std::int64_t newest = 0;                   ///< index of V_n; V_{n-1} follows it, and so on around the ring
  std::int64_t filled = 0;                   ///< samples in the ring
  double last_acceleration = 0.0;            ///< m/s²
  double root = 0.0;                         ///< running maximum of V / T^0.6, m/s^1.6

  /// resultant_acceleration: magnitude, m/s², never negative.
  void sample(double resultant_acceleration) {
    if (filled == 0) {
      filled = 1;
      last_acceleration = resultant_acceleration;
      return;
    }
    // last trapezoid
    const double gain = 0.5 * sample_period * (last_acceleration + resultant_acceleration);
    const double reached = velocity[index(newest)] + gain;
    newest = newest == 0 ? ring_size - 1 : newest - 1;
    velocity[index(newest)] = reached;
    last_acceleration = resultant_acceleration;
    filled = std::min(filled + 1, ring_size);
    if (gain > least_gain * root) search(reached);
  }

  /// False if sampling can never have led here (a state from outside may hold anything).
  bool possible() const { return newest >= 0 && newest < ring_size && filled >= 0 && filled <= ring_size; }

  /// HIC so far, s (with a in g; by custom no unit is written).
  double value() const {
    const double in_g = root / standard_gravity;
    return in_g * in_g * std::sqrt(in_g);
  }

 private:
  // T_K^0.6 - T_{K-1}^0.6, lowered by a thousandth so that rounding can never skip a sample that counts
  static constexpr double least_gain =
      0.999 * (1.0 / window_weight[window_samples] - 1.0 / window_weight[window_samples - 1]);

  static constexpr std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

  // All windows that end now. The ring runs backwards in time from its newest element, so the windows lie in
  // it in the order of their weights, in two pieces: up to the end of the array, and from its beginning.
  void search(double reached) {
    const std::int64_t longest = filled - 1;
    const std::int64_t first_piece = std::min(longest, ring_size - 1 - newest);
    search(reached, newest + 1, 1, first_piece);
    search(reached, 0, 1 + first_piece, longest - first_piece);
  }

  // Windows from `window` on, in blocks. V never falls, so the longest window of a block has its largest gain
  // and the shortest its largest weight: where even their product is too small, the whole block is. The last
  // block reaches back over the one before it, which does not change a maximum.
  void search(double reached, std::int64_t place, std::int64_t window, std::int64_t windows) {
    constexpr std::int64_t block = 16;
    using Block = Eigen::Map<const Eigen::Array<double, block, 1>>;
    if (windows < block) {
      for (std::int64_t i = 0; i < windows; ++i)
        root = std::max(root, (reached - velocity[index(place + i)]) * window_weight[index(window + i)]);
      return;
    }
    for (std::int64_t rest = windows; rest > 0; rest -= block) {
      const std::int64_t first = std::max<std::int64_t>(rest - block, 0);
      const Block before(&velocity[index(place + first)]);
      const Block weight(&window_weight[index(window + first)]);
      if ((reached - before[block - 1]) * weight[0] <= root) continue;
      root = std::max(root, ((reached - before) * weight).maxCoeff());
    }
  }
};

using Hic15 = Hic<samples_in(0.015)>;
using Hic36 = Hic<samples_in(0.036)>;

inline constexpr double hic15_limit = 700.0;   ///< 49 CFR 571.208
inline constexpr double hic36_limit = 1000.0;  ///< 49 CFR 571.208

static_assert(is_saved_state<Hic15, 151 + 4>);
static_assert(is_saved_state<Hic36, 361 + 4>);

}  // namespace spondyl::injury
