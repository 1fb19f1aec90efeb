#include "models/simulation.h"

#include <algorithm>
#include <stdexcept>

#include "solvers/newton_matrix.h"

namespace spondyl {

Simulation::Simulation(const ModelType& type) : type_(type) {
  state_.values = Values(type.variables());
  for (Handle h = 0; h < variables().size(); ++h)
    if (variables()[h].variability == Variability::fixed) fixed_.push_back(h);
}

Handle Simulation::find(std::string_view name) const {
  const Handle h = variables().find(name);
  if (h < 0) throw std::invalid_argument("there is no variable " + std::string(name) + " in " + type_.name());
  return h;
}

void Simulation::set(Handle h, double value) {
  variables().check(h, value);
  if (state_.values[h] == value) return;
  // outputs stay those of the last point until the solver has seen the new inputs
  if (!state_.inputs_changed) bring_outputs_up_to_date();
  state_.values[h] = value;
  state_.inputs_changed = true;
}

void Simulation::set_text(Handle h, std::string value) {
  state_.values.texts[variables()[h].text] = std::move(value);
}

void Simulation::bring_outputs_up_to_date() {
  if (!model_ || outputs_current_) return;
  model_->write_outputs();
  outputs_current_ = true;
}

double Simulation::get(Handle h) {
  if (variables()[h].causality == Causality::output) bring_outputs_up_to_date();
  return state_.values[h];
}

Simulation::Started Simulation::start_from(const Values& values, double time) const {
  Started fresh;
  fresh.state.values = values;
  fresh.state.solution.t = time;
  const std::unique_ptr<Model> model = type_.build(fresh.state);
  model->start();
  fresh.solver = type_.make_solver(model->sizes(), values);
  fresh.solver->start(*model, fresh.state.solution);
  return fresh;
}

void Simulation::adopt(const State& state, std::unique_ptr<Solver> solver) {
  state_ = state;
  model_ = type_.build(state_);
  model_->read_inputs();
  solver_ = std::move(solver);
  consistent_ = std::make_unique<ConsistentStart>(model_->sizes(), model_->structure());
  built_from_ = state_.values;
  outputs_current_ = false;
}

void Simulation::initialise(double start_time) {
  Started fresh = start_from(state_.values, start_time);
  adopt(fresh.state, std::move(fresh.solver));
}

void Simulation::apply_inputs() {
  if (!state_.inputs_changed) return;
  model_->read_inputs();
  solver_->restart(state_.solution);
  state_.inputs_changed = false;
  outputs_current_ = false;
}

void Simulation::follow_inputs() {
  if (!state_.inputs_changed) return;
  apply_inputs();
  Solution& s = state_.solution;
  consistent_->solve(*model_, s.t, s.x.data(), s.xdot.data(), s.statistics);
}

Report Simulation::advance(double t_end, StepListener* listener) {
  apply_inputs();
  outputs_current_ = false;
  model_->listener = listener;
  const Report report = solver_->advance(*model_, state_.solution, t_end);
  model_->listener = nullptr;
  return report;
}

void Simulation::restore(const State& saved) {
  const auto same_parameters = [&] {
    if (!model_ || saved.values.texts != built_from_.texts) return false;
    return std::all_of(fixed_.begin(), fixed_.end(),
                       [&](Handle h) { return saved.values[h] == built_from_[h]; });
  };
  const auto require_fit = [](bool fits) {
    if (!fits) throw std::invalid_argument("the state does not fit the model");
  };
  if (!same_parameters()) {
    // tried on a copy, so that nothing is half-built when it throws
    State copy = saved;
    const std::unique_ptr<Model> model = type_.build(copy);
    const auto states = static_cast<std::size_t>(model->sizes().states());
    require_fit(copy.solution.x.size() == states && copy.solution.xdot.size() == states);
    model->check_memory();
    model->read_inputs();
    std::unique_ptr<Solver> solver = type_.make_solver(model->sizes(), saved.values);
    solver->start(*model, copy.solution);
    require_fit(copy.solution.history.size() == saved.solution.history.size());
    adopt(saved, std::move(solver));
  } else {
    const Solution &s = saved.solution, &present = state_.solution;
    require_fit(s.x.size() == present.x.size() && s.xdot.size() == present.xdot.size() &&
                s.history.size() == present.history.size());
    std::swap(state_, previous_);
    state_ = saved;
    try {
      model_->check_memory();
      model_->read_inputs();
    } catch (...) {
      std::swap(state_, previous_);
      throw;
    }
    solver_->forget();
  }
  outputs_current_ = saved.inputs_changed;
}

void Simulation::restore_values(const Values& values) {
  state_ = {};
  state_.values = values;
  model_.reset();
  solver_.reset();
  outputs_current_ = false;
}

// -- derivatives

/// Derivatives are taken where the present inputs lead, but asking for them must not change the run.
class Simulation::KeptState {
 public:
  explicit KeptState(Simulation& s) : simulation_(s) {
    if (!s.state_.inputs_changed) return;
    state_ = s.state_;
    changed_ = true;
    s.follow_inputs();
  }
  ~KeptState() {
    if (!changed_) return;
    std::swap(simulation_.state_, state_);
    simulation_.outputs_current_ = true;
  }

