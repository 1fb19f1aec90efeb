#include "injury/nic.h"

#include <catch2/catch.hpp>

#include "signals.h"

using namespace spondyl::injury;

TEST_CASE("NIC of a constant acceleration difference is 0.2 a + (a t)²") {
  const double a_t1 = 47.0, a_head = 9.0, a = a_t1 - a_head;
  const NicConstants constants;
  Nic nic;
  for (int n = 0; n <= 830; ++n) {
    const double t = n * sample_period;
    nic.sample(constants, a_t1, a_head, a_t1 * t, a_head * t);
  }
  CHECK(nic.value() == Approx(0.2 * a + a * a * 0.083 * 0.083).epsilon(1e-12));
  CHECK(nic.maximum() == nic.value());
}

TEST_CASE("NIC keeps its largest value when the head catches up") {
  const NicConstants constants;
  Nic nic;
  nic.sample(constants, 60.0, 5.0, 0.8, 0.3);
  nic.sample(constants, 20.0, 70.0, 1.3, 1.1);
  CHECK(nic.value() == Approx(0.2 * -50.0 + 0.04));
  CHECK(nic.maximum() == Approx(0.2 * 55.0 + 0.25));
}

TEST_CASE("a head that overtakes T1 lowers NIC") {
  const NicConstants constants;
  Nic nic;
  nic.sample(constants, 30.0, 10.0, 1.5, 5.5);
  CHECK(nic.value() == Approx(0.2 * 20.0 - 16.0));
  CHECK(nic.maximum() == 0.0);
}

TEST_CASE("NIC_max looks from the onset to the end of the window and not beyond") {
  NicConstants constants;
  constants.window = 0.04;
  constants.onset_threshold = 2.5;
  const auto largest_with_peak_at = [&](int peak) {
    Nic nic;
    for (int n = 0; n < 1000; ++n) {
      const double a_t1 = n < 123 ? 2.4 : -40.0;  // the onset has no sign
      nic.sample(constants, a_t1, a_t1, n == peak ? 3.0 : 0.0, 0.0);
    }
    return nic.maximum();
  };
  CHECK(largest_with_peak_at(122) == 0.0);
  CHECK(largest_with_peak_at(123) == Approx(9.0));
  CHECK(largest_with_peak_at(123 + 400) == Approx(9.0));
  CHECK(largest_with_peak_at(123 + 401) == 0.0);
}

TEST_CASE("the length of NIC is a constant that can be changed") {
  NicConstants constants;
  constants.length = 0.137;
  Nic nic;
  nic.sample(constants, 50.0, 0.0, 0.0, 0.0);
  CHECK(nic.value() == Approx(6.85));
}
