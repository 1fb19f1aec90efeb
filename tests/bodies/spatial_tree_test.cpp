#include "bodies/spatial_tree.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::Random;

namespace {

constexpr int n = 5;
using Tree = SpatialTree<n>;
using V = Vec3<double>;

V random_vector(Random& random, double size) {
  return {random(-size, size), random(-size, size), random(-size, size)};
}

/// Two branches on the second body.
Tree lopsided_tree(Random& random) {
  std::array<Tree::Body, n> bodies;
  const int parents[n] = {-1, 0, 1, 1, 3};
  for (int i = 0; i < n; ++i) {
    bodies[i] = {parents[i],
                 random(0.5, 7),
                 {random(0.02, 0.3), random(0.02, 0.3), random(0.02, 0.3)},
                 random_vector(random, 0.4),
                 i == 0 ? V{} : random_vector(random, 0.4)};
  }
  return Tree(bodies);
}

/// Positions as polynomials of time, Euler parameters not of unit length.
struct Path {
  double c[Tree::positions][4];

  explicit Path(Random& random) {
    for (int k = 0; k < Tree::positions; ++k)
      for (int d = 0; d < 4; ++d) c[k][d] = random(-1, 1) * (d == 0 ? 1 : 2);
    for (int i = 0; i < n; ++i) c[Tree::first_parameter(i)][0] += 2;
  }
  void at(double t, double* q, double* v, double* a) const {
    for (int k = 0; k < Tree::positions; ++k) {
      q[k] = c[k][0] + t * (c[k][1] + t * (c[k][2] + t * c[k][3]));
      v[k] = c[k][1] + t * (2 * c[k][2] + t * 3 * c[k][3]);
      a[k] = 2 * c[k][2] + t * 6 * c[k][3];
    }
  }
};

struct State {
  double q[Tree::positions], v[Tree::positions], a[Tree::positions];
  Tree::Motion<double> motion;
};

State state(const Tree& tree, const Path& path, double t) {
  State s;
  path.at(t, s.q, s.v, s.a);
  tree.move(s.q, s.v, s.motion);
  return s;
}

/// Linear momentum and angular momentum about a fixed point, of the bodies that `root` carries.
struct Momentum {
  V linear, angular;
};
Momentum momentum(const Tree& tree, const State& s, int root, const V& about) {
  Momentum sum;
  for (int i = 0; i < n; ++i) {
    if (!tree.carries(root, i)) continue;
    const auto& m = s.motion;
    const V w = transposed_times(m.rotation[i], m.omega[i]);
    const V& I = tree.body(i).inertia;
    const V p = tree.body(i).mass * m.velocity[i];
    sum.linear += p;
    sum.angular += cross(m.position[i] - about, p) + m.rotation[i] * V{I.x * w.x, I.y * w.y, I.z * w.z};
  }
  return sum;
}

V derivative_of(const std::function<V(double)>& f, double t) {
  const double h = 1e-3;
  return (1 / (12 * h)) * (8.0 * (f(t + h) - f(t - h)) - (f(t + 2 * h) - f(t - 2 * h)));
}

double distance(const V& a, const V& b) { return length(a - b); }

/// A number that counts what is done with it.
struct Counted {
  double v = 0;
  static inline long operations = 0;
  Counted() = default;
  Counted(double x) : v(x) {}
  static Counted counted(double x) { return ++operations, Counted(x); }
  friend Counted operator+(const Counted& a, const Counted& b) { return counted(a.v + b.v); }
  friend Counted operator-(const Counted& a, const Counted& b) { return counted(a.v - b.v); }
  friend Counted operator*(const Counted& a, const Counted& b) { return counted(a.v * b.v); }
  friend Counted operator/(const Counted& a, const Counted& b) { return counted(a.v / b.v); }
  friend Counted operator-(const Counted& a) { return counted(-a.v); }
  Counted& operator+=(const Counted& b) { return *this = *this + b; }
  Counted& operator-=(const Counted& b) { return *this = *this - b; }
};

/// Operations of one residual of a chain.
template <int N>
long operations() {
  std::array<typename SpatialTree<N>::Body, N> bodies;
  for (int i = 0; i < N; ++i) bodies[i] = {i - 1, 1.5, {0.1, 0.2, 0.3}, {0, 0, 0.4}, {0, 0, i ? -0.4 : 0}};
  const SpatialTree<N> chain(bodies);
  std::vector<Counted> q(chain.positions, 0.5), v = q, a = q, r = q;
  typename SpatialTree<N>::template Motion<Counted> motion;
  typename SpatialTree<N>::template Inertia<Counted> inertia;
  Counted::operations = 0;
  chain.move(q.data(), v.data(), motion);
  chain.residual(q.data(), v.data(), a.data(), motion, {}, {}, inertia, r.data());
  return Counted::operations;
}

}  // namespace

TEST_CASE("every further body of a chain costs the same operations") {
  const long one = operations<5>() - operations<4>();
  CHECK(one > 100);
  CHECK(operations<9>() - operations<5>() == 4 * one);
  CHECK(operations<33>() - operations<9>() == 24 * one);
}

