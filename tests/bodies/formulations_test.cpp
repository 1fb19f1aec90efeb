/// The same mechanisms in natural coordinates and in Euler parameters, simulated by our solvers.

#include <catch2/catch.hpp>
#include <memory>

#include "bodies/natural_coordinates.h"
#include "bodies/spatial_tree.h"
#include "math/dual.h"
#include "solvers/consistent_start.h"

using namespace spondyl;

namespace {

constexpr int parts = 3;
constexpr double gravity = 9.81;
using Tree = SpatialTree<parts>;
using V = Vec3<double>;

/// The third part hangs on the second, this on the first. Dampers in both joints.
struct Mechanism {
  std::array<Tree::Body, parts> body;
  bool first_held;                    ///< the first part stands still
  bool hinge;                         ///< the last joint turns about hinge_axis alone
  std::array<double, parts> damping;  ///< N m s/rad, by the outer part
  std::array<V, parts> turn, rate;    ///< at the start against the part before, in its axes
  V velocity;                         ///< of the first part
};
/// Of both bodies that the hinge joins, in the axes of each, and two directions square to it.
const V hinge_axis{0, 0.6, 0.8};
const std::array<V, 2> across{{{1, 0, 0}, {0, 0.8, -0.6}}};

/// Hangs on balls from a point that is held: the first part is that point's support.
Mechanism double_pendulum() {
  return {{{{-1, 5, {0.2, 0.3, 0.4}, {}, {}},
            {0, 2.3, {0.031, 0.027, 0.009}, {0.05, -0.02, -0.1}, {0.01, 0.02, 0.17}},
            {1, 1.4, {0.018, 0.021, 0.004}, {-0.01, 0.03, -0.19}, {0.02, -0.01, 0.13}}}},
          true,
          false,
          {0, 0.13, 0.07},
          {{{}, {0.9, -0.4, 0.3}, {-0.5, 1.1, 0.2}}},
          {{{}, {1.5, -0.7, 2.1}, {0.6, 2.4, -1.3}}},
          {}};
}

/// Torso, upper arm on a ball, forearm on a hinge: thrown, turning.
Mechanism one_armed_human() {
  return {{{{-1, 33.9, {1.31, 1.12, 0.42}, {}, {}},
            {0, 2.114, {0.01448, 0.0129, 0.00445}, {0.01, 0.165, 0.21}, {0.003, -0.002, 0.1676}},
            {1, 1.673, {0.02134, 0.02043, 0.00169}, {0.002, 0.004, -0.1228}, {-0.001, 0.005, 0.1722}}}},
          false,
          true,
          {0, 0.76, 0.39},
          {{{0.2, -0.3, 0.4}, {0.3, -1.2, 0.5}, -0.9 * hinge_axis}},
          {{{0.7, -1.1, 1.9}, {2.2, -3.1, 1.4}, 6.5 * hinge_axis}},
          {0.4, -0.8, 2.3}};
}

/// Where the parts are and how they move.
struct Placement {
  std::array<V, parts> centre, velocity, omega;
  std::array<EulerParameters<double>, parts> turn;

  explicit Placement(const Mechanism& m) {
    for (int i = 0; i < parts; ++i) {
      const EulerParameters<double> own = from_rotation_vector(m.turn[i]);
      const Tree::Body& b = m.body[i];
      turn[i] = own, omega[i] = m.rate[i], velocity[i] = m.velocity;
      if (i == 0) continue;
      const int k = i - 1;
      turn[i] = turn[k] * own;
      omega[i] = omega[k] + rotate(turn[k], m.rate[i]);
      const V out = rotate(turn[k], b.joint_in_parent), in = rotate(turn[i], b.joint);
      centre[i] = centre[k] + out - in;
      velocity[i] = velocity[k] + cross(omega[k], out) - cross(omega[i], in);
    }
  }
};

/// A mechanism in one formulation: equations for any scalar in `Form`, derivatives by dual numbers.
template <class Form>
class Formulation : public Dae {
 public:
  Sizes sizes() const override { return n_; }
  void residual(const Point& p, double* r) const override { form().equations(p.q, p.v, p.a, p.z, r); }
  void jacobian(const Point& p, const Jacobian& j) const override {
    const int n = n_.unknowns(), np = n_.positions;
    std::vector<Dual<1>> q(p.q, p.q + np), v(p.v, p.v + np), a(p.a, p.a + np), z(p.z, p.z + n_.algebraic),
        r(n);
    const auto column = [&](Dual<1>& variable, double* matrix, int k) {
      variable.d[0] = 1;
      form().equations(q.data(), v.data(), a.data(), z.data(), r.data());
      variable.d[0] = 0;
      for (int i = 0; i < n; ++i) matrix[i * n + k] = r[i].d[0];
    };
    for (int k = 0; k < np; ++k) {
      column(q[k], j.of_position, k);
      column(v[k], j.of_velocity, k);
      column(a[k], j.of_acceleration, k);
    }
    for (int k = np; k < n; ++k) column(z[k - np], j.of_position, k);
  }

