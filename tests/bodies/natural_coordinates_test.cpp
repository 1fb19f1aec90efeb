#include "bodies/natural_coordinates.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

namespace {

Vec3<double> random_vector(Random& random, double size) {
  return {random(-size, size), random(-size, size), random(-size, size)};
}

EulerParameters<double> random_turn(Random& random) {
  return from_rotation_vector(random_vector(random, 1.5));
}

/// Two bodies with a hinge between them, on lopsided elements, and a third that hangs on a fifth element of
/// the first.
struct Pair {
  NaturalSystem system;
  int p0, p1, axis, x0, p2, x1, extra, p3, y3, x3;
  Vec3<double> first_hinge{0.11, -0.07, -0.23}, second_hinge{0.05, 0.02, 0.19}, extra_place{-0.1, 0.3, 0.05};
  Pair() {
    p0 = system.add_point(), p1 = system.add_point(), axis = system.add_vector(), x0 = system.add_vector();
    p2 = system.add_point(), x1 = system.add_vector(), extra = system.add_point();
    p3 = system.add_point(), y3 = system.add_vector(), x3 = system.add_vector();
    const NaturalBody first({{{p0, true, {0.02, 0.04, 0.3}},
                              {p1, true, first_hinge},
                              {axis, false, {0, 0.6, 0.8}},
                              {x0, false, {1, 0, 0}}}},
                            2.3, {0.11, 0.13, 0.07});
    const NaturalBody second({{{p1, true, second_hinge},
                               {p2, true, {0.01, 0.06, -0.2}},
                               {axis, false, {0, 0.6, 0.8}},
                               {x1, false, {1, 0, 0}}}},
                             1.7, {0.021, 0.034, 0.019});
    const NaturalBody third({{{extra, true, extra_place},
                              {p3, true, {0.2, 0.1, 0.3}},
                              {y3, false, {0, 1, 0}},
                              {x3, false, {1, 0, 0}}}},
                            0.9, {0.012, 0.014, 0.009});
    system.add_body(first);
    system.add_body(second);
    system.add_body(third);
    system.add_combination(extra, first, first.point(extra_place));
    system.finish();
  }
};

/// A rigid motion of one body, in coordinates and velocities.
struct RigidMotion {
  Vec3<double> centre, velocity, omega;
  EulerParameters<double> turn;
  std::vector<double> q, v;
  RigidMotion(Random& random, const NaturalBody& body, int elements)
      : centre(random_vector(random, 2)),
        velocity(random_vector(random, 3)),
        omega(random_vector(random, 5)),
        turn(random_turn(random)),
        q(3 * elements),
        v(3 * elements) {
    for (int i = 0; i < 4; ++i) {
      const Vec3<double> arm = rotate(turn, body.local(i));
      add_to_element(q.data(), body.number(i), (body.is_point(i) ? centre : Vec3<double>{}) + arm);
      add_to_element(v.data(), body.number(i),
                     (body.is_point(i) ? velocity : Vec3<double>{}) + cross(omega, arm));
    }
  }
};

double distance(const Vec3<double>& a, const Vec3<double>& b) { return length(a - b); }

}  // namespace

TEST_CASE("places, axes and angular velocity of a body follow from its elements") {
  Random random(31);
  const Pair pair;
  for (const NaturalBody& body : pair.system.bodies()) {
    const RigidMotion m(random, body, pair.system.elements());
    const Vec3<double> local = random_vector(random, 0.4), arm = rotate(m.turn, local);
    CHECK(distance(body.combine(body.point(local), m.q.data()), m.centre + arm) < 1e-14);
    CHECK(distance(body.combine(body.point(local), m.v.data()), m.velocity + cross(m.omega, arm)) < 1e-13);
    CHECK(distance(body.combine(body.direction(local), m.q.data()), arm) < 1e-14);
    CHECK(distance(body.combine(body.centre(), m.q.data()), m.centre) < 1e-14);
    CHECK(distance(body.turn_rate(body.arms(m.q.data()), m.v.data()), m.omega) < 1e-13);
  }
}

