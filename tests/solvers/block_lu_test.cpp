#include "solvers/block_lu.h"

#include <Eigen/Dense>
#include <algorithm>
#include <catch2/catch.hpp>
#include <complex>

#include "math/random.h"
#include "solvers/newton_matrix.h"
#include "solvers/pendulum_tree.h"

using namespace spondyl;
using namespace spondyl::testing;
using Complex = std::complex<double>;

namespace {

enum class Fronts { single_blocks, several_blocks };

/// Blocks of 1 to 7 unknowns in any order, coupled as a tree or with loops.
Structure random_structure(Random& random, int blocks, int extra_pairs, Fronts fronts, int& unknowns) {
  Structure s;
  if (fronts == Fronts::several_blocks)
    for (int left = blocks; left > 0; left -= s.fronts.back())
      s.fronts.push_back(random.integer(1, std::min(left, 4)));
  s.blocks.resize(blocks);
  unknowns = 0;
  for (auto& block : s.blocks)
    for (int size = random.integer(1, 7); size > 0; --size) block.push_back(unknowns++);
  std::vector<int> renamed(unknowns);
  for (int i = 0; i < unknowns; ++i) {
    renamed[i] = i;
    std::swap(renamed[i], renamed[random.integer(0, i)]);
  }
  for (auto& block : s.blocks)
    for (int& u : block) u = renamed[u];
  for (int k = 0; k + 1 < blocks; ++k) s.coupled.emplace_back(k, random.integer(k + 1, blocks - 1));
  for (int k = 0; k < extra_pairs; ++k)
    s.coupled.emplace_back(random.integer(0, blocks - 1), random.integer(0, blocks - 1));
  return s;
}

template <class F>
void for_coupled(const Structure& s, const F& f) {
  const auto all = [&](int k, int l) {
    for (const int r : s.blocks[k])
      for (const int c : s.blocks[l]) f(r, c, k == l);
  };
  for (int k = 0; k < static_cast<int>(s.blocks.size()); ++k) all(k, k);
  for (const auto& [k, l] : s.coupled)
    if (k != l) all(k, l), all(l, k);
}

template <int Parts>
void load(BlockLu<Parts>& lu, const Eigen::MatrixXcd& matrix) {
  lu.clear();
  for (int r = 0; r < matrix.rows(); ++r)
    for (int c = 0; c < matrix.cols(); ++c) {
      const int place = lu.pattern().place(r, c);
      if (place < 0) {
        REQUIRE(matrix(r, c) == 0.0);
        continue;
      }
      lu.values(0)[place] = matrix(r, c).real();
      if constexpr (Parts == 2) lu.values(1)[place] = matrix(r, c).imag();
    }
}

template <int Parts>
Eigen::VectorXcd solved(BlockLu<Parts>& lu, const Eigen::VectorXcd& b) {
  Eigen::VectorXd re = b.real(), im = b.imag();
  if constexpr (Parts == 1)
    lu.solve({re.data()});
  else
    lu.solve({re.data(), im.data()});
  Eigen::VectorXcd x(b.size());
  for (int i = 0; i < b.size(); ++i) x[i] = Complex(re[i], Parts == 2 ? im[i] : 0);
  return x;
}

template <int Parts>
void check_random(int blocks, int extra_pairs, Fronts fronts, std::uint64_t seed) {
  Random random(seed);
  int n = 0;
  const Structure s = random_structure(random, blocks, extra_pairs, fronts, n);
  const auto number = [&] { return Complex(random(-1, 1), Parts == 2 ? random(-1, 1) : 0); };
  BlockLu<Parts> lu(s, n);
  for (int round = 0; round < 2; ++round) {  // the second must not see the first
    Eigen::MatrixXcd a = Eigen::MatrixXcd::Zero(n, n);
    for_coupled(s, [&](int r, int c, bool own) { a(r, c) = own ? number() : 0.2 * number(); });
    Eigen::VectorXcd b(n);
    for (int i = 0; i < n; ++i) b[i] = number();
    load(lu, a);
    REQUIRE(lu.factor());
    const Eigen::VectorXcd expected = a.partialPivLu().solve(b), x = solved(lu, b);
    const double condition = a.partialPivLu().inverse().norm() * a.norm();
    INFO(blocks << " blocks, " << n << " unknowns, condition " << condition);
    CHECK((x - expected).norm() <= 1e-13 * condition * expected.norm());
    CHECK((a * x - b).norm() <= 1e-12 * a.norm() * x.norm());
  }
}

/// [M Gᵀ; G 0] with M = diag(mass, 0): the mass alone is singular, and so is every order of pivots that
/// begins with the massless unknown.
Eigen::MatrixXcd saddle_points(const Structure& s, int n, double last_row) {
  Random random(5);
  Eigen::MatrixXcd a = Eigen::MatrixXcd::Zero(n, n);
  for_coupled(s, [&](int r, int c, bool own) {
    if (!own) a(r, c) = 0.1 * random(-1, 1);
  });
  for (const auto& block : s.blocks) {
    const int massless = block[0], heavy = block[1], multiplier = block[2];
    a(heavy, heavy) = 2.3;
    a(multiplier, massless) = a(massless, multiplier) = last_row;
    a(multiplier, heavy) = a(heavy, multiplier) = 0.4;
  }
  return a;
}

Structure chain_of(int blocks, int size) {
  Structure s;
  for (int k = 0; k < blocks; ++k) {
    s.blocks.emplace_back();
    for (int i = 0; i < size; ++i) s.blocks.back().push_back(k * size + i);
    if (k > 0) s.coupled.emplace_back(k - 1, k);
  }
  return s;
}

/// The same in the opposite order: a tree with branches then has fill.
Structure from_the_root(Structure s) {
  std::reverse(s.blocks.begin(), s.blocks.end());
  const int last = static_cast<int>(s.blocks.size()) - 1;
  for (auto& [k, l] : s.coupled) k = last - k, l = last - l;
  return s;
}

}  // namespace

