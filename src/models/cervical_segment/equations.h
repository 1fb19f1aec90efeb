#pragma once

/// The equations of C5 on C6, written once for any scalar: plain numbers for the residual, dual numbers for
/// derivatives. Numbers of equations are those of Kecskeméthy, Lange & Grabner 2000.

#include "models/cervical_segment/data.h"

namespace spondyl::cervical_segment {

/// What acts on C5 from outside, in the axes of C6; the force at the disc's point.
template <class T>
struct Load {
  Vec3<T> force, moment;
};

template <class T>
struct LigamentForce {
  T length, rate;
  Vec3<T> direction;  ///< of unit length, from C6 to C5
  ThreePieceLigament::Tension<T> tension;
};

template <class T>
struct FacetForce {
  FacetContact::Geometry<T> geometry;
  FacetContact::Force<T> force;
  T closing{};  ///< speed along the normal
};

/// Everything between C6 and C5 at one instant. Forces and moments are those on C5.
template <class T>
struct Forces {
  Vec3<T> disc_point;               ///< from C5's centre of mass
  Vec3<T> disc_velocity;            ///< of that point against C6
  Vec3<T> displacement, rotation;   ///< t and φ of Eq. 1
  Vec3<T> disc_force, disc_moment;  ///< spring and damper, the moment about the disc's point
  std::array<LigamentForce<T>, ligaments> ligament;
  std::array<FacetForce<T>, facets> facet;
  Vec3<T> force, moment;  ///< of all together, about C5's centre of mass
};

/// `m` is C5's motion against C6.
template <class T>
[[gnu::always_inline]] inline void evaluate_forces(const Data& d, const SpatialBody::Motion<T>& m,
                                                   Forces<T>& f) {
  // C5's axes in the posture of the data, as they are now
  const Vec3<T> ex = rotate(m.turn, {T(1), T(0), T(0)}), ey = rotate(m.turn, {T(0), T(1), T(0)}),
                ez = cross(ex, ey);
  const auto turned = [&](const Vec3<double>& p) { return p.x * ex + p.y * ey + p.z * ez; };
  // displacement of a point of C5, so written that it is exactly zero in the posture of the data
  const Vec3<T> shift = m.position - d.body.home.template cast<T>();
  const auto moved = [&](const Vec3<double>& home_arm, const Vec3<T>& arm) {
    return shift + (arm - home_arm.template cast<T>());
  };
  const auto velocity = [&](const Vec3<T>& arm) { return m.velocity + cross(m.omega, arm); };
  const auto act = [&](const Vec3<T>& arm, const Vec3<T>& force) {
    f.force += force;
    f.moment += cross(arm, force);
  };

  // disc (Eq. 1)
  const DiscBushing& disc = d.disc.law;
  f.disc_point = turned(d.disc.point);
  f.disc_velocity = velocity(f.disc_point);
  f.displacement = moved(d.disc.point, f.disc_point);
  f.rotation = rotation_vector(m.turn);
  f.disc_force = -disc.spring(f.displacement) - disc.damping * f.disc_velocity;
  f.disc_moment = -disc.rotational_spring(f.rotation) - disc.rotational_damping * m.omega;
  f.force = f.disc_force;
  f.moment = f.disc_moment + cross(f.disc_point, f.disc_force);

  // ligaments
  for (int i = 0; i < ligaments; ++i) {
    const Data::Ligament& l = d.ligament[i];
    LigamentForce<T>& to = f.ligament[i];
    const Vec3<T> arm = turned(l.upper), span = l.span.template cast<T>() + moved(l.upper, arm);
    to.length = length(span);
    to.direction = (1.0 / to.length) * span;
    to.rate = dot(to.direction, velocity(arm));
    to.tension = l.law.tension(to.length, to.rate);
    if (to.tension.total > T(0)) act(arm, -to.tension.total * to.direction);
  }

  // facets: disc 1 on C5, disc 2 on C6
  for (int i = 0; i < facets; ++i) {
    const Data::Facet& l = d.facet[i];
    FacetForce<T>& to = f.facet[i];
    to.geometry =
        l.law.geometry(l.home.template cast<T>() + moved(l.upper, turned(l.upper)), turned(l.upper_normal),
                       l.lower.template cast<T>(), l.lower_normal.template cast<T>());
    to.closing = T(0);
    to.force = {};
    if (!(to.geometry.penetration > T(0))) continue;
    const Vec3<T> arm = to.geometry.point - m.position;
    to.closing = -dot(to.geometry.normal, velocity(arm));
    to.force = l.law.force(to.geometry, to.closing);
    act(arm, to.force.total * to.geometry.normal);
  }
}

/// What the elements store; the work of facets and of the disc's moment is not all in it.
template <class T>
T elastic_energy(const Data& d, const Forces<T>& f) {
  T energy = d.disc.law.energy(f.displacement, f.rotation);
  for (int i = 0; i < ligaments; ++i) energy += d.ligament[i].law.energy(f.ligament[i].tension.strain);
  for (int i = 0; i < facets; ++i) {
    const FacetContact::Geometry<T>& g = f.facet[i].geometry;
    energy += g.share * d.facet[i].law.energy(g.penetration);
  }
  return energy;
}

/// Heat that the dampers make each second.
template <class T>
T dissipation(const Data& d, const SpatialBody::Motion<T>& m, const Forces<T>& f) {
  T power = d.disc.law.damping * dot(f.disc_velocity, f.disc_velocity) +
            d.disc.law.rotational_damping * dot(m.omega, m.omega);
  for (const LigamentForce<T>& l : f.ligament) power += (l.tension.total - l.tension.elastic) * l.rate;
  for (const FacetForce<T>& c : f.facet) power += (c.force.total - c.force.elastic) * c.closing;
  return power;
}

/// Work each second of the elastic forces that what they store does not account for: of the facets and of the
/// disc's moment.
inline double non_potential_power(const Data& d, const SpatialBody::Motion<double>& m,
                                  const Forces<double>& f) {
  using D = Dual<1>;
  const auto moving = [](const Vec3<double>& x, const Vec3<double>& rate) {
    Vec3<D> out = x.cast<D>();
    out.x.d[0] = rate.x, out.y.d[0] = rate.y, out.z.d[0] = rate.z;
    return out;
  };
  // disc: φ' is not ω
  EulerParameters<D> turn{D(m.turn.w), D(m.turn.x), D(m.turn.y), D(m.turn.z)};
  const EulerParameters<double> rate = EulerParameters<double>{0, m.omega.x, m.omega.y, m.omega.z} * m.turn;
  turn.w.d[0] = 0.5 * rate.w, turn.x.d[0] = 0.5 * rate.x;
  turn.y.d[0] = 0.5 * rate.y, turn.z.d[0] = 0.5 * rate.z;
  const Vec3<D> phi = rotation_vector(turn);
  const Vec3<double> phi_rate{phi.x.d[0], phi.y.d[0], phi.z.d[0]};
  double power = dot(d.disc.law.rotational_spring(f.rotation), phi_rate - m.omega);
  // facets: the penetration changes by more than the closing speed
  for (int i = 0; i < facets; ++i) {
    const FacetForce<double>& c = f.facet[i];
    if (!(c.force.elastic > 0)) continue;
    const Data::Facet& l = d.facet[i];
    const Vec3<double> arm = rotate(m.turn, l.upper), normal = rotate(m.turn, l.upper_normal);
    const auto g =
        l.law.geometry(moving(m.position + arm, m.velocity + cross(m.omega, arm)),
                       moving(normal, cross(m.omega, normal)), l.lower.cast<D>(), l.lower_normal.cast<D>());
    power += (g.share * l.law.energy(g.penetration)).d[0] - c.force.elastic * c.closing;
  }
  return power;
}

/// Everything at one instant, with the residual of the equations of motion.
template <class T>
struct Evaluation {
  SpatialBody::Motion<T> motion;
  Vec3<T> alpha;  ///< angular acceleration against C6
  Forces<T> forces;
  std::array<T, SpatialBody::coordinates> residual;
};

template <class T>
[[gnu::always_inline]] inline void evaluate(const Data& d, const Load<T>& load, const FrameMotion<T>& frame,
                                            const T* q, const T* v, const T* a, Evaluation<T>& e) {
  e.motion = d.body.motion(q, v);
  e.alpha = SpatialBody::angular_acceleration(q, v, a);
  evaluate_forces(d, e.motion, e.forces);
  const SpatialBody::Needed<T> needed = d.body.needed(e.motion, {a[0], a[1], a[2]}, e.alpha, frame);
  const Vec3<T> force = needed.force - e.forces.force - load.force;
  const Vec3<T> moment =
      needed.moment - e.forces.moment - load.moment - cross(e.forces.disc_point, load.force);
  e.residual = {
      force.x, force.y, force.z, moment.x, moment.y, moment.z, SpatialBody::length_equation(q, v, a)};
}

/// A motion whose position and rotation (about the point that moves with the position) are the variables, in
/// the axes of C6.
template <class S>
SpatialBody::Motion<Dual<6, S>> varied(const SpatialBody::Motion<S>& m) {
  using D = Dual<6, S>;
  SpatialBody::Motion<D> out{
      m.position.template cast<D>(), m.velocity.template cast<D>(), {}, m.omega.template cast<D>()};
  out.turn = {D(m.turn.w), D(m.turn.x), D(m.turn.y), D(m.turn.z)};
  out.position.x.d[0] = out.position.y.d[1] = out.position.z.d[2] = 1;
  // δp = ½ (0, δθ) ∘ p
  for (int k = 0; k < 3; ++k) {
    const EulerParameters<S> axis{S(0), S(k == 0 ? 0.5 : 0), S(k == 1 ? 0.5 : 0), S(k == 2 ? 0.5 : 0)};
    const EulerParameters<S> change = axis * m.turn;
    out.turn.w.d[3 + k] = change.w;
    out.turn.x.d[3 + k] = change.x;
    out.turn.y.d[3 + k] = change.y;
    out.turn.z.d[3 + k] = change.z;
  }
  return out;
}

/// The slopes of force and moment of all that acts on C5, the lever of the load included, at the motion for
/// which `f` was evaluated: laws of one length by their own slopes, contact by dual numbers in the pose.
inline SpatialBody::LoadSlopes slopes(const Data& d, const SpatialBody::Motion<double>& m,
                                      const Forces<double>& f, const Vec3<double>& load) {
  using V = Vec3<double>;
  SpatialBody::LoadSlopes out;

  // disc: a force at its point with slopes along the axes, the load there, and the moment
  const DiscBushing& disc = d.disc.law;
  const auto side = [](const DiscBushing::Stiffness& k, double x) { return x < 0 ? k.negative : k.positive; };
  const double b = disc.damping;
  const V t = f.displacement;
  out.add_point_force(f.disc_point, f.disc_force + load, m.omega,
                      {V{-side(disc.x, t.x), 0, 0}, V{0, -side(disc.y, t.y), 0}, V{0, 0, -side(disc.z, t.z)}},
                      {V{-b, 0, 0}, V{0, -b, 0}, V{0, 0, -b}});
  using D3 = Dual<3>;
  EulerParameters<D3> turn{D3(m.turn.w), D3(m.turn.x), D3(m.turn.y), D3(m.turn.z)};
  for (int k = 0; k < 3; ++k) {
    const EulerParameters<double> axis{0, k == 0 ? 0.5 : 0, k == 1 ? 0.5 : 0, k == 2 ? 0.5 : 0};
    const EulerParameters<double> change = axis * m.turn;
    turn.w.d[k] = change.w, turn.x.d[k] = change.x, turn.y.d[k] = change.y, turn.z.d[k] = change.z;
  }
  const Vec3<D3> spring = disc.rotational_spring(rotation_vector(turn));
  for (int k = 0; k < 3; ++k) {
    out.add(3 + k, {}, {}, {-spring.x.d[k], -spring.y.d[k], -spring.z.d[k]});
    out.of[3 + k][9 + k] -= disc.rotational_damping;
  }

  // ligaments: F = -T(l, l') e, with e the direction and v the velocity of the end on C5
  for (int i = 0; i < ligaments; ++i) {
    const LigamentForce<double>& l = f.ligament[i];
    if (!(l.tension.total > 0)) continue;
    using D2 = Dual<2>;
    const D2 T = d.ligament[i].law.tension(D2::variable(l.length, 0), D2::variable(l.rate, 1)).total;
    const V arm = rotate(m.turn, d.ligament[i].upper), e = l.direction;
    const V across = (1 / l.length) * (m.velocity + cross(m.omega, arm) - l.rate * e);  // l' by the place
    const double per = T.v / l.length;
    const V by_place = (T.d[0] - per) * e + T.d[1] * across, by_velocity = T.d[1] * e;
    out.add_point_force(
        arm, -T.v * e, m.omega,
        {-e.x * by_place - V{per, 0, 0}, -e.y * by_place - V{0, per, 0}, -e.z * by_place - V{0, 0, per}},
        {-e.x * by_velocity, -e.y * by_velocity, -e.z * by_velocity});
  }

  // facets: by the pose, and the damper along the normal by the velocities
  for (int i = 0; i < facets; ++i) {
    const FacetForce<double>& c = f.facet[i];
    if (!(c.force.total > 0)) continue;
    using D = Dual<6>;
    const Data::Facet& l = d.facet[i];
    const SpatialBody::Motion<D> moved = varied(m);
    const Vec3<D> ex = rotate(moved.turn, {D(1), D(0), D(0)}), ey = rotate(moved.turn, {D(0), D(1), D(0)}),
                  ez = cross(ex, ey);
    const auto turned = [&](const V& p) { return p.x * ex + p.y * ey + p.z * ez; };
    const auto g = l.law.geometry(moved.position + turned(l.upper), turned(l.upper_normal), l.lower.cast<D>(),
                                  l.lower_normal.cast<D>());
    const Vec3<D> arm = g.point - moved.position;
    const D closing = -dot(g.normal, moved.velocity + cross(moved.omega, arm));
    const Vec3<D> force = l.law.force(g, closing).total * g.normal, moment = cross(arm, force);
    for (int k = 0; k < 6; ++k)
      out.add(k, {force.x.d[k], force.y.d[k], force.z.d[k]}, {},
              {moment.x.d[k], moment.y.d[k], moment.z.d[k]});
    const V n = c.geometry.normal, lever = c.geometry.point - m.position;
    const V damper = (-l.law.damper(c.geometry)) * n;
    for (int k = 0; k < 3; ++k) {
      const V e{double(k == 0), double(k == 1), double(k == 2)};
      out.add(6 + k, dot(n, e) * damper, lever);
      out.add(9 + k, dot(n, cross(e, lever)) * damper, lever);
    }
  }
  return out;
}

}  // namespace spondyl::cervical_segment
