#pragma once

#include <bit>
#include <cstdint>

namespace spondyl {

template <class T>
struct SinCos {
  T sin, cos;
};

/// sin x and cos x together, without a branch, so that a loop over bodies becomes vector code, and with the
/// same bits on every machine (the C library chooses its code by processor). Error below 1 ulp of 1 for |x| <
/// 1e5.
///
/// x = n π/2 + r, |r| ≤ π/4, with π/2 in three parts (Cody & Waite 1980); then the minimax polynomials of the
/// public-domain fdlibm kernels.
inline SinCos<double> sin_cos(double x) {
  // n = round(x · 2/π): adding 1.5·2^52 leaves the integer in the low bits
  const double shifted = x * 0.63661977236758134308 + 6755399441055744.0;
  const double n = shifted - 6755399441055744.0;
  const auto quadrant = std::bit_cast<std::uint64_t>(shifted);
  double r = x - n * 1.57079632673412561417e+00;
  r -= n * 6.07710050630396597660e-11;
  r -= n * 2.02226624879595063154e-21;

  const double z = r * r;
  const double sine =
      r + r * z *
              (-1.66666666666666324348e-01 +
               z * (8.33333333332248946124e-03 +
                    z * (-1.98412698298579493134e-04 +
                         z * (2.75573137070700676789e-06 +
                              z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
  const double half = 0.5 * z;
  const double head = 1.0 - half;
  const double cosine =
      head + (((1.0 - head) - half) +
              z * z *
                  (4.16666666666666019037e-02 +
                   z * (-1.38888888888741095749e-03 +
                        z * (2.48015872894767294178e-05 +
                             z * (-2.75573143513906633035e-07 +
                                  z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))))));

  // odd quadrants swap the two; the sign bits follow from the quadrant's bits
  const std::uint64_t odd = 0 - (quadrant & 1);
  const auto a = std::bit_cast<std::uint64_t>(sine), b = std::bit_cast<std::uint64_t>(cosine);
  const std::uint64_t s = (a & ~odd) | (b & odd), c = (b & ~odd) | (a & odd);
  return {std::bit_cast<double>(s ^ ((quadrant & 2) << 62)),
          std::bit_cast<double>(c ^ (((quadrant + 1) & 2) << 62))};
}

}  // namespace spondyl
