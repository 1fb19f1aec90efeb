#pragma once

#include <algorithm>

#include "math/smoothstep.h"
#include "math/spatial.h"

namespace spondyl {

/// How two discs touch, Kecskeméthy 2000, "Impact Analysis". Numbers as in the outputs of a model.
enum class FacetCase { open, edge1_on_face2, edge2_on_face1, edge_on_edge, flat };

/// Two circular discs, the end faces of two cylinders, without friction. Where they touch: the cases and the
/// blending of Kecskeméthy 2000, written so that the contact point moves without a jump through every change
/// of case.
///
/// c1, c2 centres, n1, n2 outward normals, r1, r2 radii. n = (n2 - n1)/|n2 - n1| is the mean normal, Δn = n1
/// + n2, w = -Δn/|Δn| the direction in which the discs lean together, c the part of c2 - c1 across n. The
/// touching point P is on the edge of disc 1, of disc 2, or where the edges cross; for parallel discs it is
/// M, the middle of what they share; and between, x = M + (P - M)(1 - exp(-C sin α)), α the angle between the
/// faces, sin α = |Δn| √(1 - |Δn|²/4).
///
/// Penetration along n over x, and its force, on body 1 along +n, at the point midway between the faces:
///
///     u = (c1·n1 + c2·n2 - x·Δn)/(n·n2),     F = fade(c) max(0, F_el(u) + s(u/u_d) b_f u')
///     F_el = F_t (u/u_t)² up to u_t, then F_t + 2 F_t/u_t (u - u_t)
///
/// The fade is a smoothstep over the last `fade` of overlap, r1 + r2 - c. u' is the closing speed along n of
/// the two bodies' points at the contact, so that the damper never gives energy. The mean normal stands for
/// the face's own in every case: the latter would let the force jump by F α. Because of it, and because x
/// moves with α while the discs are nearly flat, F has no exact potential; energy() is that of the law alone.
struct FacetContact {
  double radius1 = 0, radius2 = 0;
  double blending = 0;                                      ///< C
  double fade = 0;                                          ///< m of overlap
  double transition_penetration = 0, transition_force = 0;  ///< u_t, F_t
  double damping = 0, damping_ramp = 0;                     ///< b_f [N s/m], u_d [m]

  template <class T>
  struct Geometry {
    FacetCase touching = FacetCase::open;  ///< where P is; never flat
    Vec3<T> normal{}, point{};             ///< n; midway between the faces over x
    T penetration{};                       ///< u, negative: a gap
    T share{};        ///< of the force that is left by the fade, 0 beyond the last overlap
    T flatness{1.0};  ///< exp(-C sin α): 1 flat, 0 on the edge
  };

