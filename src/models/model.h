#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "math/dual.h"
#include "models/variables.h"
#include "solvers/dae.h"

namespace spondyl {

/// All that changes while a model is simulated. A copy of it is a saved state: a run continued from the copy
/// repeats bit for bit.
struct State {
  Values values;
  Solution solution;
  std::vector<double> memory;   ///< what the model remembers: touch speeds, peaks, windows
  bool inputs_changed = false;  ///< since the solver has seen them last

  /// The memory as the model's own struct, which must be plain data of 8-byte members.
  template <class Memory>
  Memory& memory_as() {
    static_assert(std::is_trivially_copyable_v<Memory> && sizeof(Memory) % sizeof(double) == 0);
    return *reinterpret_cast<Memory*>(memory.data());
  }
  template <class Memory>
  const Memory& memory_as() const {
    return const_cast<State*>(this)->memory_as<Memory>();
  }
  template <class Memory>
  void reset_memory() {
    memory.assign(sizeof(Memory) / sizeof(double), 0);
    new (memory.data()) Memory{};
  }
};

/// Told of every accepted step, after the model has taken note of it. Returns false to make the solver stop
/// there.
class StepListener {
 public:
  virtual ~StepListener() = default;
  virtual bool accepted(const Step&) = 0;
};

/// The arguments of a model's equations with their derivatives in one direction.
struct DualPoint {
  Dual<1> t;
  const Dual<1>*q, *v, *a, *z, *zdot, *w;
  const Dual<1>* values;  ///< of all variables, by handle
};

/// A model built from its parameters, bound to the state that it reads and changes. Apart from that state it
/// is constant.
class Model : public Dae {
 public:
  /// Sets x, x' and the memory for the start time in the solution: consistent, in equilibrium where asked.
  /// Throws std::runtime_error with a reason if there is no such start.
  virtual void start() = 0;
  /// To be called when inputs or tunable parameters in the values have changed. Throws std::invalid_argument.
  virtual void read_inputs() = 0;
  /// To be called before a memory from outside is used. Throws std::invalid_argument if no model of this kind
  /// can have written it: wrong size, impossible indices or counts.
  virtual void check_memory() const {}
  /// All outputs at the state's point (x' consistent) into the values.
  virtual void write_outputs() = 0;
  /// The same equations in dual numbers: F, and the outputs by handle (those that only remember stay as they
  /// are).
  virtual void evaluate(const DualPoint&, Dual<1>* residual, Dual<1>* outputs) const = 0;
  /// True if the start was found as an equilibrium, so that positions follow the inputs set before it.
  virtual bool starts_in_equilibrium() const = 0;

  /// Listens to the steps of the present call of the solver; may be null.
  StepListener* listener = nullptr;

  After accept(const Step& step, double* x_end, double* xdot_end) final {
    const After after = remember(step, x_end, xdot_end);
    if (!listener || listener->accepted(step)) return after;
    return after == After::restart ? After::restart_and_stop : After::stop;
  }

 protected:
  /// What Dae::accept asks for.
  virtual After remember(const Step&, double* x_end, double* xdot_end) = 0;
};

/// A kind of model: its name, its variables, and how to build one from parameters.
class ModelType {
 public:
  virtual ~ModelType() = default;
  virtual std::string name() const = 0;
  virtual std::string description() const = 0;
  virtual std::string source() const = 0;  ///< the paper
  virtual const VariableTable& variables() const = 0;
  /// First parts of names (up to an underscore) whose variables belong together, as FMI terminals.
  virtual std::vector<std::string> terminals() const = 0;
  /// Reads the parameters in the state's values. Throws std::runtime_error (data) or std::invalid_argument.
  virtual std::unique_ptr<Model> build(State&) const = 0;
  /// The solver that the parameters ask for.
  virtual std::unique_ptr<Solver> make_solver(const Sizes&, const Values&) const = 0;
};

}  // namespace spondyl
