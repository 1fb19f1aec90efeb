#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "bodies/natural_coordinates.h"
#include "data/data_set.h"
#include "elements/contact.h"
#include "elements/joint_limits.h"

namespace spondyl::human12 {

inline constexpr int bodies = 12;
enum Body {
  lower_torso,
  upper_torso,
  neck,
  head,
  upper_arm_left,
  forearm_left,
  upper_arm_right,
  forearm_right,
  thigh_left,
  leg_left,
  thigh_right,
  leg_right
};
inline constexpr std::array<std::string_view, bodies> body_names{
    "lower_torso",     "upper_torso",   "neck",       "head",     "upper_arm_left", "forearm_left",
    "upper_arm_right", "forearm_right", "thigh_left", "leg_left", "thigh_right",    "leg_right"};
/// The body towards the root, -1 for the root. A joint is named by its outer body.
inline constexpr std::array<int, bodies> parent{-1,          lower_torso,    upper_torso, neck,
                                                upper_torso, upper_arm_left, upper_torso, upper_arm_right,
                                                lower_torso, thigh_left,     lower_torso, thigh_right};
constexpr bool is_hinge(int body) {
  return body == head || body == forearm_left || body == forearm_right || body == leg_left ||
         body == leg_right;
}
inline constexpr int elements = 33;               ///< 16 points and 17 unit vectors
inline constexpr int coordinates = 3 * elements;  ///< 99
inline constexpr int constraints = 70;
inline constexpr int degrees_of_freedom = coordinates - constraints;

inline constexpr int most_spheres = 32;

inline constexpr int belts = 4;
inline constexpr std::array<std::string_view, belts> belt_names{"lap_left", "lap_right", "shoulder_upper",
                                                                "shoulder_lower"};

enum class Variant { human = 1, dummy };

/// What acts in the joint between a body and its parent.
struct Joint {
  Vec3<double> in_parent, in_child;  ///< from the centres of mass
  /// The directions that the range looks at, three fixed to the parent and one to the body: axis, e1, e2 and
  /// limb of a cone; axis, x and z, and x of a hinge.
  std::array<NaturalBody::Weights, 3> on_parent;
  NaturalBody::Weights on_child;
  ConeLimit cone;
  HingeLimit hinge;
  double damping = 0;  ///< N m s/rad
  JointFriction friction;
};

struct Sphere {
  std::string name;  ///< body.sphere
  int body;
  NaturalBody::Weights centre;
  double radius;
};

struct Belt {
  int body;
  NaturalBody::Weights point;
  double stiffness, damping;  ///< N/m, N s/m
};

/// The numbers of the model in SI units.
struct Data {
  NaturalSystem system;
  std::array<Vec3<double>, bodies> reference;  ///< centres of mass in the reference posture, mid-hip origin
  std::array<Joint, bodies> joint;             ///< that of the root is empty
  std::vector<Sphere> spheres;
  std::vector<std::string> sphere_names;
  std::array<Belt, belts> belt;
  ImpactLaw contact;
  double viscous_friction;  ///< N s/m

  std::vector<int> element_owner;     ///< the body whose equations an element belongs to
  std::vector<int> constraint_owner;  ///< the body that a constraint keeps rigid
  int joint_element(int body) const { return joint_element_[body]; }
  std::array<int, bodies> joint_element_{};
};

/// Throws data::DataError.
Data read(const data::DataSet&, Variant);

}  // namespace spondyl::human12
