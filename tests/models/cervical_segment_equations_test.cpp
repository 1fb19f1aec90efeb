// The equations of CervicalSegment against a second formulation, against differences, and through all cases
// of contact.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <set>

#include "math/random.h"
#include "models/cervical_segment_runs.h"
#include "models/plain_segment.h"

using namespace spondyl;
using namespace spondyl::testing;

namespace {

using V = PlainSegment::V;
using V6 = PlainSegment::V6;
constexpr int n = 7;

/// q of the model for C5's origin at t and a rotation by phi.
std::array<double, n> coordinates(const PlainSegment& plain, const V& t, const V& phi) {
  const Eigen::Matrix3d turn = PlainSegment::exponential(phi);
  const V arm = plain.R0 * plain.centre;
  const V q = t + turn * arm - arm;
  const double angle = phi.norm(), s = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
  return {q.x(), q.y(), q.z(), s * phi.x(), s * phi.y(), s * phi.z(), std::cos(angle / 2)};
}

/// What all elements exert on C5 at rest: force and moment about its centre of mass, from the model's own
/// residual.
V6 wrench(Segment& s, const std::array<double, n>& q) {
  const double zero[n] = {};
  double r[n];
  s.model().residual(Point(0, q.data(), zero, zero, nullptr, nullptr), r);
  V6 w;
  for (int k = 0; k < 6; ++k) w[k] = -r[k];
  return w;
}

/// A wandering pose: the left (or right) facet of C5 slides over that of C6 and beyond its edge, at changing
/// depth and tilt. The frequencies have no common period.
struct Walk {
  const PlainSegment& plain;
  int side;
  V shift_amplitude, tilt_amplitude;

  std::pair<V, V> pose(double s) const {
    const V phi(tilt_amplitude.x() * std::sin(1.3 * s + 0.4), tilt_amplitude.y() * std::sin(2.1 * s),
                tilt_amplitude.z() * std::sin(0.77 * s + 1.9));
    const V n2 = plain.n2, along = V::UnitY(), across = n2.cross(along);
    const V place = PlainSegment::facet_C6(side) + shift_amplitude.x() * std::sin(0.61 * s + 0.2) * along +
                    shift_amplitude.y() * std::sin(1.07 * s) * across +
                    shift_amplitude.z() * (std::sin(3.3 * s) - 0.6) * n2;
    const V arm = PlainSegment::exponential(phi) * plain.R0 * plain.facet_C5[side];
    return {place - arm - plain.s0, phi};
  }
};

/// Which pieces of all laws hold: a kink lies between two poses with different answers.
std::vector<int> pieces(const PlainSegment& p, const V& t, const V& phi, const V& v, const V& omega) {
  const Eigen::Matrix3d turn = PlainSegment::exponential(phi);
  const PlainSegment::Result f = p.forces(t, turn, v, omega);
  const V b = f.disc_point - 0.5 * p.s0;
  std::vector<int> out{b.x() >= 0, b.z() >= 0, phi.y() >= 0};
  for (int i = 0; i < 6; ++i) {
    const double e =
        (p.s0 + t + turn * p.R0 * (1e-3 * p.ropes[i].upper) - 1e-3 * p.ropes[i].lower).norm() / p.rest[i] - 1;
    const double share = e / p.ropes[i].strain;
    out.insert(out.end(), {e > 0, e > 0.01, share > p.ropes[i].A[0], share > p.ropes[i].B[0], f.rope[i] > 0});
  }
  for (int i = 0; i < 2; ++i) {
    const PlainSegment::Contact& c = f.contact[i];
    const V d = PlainSegment::facet_C6(i) - (p.s0 + t + turn * p.R0 * p.facet_C5[i]);
    const double shift = (d - d.dot(c.n) * c.n).norm();
    out.insert(out.end(),
               {c.u > 0, c.u > 5e-5, c.u > 3e-4, c.where, shift > 9e-3, shift > 0.2e-3, f.facet[i] > 0});
  }
  return out;
}

}  // namespace

