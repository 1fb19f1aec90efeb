#include <memory>

#include "fmu/driver.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

/// I Instantiated, N Initialization Mode, E Event Mode, S Step Mode, U Intermediate Update Mode, T
/// Terminated.
constexpr std::string_view modes = "INESUT";

/// An instance in a mode, with what a harmless call of any function needs.
struct Stage {
  std::unique_ptr<Fmu> fmu;
  fmi3FMUState state = nullptr;
  std::vector<fmi3Byte> bytes;
  double now = 0;
};

/// Advances to a mode and calls the function there. In Intermediate Update Mode that is in the callback of a
/// step from 2 ms to 3 ms, which ends before this returns.
Stage bring_to(char mode, const std::function<void(Stage&)>& there) {
  Stage s;
  s.fmu = std::make_unique<Fmu>(Options{.event_mode = true, .intermediate_update = true});
  Fmu& fmu = *s.fmu;
  fmu.set_all({{"pulse_shape", 2}});
  REQUIRE(fmi3GetFMUState(fmu, &s.state) == fmi3OK);
  size_t size = 0;
  REQUIRE(fmi3SerializedFMUStateSize(fmu, s.state, &size) == fmi3OK);
  s.bytes.resize(size);
  REQUIRE(fmi3SerializeFMUState(fmu, s.state, s.bytes.data(), size) == fmi3OK);
  if (mode == 'I') {
    there(s);
    return s;
  }
  fmu.enter_initialization();
  if (mode == 'N') {
    there(s);
    return s;
  }
  REQUIRE(fmi3ExitInitializationMode(fmu) == fmi3OK);
  REQUIRE(fmi3EnterStepMode(fmu) == fmi3OK);
  fmu.go(0, 2);
  s.now = 2e-3;
  if (mode == 'E') REQUIRE(fmi3EnterEventMode(fmu) == fmi3OK);
  if (mode == 'T') REQUIRE(fmi3Terminate(fmu) == fmi3OK);
  if (mode == 'U') {
    int calls = 0;
    fmu.on_update = [&](double, bool, fmi3Boolean*, fmi3Float64*) {
      if (calls++ == 0) there(s);
    };
    REQUIRE(fmu.step(2e-3, 1e-3).status == fmi3OK);
    fmu.on_update = nullptr;
    REQUIRE(calls > 0);
  } else {
    there(s);
  }
  return s;
}

struct Row {
  const char* name;
  std::string_view allowed_in;
  fmi3Status (*call)(Stage&);
};

// What the standard allows for co-simulation (2.3 and 4.2), as far as the FMU has the capability.
constexpr std::string_view nowhere = "", reading = "NESUT", writing = "INES", anywhere = "INEST";

const fmi3ValueReference one_reference[] = {2};

template <class T>
fmi3Status get_one(Stage& s, fmi3Status (*get)(fmi3Instance, const fmi3ValueReference*, size_t, T*, size_t),
                   const char* name) {
  T value{};
  const fmi3ValueReference r = vr(name);
  return get(*s.fmu, &r, 1, &value, 1);
}
template <class T>
fmi3Status set_one(Stage& s,
                   fmi3Status (*set)(fmi3Instance, const fmi3ValueReference*, size_t, const T*, size_t),
                   const char* name, T value) {
  const fmi3ValueReference r = vr(name);
  return set(*s.fmu, &r, 1, &value, 1);
}

#define ABSENT(T)                                                                                      \
  {"fmi3Get" #T, nowhere, [](Stage& s) { return get_one<fmi3##T>(s, fmi3Get##T, "head_force_x"); }}, { \
    "fmi3Set" #T, nowhere, [](Stage& s) { return set_one<fmi3##T>(s, fmi3Set##T, "head_force_x", 0); } \
  }

double nothing[4];
fmi3UInt64 whole[4] = {1, 1, 1, 1};
fmi3IntervalQualifier qualifiers[4];
fmi3Boolean flags[5];
size_t count;

