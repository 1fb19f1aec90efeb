#pragma once

/// A case of a whole-body model for the engines of others: numbers and reference from the file that
/// `human_benchmark --write` makes, all laws of contact, joint limits and belts written anew, the measuring.
/// Uses nothing of src/.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "measuring.h"

namespace peers {

struct V3 {
  double x = 0, y = 0, z = 0;
};
inline V3 operator+(const V3& a, const V3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline V3 operator-(const V3& a, const V3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline V3 operator*(double s, const V3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(const V3& a, const V3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double norm(const V3& a) { return std::sqrt(dot(a, a)); }
inline V3 cross(const V3& a, const V3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Unit quaternion, real part first.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
};
inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quaternion inverse(const Quaternion& q) { return {q.w, -q.x, -q.y, -q.z}; }
inline V3 rotate(const Quaternion& q, const V3& v) {
  const V3 e{q.x, q.y, q.z}, t = 2 * cross(e, v);
  return v + q.w * t + cross(e, t);
}

/// Where a body is and how it moves: centre of mass, axes of the body as columns, all in the world.
struct BodyState {
  V3 position, axis_x, axis_y, axis_z, velocity, omega;

  V3 to_world(const V3& v) const { return v.x * axis_x + v.y * axis_y + v.z * axis_z; }
  V3 to_body(const V3& v) const { return {dot(axis_x, v), dot(axis_y, v), dot(axis_z, v)}; }
  V3 velocity_at(const V3& arm) const { return velocity + cross(omega, arm); }
};

/// About the centre of mass, in world axes.
struct Wrench {
  V3 force, moment;
};

enum class JointType { free, ball, hinge };

/// A torque that grows from 0 at the limit to its full size over the transition: 3 s² - 2 s³.
struct Stop {
  double transition = 1, moment = 0;

  double torque(double excess) const {
    if (excess <= 0) return 0;
    const double s = std::min(1.0, excess / transition);
    return moment * s * s * (3 - 2 * s);
  }
};

/// The range of a ball joint: how far the limb leans from the axis, by a periodic cubic spline of where it
/// leans to.
class Cone {
 public:
  static constexpr double quarter = 1.5707963267948966, degree = quarter / 90;

  Cone() = default;
  Cone(const V3& axis, const V3& e1, const V3& e2, const V3& limb, const std::array<double, 4>& limit,
       const Stop& stop)
      : axis_(axis), e1_(e1), e2_(e2), limb_(limb), limit_(limit), stop_(stop) {
    // slopes at the four knots: m_(i-1) + 4 m_i + m_(i+1) = 3 (f_(i+1) - f_(i-1)), solved by iteration
    for (int sweep = 0; sweep < 60; ++sweep)
      for (int i = 0; i < 4; ++i)
        slope_[i] =
            (3 * (limit[(i + 1) % 4] - limit[(i + 3) % 4]) - slope_[(i + 1) % 4] - slope_[(i + 3) % 4]) / 4;
    double lowest = limit[0];
    for (int k = 0; k < 3600; ++k) lowest = std::min(lowest, limit_at(0.1 * degree * k));
    harmless_ = std::cos(std::max(degree, lowest - 0.1 * degree));
  }

  const V3& limb() const { return limb_; }
  /// Torque on the child for the direction of its limb, both in the parent's axes.
  V3 torque(const V3& limb) const {
    const double cosine = dot(limb, axis_);
    if (cosine > harmless_) return {};
    const V3 normal = cross(limb, axis_);
    const double sine = norm(normal);
    if (sine < 1e-9) return {};
    double longitude = std::atan2(dot(limb, e2_), dot(limb, e1_));
    if (longitude < 0) longitude += 4 * quarter;
    const double excess = std::atan2(sine, cosine) - std::max(degree, limit_at(longitude));
    return (stop_.torque(excess) / sine) * normal;
  }

 private:
  /// For a longitude from 0 to a full turn.
  double limit_at(double longitude) const {
    const double place = longitude / quarter;
    const int i = std::min(3, static_cast<int>(place)), next = (i + 1) % 4;
    const double s = place - i, r = 1 - s;
    return r * r * (1 + 2 * s) * limit_[i] + s * s * (1 + 2 * r) * limit_[next] +
           s * r * (r * slope_[i] - s * slope_[next]);
  }

  V3 axis_, e1_, e2_, limb_;
  std::array<double, 4> limit_{}, slope_{};
  Stop stop_;
  double harmless_ = -2;  ///< cosine of a lean that no direction forbids
};

struct HingeRange {
  double low = 0, high = 0;
  Stop stop;

  double torque(double angle) const { return stop.torque(low - angle) - stop.torque(angle - high); }
};

/// Frames are parallel in the reference posture and sit in the centres of mass. Hinges turn about y.
struct Body {
  std::string name;
  int parent = -1;
  JointType joint = JointType::free;
  double mass = 0;
  V3 inertia, joint_in_parent, joint_in_child;
  double damping = 0;
  Cone cone;
  HingeRange range;
  V3 start;
  Quaternion start_turn;
};

struct Plane {
  V3 point, normal;
};

/// Something that acts only on one side of a surface in the space of positions: a touch or a taut belt.
struct Switch {
  bool on = false;
  double touch_speed = 0;
};

/// How far a switch is from acting, negative while it acts, and how fast it comes closer.
struct Approach {
  double gap, rate;
};

/// An ellipsoid on a plane: F = n max(0, Kn δ - Cn v·n) - Kt v_t.
struct EllipsoidTouch {
  int body;
  Plane plane;
  V3 centre, square;  ///< squares of the semi-axes
  double Kn, Cn, Kt;

  V3 arm(const BodyState& b) const {
    const V3 n = b.to_body(plane.normal), q{square.x * n.x, square.y * n.y, square.z * n.z};
    return b.to_world(centre - (1 / std::sqrt(dot(n, q))) * q);
  }
  Approach approach(const BodyState& b) const {
    const V3 r = arm(b);
    return {dot(plane.normal, b.position + r - plane.point), -dot(plane.normal, b.velocity_at(r))};
  }
  void act(const BodyState& b, Wrench& w) const {
    const V3 r = arm(b), v = b.velocity_at(r);
    const double gap = dot(plane.normal, b.position + r - plane.point), away = dot(plane.normal, v);
    const V3 f = (std::max(0.0, -Kn * gap - Cn * away) + Kt * away) * plane.normal - Kt * v;
    w.force = w.force + f;
    w.moment = w.moment + cross(r, f);
  }
};

/// The normal force of Lankarani & Nikravesh, the ratio of closing speed to touch speed counted up to 1.
struct Impact {
  double stiffness = 0, factor = 0, smallest_speed = 0;

  double force(double gap, double rate, double touch_speed) const {
    if (gap >= 0) return 0;
    const double ratio = std::min(1.0, rate / std::max(touch_speed, smallest_speed));
    return stiffness * -gap * std::sqrt(-gap) * std::max(0.0, 1 + factor * ratio);
  }
};

/// A sphere on a plane, with regularised Coulomb friction at its lowest point.
struct SphereTouch {
  int body;
  Plane plane;
  V3 centre;
  double radius;
  Impact law;
  double friction, friction_speed;

  V3 arm(const BodyState& b) const { return b.to_world(centre) - radius * plane.normal; }
  Approach approach(const BodyState& b) const {
    const V3 r = arm(b);
    return {dot(plane.normal, b.position + r - plane.point), -dot(plane.normal, b.velocity_at(r))};
  }
  void act(const BodyState& b, double touch_speed, Wrench& w) const {
    const V3 r = arm(b), v = b.velocity_at(r);
    const double away = dot(plane.normal, v);
    const double normal = law.force(dot(plane.normal, b.position + r - plane.point), -away, touch_speed);
    const V3 slip = v - away * plane.normal;
    const V3 f = normal * plane.normal -
                 (friction * normal / std::sqrt(dot(slip, slip) + friction_speed * friction_speed)) * slip;
    w.force = w.force + f;
    w.moment = w.moment + cross(r, f);
  }
};

/// A free sphere without weight and rotation.
struct Impactor {
  double mass = 0, radius = 0;
  V3 start, start_velocity;
};

struct ImpactorTouch {
  int body;
  V3 centre;
  double reach;
  Impact law;

  Approach approach(const BodyState& b, const BodyState& impactor) const {
    const V3 r = b.to_world(centre), apart = b.position + r - impactor.position;
    const double distance = norm(apart);
    return {distance - reach, -dot(apart, b.velocity_at(r) - impactor.velocity) / distance};
  }
  void act(const BodyState& b, const BodyState& impactor, double touch_speed, Wrench& w,
           Wrench& on_impactor) const {
    const V3 r = b.to_world(centre), apart = b.position + r - impactor.position;
    const double distance = norm(apart), rate = -dot(apart, b.velocity_at(r) - impactor.velocity) / distance;
    const V3 f = (law.force(distance - reach, rate, touch_speed) / distance) * apart;
    w.force = w.force + f;
    w.moment = w.moment + cross(r, f);
    on_impactor.force = on_impactor.force - f;
  }
};

/// A straight spring with a damper, tension only.
struct Belt {
  int body;
  V3 point, anchor;
  double stiffness, damping, rest;

  Approach approach(const BodyState& b) const {
    const V3 r = b.to_world(point), span = b.position + r - anchor;
    const double length = norm(span);
    return {rest - length, dot(span, b.velocity_at(r)) / length};
  }
  void act(const BodyState& b, Wrench& w) const {
    const V3 r = b.to_world(point), span = b.position + r - anchor;
    const double length = norm(span), rate = dot(span, b.velocity_at(r)) / length;
    const V3 f = (-std::max(0.0, stiffness * (length - rest) + damping * rate) / length) * span;
    w.force = w.force + f;
    w.moment = w.moment + cross(r, f);
  }
};

struct HumanCase {
  static constexpr double touching_from = 1e-9;  ///< m; nearer at the start is a touch

  std::string name;
  double gravity = 0, end = 0;
  std::string pulse_shape = "none";
  double pulse_peak = 0, pulse_duration = 1;
  std::vector<Body> bodies;
  std::vector<EllipsoidTouch> ellipsoids;
  std::vector<SphereTouch> spheres;
  bool with_impactor = false;
  Impactor impactor;
  std::vector<ImpactorTouch> impacts;
  std::vector<Belt> belts;
  std::vector<std::vector<V3>> reference;  ///< centres of mass at equal parts of 0..end

  explicit HumanCase(const std::string& file) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) read(line, file);
    if (bodies.empty() || reference.size() < 2) throw std::runtime_error("no case in " + file);
    for (int i = 0; i < size(); ++i)
      if (bodies[i].parent >= i) throw std::runtime_error(file + ": a body must stand behind its parent");
  }

  int size() const { return static_cast<int>(bodies.size()); }
  int grid() const { return static_cast<int>(reference.size()) - 1; }
  double grid_time(int k) const { return end * k / grid(); }

  /// Of the sled, along x.
  double pulse(double t) const {
    const double s = t / pulse_duration;
    if (pulse_shape == "none" || s <= 0 || s >= 1) return 0;
    return pulse_shape == "triangle" ? 2 * pulse_peak * std::min(s, 1 - s)
                                     : pulse_peak * std::sin(2 * Cone::quarter * s);
  }
  /// Where it has corners, and the end.
  std::vector<double> corners() const {
    std::vector<double> all;
    if (pulse_shape == "triangle") all.push_back(0.5 * pulse_duration);
    if (pulse_shape != "none" && pulse_duration < end) all.push_back(pulse_duration);
    all.push_back(end);
    return all;
  }

  // -- the start, from poses to joints

  Quaternion joint_turn(int i) const {
    return bodies[i].parent < 0 ? bodies[i].start_turn
                                : inverse(bodies[bodies[i].parent].start_turn) * bodies[i].start_turn;
  }
  double hinge_angle(int i) const {
    const Quaternion q = joint_turn(i);
    return 2 * std::atan2(q.y, q.w);
  }

  // -- forces. `state`: of the bodies, then of the impactor, if there is one; so `wrench`.

  int switches() const {
    return static_cast<int>(ellipsoids.size() + spheres.size() + impacts.size() + belts.size());
  }
  Approach approach(int k, const BodyState* state) const {
    int i = k;
    if (i < static_cast<int>(ellipsoids.size())) return ellipsoids[i].approach(state[ellipsoids[i].body]);
    i -= static_cast<int>(ellipsoids.size());
    if (i < static_cast<int>(spheres.size())) return spheres[i].approach(state[spheres[i].body]);
    i -= static_cast<int>(spheres.size());
    if (i < static_cast<int>(impacts.size()))
      return impacts[i].approach(state[impacts[i].body], state[size()]);
    i -= static_cast<int>(impacts.size());
    return belts[i].approach(state[belts[i].body]);
  }
  /// The body that a switch acts on.
  int body_of(int k) const {
    int i = k;
    if (i < static_cast<int>(ellipsoids.size())) return ellipsoids[i].body;
    i -= static_cast<int>(ellipsoids.size());
    if (i < static_cast<int>(spheres.size())) return spheres[i].body;
    i -= static_cast<int>(spheres.size());
    if (i < static_cast<int>(impacts.size())) return impacts[i].body;
    return belts[i - impacts.size()].body;
  }
  /// At the start: who overlaps, and who just touches and closes.
  void start(const BodyState* state, std::vector<Switch>& s) const {
    s.assign(switches(), {});
    for (int k = 0; k < switches(); ++k) {
      const Approach a = approach(k, state);
      if (a.gap < -touching_from)
        s[k] = {true, 0};
      else if (a.gap <= touching_from && a.rate > 0)
        s[k] = {true, a.rate};
    }
  }
  /// On a surface: on or off as it moves.
  static void turn(Switch& s, double rate) { s = {!s.on, s.on ? 0 : rate}; }

  /// Adds what the touches and belts that are on do. Returns false if none is.
  bool act(const std::vector<Switch>& s, const BodyState* state, Wrench* wrench) const {
    bool any = false;
    const Switch* next = s.data();
    for (const EllipsoidTouch& t : ellipsoids)
      if (next++->on) t.act(state[t.body], wrench[t.body]), any = true;
    for (const SphereTouch& t : spheres) {
      const Switch& own = *next++;
      if (own.on) t.act(state[t.body], own.touch_speed, wrench[t.body]), any = true;
    }
    for (const ImpactorTouch& t : impacts) {
      const Switch& own = *next++;
      if (own.on)
        t.act(state[t.body], state[size()], own.touch_speed, wrench[t.body], wrench[size()]), any = true;
    }
    for (const Belt& b : belts)
      if (next++->on) b.act(state[b.body], wrench[b.body]), any = true;
    return any;
  }

  // -- the result

  /// Greatest distance of any body from the reference, on the grid.
  double error(const std::vector<std::vector<V3>>& positions) const {
    double worst = 0;
    for (std::size_t g = 0; g < reference.size(); ++g)
      for (int i = 0; i < size(); ++i) {
        const double d = norm(positions[g][i] - reference[g][i]);
        worst = std::max(worst, std::isfinite(d) ? d : INFINITY);
      }
    return worst;
  }
  /// One line of the table.
  void print(const std::string& engine, const std::string& setting, double seconds, long steps,
             double error) const {
    std::printf("\"%s\",%g,\"%s\",\"%s\",%.4e,%ld,%.3e\n", name.c_str(), end, engine.c_str(), setting.c_str(),
                seconds, steps, error);
    std::fflush(stdout);
  }

 private:
  void read(const std::string& line, const std::string& file) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    const auto vector = [&](V3& v) { words >> v.x >> v.y >> v.z; };
    const auto impact = [&](Impact& law) {
      double restitution;
      words >> law.stiffness >> restitution >> law.smallest_speed;
      law.factor = 0.75 * (1 - restitution * restitution);
    };
    if (kind == "case") {
      std::getline(words >> std::ws, name);
    } else if (kind == "gravity") {
      words >> gravity;
    } else if (kind == "end") {
      words >> end;
    } else if (kind == "pulse") {
      words >> pulse_shape >> pulse_peak >> pulse_duration;
    } else if (kind == "body") {
      Body b;
      std::string joint;
      words >> b.name >> b.parent >> joint >> b.mass;
      b.joint = joint == "free" ? JointType::free : joint == "ball" ? JointType::ball : JointType::hinge;
      vector(b.inertia), vector(b.joint_in_parent), vector(b.joint_in_child);
      words >> b.damping;
      vector(b.start);
      words >> b.start_turn.w >> b.start_turn.x >> b.start_turn.y >> b.start_turn.z;
      bodies.push_back(b);
    } else if (kind == "cone") {
      int body;
      V3 axis, e1, e2, limb;
      std::array<double, 4> limit;
      Stop stop;
      words >> body;
      vector(axis), vector(e1), vector(e2), vector(limb);
      for (double& angle : limit) words >> angle;
      words >> stop.transition >> stop.moment;
      if (words) bodies.at(body).cone = Cone(axis, e1, e2, limb, limit, stop);
    } else if (kind == "range") {
      int body;
      HingeRange r;
      words >> body >> r.low >> r.high >> r.stop.transition >> r.stop.moment;
      if (words) bodies.at(body).range = r;
    } else if (kind == "ellipsoid") {
      EllipsoidTouch t;
      words >> t.body;
      vector(t.plane.point), vector(t.plane.normal), vector(t.centre), vector(t.square);
      t.square = {t.square.x * t.square.x, t.square.y * t.square.y, t.square.z * t.square.z};
      words >> t.Kn >> t.Cn >> t.Kt;
      ellipsoids.push_back(t);
    } else if (kind == "sphere") {
      SphereTouch t;
      words >> t.body;
      vector(t.plane.point), vector(t.plane.normal), vector(t.centre);
      words >> t.radius;
      impact(t.law);
      words >> t.friction >> t.friction_speed;
      spheres.push_back(t);
    } else if (kind == "impactor") {
      with_impactor = true;
      words >> impactor.mass >> impactor.radius;
      vector(impactor.start), vector(impactor.start_velocity);
    } else if (kind == "impact") {
      ImpactorTouch t;
      double radius;
      words >> t.body;
      vector(t.centre);
      words >> radius;
      t.reach = radius + impactor.radius;
      impact(t.law);
      impacts.push_back(t);
    } else if (kind == "belt") {
      Belt b;
      words >> b.body;
      vector(b.point), vector(b.anchor);
      words >> b.stiffness >> b.damping >> b.rest;
      belts.push_back(b);
    } else if (kind == "reference") {
      std::vector<V3> all(bodies.size());
      for (V3& x : all) vector(x);
      reference.push_back(all);
    }
    if (!words) throw std::runtime_error("cannot read in " + file + ": " + line);
  }
};

}  // namespace peers