TEST_CASE("through all cases of contact the forces are those of the second formulation, without a jump") {
  const PlainSegment plain;
  Segment s({{"start_in_equilibrium", 0}});
  for (const int side : {0, 1})
    for (const Walk& walk : {Walk{plain, side, {6e-3, 5e-3, 0.3e-3}, {0.05, 0.07, 0.06}},
                             Walk{plain, side, {0.5e-3, 0.3e-3, 0.2e-3}, {0.02, 0.01, 0.015}},
                             Walk{plain, side, {8e-3, 7e-3, 0.5e-3}, {0.2, 0.25, 0.2}}}) {
      std::set<int> seen;
      bool fading = false, linear = false;
      double jump[2] = {0, 0};
      const double length = 40;
      for (const int level : {0, 1}) {
        const int steps = level == 0 ? 20000 : 200000;
        V6 last;
        for (int k = 0; k <= steps; ++k) {
          const auto [t, phi] = walk.pose(length * k / steps);
          const V6 w = wrench(s, coordinates(plain, t, phi));
          if (k > 0)
            for (int i = 0; i < 6; ++i)
              jump[level] = std::max(jump[level], (i < 3 ? 1 : 50) * std::abs(w[i] - last[i]));
          last = w;
          if (level == 1 || k % 4 != 0) continue;
          // against the second formulation, whose moment is about C5's origin
          const Eigen::Matrix3d turn = PlainSegment::exponential(phi);
          const PlainSegment::Result f = plain.forces(t, turn);
          const V moment = f.moment - (turn * plain.R0 * plain.centre).cross(f.force);
          const double scale = 1 + f.force.norm();
          for (int i = 0; i < 3; ++i) {
            REQUIRE(std::abs(w[i] - f.force[i]) < 1e-8 * scale);
            REQUIRE(std::abs(w[3 + i] - moment[i]) < 1e-9 * scale);
          }
          if (f.contact[side].u > 0 && f.contact[side].share > 0) seen.insert(f.contact[side].where);
          fading = fading || (f.facet[side] > 0 && f.contact[side].share < 0.9);
          linear = linear || f.contact[side].u > 3e-4;
        }
      }
      INFO("side " << side << ", largest jumps " << jump[0] << " and " << jump[1]);
      CHECK(jump[1] < jump[0] / 7);
      CHECK(seen == std::set<int>{1, 2, 3});
      if (walk.shift_amplitude.x() > 1e-3) CHECK(linear);
      if (walk.shift_amplitude.x() > 7e-3) CHECK(fading);
    }
}

TEST_CASE("the contact case and its point are told for a reader") {
  const PlainSegment plain;
  std::set<int> told;
  for (int k = 0; k < 300; ++k) {
    const Walk walk{plain, 0, {6e-3, 5e-3, 0.3e-3}, {0.03, 0.04, 0.05}};
    const auto [t, phi] = walk.pose(0.13 * k);
    Segment s({{"start_in_equilibrium", 0},
               {"start_C5_translation_x", t.x()},
               {"start_C5_translation_y", t.y()},
               {"start_C5_translation_z", t.z()},
               {"start_C5_rotation_x", phi.x()},
               {"start_C5_rotation_y", phi.y()},
               {"start_C5_rotation_z", phi.z()}});
    const PlainSegment::Result f = plain.forces(t, PlainSegment::exponential(phi));
    const int reported = int(s.get("C5C6_facet_left_case"));
    told.insert(reported);
    CHECK(s.get("C5C6_facet_left_force") == Approx(f.facet[0]).epsilon(1e-8).margin(1e-9));
    if (f.facet[0] <= 0) {
      CHECK(reported == 0);
      continue;
    }
    CHECK(reported == (s.get("C5C6_facet_left_flatness") > 0.5 ? 4 : f.contact[0].where));
    CHECK(s.get("C5C6_facet_left_penetration") == Approx(f.contact[0].u).epsilon(1e-9));
    const auto point = s.get3("C5C6_facet_left_point");
    for (int i = 0; i < 3; ++i) CHECK(point[i] == Approx(f.contact[0].point[i]).epsilon(1e-9));
    for (int i = 0; i < 6; ++i)
      CHECK(s.get("C5C6_" + ligament_names[i] + "_force") == Approx(f.rope[i]).epsilon(1e-9).margin(1e-9));
  }
  CHECK(told == std::set<int>{0, 1, 2, 3, 4});
}

