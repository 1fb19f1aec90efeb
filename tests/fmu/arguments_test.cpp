#include <cmath>
#include <limits>

#include "fmu/driver.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

/// A call that must be refused, with what its message must say after the name of the function.
struct Attempt {
  std::string function;
  std::function<fmi3Status(Fmu&)> call;
  std::vector<std::string> says;
};

void check_refused(Fmu& fmu, const Attempt& attempt) {
  fmu.messages.clear();
  const fmi3Status status = attempt.call(fmu);
  INFO(attempt.function << " said: " << fmu.last_message());
  CHECK(status == fmi3Error);
  REQUIRE(fmu.messages.size() == 1);
  CHECK(fmu.messages[0].status == fmi3Error);
  CHECK(fmu.messages[0].category == "logStatusError");
  CHECK(fmu.last_message().find(attempt.function + ": ") == 0);
  for (const std::string& words : attempt.says) {
    INFO("expected: " << words);
    CHECK(fmu.last_message().find(words) != std::string::npos);
  }
  fmu.messages.clear();
}

/// Each attempt comes before a step of a run, which must be that of an undisturbed instance.
void check_refused_between_steps(const std::vector<Attempt>& attempts) {
  Fmu disturbed, undisturbed;
  disturbed.start(contact_settings());
  undisturbed.start(contact_settings());
  constexpr double size = 1e-3;
  int k = 0;
  for (const Attempt& attempt : attempts) {
    check_refused(disturbed, attempt);
    disturbed.go(k, k + 1, size);
    undisturbed.go(k, k + 1, size);
    INFO("after " << attempt.function);
    REQUIRE(disturbed.bits() == undisturbed.bits());
    ++k;
  }
}

Attempt setting(const char* name, double value, std::vector<std::string> says) {
  const Type type = table()[table().find(name)].type;
  const char* function = type == Type::boolean       ? "fmi3SetBoolean"
                         : type == Type::enumeration ? "fmi3SetInt64"
                                                     : "fmi3SetFloat64";
  says.insert(says.begin(), name);
  return {function, [=](Fmu& fmu) { return fmu.set(name, value); }, says};
}

template <class T>
Attempt getting(const char* function,
                fmi3Status (*get)(fmi3Instance, const fmi3ValueReference*, size_t, T*, size_t),
                fmi3ValueReference reference, std::vector<std::string> says) {
  return {function,
          [=](Fmu& fmu) {
            T value{};
            return get(fmu, &reference, 1, &value, 1);
          },
          says};
}

template <class T>
Attempt setting_as(const char* function,
                   fmi3Status (*set)(fmi3Instance, const fmi3ValueReference*, size_t, const T*, size_t),
                   fmi3ValueReference reference, T value, std::vector<std::string> says) {
  return {function, [=](Fmu& fmu) { return set(fmu, &reference, 1, &value, 1); }, says};
}

/// Value references at the borders of the table and far from it.
std::vector<fmi3ValueReference> unknown_references() {
  return {0, static_cast<fmi3ValueReference>(table().size()) + 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
}

}  // namespace

TEST_CASE("Unknown value references are refused") {
  std::vector<Attempt> attempts;
  for (const fmi3ValueReference unknown : unknown_references()) {
    const std::vector<std::string> says{"value reference " + std::to_string(unknown), "does not exist"};
    attempts.push_back(getting("fmi3GetFloat64", fmi3GetFloat64, unknown, says));
    attempts.push_back(getting("fmi3GetInt64", fmi3GetInt64, unknown, says));
    attempts.push_back(getting("fmi3GetBoolean", fmi3GetBoolean, unknown, says));
    attempts.push_back(getting("fmi3GetString", fmi3GetString, unknown, says));
    attempts.push_back(getting("fmi3GetFloat32", fmi3GetFloat32, unknown, says));
    attempts.push_back(setting_as("fmi3SetFloat64", fmi3SetFloat64, unknown, 1.0, says));
    attempts.push_back(setting_as("fmi3SetInt64", fmi3SetInt64, unknown, fmi3Int64{1}, says));
    attempts.push_back(setting_as("fmi3SetBoolean", fmi3SetBoolean, unknown, true, says));
    attempts.push_back(setting_as<fmi3String>("fmi3SetString", fmi3SetString, unknown, "x", says));
    attempts.push_back({"fmi3GetNumberOfVariableDependencies",
                        [=](Fmu& fmu) {
                          size_t n;
                          return fmi3GetNumberOfVariableDependencies(fmu, unknown, &n);
                        },
                        says});
    attempts.push_back({"fmi3GetDirectionalDerivative",
                        [=](Fmu& fmu) {
                          const fmi3ValueReference known = vr("head_force_x");
                          const double seed = 1;
                          double result;
                          return fmi3GetDirectionalDerivative(fmu, &unknown, 1, &known, 1, &seed, 1, &result,
                                                              1);
                        },
                        says});
    attempts.push_back({"fmi3GetAdjointDerivative",
                        [=](Fmu& fmu) {
                          const fmi3ValueReference output = vr("head_acceleration_x");
                          const double seed = 1;
                          double result;
                          return fmi3GetAdjointDerivative(fmu, &output, 1, &unknown, 1, &seed, 1, &result, 1);
                        },
                        says});
    attempts.push_back({"fmi3GetOutputDerivatives",
                        [=](Fmu& fmu) {
                          const fmi3Int32 order = 1;
                          double result;
                          return fmi3GetOutputDerivatives(fmu, &unknown, 1, &order, &result, 1);
                        },
                        says});
  }
  check_refused_between_steps(attempts);
}

