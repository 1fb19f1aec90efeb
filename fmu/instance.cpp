#include "fmu/instance.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace spondyl::fmu {
namespace {

const char* type_name(Type type) {
  switch (type) {
    case Type::float64:
      return "Float64";
    case Type::boolean:
      return "Boolean";
    case Type::enumeration:
      return "Enumeration (Int64)";
    case Type::string:
      return "String";
  }
  return "unknown";
}

std::invalid_argument refusal(const std::string& text) { return std::invalid_argument(text); }

std::invalid_argument wrong_type(const Variable& v, const std::string& type) {
  const auto with_article = [](const std::string& noun) {
    return (std::string_view("EI").find(noun[0]) == std::string_view::npos ? "a " : "an ") + noun;
  };
  return refusal(v.name + " is " + with_article(type_name(v.type)) + ", not " + with_article(type));
}

void require(const void* pointer, const char* name) {
  if (!pointer) throw refusal(std::string(name) + " is NULL");
}

void check_arrays(const fmi3ValueReference vr[], std::size_t n, const void* values, std::size_t n_values) {
  if (n_values != n)
    throw refusal("nValues = " + std::to_string(n_values) + " for " + std::to_string(n) +
                  " scalar variables");
  if (n == 0) return;
  require(vr, "valueReferences");
  require(values, "values");
}

/// Communication points that an importer adds up differ from ours by rounding.
bool same_time(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max({1e-3, std::abs(a), std::abs(b)});
}

}  // namespace

std::uint64_t interface_hash(const ModelType& type) {
  std::string text = type.name() + " " SPONDYL_VERSION;
  for (const Variable& v : type.variables().all()) {
    text += "\n" + v.name + "|" + v.unit + "|" + std::to_string(int(v.type)) +
            std::to_string(int(v.causality)) + std::to_string(int(v.variability)) + "|" + to_text(v.start) +
            "|" + to_text(v.min) + "|" + to_text(v.max);
    for (const std::string& item : v.items) text += "|" + item;
  }
  return hash(std::as_bytes(std::span(text)));
}

std::string instantiation_token(const ModelType& type) {
  char token[24];
  std::snprintf(token, sizeof token, "{%016llx}", static_cast<unsigned long long>(interface_hash(type)));
  return token;
}

Instance::Instance(const ModelType& type, const Environment& environment)
    : type_(type), environment_(environment), simulation_(type) {
  seed_.resize(type.variables().size());
  changes_.resize(type.variables().size());
  for (const Variable& v : type.variables().all())
    kinds_.push_back({v.type, v.causality == Causality::output});
}

// -- logging

bool Instance::logs(LogIndex category) const {
  return environment_.log && environment_.logging && category_on_[category];
}

/// Refused calls are always told, the rest when logging is on for their category.
void Instance::log(fmi3Status status, LogIndex category, const std::string& message) const {
  if (!environment_.log) return;
  if (category != log_error && !logs(category)) return;
  environment_.log(environment_.environment, status, log_categories[category].name, message.c_str());
}

void Instance::set_debug_logging(bool on, std::size_t n, const fmi3String categories[]) {
  bool chosen[std::size(log_categories)] = {};
  if (n > 0) require(categories, "categories");
  for (std::size_t i = 0; i < n; ++i) {
    require(categories[i], "a category");
    const auto* found =
        std::find_if(std::begin(log_categories), std::end(log_categories),
                     [&](const LogCategory& c) { return std::strcmp(c.name, categories[i]) == 0; });
    if (found == std::end(log_categories)) {
      std::string allowed;
      for (const LogCategory& c : log_categories)
        allowed += std::string(allowed.empty() ? "" : ", ") + c.name;
      throw refusal("there is no log category " + std::string(categories[i]) + ", only " + allowed);
    }
    chosen[found - std::begin(log_categories)] = true;
  }
  environment_.logging = on;
  for (std::size_t c = 0; c < std::size(log_categories); ++c) category_on_[c] = n == 0 || chosen[c];
}

// -- life cycle