TEST_CASE(
    "the constant mass matrix gives the kinetic energy, momentum and angular momentum of a rigid body") {
  Random random(32);
  const Pair pair;
  for (const NaturalBody& body : pair.system.bodies())
    for (int trial = 0; trial < 20; ++trial) {
      const RigidMotion m(random, body, pair.system.elements());
      double twice = 0;
      Vec3<double> momentum{}, turning{};
      for (int i = 0; i < 4; ++i) {
        Vec3<double> share{};
        for (int j = 0; j < 4; ++j) share += body.mass(i, j) * element(m.v.data(), body.number(j));
        twice += dot(share, element(m.v.data(), body.number(i)));
        if (body.is_point(i)) momentum += share;
        turning += cross(element(m.q.data(), body.number(i)), share);
      }
      const Vec3<double> w = rotate_back(m.turn, m.omega), I = body.inertia();
      const Vec3<double> spin = rotate(m.turn, Vec3<double>{I.x * w.x, I.y * w.y, I.z * w.z});
      CHECK(twice == Approx(body.mass() * dot(m.velocity, m.velocity) + dot(spin, m.omega)).epsilon(1e-12));
      CHECK(distance(momentum, body.mass() * m.velocity) < 1e-12);
      CHECK(distance(turning, spin + body.mass() * cross(m.centre, m.velocity)) < 1e-12);
    }
}

TEST_CASE("forces and torques on a body do the work that they should") {
  Random random(33);
  const Pair pair;
  for (const NaturalBody& body : pair.system.bodies()) {
    const RigidMotion m(random, body, pair.system.elements());
    const Vec3<double> local = random_vector(random, 0.4), force = random_vector(random, 50),
                       torque = random_vector(random, 20);
    std::vector<double> g(m.q.size());
    body.add_force(body.point(local), force, g.data());
    body.add_torque(body.arms(m.q.data()), torque, g.data());
    double power = 0;
    for (std::size_t i = 0; i < g.size(); ++i) power += g[i] * m.v[i];
    const Vec3<double> speed = m.velocity + cross(m.omega, rotate(m.turn, local));
    CHECK(power == Approx(dot(force, speed) + dot(torque, m.omega)).epsilon(1e-12));
  }
}

TEST_CASE(
    "a hinge is a common point and a common vector, a ball joint a common point: the counts of equations") {
  const Pair pair;
  // 6 products a body, the length of the common vector once, three equations for the fifth element
  CHECK(pair.system.constraints() == 6 + 5 + 6 + 3);
  CHECK(pair.system.coordinates() - pair.system.constraints() == 6 + 1 + 3);
}

TEST_CASE("the derivatives of the constraints are those of their values") {
  Random random(34);
  const Pair pair;
  const NaturalSystem& s = pair.system;
  const int n = s.coordinates(), m = s.constraints();
  std::vector<double> q(n), v(n), a(n), lambda(m);
  for (auto* x : {&q, &v, &a})
    for (double& value : *x) value = random(-2, 2);
  for (double& l : lambda) l = random(-3, 3);
  Eigen::MatrixXd gradient = Eigen::MatrixXd::Zero(m, n), of_v = gradient, of_a = gradient;
  s.derivative(q.data(), true, [&](int r, int c, double x) { gradient(r, c) += x; });
  s.derivative(v.data(), false, [&](int r, int c, double x) { of_v(r, c) += x; });
  s.derivative(a.data(), false, [&](int r, int c, double x) { of_a(r, c) += x; });
  Eigen::MatrixXd of_reaction = Eigen::MatrixXd::Zero(n, n);
  s.reaction_derivative(lambda.data(), [&](int r, int c, double x) {
    for (int axis = 0; axis < 3; ++axis) of_reaction(3 * r + axis, 3 * c + axis) += x;
  });
  const auto vary = [&](std::vector<double>& x, int k, auto f) {
    const double kept = x[k];
    const double d = derivative(
        [&](double change) {
          x[k] = kept + change;
          return f();
        },
        0, 1e-2);
    x[k] = kept;
    return d;
  };
  std::vector<double> c(m), r(n);
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < m; ++i) {
      const auto value = [&] { return s.positions(q.data(), c.data()), c[i]; };
      const auto rate = [&] { return s.velocities(q.data(), v.data(), c.data()), c[i]; };
      const auto second = [&] { return s.accelerations(q.data(), v.data(), a.data(), c.data()), c[i]; };
      CHECK(vary(q, k, value) == Approx(gradient(i, k)).margin(1e-9));
      CHECK(vary(v, k, rate) == Approx(gradient(i, k)).margin(1e-9));
      CHECK(vary(q, k, rate) == Approx(of_v(i, k)).margin(1e-9));
      CHECK(vary(a, k, second) == Approx(gradient(i, k)).margin(1e-9));
      CHECK(vary(v, k, second) == Approx(2 * of_v(i, k)).margin(1e-9));
      CHECK(vary(q, k, second) == Approx(of_a(i, k)).margin(1e-9));
    }
    for (int i = 0; i < n; ++i) {
      const auto reaction = [&] {
        std::fill(r.begin(), r.end(), 0.0);
        s.add_reactions(q.data(), lambda.data(), r.data());
        return r[i];
      };
      CHECK(vary(q, k, reaction) == Approx(of_reaction(i, k)).margin(1e-9));
    }
  }
  // and the reactions are the transpose of Φ_q
  std::fill(r.begin(), r.end(), 0.0);
  s.add_reactions(q.data(), lambda.data(), r.data());
  const Eigen::VectorXd expected = gradient.transpose() * Eigen::Map<Eigen::VectorXd>(lambda.data(), m);
  for (int i = 0; i < n; ++i) CHECK(r[i] == Approx(expected[i]).margin(1e-12));
}

