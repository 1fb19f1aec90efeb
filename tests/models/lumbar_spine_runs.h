#pragma once

#include <array>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "models/lumbar_spine/model.h"
#include "models/run.h"

namespace spondyl::testing {

inline const std::array<std::string, 5> lumbar_levels{"L1L2", "L2L3", "L3L4", "L4L5", "L5S1"};
inline const std::array<std::string, 5> lumbar_vertebrae{"L1", "L2", "L3", "L4", "L5"};
inline const std::array<std::string, 6> lumbar_ligaments{"ALL", "PLL", "LF", "ISL", "SSL", "CL"};
inline constexpr double degree = 57.295779513082323;  ///< in a radian

/// A lumbar spine without gravity and with some variables set, initialised at t = 0.
class Lumbar : public Run {
 public:
  using Setting = std::pair<const char*, double>;
  explicit Lumbar(std::initializer_list<Setting> settings = {}) : Run(lumbar_spine_type()) {
    set("gravity", 0);
    for (const auto& [name, value] : settings) set(name, value);
    initialise(0);
  }
  double level(int i, const std::string& what) { return get(lumbar_levels[i] + "_" + what); }
};

}  // namespace spondyl::testing