const Row rows[] = {
    {"fmi3SetDebugLogging", anywhere,
     [](Stage& s) { return fmi3SetDebugLogging(*s.fmu, false, 0, nullptr); }},
    {"fmi3EnterInitializationMode", "I",
     [](Stage& s) { return fmi3EnterInitializationMode(*s.fmu, false, 0, 0, false, 0); }},
    {"fmi3ExitInitializationMode", "N", [](Stage& s) { return fmi3ExitInitializationMode(*s.fmu); }},
    {"fmi3EnterEventMode", "S", [](Stage& s) { return fmi3EnterEventMode(*s.fmu); }},
    {"fmi3EnterStepMode", "E", [](Stage& s) { return fmi3EnterStepMode(*s.fmu); }},
    {"fmi3Terminate", "ES", [](Stage& s) { return fmi3Terminate(*s.fmu); }},
    {"fmi3Reset", anywhere, [](Stage& s) { return fmi3Reset(*s.fmu); }},
    {"fmi3UpdateDiscreteStates", "E",
     [](Stage& s) {
       return fmi3UpdateDiscreteStates(*s.fmu, flags, flags + 1, flags + 2, flags + 3, flags + 4, nothing);
     }},
    {"fmi3DoStep", "S",
     [](Stage& s) { return fmi3DoStep(*s.fmu, s.now, 1e-3, false, flags, flags + 1, flags + 2, nothing); }},

    {"fmi3GetFloat64", reading, [](Stage& s) { return get_one(s, fmi3GetFloat64, "head_angle"); }},
    {"fmi3GetInt64", reading, [](Stage& s) { return get_one(s, fmi3GetInt64, "pulse_shape"); }},
    {"fmi3GetBoolean", reading, [](Stage& s) { return get_one(s, fmi3GetBoolean, "plane1_active"); }},
    {"fmi3GetString", reading, [](Stage& s) { return get_one(s, fmi3GetString, "data_path"); }},
    {"fmi3SetFloat64", writing, [](Stage& s) { return set_one(s, fmi3SetFloat64, "head_force_x", 1.0); }},
    {"fmi3SetInt64", "IN", [](Stage& s) { return set_one<fmi3Int64>(s, fmi3SetInt64, "pulse_shape", 3); }},
    {"fmi3SetBoolean", writing,
     [](Stage& s) { return set_one<fmi3Boolean>(s, fmi3SetBoolean, "plane1_active", true); }},
    {"fmi3SetString", "IN",
     [](Stage& s) { return set_one<fmi3String>(s, fmi3SetString, "data_path", "elsewhere"); }},
    ABSENT(Float32),
    ABSENT(Int8),
    ABSENT(UInt8),
    ABSENT(Int16),
    ABSENT(UInt16),
    ABSENT(Int32),
    ABSENT(UInt32),
    ABSENT(UInt64),
    {"fmi3GetBinary", nowhere,
     [](Stage& s) {
       fmi3Binary value = nullptr;
       return fmi3GetBinary(*s.fmu, one_reference, 1, &count, &value, 1);
     }},
    {"fmi3SetBinary", nowhere,
     [](Stage& s) {
       const fmi3Byte byte = 0;
       const fmi3Binary value = &byte;
       const size_t size = 1;
       return fmi3SetBinary(*s.fmu, one_reference, 1, &size, &value, 1);
     }},
    {"fmi3GetClock", nowhere,
     [](Stage& s) {
       fmi3Clock value;
       return fmi3GetClock(*s.fmu, one_reference, 1, &value);
     }},
    {"fmi3SetClock", nowhere,
     [](Stage& s) {
       const fmi3Clock value = true;
       return fmi3SetClock(*s.fmu, one_reference, 1, &value);
     }},

    {"fmi3GetNumberOfVariableDependencies", anywhere,
     [](Stage& s) { return fmi3GetNumberOfVariableDependencies(*s.fmu, vr("head_angle"), &count); }},
    {"fmi3GetVariableDependencies", anywhere,
     [](Stage& s) {
       size_t of = 0, on = 0;
       fmi3ValueReference independent = 0;
       fmi3DependencyKind kind;
       return fmi3GetVariableDependencies(*s.fmu, vr("head_angle"), &of, &independent, &on, &kind, 0);
     }},
    {"fmi3GetDirectionalDerivative", "NES",
     [](Stage& s) {
       const fmi3ValueReference of = vr("head_acceleration_x"), to = vr("head_force_x");
       const double seed = 1;
       return fmi3GetDirectionalDerivative(*s.fmu, &of, 1, &to, 1, &seed, 1, nothing, 1);
     }},
    {"fmi3GetAdjointDerivative", "NES",
     [](Stage& s) {
       const fmi3ValueReference of = vr("head_acceleration_x"), to = vr("head_force_x");
       const double seed = 1;
       return fmi3GetAdjointDerivative(*s.fmu, &of, 1, &to, 1, &seed, 1, nothing, 1);
     }},
    {"fmi3GetOutputDerivatives", "SUT",
     [](Stage& s) {
       const fmi3ValueReference of = vr("head_angle");
       const fmi3Int32 order = 1;
       return fmi3GetOutputDerivatives(*s.fmu, &of, 1, &order, nothing, 1);
     }},

    {"fmi3GetFMUState", anywhere,
     [](Stage& s) {
       fmi3FMUState another = nullptr;
       return fmi3GetFMUState(*s.fmu, &another);
     }},
    {"fmi3SetFMUState", anywhere, [](Stage& s) { return fmi3SetFMUState(*s.fmu, s.state); }},
    {"fmi3FreeFMUState", anywhere,
     [](Stage& s) {
       fmi3FMUState kept = s.state;
       return fmi3FreeFMUState(*s.fmu, &kept);
     }},
    {"fmi3SerializedFMUStateSize", anywhere,
     [](Stage& s) { return fmi3SerializedFMUStateSize(*s.fmu, s.state, &count); }},
    {"fmi3SerializeFMUState", anywhere,
     [](Stage& s) { return fmi3SerializeFMUState(*s.fmu, s.state, s.bytes.data(), s.bytes.size()); }},
    {"fmi3DeserializeFMUState", anywhere,
     [](Stage& s) {
       fmi3FMUState another = nullptr;
       return fmi3DeserializeFMUState(*s.fmu, s.bytes.data(), s.bytes.size(), &another);
     }},

    {"fmi3EnterConfigurationMode", nowhere, [](Stage& s) { return fmi3EnterConfigurationMode(*s.fmu); }},
    {"fmi3ExitConfigurationMode", nowhere, [](Stage& s) { return fmi3ExitConfigurationMode(*s.fmu); }},
    {"fmi3EvaluateDiscreteStates", nowhere, [](Stage& s) { return fmi3EvaluateDiscreteStates(*s.fmu); }},
    {"fmi3GetIntervalDecimal", nowhere,
     [](Stage& s) { return fmi3GetIntervalDecimal(*s.fmu, one_reference, 1, nothing, qualifiers); }},
    {"fmi3GetIntervalFraction", nowhere,
     [](Stage& s) {
       return fmi3GetIntervalFraction(*s.fmu, one_reference, 1, whole, whole + 1, qualifiers);
     }},
    {"fmi3GetShiftDecimal", nowhere,
     [](Stage& s) { return fmi3GetShiftDecimal(*s.fmu, one_reference, 1, nothing); }},
    {"fmi3GetShiftFraction", nowhere,
     [](Stage& s) { return fmi3GetShiftFraction(*s.fmu, one_reference, 1, whole, whole + 1); }},
    {"fmi3SetIntervalDecimal", nowhere,
     [](Stage& s) { return fmi3SetIntervalDecimal(*s.fmu, one_reference, 1, nothing); }},
    {"fmi3SetIntervalFraction", nowhere,
     [](Stage& s) { return fmi3SetIntervalFraction(*s.fmu, one_reference, 1, whole, whole + 1); }},
    {"fmi3SetShiftDecimal", nowhere,
     [](Stage& s) { return fmi3SetShiftDecimal(*s.fmu, one_reference, 1, nothing); }},
    {"fmi3SetShiftFraction", nowhere,
     [](Stage& s) { return fmi3SetShiftFraction(*s.fmu, one_reference, 1, whole, whole + 1); }},
    {"fmi3ActivateModelPartition", nowhere,
     [](Stage& s) { return fmi3ActivateModelPartition(*s.fmu, 2, s.now); }},
    {"fmi3EnterContinuousTimeMode", nowhere, [](Stage& s) { return fmi3EnterContinuousTimeMode(*s.fmu); }},
    {"fmi3CompletedIntegratorStep", nowhere,
     [](Stage& s) { return fmi3CompletedIntegratorStep(*s.fmu, false, flags, flags + 1); }},
    {"fmi3SetTime", nowhere, [](Stage& s) { return fmi3SetTime(*s.fmu, s.now); }},
    {"fmi3SetContinuousStates", nowhere,
     [](Stage& s) { return fmi3SetContinuousStates(*s.fmu, nothing, 1); }},
    {"fmi3GetContinuousStateDerivatives", nowhere,
     [](Stage& s) { return fmi3GetContinuousStateDerivatives(*s.fmu, nothing, 1); }},
    {"fmi3GetEventIndicators", nowhere, [](Stage& s) { return fmi3GetEventIndicators(*s.fmu, nothing, 1); }},
    {"fmi3GetContinuousStates", nowhere,
     [](Stage& s) { return fmi3GetContinuousStates(*s.fmu, nothing, 1); }},
    {"fmi3GetNominalsOfContinuousStates", nowhere,
     [](Stage& s) { return fmi3GetNominalsOfContinuousStates(*s.fmu, nothing, 1); }},
    {"fmi3GetNumberOfEventIndicators", nowhere,
     [](Stage& s) { return fmi3GetNumberOfEventIndicators(*s.fmu, &count); }},
    {"fmi3GetNumberOfContinuousStates", nowhere,
     [](Stage& s) { return fmi3GetNumberOfContinuousStates(*s.fmu, &count); }},
};
#undef ABSENT