TEST_CASE("the projection finds the constraints by the smallest change in kinetic energy") {
  Random random(35);
  const Pair pair;
  const NaturalSystem& s = pair.system;
  const int m = s.constraints();
  // all bodies in one pose, as if they were one
  const NaturalBody &first = s.bodies()[0], &second = s.bodies()[1];
  RigidMotion motion(random, first, s.elements());
  std::vector<double> q = motion.q, v = motion.v;
  const auto put = [&](int i, const Vec3<double>& local, bool point) {
    const Vec3<double> arm = rotate(motion.turn, local);
    for (int axis = 0; axis < 3; ++axis) q[3 * i + axis] = v[3 * i + axis] = 0;
    add_to_element(q.data(), i, (point ? motion.centre : Vec3<double>{}) + arm);
    add_to_element(v.data(), i, (point ? motion.velocity : Vec3<double>{}) + cross(motion.omega, arm));
  };
  const Vec3<double> offset = pair.first_hinge - pair.second_hinge;
  put(pair.p2, second.local(1) + offset, true);
  put(pair.x1, {1, 0, 0}, false);
  const NaturalBody& third = s.bodies()[2];
  for (int i = 0; i < 4; ++i) put(third.number(i), third.local(i), third.is_point(i));
  std::vector<double> c(m);
  s.positions(q.data(), c.data());
  for (const double x : c) CHECK(std::abs(x) < 1e-14);
  s.velocities(q.data(), v.data(), c.data());
  for (const double x : c) CHECK(std::abs(x) < 1e-13);

  NaturalProjection projection(s, std::vector<bool>(s.elements()), std::vector<bool>(m));
  std::vector<double> moved_q = q, moved_v = v;
  for (double& x : moved_q) x += random(-1e-4, 1e-4);
  for (double& x : moved_v) x += random(-1e-3, 1e-3);
  const std::vector<double> before_q = moved_q, before_v = moved_v;
  projection.project(moved_q.data(), moved_v.data());
  s.positions(moved_q.data(), c.data());
  for (const double x : c) CHECK(std::abs(x) < 1e-13);
  s.velocities(moved_q.data(), moved_v.data(), c.data());
  for (const double x : c) CHECK(std::abs(x) < 1e-12);
  // linear momentum stays: M Δv adds up to nothing over the points
  Vec3<double> impulse{};
  for (const NaturalSystem::MassEntry& e : s.mass_entries())
    if (s.is_point(e.row))
      impulse += e.mass * (element(moved_v.data(), e.column) - element(before_v.data(), e.column));
  CHECK(length(impulse) < 1e-12);
  // M Δv = Φ_qᵀ μ: orthogonal to every velocity that the constraints allow, such as a rigid rotation
  const Vec3<double> spin{0.3, -0.8, 0.5};
  double work = 0;
  for (const NaturalSystem::MassEntry& e : s.mass_entries())
    work += e.mass * dot(cross(spin, element(moved_q.data(), e.row)),
                         element(moved_v.data(), e.column) - element(before_v.data(), e.column));
  CHECK(std::abs(work) < 1e-11);
  // on the constraints nothing changes
  const std::vector<double> there = moved_q;
  projection.project(moved_q.data(), moved_v.data());
  CHECK(moved_q == there);
}

TEST_CASE("elements that do not span a body are refused") {
  CHECK_THROWS_AS(
      NaturalBody(
          {{{0, true, {0, 0, 0.1}}, {1, true, {0, 0, -0.1}}, {2, false, {0, 0, 1}}, {3, false, {1, 0, 0}}}},
          1.5, {0.1, 0.1, 0.1}),
      std::logic_error);
}
