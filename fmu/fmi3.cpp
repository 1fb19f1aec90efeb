/// The functions of FMI 3.0. Each goes through one guard, which checks the instance and the call order, and
/// turns exceptions into a message and fmi3Error. Nothing gets past it.

#include <exception>
#include <new>
#include <stdexcept>

#include "fmu/instance.h"

using spondyl::fmu::Call;
using spondyl::fmu::Instance;
namespace calls = spondyl::fmu::calls;

namespace {

void log_error(const Instance& instance, const char* function, const char* message) noexcept try {
  instance.log(fmi3Error, spondyl::fmu::log_error, std::string(function) + ": " + message);
} catch (...) {
  // no memory even for the message: the status must do
}

/// The guard. `body` returns a status, or nothing for fmi3OK.
template <class Body>
fmi3Status call(fmi3Instance handle, const Call& c, Body body) noexcept {
  if (!handle) return fmi3Error;
  Instance& instance = *static_cast<Instance*>(handle);
  try {
    if (!(c.allowed_in & instance.mode()))
      throw std::logic_error(std::string("not allowed in ") + to_string(instance.mode()));
    if constexpr (std::is_void_v<decltype(body(instance))>) {
      body(instance);
      return fmi3OK;
    } else {
      return body(instance);
    }
  } catch (const std::exception& e) {
    log_error(instance, c.name, e.what());
  } catch (...) {
    log_error(instance, c.name, "unknown failure");
  }
  return fmi3Error;
}

fmi3Status unsupported(fmi3Instance handle, const char* function, const char* why) noexcept {
  if (handle) log_error(*static_cast<Instance*>(handle), function, why);
  return fmi3Error;
}

/// Types that no variable of this FMU has: asking for none of them is fine.
fmi3Status no_such_type(fmi3Instance handle, const char* function, const char* type,
                        const fmi3ValueReference vr[], size_t n) noexcept {
  return call(handle, {function, calls::anywhere}, [&](Instance& i) {
    if (n > 0) i.refuse_type(vr, type);
  });
}

constexpr const char* no_clocks = "the FMU has no clocks";
constexpr const char* co_simulation_only = "the FMU is for co-simulation only";

void say(fmi3LogMessageCallback log, fmi3InstanceEnvironment environment, const char* message) {
  if (log) log(environment, fmi3Error, spondyl::fmu::log_categories[spondyl::fmu::log_error].name, message);
}

void require(const void* pointer, const char* name) {
  if (!pointer) throw std::invalid_argument(std::string(name) + " is NULL");
}

template <class T>
std::span<T> array(T* pointer, size_t n, const char* name) {
  if (n > 0) require(pointer, name);
  return {pointer, n};
}

}  // namespace

extern "C" {

// -- common

const char* fmi3GetVersion(void) { return fmi3Version; }

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories,
                               const fmi3String categories[]) {
  return call(instance, calls::set_debug_logging,
              [&](Instance& i) { i.set_debug_logging(loggingOn, nCategories, categories); });
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String instanceName, fmi3String instantiationToken, fmi3String,
                                         fmi3Boolean, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed,
                                         fmi3Boolean earlyReturnAllowed,
                                         const fmi3ValueReference requiredIntermediateVariables[],
                                         size_t nRequiredIntermediateVariables,
                                         fmi3InstanceEnvironment instanceEnvironment,
                                         fmi3LogMessageCallback logMessage,
                                         fmi3IntermediateUpdateCallback intermediateUpdate) {
  try {
    const spondyl::ModelType& type = spondyl::fmu::model_type();
    const std::string token = spondyl::fmu::instantiation_token(type);
    if (!instantiationToken || token != instantiationToken) {
      const std::string text =
          "fmi3InstantiateCoSimulation: the instantiation token is not that of this FMU, " + token +
          ": modelDescription.xml and binary do not belong together";
      say(logMessage, instanceEnvironment, text.c_str());
      return nullptr;
    }
    for (size_t k = 0; requiredIntermediateVariables && k < nRequiredIntermediateVariables; ++k)
      if (requiredIntermediateVariables[k] < 1 ||
          requiredIntermediateVariables[k] > static_cast<fmi3ValueReference>(type.variables().size()) + 1) {
        const std::string text = "fmi3InstantiateCoSimulation: required intermediate variable " +
                                 std::to_string(requiredIntermediateVariables[k]) + " does not exist";
        say(logMessage, instanceEnvironment, text.c_str());
        return nullptr;
      }
    return new Instance(type, {instanceName ? instanceName : "", instanceEnvironment, logMessage,
                               intermediateUpdate, loggingOn, eventModeUsed, earlyReturnAllowed});
  } catch (const std::exception& e) {
    say(logMessage, instanceEnvironment, e.what());
  } catch (...) {
    say(logMessage, instanceEnvironment, "unknown failure");
  }
  return nullptr;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback logMessage) {
  say(logMessage, environment, "fmi3InstantiateModelExchange: the FMU is for co-simulation only");
  return nullptr;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                               fmi3InstanceEnvironment environment,
                                               fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback,
                                               fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback) {
  say(logMessage, environment, "fmi3InstantiateScheduledExecution: the FMU is for co-simulation only");
  return nullptr;
}

