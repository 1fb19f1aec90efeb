#include <Eigen/Dense>
#include <catch2/catch.hpp>

#include "math/random.h"
#include "models/human12/kinematics.h"
#include "models/human12_runs.h"

using namespace spondyl;
using namespace spondyl::testing;
using namespace spondyl::testing::of_human12;

namespace {

human12::Data reconciled(human12::Variant variant = human12::Variant::human) {
  return human12::read(data::DataSet::embedded("Human12", "reconciled"), variant);
}

human12::TreePose random_pose(Random& random, const human12::Data& d) {
  const auto vector = [&](double size) {
    return Vec3<double>{random(-size, size), random(-size, size), random(-size, size)};
  };
  human12::TreePose pose;
  pose.position[0] = vector(2);
  pose.orientation[0] = from_rotation_vector(vector(1.5));
  pose.velocity[0] = vector(3);
  pose.omega[0] = vector(4);
  for (int b = 1; b < human12::bodies; ++b)
    human12::is_hinge(b) ? pose.attach(d, b, {0, random(-2, 2), 0}, {0, random(-5, 5), 0})
                         : pose.attach(d, b, vector(1), vector(5));
  return pose;
}

struct NaturalState {
  std::vector<double> q = std::vector<double>(human12::coordinates), v = q;
  explicit NaturalState(const human12::Data& d, const human12::TreePose& pose) {
    pose.write(d, q.data(), v.data());
  }
};

Eigen::MatrixXd gradient(const human12::Data& d, const double* q) {
  Eigen::MatrixXd g = Eigen::MatrixXd::Zero(human12::constraints, human12::coordinates);
  d.system.derivative(q, true, [&](int r, int c, double x) { g(r, c) += x; });
  return g;
}

/// The largest difference between the model's Jacobian and differences of its residual, against the size of
/// the entries.
void check_jacobian(Body12& body) {
  const Model& model = body.model();
  const Sizes n = model.sizes();
  const int nf = n.unknowns();
  std::vector<double> x = body.state().solution.x, xdot = body.state().solution.xdot;
  std::vector<double> j(3 * nf * nf), high(nf), low(nf);
  model.jacobian(Point(body.time(), n, x.data(), xdot.data()), {&j[0], &j[nf * nf], &j[2 * nf * nf]});
  const auto column = [&](double& variable, double width, const double* matrix, int k, const char* what) {
    const double kept = variable;
    variable = kept + width;
    model.residual(Point(body.time(), n, x.data(), xdot.data()), high.data());
    variable = kept - width;
    model.residual(Point(body.time(), n, x.data(), xdot.data()), low.data());
    variable = kept;
    for (int i = 0; i < nf; ++i) {
      const double difference = (high[i] - low[i]) / (2 * width), exact = matrix[i * nf + k];
      if (std::abs(difference - exact) > 2e-6 * (1000 + std::abs(exact))) {
        INFO(what << " of " << model.unknown_name(k) << " in row " << i);
        CHECK(difference == Approx(exact));
      }
    }
  };
  for (int k = 0; k < n.positions; ++k) {
    column(x[k], 1e-7, &j[0], k, "position");
    column(x[n.positions + k], 1e-6, &j[nf * nf], k, "velocity");
    column(xdot[n.positions + k], 1e-2, &j[2 * nf * nf], k, "acceleration");
  }
  for (int k = n.positions; k < nf; ++k) {
    column(x[n.positions + k], k < n.positions + n.differential ? 1e-7 : 1e-2, &j[0], k, "other");
    column(xdot[n.positions + k], 1e-2, &j[nf * nf], k, "rate of other");
  }
  // residuals in dual numbers are the same
  std::vector<Dual<1>> dx(x.begin(), x.end()), da(xdot.begin(), xdot.end()),
      values(body.state().values.numbers.begin(), body.state().values.numbers.end()), r(nf),
      out(values.size());
  model.evaluate({Dual<1>(body.time()), dx.data(), dx.data() + n.positions, da.data() + n.positions,
                  dx.data() + 2 * n.positions, da.data() + 2 * n.positions,
                  dx.data() + n.states() - n.quadratures, values.data()},
                 r.data(), out.data());
  model.residual(Point(body.time(), n, x.data(), xdot.data()), high.data());
  for (int i = 0; i < nf; ++i) CHECK(r[i].v == Approx(high[i]).margin(1e-8));
}

/// The paper's own way to solve Eq. 5, the augmented Lagrangian of Bayo & Ledesma 1996: a penalty α on
///
///     c = Φ'' + 2 Ω μ Φ' + Ω² Φ
///
/// makes the system positive definite, and the multipliers grow until c is zero, whatever α is:
///
///     (M + α Φ_qᵀ Φ_q) a = g - Φ_qᵀ (λ + α (c - Φ_q a)),   λ ← λ + α c.
class AugmentedLagrangian {
 public:
  AugmentedLagrangian(const Model& model, const human12::Data& d)
      : model_(model), data_(d), n_(model.sizes()) {
    const int np = n_.positions;
    mass_ = 75.0 * Eigen::MatrixXd::Identity(np, np);  // of the impactor, if there is one
    mass_.topLeftCorner(human12::coordinates, human12::coordinates).setZero();
    for (const NaturalSystem::MassEntry& e : d.system.mass_entries())
      for (int axis = 0; axis < 3; ++axis) mass_(3 * e.row + axis, 3 * e.column + axis) = e.mass;
  }

