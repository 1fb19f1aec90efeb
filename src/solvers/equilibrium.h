#pragma once

#include "solvers/dae.h"

namespace spondyl {

struct EquilibriumReport {
  bool found = false;
  int iterations = 0, load_steps = 1;
  double residual = 0;  ///< largest |F| that is left
  int worst = -1;       ///< where
};

/// Static equilibrium: F(t, q, v = 0, a = 0, z, z' = 0) = 0 for q and z, from the q and z in the solution.
///
/// Newton with the exact matrix, damped by the natural monotonicity test; when that does not get there from
/// the start, the imbalance of the start is let in by steps, F(q) = (1 - s) F(q_start), s from 0 to 1: the
/// load is applied in portions. On success the solution is at rest; on failure it is unchanged. `max_change`
/// bounds one Newton correction (rad or m).
EquilibriumReport find_equilibrium(const Dae&, Solution&, double max_change = 0.3);

/// Lets the positions in the solution creep to where a slow, damped motion from there would end,
///
///     F_a q' = -F(t, q, v = 0, a = 0),
///
/// by implicit Euler steps in which nothing moves by more than `max_change`. For soft structures with
/// contacts under large loads: of several equilibria it comes close to the stable one that the load leads to,
/// where find_equilibrium alone gets lost. For models without z; the solution is then at rest.
void creep(const Dae&, Solution&, double max_change = 2e-3);

}  // namespace spondyl
