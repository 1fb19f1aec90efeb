#include "injury/hic.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "signals.h"

using namespace spondyl::injury;
using namespace spondyl::injury::testing;

namespace {

constexpr double pi = 3.14159265358979323846;

template <class Criterion>
double hic_of(const Signal& acceleration) {
  Criterion hic;
  for (const double a : acceleration) hic.sample(a);
  return hic.value();
}

double in_si(double g) { return g * standard_gravity; }

// HIC after each sample by its definition: every pair of grid points, no short cut
Signal hic_by_definition(const Signal& acceleration, std::size_t longest) {
  Signal velocity{0.0}, hic{0.0};
  for (std::size_t n = 1; n < acceleration.size(); ++n) {
    velocity.push_back(velocity[n - 1] + 0.5 * sample_period * (acceleration[n - 1] + acceleration[n]));
    double largest = hic.back();
    for (std::size_t k = 1; k <= std::min(n, longest); ++k) {
      const double T = static_cast<double>(k) * sample_period;
      const double mean = (velocity[n] - velocity[n - k]) / T / standard_gravity;
      largest = std::max(largest, T * std::pow(mean, 2.5));
    }
    hic.push_back(largest);
  }
  return hic;
}

// a = peak sin(πt/T) in g. Over the middle 2θT/π the definition is (2T/π) peak^2.5 sin^2.5θ / θ^1.5.
double half_sine_hic(double peak, double T, double theta) {
  return 2.0 * T / pi * std::pow(peak, 2.5) * std::pow(std::sin(theta), 2.5) / std::pow(theta, 1.5);
}

// θ of the largest: 2.5 cot θ = 1.5 / θ
double best_theta() {
  return root_between(0.5, 1.5,
                      [](double theta) { return 2.5 * theta * std::cos(theta) - 1.5 * std::sin(theta); });
}

}  // namespace

TEST_CASE("HIC of a short rectangle is its duration times its level to the 2.5") {
  const double level = 83.0, T = 0.0071;
  Signal pulse(40, 0.0);
  pulse.insert(pulse.end(), static_cast<std::size_t>(samples_in(T)) + 1, in_si(level));
  pulse.insert(pulse.end(), 500, 0.0);
  CHECK(hic_of<Hic15>(pulse) == Approx(T * std::pow(level, 2.5)).epsilon(1e-12));
  CHECK(hic_of<Hic36>(pulse) == Approx(T * std::pow(level, 2.5)).epsilon(1e-12));
}

TEST_CASE("HIC of a long rectangle counts the longest window only") {
  const double level = 47.0;
  const Signal pulse = sampled(0.120, [&](double t) { return t < 0.090 ? in_si(level) : 0.0; });
  CHECK(hic_of<Hic15>(pulse) == Approx(0.015 * std::pow(level, 2.5)).epsilon(1e-12));
  CHECK(hic_of<Hic36>(pulse) == Approx(0.036 * std::pow(level, 2.5)).epsilon(1e-12));
}

TEST_CASE("HIC of a lopsided triangle that fits into the window is (4/7)(5/7)^2.5 peak^2.5 T") {
  // the best window cuts both flanks at 3/7 of the peak: 2 ms before to 6 ms after it, both on the grid
  const double peak = 130.0, rise = 0.0035, T = 0.014;
  const Signal pulse = sampled(0.060, [&](double t) {
    const double s = t - 0.0042;
    return in_si(peak) * std::max(0.0, std::min(s / rise, (T - s) / (T - rise)));
  });
  const double expected = 4.0 / 7.0 * std::pow(5.0 / 7.0, 2.5) * std::pow(peak, 2.5) * T;
  CHECK(hic_of<Hic15>(pulse) == Approx(expected).epsilon(1e-11));
  CHECK(hic_of<Hic36>(pulse) == Approx(expected).epsilon(1e-11));
}

TEST_CASE("HIC of a half sine takes the window where tan θ = 5θ/3") {
  const double peak = 92.0, T = 0.0213;
  const Signal pulse =
      sampled(0.080, [&](double t) { return t < T ? in_si(peak) * std::sin(pi * t / T) : 0.0; });
  const double expected = half_sine_hic(peak, T, best_theta());
  CHECK(expected == Approx(0.4146 * std::pow(peak, 2.5) * T).epsilon(1e-3));
  CHECK(hic_of<Hic15>(pulse) == Approx(expected).epsilon(1e-4));
  CHECK(hic_of<Hic36>(pulse) == Approx(expected).epsilon(1e-4));
}