  int iterations = 0;
  Eigen::VectorXd a, lambda;

  /// At the positions, velocities and belts of x.
  void solve(double t, std::vector<double> x) {
    const int np = n_.positions, first_row = np + n_.differential;
    const double *const q = x.data(), *const v = q + np;
    // the model's residual without accelerations and reactions holds -g and what Φ'' has beside Φ_q a
    std::vector<double> rates(x.size(), 0.0), r(n_.unknowns());
    std::fill_n(x.begin() + 2 * np + n_.differential, human12::constraints, 0.0);
    model_.residual(Point(t, n_, x.data(), rates.data()), r.data());
    const Eigen::VectorXd force = -Eigen::Map<Eigen::VectorXd>(r.data(), np);
    Eigen::VectorXd rest = Eigen::Map<Eigen::VectorXd>(r.data() + first_row, human12::constraints),
                    defect(human12::constraints), drift = defect;
    data_.system.positions(q, defect.data());
    data_.system.velocities(q, v, drift.data());
    rest += 2 * frequency * damping * drift + frequency * frequency * defect;

    Eigen::MatrixXd g = Eigen::MatrixXd::Zero(human12::constraints, np);
    g.leftCols(human12::coordinates) = gradient(data_, q);
    const Eigen::LLT<Eigen::MatrixXd> left(mass_ + penalty * g.transpose() * g);
    a = mass_.llt().solve(force);
    lambda.setZero(human12::constraints);
    for (iterations = 1; iterations < 100; ++iterations) {
      const Eigen::VectorXd change =
          left.solve(force - mass_ * a - g.transpose() * (lambda + penalty * (g * a + rest)));
      a += change;
      lambda += penalty * (g * a + rest);
      if (change.norm() < 1e-11 * a.norm()) return;
    }
  }

 private:
  static constexpr double penalty = 1e6, frequency = 10, damping = 1;  ///< α, Ω, μ
  const Model& model_;
  const human12::Data& data_;
  Sizes n_;
  Eigen::MatrixXd mass_;
};

/// H12-a with gravity, range and damping of the joints.
Case12 thrown() {
  Case12 c = free_flight();
  for (auto& [name, value] : c.settings) {
    if (name == "gravity") value = 9.81;
    if (name == "joint_limits" || name == "joint_damping") value = 1;
  }
  return c;
}

}  // namespace

TEST_CASE("Human12 has 16 points, 17 vectors, 99 coordinates, 70 constraints and 29 degrees of freedom") {
  const human12::Data d = reconciled();
  int points = 0;
  for (int i = 0; i < d.system.elements(); ++i) points += d.system.is_point(i);
  CHECK(d.system.bodies().size() == 12);
  CHECK(points == 16);
  CHECK(d.system.elements() - points == 17);
  CHECK(d.system.coordinates() == 99);
  CHECK(d.system.constraints() == 70);
  CHECK(human12::degrees_of_freedom == 29);
  Random random(41);
  for (int trial = 0; trial < 5; ++trial) {
    const NaturalState s(d, random_pose(random, d));
    Eigen::VectorXd c(70);
    d.system.positions(s.q.data(), c.data());
    CHECK(c.cwiseAbs().maxCoeff() < 1e-14);
    d.system.velocities(s.q.data(), s.v.data(), c.data());
    CHECK(c.cwiseAbs().maxCoeff() < 1e-13);
    const Eigen::VectorXd singular = gradient(d, s.q.data()).jacobiSvd().singularValues();
    CHECK(singular.minCoeff() > 0.01);  // full rank
    CHECK(singular.maxCoeff() < 10);
  }
}

