#pragma once

#include <algorithm>
#include <cmath>

namespace spondyl::testing {

/// The lumbar spine once more, from the equations on paper and nothing of src/: world axes, angles
/// counter-clockwise (extension positive), forces by hand at the bodies' points, classical Runge-Kutta steps.
struct PlainLumbar {
  static constexpr double start[6][3] = {{-0.00155, 0.17413, 0.2217}, {0.00745, 0.14173, 0.2618},
                                         {0.01825, 0.10843, 0.2374},  {0.02505, 0.07263, 0.1222},
                                         {0.02305, 0.03953, -0.1257}, {0.0, 0.0, -0.37}};
  static constexpr double mass[5] = {1.486, 1.572, 1.632, 1.664, 1.406};
  static constexpr double inertia[5] = {0.024269, 0.015439, 0.0085155, 0.0047212, 0.0038544};
  // slave (upper) and master (lower) point of each disc
  static constexpr double disc[5][4] = {{0.0177, -0.0131, 0.0173, 0.0111},
                                        {0.0175, -0.0128, 0.0163, 0.0111},
                                        {0.0175, -0.0127, 0.0178, 0.0114},
                                        {0.017, -0.0129, 0.0174, 0.0106},
                                        {0.0166, -0.012, 0.0265, 0.0261}};
  static constexpr double flexion[5] = {44, 15, 15, 15, 15}, extension[5] = {82, 75, 70, 15, 15};
  // K, eps_T, eps_lim; then upper and lower point at each level
  struct Rope {
    double K, toe, limit, points[5][4];
  };
  static constexpr Rope ropes[6] = {{33000.0,
                                     0.081,
                                     0.384,
                                     {{0.0353, -0.01437, 0.0346, 0.01003},
                                      {0.0349, -0.01343, 0.0352, 0.01086},
                                      {0.0348, -0.01354, 0.0355, 0.00913},
                                      {0.0339, -0.01365, 0.0347, 0.01012},
                                      {0.0332, -0.01249, 0.04305, 0.0261}}},
                                    {20400.0,
                                     0.043,
                                     0.145,
                                     {{0.0, -0.0119, 0.0, 0.01215},
                                      {0.0, -0.01215, 0.0, 0.0119},
                                      {0.0, -0.0119, 0.0, 0.01205},
                                      {0.0, -0.01205, 0.0, 0.01145},
                                      {0.0, -0.01145, 0.00985, 0.0261}}},
                                    {27200.0,
                                     0.226,
                                     0.708,
                                     {{-0.01987, 0.00358, -0.0182, 0.00488},
                                      {-0.01913, 0.0027, -0.0175, 0.00398},
                                      {-0.01934, 0.00171, -0.0186, 0.0038},
                                      {-0.01966, 0.00176, -0.0197, 0.00275},
                                      {-0.0205, 0.00109, -0.00985, 0.00783}}},
                                    {11500.0,
                                     0.227,
                                     0.779,
                                     {{-0.02584, -0.01271, -0.0341, -0.00403},
                                      {-0.0275, -0.01258, -0.03403, -0.0029},
                                      {-0.02781, -0.01073, -0.03342, -0.00219},
                                      {-0.02653, -0.00992, -0.03147, -0.00054},
                                      {-0.02378, -0.00726, -0.01281, 0.00392}}},
                                    {23700.0,
                                     0.271,
                                     0.933,
                                     {{-0.04698, -0.01338, -0.04999, -0.01294},
                                      {-0.04999, -0.01294, -0.05056, -0.00978},
                                      {-0.05056, -0.00978, -0.04824, -0.00817},
                                      {-0.04824, -0.00817, -0.04323, -0.00383},
                                      {-0.04323, -0.00383, -0.01576, 0.0}}},
                                    {33900.0,
                                     0.261,
                                     0.655,
                                     {{-0.02659, -0.02025, -0.01402, 0.01215},
                                      {-0.02797, -0.02055, -0.0174, 0.0119},
                                      {-0.03033, -0.0201, -0.01374, 0.01205},
                                      {-0.02852, -0.01635, -0.0136, 0.01145},
                                      {-0.02623, -0.0148, 0.0, 0.0261}}}};
  // sphere centre, radius, L and R of the moved line; five facets, five spinous processes
  static constexpr double touch[10][7] = {
      {-0.02659, -0.02025, 0.00144, -0.027238895556892344, 0.007708407155188456, -0.023812895556892342,
       0.022715407155188456},
      {-0.02797, -0.02055, 0.00159, -0.02932379933447891, 0.005808709372511346, -0.026691799334478912,
       0.021540709372511343},
      {-0.03033, -0.0201, 0.0017, -0.029159764526053372, 0.006376446314165328, -0.02616176452605337,
       0.022804446314165328},
      {-0.02852, -0.01635, 0.0018, -0.024083384636441697, 0.0036268504577535964, -0.0225313846364417,
       0.0210068504577536},
      {-0.02623, -0.0148, 0.00198, -0.01320664107708205, 0.020839831738959914, -0.00793664107708205,
       0.03789383173895992},
      {-0.04698, -0.01338, 0.00445, -0.07522472010826074, -0.007520787121333725, -0.041452720108260746,
       0.011417212878666273},
      {-0.04999, -0.01294, 0.00428, -0.07423781298167036, -0.0016661582953098834, -0.03962381298167035,
       0.012733841704690115},
      {-0.05056, -0.00978, 0.00392, -0.06988298175816125, 0.0005584077161553437, -0.03871498175816124,
       0.013134407716155344},
      {-0.04824, -0.00817, 0.00387, -0.05705525067066455, -0.0018211261996344064, -0.03244725067066454,
       0.0050528738003655935},
      {-0.04323, -0.00383, 0.00336, -0.03607034113270463, 0.009176602580697007, -0.030162341132704627,
       0.017008602580697006}};
  static constexpr double cable[6][2] = {{0.017349999999999997, 0.0}, {0.017375, 0.0}, {0.0175, 0.0},
                                         {0.017349999999999997, 0.0}, {0.016975, 0.0}, {0.0265, 0.0261}};
  static constexpr double endplate[2] = {0.01705, 0.011095940527916077};

