#include "fmu/driver.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

/// A plane that the head falls against and whose surface comes out of it faster than numbers can hold: the
/// force is not finite once they touch, at about 56 ms.
std::vector<Fmu::Setting> impossible_contact(double solver) {
  std::vector<Fmu::Setting> settings = contact_settings();
  settings.insert(settings.end(), {{"ligaments_two_sided", 1}, {"plane1_vx", 1e200}, {"solver", solver}});
  return settings;
}

}  // namespace

TEST_CASE("A step that the solver cannot make is discarded, and the FMU is as it was") {
  for (const double solver : {SolverNumber::radau, SolverNumber::mebdf, SolverNumber::ida}) {
    Fmu fmu({.logging = true}), undisturbed;
    fmu.start(impossible_contact(solver));
    fmu.go(0, 40);
    const Fmu::Values outputs = fmu.bits();
    const std::vector<fmi3Byte> before = serialised(fmu);
    REQUIRE(fmi3SetDebugLogging(fmu, true, 0, nullptr) == fmi3OK);

    fmu.messages.clear();
    const StepResult r = fmu.step(40e-3, 40e-3);
    INFO("solver " << solver << ": " << fmu.last_message());
    CHECK(r.status == fmi3Discard);
    CHECK(r.last > 50e-3);
    CHECK(r.last < 60e-3);
    CHECK_FALSE(r.event);
    CHECK_FALSE(r.terminate);
    CHECK_FALSE(r.early);
    REQUIRE_FALSE(fmu.messages.empty());
    CHECK(fmu.messages.back().category == "logStatusDiscard");
    CHECK(fmu.messages.back().status == fmi3Discard);
    CHECK(fmu.last_message().find("fmi3DoStep: ") == 0);
    CHECK(fmu.last_message().find("at t = 0.05") != std::string::npos);

    CHECK((serialised(fmu) == before));
    CHECK(fmu.bits() == outputs);
    // a shorter step, then another input
    CHECK(fmu.step(40e-3, 10e-3).status == fmi3OK);
    CHECK(fmu.step(50e-3, 10e-3).status == fmi3Discard);
    fmu.set("plane1_vx", 0);
    CHECK(fmu.step(50e-3, 10e-3).status == fmi3OK);

    undisturbed.start(impossible_contact(solver));
    undisturbed.go(0, 40);
    REQUIRE(undisturbed.step(40e-3, 10e-3).status == fmi3OK);
    undisturbed.set("plane1_vx", 0);
    REQUIRE(undisturbed.step(50e-3, 10e-3).status == fmi3OK);
    if (solver != SolverNumber::ida)
      CHECK(fmu.bits() == undisturbed.bits());
    else  // a restored ida starts anew
      CHECK(fmu.get("head_angle") == Approx(undisturbed.get("head_angle")).epsilon(1e-4));
  }
}

TEST_CASE("After a discarded step a saved state goes on as if nothing had been tried") {
  Fmu fmu, undisturbed;
  for (Fmu* f : {&fmu, &undisturbed}) {
    f->start(contact_settings());
    f->go(0, 30);
  }
  fmi3FMUState state = nullptr;
  REQUIRE(fmi3GetFMUState(fmu, &state) == fmi3OK);
  for (const double force : {1e300, -1e300, 1e15}) {
    fmu.set("head_force_x", force);
    const StepResult r = fmu.step(30e-3, 1e-3);
    CHECK(r.status == fmi3Discard);
    CHECK(r.last >= 30e-3);
    CHECK(r.last < 31e-3);
    CHECK(fmu.messages.empty());  // logging is off
    REQUIRE(fmi3SetFMUState(fmu, state) == fmi3OK);
  }
  fmu.go(30, 90);
  undisturbed.go(30, 90);
  CHECK(fmu.bits() == undisturbed.bits());
}

TEST_CASE("Discarded steps are told only in their category") {
  const auto told = [](const std::vector<fmi3String>& categories) {
    Fmu fmu;
    fmu.start();
    REQUIRE(fmi3SetDebugLogging(fmu, true, categories.size(), categories.data()) == fmi3OK);
    fmu.set("head_force_x", 1e300);
    REQUIRE(fmu.step(0, 1e-3).status == fmi3Discard);
    return fmu.messages.size();
  };
  CHECK(told({"logStatusDiscard"}) == 1);
  CHECK(told({"logEvents", "logStatusWarning"}) == 0);
}

TEST_CASE("A state under loads that allow no equilibrium is restored in a fresh instance") {
  Fmu straight;
  straight.start();
  straight.set("head_force_x", 1e6);
  straight.go(0, 3);
  const std::vector<fmi3Byte> bytes = serialised(straight);
  straight.go(3, 6);
  {
    Fmu refused;
    refused.set("head_force_x", 1e6);
    refused.enter_initialization();
    REQUIRE(fmi3ExitInitializationMode(refused) == fmi3Error);
  }
  Fmu fresh;
  fmi3FMUState state = nullptr;
  REQUIRE(fmi3DeserializeFMUState(fresh, bytes.data(), bytes.size(), &state) == fmi3OK);
  REQUIRE(fmi3SetFMUState(fresh, state) == fmi3OK);
  fresh.go(3, 6);
  CHECK(fresh.bits() == straight.bits());
}