TEST_CASE("Wrong types are refused with the name and the type of the variable") {
  const fmi3ValueReference number = vr("head_force_x"), flag = vr("plane1_active"), item = vr("pulse_shape"),
                           text = vr("data_path");
  check_refused_between_steps({
      getting("fmi3GetFloat64", fmi3GetFloat64, flag, {"plane1_active is a Boolean, not a Float64"}),
      getting("fmi3GetFloat64", fmi3GetFloat64, item, {"pulse_shape is an Enumeration"}),
      getting("fmi3GetInt64", fmi3GetInt64, number, {"head_force_x is a Float64"}),
      getting("fmi3GetBoolean", fmi3GetBoolean, text, {"data_path is a String, not a Boolean"}),
      getting("fmi3GetString", fmi3GetString, number, {"head_force_x is a Float64, not a String"}),
      getting("fmi3GetInt32", fmi3GetInt32, item, {"pulse_shape is an Enumeration", "not an Int32"}),
      getting("fmi3GetFloat32", fmi3GetFloat32, number, {"head_force_x is a Float64, not a Float32"}),
      getting("fmi3GetUInt8", fmi3GetUInt8, flag, {"plane1_active is a Boolean, not a UInt8"}),
      setting_as("fmi3SetFloat64", fmi3SetFloat64, flag, 1.0, {"plane1_active is a Boolean"}),
      setting_as("fmi3SetInt64", fmi3SetInt64, number, fmi3Int64{1}, {"head_force_x is a Float64"}),
      setting_as("fmi3SetBoolean", fmi3SetBoolean, number, true, {"head_force_x is a Float64"}),
      setting_as<fmi3String>("fmi3SetString", fmi3SetString, number, "1", {"head_force_x is a Float64"}),
      setting_as("fmi3SetFloat32", fmi3SetFloat32, number, 1.0F, {"head_force_x is a Float64"}),
      setting_as("fmi3SetFloat64", fmi3SetFloat64, fmu::time_reference, 1.0, {"time"}),
      {"fmi3GetBinary",
       [=](Fmu& fmu) {
         size_t size;
         fmi3Binary value;
         return fmi3GetBinary(fmu, &number, 1, &size, &value, 1);
       },
       {"head_force_x is a Float64, not a Binary"}},
      {"fmi3GetClock",
       [=](Fmu& fmu) {
         fmi3Clock value;
         return fmi3GetClock(fmu, &number, 1, &value);
       },
       {"head_force_x is a Float64, not a Clock"}},
  });
}