/// On from the mode to 8 ms, or as far as it goes.
Fmu::Values rest_of_the_run(Stage& s, char mode) {
  Fmu& fmu = *s.fmu;
  if (mode == 'I') fmu.enter_initialization();
  if (mode == 'I' || mode == 'N') REQUIRE(fmi3ExitInitializationMode(fmu) == fmi3OK);
  if (mode == 'I' || mode == 'N' || mode == 'E') REQUIRE(fmi3EnterStepMode(fmu) == fmi3OK);
  if (mode != 'T') fmu.go(mode == 'I' || mode == 'N' ? 0 : mode == 'U' ? 3 : 2, 8);
  return fmu.bits();
}

}  // namespace

TEST_CASE("Every function is accepted in the modes of the standard and in no other") {
  // with fmi3GetVersion, the three fmi3Instantiate... and fmi3FreeInstance these are all of FMI 3.0
  REQUIRE(std::size(rows) == 75 - 5);
  for (const char mode : modes)
    for (const Row& row : rows) {
      const bool allowed = row.allowed_in.find(mode) != std::string_view::npos;
      fmi3Status status = fmi3Fatal;
      std::vector<Fmu::Message> said;
      bring_to(mode, [&](Stage& s) {
        s.fmu->messages.clear();
        status = row.call(s);
        said = s.fmu->messages;
      });
      INFO(row.name << " in mode " << mode << (said.empty() ? "" : ": " + said.back().text));
      CHECK(status == (allowed ? fmi3OK : fmi3Error));
      if (allowed) {
        CHECK(said.empty());
      } else {
        REQUIRE(said.size() == 1);
        CHECK(said[0].status == fmi3Error);
        CHECK(said[0].category == "logStatusError");
        CHECK(said[0].text.find(row.name) == 0);
        CHECK(said[0].text.size() > std::string(row.name).size() + 5);
        CHECK(said[0].text.back() != '\n');
      }
    }
}