void fmi3FreeInstance(fmi3Instance instance) {
  if (!instance) return;
  auto* const i = static_cast<Instance*>(instance);
  if (i->mode() == spondyl::fmu::intermediate_update) {
    log_error(*i, "fmi3FreeInstance", "not allowed in a callback");
    return;
  }
  delete i;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined,
                                       fmi3Float64 tolerance, fmi3Float64 startTime,
                                       fmi3Boolean stopTimeDefined, fmi3Float64 stopTime) {
  return call(instance, calls::enter_initialization_mode, [&](Instance& i) {
    i.enter_initialization_mode(toleranceDefined, tolerance, startTime, stopTimeDefined, stopTime);
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return call(instance, calls::exit_initialization_mode, [](Instance& i) { i.exit_initialization_mode(); });
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return call(instance, calls::enter_event_mode, [](Instance& i) { i.enter_event_mode(); });
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  return call(instance, calls::terminate, [](Instance& i) { i.terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return call(instance, calls::reset, [](Instance& i) { i.reset(); });
}

// -- variables

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          size_t nValueReferences, fmi3Float64 values[], size_t nValues) {
  return call(instance, calls::get_float64,
              [&](Instance& i) { i.get_float64(valueReferences, nValueReferences, values, nValues); });
}

fmi3Status fmi3GetInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, fmi3Int64 values[], size_t nValues) {
  return call(instance, calls::get_int64,
              [&](Instance& i) { i.get_int64(valueReferences, nValueReferences, values, nValues); });
}

fmi3Status fmi3GetBoolean(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          size_t nValueReferences, fmi3Boolean values[], size_t nValues) {
  return call(instance, calls::get_boolean,
              [&](Instance& i) { i.get_boolean(valueReferences, nValueReferences, values, nValues); });
}

fmi3Status fmi3GetString(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, fmi3String values[], size_t nValues) {
  return call(instance, calls::get_string,
              [&](Instance& i) { i.get_string(valueReferences, nValueReferences, values, nValues); });
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          size_t nValueReferences, const fmi3Float64 values[], size_t nValues) {
  return call(instance, calls::set_float64,
              [&](Instance& i) { i.set_float64(valueReferences, nValueReferences, values, nValues); });
}

fmi3Status fmi3SetInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, const fmi3Int64 values[], size_t nValues) {
  return call(instance, calls::set_int64,
              [&](Instance& i) { i.set_int64(valueReferences, nValueReferences, values, nValues); });
}

fmi3Status fmi3SetBoolean(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          size_t nValueReferences, const fmi3Boolean values[], size_t nValues) {
  return call(instance, calls::set_boolean,
              [&](Instance& i) { i.set_boolean(valueReferences, nValueReferences, values, nValues); });
}

fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, const fmi3String values[], size_t nValues) {
  return call(instance, calls::set_string,
              [&](Instance& i) { i.set_string(valueReferences, nValueReferences, values, nValues); });
}

