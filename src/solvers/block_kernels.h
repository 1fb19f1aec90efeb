#pragma once

#include <array>
#include <cmath>

/// Inner loops of the block-sparse factorisation, for blocks of a few rows.
namespace spondyl {

/// A real number (one part) or a complex one (two).
template <int Parts>
struct Number {
  double part[Parts];
};

inline Number<1> operator*(const Number<1>& a, const Number<1>& b) { return {a.part[0] * b.part[0]}; }
inline Number<2> operator*(const Number<2>& a, const Number<2>& b) {
  return {a.part[0] * b.part[0] - a.part[1] * b.part[1], a.part[0] * b.part[1] + a.part[1] * b.part[0]};
}
inline double magnitude(const Number<1>& a) { return std::abs(a.part[0]); }
inline double magnitude(const Number<2>& a) { return std::abs(a.part[0]) + std::abs(a.part[1]); }
inline Number<1> inverse(const Number<1>& a) { return {1 / a.part[0]}; }
inline Number<2> inverse(const Number<2>& a) {
  const double norm = 1 / (a.part[0] * a.part[0] + a.part[1] * a.part[1]);
  return {a.part[0] * norm, -a.part[1] * norm};
}

/// Numbers in memory, real and imaginary parts in separate arrays (plain vector code).
template <int Parts>
struct Numbers {
  std::array<double*, Parts> part;

  Numbers operator+(int offset) const {
    Numbers moved = *this;
    for (double*& p : moved.part) p += offset;
    return moved;
  }
  Number<Parts> get(int i) const {
    Number<Parts> x;
    for (int p = 0; p < Parts; ++p) x.part[p] = part[p][i];
    return x;
  }
  void set(int i, const Number<Parts>& x) const {
    for (int p = 0; p < Parts; ++p) part[p][i] = x.part[p];
  }
};

/// target(i) -= left(i) factor, i < count
inline void subtract_multiple(int count, Numbers<1> left, Number<1> factor, Numbers<1> target) {
  const double* const __restrict a = left.part[0];
  double* const __restrict c = target.part[0];
  const double x = factor.part[0];
  for (int i = 0; i < count; ++i) c[i] -= a[i] * x;
}
inline void subtract_multiple(int count, Numbers<2> left, Number<2> factor, Numbers<2> target) {
  const double* const __restrict a_re = left.part[0], * const __restrict a_im = left.part[1];
  double* const __restrict c_re = target.part[0], * const __restrict c_im = target.part[1];
  const double x = factor.part[0], y = factor.part[1];
  for (int i = 0; i < count; ++i) {
    c_re[i] -= a_re[i] * x - a_im[i] * y;
    c_im[i] -= a_re[i] * y + a_im[i] * x;
  }
}

/// `Count` consecutive elements of target -= Σ_p left(p, ·) right(p), the sums kept in registers.
template <int Count>
void subtract_sums(int depth, Numbers<1> left, int left_step, Numbers<1> right, int right_step,
                   Numbers<1> target) {
  const double* __restrict a = left.part[0], * __restrict b = right.part[0];
  double* const __restrict c = target.part[0];
  double sum[Count];
  for (int i = 0; i < Count; ++i) sum[i] = c[i];
  for (int p = 0; p < depth; ++p, a += left_step, b += right_step)
    for (int i = 0; i < Count; ++i) sum[i] -= a[i] * *b;
  for (int i = 0; i < Count; ++i) c[i] = sum[i];
}
template <int Count>
void subtract_sums(int depth, Numbers<2> left, int left_step, Numbers<2> right, int right_step,
                   Numbers<2> target) {
  const double* __restrict a_re = left.part[0], * __restrict a_im = left.part[1];
  const double* __restrict b_re = right.part[0], * __restrict b_im = right.part[1];
  double* const __restrict c_re = target.part[0], * const __restrict c_im = target.part[1];
  double re[Count], im[Count];
  for (int i = 0; i < Count; ++i) re[i] = c_re[i], im[i] = c_im[i];
  for (int p = 0; p < depth; ++p) {
    const double x = *b_re, y = *b_im;
    for (int i = 0; i < Count; ++i) {
      re[i] -= a_re[i] * x - a_im[i] * y;
      im[i] -= a_re[i] * y + a_im[i] * x;
    }
    a_re += left_step, a_im += left_step, b_re += right_step, b_im += right_step;
  }
  for (int i = 0; i < Count; ++i) c_re[i] = re[i], c_im[i] = im[i];
}

/// target(i) -= Σ_p left(p, i) right(p), i < count
template <int Parts>
void subtract_sum(int count, int depth, Numbers<Parts> left, int left_step, Numbers<Parts> right,
                  int right_step, Numbers<Parts> target) {
  int i = 0;
  for (; i + 4 <= count; i += 4) subtract_sums<4>(depth, left + i, left_step, right, right_step, target + i);
  if (count & 2) {
    subtract_sums<2>(depth, left + i, left_step, right, right_step, target + i);
    i += 2;
  }
  if (count & 1) subtract_sums<1>(depth, left + i, left_step, right, right_step, target + i);
}

}  // namespace spondyl