TEST_CASE("Wrong numbers of values and NULL arrays are refused") {
  const fmi3ValueReference one[] = {vr("head_force_x"), vr("head_force_z")}, flag = vr("plane1_active"),
                           item = vr("pulse_shape"), text = vr("data_path");
  check_refused_between_steps({
      {"fmi3GetFloat64",
       [=](Fmu& fmu) {
         double v[3];
         return fmi3GetFloat64(fmu, one, 2, v, 3);
       },
       {"nValues = 3", "2"}},
      {"fmi3GetFloat64",
       [=](Fmu& fmu) {
         double v[2];
         return fmi3GetFloat64(fmu, one, 2, v, 0);
       },
       {"nValues = 0", "2"}},
      {"fmi3SetFloat64",
       [=](Fmu& fmu) {
         const double v[2] = {1, 2};
         return fmi3SetFloat64(fmu, one, 2, v, 1);
       },
       {"nValues = 1", "2"}},
      {"fmi3SetFloat64",
       [=](Fmu& fmu) {
         const double v[2] = {1, 2};
         return fmi3SetFloat64(fmu, one, 0, v, 2);
       },
       {"nValues = 2", "0"}},
      {"fmi3SetBoolean",
       [=](Fmu& fmu) {
         const fmi3Boolean v[2] = {};
         return fmi3SetBoolean(fmu, &flag, 1, v, 2);
       },
       {"nValues = 2"}},
      {"fmi3GetString",
       [=](Fmu& fmu) {
         fmi3String v[2];
         return fmi3GetString(fmu, &text, 1, v, 2);
       },
       {"nValues = 2"}},
      {"fmi3GetFloat64",
       [=](Fmu& fmu) { return fmi3GetFloat64(fmu, one, 2, nullptr, 2); },
       {"values is NULL"}},
      {"fmi3GetFloat64",
       [=](Fmu& fmu) {
         double v[2];
         return fmi3GetFloat64(fmu, nullptr, 2, v, 2);
       },
       {"valueReferences is NULL"}},
      {"fmi3SetFloat64",
       [=](Fmu& fmu) { return fmi3SetFloat64(fmu, one, 2, nullptr, 2); },
       {"values is NULL"}},
      {"fmi3SetInt64", [=](Fmu& fmu) { return fmi3SetInt64(fmu, &item, 1, nullptr, 1); }, {"values is NULL"}},
      {"fmi3GetInt64", [=](Fmu& fmu) { return fmi3GetInt64(fmu, nullptr, 1, nullptr, 1); }, {"is NULL"}},
      {"fmi3SetBoolean", [=](Fmu& fmu) { return fmi3SetBoolean(fmu, &flag, 1, nullptr, 1); }, {"is NULL"}},
      {"fmi3GetBoolean", [=](Fmu& fmu) { return fmi3GetBoolean(fmu, &flag, 1, nullptr, 1); }, {"is NULL"}},
      {"fmi3GetString", [=](Fmu& fmu) { return fmi3GetString(fmu, &text, 1, nullptr, 1); }, {"is NULL"}},
      {"fmi3GetFloat32", [=](Fmu& fmu) { return fmi3GetFloat32(fmu, nullptr, 1, nullptr, 1); }, {"is NULL"}},
  });
  // nothing asked for, nothing needed
  Fmu fmu;
  fmu.start();
  CHECK(fmi3GetFloat64(fmu, nullptr, 0, nullptr, 0) == fmi3OK);
  CHECK(fmi3SetFloat64(fmu, nullptr, 0, nullptr, 0) == fmi3OK);
  CHECK(fmi3SetString(fmu, nullptr, 0, nullptr, 0) == fmi3OK);
  CHECK(fmi3GetUInt16(fmu, nullptr, 0, nullptr, 0) == fmi3OK);
  CHECK(fmi3GetOutputDerivatives(fmu, nullptr, 0, nullptr, nullptr, 0) == fmi3OK);
  CHECK(fmi3GetDirectionalDerivative(fmu, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0) == fmi3OK);
  CHECK(fmi3GetAdjointDerivative(fmu, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0) == fmi3OK);
  CHECK(fmu.messages.empty());
}

TEST_CASE("Numbers that are not finite or out of range, outputs and fixed parameters are refused") {
  check_refused_between_steps({
      setting("head_force_x", not_a_number, {"= nan", "must be a finite number"}),
      setting("head_force_x", infinity, {"= inf", "must be a finite number"}),
      setting("sled_acceleration_x", -infinity, {"= -inf", "must be a finite number"}),
      setting("plane1_stiffness_factor", not_a_number, {"= nan"}),
      setting("plane1_stiffness_factor", 0, {"= 0", "from 1e-06 to 1e+06"}),
      setting("plane1_friction_factor", -0.5, {"= -0.5", "from 0 to 1000"}),
      setting("head_angle", 0.1, {"is an output and cannot be set"}),
      setting("solver_steps", 0, {"is an output and cannot be set"}),
      setting("gravity", 9.5, {"fixed parameter"}),
      setting("relative_tolerance", 1e-4, {"fixed parameter"}),
      setting("ligaments_two_sided", 1, {"fixed parameter"}),
      setting("pulse_shape", 3, {"fixed parameter"}),
      setting_as<fmi3String>("fmi3SetString", fmi3SetString, vr("data_path"), "elsewhere",
                             {"data_path", "fixed parameter"}),
  });
}