#define SPONDYL_NO_SUCH_TYPE(T, C)                                                                        \
  fmi3Status fmi3Get##T(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t n, C[], \
                        size_t) {                                                                         \
    return no_such_type(instance, "fmi3Get" #T, #T, valueReferences, n);                                  \
  }                                                                                                       \
  fmi3Status fmi3Set##T(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t n,      \
                        const C[], size_t) {                                                              \
    return no_such_type(instance, "fmi3Set" #T, #T, valueReferences, n);                                  \
  }
SPONDYL_NO_SUCH_TYPE(Float32, fmi3Float32)
SPONDYL_NO_SUCH_TYPE(Int8, fmi3Int8)
SPONDYL_NO_SUCH_TYPE(UInt8, fmi3UInt8)
SPONDYL_NO_SUCH_TYPE(Int16, fmi3Int16)
SPONDYL_NO_SUCH_TYPE(UInt16, fmi3UInt16)
SPONDYL_NO_SUCH_TYPE(Int32, fmi3Int32)
SPONDYL_NO_SUCH_TYPE(UInt32, fmi3UInt32)
SPONDYL_NO_SUCH_TYPE(UInt64, fmi3UInt64)
#undef SPONDYL_NO_SUCH_TYPE

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t n,
                         size_t[], fmi3Binary[], size_t) {
  return no_such_type(instance, "fmi3GetBinary", "Binary", valueReferences, n);
}
fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t n,
                         const size_t[], const fmi3Binary[], size_t) {
  return no_such_type(instance, "fmi3SetBinary", "Binary", valueReferences, n);
}
fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t n,
                        fmi3Clock[]) {
  return no_such_type(instance, "fmi3GetClock", "Clock", valueReferences, n);
}
fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t n,
                        const fmi3Clock[]) {
  return no_such_type(instance, "fmi3SetClock", "Clock", valueReferences, n);
}

// -- dependencies and derivatives

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference valueReference,
                                               size_t* nDependencies) {
  return call(instance, calls::get_number_of_variable_dependencies, [&](Instance& i) {
    require(nDependencies, "nDependencies");
    *nDependencies = i.number_of_dependencies(valueReference);
  });
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                       size_t elementIndicesOfDependent[], fmi3ValueReference independents[],
                                       size_t elementIndicesOfIndependents[],
                                       fmi3DependencyKind dependencyKinds[], size_t nDependencies) {
  return call(instance, calls::get_variable_dependencies, [&](Instance& i) {
    i.dependencies(dependent, elementIndicesOfDependent, independents, elementIndicesOfIndependents,
                   dependencyKinds, nDependencies);
  });
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        size_t nUnknowns, const fmi3ValueReference knowns[], size_t nKnowns,
                                        const fmi3Float64 seed[], size_t nSeed, fmi3Float64 sensitivity[],
                                        size_t nSensitivity) {
  return call(instance, calls::get_directional_derivative, [&](Instance& i) {
    if (nSeed != nKnowns || nSensitivity != nUnknowns)
      throw std::invalid_argument(
          "nSeed must be nKnowns and nSensitivity must be nUnknowns: all variables are scalars");
    i.directional_derivative(array(unknowns, nUnknowns, "unknowns"), array(knowns, nKnowns, "knowns"),
                             array(seed, nSeed, "seed"), array(sensitivity, nSensitivity, "sensitivity"));
  });
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                    size_t nUnknowns, const fmi3ValueReference knowns[], size_t nKnowns,
                                    const fmi3Float64 seed[], size_t nSeed, fmi3Float64 sensitivity[],
                                    size_t nSensitivity) {
  return call(instance, calls::get_adjoint_derivative, [&](Instance& i) {
    if (nSeed != nUnknowns || nSensitivity != nKnowns)
      throw std::invalid_argument(
          "nSeed must be nUnknowns and nSensitivity must be nKnowns: all variables are scalars");
    i.adjoint_derivative(array(unknowns, nUnknowns, "unknowns"), array(knowns, nKnowns, "knowns"),
                         array(seed, nSeed, "seed"), array(sensitivity, nSensitivity, "sensitivity"));
  });
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                    size_t nValueReferences, const fmi3Int32 orders[], fmi3Float64 values[],
                                    size_t nValues) {
  return call(instance, calls::get_output_derivatives, [&](Instance& i) {
    i.output_derivatives(valueReferences, nValueReferences, orders, values, nValues);
  });
}

// -- saved states

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
  return call(instance, calls::get_fmu_state, [&](Instance& i) { i.get_state(FMUState); });
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState FMUState) {
  return call(instance, calls::set_fmu_state, [&](Instance& i) { i.set_state(FMUState); });
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
  return call(instance, calls::free_fmu_state, [&](Instance& i) { i.free_state(FMUState); });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState FMUState, size_t* size) {
  return call(instance, calls::serialized_fmu_state_size, [&](Instance& i) {
    require(size, "size");
    *size = i.serialised_state_size(FMUState);
  });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState FMUState, fmi3Byte serializedState[],
                                 size_t size) {
  return call(instance, calls::serialize_fmu_state,
              [&](Instance& i) { i.serialise_state(FMUState, serializedState, size); });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte serializedState[], size_t size,
                                   fmi3FMUState* FMUState) {
  return call(instance, calls::deserialize_fmu_state,
              [&](Instance& i) { i.deserialise_state(serializedState, size, FMUState); });
}