  struct Vector {
    double x = 0, y = 0;
    Vector operator+(Vector b) const { return {x + b.x, y + b.y}; }
    Vector operator-(Vector b) const { return {x - b.x, y - b.y}; }
    Vector operator*(double s) const { return {s * x, s * y}; }
    double dot(Vector b) const { return x * b.x + y * b.y; }
    double cross(Vector b) const { return x * b.y - y * b.x; }
    Vector left() const { return {-y, x}; }
    double size() const { return std::hypot(x, y); }
  };

  double moment = 0, tension = 0,
         load = 0;     ///< on L1, extension positive; of the cable; on L1's endplate, up
  double y[30];        ///< x, y, φ of L1 … L5, then their rates
  double v0[10] = {};  ///< of contacts that are closed
  double rest[6][5], offset[5][2];

  PlainLumbar() {
    for (int i = 0; i < 15; ++i) y[i] = start[i / 3][i % 3], y[15 + i] = 0;
    for (int l = 0; l < 5; ++l) {
      for (int k = 0; k < 6; ++k) {
        const double* const p = ropes[k].points[l];
        rest[k][l] = (point(y, l, p) - point(y, l + 1, p + 2)).size();
      }
      const Vector d = toward(y, l + 1, point(y, l, disc[l]) - point(y, l + 1, disc[l] + 2));
      offset[l][0] = d.x, offset[l][1] = d.y;
    }
  }

  static double angle(const double* s, int b) { return b < 5 ? s[3 * b + 2] : start[5][2]; }
  static double turning(const double* s, int b) { return b < 5 ? s[17 + 3 * b] : 0; }
  static Vector centre(const double* s, int b) {
    return b < 5 ? Vector{s[3 * b], s[3 * b + 1]} : Vector{start[5][0], start[5][1]};
  }
  static Vector turned(const double* s, int b, const double* p) {
    const double c = std::cos(angle(s, b)), si = std::sin(angle(s, b));
    return {c * p[0] - si * p[1], si * p[0] + c * p[1]};
  }
  static Vector toward(const double* s, int b, Vector v) {  // in the axes of body b
    const double c = std::cos(angle(s, b)), si = std::sin(angle(s, b));
    return {c * v.x + si * v.y, -si * v.x + c * v.y};
  }
  static Vector point(const double* s, int b, const double* p) { return centre(s, b) + turned(s, b, p); }
  /// Velocity of the point of body b that is at w.
  static Vector velocity(const double* s, int b, Vector w) {
    const Vector own = b < 5 ? Vector{s[15 + 3 * b], s[16 + 3 * b]} : Vector{};
    return own + (w - centre(s, b)).left() * turning(s, b);
  }

  /// Gap of contact c and the speed at which it closes: -(b'.n) - omega_j (b.t) is the rate of the gap.
  static double gap(const double* s, int c, double* closing = nullptr, Vector* normal = nullptr) {
    const int l = c % 5;
    const double* const p = touch[c];
    const Vector C = point(s, l, p), L = point(s, l + 1, p + 3), R = point(s, l + 1, p + 5);
    const Vector t = (R - L) * (1 / (R - L).size()), n{t.y, -t.x}, b = C - L;
    const Vector rate = velocity(s, l, C) - velocity(s, l + 1, L);
    if (closing) *closing = rate.dot(n) + turning(s, l + 1) * b.dot(t);
    if (normal) *normal = n;
    return -b.dot(n) - p[2];
  }