TEST_CASE("the Jacobian of the segment agrees with differences, in contact, moving and on a turning sled") {
  const PlainSegment plain;
  Random random(17);
  Segment s({{"start_in_equilibrium", 0},
             {"gravity", 9.81},
             {"C5_force_x", 17},
             {"C5_force_y", -11},
             {"C5_force_z", -29},
             {"C5_moment_x", 0.7},
             {"C5_moment_y", -1.3},
             {"C5_moment_z", 0.4},
             {"sled_acceleration_x", 31},
             {"sled_acceleration_y", -12},
             {"sled_acceleration_z", 7},
             {"sled_angular_velocity_x", 3.1},
             {"sled_angular_velocity_y", -4.4},
             {"sled_angular_velocity_z", 2.2},
             {"sled_angular_acceleration_x", -70},
             {"sled_angular_acceleration_y", 45},
             {"sled_angular_acceleration_z", 120}});
  int compared = 0, touching = 0;
  std::set<int> cases;
  for (int trial = 0; trial < 400; ++trial) {
    const Walk walk{plain, trial % 2, {3e-3, 3e-3, 0.2e-3}, {0.08, 0.07, 0.09}};
    const auto [t, phi] = walk.pose(random(0, 500));
    std::array<std::array<double, n>, 3> x{coordinates(plain, t, phi)};
    for (int k = 0; k < n; ++k)
      x[1][k] = random(-1, 1) * (k < 3 ? 0.05 : 2), x[2][k] = random(-1, 1) * (k < 3 ? 30 : 900);
    // not of unit length: the equations hold there too
    const double stretch = random(0.9, 1.1);
    for (int k = 3; k < n; ++k) x[0][k] *= stretch;

    // pieces at a pose given by q, v: as the second formulation sees it
    const auto signature = [&](const std::array<std::array<double, n>, 3>& at) {
      Eigen::Quaterniond p(at[0][6], at[0][3], at[0][4], at[0][5]),
          rate(at[1][6], at[1][3], at[1][4], at[1][5]);
      const double square = p.squaredNorm();
      const V omega = 2 / square * (rate * p.conjugate()).vec();
      p.normalize();
      const V arm = p * (plain.R0 * plain.centre), home = plain.R0 * plain.centre;
      const V q(at[0][0], at[0][1], at[0][2]), v(at[1][0], at[1][1], at[1][2]);
      return pieces(plain, q + home - arm, PlainSegment::logarithm(p.toRotationMatrix()),
                    v - omega.cross(arm), omega);
    };
    const auto residual = [&](const std::array<std::array<double, n>, 3>& at) {
      std::array<double, n> r;
      s.model().residual(Point(0, at[0].data(), at[1].data(), at[2].data(), nullptr, nullptr), r.data());
      return r;
    };
    std::array<double, n * n> jacobian[3];
    s.model().jacobian(Point(0, x[0].data(), x[1].data(), x[2].data(), nullptr, nullptr),
                       {jacobian[0].data(), jacobian[1].data(), jacobian[2].data()});
    const std::vector<int> here = signature(x);
    bool smooth = true;
    double worst[3] = {}, scale[3][2] = {};
    for (int part = 0; part < 3 && smooth; ++part) {
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
          scale[part][i >= 3] = std::max(scale[part][i >= 3], std::abs(jacobian[part][i * n + k]));
      for (int k = 0; k < n && smooth; ++k) {
        const double width = part == 0 ? (k < 3 ? 1e-7 : 1e-5) : part == 1 ? 1e-3 : 1;
        std::array<double, n> f[4];
        for (const int shift : {0, 1, 2, 3}) {
          auto moved = x;
          moved[part][k] += (shift < 2 ? shift - 2 : shift - 1) * width;
          smooth = smooth && signature(moved) == here;
          f[shift] = residual(moved);
        }
        for (int i = 0; i < n; ++i) {
          const double by = (8 * (f[2][i] - f[1][i]) - (f[3][i] - f[0][i])) / (12 * width);
          worst[part] = std::max(worst[part], std::abs(by - jacobian[part][i * n + k]) / scale[part][i >= 3]);
        }
      }
    }
    if (!smooth) continue;
    ++compared;
    const PlainSegment::Result f = plain.forces(t, PlainSegment::exponential(phi));
    for (int i = 0; i < 2; ++i)
      if (f.facet[i] > 0) ++touching, cases.insert(f.contact[i].where);
    INFO("trial " << trial << ": " << worst[0] << " " << worst[1] << " " << worst[2]);
    for (int part = 0; part < 3; ++part) CHECK(worst[part] < 2e-6);
  }
  CHECK(compared > 200);
  CHECK(touching > 100);
  CHECK(cases == std::set<int>{1, 2, 3});
}

