#include "models/cervical_spine/variables.h"

#include "injury/bric.h"
#include "injury/lnl.h"
#include "injury/nic.h"
#include "injury/nij.h"
#include "injury/nkm.h"

namespace spondyl::cervical_spine {

Variables::Variables() {
  declare_inputs();
  declare_parameters();
  declare_outputs();
}

void Variables::declare_inputs() {
  VariableTable& t = table;
  sled_x = t.input("sled_acceleration_x", scale::acceleration, "Acceleration of the sled (T1) forward");
  sled_z = t.input("sled_acceleration_z", scale::acceleration, "Acceleration of the sled (T1) upward");
  for (int i = 0; i < bodies; ++i) {
    const std::string body_name(body_names[i]);
    load[i].force_x = t.input(body_name + "_force_x", scale::force,
                              "External force on " + body_name + " at its centre of mass, forward");
    load[i].force_z = t.input(body_name + "_force_z", scale::force,
                              "External force on " + body_name + " at its centre of mass, upward");
    load[i].moment_y = t.input(body_name + "_moment_y", scale::moment,
                               "External moment on " + body_name + ", flexion positive");
  }
  for (int k = 0; k < planes; ++k) {
    const std::string name = "plane" + std::to_string(k + 1);
    PlaneInput& p = plane[k];
    p.x = t.input(name + "_x", scale::length,
                  "A point of contact plane " + name + ", forward of the sled's origin", k == 0 ? -0.25 : 0);
    p.z = t.input(name + "_z", scale::length,
                  "A point of contact plane " + name + ", above the sled's origin", k == 0 ? 0 : 0.5);
    p.nx = t.input(name + "_nx", scale::none,
                   "Outward normal of " + name + ", forward part; of any length but zero", k == 0 ? 1 : 0);
    p.nz = t.input(name + "_nz", scale::none,
                   "Outward normal of " + name + ", upward part; of any length but zero", k == 0 ? 0 : -1);
    p.vx = t.input(name + "_vx", scale::velocity,
                   "Velocity of the surface of " + name + " against the sled, forward");
    p.vz = t.input(name + "_vz", scale::velocity,
                   "Velocity of the surface of " + name + " against the sled, upward");
    p.active = t.boolean_input(name + "_active", "The head can touch " + name);
  }
}

void Variables::declare_parameters() {
  VariableTable& t = table;
  common.declare(t);
  ligaments_two_sided = t.boolean_parameter(
      "ligaments_two_sided",
      "Ligaments also push when shorter than at rest, as in the paper; false: tension only", true);
  const injury::NicConstants nic_default;
  const injury::NijConstants nij_default;
  const injury::NkmConstants nkm_default;
  const injury::LnlConstants lnl_default;
  const injury::BricConstants bric_default;
  const auto constant = [&](const char* name, const VariableTable::Scale& s, const char* text, double start) {
    return t.parameter(name, s, text, start, 1e-6, 1e9);
  };
  CriterionConstants& c = constants;
  c.nic_length = constant("NIC_length", scale::length, "Length in NIC", nic_default.length);
  c.nij_tension = constant("Nij_tension", scale::force, "Critical tension in Nij, Hybrid III 50th male",
                           nij_default.tension);
  c.nij_compression = constant("Nij_compression", scale::force,
                               "Critical compression in Nij, Hybrid III 50th male", nij_default.compression);
  c.nij_flexion = constant("Nij_flexion", scale::moment,
                           "Critical flexion moment in Nij, Hybrid III 50th male", nij_default.flexion);
  c.nij_extension = constant("Nij_extension", scale::moment,
                             "Critical extension moment in Nij, Hybrid III 50th male", nij_default.extension);
  c.nkm_shear =
      constant("Nkm_shear", scale::force, "Intercept of the shear force in Nkm", nkm_default.anterior);
  c.nkm_flexion =
      constant("Nkm_flexion", scale::moment, "Intercept of the flexion moment in Nkm", nkm_default.flexion);
  c.nkm_extension = constant("Nkm_extension", scale::moment, "Intercept of the extension moment in Nkm",
                             nkm_default.extension);
  c.lnl_moment =
      constant("LNL_moment", scale::moment, "Moment in the lower neck load index", lnl_default.moment);
  c.lnl_shear = constant("LNL_shear", scale::force, "Shear force in the lower neck load index",
                         lnl_default.shear_force);
  c.lnl_axial = constant("LNL_axial", scale::force, "Axial force in the lower neck load index",
                         lnl_default.axial_force);
  c.bric_rate = constant("BrIC_rate_y", scale::angular_velocity, "Critical angular velocity about y in BrIC",
                         bric_default.y);
  for (int k = 0; k < planes; ++k) {
    const std::string name = "plane" + std::to_string(k + 1);
    tuning[k].stiffness_factor =
        t.tunable(name + "_stiffness_factor", scale::none,
                  "Stiffness of " + name + " against the data's contact_stiffness", 1, 1e-6, 1e6);
    tuning[k].friction_factor =
        t.tunable(name + "_friction_factor", scale::none,
                  "Friction of " + name + " against the data's friction_coefficient", 1, 0, 1e3);
  }
}

void Variables::declare_outputs() {
  VariableTable& t = table;
  // what feeds through: accelerations and pivot forces follow every input at once and, by the built-in pulse,
  // time; contact forces follow the inputs of their plane; positions, velocities and what depends on them
  // alone, as the moments of joints and ligaments, follow none
  std::vector<Handle> inputs = t.of(Causality::input);
  inputs.push_back(time_handle);
  std::array<std::vector<Handle>, planes> of_plane;
  for (int k = 0; k < planes; ++k) {
    const PlaneInput& p = plane[k];
    of_plane[k] = {
        p.x, p.z, p.nx, p.nz, p.vx, p.vz, p.active, tuning[k].stiffness_factor, tuning[k].friction_factor};
    inputs.insert(inputs.end(), {tuning[k].stiffness_factor, tuning[k].friction_factor});
  }

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
    const std::string name = "plane" + std::to_string(k + 1);
    plane_force[k].force_x = t.output(name + "_force_x", scale::force,
                                      "Contact force on the head by " + name + ", forward", of_plane[k]);
    plane_force[k].force_z = t.output(name + "_force_z", scale::force,
                                      "Contact force on the head by " + name + ", upward", of_plane[k]);
  }
  sled_velocity_x =
      t.output("sled_velocity_x", scale::velocity, "Change of the sled's velocity since the start, forward");
  sled_velocity_z =
      t.output("sled_velocity_z", scale::velocity, "Change of the sled's velocity since the start, upward");
  kinetic_energy =
      t.output("kinetic_energy", scale::energy, "Kinetic energy of the motion against the sled (T2, Eq. 49)");
  potential_energy = t.output("potential_energy", scale::energy,
                              "Gravity, ligaments and joints; zero of gravity at the sled's origin");
  dissipated_energy =
      t.output("dissipated_energy", scale::energy, "Turned to heat in ligaments and joints since the start");
  external_work = t.output("external_work", scale::energy,
                           "Work of loads, planes and the sled's inertia force since the start");
  energy_error = t.output("energy_error", scale::none, "e_R of Eq. 55: |T2 - W| over the largest T2 so far");
  hic15 = t.output("HIC15", scale::none, "Head injury criterion, window 15 ms, so far (limit 700)");
  hic36 = t.output("HIC36", scale::none, "Head injury criterion, window 36 ms, so far (limit 1000)");
  a3ms = t.output("head_a3ms", scale::acceleration,
                  "Head acceleration exceeded for 3 ms in total, so far (limit 80 g)");
  nic = t.output("NIC", scale::nic, "Neck injury criterion at the last sample");
  nic_max = t.output("NIC_max", scale::nic, "Largest NIC in the first 150 ms after the onset (limit 15)");
  nij_value = t.output("Nij", scale::none, "Largest Nij so far, loads between C1 and head (limit 1)");
  nkm_value = t.output("Nkm", scale::none, "Largest Nkm so far, loads between C1 and head (limit 0.3)");
  lnl_value =
      t.output("LNL", scale::none, "Largest lower neck load index so far, loads between T1 and C7 (limit 3)");
  bric_value = t.output("BrIC", scale::none,
                        "Brain injury criterion so far, from the rotation about y alone (limit 1)");
  solver.declare(t);
}

}  // namespace spondyl::cervical_spine
