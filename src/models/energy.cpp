#include "models/energy.h"

namespace spondyl {

void EnergyOutputs::declare(VariableTable& t, const Descriptions& d) {
  kinetic = t.output("kinetic_energy", scale::energy, d.kinetic);
  potential = t.output("potential_energy", scale::energy, d.potential);
  dissipated = t.output("dissipated_energy", scale::energy, d.dissipated);
  external = t.output("external_work", scale::energy, d.external);
  error = t.output("energy_error", scale::none,
                   "Balance |T - T(start) - W| over the largest kinetic energy T so far, W the work of all "
                   "forces (e_R of Fritzkowski 2014, Eq. 55)");
}

}  // namespace spondyl