// -- co-simulation

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return call(instance, calls::enter_step_mode, [](Instance& i) { i.enter_step_mode(); });
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate,
                                    fmi3Boolean* terminateSimulation,
                                    fmi3Boolean* nominalsOfContinuousStatesChanged,
                                    fmi3Boolean* valuesOfContinuousStatesChanged,
                                    fmi3Boolean* nextEventTimeDefined, fmi3Float64* nextEventTime) {
  return call(instance, calls::update_discrete_states, [&](Instance& i) {
    require(discreteStatesNeedUpdate, "discreteStatesNeedUpdate");
    require(terminateSimulation, "terminateSimulation");
    require(nominalsOfContinuousStatesChanged, "nominalsOfContinuousStatesChanged");
    require(valuesOfContinuousStatesChanged, "valuesOfContinuousStatesChanged");
    require(nextEventTimeDefined, "nextEventTimeDefined");
    require(nextEventTime, "nextEventTime");
    *discreteStatesNeedUpdate = *terminateSimulation = *nominalsOfContinuousStatesChanged =
        *valuesOfContinuousStatesChanged = *nextEventTimeDefined = fmi3False;
    *nextEventTime = 0;
    i.update_discrete_states();
  });
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                      fmi3Float64 communicationStepSize, fmi3Boolean, fmi3Boolean* eventHandlingNeeded,
                      fmi3Boolean* terminateSimulation, fmi3Boolean* earlyReturn,
                      fmi3Float64* lastSuccessfulTime) {
  return call(instance, calls::do_step, [&](Instance& i) {
    return i.do_step(currentCommunicationPoint, communicationStepSize, eventHandlingNeeded,
                     terminateSimulation, earlyReturn, lastSuccessfulTime);
  });
}

// -- what this FMU does not have

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  return unsupported(instance, "fmi3EnterConfigurationMode", "the FMU has no structural parameters");
}
fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return unsupported(instance, "fmi3ExitConfigurationMode", "the FMU has no structural parameters");
}
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
  return unsupported(instance, "fmi3EvaluateDiscreteStates", "providesEvaluateDiscreteStates is false");
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3Float64[],
                                  fmi3IntervalQualifier[]) {
  return unsupported(instance, "fmi3GetIntervalDecimal", no_clocks);
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3UInt64[],
                                   fmi3UInt64[], fmi3IntervalQualifier[]) {
  return unsupported(instance, "fmi3GetIntervalFraction", no_clocks);
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3Float64[]) {
  return unsupported(instance, "fmi3GetShiftDecimal", no_clocks);
}
fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3UInt64[],
                                fmi3UInt64[]) {
  return unsupported(instance, "fmi3GetShiftFraction", no_clocks);
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t,
                                  const fmi3Float64[]) {
  return unsupported(instance, "fmi3SetIntervalDecimal", no_clocks);
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference[], size_t,
                                   const fmi3UInt64[], const fmi3UInt64[]) {
  return unsupported(instance, "fmi3SetIntervalFraction", no_clocks);
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t,
                               const fmi3Float64[]) {
  return unsupported(instance, "fmi3SetShiftDecimal", no_clocks);
}
fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                const fmi3UInt64[]) {
  return unsupported(instance, "fmi3SetShiftFraction", no_clocks);
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference, fmi3Float64) {
  return unsupported(instance, "fmi3ActivateModelPartition", co_simulation_only);
}
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return unsupported(instance, "fmi3EnterContinuousTimeMode", co_simulation_only);
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean, fmi3Boolean*, fmi3Boolean*) {
  return unsupported(instance, "fmi3CompletedIntegratorStep", co_simulation_only);
}
fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64) {
  return unsupported(instance, "fmi3SetTime", co_simulation_only);
}
fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64[], size_t) {
  return unsupported(instance, "fmi3SetContinuousStates", co_simulation_only);
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64[], size_t) {
  return unsupported(instance, "fmi3GetContinuousStateDerivatives", co_simulation_only);
}
fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64[], size_t) {
  return unsupported(instance, "fmi3GetEventIndicators", co_simulation_only);
}
fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64[], size_t) {
  return unsupported(instance, "fmi3GetContinuousStates", co_simulation_only);
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64[], size_t) {
  return unsupported(instance, "fmi3GetNominalsOfContinuousStates", co_simulation_only);
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t*) {
  return unsupported(instance, "fmi3GetNumberOfEventIndicators", co_simulation_only);
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t*) {
  return unsupported(instance, "fmi3GetNumberOfContinuousStates", co_simulation_only);
}

}  // extern "C"
