#pragma once

#include "models/common_variables.h"

namespace spondyl::testing {

/// What the variable `solver` is set to.
struct SolverNumber {
  using Choice = CommonVariables::SolverChoice;
  static constexpr double radau = static_cast<double>(Choice::radau);
  static constexpr double mebdf = static_cast<double>(Choice::mebdf);
  static constexpr double ida = static_cast<double>(Choice::ida);
};

}  // namespace spondyl::testing