  template <class T>
  Geometry<T> geometry(const Vec3<T>& c1, const Vec3<T>& n1, const Vec3<T>& c2, const Vec3<T>& n2) const {
    Geometry<T> g;
    const Vec3<T> apart = n2 - n1, lean = n1 + n2;
    const T facing = dot(apart, apart);
    if (!(value(facing) > turned_away)) return g;
    g.normal = (1.0 / sqrt(facing)) * apart;
    const Vec3<T> between = c2 - c1;
    const Vec3<T> c = between - dot(between, g.normal) * g.normal;
    const T cc = dot(c, c);
    const double r1 = radius1, r2 = radius2;
    if (value(cc) >= (r1 + r2) * (r1 + r2)) return g;

    // lengths only where they are not zero: their slope is not defined there
    const bool shifted = value(cc) > (r1 - r2) * (r1 - r2);
    const T distance = shifted ? T(sqrt(cc)) : T(0);
    const Vec3<T> along = shifted ? (1.0 / distance) * c : Vec3<T>{};
    const T tilt2 = dot(lean, lean);
    const bool tilted = value(tilt2) > parallel;
    const T tilt = tilted ? T(sqrt(tilt2)) : T(0);

    // M, and the two weights: 1 - exp(-C sin α), and the same over |Δn|, whose limit is C
    const Vec3<T> M = shifted ? c1 + (0.5 * (distance + (r1 - r2))) * along : r1 <= r2 ? c1 : c2;
    const T blend = tilted ? T(-expm1(-blending * (tilt * sqrt(1.0 - 0.25 * tilt2)))) : T(0);
    const T per_tilt = tilted ? blend / tilt : T(blending);
    g.flatness = 1.0 - blend;

    // P; conditions and edges multiplied by |Δn|
    const T forward = -dot(lean, c);  // |Δn| w·c
    const T reach1 = (cc + (r1 * r1 - r2 * r2)) / (2 * r1), reach2 = (cc + (r2 * r2 - r1 * r1)) / (2 * r2);
    // parallel discs: only the slope of x depends on the choice, and one within the other leaves none
    const bool on_edge1 = tilted ? forward >= tilt * reach1 : shifted || r1 <= r2;
    Vec3<T> x;
    if (on_edge1) {
      g.touching = FacetCase::edge1_on_face2;
      x = M + blend * (c1 - M) - (r1 * per_tilt) * lean;
    } else if (-forward >= tilt * reach2) {
      g.touching = FacetCase::edge2_on_face1;
      x = M + blend * (c2 - M) - (r2 * per_tilt) * lean;
    } else {
      g.touching = FacetCase::edge_on_edge;
      const T a = 0.5 * (cc + (r1 * r1 - r2 * r2)) / distance, h2 = r1 * r1 - a * a;
      const T h = value(h2) > 0 ? T(sqrt(h2)) : T(0);
      const Vec3<T> side = cross(g.normal, along);
      const Vec3<T> P = c1 + a * along + (value(dot(side, lean)) < 0 ? h : -h) * side;
      x = M + blend * (P - M);
    }

    // over x: the faces are where along n?
    const T across = dot(g.normal, n2);
    const T face1 = -dot(c1 - x, n1) / across, face2 = dot(c2 - x, n2) / across;
    g.penetration = face2 - face1;
    g.point = x + (0.5 * (face1 + face2)) * g.normal;
    g.share = T(1);
    if (value(distance) > r1 + r2 - fade) g.share = smoothstep((r1 + r2 - distance) / fade);
    return g;
  }

  /// F_el(u).
  template <class T>
  T elastic(const T& u) const {
    if (!(u > T(0))) return T(0);
    const T s = u / transition_penetration;
    return s < T(1) ? transition_force * s * s : transition_force * (2.0 * s - 1.0);
  }
  /// Its derivative is F_el(u).
  template <class T>
  T energy(const T& u) const {
    if (!(u > T(0))) return T(0);
    const T s = u / transition_penetration;
    const double scale = transition_force * transition_penetration;
    return s < T(1) ? scale / 3 * s * s * s : scale * (s * s - s + 1.0 / 3);
  }

  template <class T>
  struct Force {
    T elastic{}, total{};  ///< both with the fade
  };
  template <class T>
  Force<T> force(const Geometry<T>& g, const T& closing) const {
    Force<T> f;
    if (!(g.penetration > T(0)) || !(g.share > T(0))) return f;
    f.elastic = elastic(g.penetration);
    f.total = f.elastic + damping * smoothstep(g.penetration / damping_ramp) * closing;
    if (f.total < T(0)) f.total = T(0);
    f.elastic *= g.share;
    f.total *= g.share;
    return f;
  }

  /// Slope of the total force by the closing speed, while it is not cut off at 0.
  double damper(const Geometry<double>& g) const {
    return g.share * damping * smoothstep(g.penetration / damping_ramp);
  }

  /// The case for a reader: flat when the contact point is nearer to M than to P.
  template <class T>
  static FacetCase reported(const Geometry<T>& g, const Force<T>& f) {
    if (!(f.elastic > T(0))) return FacetCase::open;
    return g.flatness > T(0.5) ? FacetCase::flat : g.touching;
  }

 private:
  static constexpr double turned_away = 1e-12;  ///< |n2 - n1|²: faces back to back have no mean normal
  static constexpr double parallel = 1e-60;     ///< |Δn|²: no direction is left in it
};

}  // namespace spondyl
