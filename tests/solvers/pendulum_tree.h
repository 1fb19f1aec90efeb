#pragma once

#include <utility>
#include <vector>

#include "solvers/dae.h"

namespace spondyl::testing {

/// Links of a tree, each a mass point at a fixed distance from the point of its parent (the first ones: from
/// the origin), in Cartesian coordinates with a multiplier a link: index 3. Beside the rods there are a
/// damper along each pair and, so that rows of z couple too, a slow filter of the height of each point.
///
///     m a + Σ_links ∂φ/∂q λ + c (v - v_parent) + (0, m g) = 0,   s' + k (s - y) = 0,   φ = 0,
///     φ = (|p - p_parent|² - l²)/2
///
/// Unknowns: all points (x, y), then all s, then all λ.
class PendulumTree : public Dae {
 public:
  enum class Uses { everything, structure };

  PendulumTree(std::vector<int> parents, Uses uses)
      : parents_(std::move(parents)), count_(static_cast<int>(parents_.size())), uses_(uses) {}

  static std::vector<int> chain(int links) {
    std::vector<int> parents(links);
    for (int i = 0; i < links; ++i) parents[i] = i - 1;
    return parents;
  }

  double mass(int i) const { return 1.7 - 0.06 * (i % 7); }
  double length(int i) const { return 0.31 + 0.05 * (i % 3); }

  Sizes sizes() const override {
    return {.positions = 2 * count_, .differential = count_, .algebraic = count_, .index = 3};
  }

  /// Children after their parents in the list, so from the last to the first.
  Structure structure() const override {
    Structure s;
    if (uses_ == Uses::everything) return s;
    for (int i = count_ - 1; i >= 0; --i) {
      s.blocks.push_back({2 * i, 2 * i + 1, 2 * count_ + i, 3 * count_ + i});
      if (parents_[i] >= 0) s.coupled.emplace_back(count_ - 1 - i, count_ - 1 - parents_[i]);
    }
    return s;
  }

  void residual(const Point& p, double* r) const override {
    for (int i = 0; i < count_; ++i) {
      r[2 * i] = mass(i) * p.a[2 * i];
      r[2 * i + 1] = mass(i) * (p.a[2 * i + 1] + gravity);
      const double s = p.z[i], y = p.q[2 * i + 1];
      r[2 * count_ + i] = p.zdot[i] + rate * (s - y);
    }
    for (int i = 0; i < count_; ++i) {
      const int up = parents_[i];
      const double lambda = p.z[count_ + i];
      double square = 0;
      for (int c = 0; c < 2; ++c) {
        const double d = p.q[2 * i + c] - (up >= 0 ? p.q[2 * up + c] : 0);
        const double force = d * lambda + damping * (p.v[2 * i + c] - (up >= 0 ? p.v[2 * up + c] : 0));
        square += d * d;
        r[2 * i + c] += force;
        if (up >= 0) r[2 * up + c] -= force;
      }
      r[3 * count_ + i] = 0.5 * (square - length(i) * length(i));
    }
  }

  void jacobian(const Point& p, const Jacobian& j) const override {
    const int n = 4 * count_;
    for (double* const matrix : {j.of_position, j.of_velocity, j.of_acceleration})
      clear_coupled(structure_, n, matrix);
    for (int i = 0; i < count_; ++i) {
      const int up = parents_[i], filter = 2 * count_ + i, link = 3 * count_ + i;
      const double lambda = p.z[count_ + i];
      j.of_velocity[filter * n + filter] = 1;
      j.of_position[filter * n + filter] = rate;
      j.of_position[filter * n + 2 * i + 1] = -rate;
      for (int c = 0; c < 2; ++c) {
        const int own = 2 * i + c, other = 2 * up + c;
        j.of_acceleration[own * n + own] = mass(i);
        const double d = p.q[own] - (up >= 0 ? p.q[other] : 0);
        const auto pair = [&](double* matrix, double value) {
          matrix[own * n + own] += value;
          if (up < 0) return;
          matrix[other * n + other] += value;
          matrix[own * n + other] -= value;
          matrix[other * n + own] -= value;
        };
        pair(j.of_position, lambda);
        pair(j.of_velocity, damping);
        j.of_position[own * n + link] = j.of_position[link * n + own] = d;
        if (up >= 0) j.of_position[other * n + link] = j.of_position[link * n + other] = -d;
      }
    }
  }

  /// Hanging straight down and turning about the origin at the given rate, with the accelerations and
  /// multipliers that belong to it: every rod carries the weight and pulls the mass of what hangs below it.
  Solution hanging(double rate_of_turn = 0) const {
    Solution s;
    s.resize(sizes());
    double *const q = s.x.data(), *const v = q + 2 * count_, *const z = v + 2 * count_;
    double* const a = s.xdot.data() + 2 * count_;
    for (int i = 0; i < count_; ++i) {
      const double y = (parents_[i] >= 0 ? q[2 * parents_[i] + 1] : 0) - length(i);
      q[2 * i + 1] = z[i] = y;
      v[2 * i] = s.xdot[2 * i] = -rate_of_turn * y;
      a[2 * i + 1] = -rate_of_turn * rate_of_turn * y;
    }
    std::vector<double> load(count_, 0.0);
    for (int i = count_ - 1; i >= 0; --i) {
      load[i] += mass(i) * (gravity + a[2 * i + 1]);
      if (parents_[i] >= 0) load[parents_[i]] += load[i];
      z[count_ + i] = load[i] / length(i);
    }
    std::vector<double> r(4 * count_);
    residual(s.point(sizes()), r.data());
    for (int i = 0; i < count_; ++i) a[2 * i] = -r[2 * i] / mass(i);  // dampers
    return s;
  }

 private:
  static constexpr double gravity = 9.81, damping = 0.13, rate = 3.7;
  std::vector<int> parents_;
  int count_;
  Uses uses_;
  Structure structure_ = structure();
};

}  // namespace spondyl::testing