TEST_CASE("Parameters out of range are refused before initialisation, with the range") {
  const std::vector<Attempt> attempts{
      setting("gravity", -1, {"= -1", "from 0 to 1000 m/s2"}),
      setting("gravity", 1001, {"= 1001", "from 0 to 1000 m/s2"}),
      setting("gravity", not_a_number, {"= nan", "finite"}),
      setting("pulse_duration", 0, {"= 0", "from 1e-06 to 1e+06 s"}),
      setting("relative_tolerance", 1, {"= 1", "from 1e-13 to 0.1"}),
      setting("pulse_shape", 0, {"= 0", "1 (none), 2 (triangle), 3 (half_sine), 4 (trapezoid)"}),
      setting("pulse_shape", 5, {"= 5", "4 (trapezoid)"}),
      setting("solver", -1, {"= -1", "1 (radau), 2 (mebdf), 3 (ida)"}),
      setting_as("fmi3SetInt64", fmi3SetInt64, vr("data_set"), std::numeric_limits<fmi3Int64>::max(),
                 {"data_set", "1 (published), 2 (reconciled), 3 (custom)"}),
      setting_as("fmi3SetInt64", fmi3SetInt64, vr("data_set"), std::numeric_limits<fmi3Int64>::min(),
                 {"data_set"}),
      setting_as<fmi3String>("fmi3SetString", fmi3SetString, vr("data_path"), nullptr, {"data_path is NULL"}),
      setting("head_angle", 0.1, {"is an output"}),
  };
  Fmu disturbed, undisturbed;
  for (const Attempt& attempt : attempts) check_refused(disturbed, attempt);
  disturbed.enter_initialization();
  for (const Attempt& attempt : attempts) check_refused(disturbed, attempt);
  REQUIRE(fmi3ExitInitializationMode(disturbed) == fmi3OK);
  undisturbed.start();
  CHECK(disturbed.bits() == undisturbed.bits());
  disturbed.go(0, 5);
  undisturbed.go(0, 5);
  CHECK(disturbed.bits() == undisturbed.bits());
}

TEST_CASE("Combinations of parameters that make no model are refused when initialisation ends") {
  struct Case {
    std::vector<Fmu::Setting> settings, mended;
    std::vector<std::string> says;
  };
  for (const Case& c :
       {Case{{{"pulse_direction", 2}}, {{"pulse_direction", 1}}, {"pulse_direction", "1 (x) or 3 (z)"}},
        Case{{{"data_set", 3}}, {{"data_set", 2}}, {"data_path is empty"}},
        Case{{{"plane1_active", 1}, {"plane1_nx", 0}},
             {{"plane1_nx", 1}, {"plane1_active", 0}},
             {"plane1_nx"}},
        Case{{{"head_force_x", 1e6}}, {{"head_force_x", 0}}, {"no static equilibrium", "head_angle"}}}) {
    Fmu fmu, undisturbed;
    fmu.set_all(c.settings);
    fmu.enter_initialization();
    check_refused(fmu, {"fmi3GetFloat64",
                        [](Fmu& f) {
                          const fmi3ValueReference r = vr("head_angle");
                          double v;
                          return fmi3GetFloat64(f, &r, 1, &v, 1);
                        },
                        c.says});
    check_refused(
        fmu, {"fmi3ExitInitializationMode", [](Fmu& f) { return fmi3ExitInitializationMode(f); }, c.says});
    fmu.set_all(c.mended);
    REQUIRE(fmi3ExitInitializationMode(fmu) == fmi3OK);
    undisturbed.start();
    fmu.go(0, 5);
    undisturbed.go(0, 5);
    CHECK(fmu.bits() == undisturbed.bits());
  }
}

