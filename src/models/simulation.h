#pragma once

#include "models/common_variables.h"
#include "models/model.h"

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

  const VariableTable& variables() const { return type_.variables(); }

  /// Throws std::invalid_argument if the value is not allowed, or there is no such variable.
  void set(Handle, double value);
  void set(std::string_view name, double value) { set(find(name), value); }
  void set_text(Handle, std::string value);
  double get(Handle);
  double get(std::string_view name) { return get(find(name)); }

  /// Builds the model from the parameters and starts it. Throws and stays as it was if that is not possible.
  void initialise(double start_time);
  /// Makes x' and the outputs follow inputs that were changed between steps.
  void follow_inputs();
  Report advance(double t_end);

  bool initialised() const { return model_ != nullptr; }
  double time() const { return state_.solution.t; }
  const State& state() const { return state_; }
  /// Continues from a copy of the state of a simulation with the same parameters.
  void restore(const State&);
  Model& model() { return *model_; }

 private:
  Handle find(std::string_view name) const;
  void apply_inputs();

  const ModelType& type_;
  State state_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Solver> solver_;
  bool outputs_current_ = false;
};

}  // namespace spondyl
