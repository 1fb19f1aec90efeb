#pragma once

/// The equations of the lumbar spine, written once for any scalar: plain numbers for the residual, dual
/// numbers for derivatives. Numbers of equations are those of Morais 2011.

#include "elements/connect.h"
#include "models/lumbar_spine/data.h"

namespace spondyl::lumbar_spine {

template <class T>
struct Inputs {
  PlanarFrame<T> frame;  ///< acceleration without pulse and gravity
  std::array<Vec2<T>, bodies> force;
  std::array<T, bodies> moment;
  Vec2<T> endplate_force;
  T follower_load;
};

/// v0 of each pair that touches, 0 for those apart.
using TouchSpeeds = std::array<std::array<double, contacts>, bodies>;

template <class T>
struct LigamentForce {
  T length, rate, tension;
};

/// All that acts at one level.
template <class T>
struct LevelForces {
  Vec2<T> displacement;    ///< d, of the disc
  T turn;                  ///< θ_d
  Vec2<T> spring, damper;  ///< of the disc, against d and d'
  T turn_spring, turn_damper;
  std::array<LigamentForce<T>, ligaments> ligament;
  std::array<SphereLine::Force<T>, contacts> contact;
  T cable_rate;  ///< of the length of the follower load's cable
  T heat;        ///< power that is lost in disc, ligaments and contacts
  Wrench<T> wrench;

  Vec2<T> disc_force() const { return -(spring + damper); }       ///< on the upper body, lower axes
  T disc_moment() const { return -(turn_spring + turn_damper); }  ///< on the upper body
};

/// From the motion of the upper body seen from the lower one.
template <class T>
LevelForces<T> level_forces(const Level& level, const std::array<double, contacts>& touch_speed,
                            const T& follower_load, const RelativeMotion<T>& m) {
  LevelForces<T> f;
  f.heat = T(0);
  // disc, Eq. 4.2-4.5; the force acts at the upper point, on both bodies
  const PointMotion<T> upper = m.of(level.disc_upper);
  f.displacement = {upper.position.x - (level.disc_lower.x + level.disc_rest.x),
                    upper.position.z - (level.disc_lower.z + level.disc_rest.z)};
  f.turn = m.angle - level.tabulated_angle;
  f.spring = {level.disc.x.spring(f.displacement.x), level.disc.z.spring(f.displacement.z)};
  f.damper = {level.disc.x.damper(upper.velocity.x), level.disc.z.damper(upper.velocity.z)};
  f.turn_spring = level.disc.turn.spring(f.turn);
  f.turn_damper = level.disc.turn.damper(m.rate);
  f.wrench.moment = f.disc_moment();
  f.wrench.add(upper.position - m.position, f.disc_force());
  f.heat += dot(f.damper, upper.velocity) + f.turn_damper * m.rate;

  const auto line = [&](const Vec2<double>& from, const PointMotion<T>& to) {
    return stretch<T>({{T(from.x), T(from.z)}, {}}, to);
  };
  // ligaments, Eq. 4.6-4.11
  for (int k = 0; k < ligaments; ++k) {
    const Level::Ligament& l = level.ligament[k];
    const PointMotion<T> end = m.of(l.upper);
    const Stretch<T> s = line(l.lower, end);
    const T tension = l.law.tension(s.length, s.rate);
    f.ligament[k] = {s.length, s.rate, tension};
    f.wrench.add(end.position - m.position, -tension * s.direction);
    f.heat += (tension - l.law.elastic(s.length)) * s.rate;
  }
  // contacts, Eq. 4.12-4.35
  for (int k = 0; k < contacts; ++k) {
    const Level::Contact& c = level.contact[k];
    const PointMotion<T> centre = m.of(c.centre);
    f.contact[k] = c.pair.force(centre, m.rate, touch_speed[k]);
    const SphereLine::Force<T>& p = f.contact[k];
    if (!(p.gap < T(0))) continue;
    const Vec2<double> n = c.pair.normal_vector(), t = c.pair.tangent;
    f.wrench.add(centre.position - m.position,
                 {p.drag * t.x - p.pressure * n.x, p.drag * t.z - p.pressure * n.z});
    f.wrench.moment -= c.pair.radius * p.drag;
    f.heat += (p.pressure - c.pair.normal.elastic(-p.gap)) * p.rate - p.drag * p.sliding;
  }
  // the cable of the follower load
  const PointMotion<T> end = m.of(level.cable_upper);
  const Stretch<T> s = line(level.cable_lower, end);
  f.cable_rate = s.rate;
  f.wrench.add(end.position - m.position, -follower_load * s.direction);
  return f;
}

/// Elastic energy of disc, ligaments and contacts.
template <class T>
T level_energy(const Level& level, const LevelForces<T>& f) {
  T energy = level.disc.x.energy(f.displacement.x) + level.disc.z.energy(f.displacement.z) +
             level.disc.turn.energy(f.turn);
  for (int k = 0; k < ligaments; ++k) energy += level.ligament[k].law.energy(f.ligament[k].length);
  for (int k = 0; k < contacts; ++k) energy += level.contact[k].pair.normal.energy(-f.contact[k].gap);
  return energy;
}

/// Everything at one instant.
template <class T>
struct Evaluation {
  std::array<PlanarMotion<T>, bodies + 1> body;  ///< and the sacrum
  Bodies::Loads<T> loads;
  std::array<RelativeMotion<T>, bodies> relative;
  std::array<LevelForces<T>, bodies> level;
  std::array<T, Bodies::size> residual;
};

/// External loads at the centres of mass; L1's may lie elsewhere when it carries a trunk.
template <class T>
Bodies::Loads<T> loads_on(const Data& d, const Inputs<T>& in, const PlanarMotion<T>& first) {
  Bodies::Loads<T> loads{in.force, in.moment};
  const Vec2<T> vertebra = rotate(first.tilt, d.vertebra), endplate = rotate(first.tilt, d.endplate);
  loads.force[0] += in.endplate_force;
  loads.moment[0] += dot(perp(vertebra), in.force[0]) + dot(perp(endplate), in.endplate_force);
  return loads;
}

/// `frame`: the sled's motion with pulse and gravity in it.
template <class T>
void evaluate(const Data& d, const TouchSpeeds& touch, const Inputs<T>& in, const PlanarFrame<T>& frame,
              const T* q, const T* v, const T* a, Evaluation<T>& e) {
  for (int i = 0; i <= bodies; ++i) e.body[i] = d.column.motion(q, v, i);
  e.loads = loads_on(d, in, e.body[0]);
  d.column.residual(q, v, a, frame, e.loads, e.residual.data());
  for (int i = 0; i < bodies; ++i) {
    e.relative[i] = Bodies::relative(e.body[i], e.body[i + 1]);
    e.level[i] = level_forces(d.levels[i], touch[i], in.follower_load, e.relative[i]);
    Bodies::add(i, e.body[i], e.body[i + 1], e.level[i].wrench, e.residual.data());
  }
}

}  // namespace spondyl::lumbar_spine
