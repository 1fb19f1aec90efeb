#pragma once

#include "models/human12/data.h"

namespace spondyl::human12 {

/// Euler parameters, with a positive first one, of the rotation that takes the outer axes to those given.
template <class T>
EulerParameters<T> euler_parameters(const std::array<Vec3<T>, 3>& axes) {
  const auto& [x, y, z] = axes;
  // four times the square of each; the largest is safe to divide by (Shepperd 1978)
  const T squares[4] = {1.0 + x.x + y.y + z.z, 1.0 + x.x - y.y - z.z, 1.0 - x.x + y.y - z.z,
                        1.0 - x.x - y.y + z.z};
  int largest = 0;
  for (int k = 1; k < 4; ++k)
    if (squares[k] > squares[largest]) largest = k;
  const T root = sqrt(squares[largest]), scale = 0.5 / root;
  EulerParameters<T> p;
  switch (largest) {
    case 0:
      p = {0.5 * root, scale * (y.z - z.y), scale * (z.x - x.z), scale * (x.y - y.x)};
      break;
    case 1:
      p = {scale * (y.z - z.y), 0.5 * root, scale * (x.y + y.x), scale * (z.x + x.z)};
      break;
    case 2:
      p = {scale * (z.x - x.z), scale * (x.y + y.x), 0.5 * root, scale * (y.z + z.y)};
      break;
    default:
      p = {scale * (x.y - y.x), scale * (z.x + x.z), scale * (y.z + z.y), 0.5 * root};
  }
  return p.w < T(0) ? EulerParameters<T>{-p.w, -p.x, -p.y, -p.z} : p;
}

/// Where the bodies are and how they move, from the root outwards: to set a start from joint angles.
struct TreePose {
  std::array<Vec3<double>, bodies> position, velocity, omega;  ///< centre of mass; sled axes
  std::array<EulerParameters<double>, bodies> orientation;

  /// Body b, with the rotation against its parent and the relative angular velocity in its own axes.
  void attach(const Data& d, int b, const Vec3<double>& rotation, const Vec3<double>& relative) {
    const int p = parent[b];
    const Joint& j = d.joint[b];
    orientation[b] = orientation[p] * from_rotation_vector(rotation);
    omega[b] = omega[p] + rotate(orientation[b], relative);
    const Vec3<double> to_joint = rotate(orientation[p], j.in_parent),
                       from_joint = rotate(orientation[b], j.in_child);
    position[b] = position[p] + to_joint - from_joint;
    velocity[b] = velocity[p] + cross(omega[p], to_joint) - cross(omega[b], from_joint);
  }

  /// Natural coordinates and velocities; an element that two bodies share is the same from both.
  void write(const Data& d, double* q, double* v) const {
    const auto put = [](double* to, int i, const Vec3<double>& x) {
      to[3 * i] = x.x, to[3 * i + 1] = x.y, to[3 * i + 2] = x.z;
    };
    for (int b = 0; b < bodies; ++b) {
      const NaturalBody& body = d.system.bodies()[b];
      for (int i = 0; i < 4; ++i) {
        const Vec3<double> arm = rotate(orientation[b], body.local(i));
        put(q, body.number(i), body.is_point(i) ? position[b] + arm : arm);
        put(v, body.number(i), (body.is_point(i) ? velocity[b] : Vec3<double>{}) + cross(omega[b], arm));
      }
    }
  }
};

}  // namespace spondyl::human12
