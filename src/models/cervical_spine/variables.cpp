#include "models/cervical_spine/variables.h"

namespace spondyl::cervical_spine {

Variables::Variables() {
  declare_inputs();
  declare_parameters();
  declare_outputs();
}

void Variables::declare_inputs() {
  VariableTable& t = table;
  sled.declare(t, "T1");
  for (int i = 0; i < bodies; ++i) load[i].declare(t, std::string(body_names[i]));
  plane[0].declare_inputs(t, 1, "head", {-0.25, 0}, {1, 0});
  plane[1].declare_inputs(t, 2, "head", {0, 0.5}, {0, -1});
}

void Variables::declare_parameters() {
  VariableTable& t = table;
  common.declare(t);
  ligaments_two_sided = t.boolean_parameter(
      "ligaments_two_sided",
      "Ligaments also push when shorter than at rest, as in the paper; false: tension only", true);
  neck_criteria.declare_parameters(t);
  head_criteria.declare_parameters(t, HeadCriteria::Turns::about_y);
  for (PlanarPlaneInput& p : plane) p.declare_parameters(t);
}

void Variables::declare_outputs() {
  VariableTable& t = table;
  // what feeds through: accelerations and pivot forces follow every input at once and, by the built-in pulse,
  // time; contact forces follow the inputs of their plane; positions, velocities and what depends on them
  // alone, as the moments of joints and ligaments, follow none
  std::vector<Handle> inputs = t.of(Causality::input);
  inputs.push_back(time_handle);
  for (const PlanarPlaneInput& p : plane)
    inputs.insert(inputs.end(), {p.stiffness_factor, p.friction_factor});

  for (int i = 0; i < bodies; ++i) {
    const std::string name(body_names[i]);
    body[i].position_x = t.output(name + "_position_x", scale::length,
                                  "Centre of mass of " + name + ", forward of the sled's origin");
    body[i].position_z = t.output(name + "_position_z", scale::length,
                                  "Centre of mass of " + name + ", above the sled's origin");
    body[i].angle =
        t.output(name + "_angle", scale::angle, "Tilt of " + name + " against the sled, forward positive");
  }
  head_motion.velocity_x =
      t.output("head_velocity_x", scale::velocity, "Centre of mass of the head against the sled, forward");
  head_motion.velocity_z =
      t.output("head_velocity_z", scale::velocity, "Centre of mass of the head against the sled, upward");
  head_motion.angular_velocity =
      t.output("head_angular_velocity", scale::angular_velocity, "Of the head, flexion positive");
  head_motion.acceleration_x =
      t.output("head_acceleration_x", scale::acceleration,
               "Inertial acceleration of the head's centre of mass, forward, without gravity", inputs);
  head_motion.acceleration_z =
      t.output("head_acceleration_z", scale::acceleration,
               "Inertial acceleration of the head's centre of mass, upward, without gravity", inputs);
  head_motion.angular_acceleration = t.output("head_angular_acceleration", scale::angular_acceleration,
                                              "Of the head, flexion positive", inputs);

  for (int i = 0; i < bodies; ++i) {
    const std::string name(level_names[i]);
    LevelOutput& l = level[i];
    l.angle = t.output(name + "_angle", scale::angle,
                       "Relative angle at " + name + " from the posture of the data, flexion positive");
    l.moment =
        t.output(name + "_moment", scale::moment,
                 "Joint moment at " + name + " (elastic and damping) on the upper body, flexion positive");
    l.axial_force =
        t.output(name + "_axial_force", scale::force,
                 "Force in the pivot of " + name + " along the upper body, tension positive", inputs);
    l.shear_force =
        t.output(name + "_shear_force", scale::force,
                 "Force in the pivot of " + name + " across the upper body, forward on it positive", inputs);
    for (const Side side : {ISL, ALL}) {
      const std::string ligament = name + "_" + std::string(ligament_names[side]);
      l.force[side] = t.output(
          ligament + "_force", scale::force,
          side == ISL ? "Interspinous ligament at " + name + ", from the tabulated length, tension positive"
                      : "Anterior longitudinal ligament at " + name +
                            ", from the tabulated length, tension positive");
      l.elongation[side] = t.output(ligament + "_elongation", scale::length,
                                    "Length of the ligament less its length in the posture of the data");
    }
  }
  const auto section = [&](const std::string& name, const std::string& where) {
    return Section{
        t.output(name + "_axial_force", scale::force,
                 "All that passes " + where +
                     ", ligaments included: axial force on the upper side, tension positive",
                 inputs),
        t.output(name + "_shear_force", scale::force,
                 "All that passes " + where + ": shear force on the upper side, forward positive", inputs),
        t.output(
            name + "_section_moment", scale::moment,
            "All that passes " + where + ": moment on the upper side about the pivot, flexion positive")};
  };
  upper_neck = section("upper_neck", "between C1 and the head");
  lower_neck = section("lower_neck", "between T1 and C7");
  for (int k = 0; k < planes; ++k) {
    const std::string& name = plane[k].name;
    const std::vector<Handle> own = plane[k].handles();
    plane_force[k] = {
        t.output(name + "_force_x", scale::force, "Contact force on the head by " + name + ", forward", own),
        t.output(name + "_force_z", scale::force, "Contact force on the head by " + name + ", upward", own)};
  }
  sled_velocity_x =
      t.output("sled_velocity_x", scale::velocity, "Change of the sled's velocity since the start, forward");
  sled_velocity_z =
      t.output("sled_velocity_z", scale::velocity, "Change of the sled's velocity since the start, upward");
  energy.declare(t, {"Kinetic energy of the motion against the sled (T2, Eq. 49)",
                     "Gravity, ligaments and joints; zero of gravity at the sled's origin",
                     "Turned to heat in ligaments and joints since the start",
                     "Work of loads, planes and the sled's inertia force since the start"});
  head_criteria.declare_outputs(t);
  neck_criteria.declare_outputs(t);
  solver.declare(t);
}

}  // namespace spondyl::cervical_spine