TEST_CASE("the forces are the slope of the energy where the laws have one") {
  const PlainSegment plain;
  Random random(23);
  // ½ φ·Kφ of the disc is no exact potential of its moment: both are taken out here
  const auto about_disc = [](const V& phi) {
    const V k(0.33 / PlainSegment::deg, (phi.y() >= 0 ? 0.21 : 0.32) / PlainSegment::deg,
              0.42 / PlainSegment::deg);
    return V(k.cwiseProduct(phi));
  };
  const auto evaluate = [&](const V& t, const Eigen::Matrix3d& turn) {
    const V phi = PlainSegment::logarithm(turn);
    Segment s({{"start_in_equilibrium", 0},
               {"start_C5_translation_x", t.x()},
               {"start_C5_translation_y", t.y()},
               {"start_C5_translation_z", t.z()},
               {"start_C5_rotation_x", phi.x()},
               {"start_C5_rotation_y", phi.y()},
               {"start_C5_rotation_z", phi.z()}});
    struct {
      double energy;
      V force, moment;
      bool contact;
    } out;
    out.energy = s.get("potential_energy") - 0.5 * about_disc(phi).dot(phi);
    const auto f = s.get3("C5C6_force"), m = s.get3("C5C6_moment");
    out.force = {f[0], f[1], f[2]};
    out.moment = V(m[0], m[1], m[2]) + about_disc(phi);
    out.contact = s.get("C5C6_facet_left_force") + s.get("C5C6_facet_right_force") > 0;
    return out;
  };
  int free = 0, flat = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const bool parallel = trial % 3 == 0;  // pressed flat: only translations, along which the facets have one
    const V t(random(-1e-3, parallel ? 1e-3 : -0.4e-3), random(-1e-3, 1e-3), random(0.1e-3, 1e-3));
    const V phi = parallel ? V(V::Zero()) : V(random(-0.02, 0.02), random(0.01, 0.15), random(-0.02, 0.02));
    const Eigen::Matrix3d turn = PlainSegment::exponential(phi);
    const auto here = evaluate(t, turn);
    if (here.contact && !parallel) continue;
    ++(here.contact ? flat : free);
    const auto here_pieces = pieces(plain, t, phi, V::Zero(), V::Zero());
    for (int k = 0; k < (parallel ? 3 : 6); ++k) {
      const double width = k < 3 ? 1e-7 : 1e-5;
      const auto moved = [&](double by) {
        return k < 3
                   ? std::pair<V, Eigen::Matrix3d>{t + by * V::Unit(k), turn}
                   : std::pair<V, Eigen::Matrix3d>{t, PlainSegment::exponential(by * V::Unit(k - 3)) * turn};
      };
      const auto [t1, turn1] = moved(width);
      const auto [t0, turn0] = moved(-width);
      if (pieces(plain, t1, PlainSegment::logarithm(turn1), V::Zero(), V::Zero()) != here_pieces ||
          pieces(plain, t0, PlainSegment::logarithm(turn0), V::Zero(), V::Zero()) != here_pieces)
        continue;
      const double slope = (evaluate(t1, turn1).energy - evaluate(t0, turn0).energy) / (2 * width);
      INFO("trial " << trial << ", direction " << k);
      CHECK(-slope ==
            Approx(k < 3 ? here.force[k] : here.moment[k - 3]).epsilon(1e-6).margin(k < 3 ? 1e-5 : 1e-7));
    }
  }
  CHECK(free > 20);
  CHECK(flat > 5);
}

