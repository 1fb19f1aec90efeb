#include "models/human12/variables.h"

namespace spondyl::human12 {

namespace {
constexpr double turn = 2 * std::numbers::pi;  ///< largest start angle
const VariableTable::Scale mass_scale{"kg", "", 10};
}  // namespace

Variables::Variables() {
  declare_inputs();
  declare_parameters();
  declare_outputs();
}

void Variables::declare_inputs() {
  VariableTable& t = table;
  sled.declare(t, "vehicle, seat or ground");
  for (int b = 0; b < bodies; ++b) load[b].declare(t, std::string(body_names[b]), "its centre of mass");
  plane[0].declare_inputs(t, 1, {0, 0, 0}, {0, 0, 1});
  plane[1].declare_inputs(t, 2, {-0.5, 0, 0}, {1, 0, 0});
  plane[2].declare_inputs(t, 3, {0, 0, -0.5}, {0, 0, 1});
  plane[3].declare_inputs(t, 4, {1, 0, 0}, {-1, 0, 0});
}

void Variables::declare_parameters() {
  VariableTable& t = table;
  common.declare(
      t, {.settles = false, .settling = "Must be false: a free body starts as the start_ parameters say"});
  variant = t.enumeration(
      "variant", "Variant", {"human", "dummy"},
      "human: 50th percentile man, joints without dry friction; dummy: Hybrid III masses and radii, joints "
      "with the friction of Table 2",
      int(Variant::human));
  joint_limits = t.boolean_parameter("joint_limits", "Joints resist beyond their range", true);
  joint_damping = t.boolean_parameter(
      "joint_damping", "Joints damp (and rub: dummy) the relative angular velocity of the bodies they join",
      true);
  base_fixed = t.boolean_parameter("base_fixed", "The lower torso is fixed to the sled", false);
  declare_start();
  declare_impactor_and_belts();
  neck_criteria.declare_parameters(t);
  head_criteria.declare_parameters(t, HeadCriteria::Turns::freely);
  const SpatialFriction friction{SpatialFriction::Law::coulomb, 0, {0.5, 0.1}};
  for (SpatialPlaneInput& p : plane)
    p.declare_parameters(t, "names of bodies, or of spheres as body.sphere,", friction);
}

void Variables::declare_start() {
  VariableTable& t = table;
  start_position.declare_parameters(t, "start_position", scale::length,
                                    "Centre of mass of the lower torso at the start, from the sled's origin",
                                    {0, 0, 0.132}, -1e4, 1e4);
  start_rotation.declare_parameters(
      t, "start_rotation", scale::angle,
      "Rotation vector of the lower torso from the reference posture, in sled axes", {}, -turn, turn);
  start_velocity.declare_parameters(t, "start_velocity", scale::velocity,
                                    "Velocity of the lower torso's centre of mass at the start", {}, -1e3,
                                    1e3);
  start_angular_velocity.declare_parameters(
      t, "start_angular_velocity", scale::angular_velocity,
      "Angular velocity of the lower torso at the start, in its own axes", {}, -1e3, 1e3);
  for (int b = 1; b < bodies; ++b) {
    const std::string name(body_names[b]), against = name + " against " + std::string(body_names[parent[b]]);
    JointStart& j = joint_start[b];
    if (is_hinge(b)) {
      j.rotation.y = t.parameter("start_" + name + "_rotation", scale::angle,
                                 "Angle of " + against + " at the start, about +y", 0, -turn, turn);
      j.angular_velocity.y =
          t.parameter("start_" + name + "_angular_velocity", scale::angular_velocity,
                      "Angular velocity of " + against + " at the start, about +y", 0, -1e3, 1e3);
    } else {
      j.rotation.declare_parameters(t, "start_" + name + "_rotation", scale::angle,
                                    "Rotation vector of " + against + " from the reference posture", {},
                                    -turn, turn);
      j.angular_velocity.declare_parameters(
          t, "start_" + name + "_angular_velocity", scale::angular_velocity,
          "Angular velocity of " + against + " at the start, in axes of " + name, {}, -1e3, 1e3);
    }
  }
}

void Variables::declare_impactor_and_belts() {
  VariableTable& t = table;
  impactor_active = t.boolean_parameter(
      "impactor_active", "There is an impactor: a free sphere without weight and rotation", false);
  impactor_mass = t.parameter("impactor_mass", mass_scale, "Mass of the impactor", 75, 1e-3, 1e5);
  impactor_radius = t.parameter("impactor_radius", scale::length, "Radius of the impactor", 0.15, 1e-3, 10);
  impactor_bodies = t.text("impactor_bodies",
                           "What the impactor can touch: all, or names of bodies, or of spheres as "
                           "body.sphere, with commas between them",
                           "lower_torso.belly");
  start_impactor_position.declare_parameters(t, "start_impactor_position", scale::length,
                                             "Centre of the impactor at the start, from the sled's origin",
                                             {0.252, 0, 0.21}, -1e4, 1e4);
  start_impactor_velocity.declare_parameters(t, "start_impactor_velocity", scale::velocity,
                                             "Velocity of the impactor at the start, against the sled",
                                             {-3, 0, 0}, -1e3, 1e3);
  belt_active = t.boolean_parameter("belt_active", "Lap and shoulder belts hold the torso", false);
  const std::array<Vec3<double>, belts> anchor{
      {{-0.2, 0.25, -0.25}, {-0.2, -0.25, -0.25}, {-0.45, 0.22, 0.45}, {-0.15, -0.25, -0.2}}};
  for (int k = 0; k < belts; ++k) {
    const std::string name = "belt_" + std::string(belt_names[k]);
    belt_anchor[k].declare_parameters(t, name + "_anchor", scale::length,
                                      "Anchor of " + name + " on the sled, from its origin", anchor[k], -1e4,
                                      1e4);
  }
  belt_slack = t.parameter("belt_slack", scale::length,
                           "Length that each belt must grow from the start before it pulls", 0, 0, 10);
  belt_load_limit = t.parameter("belt_load_limit", scale::force,
                                "Tension at which the reel of each belt lets webbing out", 1e6, 1, 1e9);
}

void Variables::declare_outputs() {
  VariableTable& t = table;
  // what feeds through: accelerations and forces in joints follow every input at once and, by the built-in
  // pulse, time; contact forces follow the inputs of their plane; positions, velocities and what depends on
  // them alone follow none
  std::vector<Handle> inputs = t.of(Causality::input);
  inputs.push_back(time_handle);

  for (int b = 0; b < bodies; ++b) {
    const std::string name(body_names[b]);
    body[b].position.declare_outputs(t, name + "_position", scale::length,
                                     "Centre of mass of " + name + " from the sled's origin");
    const std::string text = "Euler parameters of " + name + " against the sled, ";
    body[b].orientation = {t.output(name + "_orientation_w", scale::none, text + "cosine of half the angle"),
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
  for (int b = 1; b < bodies; ++b) {
    const std::string name(body_names[b]), inner(body_names[parent[b]]);
    JointOutput& j = joint[b];
    if (is_hinge(b)) {
      j.angle.y = t.output(name + "_joint_angle", scale::angle,
                           "Angle of " + name + " against " + inner + " about +y");
      j.moment.y = t.output(name + "_joint_moment", scale::moment,
                            "Moment of range and damping on " + name + " about +y");
    } else {
      j.angle.declare_outputs(
          t, name + "_joint_angle", scale::angle,
          "Rotation vector of " + name + " against " + inner + " from the reference posture");
      j.moment.declare_outputs(t, name + "_joint_moment", scale::moment,
                               "Moment of range and damping on " + name + ", in axes of " + inner);
    }
  }
  const auto section = [&](const std::string& name, const std::string& where) {
    const auto force = [&](const std::string& what, const std::string& text) {
      return t.output(name + "_" + what, scale::force, "Force that passes " + where + " " + text, inputs);
    };
    const auto moment = [&](const std::string& what, const std::string& text) {
      return t.output(name + "_" + what, scale::moment,
                      "Moment at " + where + " on the upper body about its " + text, inputs);
    };
    return Section{force("axial_force", "along the upper body, tension positive"),
                   force("shear_force", "across the upper body, forward on it positive"),
                   force("lateral_force", "across the upper body, to the left on it positive"),
                   moment("section_moment", "lateral axis, flexion positive"),
                   moment("lateral_moment", "forward axis, right-handed"),
                   moment("twist_moment", "long axis, right-handed")};
  };
  upper_neck = section("upper_neck", "the joint of neck and head");
  lower_neck = section("lower_neck", "the joint of upper torso and neck");
  for (int k = 0; k < planes; ++k)
    plane_force[k].declare_outputs(t, plane[k].name + "_force", scale::force,
                                   "Contact force on the body by " + plane[k].name, plane[k].handles());
  for (int k = 0; k < belts; ++k) {
    const std::string name = "belt_" + std::string(belt_names[k]);
    belt_force[k] = t.output(name + "_force", scale::force, "Tension of the belt");
    belt_payout[k] =
        t.output(name + "_payout", scale::length, "Webbing that the reel of the belt has let out");
  }
  impactor_position.declare_outputs(t, "impactor_position", scale::length,
                                    "Centre of the impactor from the sled's origin; 0 without impactor");
  impactor_velocity.declare_outputs(t, "impactor_velocity", scale::velocity,
                                    "Of the impactor against the sled; 0 without impactor");
  impactor_force.declare_outputs(t, "impactor_force", scale::force,
                                 "Contact force on the body by the impactor");
  energy.declare(t, {"Kinetic energy of the motion against the sled, impactor included",
                     "Of gravity (zero at the sled's origin), stretched belts and the pressed impactor",
                     "Turned to heat in joints, belts and at the impactor since the start",
                     "Work of loads, planes and the sled's inertia forces since the start"});
  limit_work = t.output("joint_limit_work", scale::energy,
                        "Work of the moments of the joints' range since the start; they have no potential");
  head_criteria.declare_outputs(t);
  neck_criteria.declare_outputs(t);
  solver.declare(t);
}

}  // namespace spondyl::human12
