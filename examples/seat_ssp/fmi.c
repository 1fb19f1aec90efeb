/* The FMI 3.0 functions of the seat: co-simulation with saved states, without events. What a co-simulation
 * without them does not need is there, as the standard wants it, and answers with an error. */

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fmi3Functions.h"
#include "seat.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* the standard fixes the parameters */

typedef struct {
  double variable[variable_count]; /* restraint_active is always true and has no place of its own */
  State state;
} Seat;

static fmi3Status update(Seat* seat) {
  write_outputs(seat->variable, seat->variable[TIME], &seat->state);
  return isfinite(seat->variable[T1_acceleration]) ? fmi3OK : fmi3Error;
}

const char* fmi3GetVersion(void) { return fmi3Version; }

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode,
                                         fmi3Boolean early_return, const fmi3ValueReference intermediate[],
                                         size_t intermediate_count, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback intermediate_update) {
  if (!token || strcmp(token, TOKEN) != 0) return NULL;
  Seat* const seat = calloc(1, sizeof(Seat));
  if (seat) fmi3Reset(seat);
  return seat;
}

void fmi3FreeInstance(fmi3Instance instance) { free(instance); }

fmi3Status fmi3Reset(fmi3Instance instance) {
  Seat* const seat = instance;
  *seat = (Seat){.variable = {START_VALUES}};
  return update(seat);
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean tolerance_defined,
                                       fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean stop_defined,
                                       fmi3Float64 stop) {
  ((Seat*)instance)->variable[TIME] = start;
  return update(instance);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) { return update(instance); }
fmi3Status fmi3Terminate(fmi3Instance instance) { return fmi3OK; }

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, size_t count,
                               const fmi3String categories[]) {
  return fmi3OK;
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                          size_t reference_count, fmi3Float64 values[], size_t value_count) {
  if (value_count != reference_count) return fmi3Error;
  const fmi3Status status = update(instance); /* an input may have changed */
  for (size_t i = 0; i < reference_count; ++i) {
    if (references[i] >= variable_count || references[i] == restraint_active) return fmi3Error;
    values[i] = ((Seat*)instance)->variable[references[i]];
  }
  return status;
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                          size_t reference_count, const fmi3Float64 values[], size_t value_count) {
  if (value_count != reference_count) return fmi3Error;
  for (size_t i = 0; i < reference_count; ++i) {
    const fmi3ValueReference r = references[i];
    const bool input = r >= head_contact_force && r <= C7_angle,
               positive = r >= pulse_peak && r < restraint_start;
    if (!(input || positive || r == restraint_start) || !isfinite(values[i])) return fmi3Error;
    if (positive && values[i] <= 0) return fmi3Error;
    ((Seat*)instance)->variable[r] = values[i];
  }
  return fmi3OK;
}

fmi3Status fmi3GetBoolean(fmi3Instance instance, const fmi3ValueReference references[],
                          size_t reference_count, fmi3Boolean values[], size_t value_count) {
  if (value_count != reference_count) return fmi3Error;
  for (size_t i = 0; i < reference_count; ++i) {
    if (references[i] != restraint_active) return fmi3Error;
    values[i] = fmi3True;
  }
  return fmi3OK;
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 time, fmi3Float64 step, fmi3Boolean no_return,
                      fmi3Boolean* event, fmi3Boolean* terminate, fmi3Boolean* early, fmi3Float64* reached) {
  Seat* const seat = instance;
  *event = *terminate = *early = fmi3False;
  *reached = time;
  if (!(step > 0 && step < 1e3) || !isfinite(time)) return fmi3Error; /* s; also refuses NaN */
  advance_seat(seat->variable, time, step, &seat->state);
  *reached = seat->variable[TIME] = time + step;
  return update(seat);
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* saved) {
  if (!*saved && !(*saved = malloc(sizeof(Seat)))) return fmi3Error;
  memcpy(*saved, instance, sizeof(Seat));
  return fmi3OK;
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState saved) {
  memcpy(instance, saved, sizeof(Seat));
  return fmi3OK;
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* saved) {
  free(*saved);
  *saved = NULL;
  return fmi3OK;
}

#define REFUSED(name, ...) \
  fmi3Status name(fmi3Instance instance, __VA_ARGS__) { return fmi3Error; }
#define REFUSED_ALONE(name) \
  fmi3Status name(fmi3Instance instance) { return fmi3Error; }
