#pragma once

/// The equations of the twelve bodies, written once for any scalar: plain numbers for the residual, dual
/// numbers for derivatives. Numbers of equations are those of Ambrósio.

#include "elements/spatial_plane.h"
#include "models/human12/data.h"

namespace spondyl::human12 {

inline constexpr int planes = 4;
inline constexpr int impactor = elements;  ///< number of the impactor among the elements
inline constexpr int most_positions = coordinates + 3, most_unknowns = most_positions + belts + constraints;

template <class T>
struct Inputs {
  struct Sled {
    Vec3<T> acceleration, angular_velocity, angular_acceleration;
  } sled;
  std::array<Vec3<T>, bodies> force, moment;
  std::array<SpatialPlane<T>, planes> plane;
};

/// What the parameters say. Fixed while a model lives.
struct Settings {
  double gravity = 0;
  bool joint_limits = true, joint_damping = true, base_fixed = false;

  struct PlanePair {
    int plane, sphere;
  };
  std::vector<PlanePair> plane_pairs;  ///< who can touch what

  bool with_impactor = false;
  double impactor_mass = 0, impactor_radius = 0;
  std::vector<int> impactor_spheres;

  bool with_belts = false;
  std::array<Vec3<double>, belts> anchor;
  std::array<double, belts> belt_rest{};  ///< length of the webbing at which it begins to pull
  double belt_limit = 0;

