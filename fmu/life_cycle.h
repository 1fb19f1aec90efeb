#pragma once

/// Which FMI function may be called in which mode: the co-simulation part of the state machine of FMI 3.0 in
/// one table. Functions that this FMU does not support are not in it. Where the standard says so:
///
///   2.3 FMU State Setable   states, reset and logging, everywhere but in a callback
///   2.3 Instantiated        set; get of start values (outputs have none: Instance refuses them)
///   2.3 Initialized         terminate, from Event Mode and Step Mode
///   2.3 Terminated          get, output derivatives, directional and adjoint derivatives
///   4.2 Step Mode           set of inputs, discrete ones too, and of tunable parameters; all derivatives
///   4.2 Intermediate Update get and output derivatives; directional and adjoint ones are forbidden, set is
///   not
///                           requested by this FMU
namespace spondyl::fmu {

enum Mode : unsigned {
  instantiated = 1,
  initialization = 2,
  event_mode = 4,
  step_mode = 8,
  intermediate_update = 16,
  terminated = 32,
};

constexpr const char* to_string(Mode m) {
  switch (m) {
    case instantiated:
      return "Instantiated";
    case initialization:
      return "Initialization Mode";
    case event_mode:
      return "Event Mode";
    case step_mode:
      return "Step Mode";
    case intermediate_update:
      return "Intermediate Update Mode";
    case terminated:
      return "Terminated";
  }
  return "unknown";
}

struct Call {
  const char* name;
  unsigned allowed_in;
};

namespace calls {
constexpr unsigned outside_callbacks = instantiated | initialization | event_mode | step_mode | terminated;
constexpr unsigned writing = instantiated | initialization | event_mode | step_mode;
constexpr unsigned differentiating = initialization | event_mode | step_mode | terminated;
constexpr unsigned anywhere = outside_callbacks | intermediate_update;

constexpr Call set_debug_logging{"fmi3SetDebugLogging", outside_callbacks};
constexpr Call enter_initialization_mode{"fmi3EnterInitializationMode", instantiated};
constexpr Call exit_initialization_mode{"fmi3ExitInitializationMode", initialization};
constexpr Call enter_event_mode{"fmi3EnterEventMode", step_mode};
constexpr Call enter_step_mode{"fmi3EnterStepMode", event_mode};
constexpr Call update_discrete_states{"fmi3UpdateDiscreteStates", event_mode};
constexpr Call do_step{"fmi3DoStep", step_mode};
constexpr Call terminate{"fmi3Terminate", event_mode | step_mode};
constexpr Call reset{"fmi3Reset", outside_callbacks};

constexpr Call get_float64{"fmi3GetFloat64", anywhere};
constexpr Call get_int64{"fmi3GetInt64", anywhere};
constexpr Call get_boolean{"fmi3GetBoolean", anywhere};
constexpr Call get_string{"fmi3GetString", anywhere};
constexpr Call set_float64{"fmi3SetFloat64", writing};
constexpr Call set_int64{"fmi3SetInt64", writing};
constexpr Call set_boolean{"fmi3SetBoolean", writing};
constexpr Call set_string{"fmi3SetString", writing};

constexpr Call get_number_of_variable_dependencies{"fmi3GetNumberOfVariableDependencies", outside_callbacks};
constexpr Call get_variable_dependencies{"fmi3GetVariableDependencies", outside_callbacks};
constexpr Call get_directional_derivative{"fmi3GetDirectionalDerivative", differentiating};
constexpr Call get_adjoint_derivative{"fmi3GetAdjointDerivative", differentiating};
constexpr Call get_output_derivatives{"fmi3GetOutputDerivatives",
                                      step_mode | intermediate_update | terminated};

constexpr Call get_fmu_state{"fmi3GetFMUState", outside_callbacks};
constexpr Call set_fmu_state{"fmi3SetFMUState", outside_callbacks};
constexpr Call free_fmu_state{"fmi3FreeFMUState", outside_callbacks};
constexpr Call serialized_fmu_state_size{"fmi3SerializedFMUStateSize", outside_callbacks};
constexpr Call serialize_fmu_state{"fmi3SerializeFMUState", outside_callbacks};
constexpr Call deserialize_fmu_state{"fmi3DeserializeFMUState", outside_callbacks};
}  // namespace calls

}  // namespace spondyl::fmu
