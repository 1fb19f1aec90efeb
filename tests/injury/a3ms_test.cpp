#include "injury/a3ms.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "signals.h"

using namespace spondyl::injury;
using namespace spondyl::injury::testing;

namespace {

double a3ms_of(const Signal& acceleration) {
  A3ms a3ms;
  for (const double a : acceleration) a3ms.sample(a);
  return a3ms.value();
}

Signal joined(std::initializer_list<Signal> parts) {
  Signal all;
  for (const Signal& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

TEST_CASE("the 3 ms level of a lopsided triangle is the level at which it is 3 ms wide") {
  const double peak = 900.0, rise = 0.004, fall = 0.011;
  const Signal pulse = sampled(0.050, [&](double t) {
    const double s = t - 0.0083;
    return peak * std::max(0.0, std::min(s / rise, 1.0 - (s - rise) / fall));
  });
  const double level = peak * (1.0 - 0.003 / (rise + fall));
  CHECK(a3ms_of(pulse) == Approx(level).margin(peak * sample_period / (rise + fall)));
}

TEST_CASE("the 3 ms level of a trapezoid with a short plateau lies on its flanks") {
  const double peak = 640.0, rise = 0.003, plateau = 0.0012, fall = 0.007;
  const Signal pulse = sampled(0.050, [&](double t) {
    const double s = t - 0.011;
    return peak * std::max(0.0, std::min({s / rise, 1.0, (rise + plateau + fall - s) / fall}));
  });
  const double level = peak * (1.0 - (0.003 - plateau) / (rise + fall));
  CHECK(a3ms_of(pulse) == Approx(level).margin(peak * sample_period / (rise + fall)));
}

TEST_CASE("two bursts of 2 ms add up to more than 3 ms, one alone does not") {
  const Signal quiet(130, 12.0), strong(20, 700.0), weak(20, 430.0);
  CHECK(a3ms_of(joined({quiet, strong, quiet})) == 12.0);
  CHECK(a3ms_of(joined({quiet, strong, quiet, weak, quiet})) == 430.0);
  CHECK(a3ms_of(joined({quiet, weak, quiet, strong, quiet})) == 430.0);
}

TEST_CASE("the 3 ms level is zero until 3 ms of samples have come") {
  CHECK(a3ms_of(Signal(29, 350.0)) == 0.0);
  CHECK(a3ms_of(Signal(30, 350.0)) == 350.0);
}

TEST_CASE("the 3 ms level is the 30th largest sample of any signal") {
  std::mt19937 random(99);
  for (int run = 0; run < 12; ++run) {
    const Signal signal = random_signal(random, run % 6, 700);
    A3ms a3ms;
    Signal sorted;
    bool equal = true;
    for (const double a : signal) {
      a3ms.sample(a);
      sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), a, std::greater<>()), a);
      equal = equal && a3ms.value() == (sorted.size() < 30 ? 0.0 : sorted[29]);
    }
    INFO("run " << run);
    CHECK(equal);
    CHECK(a3ms.value() > 0.0);
  }
}
