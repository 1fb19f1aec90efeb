#include "bodies/planar_chain.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "math/random.h"

using namespace spondyl;
using spondyl::testing::derivative;
using spondyl::testing::Random;

namespace {

constexpr int n = 5;
using Chain = PlanarChain<n>;

struct Motion {
  double q[n], v[n], a[n];
};

Chain lopsided_chain(Random& random) {
  std::array<Chain::Body, n> bodies;
  for (Chain::Body& b : bodies)
    b = {random(0.2, 5),
         random(0.01, 0.4),
         {random(-0.2, 0.3), random(0.1, 0.5)},
         {random(-0.3, 0.2), random(-0.1, 0.4)}};
  return Chain(bodies);
}

Motion random_motion(Random& random) {
  Motion m;
  for (int i = 0; i < n; ++i) m.q[i] = random(-2, 2), m.v[i] = random(-4, 4), m.a[i] = random(-30, 30);
  return m;
}

Chain::Loads<double> random_loads(Random& random) {
  Chain::Loads<double> loads;
  for (int i = 0; i < n; ++i)
    loads.force[i] = {random(-40, 40), random(-40, 40)}, loads.moment[i] = random(-9, 9);
  return loads;
}

// The left side of Eq. 43 less gravity and loads, with the matrices a_ij and a'_ij of Eq. 44 written out.
// The frame's acceleration holds gravity: G = (x'', z'' + g).
std::array<double, n> residual_of_the_paper(const Chain& chain, const Motion& m, const Vec2<double>& G,
                                            const Chain::Loads<double>& loads) {
  const auto A = [](const Vec2<double>& p, const Vec2<double>& r) { return p.x * r.x + p.z * r.z; };
  const auto B = [](const Vec2<double>& p, const Vec2<double>& r) { return p.x * r.z - p.z * r.x; };
  const auto d = [&](int i) { return chain.body(i).next_pivot; };
  const auto S = [&](int i) { return chain.body(i).centre; };
  double above[n];
  for (int i = 0; i < n; ++i) {
    above[i] = 0;
    for (int j = i + 1; j < n; ++j) above[i] += chain.body(j).mass;
  }
  const auto a = [&](int i, int j, double qi, double qj) {
    if (i == j) return above[i] * A(d(i), d(i)) + chain.body(i).mass * A(S(i), S(i)) + chain.body(i).inertia;
    const int upper = std::max(i, j), lower = std::min(i, j);
    const double theta = i > j ? qi - qj : qj - qi, c = std::cos(theta), s = std::sin(theta);
    return above[upper] * (A(d(upper), d(lower)) * c - B(d(upper), d(lower)) * s) +
           chain.body(upper).mass * (A(S(upper), d(lower)) * c - B(S(upper), d(lower)) * s);
  };
  std::array<double, n> r;
  for (int i = 0; i < n; ++i) {
    const double m_i = chain.body(i).mass;
    const auto psi = [&](const Vec2<double>& p) { return p.x * std::cos(m.q[i]) + p.z * std::sin(m.q[i]); };
    const auto slope = [&](const Vec2<double>& p) { return p.z * std::cos(m.q[i]) - p.x * std::sin(m.q[i]); };
    r[i] = m_i * (G.x * slope(S(i)) - G.z * psi(S(i))) + above[i] * (G.x * slope(d(i)) - G.z * psi(d(i)));
    for (int j = 0; j < n; ++j) {
      r[i] += a(i, j, m.q[i], m.q[j]) * m.a[j];
      if (j != i)
        r[i] += derivative([&](double qj) { return a(i, j, m.q[i], qj); }, m.q[j]) * m.v[j] * m.v[j];
    }
    // loads by virtual work: a force on body j moves with every body below it
    r[i] -= loads.moment[i] + loads.force[i].x * slope(S(i)) - loads.force[i].z * psi(S(i));
    for (int j = i + 1; j < n; ++j) r[i] -= loads.force[j].x * slope(d(i)) - loads.force[j].z * psi(d(i));
  }
  return r;
}

// Centres of mass by Eq. 23-25 alone.
Vec2<double> centre(const Chain& chain, const double* q, int i) {
  Vec2<double> p{};
  for (int j = 0; j <= i; ++j) {
    const Vec2<double>& b = j < i ? chain.body(j).next_pivot : chain.body(i).centre;
    p += {b.z * std::sin(q[j]) + b.x * std::cos(q[j]), b.z * std::cos(q[j]) - b.x * std::sin(q[j])};
  }
  return p;
}

// kinetic energy from the differences of positions along q + v t
double kinetic_energy(const Chain& chain, const double* q, const double* v) {
  double energy = 0;
  for (int i = 0; i < n; ++i) {
    const auto at = [&](double t) {
      double moved[n];
      for (int j = 0; j < n; ++j) moved[j] = q[j] + t * v[j];
      return centre(chain, moved, i);
    };
    const double x = derivative([&](double t) { return at(t).x; }, 0, 3e-4);
    const double z = derivative([&](double t) { return at(t).z; }, 0, 3e-4);
    energy += 0.5 * (chain.body(i).mass * (x * x + z * z) + chain.body(i).inertia * v[i] * v[i]);
  }
  return energy;
}

std::array<double, n> residual(const Chain& chain, const Motion& m, const Vec2<double>& base,
                               const Chain::Loads<double>& loads) {
  std::array<double, n> r;
  chain.residual(chain.pose(m.q), m.v, m.a, base, loads, r.data());
  return r;
}

}  // namespace

