#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <random>

#include "fmu/driver.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

/// Fixed seeds; the environment variable SPONDYL_FUZZ_SEEDS asks for more of them.
unsigned seeds(unsigned usual) {
  const char* const text = std::getenv("SPONDYL_FUZZ_SEEDS");
  const long wanted = text ? std::strtol(text, nullptr, 10) : 0;
  return wanted > 0 ? static_cast<unsigned>(wanted) : usual;
}

constexpr double largest = std::numeric_limits<double>::max(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

/// Arguments, most of them good.
class Pool {
 public:
  explicit Pool(unsigned seed) : random_(seed) {}
  unsigned below(unsigned n) { return random_() % n; }
  bool one_in(unsigned n) { return below(n) == 0; }
  template <class T, std::size_t n>
  T any(const std::array<T, n>& from) {
    return from[below(n)];
  }

  fmi3ValueReference reference() {
    if (one_in(20)) return any(std::array<fmi3ValueReference, 4>{0, 1, 100000, 0xFFFFFFFF});
    return 2 + below(static_cast<unsigned>(table().size()));
  }
  /// A variable of the type and, mostly, one that can be set.
  fmi3ValueReference reference(Type type, bool to_set) {
    if (one_in(10)) return reference();
    for (;;) {
      const Handle h = static_cast<Handle>(below(static_cast<unsigned>(table().size())));
      const Variable& v = table()[h];
      if (v.type == type && !(to_set && v.causality == Causality::output)) return fmu::reference(h);
    }
  }
  /// For the variable: near its start and its limits, or not allowed at all. Loads stay such that a step
  /// takes milliseconds, or so large that it fails at once.
  double value(fmi3ValueReference r) {
    if (one_in(15)) return any(std::array{not_a_number, infinity, -infinity, largest, -1e300, 1e300});
    const auto h = static_cast<std::int64_t>(r) - 2;
    if (h < 0 || h >= table().size()) return 1;
    const Variable& v = table()[static_cast<Handle>(h)];
    if (v.name == "max_step") return one_in(3) ? 1e-4 : 1e-2;
    if (v.name.ends_with("_tolerance")) return one_in(2) ? 1e-8 : 1e-3;
    if (one_in(8) && v.variability == Variability::tunable) return one_in(2) ? v.min : v.max;
    const double spread = v.nominal * any(std::array{0.0, 0.01, 0.1, 1.0, 3.0});
    return v.start + (one_in(2) ? spread : -spread);
  }
  fmi3Int64 item() {
    return one_in(10) ? any(std::array<fmi3Int64, 3>{std::numeric_limits<fmi3Int64>::min(), 0, 1000000})
                      : 1 + below(4);
  }
  double step_size() {
    if (one_in(12)) return any(std::array{0.0, -1e-3, not_a_number, infinity, 1e-300, -infinity});
    return any(std::array{1e-7, 1e-5, 1e-4, 1e-3, 2e-3});
  }

 private:
  std::mt19937 random_;
};

/// An instance with all that was got from it.
struct Actor {
  std::unique_ptr<Fmu> fmu;
  std::vector<fmi3FMUState> states;
  double now = 0;
};

Actor make_actor(Pool& pool) {
  Actor a;
  a.fmu = std::make_unique<Fmu>(Options{.event_mode = !pool.one_in(3),
                                        .early_return = pool.one_in(2),
                                        .intermediate_update = pool.one_in(3),
                                        .logging = pool.one_in(2)});
  return a;
}

/// The functions that the FMU refuses always, and what is rarely called.
fmi3Status odd_call(Actor& a, Pool& pool) {
  Fmu& fmu = *a.fmu;
  const fmi3ValueReference r = pool.reference();
  const size_t n = pool.below(2);
  size_t count = 0;
  double x[2] = {};
  fmi3Float32 single = 0;
  fmi3Int32 whole = 0;
  fmi3Clock clock = false;
  const fmi3String categories[] = {pool.one_in(3) ? "logNothing" : "logEvents"};
  switch (pool.below(12)) {
    case 0:
      return fmi3GetFloat32(fmu, &r, n, &single, n);
    case 1:
      return fmi3SetInt32(fmu, &r, n, &whole, n);
    case 2:
      return fmi3GetClock(fmu, &r, n, &clock);
    case 3:
      return fmi3EnterConfigurationMode(fmu);
    case 4:
      return fmi3EvaluateDiscreteStates(fmu);
    case 5:
      return fmi3SetTime(fmu, 1);
    case 6:
      return fmi3GetContinuousStates(fmu, x, 2);
    case 7:
      return fmi3GetNumberOfEventIndicators(fmu, &count);
    case 8:
      return fmi3GetNumberOfVariableDependencies(fmu, r, pool.one_in(5) ? nullptr : &count);
    case 9: {
      if (fmi3GetNumberOfVariableDependencies(fmu, r, &count) != fmi3OK) return fmi3Error;
      std::vector<size_t> of(count), on(count);
      std::vector<fmi3ValueReference> references(count);
      std::vector<fmi3DependencyKind> kinds(count);
      return fmi3GetVariableDependencies(fmu, r, of.data(), references.data(), on.data(), kinds.data(),
                                         count);
    }
    case 10:
      return fmi3SetDebugLogging(fmu, pool.one_in(2), n, pool.one_in(5) ? nullptr : categories);
    default:
      return fmi3GetIntervalDecimal(fmu, &r, n, x, nullptr);
  }
}

template <class T>
fmi3Status set_some(Actor& a, Pool& pool, Type type,
                    fmi3Status (*set)(fmi3Instance, const fmi3ValueReference*, size_t, const T*, size_t),
                    const std::function<T(fmi3ValueReference)>& value) {
  const size_t n = pool.below(4);
  fmi3ValueReference r[4];
  T v[4]{};
  for (size_t i = 0; i < n; ++i) {
    r[i] = pool.reference(type, true);
    v[i] = value(r[i]);
  }
  return set(*a.fmu, pool.one_in(40) ? nullptr : r, n, pool.one_in(40) ? nullptr : v,
             pool.one_in(30) ? n + 1 : n);
}

template <class T>
fmi3Status get_some(Actor& a, Pool& pool, Type type,
                    fmi3Status (*get)(fmi3Instance, const fmi3ValueReference*, size_t, T*, size_t)) {
  const size_t n = pool.below(4);
  fmi3ValueReference r[4];
  T v[5]{};
  for (size_t i = 0; i < n; ++i) r[i] = pool.reference(type, false);
  return get(*a.fmu, pool.one_in(40) ? nullptr : r, n, pool.one_in(40) ? nullptr : v,
             pool.one_in(30) ? n + 1 : n);
}

fmi3Status derivative_call(Actor& a, Pool& pool) {
  fmi3ValueReference of[3], to[3];
  double seed[3], result[3];
  fmi3Int32 orders[3];
  for (int i = 0; i < 3; ++i) {
    of[i] =
        pool.one_in(10) ? pool.reference() : output_references()[pool.below(80) % output_references().size()];
    to[i] = pool.one_in(8) ? 1 : pool.reference(Type::float64, true);
    seed[i] = pool.one_in(20) ? not_a_number : pool.below(3);
    orders[i] = pool.one_in(10) ? 2 : 1;
  }
  const size_t n = pool.below(4), m = pool.below(4);
  switch (pool.below(3)) {
    case 0:
      return fmi3GetDirectionalDerivative(*a.fmu, of, n, to, m, seed, m, result, pool.one_in(20) ? 9 : n);
    case 1:
      return fmi3GetAdjointDerivative(*a.fmu, of, n, to, m, seed, n, result, pool.one_in(20) ? 9 : m);
    default:
      return fmi3GetOutputDerivatives(*a.fmu, of, n, pool.one_in(20) ? nullptr : orders, result, n);
  }
}

/// States of this instance and, now and then, of another, of none, or freed.
fmi3Status state_call(Actor& a, Actor& other, Pool& pool) {
  Fmu& fmu = *a.fmu;
  const std::vector<fmi3FMUState>& from = pool.one_in(10) ? other.states : a.states;
  fmi3FMUState state =
      from.empty() || pool.one_in(20) ? nullptr : from[pool.below(static_cast<unsigned>(from.size()))];
  size_t size = 0;
  switch (pool.below(5)) {
    case 0: {
      if (a.states.size() > 8) state = a.states[0];
      const bool fresh = state == nullptr;
      const fmi3Status status = fmi3GetFMUState(fmu, pool.one_in(20) ? nullptr : &state);
      if (status == fmi3OK && fresh && state) a.states.push_back(state);
      return status;
    }
    case 1:
    case 2:
      return fmi3SetFMUState(fmu, state);
    case 3: {
      const fmi3FMUState freed = state;
      const fmi3Status status = fmi3FreeFMUState(fmu, &state);
      // a freed one is tried again, later
      if (status == fmi3OK && freed && pool.one_in(2)) std::erase(a.states, freed);
      return status;
    }
    default: {
      const fmi3Status status = fmi3SerializedFMUStateSize(fmu, state, &size);
      if (status != fmi3OK) return status;
      std::vector<fmi3Byte> bytes(size);
      if (const fmi3Status done = fmi3SerializeFMUState(fmu, state, bytes.data(), size); done != fmi3OK)
        return done;
      Actor& reader = pool.one_in(2) ? other : a;
      reader.fmu->messages.clear();
      a.fmu->messages.clear();
      fmi3FMUState read = nullptr;
      const fmi3Status done = fmi3DeserializeFMUState(*reader.fmu, bytes.data(), size, &read);
      if (done == fmi3OK) reader.states.push_back(read);
      // what is not finite is not read back; the message is the reader's
      if (done == fmi3Error) {
        REQUIRE(reader.fmu->messages.size() == 1);
        reader.fmu->messages.clear();
        return fmi3OK;
      }
      return done;
    }
  }
}

fmi3Status step_call(Actor& a, Pool& pool) {
  StepResult r;
  const double size = pool.step_size();
  double now = a.now;
  if (pool.one_in(30)) now = pool.any(std::array{not_a_number, infinity, -1.0, 1e9});
  if (pool.one_in(60)) return fmi3DoStep(*a.fmu, now, size, false, nullptr, &r.terminate, &r.early, &r.last);
  r = a.fmu->step(now, size);
  if (r.status == fmi3OK) {
    REQUIRE(r.last > now);
    REQUIRE(r.last <= now + size);
    REQUIRE_FALSE(r.terminate);
  }
  return r.status;
}

fmi3Status random_call(Actor& a, Actor& other, Pool& pool) {
  Fmu& fmu = *a.fmu;
  switch (pool.below(32)) {
    case 0:
    case 21:
      return fmi3EnterInitializationMode(fmu, pool.one_in(4),
                                         pool.any(std::array{1e-6, 1e-4, 0.0, not_a_number}),
                                         pool.any(std::array{0.0, 0.0, 0.0, -1.0, 5.0, not_a_number}),
                                         pool.one_in(6), pool.any(std::array{1.0, 10.0, -5.0}));
    case 1:
    case 18:
    case 19:
      return fmi3ExitInitializationMode(fmu);
    case 2:
      return fmi3EnterEventMode(fmu);
    case 3:
    case 4:
    case 20:
      return fmi3EnterStepMode(fmu);
    case 5: {
      fmi3Boolean b[5];
      double next;
      return fmi3UpdateDiscreteStates(fmu, b, b + 1, b + 2, b + 3, pool.one_in(20) ? nullptr : b + 4, &next);
    }
    case 6:
      return pool.one_in(8) ? fmi3Terminate(fmu) : fmi3OK;
    case 7:
      return pool.one_in(8) ? fmi3Reset(fmu) : fmi3OK;
    case 8:
    case 9:
      return set_some<double>(a, pool, Type::float64, fmi3SetFloat64,
                              [&](fmi3ValueReference r) { return pool.value(r); });
    case 10:
      return set_some<fmi3Boolean>(a, pool, Type::boolean, fmi3SetBoolean,
                                   [&](fmi3ValueReference) { return pool.one_in(2); });
    case 11:
      return set_some<fmi3Int64>(a, pool, Type::enumeration, fmi3SetInt64,
                                 [&](fmi3ValueReference) { return pool.item(); });
    case 12:
      return set_some<fmi3String>(
          a, pool, Type::string, fmi3SetString, [&](fmi3ValueReference) -> fmi3String {
            return pool.any(std::array<fmi3String, 3>{"", "/nowhere/at all", nullptr});
          });
    case 13:
      switch (pool.below(3)) {
        case 0:
          return get_some<fmi3Int64>(a, pool, Type::enumeration, fmi3GetInt64);
        case 1:
          return get_some<fmi3Boolean>(a, pool, Type::boolean, fmi3GetBoolean);
        default:
          return get_some<fmi3String>(a, pool, Type::string, fmi3GetString);
      }
    case 14:
      return get_some<double>(a, pool, Type::float64, fmi3GetFloat64);
    case 15:
      return derivative_call(a, pool);
    case 16:
      return state_call(a, other, pool);
    case 17:
      return odd_call(a, pool);
    default:
      return step_call(a, pool);
  }
}

/// What an instance is before anything has happened to it.
const std::vector<fmi3Byte>& fresh_bytes() {
  static const std::vector<fmi3Byte> bytes = [] {
    Fmu fmu;
    return serialised(fmu);
  }();
  return bytes;
}

/// A short run from Instantiated.
Fmu::Values short_run(Fmu& fmu) {
  fmu.start(contact_settings());
  fmu.go(0, 3);
  return fmu.bits();
}

/// After a reset the instance is a fresh one.
void check_reset(Fmu& fmu) {
  static const Fmu::Values expected = [] {
    Fmu fresh;
    return short_run(fresh);
  }();
  fmu.on_update = nullptr;
  REQUIRE(fmi3Reset(fmu) == fmi3OK);
  REQUIRE((serialised(fmu) == fresh_bytes()));
  double now = 0;
  fmu.start(contact_settings());
  // early returns, if there are any, do not end a step of this run
  for (int k = 0; k < 3; ++k) {
    const StepResult r = fmu.step(now, (k + 1) * 1e-3 - now);
    REQUIRE(r.status == fmi3OK);
    now = r.last;
  }
  REQUIRE((fmu.bits() == expected));
}

/// With the checksum that belongs to the content.
std::vector<fmi3Byte> repaired(std::vector<fmi3Byte> bytes) {
  const std::uint64_t sum = fmu::hash(std::as_bytes(std::span(bytes)).first(bytes.size() - 8));
  std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
  return bytes;
}

}  // namespace

