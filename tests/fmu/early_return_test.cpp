#include <algorithm>
#include <cmath>

#include "fmu/driver.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

constexpr double plane_x = -0.12;

/// The head falls against a plane behind it, nothing else ends a step.
std::vector<Fmu::Setting> one_contact(double tolerance = 1e-6) {
  return {{"pulse_shape", 2},    {"plane1_active", 1},
          {"plane1_x", plane_x}, {"relative_tolerance", tolerance},
          {"plane1_nx", 1},      {"absolute_tolerance", tolerance}};
}

/// Distance of the head's circle from the plane, by geometry: the plane is moved until it presses.
/// In Event Mode, where forces follow the inputs; the instance is as before afterwards.
double gap(Fmu& fmu) {
  fmi3FMUState state = nullptr;
  REQUIRE(fmi3GetFMUState(fmu, &state) == fmi3OK);
  double low = plane_x - 0.05, high = plane_x + 0.05;
  while (high - low > 1e-15) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    fmu.set("plane1_x", middle);
    (fmu.get("plane1_force_x") > 0 ? high : low) = middle;
  }
  REQUIRE(fmi3SetFMUState(fmu, state) == fmi3OK);
  REQUIRE(fmi3FreeFMUState(fmu, &state) == fmi3OK);
  return high - plane_x;
}

/// The time of the first contact in a run that only reports events.
double first_event_by_log(double tolerance) {
  Fmu fmu({.logging = true});
  fmu.start(one_contact(tolerance));
  REQUIRE(fmu.step(0, 0.1).status == fmi3OK);
  REQUIRE_FALSE(fmu.messages.empty());
  const std::string& text = fmu.messages[0].text;
  return std::stod(text.substr(text.find("t = ") + 4));
}

/// Handles an event as an importer does.
void event_iteration(Fmu& fmu) {
  REQUIRE(fmi3EnterEventMode(fmu) == fmi3OK);
  fmi3Boolean again = true, terminate = true, nominals = true, values = true, timed = true;
  double next = -1;
  for (int k = 0; again; ++k) {
    REQUIRE(k < 10);
    REQUIRE(fmi3UpdateDiscreteStates(fmu, &again, &terminate, &nominals, &values, &timed, &next) == fmi3OK);
    REQUIRE_FALSE(terminate);
    REQUIRE_FALSE(timed);
  }
  REQUIRE(fmi3EnterStepMode(fmu) == fmi3OK);
}

}  // namespace

TEST_CASE("A step returns early exactly when the head touches") {
  const double tight = first_event_by_log(1e-11);
  for (const double size : {1e-3, 7e-3, 0.1}) {
    Fmu fmu({.event_mode = true, .early_return = true});
    fmu.start(one_contact());
    double now = 0;
    StepResult r;
    do {
      r = fmu.step(now, size);
      REQUIRE(r.status == fmi3OK);
      CHECK(r.early == (r.last < now + size));
      CHECK(r.early == r.event);  // nothing else ends a step
      now = r.last;
    } while (!r.event && now < 0.1);
    INFO("communication step " << size);
    REQUIRE(r.event);
    CHECK(r.early);
    CHECK_FALSE(r.terminate);
    CHECK(fmu.time() == r.last);
    CHECK(r.last == Approx(tight).margin(1e-6));
    REQUIRE(fmi3EnterEventMode(fmu) == fmi3OK);
    CHECK(std::abs(gap(fmu)) < 1e-11);
    CHECK(std::abs(fmu.get("plane1_force_x")) < 1e-3);
    // the next step begins there and goes into the plane
    REQUIRE(fmi3EnterStepMode(fmu) == fmi3OK);
    REQUIRE(fmu.step(now, 1e-3).status == fmi3OK);
    CHECK(fmu.get("plane1_force_x") > 0.1);
  }
  // the event converges with the tolerance to that of the tight run
  const double loose = std::abs(first_event_by_log(1e-4) - tight),
               fine = std::abs(first_event_by_log(1e-8) - tight);
  CHECK(fine < 1e-8);
  CHECK(fine <= loose);
}

