#include <catch2/catch.hpp>

#include "math/random.h"
#include "models/human17_runs.h"
#include "solvers/block_pattern.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

constexpr int n = human17::Tree::positions;

/// The largest difference between the model's Jacobian and its residual in dual numbers, over the largest
/// entry.
double jacobian_error(Human& human, Random& random) {
  std::vector<double> x = human.state().solution.x, xdot = human.state().solution.xdot;
  for (int k = 0; k < n; ++k) {
    x[k] *= 1 + random(-0.01, 0.01);  // not of unit length either
    x[n + k] += random(-0.5, 0.5);
    xdot[n + k] += random(-3, 3);
  }
  const double t = human.time();
  const Sizes sizes = human.model().sizes();
  std::vector<double> j(3 * n * n, 0.0);
  human.model().jacobian(Point(t, sizes, x.data(), xdot.data()),
                         {j.data(), j.data() + n * n, j.data() + 2 * n * n});
  const std::vector<double>& values = human.state().values.numbers;
  std::vector<Dual<1>> dx(x.begin(), x.end()), dxdot(xdot.begin(), xdot.end()),
      dvalues(values.begin(), values.end());
  std::vector<Dual<1>> r(n), out(values.size());
  double worst = 0;
  for (int part = 0; part < 3; ++part) {
    double difference = 0, largest = 0;
    for (int k = 0; k < n; ++k) {
      Dual<1>& seed = part == 0 ? dx[k] : part == 1 ? dx[n + k] : dxdot[n + k];
      seed.d[0] = 1;
      human.model().evaluate({Dual<1>(t), dx.data(), dx.data() + n, dxdot.data() + n, dx.data() + 2 * n,
                              dxdot.data() + 2 * n, dx.data() + 2 * n, dvalues.data()},
                             r.data(), out.data());
      seed.d[0] = 0;
      for (int i = 0; i < n; ++i) {
        difference = std::max(difference, std::abs(j[part * n * n + i * n + k] - r[i].d[0]));
        largest = std::max(largest, std::abs(r[i].d[0]));
      }
    }
    worst = std::max(worst, difference / largest);
  }
  return worst;
}

Settings turning(Settings s) {
  return s.set("sled_acceleration", 1.2, -0.4, 2.3)
      .set("sled_angular_velocity", 0.3, -0.7, 0.5)
      .set("sled_angular_acceleration", 1.3, -2.7, 0.6);
}

}  // namespace

TEST_CASE("the Jacobian of the person is that of the residual in dual numbers") {
  Random random(17);
  Human flying(turning(free_flight())), hanging(pendulum());
  CHECK(jacobian_error(flying, random) < 1e-13);
  CHECK(jacobian_error(hanging, random) < 1e-13);
  for (const double law : {1.0, 2.0}) {
    Human lying(turning(fall())
                    .set("start_position", 0, 0, 0.12)
                    .set("start_velocity", 0.4, -0.3, -0.6)
                    .set("plane1_vx", 0.7)
                    .set("plane1_friction_law", law));
    Human seated(seated_pulse());
    lying.go(0.03);
    CHECK(lying.get("plane1_force_z") > 100);
    CHECK(jacobian_error(lying, random) < 1e-12);
    seated.go(0.07);
    CHECK(length(seated.vector("head_joint_moment")) > 1);  // limits are reached
    CHECK(jacobian_error(seated, random) < 1e-12);
  }
}

TEST_CASE("a further limb costs what the one before has cost, in storage and in multiplications") {
  const Structure all = Human(free_flight()).model().structure();
  const auto body_of = [](const std::vector<int>& unknowns) { return (unknowns.back() - 3) / 4; };
  // the person without the bodies from one of the list on: arms are 5 to 7 and 8 to 10, legs 11 to 13 and 14
  // to 16
  const auto without = [&](std::vector<int> limbs) {
    const auto cut = [&](int body) {
      return std::any_of(limbs.begin(), limbs.end(), [&](int l) { return body >= l && body < l + 3; });
    };
    Structure s;
    std::vector<int> number(all.blocks.size(), -1), renumbered(n, -1);
    int unknowns = 0;
    for (int k = 0; k < n; ++k)
      if (k < 7 || !cut((k - 3) / 4)) renumbered[k] = unknowns++;
    for (std::size_t k = 0; k < all.blocks.size(); ++k) {
      if (cut(body_of(all.blocks[k]))) continue;
      number[k] = static_cast<int>(s.blocks.size());
      std::vector<int> kept;
      for (const int u : all.blocks[k]) kept.push_back(renumbered[u]);
      s.blocks.push_back(kept);
    }
    for (const auto& [i, k] : all.coupled)
      if (number[i] >= 0 && number[k] >= 0) s.coupled.emplace_back(number[i], number[k]);
    const BlockPattern pattern(s, unknowns);
    return std::pair<std::int64_t, std::int64_t>(pattern.storage(), pattern.multiplications());
  };
  const auto whole = without({});
  for (const auto& [left, right] : {std::pair{5, 8}, {11, 14}}) {
    const auto one = without({right}), none = without({left, right});
    CHECK(whole.first - one.first == one.first - none.first);
    CHECK(whole.second - one.second == one.second - none.second);
  }
  // a dense matrix of 71 rows has 5041 entries and its factors take 71³/3 multiplications
  CHECK(whole.first < 5041 / 2);
  CHECK(whole.second < 71 * 71 * 71 / 3 / 4);
}

