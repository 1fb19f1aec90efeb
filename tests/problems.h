#pragma once

/// The problems that tests and benchmarks share, and what is known about their solutions.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "problems/andrews.h"
#include "problems/bouncing_balls.h"
#include "problems/car_axis.h"
#include "problems/chemistry.h"
#include "problems/kepler.h"
#include "problems/linear_system.h"
#include "problems/oscillators.h"
#include "problems/pendulum.h"
#include "problems/problem.h"
#include "problems/slider_crank.h"
#include "problems/van_der_pol.h"

namespace spondyl::problems {

/// A problem with its start at t = 0 and its solution at `t_end`.
struct Case {
  std::string name;
  std::string reference;  ///< where `end` is from
  std::function<std::unique_ptr<Dae>()> make;
  std::vector<double> x, xdot;  ///< start; xdot matters for index 2 and 3 only
  double t_end;
  std::vector<double> end;  ///< x at t_end
};

/// Whether error control holds component k of x to the tolerance. Of an index-3 problem it holds positions,
/// of an index-2 problem also velocities: the others carry the error divided by the step (Hairer & Wanner II,
/// VII.7).
bool held_to_tolerance(const Sizes&, int k);

/// Correct digits at the end, the error against |x| + nominal as a solver weighs it ("mescd" of the test set
/// for IVP solvers): the least over the components that are held to the tolerance, or over the others.
double correct_digits(const Case&, const std::vector<double>& x, bool held = true);

/// All problems with one smooth run; that of BouncingBalls has a test of its own.
std::vector<Case> all_cases();

}  // namespace spondyl::problems
