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

/// The instance is given apart from the stage, so that it can be NULL.
struct Row {
  const char* name;
  std::string_view allowed_in;
  fmi3Status (*call)(fmi3Instance, Stage&);
};

// What the standard allows for co-simulation (2.3 and 4.2), as far as the FMU has the capability.
constexpr std::string_view nowhere = "", writing = "INES", reading = "INESUT", anywhere = "INEST";

const fmi3ValueReference one_reference[] = {2};

template <class T>
fmi3Status get_one(fmi3Instance i,
                   fmi3Status (*get)(fmi3Instance, const fmi3ValueReference*, size_t, T*, size_t),
                   const char* name) {
  T value{};
  const fmi3ValueReference r = vr(name);
  return get(i, &r, 1, &value, 1);
}
template <class T>
fmi3Status set_one(fmi3Instance i,
                   fmi3Status (*set)(fmi3Instance, const fmi3ValueReference*, size_t, const T*, size_t),
                   const char* name, T value) {
  const fmi3ValueReference r = vr(name);
  return set(i, &r, 1, &value, 1);
}

#define ABSENT(T)                                                                                 \
  {"fmi3Get" #T, nowhere,                                                                         \
   [](fmi3Instance i, Stage&) { return get_one<fmi3##T>(i, fmi3Get##T, "head_force_x"); }},       \
  {                                                                                               \
    "fmi3Set" #T, nowhere,                                                                        \
        [](fmi3Instance i, Stage&) { return set_one<fmi3##T>(i, fmi3Set##T, "head_force_x", 0); } \
  }

double nothing[4];
fmi3UInt64 whole[4] = {1, 1, 1, 1};
fmi3IntervalQualifier qualifiers[4];
fmi3Boolean flags[5];
size_t count;

const Row rows[] = {
    {"fmi3SetDebugLogging", anywhere,
     [](fmi3Instance i, Stage&) { return fmi3SetDebugLogging(i, false, 0, nullptr); }},
    {"fmi3EnterInitializationMode", "I",
     [](fmi3Instance i, Stage&) { return fmi3EnterInitializationMode(i, false, 0, 0, false, 0); }},
    {"fmi3ExitInitializationMode", "N", [](fmi3Instance i, Stage&) { return fmi3ExitInitializationMode(i); }},
    {"fmi3EnterEventMode", "S", [](fmi3Instance i, Stage&) { return fmi3EnterEventMode(i); }},
    {"fmi3EnterStepMode", "E", [](fmi3Instance i, Stage&) { return fmi3EnterStepMode(i); }},
    {"fmi3Terminate", "ES", [](fmi3Instance i, Stage&) { return fmi3Terminate(i); }},
    {"fmi3Reset", anywhere, [](fmi3Instance i, Stage&) { return fmi3Reset(i); }},
    {"fmi3UpdateDiscreteStates", "E",
     [](fmi3Instance i, Stage&) {
       return fmi3UpdateDiscreteStates(i, flags, flags + 1, flags + 2, flags + 3, flags + 4, nothing);
     }},
    {"fmi3DoStep", "S",
     [](fmi3Instance i, Stage& s) {
       return fmi3DoStep(i, s.now, 1e-3, false, flags, flags + 1, flags + 2, nothing);
     }},

    {"fmi3GetFloat64", reading,
     [](fmi3Instance i, Stage&) { return get_one(i, fmi3GetFloat64, "head_force_x"); }},
    {"fmi3GetInt64", reading, [](fmi3Instance i, Stage&) { return get_one(i, fmi3GetInt64, "pulse_shape"); }},
    {"fmi3GetBoolean", reading,
     [](fmi3Instance i, Stage&) { return get_one(i, fmi3GetBoolean, "plane1_active"); }},
    {"fmi3GetString", reading, [](fmi3Instance i, Stage&) { return get_one(i, fmi3GetString, "data_path"); }},
    {"fmi3SetFloat64", writing,
     [](fmi3Instance i, Stage&) { return set_one(i, fmi3SetFloat64, "head_force_x", 1.0); }},
    {"fmi3SetInt64", "IN",
     [](fmi3Instance i, Stage&) { return set_one<fmi3Int64>(i, fmi3SetInt64, "pulse_shape", 3); }},
    {"fmi3SetBoolean", writing,
     [](fmi3Instance i, Stage&) { return set_one<fmi3Boolean>(i, fmi3SetBoolean, "plane1_active", true); }},
    {"fmi3SetString", "IN",
     [](fmi3Instance i, Stage&) { return set_one<fmi3String>(i, fmi3SetString, "data_path", "elsewhere"); }},
    ABSENT(Float32),
    ABSENT(Int8),
    ABSENT(UInt8),
    ABSENT(Int16),
    ABSENT(UInt16),
    ABSENT(Int32),
    ABSENT(UInt32),
    ABSENT(UInt64),
    {"fmi3GetBinary", nowhere,
     [](fmi3Instance i, Stage&) {
       fmi3Binary value = nullptr;
       return fmi3GetBinary(i, one_reference, 1, &count, &value, 1);
     }},
    {"fmi3SetBinary", nowhere,
     [](fmi3Instance i, Stage&) {
       const fmi3Byte byte = 0;
       const fmi3Binary value = &byte;
       const size_t size = 1;
       return fmi3SetBinary(i, one_reference, 1, &size, &value, 1);
     }},
    {"fmi3GetClock", nowhere,
     [](fmi3Instance i, Stage&) {
       fmi3Clock value;
       return fmi3GetClock(i, one_reference, 1, &value);
     }},
    {"fmi3SetClock", nowhere,
     [](fmi3Instance i, Stage&) {
       const fmi3Clock value = true;
       return fmi3SetClock(i, one_reference, 1, &value);
     }},

    {"fmi3GetNumberOfVariableDependencies", anywhere,
     [](fmi3Instance i, Stage&) { return fmi3GetNumberOfVariableDependencies(i, vr("head_angle"), &count); }},
    {"fmi3GetVariableDependencies", anywhere,
     [](fmi3Instance i, Stage&) {
       size_t of = 0, on = 0;
       fmi3ValueReference independent = 0;
       fmi3DependencyKind kind;
       return fmi3GetVariableDependencies(i, vr("head_angle"), &of, &independent, &on, &kind, 0);
     }},
    {"fmi3GetDirectionalDerivative", "NEST",
     [](fmi3Instance i, Stage&) {
       const fmi3ValueReference of = vr("head_acceleration_x"), to = vr("head_force_x");
       const double seed = 1;
       return fmi3GetDirectionalDerivative(i, &of, 1, &to, 1, &seed, 1, nothing, 1);
     }},
    {"fmi3GetAdjointDerivative", "NEST",
     [](fmi3Instance i, Stage&) {
       const fmi3ValueReference of = vr("head_acceleration_x"), to = vr("head_force_x");
       const double seed = 1;
       return fmi3GetAdjointDerivative(i, &of, 1, &to, 1, &seed, 1, nothing, 1);
     }},
    {"fmi3GetOutputDerivatives", "SUT",
     [](fmi3Instance i, Stage&) {
       const fmi3ValueReference of = vr("head_angle");
       const fmi3Int32 order = 1;
       return fmi3GetOutputDerivatives(i, &of, 1, &order, nothing, 1);
     }},

    {"fmi3GetFMUState", anywhere,
     [](fmi3Instance i, Stage&) {
       fmi3FMUState another = nullptr;
       return fmi3GetFMUState(i, &another);
     }},
    {"fmi3SetFMUState", anywhere, [](fmi3Instance i, Stage& s) { return fmi3SetFMUState(i, s.state); }},
    {"fmi3FreeFMUState", anywhere,
     [](fmi3Instance i, Stage& s) {
       fmi3FMUState kept = s.state;
       return fmi3FreeFMUState(i, &kept);
     }},
    {"fmi3SerializedFMUStateSize", anywhere,
     [](fmi3Instance i, Stage& s) { return fmi3SerializedFMUStateSize(i, s.state, &count); }},
    {"fmi3SerializeFMUState", anywhere,
     [](fmi3Instance i, Stage& s) {
       return fmi3SerializeFMUState(i, s.state, s.bytes.data(), s.bytes.size());
     }},
    {"fmi3DeserializeFMUState", anywhere,
     [](fmi3Instance i, Stage& s) {
       fmi3FMUState another = nullptr;
       return fmi3DeserializeFMUState(i, s.bytes.data(), s.bytes.size(), &another);
     }},

    {"fmi3EnterConfigurationMode", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3EnterConfigurationMode(i); }},
    {"fmi3ExitConfigurationMode", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3ExitConfigurationMode(i); }},
    {"fmi3EvaluateDiscreteStates", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3EvaluateDiscreteStates(i); }},
    {"fmi3GetIntervalDecimal", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3GetIntervalDecimal(i, one_reference, 1, nothing, qualifiers); }},
    {"fmi3GetIntervalFraction", nowhere,
     [](fmi3Instance i, Stage&) {
       return fmi3GetIntervalFraction(i, one_reference, 1, whole, whole + 1, qualifiers);
     }},
    {"fmi3GetShiftDecimal", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3GetShiftDecimal(i, one_reference, 1, nothing); }},
    {"fmi3GetShiftFraction", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3GetShiftFraction(i, one_reference, 1, whole, whole + 1); }},
    {"fmi3SetIntervalDecimal", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3SetIntervalDecimal(i, one_reference, 1, nothing); }},
    {"fmi3SetIntervalFraction", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3SetIntervalFraction(i, one_reference, 1, whole, whole + 1); }},
    {"fmi3SetShiftDecimal", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3SetShiftDecimal(i, one_reference, 1, nothing); }},
    {"fmi3SetShiftFraction", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3SetShiftFraction(i, one_reference, 1, whole, whole + 1); }},
    {"fmi3ActivateModelPartition", nowhere,
     [](fmi3Instance i, Stage& s) { return fmi3ActivateModelPartition(i, 2, s.now); }},
    {"fmi3EnterContinuousTimeMode", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3EnterContinuousTimeMode(i); }},
    {"fmi3CompletedIntegratorStep", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3CompletedIntegratorStep(i, false, flags, flags + 1); }},
    {"fmi3SetTime", nowhere, [](fmi3Instance i, Stage& s) { return fmi3SetTime(i, s.now); }},
    {"fmi3SetContinuousStates", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3SetContinuousStates(i, nothing, 1); }},
    {"fmi3GetContinuousStateDerivatives", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3GetContinuousStateDerivatives(i, nothing, 1); }},
    {"fmi3GetEventIndicators", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3GetEventIndicators(i, nothing, 1); }},
    {"fmi3GetContinuousStates", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3GetContinuousStates(i, nothing, 1); }},
    {"fmi3GetNominalsOfContinuousStates", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3GetNominalsOfContinuousStates(i, nothing, 1); }},
    {"fmi3GetNumberOfEventIndicators", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3GetNumberOfEventIndicators(i, &count); }},
    {"fmi3GetNumberOfContinuousStates", nowhere,
     [](fmi3Instance i, Stage&) { return fmi3GetNumberOfContinuousStates(i, &count); }},
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
        status = row.call(*s.fmu, s);
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
        if (row.allowed_in.find(mode) == std::string_view::npos) row.call(*s.fmu, s);
    });
    INFO("mode " << mode);
    CHECK(rest_of_the_run(disturbed, mode) == rest_of_the_run(undisturbed, mode));
  }
}

TEST_CASE("Every function refuses a NULL instance") {
  bring_to('S', [](Stage& s) {
    s.fmu->messages.clear();
    for (const Row& row : rows) {
      INFO(row.name);
      CHECK(row.call(nullptr, s) == fmi3Error);
    }
    CHECK(s.fmu->messages.empty());
  });
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
