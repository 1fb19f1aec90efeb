#include "solvers/dae.h"

#include <cstdio>

namespace spondyl {

std::string Dae::unknown_name(int i) const { return "unknown " + std::to_string(i); }

std::string_view to_string(Reason reason) {
  switch (reason) {
    case Reason::none:
      return "none";
    case Reason::newton_did_not_converge:
      return "Newton did not converge";
    case Reason::step_below_minimum:
      return "step below minimum";
    case Reason::residual_not_finite:
      return "residual not finite";
    case Reason::singular_matrix:
      return "iteration matrix is singular";
    case Reason::too_many_steps:
      return "too many steps";
    case Reason::solver_error:
      return "solver error";
  }
  return "unknown reason";
}

std::string Report::message(const Dae& dae) const {
  if (outcome != Outcome::failed) return "";
  char time[40];
  std::snprintf(time, sizeof time, "%.9g", t);
  std::string text = std::string(to_string(reason)) + " at t = " + time + " s";
  if (worst >= 0) text += ", worst in " + dae.unknown_name(worst);
  return text;
}

}  // namespace spondyl
