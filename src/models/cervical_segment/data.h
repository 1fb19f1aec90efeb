#pragma once

#include <array>
#include <string_view>

#include "bodies/spatial_body.h"
#include "data/data_set.h"
#include "elements/disc_bushing.h"
#include "elements/facet_contact.h"
#include "elements/three_piece_ligament.h"

namespace spondyl::cervical_segment {

inline constexpr int ligaments = 6, facets = 2;
inline constexpr std::array<std::string_view, ligaments> ligament_names{"ALL", "PLL",     "LF",
                                                                        "ISL", "CL_left", "CL_right"};
inline constexpr std::array<std::string_view, facets> facet_names{"left", "right"};

/// The numbers of the model in SI units, all in the axes of C6. What is fixed to C5 is given as it lies in
/// the posture of the data, from C5's centre of mass: a rotation of C5 counts from there.
struct Data {
  SpatialBody body;
  EulerParameters<double> posture;   ///< of C5's axes in the posture of the data
  Vec3<double> origin, origin_home;  ///< C5's origin: from the centre of mass, and in C6's frame

  struct Disc {
    DiscBushing law;
    Vec3<double> point;  ///< from C5's centre of mass
  } disc;

  struct Ligament {
    ThreePieceLigament law;
    Vec3<double> upper, span;  ///< end on C5; from the end on C6 to that on C5 in the posture of the data
    double posture_length = 0;
  };
  std::array<Ligament, ligaments> ligament;

  struct Facet {
    FacetContact law;
    Vec3<double> lower, lower_normal;  ///< centre and normal of C6's disc
    Vec3<double> upper, upper_normal;
    Vec3<double> home;  ///< centre of C5's disc in the posture of the data, in C6's frame
  };
  std::array<Facet, facets> facet;
};

/// Throws data::DataError.
Data read(const data::DataSet&);

}  // namespace spondyl::cervical_segment