TEST_CASE("Refused calls leave an instance as it was, bit for bit") {
  for (const char mode : modes) {
    Stage undisturbed = bring_to(mode, [](Stage&) {});
    Stage disturbed = bring_to(mode, [&](Stage& s) {
      for (const Row& row : rows)
        if (row.allowed_in.find(mode) == std::string_view::npos) row.call(s);
    });
    INFO("mode " << mode);
    CHECK(rest_of_the_run(disturbed, mode) == rest_of_the_run(undisturbed, mode));
  }
}

TEST_CASE("Every function refuses a NULL instance") {
  // a stage whose instance handle is NULL cannot be had from Fmu, so these are spelled out
  double x = 0;
  fmi3Boolean b = false;
  fmi3FMUState state = nullptr;
  size_t n = 0;
  const fmi3ValueReference r = 2;
  CHECK(fmi3SetDebugLogging(nullptr, false, 0, nullptr) == fmi3Error);
  CHECK(fmi3EnterInitializationMode(nullptr, false, 0, 0, false, 0) == fmi3Error);
  CHECK(fmi3ExitInitializationMode(nullptr) == fmi3Error);
  CHECK(fmi3EnterEventMode(nullptr) == fmi3Error);
  CHECK(fmi3EnterStepMode(nullptr) == fmi3Error);
  CHECK(fmi3Terminate(nullptr) == fmi3Error);
  CHECK(fmi3Reset(nullptr) == fmi3Error);
  CHECK(fmi3DoStep(nullptr, 0, 1, false, &b, &b, &b, &x) == fmi3Error);
  CHECK(fmi3UpdateDiscreteStates(nullptr, &b, &b, &b, &b, &b, &x) == fmi3Error);
  CHECK(fmi3GetFloat64(nullptr, &r, 1, &x, 1) == fmi3Error);
  CHECK(fmi3SetFloat64(nullptr, &r, 1, &x, 1) == fmi3Error);
  CHECK(fmi3GetFloat32(nullptr, nullptr, 0, nullptr, 0) == fmi3Error);
  CHECK(fmi3SetClock(nullptr, nullptr, 0, nullptr) == fmi3Error);
  CHECK(fmi3GetFMUState(nullptr, &state) == fmi3Error);
  CHECK(fmi3SetFMUState(nullptr, state) == fmi3Error);
  CHECK(fmi3FreeFMUState(nullptr, &state) == fmi3Error);
  CHECK(fmi3SerializedFMUStateSize(nullptr, state, &n) == fmi3Error);
  CHECK(fmi3GetNumberOfVariableDependencies(nullptr, 2, &n) == fmi3Error);
  CHECK(fmi3GetDirectionalDerivative(nullptr, &r, 1, &r, 1, &x, 1, &x, 1) == fmi3Error);
  CHECK(fmi3GetOutputDerivatives(nullptr, nullptr, 0, nullptr, nullptr, 0) == fmi3Error);
  CHECK(fmi3SetTime(nullptr, 0) == fmi3Error);
  CHECK(fmi3GetNumberOfContinuousStates(nullptr, &n) == fmi3Error);
  fmi3FreeInstance(nullptr);
}

