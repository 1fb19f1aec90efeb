#pragma once

#include <fmi3Functions.h>

#include <memory>
#include <string>
#include <unordered_map>

#include "fmu/saved_state.h"
#include "models/simulation.h"

namespace spondyl::fmu {

/// The model that this FMU carries, defined once in each FMU.
const ModelType& model_type();

/// Hash of everything that an importer sees of the interface; the instantiation token is its hexadecimal
/// form.
std::uint64_t interface_hash(const ModelType&);
std::string instantiation_token(const ModelType&);

/// Value reference 1 is time, then the variables in the order of their declaration.
constexpr fmi3ValueReference time_reference = 1;
constexpr fmi3ValueReference reference(Handle h) { return static_cast<fmi3ValueReference>(h) + 2; }
constexpr Handle handle(fmi3ValueReference vr) { return static_cast<Handle>(vr - reference(0)); }

struct LogCategory {
  const char *name, *description;
};
constexpr LogCategory log_categories[] = {
    {"logEvents", "contacts and other events that end an internal step"},
    {"logStatusWarning", "what works, but perhaps not as meant"},
    {"logStatusDiscard", "steps that the solver could not make"},
    {"logStatusError", "calls that were refused"},
};
enum LogIndex { log_events, log_warning, log_discard, log_error };

/// One instance of the FMU. Methods throw std::exception for what the guard around every FMI function turns
/// into a message and fmi3Error.
class Instance final : private StepListener {
 public:
  struct Environment {
    std::string name;
    fmi3InstanceEnvironment environment = nullptr;
    fmi3LogMessageCallback log = nullptr;
    fmi3IntermediateUpdateCallback intermediate_update = nullptr;
    bool logging = false, event_mode_used = false, early_return_allowed = false;
  };
  Instance(const ModelType&, const Environment&);

  Mode mode() const { return mode_; }
  void log(fmi3Status, LogIndex, const std::string& message) const;
  bool logs(LogIndex) const;  ///< what is not an error
  void set_debug_logging(bool on, std::size_t n, const fmi3String categories[]);

  // life cycle
  void enter_initialization_mode(bool tolerance_defined, double tolerance, double start_time,
                                 bool stop_time_defined, double stop_time);
  void exit_initialization_mode();
  void enter_event_mode();
  void enter_step_mode() { mode_ = step_mode; }
  void update_discrete_states() { simulation_.follow_inputs(); }
  void terminate() { mode_ = terminated; }
  void reset();
  fmi3Status do_step(double now, double size, fmi3Boolean* event, fmi3Boolean* terminate, fmi3Boolean* early,
                     fmi3Float64* last);

  // variables
  void get_float64(const fmi3ValueReference vr[], std::size_t n, fmi3Float64 values[], std::size_t n_values);
  void get_int64(const fmi3ValueReference vr[], std::size_t n, fmi3Int64 values[], std::size_t n_values);
  void get_boolean(const fmi3ValueReference vr[], std::size_t n, fmi3Boolean values[], std::size_t n_values);
  void get_string(const fmi3ValueReference vr[], std::size_t n, fmi3String values[], std::size_t n_values);
  void set_float64(const fmi3ValueReference vr[], std::size_t n, const fmi3Float64 values[],
                   std::size_t n_values);
  void set_int64(const fmi3ValueReference vr[], std::size_t n, const fmi3Int64 values[],
                 std::size_t n_values);
  void set_boolean(const fmi3ValueReference vr[], std::size_t n, const fmi3Boolean values[],
                   std::size_t n_values);
  void set_string(const fmi3ValueReference vr[], std::size_t n, const fmi3String values[],
                  std::size_t n_values);

  /// Throws: the first variable is not of the type, which no variable of the FMU has.
  void refuse_type(const fmi3ValueReference vr[], const char* type) const;

  // dependencies and derivatives
  std::size_t number_of_dependencies(fmi3ValueReference) const;
  void dependencies(fmi3ValueReference dependent, std::size_t element_of_dependent[],
                    fmi3ValueReference independents[], std::size_t element_of_independent[],
                    fmi3DependencyKind kinds[], std::size_t n) const;
  void directional_derivative(std::span<const fmi3ValueReference> unknowns,
                              std::span<const fmi3ValueReference> knowns, std::span<const double> seed,
                              std::span<double> sensitivity);
  void adjoint_derivative(std::span<const fmi3ValueReference> unknowns,
                          std::span<const fmi3ValueReference> knowns, std::span<const double> seed,
                          std::span<double> sensitivity);
  void output_derivatives(const fmi3ValueReference vr[], std::size_t n, const fmi3Int32 orders[],
                          double values[], std::size_t n_values);

  // saved states
  void get_state(fmi3FMUState*);
  void set_state(fmi3FMUState);
  void free_state(fmi3FMUState*);
  std::size_t serialised_state_size(fmi3FMUState) const;
  void serialise_state(fmi3FMUState, fmi3Byte bytes[], std::size_t n) const;
  void deserialise_state(const fmi3Byte bytes[], std::size_t n, fmi3FMUState*);

 private:
  bool accepted(const Step&) override;
  void ensure_started();
  bool at_start() const { return mode_ == initialization; }
  Handle find(fmi3ValueReference) const;
  Handle find(fmi3ValueReference, Type) const;
  /// Checks the arguments and gives each variable's handle to the function with its place in the arrays.
  template <class Function>
  void for_each(Type, const fmi3ValueReference vr[], std::size_t n, const void* values, std::size_t n_values,
                Function);
  template <class Check, class Set>
  void set_all(Type, const fmi3ValueReference vr[], std::size_t n, const void* values, std::size_t n_values,
               Check, Set);
  template <class Number>
  void set_numbers(Type, const fmi3ValueReference vr[], std::size_t n, const Number values[],
                   std::size_t n_values);
  template <class Number>
  void get_numbers(Type, const fmi3ValueReference vr[], std::size_t n, Number values[], std::size_t n_values);
  void bring_outputs_up_to_date();
  void require_output(Handle) const;
  Handle differentiable(fmi3ValueReference) const;
  void changes(std::span<const double> seed, double time_seed);
  SavedState& saved(fmi3FMUState) const;
  void save(SavedState&) const;
  void restore(const SavedState&);

  /// What reading asks of each variable, close together in memory.
  struct Kind {
    Type type;
    bool is_output;
  };

  const ModelType& type_;
  std::vector<Kind> kinds_;  ///< by handle
  Environment environment_;
  bool category_on_[std::size(log_categories)] = {true, true, true, true};
  Simulation simulation_;
  Mode mode_ = instantiated;
  bool started_ = false;  ///< the simulation is built from the present values
  double start_time_ = 0, stop_time_ = 0;
  bool stop_time_defined_ = false;
  double requested_return_ = 0;  ///< where the importer wants to return during a step
  bool event_found_ = false;
  State before_step_;  ///< what a discarded step goes back to
  std::vector<double> seed_, changes_;
  std::unordered_map<fmi3FMUState, std::unique_ptr<SavedState>> saved_states_;
};

}  // namespace spondyl::fmu
