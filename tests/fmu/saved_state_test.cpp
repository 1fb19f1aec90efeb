#include <random>

#include "fmu/driver.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

/// One communication step: what is set before it, and its size.
struct Leg {
  double sled, plane, size;
  bool active;
};

std::vector<Leg> random_legs(unsigned seed, int n) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Leg> legs;
  Leg leg{0, -0.12, 1e-3, true};
  for (int k = 0; k < n; ++k) {
    if (unit(random) < 0.3) leg.sled = 60 * (unit(random) - 0.5);
    if (unit(random) < 0.2) leg.plane = -0.12 - 0.02 * unit(random);
    if (unit(random) < 0.1) leg.active = !leg.active;
    leg.size = 1e-4 + 5e-3 * unit(random);
    legs.push_back(leg);
  }
  return legs;
}

/// An instance on its way through the legs.
struct Walk {
  Fmu fmu;
  double now = 0;
  bool touched = false;

  void take(const Leg& leg) {
    fmu.set_all({{"sled_acceleration_x", leg.sled}, {"plane1_x", leg.plane}, {"plane1_active", leg.active}});
    const StepResult r = fmu.step(now, leg.size);
    if (r.status != fmi3OK) throw std::runtime_error(fmu.last_message());
    now += leg.size;
    if (fmu.get("plane1_force_x") > 0) touched = true;
  }
};

fmi3FMUState saved(Fmu& fmu) {
  fmi3FMUState state = nullptr;
  REQUIRE(fmi3GetFMUState(fmu, &state) == fmi3OK);
  REQUIRE(state != nullptr);
  return state;
}

}  // namespace

TEST_CASE("Saving and restoring at any time repeats the run, bit for bit") {
  bool touched = false;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const std::vector<Leg> legs = random_legs(seed, 50), elsewhere = random_legs(seed + 100, 50);
    Walk straight, winding;
    straight.fmu.start(contact_settings());
    winding.fmu.start(contact_settings());
    std::mt19937 random(seed);
    fmi3FMUState state = nullptr;
    for (std::size_t k = 0; k < legs.size(); ++k) {
      if (random() % 3 == 0) {
        REQUIRE(fmi3GetFMUState(winding.fmu, &state) == fmi3OK);
        const double then = winding.now;
        for (unsigned detour = random() % 4; detour > 0; --detour)
          winding.take(elsewhere[random() % elsewhere.size()]);
        REQUIRE(fmi3SetFMUState(winding.fmu, state) == fmi3OK);
        winding.now = then;
      }
      straight.take(legs[k]);
      winding.take(legs[k]);
      INFO("seed " << seed << ", step " << k);
      REQUIRE(straight.fmu.bits() == winding.fmu.bits());
    }
    touched |= straight.touched;
  }
  CHECK(touched);
}

TEST_CASE("A state with inputs that no step has seen yet keeps them") {
  Fmu straight, winding;
  for (Fmu* fmu : {&straight, &winding}) {
    fmu->start({{"pulse_shape", 2}});
    fmu->go(0, 10);
    fmu->set("head_force_x", 30);
  }
  const fmi3FMUState state = saved(winding);
  winding.set("head_force_x", -30);
  winding.go(10, 15);
  REQUIRE(fmi3SetFMUState(winding, state) == fmi3OK);
  CHECK(winding.get("head_force_x") == 30);
  CHECK(winding.bits() == straight.bits());  // still those of the last point
  straight.go(10, 20);
  winding.go(10, 20);
  CHECK(winding.bits() == straight.bits());
}

TEST_CASE("A state is restored after a reset, after termination and over other parameters") {
  Fmu straight, winding;
  straight.start(contact_settings());
  winding.start(contact_settings());
  straight.go(0, 90);
  winding.go(0, 60);
  const fmi3FMUState state = saved(winding);
  const auto continues = [&] {
    REQUIRE(fmi3SetFMUState(winding, state) == fmi3OK);
    winding.go(60, 90);
    CHECK(winding.bits() == straight.bits());
  };
  SECTION("reset") {
    REQUIRE(fmi3Reset(winding) == fmi3OK);
    continues();
  }
  SECTION("reset, other parameters, run") {
    REQUIRE(fmi3Reset(winding) == fmi3OK);
    winding.start({{"pulse_shape", 3}, {"gravity", 3}, {"data_set", 1}});
    winding.go(0, 5);
    continues();
  }
  SECTION("other solver") {
    REQUIRE(fmi3Reset(winding) == fmi3OK);
    winding.start({{"solver", SolverNumber::ida}});
    winding.go(0, 5);
    continues();
  }
  SECTION("terminated") {
    REQUIRE(fmi3Terminate(winding) == fmi3OK);
    continues();
  }
  SECTION("twice") {
    continues();
    continues();
  }
}

TEST_CASE("A state from before initialisation starts anew") {
  Fmu fresh, used;
  used.set("pulse_shape", 2);
  const fmi3FMUState state = saved(used);
  used.start({{"gravity", 2}});
  used.go(0, 5);
  REQUIRE(fmi3SetFMUState(used, state) == fmi3OK);
  used.start();
  fresh.start({{"pulse_shape", 2}});
  used.go(0, 20);
  fresh.go(0, 20);
  CHECK(used.bits() == fresh.bits());
}