TEST_CASE("A call that sets several variables sets all or none") {
  Fmu disturbed, undisturbed;
  disturbed.start(contact_settings());
  undisturbed.start(contact_settings());
  const auto set_three = [](Fmu& fmu, const char* bad, double value, int place) {
    fmi3ValueReference r[] = {vr("head_force_x"), vr("C4_force_z"), vr("plane1_x")};
    double v[] = {50, -20, -0.11};
    r[place] = vr(bad), v[place] = value;
    return fmi3SetFloat64(fmu, r, 3, v, 3);
  };
  for (int place = 0; place < 3; ++place) {
    check_refused(disturbed, {"fmi3SetFloat64",
                              [&](Fmu& f) { return set_three(f, "head_moment_y", not_a_number, place); },
                              {"head_moment_y"}});
    check_refused(disturbed, {"fmi3SetFloat64",
                              [&](Fmu& f) { return set_three(f, "gravity", 9.81, place); },
                              {"gravity", "fixed"}});
    check_refused(disturbed, {"fmi3SetFloat64",
                              [&](Fmu& f) { return set_three(f, "plane1_active", 1, place); },
                              {"plane1_active is a Boolean"}});
  }
  for (const char* name : {"head_force_x", "C4_force_z", "head_moment_y"}) CHECK(disturbed.get(name) == 0);
  CHECK(disturbed.get("plane1_x") == -0.12);
  const fmi3ValueReference flags[] = {vr("plane2_active"), vr("ligaments_two_sided")};
  const fmi3Boolean on[] = {true, true};
  CHECK(fmi3SetBoolean(disturbed, flags, 2, on, 2) == fmi3Error);
  fmi3Boolean active = true;
  REQUIRE(fmi3GetBoolean(disturbed, flags, 1, &active, 1) == fmi3OK);
  CHECK_FALSE(active);
  disturbed.go(0, 10);
  undisturbed.go(0, 10);
  CHECK(disturbed.bits() == undisturbed.bits());
}

TEST_CASE("Before initialisation start values can be read, outputs and time have none") {
  Fmu fmu;
  fmu.set("gravity", 4);
  CHECK(fmu.get("gravity") == 4);
  CHECK(fmu.get("plane1_x") == -0.25);
  check_refused(fmu, getting("fmi3GetFloat64", fmi3GetFloat64, vr("head_angle"),
                             {"head_angle", "no value before initialisation"}));
  check_refused(fmu, getting("fmi3GetFloat64", fmi3GetFloat64, fmu::time_reference,
                             {"time has no value before initialisation"}));
}

TEST_CASE("Arguments of fmi3DoStep are checked") {
  const auto step = [](double now, double size) {
    return [=](Fmu& fmu) { return fmu.step(now, size).status; };
  };
  const auto missing = [](int which) {
    return [which](Fmu& fmu) {
      fmi3Boolean b[3];
      double last;
      return fmi3DoStep(fmu, fmu.time(), 1e-3, false, which == 0 ? nullptr : b, which == 1 ? nullptr : b + 1,
                        which == 2 ? nullptr : b + 2, which == 3 ? nullptr : &last);
    };
  };
  const std::vector<Attempt> attempts{
      {"fmi3DoStep",
       [](Fmu& f) { return f.step(f.time(), 0).status; },
       {"communicationStepSize = 0", "above 0"}},
      {"fmi3DoStep", [](Fmu& f) { return f.step(f.time(), -0.0).status; }, {"communicationStepSize = -0"}},
      {"fmi3DoStep",
       [](Fmu& f) { return f.step(f.time(), -1e-3).status; },
       {"communicationStepSize = -0.001"}},
      {"fmi3DoStep", [](Fmu& f) { return f.step(f.time(), not_a_number).status; }, {"nan", "finite"}},
      {"fmi3DoStep", [](Fmu& f) { return f.step(f.time(), infinity).status; }, {"inf", "finite"}},
      {"fmi3DoStep", step(not_a_number, 1e-3), {"nan", "finite"}},
      {"fmi3DoStep", step(-infinity, 1e-3), {"-inf", "finite"}},
      {"fmi3DoStep", step(-1, 1e-3), {"currentCommunicationPoint = -1 s", "the FMU is at"}},
      {"fmi3DoStep", step(0.5, 1e-3), {"currentCommunicationPoint = 0.5 s", "the FMU is at"}},
      {"fmi3DoStep",
       [](Fmu& f) { return f.step(f.time() + 1e-6, 1e-3).status; },
       {"currentCommunicationPoint", "the FMU is at"}},
      {"fmi3DoStep", missing(0), {"eventHandlingNeeded is NULL"}},
      {"fmi3DoStep", missing(1), {"terminateSimulation is NULL"}},
      {"fmi3DoStep", missing(2), {"earlyReturn is NULL"}},
      {"fmi3DoStep", missing(3), {"lastSuccessfulTime is NULL"}},
  };
  check_refused_between_steps(attempts);

  Fmu late;
  late.start({}, 1e6);
  check_refused(late, {"fmi3DoStep", step(1e6, 1e-12), {"communicationStepSize = 1e-12", "vanishes"}});
  CHECK(late.step(1e6, 1e-3).status == fmi3OK);
}

