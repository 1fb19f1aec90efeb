#pragma once

#include "models/common_variables.h"
#include "models/model.h"
#include "solvers/consistent_start.h"

namespace spondyl {

/// A model with its state and its solver, from parameters to results. An FMU instance is this with C
/// functions around.
///
///     Simulation s(cervical_spine_type());
///     s.set("pulse_shape", 2);
///     s.initialise(0);
///     s.advance(0.1);
///     s.get("head_angle");
class Simulation {
 public:
  explicit Simulation(const ModelType&);
  Simulation(const Simulation&) = delete;  // the model is bound to the state in here
  Simulation& operator=(const Simulation&) = delete;

  const VariableTable& variables() const { return type_.variables(); }
  bool initialised() const { return model_ != nullptr; }
  double time() const { return state_.solution.t; }
  const State& state() const { return state_; }
  Model& model() { return *model_; }

  /// Throws std::invalid_argument if the value is not allowed, or there is no such variable.
  void set(Handle, double value);
  void set(std::string_view name, double value) { set(find(name), value); }
  void set_text(Handle, std::string value);
  double get(Handle);
  double get(std::string_view name) { return get(find(name)); }
  /// Computes the outputs in state().values, if a step or an input has made them old.
  void bring_outputs_up_to_date();

  /// Builds the model from the parameters and starts it. Throws and stays as it was if that is not possible.
  void initialise(double start_time);
  /// Advances to t_end, or to where the listener or a failure stops it.
  Report advance(double t_end, StepListener* listener = nullptr);
  /// Makes accelerations and outputs follow inputs that were changed since the last step.
  void follow_inputs();
  /// Puts the clock right by a rounding error: the communication point that the importer counts.
  void synchronise(double t) { state_.solution.t = t; }

  /// Continues from a copy of the state of any simulation of this type. Throws and stays as it was if the
  /// copy does not fit.
  void restore(const State&);
  /// Back to values that no model has been built from yet.
  void restore_values(const Values&);
  /// To be called by a listener before it reads outputs.
  void outputs_changed() { outputs_current_ = false; }

  /// Derivatives of all outputs with respect to time along the motion, by handle.
  void output_rates(std::span<double> rates);
  /// Change of all outputs for given changes of inputs and tunable parameters (by handle) and time. At the
  /// start, when that is an equilibrium, the positions follow the inputs; later only accelerations and forces
  /// do.
  void output_changes(std::span<const double> seed, double time_seed, bool at_start,
                      std::span<double> changes);

 private:
  class KeptState;
  struct DualWorkspace {
    std::vector<Dual<1>> values, x, xdot, residual, outputs;
  };

  Handle find(std::string_view name) const;
  void apply_inputs();
  /// A start from values, apart from the present one, so that nothing is half-built when it throws.
  struct Started {
    State state;
    std::unique_ptr<Solver> solver;
  };
  Started start_from(const Values&, double time) const;
  /// Goes on from a state whose values have been started from, with the solver of that start.
  void adopt(const State&, std::unique_ptr<Solver>);
  void load_duals();
  void evaluate_duals(Dual<1> t);
  void read_changes(std::span<double> changes) const;

  const ModelType& type_;
  std::vector<Handle> fixed_;  ///< the fixed parameters, from which the model is built
  State state_, previous_;     ///< previous: what a refused restore goes back to
  std::unique_ptr<Model> model_;
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<ConsistentStart> consistent_;
  Values built_from_;  ///< the parameters in the present model
  DualWorkspace dual_;
  bool outputs_current_ = false;
};

}  // namespace spondyl