TEST_CASE("HIC of a slow half sine is cut by the 15 ms window, and not by the 36 ms window") {
  const double peak = 61.0, T = 0.051;
  const Signal pulse =
      sampled(0.130, [&](double t) { return t < T ? in_si(peak) * std::sin(pi * t / T) : 0.0; });
  const double cut = half_sine_hic(peak, T, pi * 0.0075 / T);
  CHECK(hic_of<Hic15>(pulse) == Approx(cut).epsilon(1e-4));
  CHECK(hic_of<Hic36>(pulse) == Approx(half_sine_hic(peak, T, best_theta())).epsilon(1e-4));
  CHECK(cut < 0.8 * hic_of<Hic36>(pulse));
}

TEST_CASE("HIC with skipped samples and skipped blocks equals the search over all pairs") {
  std::mt19937 random(20240611);
  for (int run = 0; run < 30; ++run) {
    const Signal signal = random_signal(random, run % 6, 1100);
    const Signal expected15 = hic_by_definition(signal, 150);
    const Signal expected36 = hic_by_definition(signal, 360);
    Hic15 hic15;
    Hic36 hic36;
    double error15 = 0.0, error36 = 0.0;
    for (std::size_t n = 0; n < signal.size(); ++n) {
      hic15.sample(signal[n]);
      hic36.sample(signal[n]);
      error15 = std::max(error15, std::abs(hic15.value() - expected15[n]) / (expected15[n] + 1e-30));
      error36 = std::max(error36, std::abs(hic36.value() - expected36[n]) / (expected36[n] + 1e-30));
    }
    INFO("run " << run);
    CHECK(error15 < 1e-11);
    CHECK(error36 < 1e-11);
    CHECK(expected36.back() > 0.0);
  }
}

TEST_CASE("HIC counts the second half of a spike, where the acceleration is already zero") {
  // a plateau, then silence, then one sample so high that it beats the plateau through its trapezoids alone
  Signal signal(60, in_si(20.0));
  signal.insert(signal.end(), 500, 0.0);
  signal.push_back(in_si(900.0));
  signal.insert(signal.end(), 30, 0.0);
  const double T = 2.0 * sample_period, mean = 450.0;
  REQUIRE(T * std::pow(mean, 2.5) > 2.0 * 0.006 * std::pow(20.0, 2.5));
  CHECK(hic_of<Hic15>(signal) == Approx(T * std::pow(mean, 2.5)).epsilon(1e-11));
}

TEST_CASE("HIC does not depend on when the pulse comes") {
  std::mt19937 random(7);
  Signal pulse = random_signal(random, 4, 420);
  pulse[0] = 0.0;
  const double at_once15 = hic_of<Hic15>(pulse), at_once36 = hic_of<Hic36>(pulse);
  REQUIRE(at_once15 > 0.0);
  for (const std::size_t delay : {3u, 150u, 151u, 152u, 359u, 361u, 1777u}) {
    Signal later(delay, 0.0);
    later.insert(later.end(), pulse.begin(), pulse.end());
    CHECK(hic_of<Hic15>(later) == at_once15);
    CHECK(hic_of<Hic36>(later) == at_once36);
  }
}

TEST_CASE("HIC scales with the 2.5th power of the acceleration") {
  std::mt19937 random(11);
  const Signal signal = random_signal(random, 1, 800);
  Signal stronger = signal;
  for (double& a : stronger) a *= 3.7;
  CHECK(hic_of<Hic15>(stronger) == Approx(std::pow(3.7, 2.5) * hic_of<Hic15>(signal)).epsilon(1e-11));
}

TEST_CASE("the window weights are T to the -0.6") {
  double worst = 0.0;
  for (std::size_t k = 1; k < window_weight.size(); ++k) {
    const double expected = std::pow(static_cast<double>(k) * sample_period, -0.6);
    worst = std::max(worst, std::abs(window_weight[k] / expected - 1.0));
  }
  CHECK(worst < 2e-15);
}