TEST_CASE("A step beyond the stop time is refused, one that ends on it is not") {
  Fmu fmu;
  REQUIRE(fmi3EnterInitializationMode(fmu, false, 0, 0, true, 0.01) == fmi3OK);
  REQUIRE(fmi3ExitInitializationMode(fmu) == fmi3OK);
  fmu.go(0, 9);
  check_refused(fmu,
                {"fmi3DoStep", [](Fmu& f) { return f.step(9e-3, 2e-3).status; }, {"0.011", "stopTime 0.01"}});
  double now = 9e-3;
  for (int k = 0; k < 10; ++k) {  // adds up to the stop time but for rounding
    REQUIRE(fmu.step(now, 1e-4).status == fmi3OK);
    now += 1e-4;
  }
  check_refused(fmu, {"fmi3DoStep", [=](Fmu& f) { return f.step(now, 1e-4).status; }, {"stopTime"}});
  // a reset forgets the stop time
  REQUIRE(fmi3Reset(fmu) == fmi3OK);
  fmu.start();
  CHECK(fmu.step(0, 0.02).status == fmi3OK);
}

TEST_CASE("Arguments of fmi3EnterInitializationMode are checked") {
  const auto entering = [](bool tolerance_defined, double tolerance, double start, bool stop_defined,
                           double stop, std::vector<std::string> says) {
    return Attempt{"fmi3EnterInitializationMode",
                   [=](Fmu& fmu) {
                     return fmi3EnterInitializationMode(fmu, tolerance_defined, tolerance, start,
                                                        stop_defined, stop);
                   },
                   says};
  };
  Fmu disturbed, undisturbed;
  for (const Attempt& attempt : {
           entering(false, 0, not_a_number, false, 0, {"startTime = nan", "finite"}),
           entering(false, 0, infinity, false, 0, {"startTime = inf", "finite"}),
           entering(false, 0, 0, true, not_a_number, {"stopTime = nan", "startTime = 0"}),
           entering(false, 0, 0, true, infinity, {"stopTime = inf"}),
           entering(false, 0, 1, true, 0.5, {"stopTime = 0.5", "startTime = 1"}),
           entering(false, 0, 1, true, 1, {"stopTime = 1"}),
           entering(true, 0, 0, false, 0, {"tolerance = 0", "above 0"}),
           entering(true, -1e-6, 0, false, 0, {"tolerance = -1e-06", "above 0"}),
           entering(true, not_a_number, 0, false, 0, {"tolerance = nan"}),
           entering(true, infinity, 0, false, 0, {"tolerance = inf"}),
       })
    check_refused(disturbed, attempt);
  // what is not defined is not looked at
  REQUIRE(fmi3EnterInitializationMode(disturbed, false, not_a_number, 0, false, not_a_number) == fmi3OK);
  REQUIRE(fmi3ExitInitializationMode(disturbed) == fmi3OK);
  undisturbed.start();
  disturbed.go(0, 5);
  undisturbed.go(0, 5);
  CHECK(disturbed.bits() == undisturbed.bits());
}

TEST_CASE(
    "The importer's tolerance is used, within the range of the parameter, unless the user has set one") {
  const auto tolerance_after = [](double wish, double set) {
    Fmu fmu;
    if (set > 0) fmu.set("relative_tolerance", set);
    REQUIRE(fmi3EnterInitializationMode(fmu, true, wish, 0, false, 0) == fmi3OK);
    return fmu.get("relative_tolerance");
  };
  CHECK(tolerance_after(1e-4, 0) == 1e-4);
  CHECK(tolerance_after(1, 0) == 0.1);
  CHECK(tolerance_after(1e-20, 0) == 1e-13);
  CHECK(tolerance_after(1e-4, 1e-8) == 1e-8);
}

