#pragma once

#include <array>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "models/cervical_spine/model.h"
#include "models/run.h"

namespace spondyl::testing {

inline const std::array<std::string, 8> levels{"C7T1", "C6C7", "C5C6", "C4C5",
                                               "C3C4", "C2C3", "C1C2", "C0C1"};
inline const std::array<std::string, 8> vertebrae{"C7", "C6", "C5", "C4", "C3", "C2", "C1", "head"};
inline constexpr double g = 9.81;
inline constexpr double triangle = 2, half_sine = 3, trapezoid = 4;

/// A cervical spine with some variables set, initialised at t = 0.
class Neck : public Run {
 public:
  using Setting = std::pair<const char*, double>;
  explicit Neck(std::initializer_list<Setting> settings = {}, double start_time = 0)
      : Run(cervical_spine_type()) {
    for (const auto& [name, value] : settings) set(name, value);
    initialise(start_time);
  }
  double level(int i, const std::string& what) { return get(levels[i] + "_" + what); }
};

inline std::initializer_list<Neck::Setting> whiplash() {
  static const std::initializer_list<Neck::Setting> settings{{"pulse_shape", triangle}};
  return settings;
}

}  // namespace spondyl::testing