void Instance::enter_initialization_mode(bool tolerance_defined, double tolerance, double start_time,
                                         bool stop_time_defined, double stop_time) {
  if (!std::isfinite(start_time))
    throw refusal("startTime = " + to_text(start_time) + " is not a finite number");
  if (stop_time_defined && !(std::isfinite(stop_time) && stop_time > start_time))
    throw refusal("stopTime = " + to_text(stop_time) +
                  " must be a finite number above startTime = " + to_text(start_time));
  if (tolerance_defined) {
    // the importer's wish, unless the user has set the parameters
    const VariableTable& table = type_.variables();
    for (const char* name : {"relative_tolerance", "absolute_tolerance"}) {
      const Handle h = table.find(name);
      if (simulation_.get(h) != table[h].start) continue;
      if (!std::isfinite(tolerance) || tolerance <= 0)
        throw refusal("tolerance = " + to_text(tolerance) + " must be a finite number above 0");
      simulation_.set(h, std::clamp(tolerance, table[h].min, table[h].max));
    }
  }
  start_time_ = start_time;
  stop_time_defined_ = stop_time_defined;
  stop_time_ = stop_time_defined ? stop_time : 0;  // meaningless otherwise, and perhaps not finite
  started_ = false;
  mode_ = initialization;
}

void Instance::ensure_started() {
  if (started_) return;
  simulation_.initialise(start_time_);
  started_ = true;
}

void Instance::exit_initialization_mode() {
  ensure_started();
  mode_ = environment_.event_mode_used ? event_mode : step_mode;
}

void Instance::enter_event_mode() {
  if (!environment_.event_mode_used) throw refusal("the instance was made with eventModeUsed = false");
  mode_ = event_mode;
}

void Instance::reset() {
  simulation_.restore_values(Values(type_.variables()));
  mode_ = instantiated;
  started_ = stop_time_defined_ = false;
  start_time_ = stop_time_ = 0;
}

fmi3Status Instance::do_step(double now, double size, fmi3Boolean* event, fmi3Boolean* terminate,
                             fmi3Boolean* early, fmi3Float64* last) {
  require(event, "eventHandlingNeeded");
  require(terminate, "terminateSimulation");
  require(early, "earlyReturn");
  require(last, "lastSuccessfulTime");
  *event = *terminate = *early = fmi3False;
  *last = simulation_.time();
  if (!std::isfinite(now) || !std::isfinite(size))
    throw refusal("currentCommunicationPoint = " + to_text(now) +
                  ", communicationStepSize = " + to_text(size) + ": both must be finite numbers");
  if (!(size > 0)) throw refusal("communicationStepSize = " + to_text(size) + " must be above 0");
  if (!same_time(now, simulation_.time()))
    throw refusal("currentCommunicationPoint = " + to_text(now) + " s, but the FMU is at " +
                  to_text(simulation_.time()) + " s");
  const double end = now + size;
  if (!(end > now))
    throw refusal("communicationStepSize = " + to_text(size) + " vanishes in rounding at " + to_text(now) +
                  " s");
  if (stop_time_defined_ && end > stop_time_ && !same_time(end, stop_time_))
    throw refusal("the step would end at " + to_text(end) + " s, after the stopTime " + to_text(stop_time_) +
                  " s");

  before_step_ = simulation_.state();
  simulation_.synchronise(now);
  requested_return_ = end;
  event_found_ = false;
  const bool listens =
      environment_.intermediate_update || environment_.early_return_allowed || logs(log_events);
  Report report;
  do {
    report = simulation_.advance(requested_return_, listens ? this : nullptr);
  } while (report.outcome == Outcome::stopped && !event_found_ && simulation_.time() < requested_return_);

  *last = simulation_.time();
  if (report.outcome == Outcome::failed) {
    log(fmi3Discard, log_discard, "fmi3DoStep: " + report.message(simulation_.model()));
    // FMI 3.0, 2.2.3: a discarded call leaves the FMU as it was, so that it can be made again in another way
    simulation_.restore(before_step_);
    return fmi3Discard;
  }
  *early = simulation_.time() < end;
  *event = event_found_ && environment_.event_mode_used;
  return fmi3OK;
}

/// Called after every internal step. Stops the solver where the importer wants to return, and at events if it
/// may.
bool Instance::accepted(const Step& step) {
  bool go_on = true;
  simulation_.outputs_changed();
  if (environment_.intermediate_update) {
    fmi3Boolean wants_return = fmi3False;
    fmi3Float64 return_time = 0;
    const Mode before = mode_;
    mode_ = intermediate_update;
    environment_.intermediate_update(environment_.environment, step.end, fmi3False, fmi3True, fmi3True,
                                     environment_.early_return_allowed, &wants_return, &return_time);
    mode_ = before;
    if (wants_return && environment_.early_return_allowed && return_time < requested_return_) {
      requested_return_ = std::max(return_time, step.end);
      go_on = false;
    }
  }
  if (!step.fired.empty()) {
    log(fmi3OK, log_events, "event at t = " + to_text(step.end) + " s");
    if (environment_.early_return_allowed) {
      event_found_ = true;
      go_on = false;
    }
  }
  return go_on;
}