TEST_CASE("the chain's residual is Eq. 43 with its matrices multiplied out") {
  Random random(51);
  for (int i = 0; i < 30; ++i) {
    const Chain chain = lopsided_chain(random);
    const Motion m = random_motion(random);
    const Vec2<double> base{random(-90, 90), random(-90, 90)};
    const auto loads = random_loads(random);
    const auto found = residual(chain, m, base, loads),
               expected = residual_of_the_paper(chain, m, base, loads);
    for (int k = 0; k < n; ++k) CHECK(found[k] == Approx(expected[k]).margin(1e-7));
  }
}

TEST_CASE("the power of the chain's residual is the rate of its kinetic energy less the power put in") {
  // Σ R_i φ'_i = dT/dt + Σ m_i (base·v_i) - Σ (f_i·v_i + moment_i φ'_i), with T and v from positions alone
  Random random(52);
  for (int i = 0; i < 20; ++i) {
    const Chain chain = lopsided_chain(random);
    const Motion m = random_motion(random);
    const Vec2<double> base{random(-90, 90), random(-90, 90)};
    const auto loads = random_loads(random);
    const auto r = residual(chain, m, base, loads);
    double power = 0;
    for (int k = 0; k < n; ++k) power += r[k] * m.v[k];
    const auto energy_at = [&](double t) {
      double q[n], v[n];
      for (int k = 0; k < n; ++k) {
        q[k] = m.q[k] + t * m.v[k] + 0.5 * t * t * m.a[k];
        v[k] = m.v[k] + t * m.a[k];
      }
      return kinetic_energy(chain, q, v);
    };
    double expected = derivative(energy_at, 0, 3e-4);
    for (int k = 0; k < n; ++k) {
      const auto at = [&](double t) {
        double q[n];
        for (int j = 0; j < n; ++j) q[j] = m.q[j] + t * m.v[j];
        return centre(chain, q, k);
      };
      const Vec2<double> velocity{derivative([&](double t) { return at(t).x; }, 0),
                                  derivative([&](double t) { return at(t).z; }, 0)};
      expected += dot(chain.body(k).mass * base - loads.force[k], velocity) - loads.moment[k] * m.v[k];
    }
    CHECK(power == Approx(expected).epsilon(1e-6).margin(1e-3));
  }
}