  void rates(const double* s, double* out) const {
    double F[6][3] = {};
    const auto push = [&](int b, Vector at, Vector f) {
      F[b][0] += f.x, F[b][1] += f.y, F[b][2] += (at - centre(s, b)).cross(f);
    };
    const auto pull = [&](int l, const double* upper, const double* lower, double force) {
      const Vector U = point(s, l, upper), D = point(s, l + 1, lower), e = (U - D) * (1 / (U - D).size());
      push(l, U, e * -force);
      push(l + 1, D, e * force);
    };
    for (int l = 0; l < 5; ++l) {
      // disc
      const Vector S = point(s, l, disc[l]), M = point(s, l + 1, disc[l] + 2);
      const Vector d = toward(s, l + 1, S - M) - Vector{offset[l][0], offset[l][1]};
      const Vector slip = toward(s, l + 1, velocity(s, l, S) - velocity(s, l + 1, S));
      const Vector f{-260000 * d.x - 1000 * slip.x, -(d.y > 0 ? 213200 : 1825000) * d.y - 1000 * slip.y};
      const double c = std::cos(angle(s, l + 1)), si = std::sin(angle(s, l + 1));
      const Vector world{c * f.x - si * f.y, si * f.x + c * f.y};
      push(l, S, world);
      push(l + 1, S, world * -1);
      const double turn = angle(s, l) - angle(s, l + 1) - (start[l][2] - start[l + 1][2]);
      const double couple =
          -(turn > 0 ? extension[l] : flexion[l]) * turn - 1.5 * (turning(s, l) - turning(s, l + 1));
      F[l][2] += couple;
      F[l + 1][2] -= couple;
      // ligaments
      for (int k = 0; k < 6; ++k) {
        const double* const p = ropes[k].points[l];
        const Vector U = point(s, l, p), D = point(s, l + 1, p + 2), span = U - D;
        const double l0 = rest[k][l], strain = span.size() / l0 - 1;
        const double speed = (velocity(s, l, U) - velocity(s, l + 1, D)).dot(span) / span.size() / l0;
        if (strain <= 0) continue;
        const double e = std::min(strain, ropes[k].limit), scale = ropes[k].K * l0, toe = ropes[k].toe;
        double force = e < toe ? scale * e * e / (2 * toe) : scale * (e - toe / 2);
        if (speed > 0) force *= 1 + 0.4 * speed;
        pull(l, p, p + 2, force);
      }
      pull(l, cable[l], cable[l + 1], tension);
    }
    for (int c = 0; c < 10; ++c) {
      if (v0[c] == 0) continue;
      double closing;
      Vector n;
      const double depth = -gap(s, c, &closing, &n);
      if (depth <= 0) continue;
      const double force =
          std::max(0.0, 1.4e8 * std::pow(depth, 1.5) * (1 + 8 * (1 - 0.616) / (5 * 0.616) * closing / v0[c]));
      const Vector C = point(s, c % 5, touch[c]);
      push(c % 5, C, n * -force);
      push(c % 5 + 1, C, n * force);
    }
    F[0][2] += moment;
    push(0, point(s, 0, endplate), {0, load});
    for (int b = 0; b < 5; ++b)
      for (int k = 0; k < 3; ++k) {
        out[3 * b + k] = s[15 + 3 * b + k];
        out[15 + 3 * b + k] = F[b][k] / (k < 2 ? mass[b] : inertia[b]);
      }
  }

  void step(const double* from, double h, double* to) const {
    double k[4][30], z[30];
    rates(from, k[0]);
    for (int i = 0; i < 30; ++i) z[i] = from[i] + h / 2 * k[0][i];
    rates(z, k[1]);
    for (int i = 0; i < 30; ++i) z[i] = from[i] + h / 2 * k[1][i];
    rates(z, k[2]);
    for (int i = 0; i < 30; ++i) z[i] = from[i] + h * k[2][i];
    rates(z, k[3]);
    for (int i = 0; i < 30; ++i) to[i] = from[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }

  /// One step of h, in parts where a contact opens or closes.
  void advance(double h) {
    for (double left = h; left > 0;) {
      double next[30], first = left;
      int changed = -1;
      step(y, left, next);
      for (int c = 0; c < 10; ++c) {
        const auto crossed = [&](const double* s) { return v0[c] == 0 ? gap(s, c) < 0 : gap(s, c) > 0; };
        if (!crossed(next)) continue;
        double low = 0, high = left, middle[30];
        while (high - low > 1e-15) {
          const double m = 0.5 * (low + high);
          step(y, m, middle);
          (crossed(middle) ? high : low) = m;
        }
        if (high < first || changed < 0) first = high, changed = c;
      }
      step(y, first, next);
      std::copy(next, next + 30, y);
      left -= first;
      if (changed < 0) return;
      double closing;
      gap(y, changed, &closing);
      v0[changed] = v0[changed] == 0 ? std::max(closing, 0.01) : 0;
    }
  }
};

}  // namespace spondyl::testing