TEST_CASE("A serialised state continues in another instance, bit for bit") {
  Fmu first;
  first.start(contact_settings());
  first.go(0, 60);
  const std::vector<fmi3Byte> bytes = serialised(first, saved(first));
  first.go(60, 90);

  Fmu second;
  fmi3FMUState state = nullptr;
  REQUIRE(fmi3DeserializeFMUState(second, bytes.data(), bytes.size(), &state) == fmi3OK);
  REQUIRE(fmi3SetFMUState(second, state) == fmi3OK);
  CHECK(serialised(second, saved(second)) == bytes);
  second.go(60, 90);
  CHECK(second.bits() == first.bits());
  CHECK(fmi3FreeFMUState(second, &state) == fmi3OK);
  CHECK(state == nullptr);
}

TEST_CASE("Truncated, longer and altered bytes are refused and the instance goes on as it was") {
  Fmu straight, fmu;
  for (Fmu* f : {&straight, &fmu}) {
    f->start({{"pulse_shape", 2}});
    f->go(0, 3);
  }
  const std::vector<fmi3Byte> bytes = serialised(fmu, saved(fmu));
  fmi3FMUState state = nullptr;
  std::size_t refused = 0, tried = 0;
  for (std::size_t n = 0; n < bytes.size(); n += n < 4096 ? 1 : 61) {
    const std::vector<fmi3Byte> shorter(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    ++tried;
    refused +=
        fmi3DeserializeFMUState(fmu, shorter.empty() ? bytes.data() : shorter.data(), n, &state) == fmi3Error;
  }
  std::vector<fmi3Byte> altered = bytes;
  altered.push_back(0);
  ++tried;
  refused += fmi3DeserializeFMUState(fmu, altered.data(), altered.size(), &state) == fmi3Error;
  std::mt19937 random(7);
  for (int k = 0; k < 500; ++k) {
    altered = bytes;
    for (unsigned flips = 1 + random() % 3; flips > 0; --flips)
      altered[random() % altered.size()] ^= static_cast<fmi3Byte>(1 + random() % 255);
    if (altered == bytes) continue;
    ++tried;
    refused += fmi3DeserializeFMUState(fmu, altered.data(), altered.size(), &state) == fmi3Error;
  }
  CHECK(refused == tried);
  CHECK(state == nullptr);
  CHECK(fmu.messages.size() == tried);
  straight.go(3, 20);
  fmu.go(3, 20);
  CHECK(fmu.bits() == straight.bits());
}

TEST_CASE("States of other instances, freed states and wrong sizes are refused") {
  Fmu one, other;
  fmi3FMUState state = saved(one);
  size_t size = 0;
  CHECK(fmi3SetFMUState(other, state) == fmi3Error);
  CHECK(fmi3GetFMUState(other, &state) == fmi3Error);
  CHECK(fmi3FreeFMUState(other, &state) == fmi3Error);
  CHECK(state != nullptr);
  CHECK(fmi3SerializedFMUStateSize(other, state, &size) == fmi3Error);
  CHECK(fmi3SetFMUState(one, nullptr) == fmi3Error);
  CHECK(fmi3GetFMUState(one, nullptr) == fmi3Error);
  std::vector<fmi3Byte> bytes = serialised(one, state);
  CHECK(fmi3SerializeFMUState(one, state, bytes.data(), bytes.size() - 1) == fmi3Error);
  CHECK(fmi3SerializeFMUState(one, state, nullptr, bytes.size()) == fmi3Error);
  CHECK(fmi3SerializedFMUStateSize(one, state, nullptr) == fmi3Error);
  CHECK(fmi3DeserializeFMUState(one, nullptr, bytes.size(), &state) == fmi3Error);
  CHECK(fmi3DeserializeFMUState(one, bytes.data(), bytes.size(), nullptr) == fmi3Error);

  fmi3FMUState kept = state;
  CHECK(fmi3FreeFMUState(one, &state) == fmi3OK);
  CHECK(state == nullptr);
  CHECK(fmi3FreeFMUState(one, &state) == fmi3OK);  // the standard: a NULL state is ignored
  CHECK(fmi3SetFMUState(one, kept) == fmi3Error);
  CHECK(fmi3FreeFMUState(one, &kept) == fmi3Error);
}

TEST_CASE("A refused restore leaves the instance as it was") {
  Fmu straight, fmu;
  for (Fmu* f : {&straight, &fmu}) f->start({{"pulse_shape", 2}});
  straight.go(0, 10);
  fmu.go(0, 5);
  const fmi3FMUState good = saved(fmu);
  // a plane without direction: a step with it is refused, so is a state with it or the step after it
  fmu.set_all({{"plane1_nx", 0}, {"plane1_nz", 0}, {"plane1_active", 1}});
  const fmi3FMUState bad = saved(fmu);
  REQUIRE(fmi3SetFMUState(fmu, good) == fmi3OK);
  fmu.go(5, 8);
  if (fmi3SetFMUState(fmu, bad) != fmi3OK) {
    CHECK(fmu.get("plane1_nx") == 1);
    CHECK(fmu.time() == Approx(8e-3));
    fmu.go(8, 10);
    CHECK(fmu.bits() == straight.bits());
  } else {
    CHECK(fmu.step(5e-3, 1e-3).status == fmi3Error);
    REQUIRE(fmi3SetFMUState(fmu, good) == fmi3OK);
    fmu.go(5, 10);
    CHECK(fmu.bits() == straight.bits());
  }
}
