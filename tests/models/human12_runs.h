#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "math/spatial.h"
#include "models/human12/model.h"
#include "models/run.h"

namespace spondyl::testing::of_human12 {

/// A Human12 with some variables set.
class Body12 : public Run {
 public:
  using Settings = std::vector<std::pair<std::string, double>>;
  using Texts = std::vector<std::pair<std::string, std::string>>;

  explicit Body12(const Settings& settings, const Texts& texts = {}) : Run(human12_type()) {
    apply(settings, texts);
    initialise(0);
  }

 private:
  void apply(const Settings& settings, const Texts& texts) {
    for (const auto& [name, value] : settings) set(name, value);
    for (const auto& [name, text] : texts) set_text(variables().find(name), text);
  }
};

inline void add_vector(Body12::Settings& s, const std::string& name, double x, double y, double z) {
  s.insert(s.end(), {{name + "_x", x}, {name + "_y", y}, {name + "_z", z}});
}
inline void set_tolerance(Body12::Settings& s, double tolerance) {
  s.insert(s.end(), {{"relative_tolerance", tolerance}, {"absolute_tolerance", tolerance}});
}

inline const std::vector<std::string> body12_names{
    "lower_torso",     "upper_torso",   "neck",       "head",     "upper_arm_left", "forearm_left",
    "upper_arm_right", "forearm_right", "thigh_left", "leg_left", "thigh_right",    "leg_right"};

/// The named cases of the model's definition, as parameters of the FMU.
struct Case12 {
  Body12::Settings settings;
  Body12::Texts texts;
  double t_end;
};

/// H12-a: free flight without gravity, range and damping, everything turning.
inline Case12 free_flight() {
  Case12 c{{{"gravity", 0}, {"joint_limits", 0}, {"joint_damping", 0}}, {}, 0.5};
  add_vector(c.settings, "start_position", 0, 0, 0.132);
  add_vector(c.settings, "start_velocity", 0.3, -0.2, 0.5);
  add_vector(c.settings, "start_angular_velocity", 0.5, -1.0, 0.8);
  const auto joint = [&](const std::string& name, double x, double y, double z) {
    add_vector(c.settings, "start_" + name + "_angular_velocity", x, y, z);
  };
  const auto hinge = [&](const std::string& name, double rate) {
    c.settings.emplace_back("start_" + name + "_angular_velocity", rate);
  };
  joint("upper_torso", -1.5, 2.68, -1.86);
  joint("neck", -1.92, -0.9, -1.62);
  hinge("head", 1.02);
  joint("upper_arm_left", -2.31, 2.38, 2.15);
  hinge("forearm_left", -2.98);
  joint("upper_arm_right", 0.25, -2.36, -1.45);
  hinge("forearm_right", -0.5);
  joint("thigh_left", -0.28, -0.19, 2.57);
  hinge("leg_left", -1.45);
  joint("thigh_right", -1.87, 1.02, 2.68);
  hinge("leg_right", 2.54);
  return c;
}

/// H12-b: a standing athlete, tackled by 75 kg at 3 m/s.
inline Case12 tackle() {
  Case12 c{{{"impactor_active", 1}, {"plane1_active", 1}}, {}, 1.0};
  add_vector(c.settings, "start_position", 0, 0, 1.079);
  add_vector(c.settings, "start_impactor_position", 0.2512050954897213, 0.02, 1.157);
  return c;
}

/// H12-c: a belted occupant in a frontal crash of 20 km/h.
inline Case12 belted() {
  constexpr double pi = std::numbers::pi, delta_v = -20 / 3.6, duration = 0.1;
  Case12 c{{{"belt_active", 1},
            {"pulse_shape", 3},
            {"pulse_peak", delta_v * pi / (2 * duration)},
            {"pulse_duration", duration}},
           {{"plane1_bodies", "lower_torso.hip_left,lower_torso.hip_right,thigh_left.mid,thigh_right.mid"},
            {"plane2_bodies",
             "lower_torso.hip_left, lower_torso.hip_right, upper_torso.shoulder_left, "
             "upper_torso.shoulder_right, upper_torso.chest"},
            {"plane3_bodies", "leg_left.heel,leg_right.heel,leg_left.toe,leg_right.toe"}},
           0.25};
  add_vector(c.settings, "start_position", 0, 0, 0);
  add_vector(c.settings, "start_rotation", 0, -0.349065850399, 0);
  for (const std::string side : {"left", "right"}) {
    c.settings.emplace_back("start_thigh_" + side + "_rotation_y", -1.396263401595);
    c.settings.emplace_back("start_leg_" + side + "_rotation", 1.4835298641951802);
    c.settings.emplace_back("start_upper_arm_" + side + "_rotation_y", -0.785398163397);
    c.settings.emplace_back("start_forearm_" + side + "_rotation", -0.7853981633974483);
  }
  const auto plane = [&](const std::string& name, const Vec3<double>& p, const Vec3<double>& n) {
    add_vector(c.settings, name, p.x, p.y, p.z);
    c.settings.insert(c.settings.end(),
                      {{name + "_nx", n.x}, {name + "_ny", n.y}, {name + "_nz", n.z}, {name + "_active", 1}});
  };
  plane("plane1", {0, 0, -0.22603942594373386}, {0, 0, 1});
  plane("plane2", {-0.1193409628398483, 0, -0.04343655820237373},
        {0.9396926207859084, 0, 0.3420201433256687});
  plane("plane3", {0, 0, -0.5642635144622381}, {0, 0, 1});
  return c;
}

}  // namespace spondyl::testing::of_human12
