#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "solvers/block_lu.h"
#include "solvers/dae.h"
#include "solvers/lu.h"

namespace spondyl {

/// What the derivatives of F count in a column of a Newton matrix:
///
///     position · ∂F/∂(q, z) + velocity · ∂F/∂(v, z') + acceleration · ∂F/∂a
///
/// A weight of zero leaves its matrix unread.
struct Weights {
  double position = 0, velocity = 0, acceleration = 0;
};
/// One set of weights a kind of unknown; `acceleration` counts for positions only.
struct ColumnWeights {
  Weights positions, differential, algebraic;
};
/// How F changes with q and z when nothing moves.
inline constexpr ColumnWeights of_rest{{.position = 1}, {.position = 1}, {.position = 1}};

namespace newton_matrix_details {

/// Calls loop(f), f(i) being entry i of the weighted sum.
template <class Loop>
void for_sum(const Weights& w, const Jacobian& j, const Loop& loop) {
  const double* of[3] = {};
  double weight[3] = {};
  int terms = 0;
  const auto add = [&](double x, const double* matrix) {
    if (x != 0) weight[terms] = x, of[terms++] = matrix;
  };
  add(w.acceleration, j.of_acceleration);
  add(w.velocity, j.of_velocity);
  add(w.position, j.of_position);
  const double w0 = weight[0], w1 = weight[1], w2 = weight[2];
  const double *const f0 = of[0], *const f1 = of[1], *const f2 = of[2];
  if (terms == 3)
    loop([=](int i) { return w0 * f0[i] + w1 * f1[i] + w2 * f2[i]; });
  else if (terms == 2)
    loop([=](int i) { return w0 * f0[i] + w1 * f1[i]; });
  else if (terms == 1)
    loop([=](int i) { return w0 * f0[i]; });
  else
    loop([](int) { return 0.0; });
}

/// All columns of a dense matrix, which is stored by columns.
template <int N>
void assemble_dense(const Extent<N>& size, const Sizes& sizes, const ColumnWeights& weights,
                    const Jacobian& j, double* matrix) {
  const int n = size();
  const auto columns = [&](int first, int last, const Weights& w) {
    if (first == last) return;
    for_sum(w, j, [=](const auto& sum) {
      double* const __restrict to = matrix;
      if constexpr (N > 0) {  // all columns are positions; in two loops, of which one vectorises
        double by_rows[N * N];
        for (int i = 0; i < N * N; ++i) by_rows[i] = sum(i);
        for (int k = 0; k < N; ++k)
          for (int r = 0; r < N; ++r) to[k * N + r] = by_rows[r * N + k];
      } else {
        for (int r = 0; r < n; ++r)
          for (int k = first; k < last; ++k) to[k * n + r] = sum(r * n + k);
      }
    });
  };
  const int nq = N > 0 ? N : sizes.positions, first_algebraic = N > 0 ? N : nq + sizes.differential;
  const Weights &d = weights.differential, &a = weights.algebraic;
  columns(0, nq, weights.positions);
  columns(nq, first_algebraic, {d.position, d.velocity, 0});
  columns(first_algebraic, n, {a.position, a.velocity, 0});
}

/// The coupled entries, and their way from the derivatives of F into the storage of a factorisation.
class CoupledEntries {
 public:
  CoupledEntries(const Structure& structure, const Sizes& sizes, const BlockPattern& pattern)
      : positions_(sizes.positions) {
    const int n = sizes.unknowns(), count = static_cast<int>(structure.blocks.size());
    std::vector<char> coupled(n * n);
    const auto couple = [&](int k, int l) {
      for (const int r : structure.blocks[k])
        for (const int c : structure.blocks[l]) coupled[r * n + c] = 1;
    };
    for (int k = 0; k < count; ++k) couple(k, k);
    for (const auto& [k, l] : structure.coupled) couple(k, l), couple(l, k);
    for (int r = 0; r < n; ++r) {
      row_begin_.push_back(static_cast<int>(column_.size()));
      for (int c = 0; c < n; ++c) {
        if (!coupled[r * n + c]) continue;
        column_.push_back(c);
        const int kind = c < sizes.positions ? 0 : c < sizes.positions + sizes.differential ? 1 : 2;
        ways_[kind].push_back({r * n + c, pattern.place(r, c)});
      }
    }
    row_begin_.push_back(static_cast<int>(column_.size()));
  }

  void assemble(const ColumnWeights& weights, const Jacobian& j, double* storage) const {
    const auto columns = [&](int kind, const Weights& w) {
      for_sum(w, j, [&](const auto& sum) {
        for (const auto& [from, to] : ways_[kind]) storage[to] = sum(from);
      });
    };
    const Weights &d = weights.differential, &a = weights.algebraic;
    columns(0, weights.positions);
    columns(1, {d.position, d.velocity, 0});
    columns(2, {a.position, a.velocity, 0});
  }

