#pragma once

#include <array>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/cervical_segment/model.h"
#include "models/run.h"

namespace spondyl::testing {

/// A cervical segment with some variables set, initialised at t = 0.
class Segment : public Run {
 public:
  using Setting = std::pair<std::string, double>;
  explicit Segment(std::initializer_list<Setting> settings = {}) : Run(cervical_segment_type()) {
    for (const auto& [name, value] : settings) set(name, value);
    initialise(0);
  }
  std::array<double, 3> get3(const std::string& name) {
    const Vec3<double> v = vector(name);
    return {v.x, v.y, v.z};
  }
  /// Translation and rotation of C5.
  std::array<double, 6> pose() {
    const Vec3<double> t = vector("C5_translation"), r = vector("C5_rotation");
    return {t.x, t.y, t.z, r.x, r.y, r.z};
  }
};

inline const std::array<std::string, 6> load_names{"C5_force_x",  "C5_force_y",  "C5_force_z",
                                                   "C5_moment_x", "C5_moment_y", "C5_moment_z"};
inline const std::array<std::string, 6> ligament_names{"ALL", "PLL", "LF", "ISL", "CL_left", "CL_right"};

/// The nine load cases of the paper: direction among load_names, and size (N or N m).
struct LoadCase {
  const char* name;
  int direction;
  double load;
};
inline constexpr std::array<LoadCase, 9> load_cases{{{"AS", 0, 20},
                                                     {"PS", 0, -20},
                                                     {"LS", 1, 20},
                                                     {"TNS", 2, 20},
                                                     {"CMP", 2, -20},
                                                     {"LB", 3, 1.8},
                                                     {"FLX", 4, 1.8},
                                                     {"EXT", 4, -1.8},
                                                     {"AR", 5, 1.8}}};

}  // namespace spondyl::testing