// -- variables

Handle Instance::find(fmi3ValueReference vr) const {
  if (vr < reference(0) || vr >= reference(type_.variables().size()))
    throw refusal("value reference " + std::to_string(vr) +
                  (vr == time_reference ? " (time) cannot be used here" : " does not exist"));
  return handle(vr);
}

Handle Instance::find(fmi3ValueReference vr, Type type) const {
  const Handle h = find(vr);
  if (kinds_[h].type != type) throw wrong_type(type_.variables()[h], type_name(type));
  return h;
}

void Instance::refuse_type(const fmi3ValueReference vr[], const char* type) const {
  require(vr, "valueReferences");
  throw wrong_type(type_.variables()[find(vr[0])], type);
}

template <class Function>
void Instance::for_each(Type type, const fmi3ValueReference vr[], std::size_t n, const void* values,
                        std::size_t n_values, Function function) {
  check_arrays(vr, n, values, n_values);
  for (std::size_t i = 0; i < n; ++i) function(find(vr[i], type), i);
}

void Instance::bring_outputs_up_to_date() {
  if (mode_ == initialization) ensure_started();
  if (mode_ == event_mode) simulation_.follow_inputs();
  simulation_.bring_outputs_up_to_date();
}

/// What all variables have in common is settled once, not for each of them; the rest is a copy.
template <class Number>
void Instance::get_numbers(Type type, const fmi3ValueReference vr[], std::size_t n, Number values[],
                           std::size_t n_values) {
  check_arrays(vr, n, values, n_values);
  const bool may_be_time = type == Type::float64;
  bool any_output = false;
  for (std::size_t i = 0; i < n; ++i) {
    const bool time = may_be_time && vr[i] == time_reference;
    const bool output = !time && kinds_[find(vr[i], type)].is_output;
    if (mode_ == instantiated && time) throw refusal("time has no value before initialisation");
    if (mode_ == instantiated && output)
      throw refusal(type_.variables()[handle(vr[i])].name +
                    " is an output and has no value before initialisation");
    any_output |= output;
  }
  if (any_output) bring_outputs_up_to_date();
  const double time = started_ ? simulation_.time() : start_time_;
  const double* const numbers = simulation_.state().values.numbers.data();
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<Number>(vr[i] == time_reference ? time : numbers[handle(vr[i])]);
}

void Instance::get_float64(const fmi3ValueReference vr[], std::size_t n, fmi3Float64 values[],
                           std::size_t n_values) {
  get_numbers(Type::float64, vr, n, values, n_values);
}

void Instance::get_int64(const fmi3ValueReference vr[], std::size_t n, fmi3Int64 values[],
                         std::size_t n_values) {
  get_numbers(Type::enumeration, vr, n, values, n_values);
}

void Instance::get_boolean(const fmi3ValueReference vr[], std::size_t n, fmi3Boolean values[],
                           std::size_t n_values) {
  get_numbers(Type::boolean, vr, n, values, n_values);
}

void Instance::get_string(const fmi3ValueReference vr[], std::size_t n, fmi3String values[],
                          std::size_t n_values) {
  for_each(Type::string, vr, n, values, n_values, [&](Handle h, std::size_t i) {
    values[i] = simulation_.state().values.texts[type_.variables()[h].text].c_str();
  });
}

/// Checks all before it sets any, so that a refused call changes nothing.
template <class Check, class Set>
void Instance::set_all(Type type, const fmi3ValueReference vr[], std::size_t n, const void* values,
                       std::size_t n_values, Check check, Set set) {
  for_each(type, vr, n, values, n_values, [&](Handle h, std::size_t i) {
    const Variable& v = type_.variables()[h];
    if (v.causality == Causality::output) throw refusal(v.name + " is an output and cannot be set");
    if (v.variability == Variability::fixed && mode_ != instantiated && mode_ != initialization)
      throw refusal(v.name + " is a fixed parameter: it can be set only before initialisation ends");
    check(h, i);
  });
  for (std::size_t i = 0; i < n; ++i) set(find(vr[i]), i);
  if (mode_ == initialization && n > 0) started_ = false;
}

