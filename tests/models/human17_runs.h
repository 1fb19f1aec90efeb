#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/human17/data.h"
#include "models/human17/model.h"
#include "models/run.h"

namespace spondyl::testing {

/// What is set before a start: numbers, and texts by name.
struct Settings {
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<std::pair<std::string, std::string>> texts;

  Settings& set(const std::string& name, double value) {
    numbers.emplace_back(name, value);
    return *this;
  }
  Settings& set(const std::string& name, double x, double y, double z) {
    return set(name + "_x", x).set(name + "_y", y).set(name + "_z", z);
  }
  Settings& text(const std::string& name, const std::string& value) {
    texts.emplace_back(name, value);
    return *this;
  }
  Settings& plane(int k, const Vec3<double>& point, const Vec3<double>& normal, const std::string& bodies) {
    const std::string name = "plane" + std::to_string(k);
    set(name + "_active", 1).set(name, point.x, point.y, point.z);
    set(name + "_nx", normal.x).set(name + "_ny", normal.y).set(name + "_nz", normal.z);
    return text(name + "_bodies", bodies);
  }
  Settings& tolerance(double relative, double absolute) {
    return set("relative_tolerance", relative).set("absolute_tolerance", absolute);
  }
};

/// A person with some variables set, initialised at t = 0.
class Human : public Run {
 public:
  explicit Human(const Settings& settings) : Run(human17_type()) {
    for (const auto& [name, value] : settings.numbers) set(name, value);
    for (const auto& [name, value] : settings.texts) set_text(variables().find(name), value);
    initialise(0);
  }
  Vec3<double> position(const std::string& body) { return vector(body + "_position"); }
};

// -- the cases of the reference data (human17.json)

/// H17-a: free flight without gravity, all limbs spinning.
inline Settings free_flight() {
  Settings s;
  s.set("gravity", 0).set("joint_limits", 0).set("joint_damping", 0);
  s.set("start_position", 0, 0, 0.058)
      .set("start_velocity", 0.3, -0.2, 0.5)
      .set("start_angular_velocity", 0.5, -1.0, 0.8);
  const struct {
    const char* child;
    double x, y, z;
  } spin[] = {{"abdomen", 2.07, -2.03, 0.35},       {"thorax", -0.79, -1.71, -0.69},
              {"neck", -0.43, 0.67, 1.42},          {"head", -2.91, -1.48, 0.62},
              {"arm_left", -2.5, 2.99, 1.99},       {"forearm_left", -2.78, 0.41, 0.66},
              {"hand_left", -2.96, -1.93, -2.01},   {"arm_right", -0.23, 0.4, -0.29},
              {"forearm_right", 2.52, 1.89, -0.59}, {"hand_right", -1.78, -0.85, 2.17},
              {"thigh_left", -0.91, 2.95, 0.39},    {"calf_left", -1.58, 0.95, 0.96},
              {"foot_left", 0.09, -1.33, 0.78},     {"thigh_right", -0.12, 0.92, 0.25},
              {"calf_right", -2.27, 2.45, -2.9},    {"foot_right", -1.14, -1.97, -0.94}};
  for (const auto& j : spin) s.set(std::string("start_") + j.child + "_angular_velocity", j.x, j.y, j.z);
  return s;
}

/// H17-b: the pelvis fixed, arms raised, everything swings.
inline Settings pendulum() {
  Settings s;
  s.set("joint_limits", 0).set("joint_damping", 0).set("base_fixed", 1).set("start_position", 0, 0, 0.058);
  s.set("start_arm_left_rotation", 0, -1.570796326795, 0)
      .set("start_arm_right_rotation", -2.094395102393, 0, 0);
  return s.set("start_forearm_left_rotation", 0, -0.523598775598, 0);
}

/// H17-c: lying on the back, 0.5 m above the ground.
inline Settings fall() {
  Settings s;
  s.set("start_position", 0, 0, 0.6310000000000128).set("start_rotation", 0, -1.570796326795, 0);
  s.set("start_arm_left_rotation", 0.261799387799, 0, 0)
      .set("start_arm_right_rotation", -0.261799387799, 0, 0);
  return s.plane(1, {0, 0, 0}, {0, 0, 1}, "all");
}

/// The seat of H17-d, planes 1 to 3.
inline Settings seat() {
  Settings s;
  s.plane(1, {0, 0, -0.13131266738045977}, {0, 0, 1}, "pelvis,thigh_left,thigh_right");
  s.plane(2, {-0.12309973332296953, 0, -0.04480463877566825}, {0.9396926207859084, 0, 0.3420201433256687},
          "pelvis, abdomen, thorax");
  return s.plane(3, {0, 0, -0.4971141693268172}, {0, 0, 1}, "foot_left,foot_right");
}

/// H17-d: seated, 8.5 g triangle of 105 ms forward.
inline Settings seated_pulse() {
  Settings s = seat();
  s.set("start_position", 0, 0, 0).set("start_rotation", 0, -0.349065850399, 0);
  for (const std::string side : {"left", "right"}) {
    s.set("start_thigh_" + side + "_rotation", 0, -1.396263401595, 0);
    s.set("start_calf_" + side + "_rotation", 0, 1.483529864195, 0);
    s.set("start_foot_" + side + "_rotation", 0, 0.261799387799, 0);
    s.set("start_arm_" + side + "_rotation", 0, -0.523598775598, 0);
    s.set("start_forearm_" + side + "_rotation", 0, -1.047197551197, 0);
  }
  return s.set("pulse_shape", 2).set("pulse_peak", 83.385).set("pulse_duration", 0.105);
}

}  // namespace spondyl::testing
