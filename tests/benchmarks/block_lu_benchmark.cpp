/// What the block structure saves: one assembly and factorisation, and one solve, of the real and the complex
/// system that Radau has for a chain of links in redundant coordinates, by blocks and dense.

#include <cstdlib>
#include <string_view>
#include <vector>

#include "measuring.h"
#include "solvers/newton_matrix.h"
#include "solvers/pendulum_tree.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace benchmarks;

namespace {

struct Times {
  double factor, solve;
};

Times measure(const PendulumTree& tree, const Structure& structure, int batches) {
  const Sizes sizes = tree.sizes();
  const int n = sizes.unknowns();
  std::vector<double> of(3 * n * n), b(3 * n);
  const Jacobian j{of.data(), of.data() + n * n, of.data() + 2 * n * n};
  const Solution s = tree.hanging(1.3);
  tree.jacobian(s.point(sizes), j);
  NewtonMatrix<> real(sizes, structure);
  ComplexNewtonMatrix<> complex(sizes, structure);
  const double g = 2.7e-4, re = 1.6e-4, im = 1.8e-4;
  const auto factor = [&](int) {
    real.assemble({{g * g, g, 1}, {g, 1}, {g, 1}}, j);
    complex.assemble({{re * re - im * im, re, 1}, {re, 1}, {re, 1}}, {{2 * re * im, im}, {im}, {im}}, j);
    if (!real.factor() || !complex.factor()) throw std::runtime_error("singular matrix");
  };
  const auto solve = [&](int) {
    std::fill(b.begin(), b.end(), 1.5);
    real.solve(b.data());
    complex.solve(b.data() + n, b.data() + 2 * n);
  };
  const int calls = structure.dense() && n > 100 ? 3 : 100;
  Times t{};
  t.factor = time_per_call(factor, calls, batches);
  t.solve = time_per_call(solve, calls, batches);
  return t;
}

}  // namespace

int main(int count, char** arguments) {
  int rounds = 40;
  for (int i = 1; i + 1 < count; ++i)
    if (std::string_view(arguments[i]) == "--rounds") rounds = std::atoi(arguments[i + 1]);
  std::printf("%s, %s\n", processor().c_str(), compiler().c_str());
  Table table("Real and complex Newton matrix of a chain, 4 unknowns a link, best times in us",
              {"links", "unknowns", "multiplications", "dense factor", "solve", "blocks factor", "solve",
               "factor a link", "solve a link"});
  for (const int links : {2, 5, 10, 20, 40, 80}) {
    const PendulumTree tree(PendulumTree::chain(links), PendulumTree::Uses::structure);
    const int n = tree.sizes().unknowns();
    const Times dense = measure(tree, {}, rounds), blocks = measure(tree, tree.structure(), rounds);
    const auto us = [](double seconds) { return format("%.2f", 1e6 * seconds); };
    table.row({format("%d", links), format("%d", n),
               format("%lld", static_cast<long long>(BlockPattern(tree.structure(), n).multiplications())),
               us(dense.factor), us(dense.solve), us(blocks.factor), us(blocks.solve),
               us(blocks.factor / links), us(blocks.solve / links)});
  }
  table.print();
}