 private:
  Simulation& simulation_;
  State state_;
  bool changed_ = false;
};

void Simulation::load_duals() {
  const auto load = [](const std::vector<double>& from, std::vector<Dual<1>>& to) {
    to.resize(from.size());
    for (std::size_t k = 0; k < from.size(); ++k) to[k] = from[k];
  };
  load(state_.values.numbers, dual_.values);
  load(state_.solution.x, dual_.x);
  load(state_.solution.xdot, dual_.xdot);
  dual_.residual.resize(model_->sizes().unknowns());
  dual_.outputs.resize(state_.values.numbers.size());
}

void Simulation::evaluate_duals(Dual<1> t) {
  const Sizes n = model_->sizes();
  const Dual<1>*x = dual_.x.data(), *xdot = dual_.xdot.data();
  const DualPoint p{t,
                    x,
                    x + n.positions,
                    xdot + n.positions,
                    x + 2 * n.positions,
                    xdot + 2 * n.positions,
                    x + n.states() - n.quadratures,
                    dual_.values.data()};
  for (Dual<1>& out : dual_.outputs) out = 0;
  model_->evaluate(p, dual_.residual.data(), dual_.outputs.data());
}

void Simulation::read_changes(std::span<double> changes) const {
  for (std::size_t h = 0; h < changes.size(); ++h) changes[h] = dual_.outputs[h].d[0];
}

void Simulation::output_rates(std::span<double> rates) {
  const KeptState kept(*this);
  const Sizes n = model_->sizes();
  const Solution& s = state_.solution;
  std::vector<double> integrands(n.quadratures);
  model_->quadratures(s.point(n), integrands.data());
  load_duals();
  const int integrals = n.states() - n.quadratures;
  for (int k = 0; k < n.states(); ++k)
    dual_.x[k].d[0] = k < integrals ? s.xdot[k] : integrands[k - integrals];
  const Dual<1> t = Dual<1>::variable(s.t, 0);
  // F = 0 all along: its derivative gives that of x'
  evaluate_duals(t);
  std::vector<double> r(n.unknowns());
  for (int k = 0; k < n.unknowns(); ++k) r[k] = dual_.residual[k].d[0];
  if (!consistent_->factor(*model_, s.point(n)))
    throw std::runtime_error("the accelerations are not determined");
  consistent_->back_solve(r.data());
  for (int k = 0; k < n.unknowns(); ++k) dual_.xdot[n.positions + k].d[0] = -r[k];
  evaluate_duals(t);
  read_changes(rates);
}

void Simulation::output_changes(std::span<const double> seed, double time_seed, bool at_start,
                                std::span<double> changes) {
  const KeptState kept(*this);
  const Sizes n = model_->sizes();
  Solution& s = state_.solution;
  load_duals();
  for (std::size_t h = 0; h < seed.size(); ++h) dual_.values[h].d[0] = seed[h];
  Dual<1> t(s.t);
  t.d[0] = time_seed;
  evaluate_duals(t);
  std::vector<double> r(n.unknowns());
  for (int k = 0; k < n.unknowns(); ++k) r[k] = dual_.residual[k].d[0];
  if (at_start && model_->starts_in_equilibrium()) {
    // rest stays rest: positions (and multipliers) move
    const int nf = n.unknowns();
    std::vector<double> j(3 * nf * nf);
    const Jacobian derivatives{j.data(), j.data() + nf * nf, j.data() + 2 * nf * nf};
    model_->jacobian(s.point(n), derivatives);
    NewtonMatrix<> stiffness(n);
    stiffness.assemble(of_rest, derivatives);
    if (!stiffness.factor())
      throw std::runtime_error("the equilibrium is not stable: its stiffness is singular");
    stiffness.solve(r.data());
    for (int k = 0; k < nf; ++k) dual_.x[k < n.positions ? k : n.positions + k].d[0] = -r[k];
  } else {
    if (!consistent_->factor(*model_, s.point(n)))
      throw std::runtime_error("the accelerations are not determined");
    consistent_->back_solve(r.data());
    for (int k = 0; k < n.unknowns(); ++k) dual_.xdot[n.positions + k].d[0] = -r[k];
  }
  evaluate_duals(t);
  read_changes(changes);
}

}  // namespace spondyl