TEST_CASE("Nothing returns early unless the importer allows it") {
  for (const bool event_mode : {false, true})
    for (const bool update : {false, true}) {
      Fmu fmu({.event_mode = event_mode, .intermediate_update = update});
      fmu.start(one_contact());
      fmu.on_update = [](double, bool may, fmi3Boolean* wants, fmi3Float64* when) {
        CHECK_FALSE(may);
        *wants = fmi3True;  // must be ignored
        *when = 0;
      };
      for (int k = 0; k < 10; ++k) {
        const StepResult r = fmu.step(k * 0.01, (k + 1) * 0.01 - k * 0.01);
        REQUIRE(r.status == fmi3OK);
        CHECK_FALSE(r.early);
        CHECK_FALSE(r.event);
        CHECK(r.last == (k + 1) * 0.01);
      }
    }
}

TEST_CASE("Without Event Mode an early return asks for no event handling") {
  Fmu fmu({.early_return = true});
  fmu.start(one_contact());
  const StepResult r = fmu.step(0, 0.1);
  REQUIRE(r.status == fmi3OK);
  CHECK(r.early);
  CHECK_FALSE(r.event);
  CHECK(r.last == Approx(first_event_by_log(1e-11)).margin(1e-6));
  CHECK(fmu.step(r.last, 0.1 - r.last).status == fmi3OK);
}

TEST_CASE("A run with early returns and events ends where the plain run ends") {
  std::vector<Fmu::Setting> settings = contact_settings();  // ligaments that go slack, too
  settings.insert(settings.end(), {{"relative_tolerance", 1e-9}, {"absolute_tolerance", 1e-9}});
  Fmu plain, early({.event_mode = true, .early_return = true});
  plain.start(settings);
  early.start(settings);
  plain.go(0, 15, 1e-2);
  double now = 0;
  int events = 0;
  for (int steps = 0; now < 0.15 - 1e-12; ++steps) {
    REQUIRE(steps < 200);
    const double target = std::min(0.15, (std::floor(now / 1e-2 + 1e-9) + 1) * 1e-2);
    const StepResult r = early.step(now, target - now);
    REQUIRE(r.status == fmi3OK);
    REQUIRE(r.last > now);
    now = r.last;
    if (r.event) {
      ++events;
      event_iteration(early);
    }
  }
  CHECK(events > 3);
  const std::vector<double> a = plain.numbers(), b = early.numbers();
  for (std::size_t o = 0; o < a.size(); ++o) {
    const Variable& v = table()[static_cast<Handle>(output_references()[o]) - 2];
    if (v.name.starts_with("solver_")) continue;
    INFO(v.name);
    CHECK(b[o] == Approx(a[o]).epsilon(1e-5).margin(1e-5 * v.nominal));
  }
}

TEST_CASE("Intermediate updates tell finished steps in order, with outputs at their time") {
  Fmu fmu({.intermediate_update = true}), undisturbed;
  fmu.start(one_contact());
  undisturbed.start(one_contact());
  double last = 0;
  int calls = 0;
  std::vector<std::pair<double, double>> seen;  // time, head angle
  fmu.on_update = [&](double time, bool, fmi3Boolean*, fmi3Float64*) {
    CHECK(time > last);
    last = time;
    ++calls;
    CHECK(fmu.time() == time);
    seen.emplace_back(time, fmu.get("head_angle"));
    // rates are accessible too, and are those of the motion
    const fmi3ValueReference of = vr("head_angle");
    const fmi3Int32 order = 1;
    double rate = 0;
    CHECK(fmi3GetOutputDerivatives(fmu, &of, 1, &order, &rate, 1) == fmi3OK);
    CHECK(rate == Approx(fmu.get("head_angular_velocity")).epsilon(1e-12));
    CHECK(fmu.set("head_force_x", 1000) == fmi3Error);  // nothing was requested
    CHECK(fmi3Terminate(fmu) == fmi3Error);
  };
  for (int k = 0; k < 20; ++k) {
    fmu.go(k, k + 1, 5e-3);
    undisturbed.go(k, k + 1, 5e-3);
    CHECK(last == Approx((k + 1) * 5e-3).epsilon(1e-15));
    REQUIRE(fmu.bits() == undisturbed.bits());
  }
  CHECK(calls > 20);
  // the outputs told are the solution: a run with steps that end there agrees to the tolerance
  Fmu stepped;
  stepped.start(one_contact(1e-9));
  double now = 0;
  for (const auto& [time, angle] : seen) {
    REQUIRE(stepped.step(now, time - now).status == fmi3OK);
    now = stepped.time();
    CHECK(angle == Approx(stepped.get("head_angle")).margin(1e-5));
  }
}