  Solution start(const Placement& placement) const {
    Solution s;
    s.resize(n_);
    form().place(placement, s.x.data(), s.x.data() + n_.positions);
    REQUIRE(ConsistentStart(n_).solve(*this, 0, s.x.data(), s.xdot.data(), s.statistics));
    return s;
  }

 protected:
  Sizes n_;

 private:
  const Form& form() const { return static_cast<const Form&>(*this); }
};

/// Euler parameters; the hinge as a ball with the two equations of Ambrósio's Eq. 1, e·h = 0, on the
/// accelerations.
class InEulerParameters : public Formulation<InEulerParameters> {
 public:
  explicit InEulerParameters(const Mechanism& m) : m_(m), tree_(m.body) {
    n_ = {.positions = Tree::positions, .algebraic = m.hinge ? 2 : 0};
  }

  template <class T>
  void equations(const T* q, const T* v, const T* a, const T* z, T* r) const {
    Tree::Motion<T> motion;
    tree_.move(q, v, motion);
    const auto turned = [&](int i, const V& x) { return motion.rotation[i] * x.template cast<T>(); };
    Tree::Loads<T> loads;
    for (int i = 1; i < parts; ++i) {
      const Vec3<T> moment = -m_.damping[i] * (motion.omega[i] - motion.omega[i - 1]);
      loads.moment[i] += moment;
      loads.moment[i - 1] -= moment;
    }
    const Vec3<T> h = turned(2, hinge_axis);
    if (m_.hinge)
      for (int k = 0; k < 2; ++k) {
        const Vec3<T> moment = z[k] * cross(turned(1, across[k]), h);
        loads.moment[1] -= moment;
        loads.moment[2] += moment;
      }
    Tree::Inertia<T> inertia;
    tree_.residual(q, v, a, motion, {{T(0), T(0), T(gravity)}, {}, {}}, loads, inertia, r);
    if (m_.first_held) std::copy_n(a, Tree::first_parameter(1), r);
    if (!m_.hinge) return;
    const auto swing = [&](int i, const Vec3<T>& x) {
      return cross(inertia.alpha[i], x) + cross(inertia.omega[i], cross(inertia.omega[i], x));
    };
    for (int k = 0; k < 2; ++k) {
      const Vec3<T> e = turned(1, across[k]);
      r[Tree::positions + k] = dot(swing(1, e), h) + dot(e, swing(2, h)) +
                               2.0 * dot(cross(inertia.omega[1], e), cross(inertia.omega[2], h));
    }
  }

  void place(const Placement& p, double* q, double* v) const {
    double unused[Tree::positions];
    q[0] = p.centre[0].x, q[1] = p.centre[0].y, q[2] = p.centre[0].z;
    v[0] = p.velocity[0].x, v[1] = p.velocity[0].y, v[2] = p.velocity[0].z;
    for (int i = 0; i < parts; ++i) Tree::set_parameters(p.turn[i], p.omega[i], {}, i, q, v, unused);
  }
  void project(double* x) const override {
    double unused[Tree::positions] = {};
    Tree::make_unit(x, x + Tree::positions, unused);
  }

  /// Centres of mass, and the tips of the axes of all parts.
  std::vector<V> places(const double* x) const {
    Tree::Motion<double> motion;
    tree_.move(x, x + Tree::positions, motion);
    std::vector<V> all;
    for (int i = 1; i < parts; ++i) {
      all.push_back(motion.position[i]);
      for (const V& axis : {motion.rotation[i].x, motion.rotation[i].y, motion.rotation[i].z})
        all.push_back(motion.position[i] + axis);
    }
    return all;
  }

 private:
  Mechanism m_;
  Tree tree_;
};

/// Natural coordinates; the hinge as a common point and a common vector.
class InNaturalCoordinates : public Formulation<InNaturalCoordinates> {
 public:
  explicit InNaturalCoordinates(const Mechanism& m) : m_(m) {
    const int first = system_.add_point(), second = system_.add_point(), tip = system_.add_point();
    const int h = m.hinge ? system_.add_vector() : -1;
    const auto vector = [&](const V& local) {
      return NaturalBody::Element{system_.add_vector(), false, local};
    };
    const V x{1, 0, 0}, y{0, 1, 0}, end{0.01, 0.02, -0.2};
    const auto axis = [&] { return m.hinge ? NaturalBody::Element{h, false, hinge_axis} : vector(y); };
    const Tree::Body &torso = m.body[0], &upper = m.body[1], &lower = m.body[2];
    if (!m.first_held) {
      const int neck = system_.add_point();
      system_.add_body(NaturalBody(
          {{{neck, true, {0.02, 0.01, 0.3}}, {first, true, upper.joint_in_parent}, vector(x), vector(y)}},
          torso.mass, torso.inertia));
    }
    system_.add_body(
        NaturalBody({{{first, true, upper.joint}, {second, true, lower.joint_in_parent}, axis(), vector(x)}},
                    upper.mass, upper.inertia));
    system_.add_body(NaturalBody({{{second, true, lower.joint}, {tip, true, end}, axis(), vector(x)}},
                                 lower.mass, lower.inertia));
    system_.finish();
    n_ = {.positions = system_.coordinates(), .algebraic = system_.constraints()};
    std::vector<bool> held(system_.elements());
    held[pivot] = m.first_held;
    projection_ = std::make_unique<NaturalProjection>(system_, held, std::vector<bool>(n_.algebraic));
  }