TEST_CASE("a factorisation by blocks solves what Eigen's dense one solves") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    for (const Fronts fronts : {Fronts::single_blocks, Fronts::several_blocks})
      for (const auto& [blocks, extra_pairs] : {std::pair{1, 0}, {9, 0}, {11, 8}, {23, 9}}) {
        check_random<1>(blocks, extra_pairs, fronts, seed);
        check_random<2>(blocks, extra_pairs, fronts, seed);
      }
}

TEST_CASE("saddle points inside a block are pivoted") {
  const Structure s = chain_of(5, 3);
  const Eigen::MatrixXcd a = saddle_points(s, 15, 1.7);
  const Eigen::VectorXcd b = Eigen::VectorXcd::LinSpaced(15, -1.3, 2.9);
  BlockLu<1> real(s, 15);
  load(real, a);
  REQUIRE(real.factor());
  CHECK((solved(real, b) - a.partialPivLu().solve(b)).norm() <= 1e-12 * b.norm());
  const Eigen::MatrixXcd turned = a * Complex(0.6, -1.1);
  BlockLu<2> complex(s, 15);
  load(complex, turned);
  REQUIRE(complex.factor());
  CHECK((solved(complex, b) - turned.partialPivLu().solve(b)).norm() <= 1e-12 * b.norm());
}

TEST_CASE("singular and not finite matrices are refused, and the next one is not") {
  Structure s = chain_of(4, 3);
  s.coupled.clear();  // decoupled, so that a singular block makes the matrix singular
  Eigen::MatrixXcd good = saddle_points(s, 12, 1.7), singular = good, not_finite = good;
  singular(4, 4) = singular(4, 5) = singular(5, 4) = 0;  // unknown 4 is in no equation any more
  not_finite(7, 7) = std::nan("");
  BlockLu<1> real(s, 12);
  BlockLu<2> complex(s, 12);
  for (const auto* bad : {&singular, &not_finite}) {
    load(real, *bad);
    CHECK_FALSE(real.factor());
    load(complex, *bad);
    CHECK_FALSE(complex.factor());
    load(real, good);
    CHECK(real.factor());
    load(complex, good);
    CHECK(complex.factor());
  }
}

