#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "solvers/block_kernels.h"
#include "solvers/block_pattern.h"

namespace spondyl {

/// LU factorisation of a block-sparse matrix, real (Parts = 1) or complex (Parts = 2): fronts in the order of
/// the structure, inside a front with row pivoting. Nothing is allocated after construction.
template <int Parts>
class BlockLu {
 public:
  BlockLu(const Structure& structure, int unknowns)
      : pattern_(structure, unknowns), pivot_(unknowns), scratch_(Parts * 2 * unknowns) {
    for (auto& part : values_) part.assign(pattern_.storage(), 0);
  }

  const BlockPattern& pattern() const { return pattern_; }
  /// Entries of one part by BlockPattern::place. All of them are to be set anew before factor(): first
  /// clear(), then those that are not zero.
  double* values(int part) { return values_[part].data(); }
  void clear() {
    for (auto& part : values_) std::fill(part.begin(), part.end(), 0.0);
  }

  /// False if a front is singular to working precision, or not finite.
  bool factor() {
    const Numbers<Parts> a = storage();
    for (std::size_t k = 0; k < pattern_.fronts().size(); ++k) {
      const BlockPattern::Front& front = pattern_.fronts()[k];
      if (!factor_panel(front)) return false;
      for (const BlockPattern::Update& u : pattern_.updates(static_cast<int>(k)))
        for (int j = 0; j < u.times; ++j)
          subtract_sum(u.count, front.size, a + u.left, u.left_step, a + (u.right + j), u.right_step,
                       a + (u.target + j * u.target_step));
    }
    return true;
  }

  /// b := matrix⁻¹ b, unknowns in the order of F.
  void solve(const std::array<double*, Parts>& b) {
    const int n = pattern_.unknowns();
    const std::vector<int>& order = pattern_.order();
    Numbers<Parts> x, gathered;
    for (int p = 0; p < Parts; ++p) {
      x.part[p] = scratch_.data() + 2 * p * n;
      gathered.part[p] = x.part[p] + n;
      for (int i = 0; i < n; ++i) x.part[p][i] = b[p][order[i]];
    }
    for (const BlockPattern::Front& front : pattern_.fronts()) forward(front, x);
    for (auto front = pattern_.fronts().rbegin(); front != pattern_.fronts().rend(); ++front)
      backward(*front, x, gathered);
    for (int p = 0; p < Parts; ++p)
      for (int i = 0; i < n; ++i) b[p][order[i]] = x.part[p][i];
  }

 private:
  Numbers<Parts> storage() {
    Numbers<Parts> a;
    for (int p = 0; p < Parts; ++p) a.part[p] = values_[p].data();
    return a;
  }

  /// The columns of a front down through its neighbours, and its rows beside. The diagonal keeps its inverse.
  bool factor_panel(const BlockPattern::Front& front) {
    const int n = front.size, height = front.height(), outside = front.outside;
    const Numbers<Parts> panel = storage() + front.panel, rows = storage() + front.rows;
    for (int k = 0; k < n; ++k) {
      const Numbers<Parts> column = panel + k * height;
      int pivot = k;
      double largest = magnitude(column.get(k));
      for (int i = k + 1; i < n; ++i)
        if (const double size = magnitude(column.get(i)); size > largest) largest = size, pivot = i;
      pivot_[front.first + k] = pivot;
      if (!(largest > 0) || !std::isfinite(largest)) return false;
      if (pivot != k)
        for (int p = 0; p < Parts; ++p) {
          for (int j = 0; j < n; ++j)
            std::swap(panel.part[p][j * height + k], panel.part[p][j * height + pivot]);
          std::swap_ranges(rows.part[p] + k * outside, rows.part[p] + (k + 1) * outside,
                           rows.part[p] + pivot * outside);
        }
      const Number<Parts> diagonal = inverse(column.get(k));
      column.set(k, diagonal);
      for (int i = k + 1; i < height; ++i) column.set(i, column.get(i) * diagonal);
      const int behind = k + 1;
      for (int j = behind; j < n; ++j) {
        const Numbers<Parts> other = panel + j * height;
        subtract_multiple(height - behind, column + behind, other.get(k), other + behind);
      }
      for (int i = behind; i < n; ++i)
        subtract_multiple(outside, rows + k * outside, column.get(i), rows + i * outside);
    }
    return true;
  }

  void forward(const BlockPattern::Front& front, Numbers<Parts> x) {
    const int n = front.size, height = front.height();
    const Numbers<Parts> panel = storage() + front.panel, own = x + front.first;
    const int* const pivot = pivot_.data() + front.first;
    for (int k = 0; k < n; ++k)
      for (double* part : own.part) std::swap(part[k], part[pivot[k]]);
    for (int k = 0; k < n; ++k)
      subtract_multiple(n - k - 1, panel + (k * height + k + 1), own.get(k), own + (k + 1));
    for (const BlockPattern::Segment& s : front.neighbours)
      subtract_sum(s.size, n, panel + (n + s.offset), height, own, 1, x + s.first);
  }

  void backward(const BlockPattern::Front& front, Numbers<Parts> x, Numbers<Parts> gathered) {
    const int n = front.size, height = front.height(), outside = front.outside;
    const Numbers<Parts> panel = storage() + front.panel, rows = storage() + front.rows,
                         own = x + front.first;
    for (const BlockPattern::Segment& s : front.neighbours)
      for (int p = 0; p < Parts; ++p) std::copy_n(x.part[p] + s.first, s.size, gathered.part[p] + s.offset);
    for (int i = 0; i < n; ++i) subtract_sums<1>(outside, gathered, 1, rows + i * outside, 1, own + i);
    for (int k = n - 1; k >= 0; --k) {
      const Numbers<Parts> column = panel + k * height;
      own.set(k, own.get(k) * column.get(k));
      subtract_multiple(k, column, own.get(k), own);
    }
  }

  BlockPattern pattern_;
  std::array<std::vector<double>, Parts> values_;
  std::vector<int> pivot_;
  std::vector<double> scratch_;
};

}  // namespace spondyl
