#pragma once

#include <cmath>
#include <vector>

#include "solvers/dae.h"

namespace spondyl::problems {

/// Balls that fall and bounce, each on its own floor at height 0: q'' = -g. Exact impact times are known. The
/// Jacobian is written out, so that nothing here allocates while stepping but the notes, which are reserved.
class BouncingBalls : public Dae {
 public:
  static constexpr double gravity = 9.81, restitution = 0.7;
  struct Impact {
    double t;
    int ball;
  };

  explicit BouncingBalls(int count, bool bounce = true)
      : bounce_(bounce), n_{.positions = count, .quadratures = 1, .events = count} {
    impacts.reserve(1000);
  }

  Sizes sizes() const override { return n_; }
  void residual(const Point& p, double* r) const override {
    for (int k = 0; k < n_.positions; ++k) r[k] = p.a[k] + gravity;
  }
  void jacobian(const Point&, const Jacobian& j) const override {
    const int n = n_.positions;
    for (int i = 0; i < n * n; ++i) {
      j.of_position[i] = j.of_velocity[i] = 0;
      j.of_acceleration[i] = i % (n + 1) == 0 ? 1 : 0;
    }
  }
  void quadratures(const Point& p, double* rate) const override { rate[0] = p.v[0]; }
  void events(const Point& p, double* g) const override {
    for (int k = 0; k < n_.events; ++k) g[k] = p.q[k];
  }
  After accept(const Step& step, double* x, double*) override {
    ++steps;
    bool bounced = false;
    for (const int k : step.fired) {
      double& v = x[n_.positions + k];
      if (v > 0) continue;  // on its way up through the floor after an impact that ended below it by rounding
      impacts.push_back({step.end, k});
      if (bounce_) v = -restitution * v;
      bounced = true;
    }
    return bounced ? After::restart : After::go_on;
  }

  /// When a ball let go at rest from a height hits the floor for the k-th time, k from 0.
  static double impact_time(double height, int k) {
    const double first = std::sqrt(2 * height / gravity);
    double t = first, flight = 2 * first * restitution;
    for (int i = 0; i < k; ++i, flight *= restitution) t += flight;
    return t;
  }

  std::vector<Impact> impacts;
  int steps = 0;

 private:
  bool bounce_;  ///< or fall through
  Sizes n_;
};

}  // namespace spondyl::problems
