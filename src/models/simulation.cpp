#include "models/simulation.h"

#include <stdexcept>

#include "solvers/consistent_start.h"

namespace spondyl {

Simulation::Simulation(const ModelType& type) : type_(type) { state_.values = Values(type.variables()); }

Handle Simulation::find(std::string_view name) const {
  const Handle h = variables().find(name);
  if (h < 0) throw std::invalid_argument("there is no variable " + std::string(name) + " in " + type_.name());
  return h;
}

void Simulation::set(Handle h, double value) {
  variables().check(h, value);
  if (state_.values[h] == value) return;
  state_.values[h] = value;
  state_.inputs_changed = true;
}

void Simulation::set_text(Handle h, std::string value) { state_.values.texts[h] = std::move(value); }

double Simulation::get(Handle h) {
  if (model_ && !outputs_current_ && variables()[h].causality == Causality::output) {
    model_->write_outputs();
    outputs_current_ = true;
  }
  return state_.values[h];
}

void Simulation::initialise(double start_time) {
  std::unique_ptr<Model> model = type_.build(state_);
  Solution& s = state_.solution;
  s = {};
  s.t = start_time;
  model->start();
  solver_ = type_.make_solver(model->sizes(), state_.values);
  solver_->start(*model, s);
  model_ = std::move(model);
  state_.inputs_changed = false;
  outputs_current_ = false;
}

void Simulation::apply_inputs() {
  if (!state_.inputs_changed) return;
  model_->read_inputs();
  solver_->restart(state_.solution);
  state_.inputs_changed = false;
  outputs_current_ = false;
}

void Simulation::follow_inputs() {
  apply_inputs();
  Solution& s = state_.solution;
  ConsistentStart(model_->sizes()).solve(*model_, s.t, s.x.data(), s.xdot.data(), s.statistics);
}

Report Simulation::advance(double t_end) {
  apply_inputs();
  outputs_current_ = false;
  return solver_->advance(*model_, state_.solution, t_end);
}

void Simulation::restore(const State& state) {
  state_ = state;
  model_->read_inputs();
  solver_->forget();
  outputs_current_ = false;
}

}  // namespace spondyl