TEST_CASE("the masses are those of the man and of the dummy") {
  const auto sum = [](const human12::Data& d) {
    double mass = 0;
    for (const NaturalBody& b : d.system.bodies()) mass += b.mass();
    return mass;
  };
  CHECK(sum(reconciled()) == Approx(77.869));
  CHECK(sum(reconciled(human12::Variant::dummy)) == Approx(77.70));
}

TEST_CASE("dry friction of the dummy's joints holds the outer limb at the tabulated number of g") {
  const human12::Data d = reconciled(human12::Variant::dummy), human = reconciled();
  const double forearm = 4.54 / 2, upper_arm = 3.99 / 2;
  CHECK(d.joint[human12::forearm_left].friction.moment == Approx(forearm * 9.81 * 0.1722));
  CHECK(d.joint[human12::upper_arm_right].friction.moment ==
        Approx(9.81 * (upper_arm * 0.1676 + forearm * (0.1676 + 0.1228 + 0.1722))));
  CHECK(d.joint[human12::head].friction.moment == Approx(2 * 9.81 * 4.54 * std::hypot(0.02, 0.055)));
  for (int b = 1; b < human12::bodies; ++b) CHECK(human.joint[b].friction.moment == 0);
}

TEST_CASE("the cases start where their definition says") {
  const auto near = [](Body12& b, const std::string& name, double x, double y, double z) {
    INFO(name);
    CHECK(length(b.vector(name) - Vec3<double>{x, y, z}) < 1e-12);
  };
  {
    const Case12 c = free_flight();
    Body12 b(c.settings);
    near(b, "head_position", 0.02, 0, 0.735);
    near(b, "forearm_right_position", 0, -0.165, 0.0254);
    near(b, "leg_left_position", 0.014, 0.085, -0.6882);
    near(b, "upper_torso_velocity", 0.42, -0.116, 0.5);
    near(b, "upper_torso_angular_velocity", -1.0, 1.68, -1.06);
    near(b, "lower_torso_velocity", 0.3, -0.2, 0.5);
  }
  {
    const Case12 c = tackle();
    Body12 b(c.settings);
    near(b, "head_position", 0.02, 0, 1.682);
    near(b, "leg_right_position", 0.014, -0.085, 0.2588);
    near(b, "impactor_velocity", -3, 0, 0);
  }
  {
    const Case12 c = belted();
    Body12 b(c.settings, c.texts);
    const auto close = [&](const std::string& name, double x, double y, double z) {
      INFO(name);
      CHECK(length(b.vector(name) - Vec3<double>{x, y, z}) < 1e-12);
    };
    close("head_position", -0.18744429400973697, 0, 0.573475053200391);
    close("forearm_left_position", 0.3032476796307736, 0.165, 0.27069809847081455);
    close("leg_right_position", 0.5448984949634194, -0.085, -0.3015309056856744);
    close("upper_arm_right_position", 0.03013801408333737, -0.165, 0.2636997523319781);
    CHECK(b.get("thigh_left_orientation_y") == Approx(-0.7660444431188719).epsilon(1e-12));
    CHECK(b.get("thigh_left_orientation_w") == Approx(0.6427876096866657).epsilon(1e-12));
    CHECK(b.get("thigh_left_joint_angle_y") == Approx(-1.396263401595).epsilon(1e-12));
    CHECK(b.get("forearm_left_joint_angle") == Approx(-0.7853981633974483).epsilon(1e-12));
  }
}

