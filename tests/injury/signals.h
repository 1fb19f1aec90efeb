#pragma once

// Signals on the sample grid, for the tests of the injury criteria.

#include <cmath>
#include <cstddef>
#include <functional>
#include <random>
#include <vector>

#include "injury/sampling.h"

namespace spondyl::injury::testing {

using Signal = std::vector<double>;

/// f(t) at t = 0, h, 2h ... up to and including `duration`.
inline Signal sampled(double duration, const std::function<double(double)>& f) {
  Signal signal;
  for (std::int64_t n = 0; n <= samples_in(duration); ++n)
    signal.push_back(f(static_cast<double>(n) * sample_period));
  return signal;
}

/// The root of f in [low, high], where f changes sign, by bisection.
inline double root_between(double low, double high, const std::function<double(double)>& f) {
  const bool low_is_positive = f(low) > 0.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    ((f(middle) > 0.0) == low_is_positive ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Non-negative signals of very different character: noise, spikes, bursts between silence, growing and
/// fading oscillations. `kind` 0 to 5.
inline Signal random_signal(std::mt19937& random, int kind, std::size_t samples) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::exponential_distribution<double> exponential(0.7);
  const double period = 20.0 + 300.0 * uniform(random);
  const double growth = (uniform(random) - 0.5) / 200.0;
  Signal signal;
  double level = 0.0;
  for (std::size_t n = 0; n < samples; ++n) {
    const double x = static_cast<double>(n);
    switch (kind) {
      case 0:
        level = 370.0 * uniform(random);
        break;
      case 1:
        level = 12.0 * std::pow(exponential(random), 3);
        break;
      case 2:
        if (uniform(random) < 0.02) level = uniform(random) < 0.5 ? 0.0 : 800.0 * uniform(random);
        break;
      case 3:
        level = std::exp(growth * x) * (60.0 + 50.0 * std::sin(x / period));
        break;
      case 4:
        level = std::abs(0.98 * level + 30.0 * (uniform(random) - 0.5));
        break;
      default:
        level = uniform(random) < 0.01 ? 2500.0 * uniform(random) : 3.0;
        break;
    }
    signal.push_back(level);
  }
  return signal;
}

}  // namespace spondyl::injury::testing
