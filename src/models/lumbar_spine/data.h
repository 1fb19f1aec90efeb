#pragma once

#include <array>
#include <string>
#include <string_view>

#include "bodies/planar_bodies.h"
#include "data/data_set.h"
#include "elements/bushing.h"
#include "elements/sphere_line.h"
#include "elements/toe_linear_ligament.h"

namespace spondyl::lumbar_spine {

inline constexpr int bodies = 5;  ///< and as many levels: level i is below body i
inline constexpr std::array<std::string_view, bodies> body_names{"L1", "L2", "L3", "L4", "L5"};
inline constexpr std::string_view base_name = "S1";
inline constexpr std::array<std::string_view, bodies> level_names{"L1L2", "L2L3", "L3L4", "L4L5", "L5S1"};

inline constexpr int ligaments = 6;  ///< of a level
inline constexpr std::array<std::string_view, ligaments> ligament_names{"ALL", "PLL", "LF",
                                                                        "ISL", "SSL", "CL"};
inline constexpr int contacts = 2;  ///< of a level
inline constexpr std::array<std::string_view, contacts> contact_names{"facet", "spinous"};

using Bodies = PlanarBodies<bodies>;

/// What acts between a body and the one below. Points in the axes of their body, from its frame's origin.
struct Level {
  Bushing disc;
  Vec2<double> disc_lower, disc_upper;
  Vec2<double> disc_rest;      ///< d0: of the upper point from the lower one, in lower axes, at rest
  double tabulated_angle = 0;  ///< relative angle in the posture of the data, at which the disc is at rest

  struct Ligament {
    ToeLinearLigament law;
    Vec2<double> lower, upper;
    double tabulated_length = 0;  ///< in the posture of the data
  };
  std::array<Ligament, ligaments> ligament;

  struct Contact {
    SphereLine pair;
    Vec2<double> centre;  ///< of the sphere, on the upper body
  };
  std::array<Contact, contacts> contact;

  Vec2<double> cable_lower, cable_upper;  ///< of the follower load
};

/// A mass that L1 carries, rigidly.
struct Trunk {
  double mass = 0, inertia = 0;
  Vec2<double>
      position;  ///< of its centre from the centre of L1's upper endplate, sled axes, posture of the data
};

/// The numbers of the model in SI units, flexion positive.
struct Data {
  Bodies column;
  std::array<double, Bodies::size> posture{};
  std::array<Level, bodies> levels;
  Vec2<double> vertebra;  ///< centre of mass of L1 alone in the frame of L1 with the trunk on it
  Vec2<double> endplate;  ///< centre of L1's upper endplate in the same frame
};

/// Throws data::DataError.
Data read(const data::DataSet&, const Trunk&, ContactLaw);

}  // namespace spondyl::lumbar_spine
