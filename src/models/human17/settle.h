#pragma once

#include "models/human17/equations.h"

namespace spondyl::human17 {

/// Lets the person down onto the planes: moves and turns it as one rigid piece, in the posture that it has,
/// until its weight, the sled's inertia forces, the loads and the normal forces of the planes balance. The
/// planes do not hold by friction, as in the law at rest. Changes the positions q in place; throws
/// std::runtime_error if nothing carries the person.
void settle(const Data&, const Options&, const Inputs<double>&, const Tree::Frame<double>&, double* q);

}  // namespace spondyl::human17