#define NO_VARIABLES(type)                                                                      \
  REFUSED(fmi3Get##type, const fmi3ValueReference r[], size_t n, fmi3##type values[], size_t m) \
  REFUSED(fmi3Set##type, const fmi3ValueReference r[], size_t n, const fmi3##type values[], size_t m)
// clang-format off
NO_VARIABLES(Float32) NO_VARIABLES(Int8) NO_VARIABLES(UInt8) NO_VARIABLES(Int16) NO_VARIABLES(UInt16) NO_VARIABLES(Int32)
NO_VARIABLES(UInt32) NO_VARIABLES(Int64) NO_VARIABLES(UInt64) NO_VARIABLES(String)
REFUSED(fmi3SetBoolean, const fmi3ValueReference r[], size_t n, const fmi3Boolean values[], size_t m)
REFUSED(fmi3GetBinary, const fmi3ValueReference r[], size_t n, size_t sizes[], fmi3Binary values[], size_t m)
REFUSED(fmi3SetBinary, const fmi3ValueReference r[], size_t n, const size_t sizes[], const fmi3Binary values[], size_t m)
REFUSED(fmi3GetClock, const fmi3ValueReference r[], size_t n, fmi3Clock values[])
REFUSED(fmi3SetClock, const fmi3ValueReference r[], size_t n, const fmi3Clock values[])
REFUSED(fmi3GetNumberOfVariableDependencies, fmi3ValueReference r, size_t* n)
REFUSED(fmi3GetVariableDependencies, fmi3ValueReference r, size_t i[], fmi3ValueReference on[], size_t j[], fmi3DependencyKind kinds[], size_t n)
REFUSED(fmi3SerializedFMUStateSize, fmi3FMUState saved, size_t* size)
REFUSED(fmi3SerializeFMUState, fmi3FMUState saved, fmi3Byte bytes[], size_t size)
REFUSED(fmi3DeserializeFMUState, const fmi3Byte bytes[], size_t size, fmi3FMUState* saved)
REFUSED(fmi3GetDirectionalDerivative, const fmi3ValueReference u[], size_t nu, const fmi3ValueReference k[], size_t nk, const fmi3Float64 seed[], size_t ns, fmi3Float64 values[], size_t n)
REFUSED(fmi3GetAdjointDerivative, const fmi3ValueReference u[], size_t nu, const fmi3ValueReference k[], size_t nk, const fmi3Float64 seed[], size_t ns, fmi3Float64 values[], size_t n)
REFUSED(fmi3GetIntervalDecimal, const fmi3ValueReference r[], size_t n, fmi3Float64 values[], fmi3IntervalQualifier q[])
REFUSED(fmi3GetIntervalFraction, const fmi3ValueReference r[], size_t n, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier q[])
REFUSED(fmi3GetShiftDecimal, const fmi3ValueReference r[], size_t n, fmi3Float64 values[])
REFUSED(fmi3GetShiftFraction, const fmi3ValueReference r[], size_t n, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
REFUSED(fmi3SetIntervalDecimal, const fmi3ValueReference r[], size_t n, const fmi3Float64 values[])
REFUSED(fmi3SetIntervalFraction, const fmi3ValueReference r[], size_t n, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
REFUSED(fmi3SetShiftDecimal, const fmi3ValueReference r[], size_t n, const fmi3Float64 values[])
REFUSED(fmi3SetShiftFraction, const fmi3ValueReference r[], size_t n, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
REFUSED(fmi3UpdateDiscreteStates, fmi3Boolean* a, fmi3Boolean* b, fmi3Boolean* c, fmi3Boolean* d, fmi3Boolean* e, fmi3Float64* time)
REFUSED(fmi3CompletedIntegratorStep, fmi3Boolean no_return, fmi3Boolean* event, fmi3Boolean* terminate)
REFUSED(fmi3SetTime, fmi3Float64 time)
REFUSED(fmi3SetContinuousStates, const fmi3Float64 values[], size_t n)
REFUSED(fmi3GetContinuousStates, fmi3Float64 values[], size_t n)
REFUSED(fmi3GetContinuousStateDerivatives, fmi3Float64 values[], size_t n)
REFUSED(fmi3GetNominalsOfContinuousStates, fmi3Float64 values[], size_t n)
REFUSED(fmi3GetEventIndicators, fmi3Float64 values[], size_t n)
REFUSED(fmi3GetNumberOfEventIndicators, size_t* n)
REFUSED(fmi3GetNumberOfContinuousStates, size_t* n)
REFUSED(fmi3GetOutputDerivatives, const fmi3ValueReference r[], size_t n, const fmi3Int32 orders[], fmi3Float64 values[], size_t m)
REFUSED(fmi3ActivateModelPartition, fmi3ValueReference clock, fmi3Float64 time)
REFUSED_ALONE(fmi3EnterConfigurationMode) REFUSED_ALONE(fmi3ExitConfigurationMode) REFUSED_ALONE(fmi3EvaluateDiscreteStates)
REFUSED_ALONE(fmi3EnterEventMode) REFUSED_ALONE(fmi3EnterContinuousTimeMode) REFUSED_ALONE(fmi3EnterStepMode)
    // clang-format on

    fmi3Instance
    fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                 fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                 fmi3LogMessageCallback log) {
  return NULL;
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback update_clock,
    fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock) {
  return NULL;
}