  template <class T>
  void equations(const T* q, const T* v, const T* a, const T* lambda, T* r) const {
    std::vector<T> load(n_.positions);
    for (int i = 1; i < parts; ++i) {
      const NaturalBody &outer = body(i), *const inner = has(i - 1) ? &body(i - 1) : nullptr;
      const auto arms = outer.arms(q);
      Vec3<T> relative = outer.turn_rate(arms, v);
      if (inner) relative -= inner->turn_rate(inner->arms(q), v);
      const Vec3<T> moment = -m_.damping[i] * relative;
      outer.add_torque(arms, moment, load.data());
      if (inner) inner->add_torque(inner->arms(q), -moment, load.data());
    }
    for (const NaturalBody& b : system_.bodies())
      b.add_force(b.centre(), {T(0), T(0), T(-gravity * b.mass())}, load.data());
    for (int k = 0; k < n_.positions; ++k) r[k] = -load[k];
    system_.add_inertia(a, r);
    system_.add_reactions(q, lambda, r);
    system_.accelerations(q, v, a, r + n_.positions);
    if (m_.first_held) std::copy_n(a + 3 * pivot, 3, r + 3 * pivot);
  }

  void place(const Placement& p, double* q, double* v) const {
    for (int i = 0; i < parts; ++i) {
      if (!has(i)) continue;
      for (int e = 0; e < 4; ++e) {
        const V arm = rotate(p.turn[i], body(i).local(e)), spin = cross(p.omega[i], arm);
        const bool point = body(i).is_point(e);
        set(q, body(i).number(e), point ? p.centre[i] + arm : arm);
        set(v, body(i).number(e), point ? p.velocity[i] + spin : spin);
      }
    }
  }
  void project(double* x) const override { projection_->project(x, x + n_.positions); }

  std::vector<V> places(const double* q) const {
    std::vector<V> all;
    for (int i = 1; i < parts; ++i) {
      const V centre = body(i).combine(body(i).centre(), q);
      all.push_back(centre);
      for (const NaturalBody::Weights& axis : body(i).axes())
        all.push_back(centre + body(i).combine(axis, q));
    }
    return all;
  }

 private:
  static constexpr int pivot = 0;
  bool has(int part) const { return part > 0 || !m_.first_held; }
  const NaturalBody& body(int part) const { return system_.bodies()[m_.first_held ? part - 1 : part]; }
  static void set(double* to, int element, const V& x) {
    to[3 * element] = x.x, to[3 * element + 1] = x.y, to[3 * element + 2] = x.z;
  }

  Mechanism m_;
  NaturalSystem system_;
  std::unique_ptr<NaturalProjection> projection_;
};

double distance(const std::vector<V>& a, const std::vector<V>& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, length(a[k] - b[k]));
  return largest;
}

void compare(const Mechanism& m, int coordinates, int constraints) {
  InEulerParameters euler(m);
  InNaturalCoordinates natural(m);
  CHECK(natural.sizes().positions == coordinates);
  CHECK(natural.sizes().algebraic == constraints);
  Solution e = euler.start(Placement(m)), n = natural.start(Placement(m));
  const std::vector<V> start = natural.places(n.x.data());
  CHECK(distance(euler.places(e.x.data()), start) < 1e-14);
  const Tolerance tolerance{1e-10, 1e-10};
  // two solvers: they make no common error
  const auto of_euler = make_mebdf(euler.sizes(), tolerance),
             of_natural = make_radau(natural.sizes(), tolerance);
  of_euler->start(euler, e);
  of_natural->start(natural, n);
  for (const double t : {0.2, 0.5, 0.8}) {
    REQUIRE(of_euler->advance(euler, e, t).outcome == Outcome::reached);
    REQUIRE(of_natural->advance(natural, n, t).outcome == Outcome::reached);
    INFO("t = " << t);
    CHECK(distance(euler.places(e.x.data()), natural.places(n.x.data())) < 1e-8);
    CHECK(distance(natural.places(n.x.data()), start) > 0.2);
  }
}

}  // namespace

TEST_CASE("a double pendulum is the same in natural coordinates and in Euler parameters") {
  compare(double_pendulum(), 3 * 7, 2 * 6);
}

TEST_CASE("a one-armed human is the same in natural coordinates and in Euler parameters") {
  // the length of the common axis is held once
  compare(one_armed_human(), 3 * 9, 3 * 6 - 1);
}
