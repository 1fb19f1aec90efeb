#include "models/human17/variables.h"

#include "injury/dri.h"

namespace spondyl::human17 {

Variables::Variables() {
  declare_inputs();
  declare_parameters();
  declare_outputs();
}

void Variables::declare_inputs() {
  VariableTable& t = table;
  sled.declare(t, "vehicle, seat or ground");
  for (int i = 0; i < bodies; ++i) load[i].declare(t, std::string(body_names[i]), "its centre of mass");
  plane[0].declare_inputs(t, 1, {0, 0, 0}, {0, 0, 1});
  plane[1].declare_inputs(t, 2, {-0.5, 0, 0}, {1, 0, 0});
  plane[2].declare_inputs(t, 3, {0, 0, -0.5}, {0, 0, 1});
  plane[3].declare_inputs(t, 4, {1, 0, 0}, {-1, 0, 0});
}

void EllipsoidPlaneInput::declare_parameters(VariableTable& t) {
  SpatialPlaneInput::declare_parameters(
      t, "names of bodies", {SpatialFriction::Law::viscous, 0, {.coefficient = 0.5, .speed = 0.1}});
  const VariableTable::Scale stiffness{"N/m", "", 1e4}, damping{"N.s/m", "", 100};
  Kn = t.parameter(name + "_Kn", stiffness, "Normal stiffness of " + name, 5e4, 0, 1e9);
  Cn = t.parameter(name + "_Cn", damping, "Normal damping of " + name, 300, 0, 1e7);
  Kt = t.parameter(name + "_Kt", damping,
                   "Tangential coefficient K_t of " + name + " (a damping, viscous law)", 100, 0, 1e7);
  Ct = t.parameter(name + "_Ct", damping, "Tangential coefficient C_t of " + name + " (viscous law)", 50, 0,
                   1e7);
}

void Variables::declare_parameters() {
  VariableTable& t = table;
  common.declare(
      t, {.settles = false,
          .settling =
              "Before the start the person, holding the posture, is let down onto the active planes until "
              "weight, loads and contact forces balance, and starts at rest there; false: start as the "
              "start_ parameters say"});
  height = t.parameter("height", {"m", "", 1}, "Height of the person", 1.8, 0.5, 2.5);
  mass = t.parameter("mass", {"kg", "", 10}, "Mass of the person", 80, 1, 300);
  inertia = t.enumeration("inertia", "InertiaSource", {"ellipsoid", "regression"},
                          "Moments of inertia: of homogeneous ellipsoids, or of Zatsiorsky's regression "
                          "(head and neck: always ellipsoid)",
                          int(InertiaChoice::ellipsoid));
  joint_limits = t.boolean_parameter("joint_limits", "Joints resist beyond their range", true);
  joint_damping = t.boolean_parameter(
      "joint_damping", "Joints damp the relative angular velocity of the bodies they join", true);
  base_fixed = t.boolean_parameter("base_fixed", "The pelvis is fixed to the sled", false);
  posture = t.enumeration(
      "posture", "Posture", {"standing", "seated", "lying"},
      "Where the start_ rotations count from. standing: the reference posture, arms hanging; seated: trunk "
      "reclined by 20 degrees; lying: on the back, arms spread by 15 degrees",
      int(Posture::standing));
  constexpr double pi = std::numbers::pi;
  start_position.declare_parameters(t, "start_position", scale::length,
                                    "Centre of mass of the pelvis at the start, from the sled's origin",
                                    {0, 0, 0.058}, -1e4, 1e4);
  start_rotation.declare_parameters(
      t, "start_rotation", scale::angle,
      "Rotation vector of the pelvis (and the whole person) from the posture, in sled axes", {}, -2 * pi,
      2 * pi);
  start_velocity.declare_parameters(t, "start_velocity", scale::velocity,
                                    "Velocity of the pelvis's centre of mass at the start", {}, -1e3, 1e3);
  start_angular_velocity.declare_parameters(t, "start_angular_velocity", scale::angular_velocity,
                                            "Angular velocity of the pelvis at the start, in its own axes",
                                            {}, -1e3, 1e3);
  for (int i = 1; i < bodies; ++i) {
    const std::string name(body_names[i]), parent(body_names[parents[i]]);
    joint_start[i].rotation.declare_parameters(
        t, "start_" + name + "_rotation", scale::angle,
        "Rotation vector of " + name + " against " + parent + " from the posture", {}, -2 * pi, 2 * pi);
    joint_start[i].angular_velocity.declare_parameters(
        t, "start_" + name + "_angular_velocity", scale::angular_velocity,
        "Angular velocity of " + name + " against " + parent + " at the start, in axes of " + name, {}, -1e3,
        1e3);
  }
  neck_criteria.declare_parameters(t);
  head_criteria.declare_parameters(t, HeadCriteria::Turns::freely);
  const injury::DriConstants lumbar;
  dri_frequency = criterion_constant(t, "DRI_frequency", scale::angular_velocity,
                                     "Natural frequency of the spine in DRI", lumbar.natural_frequency);
  dri_damping = criterion_constant(t, "DRI_damping", scale::none, "Damping ratio of the spine in DRI",
                                   lumbar.damping_ratio);
  for (EllipsoidPlaneInput& p : plane) p.declare_parameters(t);
}

void Variables::declare_outputs() {
  VariableTable& t = table;
  // what feeds through: accelerations and forces in joints follow every input at once and, by the built-in
  // pulse, time; contact forces follow the inputs of their plane; positions, velocities and what depends on
  // them alone follow none
  std::vector<Handle> inputs = t.of(Causality::input);
  inputs.push_back(time_handle);
  std::vector<Handle> of_planes;
  for (const EllipsoidPlaneInput& p : plane) {
    const std::vector<Handle> own = p.handles();
    of_planes.insert(of_planes.end(), own.begin(), own.end());
  }

  for (int i = 0; i < bodies; ++i) {
    const std::string name(body_names[i]);
    body[i].position.declare_outputs(t, name + "_position", scale::length,
                                     "Centre of mass of " + name + " from the sled's origin");
    const std::string text = "Euler parameters of " + name + " against the sled, ";
    body[i].orientation = {t.output(name + "_orientation_w", scale::none, text + "cosine of half the angle"),
                           t.output(name + "_orientation_x", scale::none, text + "forward"),
                           t.output(name + "_orientation_y", scale::none, text + "to the left"),
                           t.output(name + "_orientation_z", scale::none, text + "upward")};
  }
  for (std::size_t k = 0; k < full.size(); ++k) {
    const std::string name(body_names[full[k]]);
    motion[k].velocity.declare_outputs(t, name + "_velocity", scale::velocity,
                                       "Centre of mass of " + name + " against the sled");
    motion[k].acceleration.declare_outputs(
        t, name + "_acceleration", scale::acceleration,
        "Inertial acceleration of the centre of mass of " + name + ", without gravity", inputs);
    motion[k].angular_velocity.declare_outputs(t, name + "_angular_velocity", scale::angular_velocity,
                                               "Of " + name + " against the sled, sled axes");
    motion[k].angular_acceleration.declare_outputs(
        t, name + "_angular_acceleration", scale::angular_acceleration,
        "Inertial angular acceleration of " + name + ", sled axes", inputs);
  }
  for (int i = 1; i < bodies; ++i) {
    const std::string name(body_names[i]), parent(body_names[parents[i]]), where(joint_names[i]);
    joint[i].angle.declare_outputs(t, name + "_joint_angle", scale::angle,
                                   "Joint " + where + ": rotation vector of " + name + " against " + parent +
                                       " from the reference posture");
    joint[i].moment.declare_outputs(
        t, name + "_joint_moment", scale::moment,
        "Joint " + where + ": moment of limit and damping on " + name + ", in axes of " + parent);
  }
  const auto section = [&](const std::string& name, const std::string& where) {
    return Section{
        t.output(name + "_axial_force", scale::force,
                 "Force that passes " + where + " along the upper body, tension positive", inputs),
        t.output(name + "_shear_force", scale::force,
                 "Force that passes " + where + " across the upper body, forward on it positive", inputs),
        t.output(name + "_section_moment", scale::moment,
                 "Moment at " + where + " on the upper body about its lateral axis, flexion positive")};
  };
  upper_neck = section("upper_neck", "the joint of neck and head");
  lower_neck = section("lower_neck", "the joint of thorax and neck");
  for (int k = 0; k < planes; ++k)
    plane_force[k].declare_outputs(t, plane[k].name + "_force", scale::force,
                                   "Contact force on the person by " + plane[k].name, plane[k].handles());
  for (int i = 0; i < bodies; ++i)
    contact_force[i].declare_outputs(t, std::string(body_names[i]) + "_contact_force", scale::force,
                                     "Contact force on " + std::string(body_names[i]) + " by all planes",
                                     of_planes);
  energy.declare(t, {"Kinetic energy of the motion against the sled", "Of gravity; zero at the sled's origin",
                     "Turned to heat in the joints since the start",
                     "Work of loads, planes and the sled's inertia forces since the start"});
  limit_work = t.output("joint_limit_work", scale::energy,
                        "Work of the joint limits' moments since the start; they have no potential");
  head_criteria.declare_outputs(t);
  neck_criteria.declare_outputs(t);
  dri = t.output("DRI", scale::none,
                 "Dynamic response index of the lumbar spine so far, from the pelvis's upward acceleration "
                 "(limit 17.7)");
  solver.declare(t);
}

}  // namespace spondyl::human17
