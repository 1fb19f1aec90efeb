#pragma once

#include <fmi3Functions.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "fmu/instance.h"
#include "solver_numbers.h"

namespace spondyl::testing {

inline const VariableTable& table() { return fmu::model_type().variables(); }

inline fmi3ValueReference vr(std::string_view name) {
  const Handle h = table().find(name);
  if (h < 0) FAIL("no variable " << name);
  return fmu::reference(h);
}

inline std::vector<fmi3ValueReference> references_of(Causality causality, Type type = Type::float64) {
  std::vector<fmi3ValueReference> found;
  for (const Handle h : table().of(causality))
    if (table()[h].type == type) found.push_back(fmu::reference(h));
  return found;
}

/// All Float64 outputs, made once.
inline const std::vector<fmi3ValueReference>& output_references() {
  static const std::vector<fmi3ValueReference> all = references_of(Causality::output);
  return all;
}

struct Options {
  bool event_mode = false, early_return = false, intermediate_update = false, logging = false;
};

struct StepResult {
  fmi3Status status = fmi3Fatal;
  fmi3Boolean event = true, terminate = true, early = true;
  double last = -1;
};

/// An instance of the FMU that keeps what it logs and frees itself.
class Fmu {
 public:
  struct Message {
    fmi3Status status;
    std::string category, text;
  };
  using Values = std::vector<std::uint64_t>;
  using Setting = std::pair<std::string_view, double>;
  using Settings = std::initializer_list<Setting>;

  explicit Fmu(const Options& options = {}) {
    static const std::string token = fmu::instantiation_token(fmu::model_type());
    instance_ = fmi3InstantiateCoSimulation("neck", token.c_str(), nullptr, fmi3False, options.logging,
                                            options.event_mode, options.early_return, nullptr, 0, this,
                                            &Fmu::log, options.intermediate_update ? &Fmu::update : nullptr);
    if (!instance_) throw std::runtime_error("no instance");
  }
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;
  ~Fmu() { fmi3FreeInstance(instance_); }
  operator fmi3Instance() const { return instance_; }

  std::vector<Message> messages;
  /// Time, may it return early, does it want to, when.
  std::function<void(double, bool, fmi3Boolean*, fmi3Float64*)> on_update;
  const std::string& last_message() const {
    static const std::string none;
    return messages.empty() ? none : messages.back().text;
  }

  /// By name, whatever the type.
  fmi3Status set(std::string_view name, double value) {
    const Handle h = table().find(name);
    if (h < 0) throw std::runtime_error("no variable " + std::string(name));
    const fmi3ValueReference r = fmu::reference(h);
    if (table()[h].type == Type::boolean) {
      const fmi3Boolean b = value != 0;
      return fmi3SetBoolean(instance_, &r, 1, &b, 1);
    }
    if (table()[h].type == Type::enumeration) {
      const auto i = static_cast<fmi3Int64>(value);
      return fmi3SetInt64(instance_, &r, 1, &i, 1);
    }
    return fmi3SetFloat64(instance_, &r, 1, &value, 1);
  }
  void set_all(const std::vector<Setting>& settings) {
    for (const auto& [name, value] : settings)
      if (set(name, value) != fmi3OK) throw std::runtime_error(last_message());
  }
  double get(std::string_view name) {
    const Handle h = table().find(name);
    if (h < 0) throw std::runtime_error("no variable " + std::string(name));
    return get(fmu::reference(h));
  }
  double get(fmi3ValueReference r) {
    double value = 0;
    if (fmi3GetFloat64(instance_, &r, 1, &value, 1) != fmi3OK) throw std::runtime_error(last_message());
    return value;
  }
  double time() { return get(fmu::time_reference); }
  std::vector<double> numbers() {
    const auto& all = output_references();
    std::vector<double> values(all.size());
    if (fmi3GetFloat64(instance_, all.data(), all.size(), values.data(), values.size()) != fmi3OK)
      throw std::runtime_error(last_message());
    return values;
  }
  /// Bits of all outputs and of time.
  Values bits() {
    Values result{std::bit_cast<std::uint64_t>(time())};
    for (const double x : numbers()) result.push_back(std::bit_cast<std::uint64_t>(x));
    return result;
  }

  void enter_initialization(double start_time = 0) {
    if (fmi3EnterInitializationMode(instance_, fmi3False, 0, start_time, fmi3False, 0) != fmi3OK)
      throw std::runtime_error(last_message());
  }
  /// To Step Mode.
  Fmu& start(const std::vector<Setting>& settings = {}, double start_time = 0) {
    set_all(settings);
    enter_initialization(start_time);
    if (fmi3ExitInitializationMode(instance_) != fmi3OK) throw std::runtime_error(last_message());
    fmi3EnterStepMode(instance_);  // refused if there is no Event Mode
    messages.clear();
    return *this;
  }
  StepResult step(double now, double size) {
    StepResult r;
    r.status = fmi3DoStep(instance_, now, size, fmi3False, &r.event, &r.terminate, &r.early, &r.last);
    return r;
  }
  /// Steps of one size that must succeed; step k ends at k * size.
  void go(int from, int to, double size = 1e-3) {
    for (int k = from; k < to; ++k) {
      const StepResult r = step(k * size, (k + 1) * size - k * size);
      if (r.status != fmi3OK) throw std::runtime_error(last_message());
    }
  }

 private:
  static void log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                  fmi3String message) {
    static_cast<Fmu*>(environment)->messages.push_back({status, category, message});
  }
  static void update(fmi3InstanceEnvironment environment, fmi3Float64 time, fmi3Boolean set_requested,
                     fmi3Boolean get_allowed, fmi3Boolean finished, fmi3Boolean may_return,
                     fmi3Boolean* wants, fmi3Float64* when) {
    auto& self = *static_cast<Fmu*>(environment);
    static_cast<void>(set_requested);
    if (!get_allowed || !finished) throw std::runtime_error("an unfinished step was told");
    if (self.on_update) self.on_update(time, may_return, wants, when);
  }
  fmi3Instance instance_ = nullptr;
};

inline std::vector<fmi3Byte> serialised(Fmu& fmu, fmi3FMUState state) {
  size_t size = 0;
  REQUIRE(fmi3SerializedFMUStateSize(fmu, state, &size) == fmi3OK);
  std::vector<fmi3Byte> bytes(size);
  REQUIRE(fmi3SerializeFMUState(fmu, state, bytes.data(), size) == fmi3OK);
  return bytes;
}

/// The present state.
inline std::vector<fmi3Byte> serialised(Fmu& fmu) {
  fmi3FMUState state = nullptr;
  REQUIRE(fmi3GetFMUState(fmu, &state) == fmi3OK);
  const std::vector<fmi3Byte> bytes = serialised(fmu, state);
  REQUIRE(fmi3FreeFMUState(fmu, &state) == fmi3OK);
  return bytes;
}

/// The head falls against a plane behind it: contact, and ligaments that only pull.
inline std::vector<Fmu::Setting> contact_settings() {
  return {{"pulse_shape", 2},
          {"ligaments_two_sided", 0},
          {"plane1_active", 1},
          {"plane1_x", -0.12},
          {"plane1_nx", 1}};
}

}  // namespace spondyl::testing