TEST_CASE("A step returns exactly where an intermediate update asks for") {
  constexpr double wish = 0.0123456;
  Fmu fmu({.early_return = true, .intermediate_update = true}), plain;
  fmu.start({{"pulse_shape", 2}});
  plain.start({{"pulse_shape", 2}});
  bool may_return = false;
  const auto ask = [&](double time) {
    fmu.on_update = [&may_return, time](double, bool may, fmi3Boolean* wants, fmi3Float64* when) {
      may_return = may;
      *wants = fmi3True;
      *when = time;
    };
  };
  ask(wish);
  StepResult r = fmu.step(0, 0.02);
  CHECK(may_return);
  REQUIRE(r.status == fmi3OK);
  CHECK(r.early);
  CHECK(r.last == wish);
  CHECK(fmu.time() == wish);
  REQUIRE(plain.step(0, wish).status == fmi3OK);
  CHECK(fmu.get("head_angle") == Approx(plain.get("head_angle")).epsilon(1e-5));

  SECTION("a time that has passed is now") {
    ask(0);
    double first = 0;
    const auto old = fmu.on_update;
    fmu.on_update = [&](double time, bool may, fmi3Boolean* wants, fmi3Float64* when) {
      if (first == 0) first = time;
      old(time, may, wants, when);
    };
    r = fmu.step(wish, 0.01);
    CHECK(r.status == fmi3OK);
    CHECK(r.early);
    CHECK(r.last == first);
  }
  SECTION("a time after the end of the step is the end") {
    ask(1);
    r = fmu.step(wish, 0.01);
    CHECK(r.status == fmi3OK);
    CHECK_FALSE(r.early);
    CHECK(r.last == wish + 0.01);
  }
  SECTION("a time that is none is the end") {
    ask(std::nan(""));
    r = fmu.step(wish, 0.01);
    CHECK(r.status == fmi3OK);
    CHECK_FALSE(r.early);
    CHECK(r.last == wish + 0.01);
  }
}

TEST_CASE("In Event Mode outputs follow the inputs, and the run goes on from there") {
  Fmu fmu({.event_mode = true}), plain;
  fmu.start({{"pulse_shape", 2}});
  plain.start({{"pulse_shape", 2}});
  fmu.go(0, 10);
  plain.go(0, 10);
  const double before = fmu.get("head_acceleration_x"), angle = fmu.get("head_angle");
  for (Fmu* f : {&fmu, &plain}) f->set("head_force_x", 50);
  CHECK(fmu.get("head_acceleration_x") == before);  // Step Mode: a step must be made first
  REQUIRE(fmi3EnterEventMode(fmu) == fmi3OK);
  const double after = fmu.get("head_acceleration_x");
  CHECK(after > before + 1);
  CHECK(fmu.get("head_angle") == angle);
  fmu.set("head_force_x", 0);
  CHECK(fmu.get("head_acceleration_x") == Approx(before).epsilon(1e-9));
  fmu.set("head_force_x", 50);
  CHECK(fmu.get("head_acceleration_x") == after);
  REQUIRE(fmi3EnterStepMode(fmu) == fmi3OK);
  fmu.go(10, 30);
  plain.go(10, 30);
  CHECK(fmu.get("head_angle") == Approx(plain.get("head_angle")).epsilon(1e-5));
}