TEST_CASE("Any sequence of calls ends in statuses and messages, and a reset makes the instance fresh") {
  int stepped = 0, refused = 0, discarded = 0;
  for (unsigned seed = 1; seed <= seeds(40); ++seed) {
    Pool pool(seed);
    std::array<Actor, 2> actors{make_actor(pool), make_actor(pool)};
    for (Actor& a : actors) {
      // half of them are under way before the disorder begins
      if (pool.one_in(2)) a.fmu->start(contact_settings());
      a.fmu->on_update = [&pool, &a](double time, bool, fmi3Boolean* wants, fmi3Float64* when) {
        if (pool.one_in(4)) a.fmu->get("head_angle");
        *wants = pool.one_in(10);
        *when = pool.any(std::array{time, 0.0, time + 1e-5, not_a_number, infinity});
      };
    }
    for (int k = 0; k < 150; ++k) {
      const unsigned which = pool.below(2);
      Actor &a = actors[which], &other = actors[1 - which];
      a.fmu->messages.clear();
      const double before = a.now;
      const fmi3Status status = random_call(a, other, pool);
      INFO("seed " << seed << ", call " << k << ", said: " << a.fmu->last_message());
      REQUIRE((status == fmi3OK || status == fmi3Error || status == fmi3Discard));
      int errors = 0;
      for (const Fmu::Message& m : a.fmu->messages) {
        errors += m.status == fmi3Error;
        REQUIRE(m.text.size() > 5);
        REQUIRE(m.text.back() != '\n');
      }
      REQUIRE(errors == (status == fmi3Error ? 1 : 0));
      refused += status == fmi3Error;
      discarded += status == fmi3Discard;
      const fmi3ValueReference r = fmu::time_reference;
      if (fmi3GetFloat64(*a.fmu, &r, 1, &a.now, 1) != fmi3OK) a.now = 0;
      REQUIRE(std::isfinite(a.now));
      stepped += status == fmi3OK && a.now > before;
    }
    for (Actor& a : actors) {
      INFO("seed " << seed);
      check_reset(*a.fmu);
    }
  }
  // there was life in it
  CHECK(stepped > 500);
  CHECK(refused > 100);
  CHECK(discarded > 0);
}

