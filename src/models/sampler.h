#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "injury/sampling.h"
#include "solvers/dae.h"

namespace spondyl {

/// Feeds criteria with signals on the fixed grid of injury/sampling.h, whatever the steps of the solver:
/// signals at four points of a step and a cubic between them. `Signals` is a struct of doubles.
template <class Signals>
class Sampler {
  static constexpr int count = sizeof(Signals) / sizeof(double);
  using Row = std::array<double, count>;
  std::int64_t samples_ = 0;  ///< grid points that have been fed
  double start_ = 0;
  double last_valid_ = 0;  ///< 1: the next step begins where `last_` is
  Signals last_{};

 public:
  /// The first grid point.
  template <class Feed>
  void start(double t, const Signals& s, Feed feed) {
    start_ = t;
    samples_ = 1;
    feed(s);
  }

  /// False for a memory that no run to t leaves behind: the next sample is not at hand.
  bool possible(double t) const {
    const double ahead = start_ + static_cast<double>(samples_) * injury::sample_period - t;
    return samples_ >= 0 && std::abs(ahead) <= 2 * injury::sample_period + 1e-9 * std::abs(t);
  }

  /// The grid points in the step. `at(t)` gives the signals at an instant of it, `feed` takes them one after
  /// the other.
  template <class At, class Feed>
  void step(const Step& step, At at, Feed feed) {
    const double h = step.end - step.begin;
    const auto next = [&] { return start_ + static_cast<double>(samples_) * injury::sample_period; };
    const bool begins_on_last = last_valid_ != 0;
    last_valid_ = 0;
    if (next() > step.end) return;
    constexpr double node[4] = {0, 1.0 / 3, 2.0 / 3, 1};
    Row y[4];
    for (int k = 0; k < 4; ++k) {
      const Signals s = k == 0 && begins_on_last ? last_ : at(step.begin + node[k] * h);
      if (k == 3) last_ = s;
      y[k] = std::bit_cast<Row>(s);
    }
    // after an event the next step may begin with other forces
    last_valid_ = step.fired.empty() ? 1 : 0;
    Row c1, c2, c3;  // the cubic through the nodes, as a polynomial of θ
    for (int s = 0; s < count; ++s) {
      c1[s] = -5.5 * y[0][s] + 9 * y[1][s] - 4.5 * y[2][s] + y[3][s];
      c2[s] = 9 * y[0][s] - 22.5 * y[1][s] + 18 * y[2][s] - 4.5 * y[3][s];
      c3[s] = -4.5 * y[0][s] + 13.5 * y[1][s] - 13.5 * y[2][s] + 4.5 * y[3][s];
    }
    for (double t = next(); t <= step.end; t = next()) {
      const double theta = (t - step.begin) / h;
      Row value;
      for (int s = 0; s < count; ++s) value[s] = y[0][s] + theta * (c1[s] + theta * (c2[s] + theta * c3[s]));
      ++samples_;
      feed(std::bit_cast<Signals>(value));
    }
  }
};

}  // namespace spondyl
