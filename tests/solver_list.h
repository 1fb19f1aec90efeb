#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "solvers/dae.h"

namespace spondyl::testing {

/// A solver and what it claims.
struct ListedSolver {
  std::string name;
  std::unique_ptr<Solver> (*make)(const Sizes&, const Tolerance&);
  int highest_index;

  bool claims(const Sizes& n) const { return n.algebraic == 0 || n.index <= highest_index; }
};

/// All solvers: tests and benchmarks run over this list.
inline const std::vector<ListedSolver> all_solvers{
    {"radau", &make_radau, 3},
    {"mebdf", [](const Sizes& n, const Tolerance& t) { return make_mebdf(n, t); }, 3},
    {"ida", &make_ida, 2},
};

inline const ListedSolver& solver_named(const std::string& name) {
  for (const ListedSolver& listed : all_solvers)
    if (listed.name == name) return listed;
  throw std::invalid_argument("no solver is called " + name);
}

}  // namespace spondyl::testing
