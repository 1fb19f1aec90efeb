#pragma once

/// The equations of the head and neck, written once for any scalar: plain numbers for the residual, dual
/// numbers for derivatives. Numbers of equations are those of Fritzkowski & Walczak 2014.

#include "models/cervical_spine/data.h"
#include "models/pulse.h"

namespace spondyl::cervical_spine {

inline constexpr int planes = 2;
using Chain = PlanarChain<bodies>;

template <class T>
struct Inputs {
  Vec2<T> sled_acceleration;
  Chain::Loads<T> loads;
  std::array<PlanarPlane<T>, planes> plane;
};

/// Which ligaments are taut, for the tension-only variant.
struct Tautness {
  bool two_sided = true;
  std::array<std::array<double, bodies>, 2> stretched{};
};

template <class T>
struct LigamentForce {
  T length, rate, tension;
  T lever;  ///< dξ/dθ
};

template <class T>
struct LevelForces {
  std::array<LigamentForce<T>, 2> ligament;
  SinCos<T> from_rest;  ///< of the joint's angle from its rest
  T spring, damper;     ///< of the joint: moment against the relative angle and its rate

  /// Moment that the level exerts against growing relative angle: on the lower body; the opposite on the
  /// upper.
  T moment() const {
    return spring + damper + ligament[ISL].tension * ligament[ISL].lever +
           ligament[ALL].tension * ligament[ALL].lever;
  }
};

/// Ligaments and joint of level i for the relative angle θ (as sine and cosine) and its rate. Eq. 30-38; all
/// depends on the relative motion alone, seen here from the lower body.
template <class T>
[[gnu::always_inline]] inline LevelForces<T> level_forces(const Level& level, int i, const Tautness& taut,
                                                          const SinCos<T>& theta, const T& rate) {
  LevelForces<T> f;
  for (const Side side : {ISL, ALL}) {
    const Level::Ligament& l = level.ligament[side];
    const AcrossPivot::Motion<T> m = l.geometry.motion(theta);
    const T stretching = m.lever * rate;
    const T tension = taut.two_sided ? l.law.tension(m.length, stretching)
                                     : l.law.tension_only(m.length, stretching, taut.stretched[side][i] != 0);
    f.ligament[side] = {m.length, stretching, tension, m.lever};
  }
  const SinCos<double>& rest = level.joint_rest;
  f.from_rest = {theta.sin * rest.cos - theta.cos * rest.sin, theta.cos * rest.cos + theta.sin * rest.sin};
  f.spring = level.joint.spring(f.from_rest);
  f.damper = level.joint.damper(rate);
  return f;
}

/// Everything at one instant.
template <class T>
struct Evaluation {
  Chain::Pose<T> pose;
  std::array<T, bodies> rate;  ///< of the relative angles
  std::array<LevelForces<T>, bodies> level;
  Vec2<T> skull_arm;  ///< from the head's pivot to the centre of the circle
  PointMotion<T> skull;
  std::array<CirclePlane::Force<T>, planes> plane;
  Chain::Inertia<T> inertia;
  std::array<T, bodies> residual;
};

/// Acceleration of the base less gravity, in which the chain hangs.
template <class T>
Vec2<T> frame_acceleration(const Vec2<T>& sled, double gravity) {
  return {sled.x, sled.z + gravity};
}

/// `touching`: planes are looked at (they cost the position of the head).
template <class T>
[[gnu::always_inline]] inline void evaluate(const Data& d, const Tautness& taut, const Inputs<T>& in,
                                            const Vec2<T>& base, bool touching, const T* q, const T* v,
                                            const T* a, Evaluation<T>& e) {
  e.pose = d.chain.pose(q);
  Chain::Loads<T> loads = in.loads;
  if (touching) {
    e.skull_arm = rotate(e.pose.tilt[head], d.skull);
    e.skull = d.chain.motion_on_last(e.pose, v, e.skull_arm);
    for (int k = 0; k < planes; ++k) {
      e.plane[k] = {};
      if (!in.plane[k].active) continue;
      e.plane[k] = d.skull_contact.force(in.plane[k], e.skull, v[head]);
      // moved from the circle's centre to the centre of mass
      loads.force[head] += e.plane[k].force;
      loads.moment[head] +=
          e.plane[k].moment + dot(perp(e.skull_arm - e.pose.centre[head]), e.plane[k].force);
    }
  }
  e.inertia = d.chain.residual(e.pose, v, a, base, loads, e.residual.data());
  for (int i = 0; i < bodies; ++i) {
    e.rate[i] = i == 0 ? v[0] : v[i] - v[i - 1];
    e.level[i] = level_forces(d.levels[i], i, taut, Chain::relative_tilt(e.pose, i), e.rate[i]);
    const T moment = e.level[i].moment();
    e.residual[i] += moment;
    if (i > 0) e.residual[i - 1] -= moment;
  }
}

}  // namespace spondyl::cervical_spine