TEST_CASE("Serialised states with a right checksum over damaged content are refused or can be lived with") {
  // states from the ways of life
  std::vector<std::vector<fmi3Byte>> originals{fresh_bytes()};
  {
    Fmu fmu({.event_mode = true});
    fmu.set_all(contact_settings());
    fmu.enter_initialization();
    originals.push_back(serialised(fmu));
    fmu.numbers();
    originals.push_back(serialised(fmu));
    REQUIRE(fmi3ExitInitializationMode(fmu) == fmi3OK);
    originals.push_back(serialised(fmu));
    REQUIRE(fmi3EnterStepMode(fmu) == fmi3OK);
    fmu.go(0, 60);
    fmu.set("head_force_x", 5);
    originals.push_back(serialised(fmu));
    REQUIRE(fmi3Terminate(fmu) == fmi3OK);
    originals.push_back(serialised(fmu));
    Fmu ida;
    ida.start({{"solver", SolverNumber::ida}, {"pulse_shape", 2}});
    ida.go(0, 5);
    originals.push_back(serialised(ida));
  }
  for (const auto& bytes : originals) REQUIRE((repaired(bytes) == bytes));

  std::uint64_t odd[] = {0, 1, 2, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0, 0, 0, 0, 0};
  const double odd_numbers[] = {not_a_number, infinity, -1.0, 1e300, -1e-300};
  std::memcpy(odd + 6, odd_numbers, sizeof odd_numbers);
  int refused = 0, restored = 0, stepped = 0;
  for (unsigned seed = 1; seed <= seeds(40); ++seed) {
    std::mt19937 random(seed);
    Fmu fmu({.event_mode = true});
    if (random() % 2 == 0) fmu.start(contact_settings());
    for (int k = 0; k < 25; ++k) {
      std::vector<fmi3Byte> bytes = originals[random() % originals.size()];
      const std::size_t words = bytes.size() / 8;
      for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
        // behind the header; half of the time in the last part, where lengths, counters and memory are
        const std::size_t word = random() % 2 == 0 ? 4 + random() % (words - 5)
                                                   : 4 + (words - 5) / 2 + random() % ((words - 5) / 2);
        if (random() % 2 == 0)
          std::memcpy(bytes.data() + 8 * word, &odd[random() % std::size(odd)], 8);
        else
          bytes[8 * word + random() % 8] ^= static_cast<fmi3Byte>(1 + random() % 255);
      }
      bytes = repaired(bytes);
      INFO("seed " << seed << ", state " << k);
      fmu.messages.clear();
      fmi3FMUState state = nullptr;
      const fmi3Status read = fmi3DeserializeFMUState(fmu, bytes.data(), bytes.size(), &state);
      REQUIRE((read == fmi3OK || read == fmi3Error));
      const fmi3Status set = read == fmi3OK ? fmi3SetFMUState(fmu, state) : fmi3Error;
      REQUIRE((set == fmi3OK || set == fmi3Error));
      REQUIRE(fmu.messages.size() == (set == fmi3Error ? 1 : 0));
      (set == fmi3Error ? refused : restored) += 1;
      if (set == fmi3OK) {
        // whatever it is, it can be used
        fmi3EnterInitializationMode(fmu, false, 0, 0, false, 0);
        fmi3ExitInitializationMode(fmu);
        fmi3EnterStepMode(fmu);
        const fmi3ValueReference r = fmu::time_reference;
        double now = 0;
        fmi3GetFloat64(fmu, &r, 1, &now, 1);
        const fmi3Status status = fmu.step(now, 1e-5).status;
        REQUIRE((status == fmi3OK || status == fmi3Error || status == fmi3Discard));
        stepped += status == fmi3OK;
        std::vector<double> values(output_references().size());
        fmi3GetFloat64(fmu, output_references().data(), values.size(), values.data(), values.size());
        const std::vector<fmi3Byte> again = serialised(fmu);
        REQUIRE(again.size() > 40);
      }
      if (state) REQUIRE(fmi3FreeFMUState(fmu, &state) == fmi3OK);
    }
    check_reset(fmu);
  }
  CHECK(refused > 100);
  CHECK(restored > 100);
  CHECK(stepped > 50);
}

