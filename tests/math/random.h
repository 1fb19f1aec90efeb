#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace spondyl::testing {

/// Seeded numbers that are the same with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double operator()(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }
  int integer(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  std::mt19937_64 engine_;
};

/// df/dx by differences of fourth order. With the default width the error is about 1e-12 of f where f is
/// tame.
template <class F>
double derivative(const F& f, double x, double width = 1e-3) {
  return (8 * (f(x + width) - f(x - width)) - (f(x + 2 * width) - f(x - 2 * width))) / (12 * width);
}

}  // namespace spondyl::testing