TEST_CASE("An instance is not freed inside its own callback") {
  Fmu fmu({.intermediate_update = true});
  fmu.start({{"pulse_shape", 2}});
  fmu.on_update = [&](double, bool, fmi3Boolean*, fmi3Float64*) { fmi3FreeInstance(fmu); };
  REQUIRE(fmu.step(0, 1e-3).status == fmi3OK);
  REQUIRE_FALSE(fmu.messages.empty());
  CHECK(fmu.last_message().find("fmi3FreeInstance") == 0);
}

TEST_CASE("Event Mode is refused to an instance made without it") {
  Fmu fmu;
  fmu.start();
  CHECK(fmi3EnterEventMode(fmu) == fmi3Error);
  CHECK(fmu.last_message().find("eventModeUsed") != std::string::npos);
  CHECK(fmu.step(0, 1e-3).status == fmi3OK);
}

TEST_CASE("Other kinds of instance, wrong tokens and unknown intermediate variables are refused") {
  std::string said;
  const auto log = [](fmi3InstanceEnvironment e, fmi3Status status, fmi3String, fmi3String text) {
    if (status == fmi3Error) *static_cast<std::string*>(e) = text;
  };
  const auto make = [&](fmi3String token, std::vector<fmi3ValueReference> wanted) {
    said.clear();
    return fmi3InstantiateCoSimulation("neck", token, nullptr, false, false, false, false, wanted.data(),
                                       wanted.size(), &said, log, nullptr);
  };
  const std::string token = fmu::instantiation_token(fmu::model_type());
  for (const char* wrong : {static_cast<const char*>(nullptr), "", "{0}"}) {
    CHECK(make(wrong, {}) == nullptr);
    CHECK(said.find("token") != std::string::npos);
  }
  const auto past = static_cast<fmi3ValueReference>(table().size()) + 2;
  for (const fmi3ValueReference unknown : {fmi3ValueReference{0}, past, fmi3ValueReference{0xFFFFFFFF}}) {
    CHECK(make(token.c_str(), {unknown}) == nullptr);
    CHECK(said.find(std::to_string(unknown)) != std::string::npos);
  }
  fmi3Instance right = make(token.c_str(), {1, past - 1});
  CHECK(right != nullptr);
  fmi3FreeInstance(right);

  CHECK(fmi3InstantiateModelExchange("neck", token.c_str(), nullptr, false, false, &said, log) == nullptr);
  CHECK(said.find("co-simulation only") != std::string::npos);
  said.clear();
  CHECK(fmi3InstantiateScheduledExecution("neck", token.c_str(), nullptr, false, false, &said, log, nullptr,
                                          nullptr, nullptr) == nullptr);
  CHECK(said.find("co-simulation only") != std::string::npos);
  CHECK(std::string(fmi3GetVersion()).find("3.0") == 0);
  // nobody listens
  CHECK(fmi3InstantiateCoSimulation(nullptr, nullptr, nullptr, false, true, true, true, nullptr, 0, nullptr,
                                    nullptr, nullptr) == nullptr);
}