TEST_CASE("the Jacobian of Human12 is exact: belts, seat, joints beyond their range, a turning vehicle") {
  Case12 c = belted();
  add_vector(c.settings, "sled_angular_velocity", 0.7, -0.4, 0.9);
  add_vector(c.settings, "sled_angular_acceleration", 5, 3, -8);
  add_vector(c.settings, "head_moment", 1.3, -2.2, 0.7);
  add_vector(c.settings, "forearm_left_force", 11, 7, -5);
  Body12 b(c.settings, c.texts);
  for (const double t : {0.012, 0.06, 0.09}) {
    b.go(t);
    INFO(t);
    check_jacobian(b);
  }
  CHECK(b.get("belt_lap_left_force") > 100);
  CHECK(b.get("plane1_force_z") > 100);
}

TEST_CASE("the Jacobian of Human12 is exact: impactor, ground, dummy") {
  Case12 c = tackle();
  c.settings.emplace_back("variant", 2);
  Body12 b(c.settings, c.texts);
  b.go(0.01);
  CHECK(b.get("impactor_force_x") < -100);
  check_jacobian(b);
  b.go(0.25);
  check_jacobian(b);
}

TEST_CASE("the Jacobian of Human12 is exact: held base, belts on a limiting reel") {
  Case12 c = belted();
  c.settings.emplace_back("belt_load_limit", 900);
  Body12 limited(c.settings, c.texts);
  limited.go(0.07);
  CHECK(limited.get("belt_lap_right_force") == Approx(900));
  CHECK(limited.get("belt_lap_right_payout") > 1e-4);
  check_jacobian(limited);
  c.settings.emplace_back("base_fixed", 1);
  Body12 held(c.settings, c.texts);
  held.go(0.05);
  check_jacobian(held);
  CHECK(length(held.vector("lower_torso_position")) < 1e-14);
}

TEST_CASE("the paper's augmented Lagrangian converges to the accelerations and reactions of Human12") {
  const human12::Data d = reconciled();
  for (const auto& [c, t] : {std::pair{thrown(), 0.13}, {tackle(), 0.012}, {belted(), 0.09}}) {
    Body12 b(c.settings, c.texts);
    b.go(t);
    b.set("head_force_x", 1e-300);  // makes accelerations and reactions those of this very instant
    b.follow_inputs();
    const Solution& exact = b.state().solution;
    const Sizes n = b.model().sizes();
    AugmentedLagrangian way(b.model(), d);
    way.solve(b.time(), exact.x);
    CHECK(way.iterations < 20);
    const int np = n.positions;
    const Eigen::Map<const Eigen::VectorXd> a(&exact.xdot[np], np),
        lambda(&exact.x[2 * np + n.differential], human12::constraints);
    CHECK((way.a - a).cwiseAbs().maxCoeff() < 1e-7 * a.cwiseAbs().maxCoeff());
    CHECK((way.lambda - lambda).cwiseAbs().maxCoeff() < 1e-7 * lambda.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("a flight by the paper's augmented Lagrangian is that of Human12") {
  Case12 c = thrown();
  set_tolerance(c.settings, 1e-10);
  Body12 b(c.settings);
  const human12::Data d = reconciled();
  AugmentedLagrangian way(b.model(), d);
  constexpr int np = human12::coordinates, steps = 200;
  constexpr double end = 0.025, h = end / steps;
  // Runge-Kutta 4 of (q, v)
  std::vector<double> x = b.x();
  for (int i = 0; i < steps; ++i) {
    std::vector<double> at = x, sum = x;
    for (const auto& [next, weight] : {std::pair{0.5, 1.0}, {0.5, 2.0}, {1.0, 2.0}, {0.0, 1.0}}) {
      way.solve(i * h, at);
      const std::vector<double> v(at.begin() + np, at.begin() + 2 * np);
      for (int k = 0; k < np; ++k) {
        at[k] = x[k] + next * h * v[k];
        at[np + k] = x[np + k] + next * h * way.a[k];
        sum[k] += weight * h / 6 * v[k];
        sum[np + k] += weight * h / 6 * way.a[k];
      }
    }
    x = sum;
  }
  b.go(end);
  double largest = 0;
  for (int k = 0; k < np; ++k) largest = std::max(largest, std::abs(x[k] - b.x()[k]));
  CHECK(largest < 1e-8);
  CHECK(b.get("joint_limit_work") < -0.01);
}
