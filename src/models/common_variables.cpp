#include "models/common_variables.h"

#include <stdexcept>

namespace spondyl {

void CommonVariables::declare(VariableTable& t, const Settling& settling) {
  data_set = t.enumeration(
      "data_set", "DataSet", {"published", "reconciled", "custom"},
      "published: the paper to the letter; reconciled: the same made consistent; custom: the tables in "
      "data_path",
      int(DataSetChoice::reconciled));
  data_path = t.text("data_path", "Directory with the user's own tables, used when data_set is custom");
  solver = t.enumeration("solver", "Solver", {"radau", "mebdf", "ida"},
                         "radau: one-step, the best choice when inputs change; mebdf: multistep, that of the "
                         "CervicalSpine's paper; "
                         "ida: SUNDIALS, independent check, restarts when restored",
                         int(SolverChoice::radau));
  relative_tolerance =
      t.parameter("relative_tolerance", scale::none, "Relative tolerance of the solver", 1e-6, 1e-13, 0.1);
  absolute_tolerance =
      t.parameter("absolute_tolerance", scale::none,
                  "Absolute tolerance of the solver, in units of the nominal values", 1e-6, 1e-15, 0.1);
  max_step = t.parameter("max_step", scale::time, "Largest internal step", 0.01, 1e-9, 1e6);
  gravity = t.parameter("gravity", scale::acceleration, "Acceleration of gravity, along -z", 9.81, 0, 1000);
  start_in_equilibrium =
      t.boolean_parameter("start_in_equilibrium", settling.description, settling.by_default);
  pulse_shape = t.enumeration(
      "pulse_shape", "PulseShape", {"none", "triangle", "half_sine", "trapezoid"},
      "Built-in pulse of the sled, added to the input; a trapezoid rises and falls in a quarter of "
      "its duration each",
      int(Pulse::Shape::none));
  pulse_peak = t.parameter("pulse_peak", scale::acceleration,
                           "Largest acceleration of the built-in pulse; the sign gives "
                           "the sense",
                           8.5 * 9.81, -10000, 10000);
  pulse_start =
      t.parameter("pulse_start", scale::time, "Time at which the built-in pulse begins", 0, -1e6, 1e6);
  pulse_duration =
      t.parameter("pulse_duration", scale::time, "Duration of the built-in pulse", 0.105, 1e-6, 1e6);
  pulse_direction = t.enumeration("pulse_direction", "Axis", {"x", "y", "z"}, "Axis of the built-in pulse",
                                  int(Direction::x));
}

data::DataSet CommonVariables::read_data(const std::string& model, const Values& v) const {
  switch (data_set_choice(v)) {
    case DataSetChoice::published:
      return data::DataSet::embedded(model, "published");
    case DataSetChoice::reconciled:
      return data::DataSet::embedded(model, "reconciled");
    case DataSetChoice::custom:
      break;
  }
  if (v.texts[data_path_text].empty())
    throw std::invalid_argument("data_path is empty: must be a directory when data_set is custom");
  return data::DataSet::from_directory(v.texts[data_path_text], model);
}

Tolerance CommonVariables::tolerance(const Values& v) const {
  return {v[relative_tolerance], v[absolute_tolerance], v[max_step]};
}

std::unique_ptr<Solver> CommonVariables::make_solver(const Sizes& n, const Values& v) const {
  switch (static_cast<SolverChoice>(int(v[solver]))) {
    case SolverChoice::mebdf:
      return make_mebdf(n, tolerance(v));
    case SolverChoice::ida:
      return make_ida(n, tolerance(v));
    case SolverChoice::radau:
      break;
  }
  return make_radau(n, tolerance(v));
}

Pulse CommonVariables::pulse(const Values& v) const {
  return {static_cast<Pulse::Shape>(int(v[pulse_shape])), v[pulse_peak], v[pulse_start], v[pulse_duration]};
}

Handle criterion_constant(VariableTable& t, std::string name, const VariableTable::Scale& s,
                          std::string description, double start) {
  return t.parameter(std::move(name), s, std::move(description), start, 1e-6, 1e9);
}

void SolverOutputs::declare(VariableTable& t) {
  steps = t.output("solver_steps", scale::none, "Accepted internal steps since the start");
  rejections = t.output("solver_rejections", scale::none, "Internal steps that were tried and rejected");
  newton_iterations = t.output("solver_newton_iterations", scale::none, "Newton iterations");
  factorisations = t.output("solver_factorisations", scale::none, "Factorisations of the iteration matrix");
}

void SolverOutputs::write(const Statistics& s, Values& v) const {
  v[steps] = static_cast<double>(s.steps);
  v[rejections] = static_cast<double>(s.rejections);
  v[newton_iterations] = static_cast<double>(s.newton_iterations);
  v[factorisations] = static_cast<double>(s.factorisations);
}

}  // namespace spondyl