TEST_CASE("a structure that does not hold every unknown once is refused with a reason") {
  using Catch::Matchers::Contains;
  const auto pattern = [](Structure s) { return BlockPattern(s, 4); };
  CHECK_THROWS_WITH(pattern({{{0, 1}, {3}}, {}}), Contains("unknown 2 is in no block"));
  CHECK_THROWS_WITH(pattern({{{0, 1}, {1, 2, 3}}, {}}), Contains("unknown 1 is in blocks 0 and 1"));
  CHECK_THROWS_WITH(pattern({{{0, 1}, {2, 3, 4}}, {}}), Contains("unknown 4, must be 0 to 3"));
  CHECK_THROWS_WITH(pattern({{{0, 1}, {}, {2, 3}}, {}}), Contains("block 1 is empty"));
  CHECK_THROWS_WITH(pattern({{{0, 1}, {2, 3}}, {{0, 2}}}), Contains("block 2, must be 0 to 1"));
  CHECK_THROWS_WITH(pattern({{{0, 1}, {2, 3}}, {}, {1, 2}}), Contains("have 3 blocks, must be 2"));
  CHECK_THROWS_WITH(pattern({{{0, 1}, {2, 3}}, {}, {2, 0}}), Contains("front 1 is empty"));
}

TEST_CASE("work and storage of a tree eliminated from its leaves grow with the number of bodies") {
  const auto chain = [](int links) { return BlockPattern(chain_of(links, 5), 5 * links); };
  const auto work = [&](int links) { return chain(links).multiplications(); };
  CHECK(chain(50).storage() == 25 * (50 + 2 * 49));
  CHECK(work(160) - work(80) == 2 * (work(80) - work(40)));
  CHECK(work(2000) - work(1960) == work(80) - work(40));

  // a star: its middle last costs no fill, first it couples all with all
  Structure last, first;
  const int arms = 20, size = 3;
  for (int k = 0; k <= arms; ++k) {
    last.blocks.push_back({size * k, size * k + 1, size * k + 2});
    first.blocks.push_back(last.blocks.back());
    if (k < arms) last.coupled.emplace_back(k, arms);
    if (k > 0) first.coupled.emplace_back(0, k);
  }
  const BlockPattern leaves_first(last, size * (arms + 1)), root_first(first, size * (arms + 1));
  CHECK(leaves_first.storage() == 9 * (arms + 1 + 2 * arms));
  CHECK(root_first.storage() == 9 * (arms + 1) * (arms + 1));
  CHECK(root_first.multiplications() > 50 * leaves_first.multiplications());

  // a front that sees one block of two of the next stores and eliminates nothing of the other
  const Structure ends{{{0, 1}, {2, 3, 4}, {5, 6}, {7, 8, 9}}, {{1, 2}}, {2, 2}};
  const BlockPattern seen(ends, 10);
  CHECK(seen.storage() == 2 * 25 + 2 * 5 * 2);
  CHECK(seen.place(3, 6) >= 0);
  CHECK(seen.place(0, 6) >= 0);  // by pivoting in the front
  CHECK(seen.place(3, 8) == -1);

  // one block: elimination of a dense matrix, (n³ - n)/3 multiplications
  Structure one;
  one.blocks.emplace_back();
  for (int i = 0; i < 17; ++i) one.blocks[0].push_back(i);
  CHECK(BlockPattern(one, 17).multiplications() == (17 * 17 * 17 - 17) / 3);
}