TEST_CASE("the force through the lowest level is the rate of the chain's momentum less the loads") {
  Random random(53);
  for (int i = 0; i < 20; ++i) {
    const Chain chain = lopsided_chain(random);
    const Motion m = random_motion(random);
    const Vec2<double> base{random(-90, 90), random(-90, 90)};
    const auto loads = random_loads(random);
    std::array<double, n> r;
    const auto inertia = chain.residual(chain.pose(m.q), m.v, m.a, base, loads, r.data());
    // second derivative of the positions along the motion, by differences of the path
    for (int level = 0; level < n; ++level) {
      Vec2<double> force{};
      for (int k = level; k < n; ++k) {
        const auto at = [&](double t) {
          double q[n];
          for (int j = 0; j < n; ++j) q[j] = m.q[j] + t * m.v[j] + 0.5 * t * t * m.a[j];
          return centre(chain, q, k);
        };
        const auto second = [&](double Vec2<double>::*part) {
          return derivative(
              [&](double t) { return derivative([&](double s) { return at(s).*part; }, t, 1e-3); }, 0, 1e-3);
        };
        const Vec2<double> acceleration{second(&Vec2<double>::x), second(&Vec2<double>::z)};
        CHECK(inertia.acceleration[k].x == Approx(acceleration.x).margin(1e-5));
        CHECK(inertia.acceleration[k].z == Approx(acceleration.z).margin(1e-5));
        force += chain.body(k).mass * (base + acceleration) - loads.force[k];
      }
      CHECK(inertia.section[level].x == Approx(force.x).margin(1e-4));
      CHECK(inertia.section[level].z == Approx(force.z).margin(1e-4));
    }
  }
}

TEST_CASE("the chain's Jacobians agree with differences of its residual") {
  Random random(54);
  for (int i = 0; i < 10; ++i) {
    const Chain chain = lopsided_chain(random);
    const Motion m = random_motion(random);
    const Vec2<double> base{random(-90, 90), random(-90, 90)};
    const auto loads = random_loads(random);
    std::array<double, n * n> of_q, of_v, of_a;
    of_q.fill(1e9), of_v.fill(1e9), of_a.fill(1e9);  // must be overwritten
    double r[n];
    const auto pose = chain.pose(m.q);
    chain.jacobian(pose, m.v, m.a, chain.residual(pose, m.v, m.a, base, loads, r), of_q.data(), of_v.data(),
                   of_a.data());
    for (int row = 0; row < n; ++row)
      for (int k = 0; k < n; ++k) {
        const auto by = [&](double(Motion::*part)[n]) {
          return derivative(
              [&](double x) {
                Motion moved = m;
                (moved.*part)[k] = x;
                return residual(chain, moved, base, loads)[row];
              },
              (m.*part)[k]);
        };
        INFO("row " << row << ", column " << k);
        CHECK(of_q[row * n + k] == Approx(by(&Motion::q)).margin(1e-7));
        CHECK(of_v[row * n + k] == Approx(by(&Motion::v)).margin(1e-7));
        CHECK(of_a[row * n + k] == Approx(by(&Motion::a)).margin(1e-7));
      }
  }
}

TEST_CASE("the relative tilt is the difference of neighbours' tilts") {
  Random random(55);
  const Chain chain = lopsided_chain(random);
  const Motion m = random_motion(random);
  const auto pose = chain.pose(m.q);
  for (int i = 0; i < n; ++i) {
    const double theta = m.q[i] - (i > 0 ? m.q[i - 1] : 0);
    CHECK(Chain::relative_tilt(pose, i).sin == Approx(std::sin(theta)).margin(1e-14));
    CHECK(Chain::relative_tilt(pose, i).cos == Approx(std::cos(theta)).margin(1e-14));
  }
}

