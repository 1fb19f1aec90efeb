#pragma once

#include <cmath>
#include <utility>
#include <vector>

namespace spondyl {

/// A size that the compiler knows (N > 0, loops unroll) or that is known only at run time (N = 0).
template <int N>
class Extent {
 public:
  explicit Extent(int size) : size_(size) {}
  constexpr int operator()() const { return N > 0 ? N : size_; }

 private:
  int size_;
};

/// LU factorisation with row pivoting of a dense real matrix, column by column in memory, so that the inner
/// loops run along columns.
template <int N>
class RealLu {
 public:
  explicit RealLu(int size) : n_(size), a_(size * size), pivot_(size) {}

  double& operator()(int row, int column) { return a_[column * n_() + row]; }

  /// False if the matrix is singular to working precision or not finite.
  bool factor() {
    const int n = n_();
    for (int k = 0; k < n; ++k) {
      // pivot: largest element of the column
      double* const column = &a_[k * n];
      int p = k;
      for (int i = k + 1; i < n; ++i)
        if (std::abs(column[i]) > std::abs(column[p])) p = i;
      pivot_[k] = p;
      const double diagonal = column[p];
      if (!(std::abs(diagonal) > 0) || !std::isfinite(diagonal)) return false;
      if (p != k)
        for (int j = 0; j < n; ++j) std::swap(a_[j * n + k], a_[j * n + p]);
      // eliminate; the diagonal keeps its inverse
      column[k] = 1 / diagonal;
      for (int i = k + 1; i < n; ++i) column[i] *= column[k];
      for (int j = k + 1; j < n; ++j) {
        double* const __restrict other = &a_[j * n];
        const double head = other[k];
        for (int i = k + 1; i < n; ++i) other[i] -= column[i] * head;
      }
    }
    return true;
  }

  void solve(double* __restrict b) const {
    const int n = n_();
    for (int k = 0; k < n; ++k) std::swap(b[k], b[pivot_[k]]);
    for (int k = 0; k < n; ++k) {
      const double* const column = &a_[k * n];
      for (int i = k + 1; i < n; ++i) b[i] -= column[i] * b[k];
    }
    for (int k = n - 1; k >= 0; --k) {
      const double* const column = &a_[k * n];
      b[k] *= column[k];
      for (int i = 0; i < k; ++i) b[i] -= column[i] * b[k];
    }
  }

 private:
  Extent<N> n_;
  std::vector<double> a_;
  std::vector<int> pivot_;
};

/// The same for a complex matrix, real and imaginary parts in separate arrays (plain vector code).
template <int N>
class ComplexLu {
 public:
  explicit ComplexLu(int size) : n_(size), re_(size * size), im_(size * size), pivot_(size) {}

  double& real(int row, int column) { return re_[column * n_() + row]; }
  double& imag(int row, int column) { return im_[column * n_() + row]; }

  bool factor() {
    const int n = n_();
    for (int k = 0; k < n; ++k) {
      double *const re = &re_[k * n], *const im = &im_[k * n];
      int p = k;
      double largest = std::abs(re[k]) + std::abs(im[k]);
      for (int i = k + 1; i < n; ++i) {
        const double size = std::abs(re[i]) + std::abs(im[i]);
        if (size > largest) largest = size, p = i;
      }
      pivot_[k] = p;
      if (!(largest > 0) || !std::isfinite(largest)) return false;
      if (p != k)
        for (int j = 0; j < n; ++j) {
          std::swap(re_[j * n + k], re_[j * n + p]);
          std::swap(im_[j * n + k], im_[j * n + p]);
        }
      const double norm = 1 / (re[k] * re[k] + im[k] * im[k]);
      re[k] *= norm, im[k] *= -norm;
      for (int i = k + 1; i < n; ++i) {
        const double x = re[i], y = im[i];
        re[i] = x * re[k] - y * im[k];
        im[i] = x * im[k] + y * re[k];
      }
      for (int j = k + 1; j < n; ++j) {
        double* const __restrict other_re = &re_[j * n], * const __restrict other_im = &im_[j * n];
        const double x = other_re[k], y = other_im[k];
        for (int i = k + 1; i < n; ++i) {
          other_re[i] -= re[i] * x - im[i] * y;
          other_im[i] -= re[i] * y + im[i] * x;
        }
      }
    }
    return true;
  }

  void solve(double* b_re, double* b_im) const {
    const int n = n_();
    for (int k = 0; k < n; ++k) {
      std::swap(b_re[k], b_re[pivot_[k]]);
      std::swap(b_im[k], b_im[pivot_[k]]);
    }
    for (int k = 0; k < n; ++k) subtract(k, k + 1, n, b_re, b_im);
    for (int k = n - 1; k >= 0; --k) {
      const double x = b_re[k], y = b_im[k], re = re_[k * n + k], im = im_[k * n + k];
      b_re[k] = x * re - y * im;
      b_im[k] = x * im + y * re;
      subtract(k, 0, k, b_re, b_im);
    }
  }

 private:
  /// b -= column k times b_k, rows first to last
  void subtract(int k, int first, int last, double* __restrict b_re, double* __restrict b_im) const {
    const int n = n_();
    const double *const re = &re_[k * n], *const im = &im_[k * n];
    const double x = b_re[k], y = b_im[k];
    for (int i = first; i < last; ++i) {
      b_re[i] -= re[i] * x - im[i] * y;
      b_im[i] -= re[i] * y + im[i] * x;
    }
  }

  Extent<N> n_;
  std::vector<double> re_, im_;
  std::vector<int> pivot_;
};

}  // namespace spondyl