TEST_CASE("velocities of the tree are the derivatives of its positions, joints stay together") {
  Random random(3);
  const Tree tree = lopsided_tree(random);
  const Path path(random);
  const State s = state(tree, path, 0.2);
  for (int i = 0; i < n; ++i) {
    const V v = derivative_of([&](double t) { return state(tree, path, t).motion.position[i]; }, 0.2);
    CHECK(distance(v, s.motion.velocity[i]) < 1e-8);
    const Mat3<double>& A = s.motion.rotation[i];
    CHECK(length(A.x) == Approx(1).epsilon(1e-14));
    CHECK(distance(cross(A.x, A.y), A.z) < 1e-14);
    // A' = ω × A
    const V dx = derivative_of([&](double t) { return state(tree, path, t).motion.rotation[i].x; }, 0.2);
    CHECK(distance(dx, cross(s.motion.omega[i], A.x)) < 1e-8);
    if (i == 0) continue;
    const int k = tree.parent(i);
    CHECK(distance(s.motion.position[k] + s.motion.rotation[k] * tree.body(i).joint_in_parent,
                   s.motion.position[i] + A * tree.body(i).joint) < 1e-14);
  }
}

TEST_CASE("the moments of a branch sum up to the change of its angular momentum less what acts on it") {
  Random random(5);
  const Tree tree = lopsided_tree(random);
  const Path path(random);
  const double t0 = 0.15;
  const State s = state(tree, path, t0);
  Tree::Loads<double> loads;
  for (int i = 0; i < n; ++i)
    loads.force[i] = random_vector(random, 30), loads.moment[i] = random_vector(random, 9);
  const V up = {0.3, -0.2, 9.81};
  Tree::Inertia<double> inertia;
  double r[Tree::positions];
  tree.residual(s.q, s.v, s.a, s.motion, {up, {}, {}}, loads, inertia, r);

  for (int root = 0; root < n; ++root) {
    const V joint = s.motion.position[root] - s.motion.centre[root];
    V force =
        derivative_of([&](double t) { return momentum(tree, state(tree, path, t), root, joint).linear; }, t0);
    V moment = derivative_of(
        [&](double t) { return momentum(tree, state(tree, path, t), root, joint).angular; }, t0);
    V sum{};
    for (int i = 0; i < n; ++i) {
      if (!tree.carries(root, i)) continue;
      const V f = loads.force[i] - tree.body(i).mass * up;
      force -= f;
      moment -= cross(s.motion.position[i] - joint, f) + loads.moment[i];
      const double* const row = r + Tree::first_parameter(i);
      sum += s.motion.rotation[i] * V{row[0], row[1], row[2]};  // rows are in body axes
    }
    INFO("branch of body " << root);
    CHECK(distance(sum, moment) < 1e-6);
    CHECK(distance(inertia.section[root], force) < 1e-6);
  }
  CHECK(distance(inertia.section[0], {r[0], r[1], r[2]}) == 0);
}

TEST_CASE("the derivatives of the tree are those of its residual") {
  Random random(11);
  const Tree tree = lopsided_tree(random);
  const Path path(random);
  State s = state(tree, path, 0.1);
  Tree::Loads<double> loads;
  for (int i = 0; i < n; ++i)
    loads.force[i] = random_vector(random, 30), loads.moment[i] = random_vector(random, 9);
  const Tree::Frame<double> frame{random_vector(random, 10), random_vector(random, 2),
                                  random_vector(random, 5)};
  Tree::Inertia<double> inertia;
  double r[Tree::positions];
  tree.residual(s.q, s.v, s.a, s.motion, frame, loads, inertia, r);
  constexpr int N = Tree::positions;
  std::vector<double> j(3 * N * N, 0.0);
  Tree::Derivatives derivatives(tree, s.q, s.v, s.a, s.motion, frame, loads, inertia, j.data(),
                                j.data() + N * N, j.data() + 2 * N * N);
  derivatives.turn_into_body_axes(inertia);
  double* const parts[3] = {s.q, s.v, s.a};
  for (int part = 0; part < 3; ++part)
    for (int k = 0; k < N; ++k) {
      const double x = parts[part][k];
      const auto residual = [&](int i) {
        return [&, i](double y) {
          parts[part][k] = y;
          Tree::Motion<double> m;
          tree.move(s.q, s.v, m);
          Tree::Inertia<double> in;
          double out[N];
          tree.residual(s.q, s.v, s.a, m, frame, loads, in, out);
          parts[part][k] = x;
          return out[i];
        };
      };
      for (int i = 0; i < N; ++i) {
        INFO("part " << part << ", row " << i << ", column " << k);
        CHECK(std::abs(j[part * N * N + i * N + k] - testing::derivative(residual(i), x)) < 1e-6);
      }
    }
}

TEST_CASE("making the parameters unit changes neither rotation nor rates") {
  Random random(23);
  const Tree tree = lopsided_tree(random);
  const Path path(random);
  State s = state(tree, path, 0.05);
  Tree::Inertia<double> before, after;
  double r[Tree::positions];
  tree.residual(s.q, s.v, s.a, s.motion, {}, {}, before, r);
  Tree::make_unit(s.q, s.v, s.a);
  Tree::Motion<double> m;
  tree.move(s.q, s.v, m);
  tree.residual(s.q, s.v, s.a, m, {}, {}, after, r);
  for (int i = 0; i < n; ++i) {
    CHECK(distance(m.rotation[i].y, s.motion.rotation[i].y) < 1e-14);
    CHECK(distance(m.omega[i], s.motion.omega[i]) < 1e-13);
    CHECK(distance(before.alpha[i], after.alpha[i]) < 1e-11);
    CHECK(std::abs(r[Tree::first_parameter(i) + 3]) < 1e-12);  // Eq. 3
    const double* const p = s.q + Tree::first_parameter(i);
    CHECK(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] == Approx(1).epsilon(1e-14));
  }
}