TEST_CASE("a matrix by blocks is the dense one, whatever the weights") {
  const PendulumTree tree({-1, 0, 0, 2, 2}, PendulumTree::Uses::structure);
  const Sizes sizes = tree.sizes();
  const int n = sizes.unknowns();
  Random random(3);
  std::vector<double> x(sizes.states()), xdot(sizes.states());
  for (auto* v : {&x, &xdot})
    for (double& value : *v) value = random(-2, 2);
  std::vector<double> of(3 * n * n);
  const Jacobian j{of.data(), of.data() + n * n, of.data() + 2 * n * n};
  tree.jacobian(Point(0.3, sizes, x.data(), xdot.data()), j);

  const ColumnWeights a{{0.31, 0.52, 1}, {0.21, 1.4, 9}, {0.77, 0, 9}};
  const ColumnWeights b{{-0.4, 0.13, 0}, {0.6, 0, 9}, {-0.9, 0.2, 9}};
  Eigen::MatrixXcd expected(n, n);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      const int i = r * n + c;
      const auto sum = [&](const ColumnWeights& w) {
        if (c < sizes.positions)
          return w.positions.position * j.of_position[i] + w.positions.velocity * j.of_velocity[i] +
                 w.positions.acceleration * j.of_acceleration[i];
        const Weights& other = c < sizes.positions + sizes.differential ? w.differential : w.algebraic;
        return other.position * j.of_position[i] + other.velocity * j.of_velocity[i];
      };
      expected(r, c) = Complex(sum(a), sum(b));
    }
  const Eigen::VectorXcd right = Eigen::VectorXcd::LinSpaced(n, Complex(-1, 0.3), Complex(2, 0.7));
  const Eigen::VectorXd x_real = expected.real().partialPivLu().solve(Eigen::VectorXd(right.real()));
  const Eigen::VectorXcd x_complex = expected.partialPivLu().solve(right);
  for (const Structure& structure : {Structure{}, tree.structure(), from_the_root(tree.structure())}) {
    NewtonMatrix<> real(sizes, structure);
    ComplexNewtonMatrix<> complex(sizes, structure);
    for (int round = 0; round < 2; ++round) {
      real.assemble(a, j);
      complex.assemble(a, b, j);
      REQUIRE(real.factor());
      REQUIRE(complex.factor());
      Eigen::VectorXd re = right.real(), alone = re, im = right.imag();
      real.solve(alone.data());
      complex.solve(re.data(), im.data());
      CHECK((alone - x_real).norm() <= 1e-11 * x_real.norm());
      CHECK((re - x_complex.real()).norm() <= 1e-11 * x_complex.norm());
      CHECK((im - x_complex.imag()).norm() <= 1e-11 * x_complex.norm());
    }
    // products
    Eigen::VectorXd result(n), u = right.real(), w = right.imag();
    real.multiply(j, u.data(), 0.37, w.data(), result.data());
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const RowMajor> fv(j.of_velocity, n, n), fa(j.of_acceleration, n, n);
    const int nq = sizes.positions;
    CHECK((result - fa.leftCols(nq) * u.head(nq) - 0.37 * (fv * w)).norm() <= 1e-14 * result.norm());
  }
}

TEST_CASE("a weight of zero leaves its matrix unread, entries that are not coupled are never read") {
  const PendulumTree tree(PendulumTree::chain(4), PendulumTree::Uses::structure);
  const Sizes sizes = tree.sizes();
  const int n = sizes.unknowns();
  std::vector<double> of(3 * n * n, std::nan(""));
  const Jacobian j{of.data(), of.data() + n * n, of.data() + 2 * n * n};
  const Solution s = tree.hanging();
  tree.jacobian(s.point(sizes), j);
  NewtonMatrix<> matrix(sizes, tree.structure());
  matrix.assemble({{0.01, 0.1, 1}, {0.1, 1, 0}, {0.1, 1, 0}}, j);
  REQUIRE(matrix.factor());
  std::vector<double> b(n, 1.5), c(n);
  matrix.solve(b.data());
  matrix.multiply(j, b.data(), 0.1, b.data(), c.data());
  for (int i = 0; i < n; ++i) CHECK(std::isfinite(b[i] + c[i]));
  for (int i = 0; i < n * n; ++i) j.of_velocity[i] = std::nan("");
  matrix.assemble({{0.01, 0, 1}, {0.1, 0, 0}, {0.1, 0, 0}}, j);
  CHECK(matrix.factor());
}

TEST_CASE("pendulums in redundant coordinates move the same by blocks and dense: index 3") {
  const std::vector<int> twigs{-1, 0, 1, 1, 3, 0, 5, -1, 7};
  for (const std::vector<int>& parents : {PendulumTree::chain(7), twigs}) {
    PendulumTree by_blocks(parents, PendulumTree::Uses::structure),
        dense(parents, PendulumTree::Uses::everything);
    const Tolerance tolerance{1e-7, 1e-7};
    const auto first = make_radau(by_blocks.sizes(), tolerance),
               second = make_radau(dense.sizes(), tolerance);
    Solution s = by_blocks.hanging(2.9), d = s;
    first->start(by_blocks, s);
    second->start(dense, d);
    for (const double t : {0.05, 0.3, 0.8}) {
      REQUIRE(first->advance(by_blocks, s, t).outcome == Outcome::reached);
      REQUIRE(second->advance(dense, d, t).outcome == Outcome::reached);
      const int n = by_blocks.sizes().positions;
      for (int i = 0; i < 2 * n; ++i) CHECK(s.x[i] == Approx(d.x[i]).margin(1e-10).epsilon(0));
      CHECK(s.statistics == d.statistics);
    }
    CHECK(std::abs(s.x[0]) > 0.05);  // it did swing
  }
}
