#pragma once

/// The case of the benchmarks: CervicalSpine, data set reconciled, triangular pulse of 8.5 g in 105 ms,
/// 0..0.3 s.

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "data/data_set.h"
#include "models/cervical_spine/model.h"
#include "models/simulation.h"
#include "peer/neck.h"

namespace benchmarks {

using namespace spondyl;

inline constexpr int n = NECK_N, head = n - 1;
inline constexpr double run_end = 0.3, pulse_peak = 8.5 * 9.81, pulse_duration = 0.105;
inline constexpr int grid = 300;  ///< 1 ms

using Vector = std::array<double, n>;

[[noreturn]] inline void fail(const std::string& what) { throw std::runtime_error(what); }

/// The bodies as a peer wants them, from the tables.
inline std::array<neck_body, n> peer_bodies() {
  using data::Quantity;
  const data::DataSet set = data::DataSet::embedded("CervicalSpine", "reconciled");
  const data::Table &body = set.table("bodies"), &level = set.table("levels"), &base = set.table("base");
  const char* const bodies[n] = {"C7", "C6", "C5", "C4", "C3", "C2", "C1", "head"};
  const char* const levels[n] = {"C7T1", "C6C7", "C5C6", "C4C5", "C3C4", "C2C3", "C1C2", "C0C1"};
  const std::string ligaments[2] = {"ISL", "ALL"};
  const auto point = [](const data::Table& table, const char* row, const std::string& name, double* to) {
    to[0] = table.number(row, name + "_x", Quantity::length);
    to[1] = table.number(row, name + "_z", Quantity::length);
  };

  std::array<neck_body, n> b;
  double below = 0;  // tilt of the body below
  for (int i = 0; i < n; ++i) {
    b[i].mass = body.number(bodies[i], "mass", Quantity::mass);
    b[i].inertia = body.number(bodies[i], "inertia", Quantity::inertia);
    point(body, bodies[i], "next_pivot", b[i].pivot);
    point(body, bodies[i], "centre", b[i].centre);
    const double tilt = body.number(bodies[i], "angle", Quantity::angle), angle = tilt - below;
    below = tilt;
    b[i].joint_stiffness = level.number(levels[i], "joint_stiffness", Quantity::rotational_stiffness);
    b[i].joint_damping = level.number(levels[i], "joint_damping", Quantity::rotational_damping);
    b[i].joint_rest = angle * level.number(levels[i], "joint_rest", Quantity::ratio);
    for (int e = 0; e < 2; ++e) {
      double *const l = b[i].anchor_lower[e], *const u = b[i].anchor_upper[e];
      point(body, bodies[i], ligaments[e], u);
      if (i == 0) {
        double centre[2], own[2];
        point(base, "T1", "centre", centre);
        point(base, "T1", ligaments[e], own);
        const double s = std::sin(base.number("T1", "tilt", Quantity::angle)), c = std::sqrt(1 - s * s);
        l[0] = centre[0] + own[0] * c + own[1] * s;
        l[1] = centre[1] - own[0] * s + own[1] * c;
      } else {
        point(body, bodies[i - 1], ligaments[e], l);
        for (int x = 0; x < 2; ++x) l[x] -= b[i - 1].pivot[x];
      }
      const double s = std::sin(angle), c = std::cos(angle);
      const double length = std::hypot(u[0] * c + u[1] * s - l[0], u[1] * c - u[0] * s - l[1]);
      b[i].rest_length[e] = length * level.number(levels[i], "ligament_rest", Quantity::ratio);
      b[i].stiffness[e] = level.number(levels[i], ligaments[e] + "_stiffness", Quantity::stiffness);
      b[i].damping[e] = level.number(levels[i], ligaments[e] + "_damping", Quantity::damping);
    }
  }
  return b;
}

/// The run, initialised. A model is bound to the simulation that built it, which must stay where it is.
struct Whiplash : Simulation {
  explicit Whiplash(double tolerance, bool built_in_pulse = true, int solver = 1)
      : Simulation(cervical_spine_type()) {
    set("solver", solver);
    set("relative_tolerance", tolerance);
    set("absolute_tolerance", tolerance);
    set("pulse_shape", built_in_pulse ? 2 : 1);
    set("pulse_peak", pulse_peak);
    set("pulse_duration", pulse_duration);
    initialise(0);
  }
  Whiplash(const Whiplash&) = delete;
  Whiplash& operator=(const Whiplash&) = delete;
};

inline double pulse(double t) {
  const double s = t / pulse_duration;
  return s <= 0 || s >= 1 ? 0 : 2 * pulse_peak * std::min(s, 1 - s);
}

inline void require_reached(const Report& r) {
  if (r.outcome != Outcome::reached) fail("a run ended at " + std::to_string(r.t) + " s");
}

}  // namespace benchmarks
