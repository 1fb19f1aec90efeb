#include "models/common_model.h"

#include <stdexcept>

#include "solvers/consistent_start.h"
#include "solvers/equilibrium.h"

namespace spondyl {

CommonModel::CommonModel(const CommonVariables& common, State& state)
    : state_(state),
      pulse_(common.pulse(state.values)),
      pulse_direction_(common.direction(state.values)),
      gravity_(state.values[common.gravity]),
      equilibrium_(state.values[common.start_in_equilibrium] != 0) {}

void CommonModel::settle() {
  const EquilibriumReport report = find_equilibrium(*this, state_.solution);
  if (!report.found)
    throw std::runtime_error(
        "no static equilibrium found under gravity and the inputs at the start: a "
        "residual of " +
        to_text(report.residual) + " is left at " + unknown_name(report.worst) +
        "; reduce the loads or set start_in_equilibrium to false");
}

void CommonModel::refuse_pulse_along_y() const {
  if (pulse_direction_ == CommonVariables::Direction::y)
    throw std::invalid_argument(
        "pulse_direction = 2 (y) is not allowed: the model is planar, must be 1 (x) or 3 (z)");
}

void CommonModel::make_consistent() {
  Solution& s = state_.solution;
  ConsistentStart(sizes_, structure()).solve(*this, s.t, s.x.data(), s.xdot.data(), s.statistics);
  s.statistics = {};
}

}  // namespace spondyl
