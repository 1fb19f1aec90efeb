#include "injury/bric.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "injury/sampling.h"

using namespace spondyl::injury;

TEST_CASE("BrIC of three sinusoids combines their amplitudes, whatever their phases and signs") {
  const BricConstants critical;
  Bric bric;
  for (int n = 0; n <= 3000; ++n) {
    const double t = n * sample_period;
    bric.sample(23.0 * std::sin(80.0 * t), 38.0 * std::cos(47.0 * t + 0.4), 11.0 * std::sin(130.0 * t - 0.9));
  }
  const double x = 23.0 / 66.25, y = 38.0 / 56.45, z = 11.0 / 42.87;
  CHECK(bric.value(critical) == Approx(std::sqrt(x * x + y * y + z * z)).epsilon(5e-5));
}

TEST_CASE("BrIC counts the magnitude of each axis against its own critical value") {
  const BricConstants critical;
  Bric about_x, about_y, about_z;
  about_x.sample(-29.0, 0.0, 0.0);
  about_y.sample(0.0, -29.0, 0.0);
  about_z.sample(0.0, 0.0, -29.0);
  about_z.sample(0.0, 0.0, 8.0);
  CHECK(about_x.value(critical) == Approx(29.0 / 66.25));
  CHECK(about_y.value(critical) == Approx(29.0 / 56.45));
  CHECK(about_z.value(critical) == Approx(29.0 / 42.87));
}
