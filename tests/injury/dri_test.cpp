#include "injury/dri.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "signals.h"

using namespace spondyl::injury;
using namespace spondyl::injury::testing;

namespace {

constexpr double pi = 3.14159265358979323846;

double dri_of(const DriConstants& constants, const Signal& acceleration) {
  const DriOscillator oscillator(constants);
  Dri dri;
  for (const double a : acceleration) dri.sample(oscillator, a);
  return dri.value(oscillator);
}

// response of the underdamped oscillator to a step of z'' at t = 0, compression in m
double step_compression(const DriConstants& c, double step, double t) {
  const double omega = c.natural_frequency, zeta = c.damping_ratio;
  const double damped = omega * std::sqrt(1.0 - zeta * zeta);
  const double decay = std::exp(-zeta * omega * t);
  return step / (omega * omega) *
         (1.0 - decay * (std::cos(damped * t) + zeta * omega / damped * std::sin(damped * t)));
}

}  // namespace

TEST_CASE("DRI of a step is the step in g with the overshoot of the damped oscillator") {
  const DriConstants constants;
  const double step = 8.3;
  const double zeta = constants.damping_ratio;
  const double overshoot = 1.0 + std::exp(-zeta * pi / std::sqrt(1.0 - zeta * zeta));
  CHECK(dri_of(constants, Signal(3000, step * standard_gravity)) == Approx(step * overshoot).epsilon(4e-6));
}

TEST_CASE("the oscillator of DRI follows the closed form of a step at every sample") {
  for (const DriConstants constants : {DriConstants{52.9, 0.224}, DriConstants{431.0, 0.07}}) {
    const DriOscillator oscillator(constants);
    Dri dri;
    double worst = 0.0;
    for (int n = 0; n < 4000; ++n) {
      dri.sample(oscillator, 37.0);
      worst =
          std::max(worst, std::abs(dri.compression - step_compression(constants, 37.0, n * sample_period)));
    }
    CHECK(worst < 1e-11 * 37.0 / (constants.natural_frequency * constants.natural_frequency));
  }
}

TEST_CASE("the oscillator of DRI is exact for an acceleration that grows linearly") {
  // particular solution slope (t - 2ζ/ω) / ω², plus the free motion that starts from rest
  const DriConstants constants{52.9, 0.224};
  const double omega = constants.natural_frequency, zeta = constants.damping_ratio, slope = 730.0;
  const double damped = omega * std::sqrt(1.0 - zeta * zeta);
  const DriOscillator oscillator(constants);
  Dri dri;
  double worst = 0.0, largest = 0.0;
  for (int n = 0; n < 2500; ++n) {
    const double t = n * sample_period;
    dri.sample(oscillator, slope * t);
    const double offset = 2.0 * zeta / omega;  // s
    const double free =
        std::exp(-zeta * omega * t) *
        (offset * std::cos(damped * t) + (zeta * omega * offset - 1.0) / damped * std::sin(damped * t));
    const double expected = slope / (omega * omega) * (t - offset + free);
    worst = std::max(worst, std::abs(dri.compression - expected));
    largest = std::max(largest, expected);
  }
  CHECK(worst < 1e-12 * largest);
}

TEST_CASE("DRI of a short blow grows with its change of velocity") {
  // X' jumps by ΔV; the peak is at tan(ω_d t) = ω_d / (ζω), where X = ΔV/ω exp(-ζω t)
  const DriConstants constants;
  const double omega = constants.natural_frequency, zeta = constants.damping_ratio;
  const double damped = omega * std::sqrt(1.0 - zeta * zeta);
  const double t_peak = std::atan2(damped, zeta * omega) / damped;
  Signal blow(2000, 0.0);
  blow[137] = 27000.0;  // a triangle two periods wide
  const double delta_v = 27000.0 * sample_period;
  const double expected = omega * delta_v / standard_gravity * std::exp(-zeta * omega * t_peak);
  CHECK(dri_of(constants, blow) == Approx(expected).epsilon(1e-5));
  CHECK(expected == Approx(3.96 * delta_v).epsilon(0.01));  // the rule for short pulses, s/m
}

TEST_CASE("DRI of a half sine agrees with a fine Runge-Kutta integration") {
  const DriConstants constants{52.9, 0.224};
  const double omega = constants.natural_frequency, zeta = constants.damping_ratio;
  const double peak = 165.0, T = 0.0437;
  const auto input = [&](double t) { return t < T ? peak * std::sin(pi * t / T) : 0.0; };

  const double h = 2e-6;
  double x = 0.0, v = 0.0, largest = 0.0;
  const auto slope = [&](double t, double at_x, double at_v) {
    return input(t) - 2.0 * zeta * omega * at_v - omega * omega * at_x;
  };
  for (int n = 0; n < 100000; ++n) {
    const double t = n * h;
    const double a1 = slope(t, x, v);
    const double v2 = v + 0.5 * h * a1, a2 = slope(t + 0.5 * h, x + 0.5 * h * v, v2);
    const double v3 = v + 0.5 * h * a2, a3 = slope(t + 0.5 * h, x + 0.5 * h * v2, v3);
    const double v4 = v + h * a3, a4 = slope(t + h, x + h * v3, v4);
    x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
    v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    largest = std::max(largest, x);
  }
  CHECK(dri_of(constants, sampled(0.2, input)) ==
        Approx(omega * omega * largest / standard_gravity).epsilon(2e-5));
}

TEST_CASE("DRI counts compression and not stretch") {
  CHECK(dri_of(DriConstants{}, Signal(60, -90.0)) == 0.0);
}

TEST_CASE("a compression of 62 mm is the limit of DRI") {
  const DriOscillator oscillator{DriConstants{}};
  Dri dri;
  dri.largest_compression = 0.062;
  CHECK(dri.value(oscillator) == Approx(Dri::limit).epsilon(2e-3));
}
