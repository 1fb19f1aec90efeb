#pragma once

#include "solvers/dae.h"
#include "solvers/newton_matrix.h"

namespace spondyl {

/// Finds x' = (v, a, z') such that F = 0 at given q, v and z, and with it the algebraic unknowns of index 1.
/// Algebraic unknowns of higher index do not follow from F alone: they and a are left as the caller gave
/// them.
class ConsistentStart {
 public:
  explicit ConsistentStart(const Sizes& n, const Structure& structure = {});
  /// False if F does not determine x' (singular or not finite): x' is then as far as it came.
  bool solve(const Dae& dae, double t, double* x, double* xdot, Statistics& statistics);

  /// The matrix of that problem, ∂F/∂(a, z', λ), for others who need it: how x' changes when F changes.
  bool factor(const Dae& dae, const Point& p);
  /// r := matrix⁻¹ r
  void back_solve(double* r) { matrix_.solve(r); }

 private:
  Sizes n_;
  NewtonMatrix<> matrix_;
  std::vector<double> r_, jacobian_;
};

}  // namespace spondyl
