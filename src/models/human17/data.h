#pragma once

#include <array>
#include <string>
#include <string_view>

#include "bodies/spatial_tree.h"
#include "data/data_set.h"
#include "elements/ellipsoid_plane.h"
#include "elements/joint_limits.h"

namespace spondyl::human17 {

inline constexpr int bodies = 17;  ///< joint i is the one that body i hangs on; the pelvis has none
using Tree = SpatialTree<bodies>;

enum BodyNumber { pelvis, abdomen, thorax, neck, head };
inline constexpr std::array<std::string_view, bodies> body_names{
    "pelvis",       "abdomen",   "thorax",      "neck",          "head",       "arm_left",
    "forearm_left", "hand_left", "arm_right",   "forearm_right", "hand_right", "thigh_left",
    "calf_left",    "foot_left", "thigh_right", "calf_right",    "foot_right"};
inline constexpr std::array<int, bodies> parents{-1, pelvis, abdomen, thorax, neck, thorax, 5,  6, thorax,
                                                 8,  9,      pelvis,  11,     12,   pelvis, 14, 15};
/// Row of a body in the table of the regression.
inline constexpr std::array<std::string_view, 11> segment_names{
    "pelvis", "abdomen", "thorax", "neck", "head", "arm", "forearm", "hand", "thigh", "calf", "foot"};

/// The joints by what they are called: "left elbow".
inline constexpr std::array<std::string_view, bodies> joint_names{
    "",           "L5/S1",      "T12/L1",         "C7/T1",       "C0/C1",       "left shoulder",
    "left elbow", "left wrist", "right shoulder", "right elbow", "right wrist", "left hip",
    "left knee",  "left ankle", "right hip",      "right knee",  "right ankle"};

struct Joint {
  JointCone limit;
  double damping = 0;  ///< N m s/rad
};

enum class InertiaChoice { ellipsoid = 1, regression };

/// The size of the person.
struct Person {
  double height = 0, mass = 0;  ///< m, kg
  InertiaChoice inertia = InertiaChoice::ellipsoid;
};

/// The numbers of the model in SI units.
struct Data {
  Tree tree;
  std::array<Ellipsoid, bodies> ellipsoid;
  std::array<Joint, bodies> joint;
};

/// Throws data::DataError, or std::invalid_argument for a person that the regression has no masses for.
Data read(const data::DataSet&, const Person&);

}  // namespace spondyl::human17
