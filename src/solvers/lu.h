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

/// LU factorisation with row pivoting of a dense real matrix, row-major.
template <int N>
class RealLu {
 public:
  explicit RealLu(int size) : n_(size), a_(size * size), pivot_(size) {}

  double* matrix() { return a_.data(); }

  /// False if the matrix is singular to working precision or not finite.
  bool factor() {
    const int n = n_();
    double* const a = a_.data();
    for (int k = 0; k < n; ++k) {
      // pivot: largest element of the column
      int p = k;
      for (int i = k + 1; i < n; ++i)
        if (std::abs(a[i * n + k]) > std::abs(a[p * n + k])) p = i;
      pivot_[k] = p;
      if (p != k)
        for (int j = 0; j < n; ++j) std::swap(a[k * n + j], a[p * n + j]);
      const double diagonal = a[k * n + k];
      if (!(std::abs(diagonal) > 0) || !std::isfinite(diagonal)) return false;
      // eliminate; the diagonal keeps its inverse
      const double inverse = a[k * n + k] = 1 / diagonal;
      for (int i = k + 1; i < n; ++i) {
        const double factor = a[i * n + k] *= inverse;
        for (int j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      }
    }
    return true;
  }

  void solve(double* b) const {
    const int n = n_();
    const double* const a = a_.data();
    for (int k = 0; k < n; ++k) std::swap(b[k], b[pivot_[k]]);
    for (int i = 1; i < n; ++i) {
      double sum = b[i];
      for (int j = 0; j < i; ++j) sum -= a[i * n + j] * b[j];
      b[i] = sum;
    }
    for (int i = n - 1; i >= 0; --i) {
      double sum = b[i];
      for (int j = i + 1; j < n; ++j) sum -= a[i * n + j] * b[j];
      b[i] = sum * a[i * n + i];
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

  double* real() { return re_.data(); }
  double* imag() { return im_.data(); }

  bool factor() {
    const int n = n_();
    double *const re = re_.data(), *const im = im_.data();
    for (int k = 0; k < n; ++k) {
      int p = k;
      double largest = size_of(re[k * n + k], im[k * n + k]);
      for (int i = k + 1; i < n; ++i) {
        const double size = size_of(re[i * n + k], im[i * n + k]);
        if (size > largest) largest = size, p = i;
      }
      pivot_[k] = p;
      if (!(largest > 0) || !std::isfinite(largest)) return false;
      if (p != k)
        for (int j = 0; j < n; ++j) {
          std::swap(re[k * n + j], re[p * n + j]);
          std::swap(im[k * n + j], im[p * n + j]);
        }
      const double x = re[k * n + k], y = im[k * n + k], norm = 1 / (x * x + y * y);
      const double inverse_re = re[k * n + k] = x * norm;
      const double inverse_im = im[k * n + k] = -y * norm;
      for (int i = k + 1; i < n; ++i) {
        const double s = re[i * n + k], t = im[i * n + k];
        const double factor_re = re[i * n + k] = s * inverse_re - t * inverse_im;
        const double factor_im = im[i * n + k] = s * inverse_im + t * inverse_re;
        for (int j = k + 1; j < n; ++j) {
          const double u = re[k * n + j], w = im[k * n + j];
          re[i * n + j] -= factor_re * u - factor_im * w;
          im[i * n + j] -= factor_re * w + factor_im * u;
        }
      }
    }
    return true;
  }

  void solve(double* b_re, double* b_im) const {
    const int n = n_();
    const double *const re = re_.data(), *const im = im_.data();
    for (int k = 0; k < n; ++k) {
      std::swap(b_re[k], b_re[pivot_[k]]);
      std::swap(b_im[k], b_im[pivot_[k]]);
    }
    for (int i = 1; i < n; ++i) {
      double x = b_re[i], y = b_im[i];
      for (int j = 0; j < i; ++j) {
        x -= re[i * n + j] * b_re[j] - im[i * n + j] * b_im[j];
        y -= re[i * n + j] * b_im[j] + im[i * n + j] * b_re[j];
      }
      b_re[i] = x, b_im[i] = y;
    }
    for (int i = n - 1; i >= 0; --i) {
      double x = b_re[i], y = b_im[i];
      for (int j = i + 1; j < n; ++j) {
        x -= re[i * n + j] * b_re[j] - im[i * n + j] * b_im[j];
        y -= re[i * n + j] * b_im[j] + im[i * n + j] * b_re[j];
      }
      b_re[i] = x * re[i * n + i] - y * im[i * n + i];
      b_im[i] = x * im[i * n + i] + y * re[i * n + i];
    }
  }

 private:
  static double size_of(double x, double y) { return std::abs(x) + std::abs(y); }

  Extent<N> n_;
  std::vector<double> re_, im_;
  std::vector<int> pivot_;
};

}  // namespace spondyl