template <class Number>
void Instance::set_numbers(Type type, const fmi3ValueReference vr[], std::size_t n, const Number values[],
                           std::size_t n_values) {
  set_all(
      type, vr, n, values, n_values,
      [&](Handle h, std::size_t i) { type_.variables().check(h, static_cast<double>(values[i])); },
      [&](Handle h, std::size_t i) { simulation_.set(h, static_cast<double>(values[i])); });
}

void Instance::set_float64(const fmi3ValueReference vr[], std::size_t n, const fmi3Float64 values[],
                           std::size_t n_values) {
  set_numbers(Type::float64, vr, n, values, n_values);
}

void Instance::set_int64(const fmi3ValueReference vr[], std::size_t n, const fmi3Int64 values[],
                         std::size_t n_values) {
  set_numbers(Type::enumeration, vr, n, values, n_values);
}

void Instance::set_boolean(const fmi3ValueReference vr[], std::size_t n, const fmi3Boolean values[],
                           std::size_t n_values) {
  set_numbers(Type::boolean, vr, n, values, n_values);
}

void Instance::set_string(const fmi3ValueReference vr[], std::size_t n, const fmi3String values[],
                          std::size_t n_values) {
  set_all(
      Type::string, vr, n, values, n_values,
      [&](Handle h, std::size_t i) { require(values[i], type_.variables()[h].name.c_str()); },
      [&](Handle h, std::size_t i) { simulation_.set_text(h, values[i]); });
}

// -- dependencies and derivatives

void Instance::require_output(Handle h) const {
  const Variable& v = type_.variables()[h];
  if (v.causality != Causality::output || v.type != Type::float64)
    throw refusal(v.name + " is not a Float64 output");
}

std::size_t Instance::number_of_dependencies(fmi3ValueReference vr) const {
  const Handle h = find(vr);
  require_output(h);
  return type_.variables()[h].dependencies.size();
}

void Instance::dependencies(fmi3ValueReference dependent, std::size_t element_of_dependent[],
                            fmi3ValueReference independents[], std::size_t element_of_independent[],
                            fmi3DependencyKind kinds[], std::size_t n) const {
  if (const std::size_t count = number_of_dependencies(dependent); n != count)
    throw refusal("nDependencies = " + std::to_string(n) + ", but there are " + std::to_string(count));
  if (n == 0) return;
  require(element_of_dependent, "elementIndicesOfDependent");
  require(independents, "independents");
  require(element_of_independent, "elementIndicesOfIndependents");
  require(kinds, "dependencyKinds");
  const std::vector<Handle>& on = type_.variables()[find(dependent)].dependencies;
  for (std::size_t i = 0; i < n; ++i) {
    element_of_dependent[i] = element_of_independent[i] = 0;
    independents[i] = reference(on[i]);
    kinds[i] = fmi3Dependent;
  }
}

/// changes_ := what the outputs do for the seed; what they do at the start includes the search for
/// equilibrium.
void Instance::changes(std::span<const double> seed, double time_seed) {
  if (mode_ == initialization) ensure_started();
  simulation_.output_changes(seed, time_seed, at_start(), changes_);
}

void Instance::directional_derivative(std::span<const fmi3ValueReference> unknowns,
                                      std::span<const fmi3ValueReference> knowns,
                                      std::span<const double> seed, std::span<double> sensitivity) {
  std::fill(seed_.begin(), seed_.end(), 0.0);
  double time_seed = 0;
  for (std::size_t k = 0; k < knowns.size(); ++k) {
    if (!std::isfinite(seed[k])) throw refusal("seed " + std::to_string(k) + " is not a finite number");
    if (knowns[k] == time_reference)
      time_seed += seed[k];
    else
      seed_[differentiable(knowns[k])] += seed[k];
  }
  for (const fmi3ValueReference vr : unknowns) require_output(find(vr));
  changes(seed_, time_seed);
  for (std::size_t i = 0; i < unknowns.size(); ++i) sensitivity[i] = changes_[find(unknowns[i])];
}

