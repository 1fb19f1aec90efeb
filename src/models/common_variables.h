#pragma once

#include "data/data_set.h"
#include "models/model.h"
#include "models/pulse.h"

namespace spondyl {

/// Scales of the quantities that variables are declared with: unit, display unit, nominal size.
namespace scale {
inline const VariableTable::Scale none{"1", "", 1}, time{"s", "ms", 0.1}, length{"m", "mm", 0.01},
    velocity{"m/s", "", 1}, acceleration{"m/s2", "g", 100}, angle{"rad", "deg", 0.1},
    angular_velocity{"rad/s", "deg/s", 10}, angular_acceleration{"rad/s2", "", 1000}, force{"N", "", 100},
    moment{"N.m", "", 10}, energy{"J", "", 1}, nic{"m2/s2", "", 10};
}  // namespace scale

/// The parameters that every model has (interface.md: data set, solver, start, built-in pulse).
struct CommonVariables {
  enum class DataSetChoice { published = 1, reconciled, custom };
  enum class SolverChoice { radau = 1, mebdf, ida };
  enum class Direction { x = 1, y, z };

  Handle data_set, data_path, solver, relative_tolerance, absolute_tolerance, max_step, gravity,
      start_in_equilibrium;
  Handle pulse_shape, pulse_peak, pulse_start, pulse_duration, pulse_direction;

  /// What start_in_equilibrium does, and whether it does so unless told otherwise.
  struct Settling {
    bool by_default = true;
    std::string description =
        "Start at rest in the equilibrium under gravity and the inputs "
        "set before initialisation ends; false: start at rest "
        "in the posture of the data, as data set published always does";
  };
  void declare(VariableTable& t) { declare(t, Settling{}); }
  void declare(VariableTable&, const Settling&);

  DataSetChoice data_set_choice(const Values& v) const {
    return static_cast<DataSetChoice>(int(v[data_set]));
  }
  data::DataSet read_data(const std::string& model, const Values&) const;
  Tolerance tolerance(const Values&) const;
  std::unique_ptr<Solver> make_solver(const Sizes&, const Values&) const;
  Pulse pulse(const Values&) const;
  static constexpr int data_path_text = 0;  ///< the first text that is declared
  Direction direction(const Values& v) const { return static_cast<Direction>(int(v[pulse_direction])); }
};

/// A parameter of an injury criterion: positive, with the value of its source as start.
Handle criterion_constant(VariableTable&, std::string name, const VariableTable::Scale&,
                          std::string description, double start);

/// The solver's counters, the last outputs of every model.
struct SolverOutputs {
  Handle steps, rejections, newton_iterations, factorisations;

  void declare(VariableTable&);
  void write(const Statistics&, Values&) const;
};

}  // namespace spondyl