TEST_CASE("Euler parameters stay of unit length over ten seconds") {
  Human human(free_flight());
  human.go(10);
  for (int i = 0; i < 17; ++i) {
    double square = 0, rate = 0;
    for (int c = 0; c < 4; ++c) {
      const int k = human17::Tree::first_parameter(i) + c;
      square += human.x()[k] * human.x()[k];
      rate += human.x()[k] * human.x()[n + k];
    }
    CHECK(std::abs(std::sqrt(square) - 1) < 1e-10);
    CHECK(std::abs(rate) < 1e-10);
  }
}

TEST_CASE("what the sled does is what an inertia force does") {
  // a sled that accelerates against one that stands, with the forces put on by hand
  Settings by_force = fall().set("gravity", 0), by_sled = fall().set("gravity", 0);
  by_sled.set("sled_acceleration", 3.1, -1.7, 9.2);
  for (int i = 0; i < 17; ++i) {
    const double m =
        human17::read(data::DataSet::embedded("Human17", "reconciled"), {1.8, 80}).tree.body(i).mass;
    by_force.set(std::string(human17::body_names[i]) + "_force", -3.1 * m, 1.7 * m, -9.2 * m);
  }
  Human sled(by_sled.tolerance(1e-9, 1e-9)), force(by_force.tolerance(1e-9, 1e-9));
  sled.go(0.4);
  force.go(0.4);
  CHECK(length(sled.position("hand_right") - force.position("hand_right")) < 1e-8);
  CHECK(sled.get("external_work") == Approx(force.get("external_work")).epsilon(1e-8));
  // accelerations are inertial
  const Vec3<double> difference = sled.vector("head_acceleration") - force.vector("head_acceleration");
  CHECK(difference.x == Approx(3.1).epsilon(1e-6));
  CHECK(difference.y == Approx(-1.7).epsilon(1e-6));
  CHECK(difference.z == Approx(9.2).epsilon(1e-6));
}

TEST_CASE("a person at rest in space turns backwards in the eyes of a turning sled") {
  const double rate = 1.9, t = 0.31, angle = rate * t;
  Human human(Settings()
                  .set("gravity", 0)
                  .set("joint_limits", 0)
                  .set("start_position", 0.7, 0.2, 0.3)
                  .set("start_velocity", 0.2 * rate, -0.7 * rate, 0)
                  .set("start_angular_velocity", 0, 0, -rate)
                  .set("sled_angular_velocity_z", rate)
                  .tolerance(1e-9, 1e-9));
  human.go(t);
  const Vec3<double> p = human.position("pelvis");
  CHECK(p.x == Approx(0.7 * std::cos(angle) + 0.2 * std::sin(angle)).epsilon(1e-8));
  CHECK(p.y == Approx(0.2 * std::cos(angle) - 0.7 * std::sin(angle)).epsilon(1e-8));
  CHECK(human.get("head_orientation_z") == Approx(-std::sin(angle / 2)).epsilon(1e-8));
  CHECK(length(human.vector("head_acceleration")) < 1e-6);
  CHECK(human.get("HIC36") < 1e-12);
  CHECK(human.get("energy_error") < 1e-8);
}

TEST_CASE("a moment on the forearm turns it by the joint's law, and its reaction turns the arm back") {
  // all at rest, nothing but damping in the elbow: M = c (ω_forearm - ω_arm) in the end is not reached; at
  // the start the joint has no moment at all
  Human human(Settings().set("gravity", 0).set("forearm_left_moment", 0, -2.5, 0));
  CHECK(length(human.vector("forearm_left_joint_moment")) == 0);
  human.go(0.02);
  const Vec3<double> moment = human.vector("forearm_left_joint_moment");
  CHECK(moment.y > 0);                                      // against the motion
  CHECK(human.get("forearm_left_joint_angle_y") < -0.001);  // flexion: the hand goes forward
  CHECK(human.position("hand_left").x > 1e-4);
}

TEST_CASE("a run continued from a copy of its state repeats bit for bit, contacts and all") {
  Human human(fall());
  human.go(0.35);
  const State saved = human.state();
  human.go(0.5);
  Human other(fall());
  other.restore(saved);
  other.go(0.5);
  CHECK(other.state().solution.x == human.state().solution.x);
  CHECK(other.state().memory == human.state().memory);
  human.restore(saved);
  human.go(0.5);
  CHECK(other.state().solution.x == human.state().solution.x);
}

TEST_CASE("output derivatives along the motion are those of differences") {
  Human human(seated_pulse().tolerance(1e-10, 1e-10));
  human.go(0.04);
  std::vector<double> rates(human.variables().size());
  human.output_rates(rates);
  const double h = 1e-5;
  const std::vector<std::string> names{"head_velocity_x", "head_acceleration_z",    "thorax_joint_moment_y",
                                       "plane1_force_z",  "arm_left_joint_angle_y", "external_work"};
  std::vector<double> before, after;
  for (const std::string& name : names) before.push_back(human.get(name));
  human.go(0.04 + h);
  std::vector<double> rates_after(human.variables().size());
  human.output_rates(rates_after);
  for (const std::string& name : names) after.push_back(human.get(name));
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Handle handle = human.variables().find(names[k]);
    INFO(names[k]);
    CHECK((after[k] - before[k]) / h ==
          Approx(0.5 * (rates[handle] + rates_after[handle])).epsilon(1e-4).margin(1e-6));
  }
}
