#pragma once

/// The whiplash for the engines of others: numbers from the file that `whiplash_benchmark --case` writes, the
/// law of a level, the measuring, one line of CSV a setting. Uses nothing of src/.

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "measuring.h"

namespace peers {

/// x forward, z up; angles are forward tilts.
struct Body {
  double mass, inertia, pivot_x, pivot_z, centre_x, centre_z, joint_stiffness, joint_damping, joint_rest,
      start;
};

struct Ligament {
  int level;
  double lower_x, lower_z, upper_x, upper_z, stiffness, damping, rest;
};

struct NeckCase {
  double gravity = 0, pulse_peak = 0, pulse_duration = 0, end = 0;
  std::vector<Body> bodies;
  std::vector<Ligament> ligaments;
  std::vector<double> head_angle;  ///< reference, at equal parts of 0..end

  explicit NeckCase(const std::string& file) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string kind;
      words >> kind;
      if (kind == "gravity") {
        words >> gravity;
      } else if (kind == "pulse") {
        words >> pulse_peak >> pulse_duration;
      } else if (kind == "end") {
        words >> end;
      } else if (kind == "body") {
        Body b;
        words >> b.mass >> b.inertia >> b.pivot_x >> b.pivot_z >> b.centre_x >> b.centre_z >>
            b.joint_stiffness >> b.joint_damping >> b.joint_rest >> b.start;
        bodies.push_back(b);
      } else if (kind == "ligament") {
        Ligament l;
        words >> l.level >> l.lower_x >> l.lower_z >> l.upper_x >> l.upper_z >> l.stiffness >> l.damping >>
            l.rest;
        ligaments.push_back(l);
      } else if (kind == "head_angle") {
        words >> head_angle.emplace_back();
      }
      if (!words) throw std::runtime_error("cannot read in " + file + ": " + line);
    }
    if (bodies.empty() || head_angle.empty()) throw std::runtime_error("no case in " + file);
  }

  int size() const { return static_cast<int>(bodies.size()); }
  int grid() const { return static_cast<int>(head_angle.size()) - 1; }
  double start(int i) const { return bodies[i].start - (i > 0 ? bodies[i - 1].start : 0); }
  double pulse(double t) const {
    const double s = t / pulse_duration;
    return s <= 0 || s >= 1 ? 0 : 2 * pulse_peak * std::min(s, 1 - s);
  }

  /// Moment of joint and ligaments of a level against its angle. The bodies turn about a common pivot, so
  /// that a ligament is a moment too: its tension times dL/dθ.
  double moment(int i, double angle, double rate) const {
    const Body& b = bodies[i];
    const double turn = angle - b.joint_rest, half = std::cos(0.5 * turn);
    double m = b.joint_damping * rate + 0.5 * b.joint_stiffness * std::sin(turn) / (half * half * half);
    const double s = std::sin(angle), c = std::cos(angle);
    for (std::size_t k = 2 * i; k < 2 * i + 2u; ++k) {
      const Ligament& l = ligaments[k];
      const double upper_x = l.upper_x * c + l.upper_z * s, upper_z = l.upper_z * c - l.upper_x * s;
      const double x = upper_x - l.lower_x, z = upper_z - l.lower_z, length = std::sqrt(x * x + z * z);
      const double lever = (x * upper_z - z * upper_x) / length;
      m += (l.stiffness * (length - l.rest) + l.damping * lever * rate) * lever;
    }
    return m;
  }

  double error(const std::vector<double>& angle) const {
    double worst = 0;
    for (std::size_t g = 0; g < head_angle.size(); ++g)
      worst = std::max(worst, std::isfinite(angle[g]) ? std::abs(angle[g] - head_angle[g]) : INFINITY);
    return worst;
  }
};

/// `run` makes the whole run and returns its steps; `angles` makes it once more and returns the head's angles
/// on the grid.
template <class Run, class Angles>
void measure(const NeckCase& c, int rounds, const std::string& engine, const std::string& setting, Run run,
             Angles angles) {
  benchmarks::Best best;
  long steps = 0;
  for (int round = 0; round < rounds; ++round) best.see(benchmarks::time_of([&] { steps = run(); }));
  std::printf("\"%s\",\"%s\",%.4e,%ld,%.3e\n", engine.c_str(), setting.c_str(), best.value(), steps,
              c.error(angles()));
  std::fflush(stdout);
}

}  // namespace peers
