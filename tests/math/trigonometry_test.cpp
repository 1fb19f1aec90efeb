#include "math/trigonometry.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::Random;

namespace {

// largest deviation from the C library's extended precision
double error_at(double x) {
  const auto [s, c] = sin_cos(x);
  const long double exact = x;
  return static_cast<double>(std::max(std::abs(s - std::sin(exact)), std::abs(c - std::cos(exact))));
}

}  // namespace

TEST_CASE("sine and cosine are within one unit in the last place of 1 up to 1e5") {
  Random random(20140);
  double worst = 0;
  for (const double range : {0.9, 7.0, 130.0, 2.2e3, 1e5})
    for (int i = 0; i < 20000; ++i) worst = std::max(worst, error_at(random(-range, range)));
  CHECK(worst < 2.3e-16);
}

TEST_CASE("sine and cosine hold on both sides of every boundary between quadrants") {
  double worst = 0;
  for (int n = -60000; n <= 60000; n += n > -50 && n < 50 ? 1 : 37) {
    const double boundary = n * (std::numbers::pi / 4);
    for (const double x : {std::nextafter(boundary, -1e9), boundary, std::nextafter(boundary, 1e9),
                           boundary - 1e-5, boundary + 1e-5})
      worst = std::max(worst, error_at(x));
  }
  CHECK(worst < 2.3e-16);
}

TEST_CASE("sine is odd and cosine is even to the bit") {
  Random random(77);
  for (int i = 0; i < 1000; ++i) {
    const double x = random(0, 300);
    CHECK(sin_cos(-x).sin == -sin_cos(x).sin);
    CHECK(sin_cos(-x).cos == sin_cos(x).cos);
  }
}

TEST_CASE("sine of a tiny angle is the angle and of zero is zero") {
  CHECK(sin_cos(0.0).sin == 0);
  CHECK(sin_cos(0.0).cos == 1);
  CHECK(sin_cos(3.7e-9).sin == 3.7e-9);
  CHECK(sin_cos(-2.1e-300).sin == -2.1e-300);
}

TEST_CASE("sine and cosine of what is no number are no numbers") {
  for (const double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                         -std::numeric_limits<double>::infinity()}) {
    CHECK(std::isnan(sin_cos(x).sin));
    CHECK(std::isnan(sin_cos(x).cos));
  }
}