TEST_CASE("A number that is none, in any one place of a serialised state, does no harm") {
  Fmu fmu;
  fmu.start(contact_settings());
  fmu.go(0, 60);
  const std::vector<fmi3Byte> bytes = serialised(fmu);
  const double now = fmu.time();
  constexpr std::uint64_t none = 0x7FFFFFFFFFFFFFFF;  // as a double no number, as an integer the largest
  int refused = 0, stepped = 0;
  for (std::size_t word = 4; word < bytes.size() / 8 - 1; ++word) {
    std::vector<fmi3Byte> damaged = bytes;
    std::memcpy(damaged.data() + 8 * word, &none, 8);
    damaged = repaired(damaged);
    INFO("word " << word);
    fmi3FMUState state = nullptr;
    if (fmi3DeserializeFMUState(fmu, damaged.data(), damaged.size(), &state) != fmi3OK ||
        fmi3SetFMUState(fmu, state) != fmi3OK) {
      ++refused;
    } else {
      const fmi3Status status = fmu.step(now, 1e-5).status;
      REQUIRE((status == fmi3OK || status == fmi3Discard));
      stepped += status == fmi3OK;
    }
    if (state) REQUIRE(fmi3FreeFMUState(fmu, &state) == fmi3OK);
  }
  CHECK(refused > 300);  // parameters, inputs, motion, solver
  CHECK(stepped > 500);  // outputs and samples
  check_reset(fmu);
}
