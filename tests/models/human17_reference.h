#pragma once

/// The person of Human17 by another formulation, written from the definition of the model alone.

#include "models/human17_reference_data.h"
#include "models/reference_bodies.h"

namespace spondyl::testing {

class ReferenceHuman : public ReferenceBodies {
 public:
  struct Plane {
    V3 point, normal;
    std::vector<int> bodies;
  };
  std::vector<Plane> planes;

  ReferenceHuman() : ReferenceBodies(links()) {}

 private:
  static std::vector<Link> links() {
    std::vector<Link> all;
    for (const ReferenceBody& b : reference_bodies)
      all.push_back({b.name, b.parent, false, b.mass, vec(b.inertia), vec(b.joint_in_parent), vec(b.joint),
                     vec(b.axis), vec(b.e1), vec(b.e2), vec(b.limb), std::to_array(b.range), b.width,
                     b.moment, b.damping});
    return all;
  }

  /// The point of body i that lies deepest in the plane.
  V3 deepest(const Plane& plane, int i) const {
    const ReferenceBody& b = reference_bodies[i];
    const M3 R = body[i].p.toRotationMatrix();
    const V3 square = vec(b.semi_axes).cwiseProduct(vec(b.semi_axes));
    const M3 S = R * square.asDiagonal() * R.transpose();
    return place(i, vec(b.ellipsoid)) - S * plane.normal / std::sqrt(plane.normal.dot(S * plane.normal));
  }

  Flags touching() const override {
    Flags flags;
    for (const Plane& plane : planes)
      for (const int i : plane.bodies)
        flags.push_back((deepest(plane, i) - plane.point).dot(plane.normal) < 0);
    return flags;
  }

  void push_all() override {
    int pair = 0;
    for (const Plane& plane : planes)
      for (const int i : plane.bodies) {
        if (!touches(pair++)) continue;
        const V3 C = deepest(plane, i), v = speed(i, C), &n = plane.normal;
        const double normal = std::max(0.0, -5e4 * (C - plane.point).dot(n) - 300 * v.dot(n));
        push(i, C, normal * n - (100 + 50) * (v - v.dot(n) * n));
      }
  }
};

}  // namespace spondyl::testing
