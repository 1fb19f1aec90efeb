#pragma once

#include <algorithm>
#include <limits>

#include "math/dual.h"

/// Laws of contact. Which one is for what, and how much speed each really gives back: README.md.
namespace spondyl {

/// Hunt & Crossley 1975: normal force between two bodies that touch,
///
///     F = K δ^1.5 (1 + D δ')      [N], never below 0
///
/// δ penetration [m], δ' its rate [m/s], K stiffness [N/m^1.5] (Hertz' exponent), D dissipation [s/m]. No
/// memory: a body that enters with speed v leaves with about (1 - 2/3 D v) of it for small D v.
struct HuntCrossley {
  double stiffness = 0, dissipation = 0;

  template <class T>
  T force(const T& penetration, const T& rate) const {
    if (!(penetration > T(0))) return T(0);
    const T f = stiffness * penetration * sqrt(penetration) * (1.0 + dissipation * rate);
    return f > T(0) ? f : T(0);
  }
};

/// Laws of an impact, by the names of those who made them. The order is that of the parameter `contact_law`.
enum class ContactLaw { hertz = 1, kelvin_voigt, hunt_crossley, lankarani_nikravesh, flores };

/// Normal force of a touch that remembers how fast it began (Morais 2011, Eq. 4.29-4.35):
///
///     F = K δ^1.5 (1 + χ δ'/v0)      [N], never below 0
///     χ = 0                          Hertz 1881
///         3/2 (1 - c)                Hunt & Crossley 1975
///         3/4 (1 - c²)               Lankarani & Nikravesh 1990
///         8/5 (1 - c)/c              Flores et al. 2011
///     F = k δ + d δ', never below 0  Kelvin & Voigt
///
/// δ penetration [m], δ' its rate [m/s], K stiffness [N/m^1.5], c coefficient of restitution that the law
/// aims at, v0 speed at the first touch [m/s]: memory of whoever owns the pair, from `touch_speed` at the
/// instant of touching until the pair is apart again. Whether a pair touches is that memory, too: the force
/// of Kelvin & Voigt jumps there, and a solver must not step across.
struct ImpactLaw {
  ContactLaw law = ContactLaw::flores;
  double stiffness = 0, restitution = 1;            ///< K, c
  double linear_stiffness = 0, linear_damping = 0;  ///< k [N/m], d [N s/m] of Kelvin & Voigt
  double smallest_speed = 0;                        ///< v0 is at least this: a touch at rest has a v0, too
  double largest_ratio = std::numeric_limits<double>::infinity();  ///< δ'/v0 counts up to this

  /// χ
  double damping_factor() const {
    const double c = restitution;
    switch (law) {
      case ContactLaw::hunt_crossley:
        return 1.5 * (1 - c);
      case ContactLaw::lankarani_nikravesh:
        return 0.75 * (1 - c * c);
      case ContactLaw::flores:
        return 1.6 * (1 - c) / c;
      case ContactLaw::hertz:
      case ContactLaw::kelvin_voigt:
        break;
    }
    return 0;
  }
  /// v0 for a pair that touches with this rate of penetration.
  double touch_speed(double rate) const { return std::max(rate, smallest_speed); }

  template <class T>
  T elastic(const T& penetration) const {
    if (!(penetration > T(0))) return T(0);
    return law == ContactLaw::kelvin_voigt ? linear_stiffness * penetration
                                           : stiffness * penetration * sqrt(penetration);
  }
  template <class T>
  T force(const T& penetration, const T& rate, double touch_speed) const {
    if (!(penetration > T(0))) return T(0);
    T f;
    if (law == ContactLaw::kelvin_voigt) {
      f = elastic(penetration) + linear_damping * rate;
    } else {
      T ratio = rate / touch_speed;
      if (ratio > T(largest_ratio)) ratio = T(largest_ratio);
      f = elastic(penetration) * (1.0 + damping_factor() * ratio);
    }
    return f > T(0) ? f : T(0);
  }
  /// Its derivative is the elastic force.
  template <class T>
  T energy(const T& penetration) const {
    return (law == ContactLaw::kelvin_voigt ? 0.5 : 0.4) * elastic(penetration) * penetration;
  }
  void scale(double factor) {
    stiffness *= factor;
    linear_stiffness *= factor;
    linear_damping *= factor;
  }
};

/// Coulomb friction, regularised: μ N s/√(s² + s0²) against the sliding speed s. Below s0 it acts like a
/// damper.
struct RegularisedCoulomb {
  double coefficient = 0, speed = 0;

  template <class T>
  T force(const T& normal, const T& sliding) const {
    return -coefficient * normal * sliding / sqrt(sliding * sliding + speed * speed);
  }
};

}  // namespace spondyl