  void multiply(const Jacobian& j, const double* accelerations, double factor, const double* velocities,
                double* result) const {
    const int n = static_cast<int>(row_begin_.size()) - 1;
    for (int r = 0; r < n; ++r) {
      const double *const fv = j.of_velocity + r * n, *const fa = j.of_acceleration + r * n;
      double sum = 0;
      for (int e = row_begin_[r]; e < row_begin_[r + 1]; ++e) {
        const int k = column_[e];
        sum += (k < positions_ ? fa[k] * accelerations[k] : 0) + factor * fv[k] * velocities[k];
      }
      result[r] = sum;
    }
  }

 private:
  int positions_;
  std::array<std::vector<std::pair<int, int>>, 3> ways_;  ///< by kind of unknown: from, to
  std::vector<int> row_begin_, column_;                   ///< columns of a row: positions, then the others
};

/// Factorisation of a matrix with a structure, and how it is filled.
template <int Parts>
struct Structured {
  BlockLu<Parts> lu;
  CoupledEntries entries;

  Structured(const Structure& structure, const Sizes& sizes)
      : lu(structure, sizes.unknowns()), entries(structure, sizes, lu.pattern()) {}
};

}  // namespace newton_matrix_details

/// A matrix made of the derivatives of F, dense or by blocks as the structure of the model says: its user
/// need not know. With N > 0 the size is known to the compiler, all unknowns are positions, and the matrix is
/// dense whatever the structure. Only construction allocates.
template <int N = 0>
class NewtonMatrix {
 public:
  explicit NewtonMatrix(const Sizes& sizes, const Structure& structure = {})
      : sizes_(sizes), n_(sizes.unknowns()), dense_(0) {
    if (N == 0 && !structure.dense())
      blocks_.emplace(structure, sizes);
    else
      dense_ = RealLu<N>(sizes.unknowns());
  }

  void assemble(const ColumnWeights& weights, const Jacobian& j) {
    if (blocks()) {
      blocks_->lu.clear();
      blocks_->entries.assemble(weights, j, blocks_->lu.values(0));
    } else {
      newton_matrix_details::assemble_dense(n_, sizes_, weights, j, &dense_(0, 0));
    }
  }
  /// False if the matrix is singular to working precision or not finite.
  bool factor() { return blocks() ? blocks_->lu.factor() : dense_.factor(); }
  /// b := matrix⁻¹ b
  void solve(double* b) {
    if (blocks())
      blocks_->lu.solve({b});
    else
      dense_.solve(b);
  }

  /// result := ∂F/∂a accelerations + factor ∂F/∂(v, z') velocities: n results, `accelerations` of the
  /// positions, `velocities` of all unknowns.
  void multiply(const Jacobian& j, const double* accelerations, double factor, const double* velocities,
                double* result) const {
    if (blocks()) return blocks_->entries.multiply(j, accelerations, factor, velocities, result);
    const int n = n_(), nq = N > 0 ? N : sizes_.positions;
    for (int r = 0; r < n; ++r) {
      const double *const fv = j.of_velocity + r * n, *const fa = j.of_acceleration + r * n;
      double sum = 0;
      for (int k = 0; k < nq; ++k) sum += fa[k] * accelerations[k] + factor * fv[k] * velocities[k];
      for (int k = nq; k < n; ++k) sum += factor * fv[k] * velocities[k];
      result[r] = sum;
    }
  }

 private:
  bool blocks() const { return N == 0 && blocks_.has_value(); }

  Sizes sizes_;
  Extent<N> n_;
  RealLu<N> dense_;
  std::optional<newton_matrix_details::Structured<1>> blocks_;
};

/// The same with complex weights.
template <int N = 0>
class ComplexNewtonMatrix {
 public:
  explicit ComplexNewtonMatrix(const Sizes& sizes, const Structure& structure = {})
      : sizes_(sizes), n_(sizes.unknowns()), dense_(0) {
    if (N == 0 && !structure.dense())
      blocks_.emplace(structure, sizes);
    else
      dense_ = ComplexLu<N>(sizes.unknowns());
  }

  void assemble(const ColumnWeights& real, const ColumnWeights& imaginary, const Jacobian& j) {
    if (blocks()) {
      blocks_->lu.clear();
      blocks_->entries.assemble(real, j, blocks_->lu.values(0));
      blocks_->entries.assemble(imaginary, j, blocks_->lu.values(1));
    } else {
      newton_matrix_details::assemble_dense(n_, sizes_, real, j, &dense_.real(0, 0));
      newton_matrix_details::assemble_dense(n_, sizes_, imaginary, j, &dense_.imag(0, 0));
    }
  }
  bool factor() { return blocks() ? blocks_->lu.factor() : dense_.factor(); }
  void solve(double* b_real, double* b_imaginary) {
    if (blocks())
      blocks_->lu.solve({b_real, b_imaginary});
    else
      dense_.solve(b_real, b_imaginary);
  }

 private:
  bool blocks() const { return N == 0 && blocks_.has_value(); }

  Sizes sizes_;
  Extent<N> n_;
  ComplexLu<N> dense_;
  std::optional<newton_matrix_details::Structured<2>> blocks_;
};

}  // namespace spondyl
