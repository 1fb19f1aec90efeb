#include <thread>

#include "fmu/driver.h"
#include "models/simulation.h"

using namespace spondyl;
using namespace spondyl::testing;

TEST_CASE("A whiplash through DoStep is that of the simulation, bit for bit") {
  Fmu fmu;
  fmu.start({{"pulse_shape", 2}});
  Simulation simulation(fmu::model_type());
  simulation.set("pulse_shape", 2);
  simulation.initialise(0);
  for (int k = 0; k < 150; ++k) {
    const double now = k * 1e-3, size = 1e-3;
    REQUIRE(fmu.step(now, size).status == fmi3OK);
    simulation.synchronise(now);
    REQUIRE(simulation.advance(now + size).outcome == Outcome::reached);
    const std::vector<double> ours = fmu.numbers();
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const Handle h = static_cast<Handle>(output_references()[i]) - 2;
      INFO(table()[h].name << " at step " << k);
      REQUIRE(std::bit_cast<std::uint64_t>(ours[i]) == std::bit_cast<std::uint64_t>(simulation.get(h)));
    }
  }
  CHECK(std::abs(fmu.get("head_angle")) > 0.1);
}

TEST_CASE("A reset instance is a fresh one, bit for bit") {
  Fmu fresh, used;
  used.start(contact_settings());
  used.go(0, 40);
  REQUIRE(fmi3Reset(used) == fmi3OK);
  fresh.start({{"pulse_shape", 3}});
  used.start({{"pulse_shape", 3}});
  CHECK(used.bits() == fresh.bits());
  for (int k = 0; k < 50; ++k) {
    fresh.go(k, k + 1);
    used.go(k, k + 1);
    REQUIRE(used.bits() == fresh.bits());
  }
}

TEST_CASE("A reset gives every variable its start value back") {
  Fmu fmu;
  fmu.set_all(contact_settings());
  fmu.set("gravity", 5);
  fmu.start();
  fmu.go(0, 2);
  fmu.set("plane1_stiffness_factor", 2);
  fmu.set("head_force_x", 7);
  REQUIRE(fmi3Reset(fmu) == fmi3OK);
  fmu.enter_initialization();
  for (Handle h = 0; h < table().size(); ++h) {
    const Variable& v = table()[h];
    if (v.causality == Causality::output) continue;
    const fmi3ValueReference r = fmu::reference(h);
    INFO(v.name);
    if (v.type == Type::float64) CHECK(fmu.get(r) == v.start);
    if (v.type == Type::boolean) {
      fmi3Boolean b;
      REQUIRE(fmi3GetBoolean(fmu, &r, 1, &b, 1) == fmi3OK);
      CHECK(b == (v.start != 0));
    }
    if (v.type == Type::enumeration) {
      fmi3Int64 i;
      REQUIRE(fmi3GetInt64(fmu, &r, 1, &i, 1) == fmi3OK);
      CHECK(static_cast<double>(i) == v.start);
    }
    if (v.type == Type::string) {
      fmi3String s;
      REQUIRE(fmi3GetString(fmu, &r, 1, &s, 1) == fmi3OK);
      CHECK(s == v.start_text);
    }
  }
}

namespace {

/// Each number gives another run.
Fmu::Values run_alone(int number, int steps) {
  Fmu fmu;
  fmu.start({{"pulse_shape", 2}, {"gravity", 9 + 0.01 * number}});
  for (int k = 0; k < steps; ++k) {
    fmu.set("head_force_x", number * k);
    fmu.go(k, k + 1);
  }
  return fmu.bits();
}

}  // namespace

TEST_CASE("A hundred interleaved instances do not disturb each other") {
  constexpr int count = 100, steps = 4;
  std::vector<std::unique_ptr<Fmu>> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(std::make_unique<Fmu>());
    all.back()->start({{"pulse_shape", 2}, {"gravity", 9 + 0.01 * i}});
  }
  for (int k = 0; k < steps; ++k)
    for (int i = 0; i < count; ++i) {
      all[i]->set("head_force_x", i * k);
      all[i]->go(k, k + 1);
    }
  for (int i = 0; i < count; ++i) REQUIRE(all[i]->bits() == run_alone(i, steps));
  CHECK(all[0]->bits() != all[1]->bits());
}

TEST_CASE("Sixteen threads with an instance each get what one thread gets") {
  constexpr int count = 16, steps = 20;
  std::vector<Fmu::Values> results(count);
  {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back([i, &results] { results[i] = run_alone(i, steps); });
    for (std::thread& t : threads) t.join();
  }
  for (int i = 0; i < count; ++i) CHECK(results[i] == run_alone(i, steps));
}
