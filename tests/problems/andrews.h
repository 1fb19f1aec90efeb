#pragma once

#include "problems/problem.h"

namespace spondyl::problems {

/// Andrews' squeezing mechanism: seven bodies with one degree of freedom, six loop constraints, index 3.
/// M q'' = f - Gᵀ λ, g = 0 (Hairer & Wanner II, VII.7; test set for IVP solvers, "andrews").
/// q = (β, Θ, γ, Φ, δ, Ω, ε).
struct Andrews {
  static constexpr Sizes sizes{.positions = 7, .algebraic = 6, .index = 3};
  static constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706,
                          m7 = 0.05498, xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014,
                          yc = 0.072, c0 = 4530, i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7,
                          i5 = 1.169e-5, i6 = 5.667e-7, i7 = 1.912e-5, d = 0.028, da = 0.0115, e = 0.02,
                          ea = 0.01421, rr = 0.007, ra = 0.00092, l0 = 0.07785, ss = 0.035, sa = 0.01874,
                          sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916, u = 0.04,
                          ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421, mom = 0.033;

  template <class T>
  void operator()(T, const T* q, const T* v, const T* a, const T* z, const T*, T* r) const {
    const auto [s_be, c_be] = sin_cos(q[0]);
    const auto [s_th, c_th] = sin_cos(q[1]);
    const auto [s_ga, c_ga] = sin_cos(q[2]);
    const auto [s_ph, c_ph] = sin_cos(q[3]);
    const auto [s_de, c_de] = sin_cos(q[4]);
    const auto [s_om, c_om] = sin_cos(q[5]);
    const auto [s_ep, c_ep] = sin_cos(q[6]);
    const auto [s_bt, c_bt] = sin_cos(q[0] + q[1]);
    const auto [s_pd, c_pd] = sin_cos(q[3] + q[4]);
    const auto [s_oe, c_oe] = sin_cos(q[5] + q[6]);
    constexpr double em = e - ea, fm = zf - fa;

    // M a
    const T m12 = m2 * (da * da - da * rr * c_th) + i2;
    const T m45 = m4 * (em * em + zt * em * s_ph) + i4;
    const T m67 = m6 * (fm * fm - u * fm * s_om) + i6;
    r[0] = (m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * c_th + da * da) + i1 + i2) * a[0] + m12 * a[1];
    r[1] = m12 * a[0] + (m2 * da * da + i2) * a[1];
    r[2] = (m3 * (sa * sa + sb * sb) + i3) * a[2];
    r[3] = (m4 * em * em + i4) * a[3] + m45 * a[4];
    r[4] = m45 * a[3] +
           (m4 * (zt * zt + 2.0 * zt * em * s_ph + em * em) + m5 * (ta * ta + tb * tb) + i4 + i5) * a[4];
    r[5] = (m6 * fm * fm + i6) * a[5] + m67 * a[6];
    r[6] = m67 * a[5] +
           (m6 * (fm * fm - 2.0 * u * fm * s_om + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7) * a[6];

    // - f
    const T x = sd * c_ga + sc * s_ga + xb - xc, y = sd * s_ga - sc * c_ga + yb - yc;
    const T length = sqrt(x * x + y * y), force = -c0 * (length - l0) / length;
    r[0] -= mom - m2 * da * rr * v[1] * (v[1] + 2.0 * v[0]) * s_th;
    r[1] -= m2 * da * rr * v[0] * v[0] * s_th;
    r[2] -= force * (x * (sc * c_ga - sd * s_ga) + y * (sd * c_ga + sc * s_ga));
    r[3] -= m4 * zt * em * v[4] * v[4] * c_ph;
    r[4] += m4 * zt * em * v[3] * (v[3] + 2.0 * v[4]) * c_ph;
    r[5] += m6 * u * fm * v[6] * v[6] * c_om;
    r[6] -= m6 * u * fm * v[5] * (v[5] + 2.0 * v[6]) * c_om;

    // + Gᵀ λ
    const T lx = z[0] + z[2] + z[4], ly = z[1] + z[3] + z[5];
    r[0] += (d * s_bt - rr * s_be) * lx + (rr * c_be - d * c_bt) * ly;
    r[1] += d * s_bt * lx - d * c_bt * ly;
    r[2] -= ss * c_ga * z[0] + ss * s_ga * z[1];
    r[3] -= e * c_pd * z[2] + e * s_pd * z[3];
    r[4] += (zt * s_de - e * c_pd) * z[2] - (zt * c_de + e * s_pd) * z[3];
    r[5] += zf * s_oe * z[4] - zf * c_oe * z[5];
    r[6] += (zf * s_oe - u * c_ep) * z[4] - (zf * c_oe + u * s_ep) * z[5];

    // g
    const T px = rr * c_be - d * c_bt, py = rr * s_be - d * s_bt;
    r[7] = px - ss * s_ga - xb;
    r[8] = py + ss * c_ga - yb;
    r[9] = px - e * s_pd - zt * c_de - xa;
    r[10] = py + e * c_pd - zt * s_de - ya;
    r[11] = px - zf * c_oe - u * s_ep - xa;
    r[12] = py - zf * s_oe + u * c_ep - ya;
  }
};

}  // namespace spondyl::problems