TEST_CASE("Arguments of derivatives and dependencies are checked") {
  const fmi3ValueReference out[] = {vr("head_acceleration_x"), vr("head_acceleration_z")},
                           in[] = {vr("head_force_x"), vr("head_force_z")};
  const auto directional = [=](fmi3ValueReference of, fmi3ValueReference to, double seed) {
    return [=](Fmu& fmu) {
      double result;
      return fmi3GetDirectionalDerivative(fmu, &of, 1, &to, 1, &seed, 1, &result, 1);
    };
  };
  const auto adjoint = [=](fmi3ValueReference of, fmi3ValueReference to, double seed) {
    return [=](Fmu& fmu) {
      double result;
      return fmi3GetAdjointDerivative(fmu, &of, 1, &to, 1, &seed, 1, &result, 1);
    };
  };
  const auto rate = [=](fmi3ValueReference of, fmi3Int32 order) {
    return [=](Fmu& fmu) {
      double result;
      return fmi3GetOutputDerivatives(fmu, &of, 1, &order, &result, 1);
    };
  };
  const std::string d = "fmi3GetDirectionalDerivative", a = "fmi3GetAdjointDerivative",
                    r = "fmi3GetOutputDerivatives", v = "fmi3GetVariableDependencies";
  const double seed[2] = {1, 1};
  check_refused_between_steps({
      {d, directional(in[0], in[1], 1), {"head_force_x is not a Float64 output"}},
      {d, directional(out[0], out[1], 1), {"with respect to head_acceleration_z"}},
      {d, directional(out[0], vr("gravity"), 1), {"with respect to gravity", "tunable"}},
      {d, directional(out[0], vr("plane1_active"), 1), {"plane1_active is a Boolean"}},
      {d, directional(out[0], in[0], not_a_number), {"seed 0", "finite"}},
      {d, directional(out[0], in[0], infinity), {"seed 0", "finite"}},
      {d,
       [=](Fmu& fmu) {
         double result[2];
         return fmi3GetDirectionalDerivative(fmu, out, 2, in, 2, seed, 1, result, 2);
       },
       {"nSeed"}},
      {d,
       [=](Fmu& fmu) {
         double result[2];
         return fmi3GetDirectionalDerivative(fmu, out, 2, in, 2, seed, 2, result, 1);
       },
       {"nSensitivity"}},
      {d,
       [=](Fmu& fmu) { return fmi3GetDirectionalDerivative(fmu, out, 2, in, 2, seed, 2, nullptr, 2); },
       {"sensitivity is NULL"}},
      {d,
       [=](Fmu& fmu) {
         double result[2];
         return fmi3GetDirectionalDerivative(fmu, out, 2, in, 2, nullptr, 2, result, 2);
       },
       {"seed is NULL"}},
      {d,
       [=](Fmu& fmu) {
         double result[2];
         return fmi3GetDirectionalDerivative(fmu, nullptr, 2, in, 2, seed, 2, result, 2);
       },
       {"unknowns is NULL"}},
      {a, adjoint(in[0], in[1], 1), {"head_force_x is not a Float64 output"}},
      {a, adjoint(out[0], vr("gravity"), 1), {"with respect to gravity"}},
      {a, adjoint(out[0], in[0], not_a_number), {"seed 0", "finite"}},
      {a,
       [=](Fmu& fmu) {
         double result[2];
         return fmi3GetAdjointDerivative(fmu, out, 2, in, 1, seed, 1, result, 2);
       },
       {"nSeed"}},
      {a,
       [=](Fmu& fmu) {
         double result[2];
         return fmi3GetAdjointDerivative(fmu, out, 2, nullptr, 2, seed, 2, result, 2);
       },
       {"knowns is NULL"}},
      {r, rate(out[0], 0), {"order 0", "head_acceleration_x", "only 1"}},
      {r, rate(out[0], 2), {"order 2", "head_acceleration_x", "only 1"}},
      {r, rate(out[0], -1), {"order -1"}},
      {r, rate(in[0], 1), {"head_force_x is not a Float64 output"}},
      {r, rate(fmu::time_reference, 1), {"time"}},
      {r,
       [=](Fmu& fmu) {
         double result;
         return fmi3GetOutputDerivatives(fmu, out, 1, nullptr, &result, 1);
       },
       {"orders is NULL"}},
      {r,
       [=](Fmu& fmu) {
         const fmi3Int32 order = 1;
         double result[2];
         return fmi3GetOutputDerivatives(fmu, out, 1, &order, result, 2);
       },
       {"nValues = 2"}},
      {"fmi3GetNumberOfVariableDependencies",
       [=](Fmu& fmu) { return fmi3GetNumberOfVariableDependencies(fmu, out[0], nullptr); },
       {"nDependencies is NULL"}},
      {"fmi3GetNumberOfVariableDependencies",
       [=](Fmu& fmu) {
         size_t n;
         return fmi3GetNumberOfVariableDependencies(fmu, in[0], &n);
       },
       {"head_force_x is not a Float64 output"}},
      {v,
       [=](Fmu& fmu) {
         size_t x[200];
         fmi3ValueReference on[200];
         fmi3DependencyKind kinds[200];
         return fmi3GetVariableDependencies(fmu, out[0], x, on, x, kinds, 3);
       },
       {"nDependencies = 3", "there are"}},
      {v,
       [=](Fmu& fmu) {
         size_t n;
         fmi3GetNumberOfVariableDependencies(fmu, out[0], &n);
         return fmi3GetVariableDependencies(fmu, out[0], nullptr, nullptr, nullptr, nullptr, n);
       },
       {"elementIndicesOfDependent is NULL"}},
  });
}

