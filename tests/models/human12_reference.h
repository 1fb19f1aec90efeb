#pragma once

/// The man of Human12 by another formulation, written from the definition of the model alone.

#include "models/human12_reference_data.h"
#include "models/reference_bodies.h"

namespace spondyl::testing::of_human12 {

class ReferenceHuman : public ReferenceBodies {
 public:
  struct Plane {
    V3 point, normal;
    std::vector<int> spheres;
  };
  std::vector<Plane> planes;
  bool belted = false;

  ReferenceHuman() : ReferenceBodies(reference_links) {}

  /// Another free body: a ball that the belly feels.
  explicit ReferenceHuman(double striker_mass, double striker_radius)
      : ReferenceBodies(with_striker(striker_mass)), striker_radius_(striker_radius) {}
  Body& striker() { return body[people]; }

  double belt_length(int k) const {
    const ReferenceBelt& b = reference_belts[k];
    return (end_of(b) - vec(b.anchor)).norm();
  }

 private:
  static constexpr int people = 12, belly = 2;
  static constexpr double stiffness = 200000, restitution = 0.3, friction = 0.5, friction_speed = 0.1,
                          slowest = 0.1;

  static std::vector<Link> with_striker(double mass) {
    std::vector<Link> all = reference_links;
    Link ball{};
    ball.name = "striker", ball.parent = -1, ball.mass = mass, ball.inertia = V3::Ones();
    ball.has_weight = false;
    all.push_back(ball);
    return all;
  }
  bool has_striker() const { return size() > people; }

  V3 centre(int sphere) const {
    return place(reference_spheres[sphere].body, vec(reference_spheres[sphere].centre));
  }
  /// The belt's end on the torso: its place in the reference posture less that of the centre of mass.
  V3 end_of(const ReferenceBelt& belt) const {
    const V3 centre_of_mass = belt.body == 0 ? V3(0, 0, 0.132) : V3(0, 0, 0.414);
    return place(belt.body, vec(belt.point) - centre_of_mass);
  }

  /// Penetration, its rate, and where the force acts, of a pair: planes first, then belts, then the striker.
  struct Touch {
    double depth, rate;
    V3 normal, at;
  };
  Touch with_plane(const Plane& plane, int sphere) const {
    const ReferenceSphere& s = reference_spheres[sphere];
    const V3 at = centre(sphere) - s.radius * plane.normal;
    return {-(at - plane.point).dot(plane.normal), -speed(s.body, at).dot(plane.normal), plane.normal, at};
  }
  Touch with_striker_ball() const {
    const ReferenceSphere& s = reference_spheres[belly];
    const V3 ball = body[people].x, between = centre(belly) - ball, n = between.normalized();
    const double depth = s.radius + striker_radius_ - between.norm();
    const V3 at = ball + (striker_radius_ - depth / 2) * n;
    return {depth, -(speed(s.body, at) - body[people].v).dot(n), n, at};
  }

  Flags touching() const override {
    Flags flags;
    for (const Plane& plane : planes)
      for (const int s : plane.spheres) flags.push_back(with_plane(plane, s).depth > 0);
    if (belted)
      for (std::size_t k = 0; k < reference_belts.size(); ++k)
        flags.push_back(belt_length(static_cast<int>(k)) > reference_belts[k].rest_length);
    if (has_striker()) flags.push_back(with_striker_ball().depth > 0);
    return flags;
  }

  /// What touches at the start counts as touched slowly, the striker as it comes.
  void begin() override {
    first_speed_.assign(touching().size(), slowest);
    if (has_striker()) first_speed_.back() = std::max(slowest, with_striker_ball().rate);
  }
  void touched(int pair, bool now) override {
    if (!now) return;
    int k = 0;
    for (const Plane& plane : planes)
      for (const int s : plane.spheres)
        if (k++ == pair) first_speed_[pair] = std::max(slowest, with_plane(plane, s).rate);
    if (has_striker() && pair + 1 == static_cast<int>(first_speed_.size()))
      first_speed_[pair] = std::max(slowest, with_striker_ball().rate);
  }

  double normal_force(int pair, const Touch& touch) const {
    const double factor =
        1 + 0.75 * (1 - restitution * restitution) * std::min(1.0, touch.rate / first_speed_[pair]);
    return stiffness * std::pow(std::max(0.0, touch.depth), 1.5) * std::max(0.0, factor);
  }

  void push_all() override {
    int pair = 0;
    for (const Plane& plane : planes)
      for (const int s : plane.spheres) {
        const int k = pair++;
        if (!touches(k)) continue;
        const int b = reference_spheres[s].body;
        const Touch touch = with_plane(plane, s);
        const V3 v = speed(b, touch.at), slip = v - v.dot(plane.normal) * plane.normal;
        const double N = normal_force(k, touch);
        push(b, touch.at,
             N * plane.normal -
                 friction * N / std::sqrt(slip.squaredNorm() + friction_speed * friction_speed) * slip);
      }
    if (belted)
      for (const ReferenceBelt& belt : reference_belts) {
        if (!touches(pair++)) continue;
        const V3 at = end_of(belt), along = at - vec(belt.anchor), direction = along.normalized();
        const double tension = std::max(0.0, belt.stiffness * (along.norm() - belt.rest_length) +
                                                 belt.damping * speed(belt.body, at).dot(direction));
        push(belt.body, at, -tension * direction);
      }
    if (has_striker() && touches(pair)) {
      const Touch touch = with_striker_ball();
      const V3 force = normal_force(pair, touch) * touch.normal;
      push(reference_spheres[belly].body, touch.at, force);
      push(people, body[people].x, -force);
    }
  }

  double striker_radius_ = 0;
  std::vector<double> first_speed_;
};

}  // namespace spondyl::testing::of_human12
