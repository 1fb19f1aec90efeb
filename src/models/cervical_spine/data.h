#pragma once

#include <array>
#include <string>
#include <string_view>

#include "bodies/planar_chain.h"
#include "data/data_set.h"
#include "elements/circle_plane.h"
#include "elements/connect.h"
#include "elements/kelvin_voigt_ligament.h"
#include "elements/tangent_joint.h"

namespace spondyl::cervical_spine {

inline constexpr int bodies = 8;  ///< and as many levels: level i is below body i
inline constexpr std::array<std::string_view, bodies> body_names{"C7", "C6", "C5", "C4",
                                                                 "C3", "C2", "C1", "head"};
inline constexpr std::array<std::string_view, bodies> level_names{"C7T1", "C6C7", "C5C6", "C4C5",
                                                                  "C3C4", "C2C3", "C1C2", "C0C1"};
inline constexpr int head = bodies - 1;

/// The two ligaments of a level: interspinous (A of the paper) and anterior longitudinal (B).
enum Side { ISL, ALL };
inline constexpr std::array<std::string_view, 2> ligament_names{"ISL", "ALL"};

/// What acts between a body and the one below. Anchors are from the pivot that the two share, each in its
/// body's axes.
struct Level {
  struct Ligament {
    KelvinVoigtLigament law;
    Vec2<double> lower, upper;
    AcrossPivot geometry;
    double tabulated_length = 0;  ///< in the posture of the data
  };
  std::array<Ligament, 2> ligament;
  TangentJoint joint;
  SinCos<double> joint_rest{0, 1};  ///< of the relative angle at which the joint is at rest
  double tabulated_angle = 0;       ///< relative angle in the posture of the data
};

/// The numbers of the model in SI units.
struct Data {
  PlanarChain<bodies> chain;
  std::array<double, bodies> posture{};  ///< absolute forward tilts
  std::array<Level, bodies> levels;
  Vec2<double> skull;  ///< centre of the circle that stands for the back of the skull, from the head's pivot
  CirclePlane skull_contact;
};

/// Throws data::DataError.
Data read(const data::DataSet&);

}  // namespace spondyl::cervical_spine
