#pragma once

#include "models/common_variables.h"

namespace spondyl {

/// The energy outputs of every model, with the balance T - T(start) = W as the measure of the solver's
/// honesty (e_R, Eq. 55 of Fritzkowski 2014).
class EnergyOutputs {
 public:
  Handle kinetic, potential, dissipated, external, error;

  struct Memory {
    double at_start = 0, largest = 0;  ///< kinetic energy

    void start(double kinetic) { at_start = largest = kinetic; }
    void step(double kinetic) { largest = std::max(largest, kinetic); }
  };

  struct Descriptions {
    std::string kinetic, potential, dissipated, external;
  };
  void declare(VariableTable&, const Descriptions&);

  /// `work`: of all forces on the bodies since the start; the kinetic energy is among the values already.
  void write_error(const Memory& m, double work, Values& v) const {
    const double largest = std::max({m.largest, v[kinetic], smallest});
    v[error] = std::abs(v[kinetic] - m.at_start - work) / largest;
  }

 private:
  static constexpr double smallest = 1e-6;  ///< J; e_R at rest is not rounding over rounding
};

}  // namespace spondyl