/// Row by row of the transposed matrix: one direction for each known.
void Instance::adjoint_derivative(std::span<const fmi3ValueReference> unknowns,
                                  std::span<const fmi3ValueReference> knowns, std::span<const double> seed,
                                  std::span<double> sensitivity) {
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    require_output(find(unknowns[i]));
    if (!std::isfinite(seed[i])) throw refusal("seed " + std::to_string(i) + " is not a finite number");
  }
  for (const fmi3ValueReference vr : knowns)
    if (vr != time_reference) differentiable(vr);
  for (std::size_t k = 0; k < knowns.size(); ++k) {
    std::fill(seed_.begin(), seed_.end(), 0.0);
    const bool time = knowns[k] == time_reference;
    if (!time) seed_[find(knowns[k])] = 1;
    changes(seed_, time ? 1 : 0);
    sensitivity[k] = 0;
    for (std::size_t i = 0; i < unknowns.size(); ++i) sensitivity[k] += seed[i] * changes_[find(unknowns[i])];
  }
}

Handle Instance::differentiable(fmi3ValueReference vr) const {
  const Handle h = find(vr, Type::float64);
  const Variable& v = type_.variables()[h];
  if (v.causality == Causality::output || v.variability == Variability::fixed)
    throw refusal("derivatives with respect to " + v.name +
                  " are not provided: only inputs, tunable parameters and time");
  return h;
}

void Instance::output_derivatives(const fmi3ValueReference vr[], std::size_t n, const fmi3Int32 orders[],
                                  double values[], std::size_t n_values) {
  if (n > 0) require(orders, "orders");
  for_each(Type::float64, vr, n, values, n_values, [&](Handle h, std::size_t i) {
    require_output(h);
    if (orders[i] != 1)
      throw refusal("order " + std::to_string(orders[i]) + " of the derivative of " +
                    type_.variables()[h].name + " is not provided, only 1");
  });
  if (n == 0) return;
  simulation_.output_rates(changes_);
  for (std::size_t i = 0; i < n; ++i) values[i] = changes_[find(vr[i])];
}

// -- saved states

SavedState& Instance::saved(fmi3FMUState state) const {
  const auto found = saved_states_.find(state);
  if (found == saved_states_.end()) throw refusal("the FMU state is not one of this instance");
  return *found->second;
}

void Instance::save(SavedState& s) const {
  s.state = simulation_.state();
  s.mode = mode_;
  s.started = started_;
  s.stop_time_defined = stop_time_defined_;
  s.start_time = start_time_;
  s.stop_time = stop_time_;
}

void Instance::restore(const SavedState& s) {
  if (s.started)
    simulation_.restore(s.state);
  else
    simulation_.restore_values(s.state.values);
  mode_ = s.mode;
  started_ = s.started;
  stop_time_defined_ = s.stop_time_defined;
  start_time_ = s.start_time;
  stop_time_ = s.stop_time;
}

void Instance::get_state(fmi3FMUState* state) {
  require(state, "FMUState");
  if (*state) return save(saved(*state));
  auto fresh = std::make_unique<SavedState>();
  save(*fresh);
  const fmi3FMUState key = fresh.get();
  saved_states_.emplace(key, std::move(fresh));
  *state = key;
}

void Instance::set_state(fmi3FMUState state) { restore(saved(state)); }

void Instance::free_state(fmi3FMUState* state) {
  if (!state || !*state) return;
  saved(*state);
  saved_states_.erase(*state);
  *state = nullptr;
}

std::size_t Instance::serialised_state_size(fmi3FMUState state) const {
  return serialised_size(saved(state));
}

void Instance::serialise_state(fmi3FMUState state, fmi3Byte bytes[], std::size_t n) const {
  const SavedState& s = saved(state);
  require(bytes, "serializedState");
  if (const std::size_t size = serialised_size(s); n != size)
    throw refusal("size = " + std::to_string(n) + ", but the serialised state has " + std::to_string(size) +
                  " bytes");
  serialise(s, interface_hash(type_), std::as_writable_bytes(std::span(bytes, n)));
}

void Instance::deserialise_state(const fmi3Byte bytes[], std::size_t n, fmi3FMUState* state) {
  require(bytes, "serializedState");
  require(state, "FMUState");
  SavedState read = deserialise(std::as_bytes(std::span(bytes, n)), interface_hash(type_), type_.variables());
  const VariableTable& table = type_.variables();
  for (Handle h = 0; h < table.size(); ++h)
    if (table[h].causality != Causality::output) table.check(h, read.state.values[h]);
  if (*state) {
    saved(*state) = std::move(read);
    return;
  }
  auto fresh = std::make_unique<SavedState>(std::move(read));
  const fmi3FMUState key = fresh.get();
  saved_states_.emplace(key, std::move(fresh));
  *state = key;
}

}  // namespace spondyl::fmu
