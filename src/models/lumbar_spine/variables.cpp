#include "models/lumbar_spine/variables.h"

#include "injury/dri.h"

namespace spondyl::lumbar_spine {
namespace {

constexpr std::array<std::string_view, ligaments> ligament_full_names{
    "Anterior longitudinal ligament", "Posterior longitudinal ligament", "Ligamentum flavum",
    "Interspinous ligament",          "Supraspinous ligament",           "Capsular ligament"};
constexpr std::array<std::string_view, contacts> contact_full_names{"Facet joints (left and right together)",
                                                                    "Spinous processes"};

}  // namespace

Variables::Variables() {
  declare_inputs();
  declare_parameters();
  declare_outputs();
}

void Variables::declare_inputs() {
  VariableTable& t = table;
  sled.declare(t, "S1");
  sled_angular_velocity =
      t.input("sled_angular_velocity", scale::angular_velocity, "Of the sled (S1), flexion positive");
  sled_angular_acceleration =
      t.input("sled_angular_acceleration", scale::angular_acceleration, "Of the sled (S1), flexion positive");
  for (int i = 0; i < bodies; ++i) load[i].declare(t, std::string(body_names[i]));
  const std::string where = "External force on L1 at the centre of its upper endplate, ";
  endplate_force_x = t.input("L1_endplate_force_x", scale::force, where + "forward");
  endplate_force_z = t.input("L1_endplate_force_z", scale::force, where + "upward");
  follower_load = t.input("follower_load", scale::force,
                          "Tension of a cable through the vertebral bodies from L1 to the endplate of S1");
}

void Variables::declare_parameters() {
  VariableTable& t = table;
  common.declare(t);
  contact_law = t.enumeration("contact_law", "ContactLaw",
                              {"hertz", "kelvin_voigt", "hunt_crossley", "lankarani_nikravesh", "flores"},
                              "Law of the contacts between facets and between spinous processes",
                              int(ContactLaw::flores));
  const VariableTable::Scale mass{"kg", "", 10}, inertia{"kg.m2", "", 1}, frequency{"rad/s", "", 10};
  trunk.mass = t.parameter("trunk_mass", mass, "Mass that L1 carries, rigidly", 0, 0, 1000);
  trunk.inertia =
      t.parameter("trunk_inertia", inertia, "Moment of inertia of that mass about its centre", 0, 0, 1000);
  const std::string where = "Centre of that mass in the posture of the data, ";
  trunk.x = t.parameter("trunk_position_x", scale::length,
                        where + "forward of the centre of L1's upper endplate", 0, -2, 2);
  trunk.z = t.parameter("trunk_position_z", scale::length, where + "above the centre of L1's upper endplate",
                        0, -2, 2);
  const auto declare_factor = [&](const std::string& name, const std::string& what) {
    return t.parameter(name + "_factor", scale::none, what + ": stiffness against the data; 0 removes it", 1,
                       0, 1000);
  };
  for (int i = 0; i < bodies; ++i) {
    const std::string level_name(level_names[i]), at = " at " + level_name;
    factor[i].disc = declare_factor(level_name + "_disc", "Disc" + at);
    for (int k = 0; k < ligaments; ++k)
      factor[i].ligament[k] = declare_factor(level_name + "_" + std::string(ligament_names[k]),
                                             std::string(ligament_full_names[k]) + at);
    for (int k = 0; k < contacts; ++k)
      factor[i].contact[k] = declare_factor(level_name + "_" + std::string(contact_names[k]),
                                            std::string(contact_full_names[k]) + at);
  }
  const injury::DriConstants dri_constants;
  dri_frequency =
      t.parameter("DRI_natural_frequency", frequency, "Natural frequency of DRI's oscillator (STANAG 4569)",
                  dri_constants.natural_frequency, 1, 1000);
  dri_damping =
      t.parameter("DRI_damping_ratio", scale::none, "Damping ratio of DRI's oscillator (STANAG 4569)",
                  dri_constants.damping_ratio, 0, 2);
}

void Variables::declare_outputs() {
  VariableTable& t = table;
  // what feeds through: the inertial acceleration of L1 follows the loads on L1, and with a trunk the sled's
  // rate of turn, at once, but no acceleration of the sled; all else follows positions, velocities and memory
  const std::vector<Handle> on_top{load[0].force_x,  load[0].force_z,  load[0].moment_y,
                                   endplate_force_x, endplate_force_z, follower_load};
  std::vector<Handle> on_centre = on_top;
  on_centre.insert(on_centre.begin(), sled_angular_velocity);

  for (int i = 0; i < bodies; ++i) {
    const std::string name(body_names[i]);
    body[i].position_x = t.output(name + "_position_x", scale::length,
                                  "Centre of mass of " + name + ", forward of the sled's origin");
    body[i].position_z = t.output(name + "_position_z", scale::length,
                                  "Centre of mass of " + name + ", above the sled's origin");
    body[i].angle =
        t.output(name + "_angle", scale::angle, "Tilt of " + name + " against the sled, forward positive");
  }
  top.velocity_x =
      t.output("L1_velocity_x", scale::velocity, "Centre of mass of L1 against the sled, forward");
  top.velocity_z =
      t.output("L1_velocity_z", scale::velocity, "Centre of mass of L1 against the sled, upward");
  top.angular_velocity =
      t.output("L1_angular_velocity", scale::angular_velocity, "Of L1 against the sled, flexion positive");
  top.acceleration_x =
      t.output("L1_acceleration_x", scale::acceleration,
               "Inertial acceleration of L1's centre of mass, forward, without gravity", on_centre);
  top.acceleration_z =
      t.output("L1_acceleration_z", scale::acceleration,
               "Inertial acceleration of L1's centre of mass, upward, without gravity", on_centre);
  top.angular_acceleration = t.output("L1_angular_acceleration", scale::angular_acceleration,
                                      "Inertial angular acceleration of L1, flexion positive", on_top);

  for (int i = 0; i < bodies; ++i) {
    const std::string name(level_names[i]);
    LevelOutput& l = level[i];
    l.angle = t.output(name + "_angle", scale::angle,
                       "Relative angle at " + name + " from the posture of the data, flexion positive");
    l.moment = t.output(
        name + "_moment", scale::moment,
        "Moment of the disc at " + name + " (elastic and damping) on the upper body, flexion positive");
    l.axial_force = t.output(name + "_axial_force", scale::force,
                             "Force of the disc at " + name + " along the lower body, tension positive");
    l.shear_force = t.output(
        name + "_shear_force", scale::force,
        "Force of the disc at " + name + " across the lower body, forward on the upper one positive");
    for (int k = 0; k < ligaments; ++k) {
      const std::string ligament = name + "_" + std::string(ligament_names[k]);
      l.force[k] = t.output(ligament + "_force", scale::force,
                            std::string(ligament_full_names[k]) + " at " + name + ", tension");
      l.elongation[k] = t.output(ligament + "_elongation", scale::length,
                                 "Length of the ligament less its length in the posture of the data");
    }
    for (int k = 0; k < contacts; ++k) {
      const std::string contact = name + "_" + std::string(contact_names[k]);
      const std::string what = std::string(contact_full_names[k]) + " at " + name;
      l.contact[k].force = t.output(contact + "_force", scale::force, what + ": normal force");
      l.contact[k].gap =
          t.output(contact + "_gap", scale::length, what + ": gap, negative when they overlap");
      l.contact[k].foot = t.output(contact + "_foot", scale::none,
                                   what + ": foot of the sphere on the line, 0 and 1 are the printed ends");
    }
  }
  sled_velocity_x =
      t.output("sled_velocity_x", scale::velocity, "Change of the sled's velocity since the start, forward");
  sled_velocity_z =
      t.output("sled_velocity_z", scale::velocity, "Change of the sled's velocity since the start, upward");
  energy.declare(t, {"Kinetic energy of the motion against the sled",
                     "Gravity, discs, ligaments and contacts; zero of gravity at the sled's origin",
                     "Turned to heat in discs, ligaments and contacts since the start",
                     "Work of loads, follower load and the sled's inertia force since the start"});
  dri = t.output("DRI", scale::none,
                 "Dynamic response index, largest so far, of the upward acceleration of the sled");
  solver.declare(t);
}

}  // namespace spondyl::lumbar_spine
