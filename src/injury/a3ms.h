#pragma once

#include <array>
#include <cstddef>

#include "injury/gravity.h"
#include "injury/sampling.h"
#include "injury/saved_state.h"

namespace spondyl::injury {

/// Cumulative 3 ms acceleration of the head, m/s²: the level that the resultant acceleration reaches for 3 ms
/// in total, in one piece or in several. UN R137: at most 80 g.
///
/// A sample stands for one sample period, so the level is the 30th largest sample so far, and zero until
/// there have been 30. Against the continuous signal it is high by at most the change of the sorted signal
/// over one period.
///
/// The other reading in use, the '3 ms clip', asks for 3 ms in one piece and is never larger; the two agree
/// for a pulse that rises once and falls once. The cumulative one is taken because it is R137's, and because
/// a head that leaves a surface and strikes it again is not better off. Rebound is not recognised: everything
/// after the start counts.
struct A3ms {
  static constexpr std::size_t counted = static_cast<std::size_t>(samples_in(0.003));
  static constexpr double limit = 80.0 * standard_gravity;  ///< m/s², UN R137

  std::array<double, counted> largest{};  ///< the largest samples, m/s², as a heap with the smallest in front

  /// resultant_acceleration: magnitude, m/s², never negative.
  void sample(double resultant_acceleration) {
    if (!(resultant_acceleration > largest[0])) return;
    // replace the front and let the newcomer sink below all that are smaller
    std::size_t hole = 0;
    for (std::size_t child = 1; child < counted; child = 2 * hole + 1) {
      if (child + 1 < counted && largest[child + 1] < largest[child]) ++child;
      if (!(largest[child] < resultant_acceleration)) break;
      largest[hole] = largest[child];
      hole = child;
    }
    largest[hole] = resultant_acceleration;
  }

  /// Level so far, m/s².
  double value() const { return largest[0]; }
};

static_assert(is_saved_state<A3ms, 30>);

}  // namespace spondyl::injury
