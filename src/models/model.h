#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

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

/// A model built from its parameters, bound to the state that it reads and changes. Apart from that state it
/// is constant.
class Model : public Dae {
 public:
  /// Sets x, x' and the memory for the start time in the solution: consistent, in equilibrium where asked.
  /// Throws std::runtime_error with a reason if there is no such start.
  virtual void start() = 0;
  /// To be called when inputs or tunable parameters in the values have changed. Throws std::invalid_argument.
  virtual void read_inputs() = 0;
  /// All outputs at the state's point (x' consistent) into the values.
  virtual void write_outputs() = 0;
};

/// A kind of model: its name, its variables, and how to build one from parameters.
class ModelType {
 public:
  virtual ~ModelType() = default;
  virtual std::string name() const = 0;
  virtual std::string description() const = 0;
  virtual const VariableTable& variables() const = 0;
  /// Reads the parameters in the state's values. Throws std::runtime_error (data) or std::invalid_argument.
  virtual std::unique_ptr<Model> build(State&) const = 0;
  /// The solver that the parameters ask for.
  virtual std::unique_ptr<Solver> make_solver(const Sizes&, const Values&) const = 0;
};

}  // namespace spondyl