TEST_CASE("the stiffness is the change of forces with the pose, under load and in contact") {
  const PlainSegment plain;
  for (const LoadCase& c : load_cases) {
    Segment s({{load_names[c.direction], c.load}});
    const auto pose = s.pose();
    const V t(pose[0], pose[1], pose[2]);
    const Eigen::Matrix3d turn = PlainSegment::exponential({pose[3], pose[4], pose[5]});
    for (int k = 0; k < 6; ++k) {
      const double width = k < 3 ? 1e-8 : 1e-6;
      const auto at = [&](double by) {
        return k < 3 ? plain.forces(t + by * V::Unit(k), turn)
                     : plain.forces(t, PlainSegment::exponential(by * V::Unit(k - 3)) * turn);
      };
      const PlainSegment::Result up = at(width), down = at(-width);
      for (int i = 0; i < 6; ++i) {
        const double slope = i < 3 ? -(up.force[i] - down.force[i]) / (2 * width)
                                   : -(up.moment[i - 3] - down.moment[i - 3]) / (2 * width);
        INFO(c.name << " " << i + 1 << k + 1);
        CHECK(s.get("C5_stiffness_" + std::to_string(i + 1) + std::to_string(k + 1)) ==
              Approx(slope).epsilon(1e-5).margin((i < 3 ? 1 : 0.01) * (k < 3 ? 1 : 0.01) * 20));
      }
    }
  }
}

TEST_CASE("derivatives of all outputs by the loads at the start are those of the equilibrium") {
  const std::initializer_list<Segment::Setting> settings{{"C5_force_x", 17},    {"C5_force_y", -6},
                                                         {"C5_force_z", -21},   {"C5_moment_x", 0.9},
                                                         {"C5_moment_y", -1.4}, {"C5_moment_z", 0.5}};
  Segment s(settings);
  const VariableTable& table = s.variables();
  for (int k = 0; k < 6; ++k) {
    std::vector<double> seed(table.size()), exact(table.size());
    seed[table.find(load_names[k])] = 1;
    s.output_changes(seed, 0, true, exact);
    const double width = k < 3 ? 1e-4 : 1e-5;
    Segment up(settings), down(settings);
    for (const auto& [name, value] : settings)
      if (name == load_names[k]) up.set(name, value + width), down.set(name, value - width);
    up.initialise(0);
    down.initialise(0);
    for (const Handle h : table.of(Causality::output)) {
      const std::string& name = table[h].name;
      if (name.starts_with("solver_") || name == "energy_error") continue;
      const double a = up.get(h), b = down.get(h);
      const double size = std::max({std::abs(a), std::abs(b), 1e-3 * table[h].nominal});
      INFO(name << " by " << load_names[k]);
      CHECK((a - b) / (2 * width) == Approx(exact[h]).epsilon(2e-5).margin(1e-9 * size / width));
    }
  }
}

TEST_CASE("what feeds through to the outputs of a moving segment is exactly what is declared") {
  Segment s({{"C5_force_x", 17},
             {"C5_moment_z", -0.9},
             {"pulse_shape", 3},
             {"pulse_peak", 60},
             {"pulse_direction", 2}});
  for (const auto& [name, value] : std::initializer_list<Segment::Setting>{{"C5_force_y", 12},
                                                                           {"C5_moment_x", -0.8},
                                                                           {"sled_angular_velocity_x", 2.1},
                                                                           {"sled_angular_velocity_y", -1.6},
                                                                           {"sled_angular_velocity_z", 2.9}})
    s.set(name, value);
  s.go(0.013);
  s.get("kinetic_energy");
  const VariableTable& table = s.variables();
  std::vector<Handle> knowns = table.of(Causality::input);
  knowns.push_back(time_handle);
  for (const Handle known : knowns) {
    std::vector<double> seed(table.size()), change(table.size());
    if (known != time_handle) seed[known] = 1;
    s.output_changes(seed, known == time_handle ? 1 : 0, false, change);
    for (const Handle h : table.of(Causality::output)) {
      const std::vector<Handle>& declared = table[h].dependencies;
      const bool depends = std::find(declared.begin(), declared.end(), known) != declared.end();
      INFO(table[h].name << " by " << (known == time_handle ? "time" : table[known].name));
      CHECK((std::abs(change[h]) > 1e-12) == depends);
    }
  }
}