  int positions() const { return coordinates + (with_impactor ? 3 : 0); }
  int payouts() const { return with_belts ? belts : 0; }
  int pairs() const { return static_cast<int>(plane_pairs.size() + impactor_spheres.size()); }
};

/// What depends on history: changes when a step is accepted, never within one.
struct History {
  std::vector<double> touch_speed;  ///< of the plane pairs, then of the impactor's; 0 = apart
  std::array<double, belts> taut{};
};

/// What a sphere sees of a plane, or of the impactor.
template <class T>
struct Touch {
  T gap{};           ///< negative when they overlap
  T rate{};          ///< of penetration
  T elastic{};       ///< part of the normal force that has a potential
  T normal{};        ///< normal force
  Vec3<T> force{};   ///< on the body, in the centre of the sphere
  Vec3<T> torque{};  ///< on the body, about the centre of the sphere
};

/// Eq. 19 along the normal, friction along the surface, both at the lowest point of the sphere.
template <class T>
Touch<T> touch_plane(const ImpactLaw& law, const SpatialPlane<T>& plane, double radius, double touch_speed,
                     const Vec3<T>& centre, const Vec3<T>& velocity, const Vec3<T>& omega) {
  Touch<T> t;
  t.gap = plane.height(centre) - radius;
  if (!(t.gap < T(0))) return t;
  const Vec3<T> arm = -radius * plane.normal;
  const Vec3<T> slip = velocity + cross(omega, arm) - plane.velocity;
  t.rate = -dot(plane.normal, slip);
  t.elastic = law.elastic(-t.gap);
  t.normal = law.force(-t.gap, t.rate, std::max(touch_speed, law.smallest_speed));
  t.force = t.normal * plane.normal + plane.friction.force(t.normal, slip + t.rate * plane.normal);
  t.torque = cross(arm, t.force);
  return t;
}

/// Two spheres, without friction; `apart`: from the impactor's centre to the body's.
template <class T>
Touch<T> touch_sphere(const ImpactLaw& law, double radii, double touch_speed, const Vec3<T>& apart,
                      const Vec3<T>& velocity) {
  Touch<T> t;
  const T distance = length(apart);
  t.gap = distance - radii;
  if (!(t.gap < T(0))) return t;
  const Vec3<T> normal = (1.0 / distance) * apart;
  t.rate = -dot(normal, velocity);
  t.elastic = law.elastic(-t.gap);
  t.normal = law.force(-t.gap, t.rate, std::max(touch_speed, law.smallest_speed));
  t.force = t.normal * normal;
  return t;
}

/// A belt: tension-only spring and damper in parallel, in series with a reel that lets webbing out so that
/// the tension never exceeds a limit.
template <class T>
struct BeltForce {
  T length{}, rate{};  ///< of the webbing between the ends
  T elongation{};      ///< from rest, without what the reel let out
  T tension{};
  T payout_rate{};
  Vec3<T> force{};  ///< on the body
};
template <class T>
BeltForce<T> belt_force(const Belt& belt, double rest_length, double limit, bool taut, const Vec3<T>& span,
                        const Vec3<T>& velocity, const T& payout) {
  BeltForce<T> f;
  f.length = length(span);
  const Vec3<T> direction = (1.0 / f.length) * span;
  f.rate = dot(direction, velocity);
  f.elongation = f.length - rest_length - payout;
  if (!taut) return f;
  f.tension = belt.stiffness * f.elongation + belt.damping * f.rate;
  if (f.tension > T(limit)) {
    f.payout_rate = (f.tension - limit) / belt.damping;
    f.tension = T(limit);
  } else if (f.tension < T(0)) {
    f.tension = T(0);
  }
  f.force = -f.tension * direction;
  return f;
}

/// Angle by which a hinge has turned, right-handed about its axis, from the directions that it looks at.
template <class T>
T hinge_angle(const std::array<Vec3<T>, 4>& s) {
  return atan2(-dot(s[3], s[2]), dot(s[3], s[1]));
}

/// Torque of the joint's range on the outer body.
template <class T>
Vec3<T> limit_torque(const Joint& j, bool hinge, const std::array<Vec3<T>, 4>& s) {
  if (hinge) {
    const T size = j.hinge.torque(hinge_angle(s));
    return size * s[0];
  }
  return j.cone.torque(s[0], s[1], s[2], s[3]);
}

template <class T>
std::array<Vec3<T>, 4> joint_directions(const Data& d, int b, const T* q) {
  const Joint& j = d.joint[b];
  const NaturalBody &inner = d.system.bodies()[parent[b]], &outer = d.system.bodies()[b];
  return {inner.combine(j.on_parent[0], q), inner.combine(j.on_parent[1], q),
          inner.combine(j.on_parent[2], q), outer.combine(j.on_child, q)};
}

/// Everything at one instant.
template <class T>
struct Evaluation {
  std::array<std::array<Vec3<T>, 4>, bodies> arms;
  std::array<Vec3<T>, bodies> omega;          ///< against the sled, in its axes
  std::array<Vec3<T>, bodies> limit, damper;  ///< torques of the joints on their outer bodies
  std::array<Vec3<T>, bodies> force, moment;  ///< from outside: loads, planes, belts, impactor; about the
                                              ///< centre of mass
  std::array<Vec3<T>, planes> plane_force;
  std::array<BeltForce<T>, belts> belt;
  T impactor_stored{};                  ///< energy in touches of the impactor
  T impactor_power{}, impactor_lost{};  ///< of both sides of these touches; the part that is heat
  Vec3<T> impactor_force{};             ///< on the impactor
  std::array<T, most_unknowns> residual;
};

/// The acceleration of a sled-fixed coordinate as seen from outside, without what all points share. For
/// elements it is the same for points and vectors: what acts on a body follows from the mass matrix.
template <class T>
Vec3<T> turning_acceleration(const typename Inputs<T>::Sled& sled, const Vec3<T>& q, const Vec3<T>& v) {
  const Vec3<T>& w = sled.angular_velocity;
  return cross(sled.angular_acceleration, q) + cross(w, cross(w, q)) + 2.0 * cross(w, v);
}

template <class T>
struct Arguments {
  const T *q, *v, *a, *payout, *lambda, *payout_rate;
};

template <class T>
void evaluate(const Data& d, const Settings& set, const History& history, const Inputs<T>& in, bool turning,
              const Arguments<T>& x, Evaluation<T>& e) {
  const NaturalSystem& system = d.system;
  const int np = set.positions();
  T generalised[most_positions] = {};

  // loads
  for (int b = 0; b < bodies; ++b) {
    const NaturalBody& body = system.bodies()[b];
    e.arms[b] = body.arms(x.q);
    e.omega[b] = body.turn_rate(e.arms[b], x.v);
    e.force[b] = in.force[b];
    e.moment[b] = in.moment[b];
  }

  // joints
  for (int b = 1; b < bodies; ++b) {
    const Joint& j = d.joint[b];
    const Vec3<T> relative = e.omega[b] - e.omega[parent[b]];
    e.limit[b] = e.damper[b] = {};
    if (set.joint_damping) e.damper[b] = -j.damping * relative + j.friction.torque(relative);
    if (set.joint_limits) e.limit[b] = limit_torque(j, is_hinge(b), joint_directions(d, b, x.q));
  }
  std::array<Vec3<T>, bodies> torque = e.moment;
  for (int b = 1; b < bodies; ++b) {
    const Vec3<T> on_outer = e.limit[b] + e.damper[b];
    torque[b] += on_outer;
    torque[parent[b]] -= on_outer;
  }

  // a force away from the centre of mass: also noted with its moment about it
  const auto apply = [&](int b, const NaturalBody::Weights& at, const Vec3<T>& place, const Vec3<T>& force) {
    const NaturalBody& body = system.bodies()[b];
    body.add_force(at, force, generalised);
    e.force[b] += force;
    e.moment[b] += cross(place - body.combine(body.centre(), x.q), force);
  };

  // planes
  for (Vec3<T>& f : e.plane_force) f = {};
  for (std::size_t k = 0; k < set.plane_pairs.size(); ++k) {
    const auto [plane, number] = set.plane_pairs[k];
    if (!in.plane[plane].active) continue;
    const Sphere& s = d.spheres[number];
    const NaturalBody& body = system.bodies()[s.body];
    const Vec3<T> centre = body.combine(s.centre, x.q);
    if (!(in.plane[plane].height(centre) < T(s.radius))) continue;
    const Vec3<T> velocity = body.combine(s.centre, x.v);
    const Touch<T> t = touch_plane(d.contact, in.plane[plane], s.radius, history.touch_speed[k], centre,
                                   velocity, e.omega[s.body]);
    apply(s.body, s.centre, centre, t.force);
    torque[s.body] += t.torque;
    e.moment[s.body] += t.torque;
    e.plane_force[plane] += t.force;
  }

  // impactor
  e.impactor_force = {};
  e.impactor_stored = e.impactor_power = e.impactor_lost = T(0);
  for (std::size_t k = 0; k < set.impactor_spheres.size(); ++k) {
    const Sphere& s = d.spheres[set.impactor_spheres[k]];
    const NaturalBody& body = system.bodies()[s.body];
    const Vec3<T> centre = body.combine(s.centre, x.q), apart = centre - element(x.q, impactor);
    const double reach = s.radius + set.impactor_radius;
    if (!(dot(apart, apart) < T(reach * reach))) continue;
    const Vec3<T> velocity = body.combine(s.centre, x.v) - element(x.v, impactor);
    const Touch<T> t =
        touch_sphere(d.contact, reach, history.touch_speed[set.plane_pairs.size() + k], apart, velocity);
    apply(s.body, s.centre, centre, t.force);
    e.impactor_force -= t.force;
    e.impactor_stored += d.contact.energy(-t.gap);
    e.impactor_power -= t.normal * t.rate;
    e.impactor_lost += (t.normal - t.elastic) * t.rate;
  }

  // belts
  for (int k = 0; k < set.payouts(); ++k) {
    const Belt& belt = d.belt[k];
    const NaturalBody& body = system.bodies()[belt.body];
    const Vec3<T> point = body.combine(belt.point, x.q);
    e.belt[k] =
        belt_force(belt, set.belt_rest[k], set.belt_limit, history.taut[k] != 0,
                   point - set.anchor[k].template cast<T>(), body.combine(belt.point, x.v), x.payout[k]);
    apply(belt.body, belt.point, point, e.belt[k].force);
    e.residual[np + k] = x.payout_rate[k] - e.belt[k].payout_rate;
  }

  for (int b = 0; b < bodies; ++b) {
    const NaturalBody& body = system.bodies()[b];
    body.add_force(body.centre(), in.force[b], generalised);
    body.add_torque(e.arms[b], torque[b], generalised);
  }

  // inertia and reactions
  const Vec3<T> base{in.sled.acceleration.x, in.sled.acceleration.y, in.sled.acceleration.z + set.gravity};
  T acceleration[coordinates];
  for (int i = 0; i < elements; ++i) {
    Vec3<T> a = element(x.a, i);
    if (turning) a += turning_acceleration<T>(in.sled, element(x.q, i), element(x.v, i));
    if (system.is_point(i)) a += base;
    acceleration[3 * i] = a.x, acceleration[3 * i + 1] = a.y, acceleration[3 * i + 2] = a.z;
  }
  T* const r = e.residual.data();
  for (int i = 0; i < np; ++i) r[i] = -generalised[i];
  system.add_inertia(acceleration, r);
  system.add_reactions(x.q, x.lambda, r);
  if (set.with_impactor) {
    Vec3<T> a = element(x.a, impactor) + in.sled.acceleration;
    if (turning) a += turning_acceleration<T>(in.sled, element(x.q, impactor), element(x.v, impactor));
    add_to_element(r, impactor, set.impactor_mass * a - e.impactor_force);
  }
  T* const rigid = r + np + set.payouts();
  system.accelerations(x.q, x.v, x.a, rigid);

  // a base that is held: its elements do not accelerate, and it needs no reactions
  if (!set.base_fixed) return;
  for (int i = 0; i < elements; ++i)
    if (d.element_owner[i] == lower_torso)
      for (int axis = 0; axis < 3; ++axis) r[3 * i + axis] = x.a[3 * i + axis];
  for (int k = 0; k < constraints; ++k)
    if (d.constraint_owner[k] == lower_torso) rigid[k] = x.lambda[k];
}

}  // namespace spondyl::human12