TEST_CASE("Arguments of fmi3UpdateDiscreteStates are checked") {
  Fmu fmu({.event_mode = true});
  fmu.start();
  REQUIRE(fmi3EnterEventMode(fmu) == fmi3OK);
  const char* names[] = {
      "discreteStatesNeedUpdate",        "terminateSimulation",  "nominalsOfContinuousStatesChanged",
      "valuesOfContinuousStatesChanged", "nextEventTimeDefined", "nextEventTime"};
  for (int missing = 0; missing < 6; ++missing)
    check_refused(fmu, {"fmi3UpdateDiscreteStates",
                        [=](Fmu& f) {
                          fmi3Boolean b[5];
                          double t;
                          const auto flag = [&](int i) { return missing == i ? nullptr : b + i; };
                          return fmi3UpdateDiscreteStates(f, flag(0), flag(1), flag(2), flag(3), flag(4),
                                                          missing == 5 ? nullptr : &t);
                        },
                        {std::string(names[missing]) + " is NULL"}});
}

TEST_CASE("Unknown log categories are refused and change nothing") {
  Fmu fmu({.logging = true});
  const fmi3String unknown[] = {"logEvents", "logNothing"}, null[] = {nullptr};
  check_refused(fmu, {"fmi3SetDebugLogging",
                      [&](Fmu& f) { return fmi3SetDebugLogging(f, false, 2, unknown); },
                      {"logNothing", "logEvents, logStatusWarning, logStatusDiscard, logStatusError"}});
  check_refused(fmu, {"fmi3SetDebugLogging",
                      [&](Fmu& f) { return fmi3SetDebugLogging(f, false, 1, nullptr); },
                      {"categories is NULL"}});
  check_refused(
      fmu, {"fmi3SetDebugLogging", [&](Fmu& f) { return fmi3SetDebugLogging(f, false, 1, null); }, {"NULL"}});
  fmu.start(contact_settings());
  fmu.go(0, 100);
  CHECK_FALSE(fmu.messages.empty());  // logging is still on
}

TEST_CASE("Messages are filtered by category, and logging does not change the run") {
  const auto events_told = [](bool on, const std::vector<fmi3String>& categories, Fmu::Values& end) {
    Fmu fmu;
    fmu.start(contact_settings());
    REQUIRE(fmi3SetDebugLogging(fmu, on, categories.size(), categories.data()) == fmi3OK);
    fmu.go(0, 100);
    end = fmu.bits();
    for (const Fmu::Message& m : fmu.messages) {
      CHECK(m.category == "logEvents");
      CHECK(m.status == fmi3OK);
      CHECK(m.text.find("t = ") != std::string::npos);
    }
    return fmu.messages.size();
  };
  Fmu::Values quiet, loud;
  CHECK(events_told(false, {}, quiet) == 0);
  CHECK(events_told(true, {}, loud) > 0);
  CHECK(loud == quiet);
  CHECK(events_told(true, {"logEvents"}, loud) > 0);
  CHECK(events_told(true, {"logStatusDiscard", "logStatusWarning"}, loud) == 0);
  CHECK(events_told(false, {"logEvents"}, loud) == 0);
  CHECK(loud == quiet);
}