TEST_CASE("the Jacobian of a force on the last body agrees with differences") {
  // a law that depends on position, velocity and spin of its point, made of nothing physical
  struct Law {
    double c[3][6];
    void operator()(const Vec2<double>& p, const Vec2<double>& v, double omega, double* f) const {
      for (int k = 0; k < 3; ++k)
        f[k] = c[k][0] + c[k][1] * p.x * p.z + c[k][2] * p.z * p.z + c[k][3] * v.x * p.x +
               c[k][4] * v.z * v.z + c[k][5] * omega * v.x;
    }
  };
  Random random(56);
  for (int i = 0; i < 10; ++i) {
    const Chain chain = lopsided_chain(random);
    const Motion m = random_motion(random);
    const Vec2<double> local{random(-0.3, 0.3), random(0.1, 0.4)};
    Law law;
    for (auto& row : law.c)
      for (double& x : row) x = random(-6, 6);

    // virtual work of the force, from positions alone: R_k = -(F·∂p/∂φ_k) - (moment, k the last)
    const auto point = [&](const double* q) {
      double position[2] = {};
      for (int j = 0; j < n; ++j) {
        const Vec2<double>& b = j + 1 < n ? chain.body(j).next_pivot : local;
        position[0] += b.z * std::sin(q[j]) + b.x * std::cos(q[j]);
        position[1] += b.z * std::cos(q[j]) - b.x * std::sin(q[j]);
      }
      return Vec2<double>{position[0], position[1]};
    };
    const auto work = [&](const Motion& at, int row) {
      Vec2<double> velocity{}, by_row{};
      for (int j = 0; j < n; ++j) {
        const Vec2<double>& b = j + 1 < n ? chain.body(j).next_pivot : local;
        const Vec2<double> turn{b.z * std::cos(at.q[j]) - b.x * std::sin(at.q[j]),
                                -b.z * std::sin(at.q[j]) - b.x * std::cos(at.q[j])};
        velocity += at.v[j] * turn;
        if (j == row) by_row = turn;
      }
      double f[3];
      law(point(at.q), velocity, at.v[n - 1], f);
      return -(f[0] * by_row.x + f[1] * by_row.z) - (row == n - 1 ? f[2] : 0);
    };

    const auto pose = chain.pose(m.q);
    const Vec2<double> arm = rotate(pose.tilt[n - 1], local);
    const auto motion = chain.motion_on_last(pose, m.v, arm);
    CHECK(motion.position.x == Approx(point(m.q).x));
    CHECK(motion.position.z == Approx(point(m.q).z));
    Chain::PointForce force;
    double f[3];
    law(motion.position, motion.velocity, m.v[n - 1], f);
    force.force = {f[0], f[1]};
    force.moment = f[2];
    for (int k = 0; k < 3; ++k) {
      const auto part = [&](double x, double z, double vx, double vz, double omega) {
        double out[3];
        law({x, z}, {vx, vz}, omega, out);
        return out[k];
      };
      const auto [p, v] = motion;
      const double omega = m.v[n - 1];
      force.of_position[k][0] = derivative([&](double x) { return part(x, p.z, v.x, v.z, omega); }, p.x);
      force.of_position[k][1] = derivative([&](double x) { return part(p.x, x, v.x, v.z, omega); }, p.z);
      force.of_velocity[k][0] = derivative([&](double x) { return part(p.x, p.z, x, v.z, omega); }, v.x);
      force.of_velocity[k][1] = derivative([&](double x) { return part(p.x, p.z, v.x, x, omega); }, v.z);
      force.of_velocity[k][2] = derivative([&](double x) { return part(p.x, p.z, v.x, v.z, x); }, omega);
    }
    std::array<double, n * n> of_q, of_v;
    for (int k = 0; k < n * n; ++k) of_q[k] = 0.1 * k, of_v[k] = -0.2 * k;  // must be added to
    chain.add_jacobian(pose, m.v, arm, force, of_q.data(), of_v.data());
    for (int row = 0; row < n; ++row)
      for (int k = 0; k < n; ++k) {
        const auto by = [&](double(Motion::*part)[n]) {
          return derivative(
              [&](double x) {
                Motion moved = m;
                (moved.*part)[k] = x;
                return work(moved, row);
              },
              (m.*part)[k]);
        };
        INFO("row " << row << ", column " << k);
        CHECK(of_q[row * n + k] - 0.1 * (row * n + k) == Approx(by(&Motion::q)).margin(1e-6));
        CHECK(of_v[row * n + k] + 0.2 * (row * n + k) == Approx(by(&Motion::v)).margin(1e-6));
      }
  }
}
